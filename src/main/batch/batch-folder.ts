import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, realpath, rmdir, statfs } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { BatchApproval } from '../../shared/contract/runs/batch.ts'
import { Fault } from '../../shared/rpc.ts'
import { lockHome } from '../db/file/lock.ts'
import { syncFolder, writeAtomic } from '../lib/disk/durable-files.ts'
import { fileErrorCode, parseJson, reasonOf } from '../lib/expected-errors.ts'
import { removeTree } from '../lib/removal/remove-tree.ts'
import { openLineFile, readLines, type LineFile } from './line-file.ts'
import { attemptName, ResultLine, type Ended } from './result-line.ts'

const VERSION = 1
const SETTINGS = 'batch.json'
const JOURNAL = 'journal.jsonl'
const RESULTS = 'batches'
const FOLDERS = 'folders'
/** Free space in bytes below which an attempt may have failed because of the disk. */
const LEAST_ROOM = 1_000_000

/** Settings shared by all attempts in a folder. Continuing with other settings would mix two runs. */
export const BatchSettings = z.object({
  version: z.literal(VERSION),
  runName: z.string(),
  modelId: z.string(),
  distribution: z.object({ name: z.string(), chances: z.record(z.string(), z.number()) }).nullable(),
  approve: BatchApproval,
  tools: z.boolean(),
  shard: z.object({ index: z.int(), count: z.int() }).nullable(),
})
export type BatchSettings = z.infer<typeof BatchSettings>

/** A line of the journal, for events that the results do not show. */
const JournalLine = z.object({
  event: z.enum(['begun', 'unknown']),
  key: z.string(),
  attempt: z.int(),
  try: z.int(),
})
type JournalLine = z.infer<typeof JournalLine>

/** The results in a folder, and how often each attempt was started. */
export type Standing = {
  settings: BatchSettings | undefined
  /** Ended attempts by `attemptName`. */
  ended: Map<string, Ended>
  tries: Map<string, number>
  /** The number of attempts that were cut off. */
  unknown: number
}

/** A folder of results that only this process writes to. */
export type BatchFolder = Standing & {
  path: string
  /** Create the empty folder of an attempt. Returns the number of this try, and the folder. */
  prepare(at: { key: string; attempt: number }): Promise<{ number: number; folder: string }>
  /** Record the start of an attempt: from then on it is `unknown` until it has a result. */
  begin(at: { key: string; attempt: number; try: number }): Promise<void>
  /** Store the result of an attempt. It counts once this resolves. */
  end(line: ResultLine): Promise<void>
  /** Record that something outside the attempt cut it off, so it will be repeated. */
  cut(at: { key: string; attempt: number; try: number }): Promise<void>
  /** Remove the folder of an attempt. */
  drop(folder: string): Promise<void>
  /** Whether the disk is so full that it may have caused a failure. */
  isFull(): Promise<boolean>
  close(): Promise<void>
}

/** Read a folder of results, which need not exist. Nothing is changed. */
export async function readStanding(path: string): Promise<Standing> {
  const settings = await readSettings(path)
  const ended = new Map<string, Ended>()
  const tries = new Map<string, number>()
  const over = new Set<string>()
  let unknown = 0
  for (const name of resultFiles(path)) {
    const file = join(path, RESULTS, name)
    for await (const { line, offset, length } of readLines(file)) {
      const read = ResultLine.safeParse(parseJson(line))
      if (!read.success)
        throw new Fault(
          'bad_input',
          `${file} has a line that is not a result: it was changed by hand, or is damaged.`,
        )
      const { key, attempt, state, reward, tokens, line: row } = read.data
      const known = { key, attempt, try: read.data.try, line: row, state, tokens, file, offset, length }
      ended.set(attemptName(known), { ...known, ...(reward !== undefined && { reward }) })
      over.add(`${attemptName(known)} ${known.try}`)
    }
  }
  const journal = join(path, JOURNAL)
  const begun: JournalLine[] = []
  if (existsSync(journal))
    for await (const { line } of readLines(journal)) {
      const read = JournalLine.safeParse(parseJson(line))
      if (!read.success)
        throw new Fault(
          'bad_input',
          `${journal} has a line that is not Talaria’s: it was changed by hand, or is damaged.`,
        )
      const name = attemptName(read.data)
      tries.set(name, Math.max(tries.get(name) ?? 0, read.data.try))
      if (read.data.event === 'unknown') {
        unknown++
        over.add(`${name} ${read.data.try}`)
      } else begun.push(read.data)
    }
  unknown += begun.filter(each => !over.has(`${attemptName(each)} ${each.try}`)).length
  return { settings, ended, tries, unknown }
}

