import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as others } from 'node:timers/promises'
import { namesIn } from '../../lib/expected-errors.ts'
import type { PurgeStore } from '../../db/purge-tables.ts'

const OUTPUT = /\bout_[0-9a-z]+\.[0-9a-z]+\b/g
/** A younger file may belong to a result that is not stored yet. */
const UNSTORED_MS = 60 * 60_000

/**
 * Remove the files of long results and of pictures that a chat names, and those that no chat names, because a crash came
 * between the file and its message. To be called while the messages are still there.
 */
export async function removeOutputs(
  home: string,
  store: Pick<PurgeStore, 'results' | 'isMentioned'>,
  sessionIds: readonly string[],
): Promise<void> {
  const folder = join(home, 'cache', 'outputs')
  const named = new Set<string>()
  for (const id of sessionIds) {
    for (let after: number | undefined = 0; after !== undefined;) {
      const { texts, last } = store.results(id, after)
      for (const name of texts.flatMap(text => text.match(OUTPUT) ?? [])) named.add(name)
      after = last
      await others()
    }
  }
  for (const name of namesIn(folder)) {
    if (named.has(name) || (await isForgotten(join(folder, name))))
      await rm(join(folder, name), { force: true })
    await others()
  }

  async function isForgotten(path: string): Promise<boolean> {
    const age = Date.now() - (await stat(path)).mtimeMs
    const words = path.slice(folder.length + 1).replaceAll(/[^0-9a-z]+/gi, ' ')
    return age > UNSTORED_MS && !store.isMentioned(words)
  }
}
