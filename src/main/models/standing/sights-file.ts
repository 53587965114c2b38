import { join } from 'node:path'
import { z } from 'zod'
import { LONGEST_TEXT, openKeptList } from './kept-list.ts'

const text = z.string().max(LONGEST_TEXT)
const Kept = z.object({
  /** The model, with the address of its server. */
  model: text,
  sees: z.boolean(),
  /** Until then it is not tried again. */
  until: z.number(),
})

/** Which models take pictures, as trying has shown. */
export type KeptSights = {
  /** Undefined while a model was not tried as it is now. */
  find(model: string): boolean | undefined
  keep(model: string, sees: boolean): void
}

const KEPT = 500
/** A server may learn to take what it refused. */
const KNOWN_MS = 30 * 86_400_000

/** Open what trying has shown, as the home folder has it. */
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
