import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeAtomic } from '../../lib/disk/durable-files.ts'
import { fileErrorCode, parseJson } from '../../lib/expected-errors.ts'

const text = z.string().nullable()

/** The changes made by connecting, written before each step to be finished or undone after a kill. */
const ConnectionRecord = z.object({
  v: z.literal(1),
  state: z.enum(['connecting', 'connected', 'removing']),
  /** The record's own folder. Elsewhere it is a copy, and does not count. */
  folder: z.string(),
  agentId: z.string(),
  connectedAt: z.number(),
  /** The names of our files in the folder. */
  names: z.array(z.string()),
  /** Changes of the other program's files; null: no file. `made`: folders created for it. */
  edits: z.array(z.object({ path: z.string(), before: text, after: text, made: z.array(z.string()) })),
  /** Files that the other program’s own commands change, with their earlier content. */
  touched: z.array(z.object({ path: z.string(), before: text })),
})
export type ConnectionRecord = z.infer<typeof ConnectionRecord>

const RECORD = 'connection.json'
const KEY = 'key'
/** Names in the folder that do not come from the connector. */
export const OWN_NAMES: readonly string[] = [RECORD, KEY, 'snapshot.json']

/** Read the record of a folder; undefined if there is none, or it belongs to another home. */
export function readRecord(folder: string): ConnectionRecord | undefined {
  const read = ConnectionRecord.safeParse(parseJson(readOr(join(folder, RECORD))))
  return read.success && read.data.folder === folder ? read.data : undefined
}

/** Store a record. Its folder must exist. */
export const writeRecord = (record: ConnectionRecord): void =>
  writeAtomic(join(record.folder, RECORD), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })

/** Return the file with a program's key, which the program passes on when it starts our server. */
export const keyFile = (folder: string): string => join(folder, KEY)

/** Store a program's key, readable for this user only. */
export const writeKey = (folder: string, key: string): void =>
  writeAtomic(keyFile(folder), `${key}\n`, { mode: 0o600 })

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    fileErrorCode(error)
    return 'null'
  }
}
