import type {
  CallbackQuery,
  Chat,
  ChatMemberUpdated,
  Message,
  MessageEntity,
  MessageOrigin,
  Update,
  User,
} from '@grammyjs/types'
import type { Incoming, IncomingChange, IncomingMessage, IncomingPress, Place, Sender } from '../platform.ts'
import { nameOthers, readFiles } from './read-files.ts'

/** The agent's own account, used to recognise messages for it. */
export type OwnBot = { id: number; username: string }

/**
 * Convert an update to an event; undefined if it concerns no contact. Anything not certainly typed by its
 * sender counts as other people's text, or as no request.
 */
export function readArrived(update: Update, bot: OwnBot): Incoming | undefined {
  const { message, edited_message: edited, callback_query: press, my_chat_member: membership } = update
  // Update numbers may restart after a quiet week, so a key also contains an id of its content.
  const keyed = <S extends IncomingMessage | IncomingPress | IncomingChange>(of: string | number, said?: S) =>
    said && { key: `${update.update_id}:${of}`, ...said }
  const written = message ?? edited
  if (written)
    return keyed(
      `${written.chat.id}:${written.message_id}`,
      readMigration(written) ?? readMessage(written, bot, edited !== undefined),
    )
  if (press) return keyed(press.id, readPress(press))
  return membership && keyed(membership.chat.id, readMembership(membership))
}

/** Read the move of a group to another id, when it becomes a supergroup. Both chats report it. */
function readMigration({ chat, migrate_to_chat_id: to, migrate_from_chat_id: from }: Message) {
  if (to !== undefined) return { kind: 'moved' as const, from: String(chat.id), to: String(to) }
  if (from !== undefined) return { kind: 'moved' as const, from: String(from), to: String(chat.id) }
  return undefined
}

function readMessage(message: Message, bot: OwnBot, isEdit: boolean): IncomingMessage | undefined {
  const { chat, from, forward_origin: origin, media_group_id: albumId } = message
  if (!from || chat.type === 'channel') return undefined
  const files = readFiles(message)
  const typed = withLinks(message.text ?? message.caption ?? '', entitiesOf(message))
  const written = typed === '' && files.length === 0 ? (nameOthers(message) ?? '') : typed
  // Members who come and go, pinned messages and the like.
  if (written === '' && files.length === 0) return undefined
  const quoted = readQuote(message, bot)
  const noOrder = whyNoOrder(message, isEdit)
  return {
    kind: 'message',
    place: placeOf(chat, message),
    from: senderOf(from),
    messageId: String(message.message_id),
    at: message.date * 1_000,
    text: origin ? '' : withoutBot(written, bot),
    ...(origin && { forwarded: written === '' ? '' : `${nameOfOrigin(origin)}:\n${written}` }),
    ...(quoted && { quoted }),
    files,
    ...(albumId !== undefined && { albumId }),
    isAddressed: chat.type === 'private' || isFor(message, bot),
    ...(noOrder !== undefined && { noOrder }),
  }
}

/** Return why a message does not count as its sender's request. */
function whyNoOrder(
  { from, sender_chat: chat, via_bot: bot, is_automatic_forward: isPost }: Message,
  isEdit: boolean,
) {
  if (isEdit) return 'It is a change of an earlier message.'
  if (isPost || chat?.type === 'channel') return 'It was written in the name of a channel.'
  if (chat) return 'It was written in the name of the group, so its author is unknown.'
  if (bot) return `It was written through the bot @${bot.username ?? bot.first_name}.`
  return from?.is_bot ? 'It was written by a bot.' : undefined
}

/** Return the answered message, or the quoted part of it. */
function readQuote(message: Message, bot: OwnBot): IncomingMessage['quoted'] {
  const { quote, external_reply: elsewhere } = message
  const answered = answeredIn(message)
  const text = quote?.text ?? answered?.text ?? answered?.caption ?? ''
  if (text === '') return undefined
  if (elsewhere) return { text, of: nameOfOrigin(elsewhere.origin) }
  if (answered?.from?.id === bot.id) return { text, of: nameOf(answered.from), isOurs: true }
  return { text, of: answered?.sender_chat ? titleOf(answered.sender_chat) : nameOf(answered?.from) }
}

