import { constants } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import { z } from 'zod'
import type { MemoryTarget } from '../../../shared/contract/learned/memory.ts'
import { undefinedIfMissing, parseJson, isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { removeTree } from '../../lib/removal/remove-tree.ts'
import { parseNotes } from '../../memory/note-files.ts'
import { readNotes } from '../../memory/outside/read-notes.ts'
import { troubleOf } from './export-files.ts'
import {
  FILES,
  toSourceChat,
  skipOf,
  timeOf,
  WORKINGS,
  type ImportPiece,
  type ReadConversation,
  type Skip,
  type ImportSource,
} from './import-source.ts'

/** The parts found in a Hermes home folder. */
export type HermesParts = { notes: { path: string; target: MemoryTarget }[]; database: string | undefined }

/** The notebook's file names in Hermes. */
export const HERMES_NOTES: Readonly<Record<string, MemoryTarget>> = {
  'MEMORY.md': 'memory',
  'USER.md': 'user',
}
/** Maximum size in bytes of the database, which is copied; real ones are smaller. */
const MAX_BYTES = 8_000_000_000
const COPY_ATTEMPTS = 3

/** The home folder of a Hermes agent as an import source; temporary copies go to `scratch`. */
export const hermesSource = (parts: HermesParts, scratch: string, now: () => number): ImportSource => ({
  kind: 'hermes',
  async *read(signal) {
    for (const { path, target } of parts.notes) yield* readMemories(path, target)
    if (parts.database !== undefined) yield* readDatabase(parts.database, scratch, now, signal)
  },
})

function* readMemories(path: string, target: MemoryTarget): Generator<ImportPiece> {
  const found = readNotes(path)
  if (isRefusal(found)) yield { skip: skipOf(basename(path), found.refused) }
  else for (const text of parseNotes(found.text)) yield { memory: { target, text } }
}

async function* readDatabase(
  path: string,
  scratch: string,
  now: () => number,
  signal: AbortSignal,
): AsyncGenerator<ImportPiece> {
  let folder: string | undefined
  let db: Database.Database | undefined
  try {
    await mkdir(scratch, { recursive: true, mode: 0o700 })
    folder = await mkdtemp(join(scratch, 'copy-'))
    const copied = await copyDatabase(path, folder)
    if (isRefusal(copied)) {
      yield { skip: skipOf(basename(path), copied.refused) }
      return
    }
    db = new Database(copied.path)
    db.pragma('trusted_schema = off')
    for (const piece of readSessions(db, now)) {
      signal.throwIfAborted()
      yield piece
    }
  } catch (error) {
    if (signal.aborted) throw error
    const isDamaged = error instanceof Database.SqliteError
    const why = isDamaged ? 'it is damaged, so some of it could not be read' : `it ${troubleOf(error)}`
    yield { skip: skipOf(basename(path), why) }
  } finally {
    db?.close()
    if (folder !== undefined) await removeTree(folder)
  }
}

/**
 * Copy a database with its write-ahead log. Opening the original, even read-only, could create files beside
 * it. While its owner writes, two files copied one after the other may be inconsistent.
 */
async function copyDatabase(path: string, folder: string): Promise<{ path: string } | Refusal> {
  const copy = join(folder, 'state.db')
  for (let attempt = 0; attempt < COPY_ATTEMPTS; attempt++) {
    const before = await stampOf(path)
    if (before.size > MAX_BYTES) return { refused: `it is larger than ${MAX_BYTES / 1_000_000_000} GB` }
    await copyFile(path, copy, constants.COPYFILE_FICLONE)
    await rm(`${copy}-wal`, { force: true })
    if (before.hasLog) await copyFile(`${path}-wal`, `${copy}-wal`, constants.COPYFILE_FICLONE)
    if ((await stampOf(path)).text === before.text) return { path: copy }
  }
  return { refused: 'another program is writing to it; close that program and try again' }
}

async function stampOf(path: string) {
  const [main, log] = await Promise.all(
    [path, `${path}-wal`].map(each => stat(each, { bigint: true }).catch(undefinedIfMissing)),
  )
  const of = (stats: typeof main) => (stats ? `${stats.mtimeNs}/${stats.size}` : '-')
  return { size: Number(main?.size ?? 0), hasLog: log !== undefined, text: `${of(main)} ${of(log)}` }
}

const SessionRow = z.object({
  id: z.string(),
  title: z.unknown().optional(),
  model: z.unknown().optional(),
  parent_session_id: z.string().nullable().catch(null),
  started_at: z.unknown().optional(),
  ended_at: z.unknown().optional(),
})
type SessionRow = z.infer<typeof SessionRow>
const MessageRow = z.object({
  role: z.string(),
  content: z.string().catch(''),
  timestamp: z.unknown().optional(),
})

/** The sessions of a database, parents before their continuations. Older versions lack some columns. */
function* readSessions(db: Database.Database, now: () => number): Generator<ImportPiece> {
  const [sessions, messages] = ['sessions', 'messages'].map(table => columnsOf(db, table))
  if (!['id', 'started_at'].every(name => sessions!.has(name)) || !messages!.has('session_id')) {
    yield { skip: skipOf('database', 'it contains no Hermes sessions') }
    return
  }
  const select = (columns: Set<string>, names: string[]) =>
    names.map(name => (columns.has(name) ? name : `null as ${name}`)).join(', ')
  const ids = select(sessions!, ['id', 'title', 'model', 'parent_session_id', 'started_at', 'ended_at'])
  // Undone messages are left out; compacted ones are kept.
  const shown = messages!.has('active')
    ? `and (active = 1 ${messages!.has('compacted') ? 'or compacted = 1' : ''})`
    : ''
  db.exec('create index if not exists main.import_order on messages (session_id)')
  const said = db.prepare<[string]>(
    `select ${select(messages!, ['role', 'content', 'timestamp'])} from messages where session_id = ? ${shown} order by rowid`,
  )
  for (const row of db.prepare(`select ${ids} from sessions order by started_at`).all()) {
    const session = SessionRow.safeParse(row).data
    const { chat, skips } = session
      ? readSession(session, said.all(session.id), now())
      : { skips: [skipOf('chat', 'it is not a valid Hermes chat')], chat: undefined }
    for (const each of skips) yield { skip: each }
    if (chat) yield { chat }
  }
}

const columnsOf = (db: Database.Database, table: string): Set<string> =>
  new Set((db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name))

function readSession(session: SessionRow, rows: readonly unknown[], now: number): ReadConversation {
  const skips: Skip[] = []
  const model = typeof session.model === 'string' ? session.model : ''
  const said = rows.flatMap(row => {
    const message = MessageRow.safeParse(row).data
    if (message?.role === 'tool') skips.push(skipOf('message', WORKINGS))
    if (message?.role !== 'user' && message?.role !== 'assistant') return []
    const { text, files } = textOf(message.content)
    if (files > 0) skips.push(skipOf('attachment', FILES, files))
    const role: 'user' | 'assistant' = message.role
    return [{ role, text, at: timeOf(message.timestamp), model }]
  })
  const parent = session.parent_session_id
  return toSourceChat(
    {
      key: `hermes:${session.id}`,
      parentKey: parent === null ? null : `hermes:${parent}`,
      title: session.title,
      createdAt: timeOf(session.started_at),
      updatedAt: timeOf(session.ended_at),
      said,
      skips,
    },
    now,
  )
}

/** Prefix of a multi-part content, stored as JSON after a NUL. */
const PARTS = '\0json:'
const TextPart = z.looseObject({ type: z.literal('text'), text: z.string() })

function textOf(content: string): { text: string; files: number } {
  const parts = content.startsWith(PARTS) ? parseJson(content.slice(PARTS.length)) : undefined
  if (!Array.isArray(parts)) return { text: content.trim(), files: 0 }
  const texts = parts.flatMap(part => TextPart.safeParse(part).data?.text ?? [])
  return { text: texts.join('\n').trim(), files: parts.length - texts.length }
}
