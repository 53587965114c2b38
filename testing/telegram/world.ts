import type { Chat, Message, Update, User, UserFromGetMe } from '@grammyjs/types'
import type { Clock } from './hand-clock.ts'
import { makeUpdateQueue } from './update-queue.ts'

/** A message with fields that only the server knows. */
export type Kept = {
  message: Message
  deleted: boolean
  /** Sent without a sound. */
  silent: boolean
}

/** A chat of the server. A group that became a supergroup names its new id. */
export type Room = {
  chat: Chat
  members: Set<number>
  migratedTo?: number
  messages: Map<number, Kept>
  /** The actions that the bot has shown, such as `typing`, in order. */
  actions: string[]
  /** Drafts that are shown while an answer is written, by their ids. */
  drafts: Map<number, string>
}

/** A pressed button that waits for the bot's answer. */
type Press = { at: number; answer: (said: PressAnswer) => void }

/** The bot's answer to a pressed button. */
export type PressAnswer = { text?: string; alert: boolean }

/** A file that is on the server. */
export type ServedFile = { id: string; path: string; bytes: Uint8Array<ArrayBuffer>; name: string }

/** Why the server does not do what a bot asks. */
export class Refused extends Error {
  readonly code: number
  readonly parameters: { retry_after?: number; migrate_to_chat_id?: number }
  constructor(code: number, description: string, parameters = {}) {
    super(description)
    this.code = code
    this.parameters = parameters
  }
}

/** A message as embedded in its reply. It contains no further replied-to message. */
export function asAnswered(message: Message): NonNullable<Message['reply_to_message']> {
  const { reply_to_message: _third, ...alone } = message
  // The types ask for a property that may have no value at all under `exactOptionalPropertyTypes`.
  return alone as NonNullable<Message['reply_to_message']>
}

/** How long a pressed button may be answered. */
export const PRESS_MS = 60_000

/**
 * Everything that the server knows: people, chats, messages, files, and the updates that a bot has not
 * fetched.
 */
export type World = ReturnType<typeof makeWorld>

/** A server without chats. */
export function makeWorld(clock: Clock, bot: { id: number; username: string; readsGroups: boolean }) {
  const me = {
    id: bot.id,
    is_bot: true,
    first_name: 'Talaria',
    username: bot.username,
    can_join_groups: true,
    can_read_all_group_messages: bot.readsGroups,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
    has_topics_enabled: false,
    allows_users_to_create_topics: false,
    can_manage_bots: false,
    supports_join_request_queries: false,
  } satisfies UserFromGetMe
  const queue = makeUpdateQueue(clock)
  const users = new Map<number, User>()
  const blockers = new Set<number>()
  const rooms = new Map<number, Room>()
  const files = new Map<string, ServedFile>()
  const presses = new Map<string, Press>()
  let lastId = 100
  const nextId = () => ++lastId
  const seconds = () => Math.floor(clock.now() / 1_000)

  function openRoom(chat: Chat): Room {
    const room = { chat, members: new Set([bot.id]), messages: new Map(), actions: [], drafts: new Map() }
    rooms.set(chat.id, room)
    return room
  }

  const world = {
    clock,
    me,
    queue,
    users,
    blockers,
    rooms,
    files,
    presses,
    /** The commands that the bot offers, without their slash. */
    commands: new Map<string, string>(),
    nextId,
    seconds,
    openRoom,
    /** The chat that a bot names. Throws if it may not write there. */
    roomForBot(id: number | string): Room {
      const room = typeof id === 'number' ? rooms.get(id) : undefined
      if (!room) throw new Refused(400, 'Bad Request: chat not found')
      if (room.migratedTo !== undefined)
        throw new Refused(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
          migrate_to_chat_id: room.migratedTo,
        })
      if (blockers.has(room.chat.id)) throw new Refused(403, 'Forbidden: bot was blocked by the user')
      if (!room.members.has(bot.id))
        throw new Refused(403, `Forbidden: bot was kicked from the ${room.chat.type} chat`)
      return room
    },
    /** A message that a bot names in a chat. */
    keptIn(room: Room, id: number, verb: string): Kept {
      const kept = room.messages.get(id)
      if (!kept || kept.deleted) throw new Refused(400, `Bad Request: message to ${verb} not found`)
      return kept
    },
    /** Keep a file. */
    addFile(bytes: Uint8Array<ArrayBuffer>, name: string, folder: string): ServedFile {
      const id = `file-${nextId()}`
      const file = { id, path: `${folder}/${id}-${name}`, bytes, name }
      files.set(id, file)
      return file
    },
    /** Tell the bot of what happened. */
    tell(update: Omit<Update, 'update_id'>): void {
      queue.push(update)
    },
    /** Keep a message in a chat. */
    keep<M extends Message>(room: Room, message: M, silent = false): M {
      room.messages.set(message.message_id, { message, deleted: false, silent })
      return message
    },
  }
  return world
}
