import { existsSync, readdirSync } from 'node:fs'
import { copyFile, open } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { Fault } from '../../shared/rpc.ts'
import { writeAtomic } from '../lib/disk/durable-files.ts'
import { removeTree } from '../lib/removal/remove-tree.ts'
import {
  lockBatch,
  makeFolders,
  readSettings,
  readStanding,
  refuseOther,
  resultFiles,
  type BatchSettings,
} from './batch-folder.ts'
import { openLineFile, readLines } from './line-file.ts'
import { attemptName } from './result-line.ts'
import { writeOutputs } from './write-outputs.ts'

/** The result of a merge: attempts copied, and attempts found several times, of which the first counts. */
export type Merged = { attempts: number; doubled: number; unknown: number }

/**
 * Merge the results of several folders, such as the parts of one run, into a new folder, without changing
 * them. Throws `bad_input` if they were started with different settings, and `busy` if a batch runs in one.
 */
export async function mergeBatches(given: readonly string[], out: string): Promise<Merged> {
  const folders = given.map(each => resolve(each))
  if (folders.includes(resolve(out)))
    throw new Fault('bad_input', `${out} is one of the folders that are merged. Name a new one.`)
  const locks: { close(): void }[] = []
  try {
    const [first, ...others] = await Promise.all(folders.map(settingsOf))
    if (!first) throw new Fault('bad_input', 'Name the folders to merge.')
    others.forEach((each, at) =>
      refuseOther(folders[at + 1]!, { ...each, shard: null }, { ...first, shard: null }),
    )
    if (await readSettings(out))
      throw new Fault('bad_input', `${out} holds a batch already. Name a new folder.`)
    await makeFolders(out)
    for (const folder of [...new Set(folders), out]) locks.push(lockBatch(folder))
    // Without settings, the contents are left over from an unfinished merge.
    await Promise.all(
      readdirSync(out)
        .filter(isMade)
        .map(name => removeTree(join(out, name))),
    )
    await makeFolders(out)
    return await merge([...new Set(folders)], out, { ...first, shard: null })
  } finally {
    for (const lock of locks) lock.close()
  }
}

const isMade = (name: string) => ['batches', 'journal.jsonl'].includes(name)

async function settingsOf(folder: string): Promise<BatchSettings> {
  const settings = existsSync(folder) ? await readSettings(folder) : undefined
  if (!settings) throw new Fault('bad_input', `${folder} is not the folder of a batch.`)
  return settings
}

async function merge(folders: readonly string[], out: string, settings: BatchSettings): Promise<Merged> {
  const journal = await openLineFile(join(out, 'journal.jsonl'))
  const taken = new Set<string>()
  let number = 0
  let doubled = 0
  for (const folder of folders) {
    const { ended } = await readStanding(folder)
    const isDoubled = [...ended.keys()].some(name => taken.has(name))
    for (const name of resultFiles(folder)) {
      const target = join(out, 'batches', `${String(++number).padStart(6, '0')}.jsonl`)
      const source = join(folder, 'batches', name)
      if (isDoubled) {
        const lines = await openLineFile(target)
        for await (const { line } of readLines(source))
          if (!taken.has(attemptName(JSON.parse(line)))) await lines.append(line)
        await lines.close()
      } else {
        await copyFile(source, target)
        await (await openLineFile(target)).close()
      }
    }
    for (const name of ended.keys()) {
      if (taken.has(name)) doubled++
      taken.add(name)
    }
    const source = join(folder, 'journal.jsonl')
    if (!existsSync(source)) continue
    const lines: string[] = []
    for await (const { line } of readLines(source)) lines.push(line)
    await Promise.all(lines.map(line => journal.append(line)))
  }
  await journal.close()
  await syncAll(out)
  writeAtomic(join(out, 'batch.json'), `${JSON.stringify(settings, undefined, 2)}\n`, { mode: 0o600 })
  const standing = await readStanding(out)
  await writeOutputs(out, standing, settings)
  return { attempts: standing.ended.size, doubled, unknown: standing.unknown }
}

/** The copies must be durable before the settings say that the merge is complete. */
async function syncAll(out: string): Promise<void> {
  for (const name of resultFiles(out)) {
    const file = await open(join(out, 'batches', basename(name)), 'r')
    await file.sync()
    await file.close()
  }
}
