import { readdir, lstat, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { HomeSize } from '../../shared/contract/data.ts'
import { undefinedIfMissing } from '../lib/expected-errors.ts'
import { homeParts, partOf } from './home-parts.ts'

/** The size of every part of a home folder, in the order of `homeParts`, without parts that have nothing. Links inside are not followed. */
export async function measureHome(home: string, signal: AbortSignal): Promise<HomeSize[]> {
  const sums = new Map(homeParts.map(part => [part.id, { bytes: 0, files: 0 }]))
  for (const name of await readdir(home)) {
    const sum = sums.get(partOf(name)?.id ?? 'other')!
    for await (const bytes of filesIn(join(home, name), true)) {
      signal.throwIfAborted()
      sum.bytes += bytes
      sum.files++
    }
  }
  return homeParts.flatMap(({ id, title }) => {
    const { bytes, files } = sums.get(id)!
    return files === 0 ? [] : [{ id, title, bytes, files }]
  })
}

/** The sizes of the files at and below a path. What vanishes meanwhile is left out. */
async function* filesIn(path: string, isFollowed: boolean): AsyncGenerator<number> {
  const stats = await (isFollowed ? stat(path) : lstat(path)).catch(undefinedIfMissing)
  if (stats?.isDirectory()) for (const name of await readdir(path)) yield* filesIn(join(path, name), false)
  else if (stats?.isFile()) yield stats.size
}
