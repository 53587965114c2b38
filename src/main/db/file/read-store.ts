import Database from 'better-sqlite3'
import { prepareConnection } from '../connection.ts'
import { guardMethods } from './damage.ts'
import { asFault } from './database-faults.ts'
import { createRecallIndex, type RecallStore } from '../search/recall-tables.ts'
import { createSessions, type SessionStore } from '../chats/session-tables.ts'
import { createChatTurns, type ChatTurns } from '../search/turns-of-chat.ts'
import type { Message } from '../../../shared/contract/chats/messages.ts'
import { MESSAGE_COLUMNS, messageOf, type MessageRow } from '../chats/message-rows.ts'
import { previewOf } from '../chats/message-tables.ts'

/** The tables that a search reads, in the database of a running Talaria. */
export type ReadStore = {
  recall: Omit<RecallStore, 'refresh'>
  sessions: Pick<SessionStore, 'get' | 'list'>
  turns: Pick<ChatTurns, 'texts'>
  /** Run several reads as of one moment. Between calls nothing stays open that would block a checkpoint. */
  atOneMoment<T>(read: () => T): T
  close(): void
}

/**
 * Open a database that this process already has open, for reading in a separate thread; it sees every commit.
 * `beforeEach` is called before each SQLite query, which cannot be interrupted.
 */
export function openReadStore(
  path: string,
  { beforeEach, report }: { beforeEach(): void; report(error: unknown): void },
): ReadStore {
  const db = openReading(path)
  try {
    const connection = prepareConnection(db)
    const transaction = db.transaction((read: () => unknown) => read())
    const guard = <T extends object>(methods: T): T =>
      guardMethods(calling(beforeEach, methods), path, report)
    return {
      recall: guard(createRecallIndex(connection)),
      sessions: guard(createSessions(connection, Date.now)),
      turns: guard(createChatTurns(connection)),
      atOneMoment: <T>(read: () => T) => transaction(read) as T,
      close: () => void db.close(),
    }
  } catch (error) {
    db.close()
    throw asFault(error, path)
  }
}

function openReading(path: string): Database.Database {
  try {
    return new Database(path, { readonly: true, fileMustExist: true, timeout: 2_000 })
  } catch (error) {
    throw asFault(error, path)
  }
}

/** Wrap methods so that each calls `first` before anything else. */
function calling<T extends object>(first: () => void, methods: T): T {
  const entries = Object.entries(methods).map(([name, method]: [string, (...args: unknown[]) => unknown]) => [
    name,
    (...args: unknown[]) => {
      first()
      return method(...args)
    },
  ])
  return Object.fromEntries(entries) as T
}

/** A chat without its messages. Times are epoch milliseconds. */
export type ChatHead = {
  id: string
  title: string
  createdAt: number
  updatedAt: number
  model: string
  folder: string
  /** The name of its project; empty if none. */
  project: string
  /** The user's instructions for this chat alone; empty if none. */
  instructions: string
  /** How many messages are on the path, and on all branches. */
  messages: number
  allMessages: number
}

/** A message in its chat's tree. `branch`, if it starts one: its number from 2 on, and its parent. */
export type ReadMessage = {
  message: Message
  parentId: number | null
  isOnPath: boolean
  branch?: { number: number; after: string }
}

/** The chats of a database as of one moment. */
export type ChatReader = {
  /** Return all chats, oldest first, without deleted and temporary ones; or one by id, even if temporary. */
  chats(id?: string): ChatHead[]
  /** Return the messages on a chat's path in order, one at a time. */
  messages(id: string): IterableIterator<ReadMessage>
  /** Return all messages of a chat: its path, then each branch from where it leaves an earlier one. */
  branches(id: string): IterableIterator<ReadMessage>
  [Symbol.dispose](): void
}

/** Read the database of a running Talaria without changing it. Meant for a separate thread. */
export function readChats(path: string): ChatReader {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: 5_000 })
  try {
    // All reads see this moment.
    db.exec('begin')
    db.prepare('select 1 from sqlite_schema').get()
    const heads = db.prepare<[object], ChatHead>(`
      select s.id, s.title, s.created_at as createdAt, s.updated_at as updatedAt, s.model, s.workspace as folder,
        coalesce((select p.name from projects p where p.id = s.project_id and p.deleted_at is null), '') as project,
        coalesce(s.options ->> '$.instructions', '') as instructions,
        (select count(*) from messages m where m.session_id = s.id and m.active = 1) as messages,
        (select count(*) from messages m where m.session_id = s.id) as allMessages
      from sessions s where s.deleted_at is null and iif(@id is null, s.temporary = 0, s.id = @id) order by s.created_at, s.id`)
    type Row = MessageRow & { parentId: number | null; active: number }
    const rows = db.prepare<[string], Row>(`
      select ${MESSAGE_COLUMNS}, m.parent_id as parentId, m.active from messages m
      where m.session_id = ? and m.active = 1 order by m.id`)
    const row = db.prepare<[number], Row>(
      `select ${MESSAGE_COLUMNS}, m.parent_id as parentId, m.active from messages m where m.id = ?`,
    )
    const tree = db.prepare<[string], { id: number; parentId: number | null; active: number }>(
      'select id, parent_id as parentId, active from messages where session_id = ? order by id',
    )
    const readRow = (found: Row): ReadMessage => ({
      message: messageOf(found),
      parentId: found.parentId,
      isOnPath: found.active === 1,
    })
    return {
      chats: (id?: string) => heads.all({ id: id ?? null }),
      *messages(id) {
        for (const found of rows.iterate(id)) yield readRow(found)
      },
      *branches(id) {
        let number = 1
        for (const chain of chainsOf(tree.all(id))) {
          for (const [at, messageId] of chain.entries()) {
            const read = readRow(row.get(messageId)!)
            if (at > 0 || read.isOnPath) yield read
            else {
              const parent = read.parentId === null ? undefined : row.get(read.parentId)
              yield { ...read, branch: { number: ++number, after: previewOf(parent?.content ?? '') } }
            }
          }
        }
      },
      [Symbol.dispose]: () => void db.close(),
    }
  } catch (error) {
    db.close()
    throw asFault(error, path)
  }
}

/** Split the tree into chains of ids: the path first, then each branch along its newest continuation. */
function chainsOf(nodes: readonly { id: number; parentId: number | null; active: number }[]): number[][] {
  const newest = new Map<number | null, number>()
  for (const { id, parentId, active } of nodes) if (active === 0) newest.set(parentId, id)
  const chains = [nodes.filter(({ active }) => active === 1).map(({ id }) => id)]
  const isTold = new Set(chains[0])
  for (const { id } of nodes) {
    if (isTold.has(id)) continue
    const chain: number[] = []
    for (let next: number | undefined = id; next !== undefined; next = newest.get(next)) {
      chain.push(next)
      isTold.add(next)
    }
    chains.push(chain)
  }
  return chains
}