/**
 * Open a folder of results, created if missing, until it is closed or the process ends. Throws `busy` if
 * another process has it, and `bad_input` if it was started with other settings or contains something else.
 * Attempts that were cut off are recorded as `unknown`, and their folders are removed.
 */
export async function openBatchFolder(
  given: string,
  settings: BatchSettings,
  batchSize: number,
): Promise<BatchFolder> {
  await makeFolders(given)
  const path = await realpath(given)
  const lock = lockBatch(path)
  try {
    const before = await readStanding(path)
    if (before.settings) refuseOther(path, before.settings, settings)
    else writeAtomic(join(path, SETTINGS), `${JSON.stringify(settings, undefined, 2)}\n`)
    await removeTree(join(path, FOLDERS))
    await mkdir(join(path, FOLDERS), { mode: 0o700 })
    return await openWriters(path, lock, { ...before, settings }, batchSize)
  } catch (error) {
    lock.close()
    throw error
  }
}

async function openWriters(
  path: string,
  lock: { close(): void },
  standing: Standing,
  batchSize: number,
): Promise<BatchFolder> {
  const { ended, tries } = standing
  const journal = await openLineFile(join(path, JOURNAL))
  const newest = resultFiles(path).at(-1) ?? nameOf(1)
  /** The file for the next result. */
  const current = {
    path: join(path, RESULTS, newest),
    lines: [...ended.values()].filter(({ file }) => file === join(path, RESULTS, newest)).length,
    file: undefined as LineFile | undefined,
  }

  async function noteUnknown(): Promise<void> {
    const open = new Set<string>()
    const known: JournalLine[] = []
    for await (const { line } of readLines(join(path, JOURNAL))) {
      const each = JournalLine.parse(JSON.parse(line))
      const name = `${attemptName(each)} ${each.try}`
      if (each.event === 'begun') {
        open.add(name)
        known.push(each)
      } else open.delete(name)
    }
    for (const each of ended.values()) open.delete(`${attemptName(each)} ${each.try}`)
    const cut = known.filter(each => open.has(`${attemptName(each)} ${each.try}`))
    await Promise.all(cut.map(each => journal.append(JSON.stringify({ ...each, event: 'unknown' }))))
  }

  /** Pass a result to its file. The write itself is not awaited, so that several results share an fsync. */
  async function place(text: string): Promise<{ file: string; offset: Promise<number> }> {
    if (current.lines >= batchSize) {
      await current.file?.close()
      const number = Number(basename(current.path, '.jsonl')) + 1
      Object.assign(current, { path: join(path, RESULTS, nameOf(number)), lines: 0, file: undefined })
    }
    if (!current.file) {
      current.file = await openLineFile(current.path)
      syncFolder(join(path, RESULTS))
    }
    current.lines++
    return { file: current.path, offset: current.file.append(text) }
  }
  /** One after the other, or two results would start the same file. */
  let placing: Promise<unknown> = Promise.resolve()

  await noteUnknown()
  return {
    ...standing,
    path,
    async prepare({ key, attempt }) {
      const name = attemptName({ key, attempt })
      const number = (tries.get(name) ?? 0) + 1
      const folder = join(path, FOLDERS, `${name}-${number}`)
      await mkdir(folder, { mode: 0o700 })
      tries.set(name, number)
      return { number, folder }
    },
    async begin({ key, attempt, try: number }) {
      // If a power cut loses this line, the attempt counts as not started.
      await journal.append(JSON.stringify({ event: 'begun', key, attempt, try: number }), { quick: true })
    },
    async end(line) {
      const text = JSON.stringify(line)
      const placed = placing.then(() => place(text))
      placing = placed.catch(() => undefined)
      const { file, offset: written } = await placed
      const offset = await written
      const { key, attempt, state, reward, tokens } = line
      ended.set(attemptName(line), {
        key,
        attempt,
        try: line.try,
        line: line.line,
        state,
        tokens,
        ...(reward !== undefined && { reward }),
        file,
        offset,
        length: Buffer.byteLength(text),
      })
    },
    async cut({ key, attempt, try: number }) {
      await journal.append(JSON.stringify({ event: 'unknown', key, attempt, try: number }))
    },
    async drop(folder) {
      // Most folders are empty, and a full removal would first open every parent folder.
      const code = await rmdir(folder).catch(fileErrorCode)
      if (code !== undefined) await removeTree(folder)
    },
    isFull: async () => {
      const { bavail, bsize } = await statfs(path)
      return bavail * bsize < LEAST_ROOM
    },
    async close() {
      await journal.close()
      await placing
      await current.file?.close()
      lock.close()
    },
  }
}

