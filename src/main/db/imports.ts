import type { MessageStore } from './messages.ts'
import type { NewSession } from './sessions.ts'
import type { NewMessage } from '../../shared/contract/messages.ts'
import type { Clock } from '../lib/timing.ts'
import { newId } from '../lib/ids.ts'
import type { Connection } from './connection.ts'

/** A chat of another program; `key` identifies it across programs. Times are epoch milliseconds. */
export type ImportedChat = Omit<NewSession, 'source'> & {
  key: string
  /** The chat that it continues, if that one exists here. */
  parentKey: string | null
  /** Empty when the first message serves as the title. */
  title: string
  createdAt: number
  updatedAt: number
  messages: readonly ImportedMessage[]
}

export type ImportedMessage = { role: 'user' | 'assistant'; text: string; at: number; model: string }

/** Chats of other programs. */
export type ImportStore = {
  /** Which of these chats were imported before, including ones deleted since. */
  known(keys: readonly string[]): Set<string>
  /** Store each chat completely or not at all, skipping known ones. Returns the ids of the new ones. */
  add(chats: readonly ImportedChat[]): string[]
}

/** Take over chats of other programs, by the same way that every message goes, with the times that they had there. */
export function createImports(
  { db, durably }: Connection,
  messages: Pick<MessageStore, 'append'>,
  clock: Clock,
): ImportStore {
  const known = db.prepare<[string], { key: string }>(
    'select s.import_key as key from json_each(?) k join sessions s on s.import_key = k.value',
  )
  const insert = db.prepare(`
    insert into sessions (id, source, import_key, parent_session_id, title, title_given, model, workspace, approval,
      created_at, updated_at)
    values (@id, 'import', @key, (select id from sessions where import_key = @parentKey), @title, @title <> '', @modelId,
      @workspace, @approval, @createdAt, @createdAt)`)
  const settle = db.prepare('update sessions set updated_at = @updatedAt where id = @id')
  const knownOf = (keys: readonly string[]) => new Set(known.all(JSON.stringify(keys)).map(({ key }) => key))

  function addOne({ messages: said, ...chat }: ImportedChat): string {
    const id = newId('chat', clock)
    insert.run({ ...chat, title: chat.title.toWellFormed(), id })
    for (const message of said) messages.append(asNew(id, message))
    settle.run({ id, updatedAt: chat.updatedAt })
    return id
  }

  return {
    known: knownOf,
    add: chats =>
      durably(() => {
        const here = knownOf(chats.map(({ key }) => key))
        return chats.flatMap(chat => {
          if (here.has(chat.key)) return []
          here.add(chat.key)
          return [addOne(chat)]
        })
      }),
  }
}

function asNew(sessionId: string, { role, text, at, model }: ImportedMessage): NewMessage {
  const common = { sessionId, at, text }
  if (role === 'user') return { ...common, role }
  return { ...common, role, reasoning: '', calls: [], interrupted: false, model }
}