/** Return the message that is answered. In a topic, all others name the topic's first message. */
function answeredIn({ reply_to_message: answered, is_topic_message: isInTopic }: Message) {
  const isOpening =
    isInTopic && answered !== undefined && ('forum_topic_created' in answered || answered.message_id === 0)
  return isOpening ? undefined : answered
}

/** Return whether a group message addresses the bot: by its name, as an answer, or by a command. */
function isFor(message: Message, bot: OwnBot): boolean {
  // Forwarding a message that names the bot does not address it.
  if (message.forward_origin) return false
  if (answeredIn(message)?.from?.id === bot.id) return true
  const text = message.text ?? message.caption ?? ''
  return entitiesOf(message).some(entity => {
    const part = text.slice(entity.offset, entity.offset + entity.length).toLowerCase()
    const name = `@${bot.username.toLowerCase()}`
    if (entity.type === 'mention') return part === name
    if (entity.type === 'bot_command') return part.endsWith(name)
    return entity.type === 'text_mention' && entity.user.id === bot.id
  })
}

/** Remove the name of the addressed bot from a text: `/new@bot` becomes `/new`. */
function withoutBot(text: string, { username }: OwnBot): string {
  const own = `@${username.toLowerCase()}`
  const command = /^(\/\w{1,64})(@\w+)/.exec(text)
  if (command?.[2]?.toLowerCase() === own) return `${command[1]}${text.slice(command[0].length)}`
  const isNamed = text.toLowerCase().startsWith(own) && !/^\w/.test(text.slice(own.length))
  return isNamed ? text.slice(own.length).replace(/^[\s,:]+/, '') : text
}

/** Add the addresses of hidden links after their words. */
function withLinks(text: string, entities: readonly MessageEntity[]): string {
  let shown = text
  for (const entity of entities.toSorted((a, b) => b.offset - a.offset)) {
    const end = entity.offset + entity.length
    if (entity.type === 'text_link' && shown.slice(entity.offset, end) !== entity.url)
      shown = `${shown.slice(0, end)} (${entity.url})${shown.slice(end)}`
  }
  return shown
}

const entitiesOf = ({ entities, caption_entities: captioned }: Message): readonly MessageEntity[] =>
  entities ?? captioned ?? []

function readPress({ id, from, message, data }: CallbackQuery): IncomingPress | undefined {
  if (!message || data === undefined) return undefined
  // Old messages only have their chat and number.
  const place = placeOf(message.chat, message.date === 0 ? undefined : message)
  return {
    kind: 'press',
    place,
    from: senderOf(from),
    pressId: id,
    messageId: String(message.message_id),
    data,
  }
}

function readMembership({ chat, from, new_chat_member: now }: ChatMemberUpdated): IncomingChange | undefined {
  if (now.status !== 'kicked' && now.status !== 'left') return undefined
  const why =
    chat.type === 'private'
      ? `${nameOf(from)} blocked the bot on Telegram.`
      : `The bot was removed from “${titleOf(chat)}”.`
  return { kind: 'left', place: placeOf(chat), why }
}

/** Return the chat, and the topic in it, of a message. */
function placeOf(chat: Chat, message?: Message): Place {
  const chatId = String(chat.id)
  const kind = chat.type === 'supergroup' ? 'group' : chat.type
  const title = titleOf(chat)
  const { is_topic_message: isInTopic, message_thread_id: thread, reply_to_message: opening } = message ?? {}
  // In other chats the thread is only a chain of answers.
  if (!isInTopic || thread === undefined) return { key: chatId, kind, title, chatId }
  const name = opening?.forum_topic_created?.name ?? `Topic ${thread}`
  return { key: `${chatId}:${thread}`, kind, title, chatId, topic: { id: String(thread), title: name } }
}

const senderOf = (from: User): Sender => ({
  id: String(from.id),
  name: nameOf(from),
  ...(from.username !== undefined && { username: from.username }),
  isBot: from.is_bot,
})

const nameOf = (
  from: { first_name?: string | undefined; last_name?: string | undefined } | undefined,
): string => [from?.first_name, from?.last_name].filter(Boolean).join(' ') || 'Somebody'

const titleOf = (chat: Chat): string => chat.title ?? nameOf(chat)

function nameOfOrigin(origin: MessageOrigin): string {
  if (origin.type === 'user') return nameOf(origin.sender_user)
  if (origin.type === 'hidden_user') return origin.sender_user_name
  return titleOf(origin.type === 'chat' ? origin.sender_chat : origin.chat)
}
