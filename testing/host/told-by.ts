import type { AppEvent } from '../../src/shared/contract/app.ts'

/** What an event tells: the areas that changed, or else its type. */
export const toldBy = (event: AppEvent): readonly string[] =>
  event.type === 'changed' ? event.areas : [event.type]
