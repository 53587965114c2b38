import type {
  CallbackQuery,
  Chat,
  Message,
  MessageEntity,
  MessageOrigin,
  Update,
  User,
} from '@grammyjs/types'
import { foundEntities } from './check-text.ts'
import { asAnswered, type PressAnswer, type Room, type World } from './world.ts'

/** How a message is written; without `in`, in the private chat with the bot. */
type Writing = {
  in?: number
  topic?: number
  replyTo?: number
  /** The part of the answered message that is quoted. */
  quote?: string
  /** Forwarded from somebody, or from a channel. */
  from?: User | Chat.ChannelChat
  /** Written through another bot. */
  viaBot?: string
  entities?: MessageEntity[]
  /** Pictures and files with the same name here are one album. */
  album?: string
}

/** A file that somebody sends. */
type Sending = Writing & { caption?: string; name?: string; mime?: string; seconds?: number }

/** A message as its reader sees it: with edits applied, and without what was deleted. */
export type Seen = {
  id: number
  from: string
  text: string
  entities: MessageEntity[]
  /** The labels of the buttons below the message, row by row. */
  buttons: string[][]
  edited: boolean
  silent: boolean
  /** The kind and the name of its file. */
  file?: string
}

/** The phones of people: the other side of the stand-in. */
export type Phone = ReturnType<typeof makePhone>

