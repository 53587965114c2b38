import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeAtomic } from '../../lib/disk/durable-files.ts'
import { fileErrorCode, parseJson } from '../../lib/expected-errors.ts'

const text = z.string().nullable()

/** What connecting changed, written before each step, so that it can be finished or undone after a kill at any moment. */
const ConnectionRecord = z.object({
  v: z.literal(1),
  state: z.enum(['connecting', 'connected', 'removing']),
  /** The folder that the record lies in. Elsewhere it is a copy, and means nothing. */
  folder: z.string(),
  agentId: z.string(),
  connectedAt: z.number(),
  /** Our files, by their names in the folder. */
  names: z.array(z.string()),
  /** Changes of files of the other program; null: there was, or is, none. `made`: folders that had to be made for it. */
  edits: z.array(z.object({ path: z.string(), before: text, after: text, made: z.array(z.string()) })),
  /** Files that the other program’s own commands change, as they were before. */
  touched: z.array(z.object({ path: z.string(), before: text })),
})
export type ConnectionRecord = z.infer<typeof ConnectionRecord>

const RECORD = 'connection.json'
const KEY = 'key'
/** Names in the folder that are not the connector’s. */
export const OWN_NAMES: readonly string[] = [RECORD, KEY, 'snapshot.json']

/** What was connected with this folder; undefined without it, and for the copy of another home. */
export function readRecord(folder: string): ConnectionRecord | undefined {
  const read = ConnectionRecord.safeParse(parseJson(readOr(join(folder, RECORD))))
  return read.success && read.data.folder === folder ? read.data : undefined
}

/** Keep a record. Its folder must be there. */
export const writeRecord = (record: ConnectionRecord): void =>
  writeAtomic(join(record.folder, RECORD), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })

/** The file with the key of a connected program, which it hands over when it starts our server. */
export const keyFile = (folder: string): string => join(folder, KEY)

/** Keep the key of a program for this user alone. */
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