const nameOf = (number: number) => `${String(number).padStart(6, '0')}.jsonl`

/** Lock a folder of results, so that no two processes write to it. Throws `busy` if another has it. */
export function lockBatch(path: string): { close(): void } {
  try {
    return lockHome(path)
  } catch (error) {
    if (error instanceof Fault && error.code === 'busy')
      throw new Fault('busy', `Another process is using ${path}. Wait for it, or use another folder.`)
    throw error
  }
}

/** Create a folder of results and its contents. A folder that contains something else is refused. */
export async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    const isOurs = existsSync(join(path, SETTINGS)) || existsSync(join(path, RESULTS))
    if (!isOurs && readdirSync(path).some(name => !name.startsWith('.lock')))
      throw new Fault('bad_input', `${path} holds other files. Name a new folder, or the one of a batch.`)
    await mkdir(join(path, RESULTS), { recursive: true, mode: 0o700 })
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault('bad_input', `${path} cannot be used: ${reasonOf(fileErrorCode(error))}.`)
  }
}

/** The names of the result files in a folder, in order. */
export const resultFiles = (path: string): string[] =>
  existsSync(join(path, RESULTS))
    ? readdirSync(join(path, RESULTS))
        .filter(name => /^\d{6,}\.jsonl$/.test(name))
        .toSorted((a, b) => Number(a.slice(0, -6)) - Number(b.slice(0, -6)))
    : []

/** The settings that a batch was started with; undefined if the folder has no batch. */
export async function readSettings(path: string): Promise<BatchSettings | undefined> {
  const text = await readFile(join(path, SETTINGS), 'utf8').catch((error: unknown) => {
    const code = fileErrorCode(error)
    if (code === 'ENOENT') return undefined
    const why = code === 'ENOTDIR' ? 'it is not a folder' : reasonOf(code)
    throw new Fault('bad_input', `${path} is not the folder of a batch: ${why}.`)
  })
  if (text === undefined) return undefined
  const read = BatchSettings.safeParse(parseJson(text))
  if (read.success) return read.data
  throw new Fault('bad_input', `${join(path, SETTINGS)} is not the settings of a batch of this version.`)
}

const NAMES: Readonly<Record<string, string>> = {
  modelId: 'model',
  distribution: 'distribution',
  approve: '--approve',
  tools: '--no-tools',
  shard: '--shard',
}

/** Refuse to continue with settings other than the folder's. Only the name of the run may differ. */
export function refuseOther(path: string, before: BatchSettings, now: BatchSettings): void {
  const other = Object.keys(NAMES).filter(
    name => !isDeepStrictEqual(before[name as keyof BatchSettings], now[name as keyof BatchSettings]),
  )
  if (other.length === 0) return
  const named = other.map(name => NAMES[name]).join(', ')
  throw new Fault(
    'bad_input',
    `${path} was started with another ${named}. Use what it was started with (see its batch.json), or another folder.`,
  )
}
