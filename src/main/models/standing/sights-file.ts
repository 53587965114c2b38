import { join } from 'node:path'
import { z } from 'zod'
import { LONGEST_TEXT, openKeptList } from './kept-list.ts'

const text = z.string().max(LONGEST_TEXT)
const Kept = z.object({
  /** The model, with the address of its server. */
  model: text,
  sees: z.boolean(),
  /** The time until which the model is not tried again. */
  until: z.number(),
})

/** The results of trying whether models take pictures. */
export type KeptSights = {
  /** Return whether a model takes pictures; undefined if its current form has not been tried. */
  find(model: string): boolean | undefined
  keep(model: string, sees: boolean): void
}

const KEPT = 500
/** How long to remember a result, because a server may change. */
const KNOWN_MS = 30 * 86_400_000

/** Open the results that are saved in a home folder. */
export function openSights(
  home: string,
  { now, report }: { now: () => number; report(error: unknown): void },
): KeptSights {
  const path = join(home, 'cache', 'seeing-models.json')
  const list = openKeptList({ path, name: 'models', item: Kept, most: KEPT, report })
  return {
    find: model => list.current().find(each => each.model === model && each.until > now())?.sees,
    keep(model, sees) {
      if (model.length > LONGEST_TEXT) return
      const others = list.current().filter(each => each.model !== model && each.until > now())
      list.replace([{ model, sees, until: now() + KNOWN_MS }, ...others])
    },
  }
}
