import type { MessageStore } from './message-tables.ts'
import type { NewSession } from './session-tables.ts'
import type { NewMessage } from '../../../shared/contract/chats/messages.ts'
import type { Clock } from '../../lib/timing.ts'
import { newId } from '../../lib/ids.ts'
import type { Connection } from '../connection.ts'

/** A chat of another program; `key` identifies it across programs. Times are epoch milliseconds. */
type ImportedChat = Omit<NewSession, 'origin'> & {
  key: string
  /** The chat that this one continues, if it exists here. */
  parentKey: string | null
  /** Empty if the first message serves as the title. */
  title: string
  createdAt: number
  updatedAt: number
  messages: readonly ImportedMessage[]
}

/**
 * A message of an imported chat. `after`: the position of the message that it follows, if that is not the
 * previous one, which starts a branch; null if it follows none.
 */
export type ImportedMessage = {
  role: 'user' | 'assistant'
  text: string
  at: number
  model: string
  after?: number | null
}

/** Chats of other programs. */
export type ImportStore = {
  /** Return which of these chats were imported before, including ones deleted since. */
  known(keys: readonly string[]): Set<string>
  /** Store each chat completely or not at all, skipping known ones. Returns the ids of the new ones. */
  add(chats: readonly ImportedChat[]): string[]
  /** Start a chat that is too long for one write; hidden until `finish`. Undefined if it is known. */
  begin(chat: ImportedChat): string | undefined
  /** Add messages to a chat whose import was started. */
  extend(id: string, messages: readonly ImportedMessage[]): void
  /** Show a chat whose import is complete. */
  finish(id: string, chat: Pick<ImportedChat, 'key' | 'updatedAt'>): void
  /** Remove a bounded part of the unfinished imports. Returns whether there may be more to remove. */
  clean(): boolean
}

/** The origin of an unfinished import. It counts as deleted, which hides it; this marks the difference. */
export const UNFINISHED = 'importing'
/** How many messages or passages to remove at a time. Unindexing a long one can take some ms. */
const REMOVED = 4

/** Import chats of other programs: messages are appended the usual way, with their original times. */
export function createImports(
  { db, atomically, durably }: Connection,
  messages: Pick<MessageStore, 'append'>,
  paths: { endAt(sessionId: string, messageId: number | null): boolean },
  clock: Clock,
): ImportStore {
  const known = db.prepare<[string], { key: string }>(
    'select s.import_key as key from json_each(?) k join sessions s on s.import_key = k.value',
  )
  const insert = db.prepare(`
    insert into sessions (id, origin, import_key, parent_session_id, title, title_given, model, workspace, options,
      created_at, updated_at, deleted_at)
    values (@id, @origin, @ownKey, (select id from sessions where import_key = @parentKey), @title, @title <> '', @modelId,
      @workspace, json_object('approval', @approval), @createdAt, @createdAt, @hiddenAt)`)
  const settle = db.prepare('update sessions set updated_at = @updatedAt where id = @id')
  const finish = db.prepare(`
    update sessions set origin = 'import', import_key = @key, updated_at = @updatedAt, deleted_at = null where id = @id`)
  const unfinished = db.prepare<[], { id: string }>(
    `select id from sessions where origin = '${UNFINISHED}' and deleted_at is not null limit 1`,
  )
  // Passages first, because each deleted message looks up the passages that contain it.
  const removals = ['passages', 'messages'].map(table =>
    db.prepare<[string]>(
      `delete from ${table} where id in (select id from ${table} where session_id = ? limit ${REMOVED})`,
    ),
  )
  const idAt = db.prepare<[string, number], { id: number }>(
    'select id from messages where session_id = ? order by id limit 1 offset ?',
  )
  const remove = db.prepare<[string]>('delete from sessions where id = ?')
  const knownOf = (keys: readonly string[]) => new Set(known.all(JSON.stringify(keys)).map(({ key }) => key))

  function open({ messages: said, ...chat }: ImportedChat, as: 'import' | typeof UNFINISHED): string {
    const id = newId('chat', clock)
    const state = as === 'import' ? { ownKey: chat.key, hiddenAt: null } : { ownKey: null, hiddenAt: clock() }
    insert.run({ ...chat, ...state, origin: as, title: chat.title.toWellFormed(), id })
    extend(id, said)
    return id
  }

  function extend(id: string, said: readonly ImportedMessage[]): void {
    for (const message of said) {
      const { after } = message
      // Messages are appended to the end of the path, so moving the end first leaves the rest as a branch.
      if (after !== undefined) paths.endAt(id, after === null ? null : (idAt.get(id, after)?.id ?? null))
      messages.append(asNew(id, message))
    }
  }

  return {
    known: knownOf,
    add: chats =>
      durably(() => {
        const here = knownOf(chats.map(({ key }) => key))
        return chats.flatMap(chat => {
          if (here.has(chat.key)) return []
          here.add(chat.key)
          const id = open(chat, 'import')
          settle.run({ id, updatedAt: chat.updatedAt })
          return [id]
        })
      }),
    begin: chat => (knownOf([chat.key]).size > 0 ? undefined : atomically(() => open(chat, UNFINISHED))),
    // A power cut may lose parts of a hidden chat; `finish` makes all of it durable.
    extend: (id, said) => atomically(() => extend(id, said)),
    finish: (id, { key, updatedAt }) => void durably(() => finish.run({ id, key, updatedAt })),
    clean() {
      const chat = unfinished.get()
      if (!chat) return false
      atomically(() => {
        const isEmpty = removals.every(each => each.run(chat.id).changes === 0)
        if (isEmpty) remove.run(chat.id)
      })
      return true
    },
  }
}

function asNew(sessionId: string, { role, text, at, model }: ImportedMessage): NewMessage {
  const common = { sessionId, at, text }
  if (role === 'user') return { ...common, role }
  return { ...common, role, reasoning: '', calls: [], interrupted: false, model }
}