/** The phones of all people, on the state of the server. */
export function makePhone(world: World) {
  const { me, rooms, users, seconds, nextId } = world

  function userOf(id: number): User {
    const known = users.get(id) ?? { id, is_bot: false, first_name: `User ${id}`, language_code: 'en' }
    users.set(id, known)
    return known
  }

  function roomOf(user: number, id?: number): Room {
    const person = userOf(user)
    const room = rooms.get(id ?? user)
    if (room) return room
    if (id !== undefined && id !== user) throw new Error(`There is no chat ${id}.`)
    return world.openRoom({ id: user, type: 'private', first_name: person.first_name })
  }

  const originOf = (from: User | Chat.ChannelChat): MessageOrigin =>
    'type' in from
      ? { type: 'channel', date: seconds() - 60, chat: from, message_id: 1 }
      : { type: 'user', date: seconds() - 60, sender_user: from }

  /** The fields of all messages of people. */
  function baseOf(
    sender: Pick<Message, 'from' | 'sender_chat' | 'author_signature'>,
    room: Room,
    how: Writing,
  ) {
    const answered = how.replyTo === undefined ? undefined : room.messages.get(how.replyTo)?.message
    return {
      message_id: nextId(),
      date: seconds(),
      chat: room.chat,
      ...sender,
      ...(how.topic !== undefined && { message_thread_id: how.topic, is_topic_message: true }),
      ...(answered && { reply_to_message: asAnswered(answered) }),
      ...(how.quote !== undefined && { quote: { text: how.quote, position: 0, is_manual: true as const } }),
      ...(how.from && { forward_origin: originOf(how.from) }),
      ...(how.viaBot !== undefined && {
        via_bot: { id: 42, is_bot: true, first_name: how.viaBot, username: how.viaBot },
      }),
      ...(how.album !== undefined && { media_group_id: how.album }),
    }
  }

  /** Whether the bot receives a message: in groups, without more rights, only messages addressed to it. */
  function isForBot(room: Room, message: Message): boolean {
    if (!room.members.has(me.id)) return false
    if (room.chat.type === 'private' || room.chat.type === 'channel') return true
    // Events of the group itself are always reported.
    if (message.migrate_to_chat_id !== undefined || message.migrate_from_chat_id !== undefined) return true
    if (me.can_read_all_group_messages) return true
    const words = message.text ?? message.caption ?? ''
    const command = /^\/\w+(?:@(\w+))?/.exec(words)
    if (command) return command[1] === undefined || command[1] === me.username
    return words.includes(`@${me.username}`) || message.reply_to_message?.from?.id === me.id
  }

  function deliver(room: Room, message: Message): Message {
    world.keep(room, message)
    if (isForBot(room, message))
      world.tell(
        room.chat.type === 'channel' ? { channel_post: asPost(message) } : { message: asSent(message) },
      )
    return message
  }

  /** Tell the bot that somebody added or removed it. */
  function tellOfBot(room: Room, by: number, from: keyof typeof MEMBERSHIPS, to: keyof typeof MEMBERSHIPS) {
    world.tell({
      my_chat_member: {
        chat: room.chat,
        from: userOf(by),
        date: seconds(),
        old_chat_member: MEMBERSHIPS[from](me),
        new_chat_member: MEMBERSHIPS[to](me),
      },
    })
  }

  const textOf = (text: string, how: Writing) => {
    const entities = how.entities ?? foundEntities(text)
    return { text, ...(entities.length > 0 && { entities }) }
  }
  const captionOf = ({ caption }: Sending) => (caption === undefined ? {} : { caption })
  const idsOf = (bytes: Uint8Array<ArrayBuffer>, name: string, folder: string) => {
    const { id } = world.addFile(bytes, name, folder)
    return { file_id: id, file_unique_id: `unique-${id}`, file_size: bytes.length }
  }

  return {
    /** Set the name of a person. */
    name: (id: number, about: Partial<User>) => users.set(id, { ...userOf(id), ...about }),
    /**
     * Open a group with these members and the bot, which the first member adds; with topics it is a
     * supergroup.
     */
    group(id: number, title: string, members: readonly number[], withTopics = false): Room {
      const room = world.openRoom(
        withTopics ? { id, title, type: 'supergroup', is_forum: true } : { id, title, type: 'group' },
      )
      for (const member of members) room.members.add(userOf(member).id)
      tellOfBot(room, members[0] ?? 0, 'left', 'member')
      return room
    },
    /** Turn a group into a supergroup, which changes its id. Both chats report this. */
    migrate(from: number, to: number): void {
      const old = rooms.get(from)
      if (!old) throw new Error(`There is no chat ${from}.`)
      const room = world.openRoom({ id: to, title: old.chat.title ?? '', type: 'supergroup' })
      for (const member of old.members) room.members.add(member)
      deliver(old, { message_id: nextId(), date: seconds(), chat: old.chat, migrate_to_chat_id: to })
      old.migratedTo = to
      deliver(room, { message_id: nextId(), date: seconds(), chat: room.chat, migrate_from_chat_id: from })
    },
    /** Write a message. */
    write(user: number, text: string, how: Writing = {}): Message {
      const room = roomOf(user, how.in)
      return deliver(room, { ...baseOf({ from: userOf(user) }, room, how), ...textOf(text, how) })
    },
    /** Write in a group as an anonymous administrator. */
    writeAsAdmin(group: number, text: string): Message {
      const room = roomOf(0, group)
      // Old programs are shown this account instead of the group itself.
      const from: User = {
        id: 1_087_968_824,
        is_bot: true,
        first_name: 'Group',
        username: 'GroupAnonymousBot',
      }
      return deliver(room, { ...baseOf({ from, sender_chat: room.chat }, room, {}), ...textOf(text, {}) })
    },
    /** Write in a channel. */
    post(channel: number, text: string): Message {
      const room =
        rooms.get(channel) ?? world.openRoom({ id: channel, type: 'channel', title: `Channel ${channel}` })
      return deliver(room, { ...baseOf({ sender_chat: room.chat }, room, {}), ...textOf(text, {}) })
    },
    /** Change a message that somebody wrote. */
    edit(user: number, id: number, text: string, chat?: number): Message {
      const room = roomOf(user, chat)
      const kept = room.messages.get(id)
      if (!kept) throw new Error(`There is no message ${id}.`)
      const { entities: _entities, ...old } = kept.message
      kept.message = { ...old, ...textOf(text, {}), edit_date: seconds() }
      if (isForBot(room, kept.message))
        world.tell({ edited_message: { ...asSent(kept.message), edit_date: seconds() } })
      return kept.message
    },
    /** Delete a message; the bot is not told. */
    remove(user: number, id: number, chat?: number): void {
      const kept = roomOf(user, chat).messages.get(id)
      if (kept) kept.deleted = true
    },
    /** Send a picture, in two sizes like all pictures. */
    sendPhoto(user: number, bytes: Uint8Array<ArrayBuffer>, how: Sending = {}): Message {
      const room = roomOf(user, how.in)
      const photo = [90, 1280].map(side => ({
        ...idsOf(bytes, `${side}.jpg`, 'photos'),
        width: side,
        height: side,
      }))
      return deliver(room, { ...baseOf({ from: userOf(user) }, room, how), ...captionOf(how), photo })
    },
    /** Send a file. */
    sendDocument(user: number, bytes: Uint8Array<ArrayBuffer>, how: Sending = {}): Message {
      const room = roomOf(user, how.in)
      const name = how.name ?? 'notes.txt'
      const document = {
        ...idsOf(bytes, name, 'documents'),
        file_name: name,
        mime_type: how.mime ?? 'text/plain',
      }
      return deliver(room, { ...baseOf({ from: userOf(user) }, room, how), ...captionOf(how), document })
    },
    /** Send a voice note. */
    sendVoice(user: number, bytes: Uint8Array<ArrayBuffer>, how: Sending = {}): Message {
      const room = roomOf(user, how.in)
      const voice = {
        ...idsOf(bytes, 'note.oga', 'voice'),
        duration: how.seconds ?? 12,
        mime_type: 'audio/ogg',
      }
      return deliver(room, { ...baseOf({ from: userOf(user) }, room, how), ...captionOf(how), voice })
    },
    /**
     * Press a button by its label. Resolves to the bot's answer, or to nothing if it does not answer in time.
     */
    press(
      user: number,
      id: number,
      label: string,
      chat?: number,
    ): { id: string; answer: Promise<PressAnswer> } {
      const room = roomOf(user, chat)
      const message = room.messages.get(id)?.message
      const button = message?.reply_markup?.inline_keyboard.flat().find(({ text }) => text === label)
      if (!message || !button || !('callback_data' in button))
        throw new Error(`Message ${id} has no button “${label}”.`)
      const query: CallbackQuery = {
        id: `press-${nextId()}`,
        from: userOf(user),
        message: { ...message },
        chat_instance: `instance-${room.chat.id}`,
        data: button.callback_data,
      }
      const { promise: answer, resolve } = Promise.withResolvers<PressAnswer>()
      world.presses.set(query.id, { at: world.clock.now(), answer: resolve })
      world.tell({ callback_query: query })
      return { id: query.id, answer }
    },
    /** Block the bot, or let it write again. */
    block(user: number, blocks = true): void {
      const room = roomOf(user)
      if (blocks) world.blockers.add(user)
      else world.blockers.delete(user)
      tellOfBot(room, user, blocks ? 'member' : 'kicked', blocks ? 'kicked' : 'member')
    },
    /** Remove the bot from a group. */
    expel(user: number, group: number): void {
      const room = roomOf(user, group)
      room.members.delete(me.id)
      tellOfBot(room, user, 'member', 'kicked')
    },
    /** A chat as its reader sees it; the private chat with the bot unless another is named. */
    reads(user: number, chat?: number): Seen[] {
      return [...roomOf(user, chat).messages.values()].filter(({ deleted }) => !deleted).map(seenOf)
    },
    /** The slash commands that the bot offers, with their descriptions. */
    commands: () => Object.fromEntries(world.commands),
    /** The actions that the bot has shown in a chat, such as `typing`, in order. */
    actions: (user: number, chat?: number) => [...roomOf(user, chat).actions],
  }
}

const MEMBERSHIPS = {
  left: (user: User) => ({ status: 'left' as const, user }),
  member: (user: User) => ({ status: 'member' as const, user }),
  kicked: (user: User) => ({ status: 'kicked' as const, user, until_date: 0 }),
}

// The server always names the sender of a message that is not a channel post, as the types require.
const asSent = (message: Message): NonNullable<Update['message']> => {
  const { chat, from } = message
  if (chat.type === 'channel') throw new Error('A post of a channel is no message.')
  return { ...message, chat, from: from ?? { id: 777_000, is_bot: false, first_name: 'Telegram' } }
}
const asPost = (message: Message): NonNullable<Update['channel_post']> => {
  const { chat } = message
  if (chat.type !== 'channel') throw new Error('Only channels have posts.')
  return { ...message, chat }
}

const seenOf = ({ message, silent }: { message: Message; silent: boolean }): Seen => {
  const { document, photo, voice } = message
  const file = document ? `file ${document.file_name}` : photo ? 'picture' : voice ? 'voice note' : undefined
  return {
    id: message.message_id,
    from: message.from?.first_name ?? message.sender_chat?.title ?? '',
    text: message.text ?? message.caption ?? '',
    entities: message.entities ?? message.caption_entities ?? [],
    buttons: (message.reply_markup?.inline_keyboard ?? []).map(row => row.map(({ text }) => text)),
    edited: message.edit_date !== undefined,
    silent,
    ...(file !== undefined && { file }),
  }
}
