import type { ApiMethods, InlineKeyboardMarkup, Message, MessageEntity } from '@grammyjs/types'
import { z } from 'zod'
import { checkText, isTaken } from './check-text.ts'
import type { Params, Uploaded } from './read-params.ts'
import { asAnswered, PRESS_MS, Refused, type Room, type World } from './world.ts'

/** Maximum size of a file that a bot sends, in bytes; bots can download less. */
const MOST_SENT_BYTES = 50_000_000
const MOST_FETCHED_BYTES = 20_000_000

const chatId = z.union([z.int(), z.string()])
const entity = z.custom<MessageEntity>(
  value => typeof value === 'object' && value !== null && 'type' in value,
)
const button = z.union([
  z.strictObject({ text: z.string().min(1), callback_data: z.string() }),
  z.strictObject({ text: z.string().min(1), url: z.string() }),
])
const markup = z.strictObject({ inline_keyboard: z.array(z.array(button)) })
const preview = z.strictObject({ is_disabled: z.boolean().optional() })
const reply = z.strictObject({
  message_id: z.int(),
  allow_sending_without_reply: z.boolean().optional(),
})
/** The parameters of every method that sends something. */
const sending = {
  chat_id: chatId,
  message_thread_id: z.int().optional(),
  disable_notification: z.boolean().optional(),
  protect_content: z.boolean().optional(),
  reply_parameters: reply.optional(),
  reply_markup: markup.optional(),
}
const captioned = { caption: z.string().optional(), caption_entities: z.array(entity).optional() }
const album = z.strictObject({
  type: z.enum(['photo', 'document']),
  media: z.string(),
  ...captioned,
})

type Sending = {
  chat_id: number | string
  message_thread_id?: number | undefined
  disable_notification?: boolean | undefined
  reply_parameters?: z.output<typeof reply> | undefined
  reply_markup?: z.output<typeof markup> | undefined
}
type Captioned = { caption?: string | undefined; caption_entities?: MessageEntity[] | undefined }

type Results = ApiMethods<Blob>
/** The methods, whose answers have the types that grammY declares. */
type Methods = {
  [M in keyof Results]?: { schema: z.ZodType; run: (args: never) => ReturnType<Results[M]> }
}

const define = <S extends z.ZodType, R>(schema: S, run: (args: z.output<S>) => R) => ({ schema, run })

/** The methods that a bot may call, over what the server knows; `files` are those of the call. */
export function botMethods(world: World, files: Params['files']) {
  const { me, seconds, nextId } = world

  /** The fields of all messages of the bot. */
  function baseOf(room: Room, args: Sending) {
    const { reply_parameters: reply } = args
    const answered = reply && room.messages.get(reply.message_id)
    if (reply && (!answered || answered.deleted) && !reply.allow_sending_without_reply)
      throw new Refused(400, 'Bad Request: message to be replied not found')
    if (args.message_thread_id !== undefined && room.chat.is_forum !== true)
      throw new Refused(400, 'Bad Request: message thread not found')
    return {
      message_id: nextId(),
      date: seconds(),
      chat: room.chat,
      from: me,
      ...(args.message_thread_id !== undefined && {
        message_thread_id: args.message_thread_id,
        is_topic_message: true,
      }),
      ...(answered && { reply_to_message: asAnswered(answered.message) }),
      ...(args.reply_markup && { reply_markup: checkedMarkup(args.reply_markup) }),
    }
  }

  function captionOf({ caption, caption_entities }: Captioned) {
    if (caption === undefined || caption === '') return {}
    const { text, entities } = checkedText(caption, caption_entities ?? [], 1_024)
    return { caption: text, ...(entities.length > 0 && { caption_entities: entities }) }
  }

  function fileOf(named: string, folder: string) {
    const known = world.files.get(named)
    if (known) return known
    const uploaded: Uploaded | undefined = files.get(named.replace(/^attach:\/\//, ''))
    if (!uploaded) throw new Refused(400, 'Bad Request: wrong file identifier/HTTP URL specified')
    if (uploaded.bytes.length === 0) throw new Refused(400, 'Bad Request: file must be non-empty')
    if (uploaded.bytes.length > MOST_SENT_BYTES) throw new Refused(413, 'Request Entity Too Large')
    return world.addFile(uploaded.bytes, uploaded.name, folder)
  }

  function sendFile(kind: 'document' | 'voice', named: string, args: Sending & Captioned) {
    const room = world.roomForBot(args.chat_id)
    const sent = { ...baseOf(room, args), ...captionOf(args) }
    const file = fileOf(named, kind === 'voice' ? 'voice' : 'documents')
    return { room, sent, file, about: { ...fileIds(file.id, file.bytes), file_name: file.name } }
  }

  const sendPhoto = (room: Room, named: string, args: Sending & Captioned, group?: string) => {
    const sent = { ...baseOf(room, args), ...captionOf(args), ...(group && { media_group_id: group }) }
    const file = fileOf(named, 'photos')
    const photo = [{ ...fileIds(file.id, file.bytes), width: 90, height: 90 }]
    return world.keep(room, { ...sent, photo } satisfies Message.PhotoMessage, args.disable_notification)
  }

  /** A message of the bot's own that an edit names. */
  function ownMessage(args: { chat_id: number | string; message_id: number }) {
    const kept = world.keptIn(world.roomForBot(args.chat_id), args.message_id, 'edit')
    if (kept.message.from?.id !== me.id) throw new Refused(400, "Bad Request: message can't be edited")
    return kept
  }

  return {
    getMe: define(z.strictObject({}), () => me),
    getChat: define(z.strictObject({ chat_id: chatId }), args => {
      const { chat } = world.roomForBot(args.chat_id)
      const accepted_gift_types = {
        unlimited_gifts: false,
        limited_gifts: false,
        unique_gifts: false,
        premium_subscription: false,
        gifts_from_channels: false,
      }
      return { ...chat, accent_color_id: 0, max_reaction_count: 11, accepted_gift_types }
    }),
    setMyCommands: define(
      z.strictObject({
        commands: z
          .array(
            z.strictObject({
              command: z.string().regex(/^[a-z0-9_]{1,32}$/),
              description: z.string().min(1).max(256),
            }),
          )
          .max(100),
      }),
      ({ commands }) => {
        world.commands.clear()
        for (const { command, description } of commands) world.commands.set(command, description)
        return true as const
      },
    ),
    sendMessage: define(
      z.strictObject({
        ...sending,
        text: z.string(),
        entities: z.array(entity).optional(),
        link_preview_options: preview.optional(),
      }),
      args => {
        const room = world.roomForBot(args.chat_id)
        const { text, entities } = checkedText(args.text, args.entities ?? [], 4_096)
        const message = { ...baseOf(room, args), text, ...(entities.length > 0 && { entities }) }
        room.drafts.clear()
        return world.keep(room, message satisfies Message.TextMessage, args.disable_notification)
      },
    ),
    sendMessageDraft: define(
      z.strictObject({
        chat_id: z.int(),
        draft_id: z.int(),
        text: z.string().optional(),
        entities: z.array(entity).optional(),
      }),
      args => {
        const room = world.roomForBot(args.chat_id)
        if (room.chat.type !== 'private') throw new Refused(400, 'Bad Request: TEXTDRAFT_PEER_INVALID')
        if (args.draft_id === 0) throw new Refused(400, 'Bad Request: draft_id must be non-zero')
        const text = args.text ?? ''
        room.drafts.set(args.draft_id, text && checkedText(text, args.entities ?? [], 4_096).text)
        return true as const
      },
    ),
    editMessageText: define(
      z.strictObject({
        chat_id: chatId,
        message_id: z.int(),
        text: z.string(),
        entities: z.array(entity).optional(),
        link_preview_options: preview.optional(),
        reply_markup: markup.optional(),
      }),
      args => {
        const kept = ownMessage(args)
        if (kept.message.text === undefined)
          throw new Refused(400, 'Bad Request: there is no text in the message to edit')
        const { text, entities } = checkedText(args.text, args.entities ?? [], 4_096)
        const { reply_markup: _markup, entities: _entities, ...old } = kept.message
        const edited = {
          ...old,
          text,
          edit_date: seconds(),
          ...(entities.length > 0 && { entities }),
          ...(args.reply_markup && { reply_markup: checkedMarkup(args.reply_markup) }),
        }
        refuseUnchanged(kept.message, edited)
        kept.message = edited
        return edited
      },
    ),
    editMessageReplyMarkup: define(
      z.strictObject({ chat_id: chatId, message_id: z.int(), reply_markup: markup.optional() }),
      args => {
        const kept = ownMessage(args)
        const { reply_markup: _markup, ...old } = kept.message
        const edited = {
          ...old,
          edit_date: seconds(),
          ...(args.reply_markup && { reply_markup: checkedMarkup(args.reply_markup) }),
        }
        refuseUnchanged(kept.message, edited)
        kept.message = edited
        return edited
      },
    ),
    deleteMessage: define(z.strictObject({ chat_id: chatId, message_id: z.int() }), args => {
      world.keptIn(world.roomForBot(args.chat_id), args.message_id, 'delete').deleted = true
      return true as const
    }),
    answerCallbackQuery: define(
      z.strictObject({
        callback_query_id: z.string(),
        text: z.string().max(200).optional(),
        show_alert: z.boolean().optional(),
      }),
      args => {
        const press = world.presses.get(args.callback_query_id)
        if (!press || world.clock.now() > press.at + PRESS_MS)
          throw new Refused(
            400,
            'Bad Request: query is too old and response timeout expired or query ID is invalid',
          )
        world.presses.delete(args.callback_query_id)
        press.answer({ ...(args.text !== undefined && { text: args.text }), alert: args.show_alert ?? false })
        return true as const
      },
    ),
    sendChatAction: define(
      z.strictObject({
        chat_id: chatId,
        message_thread_id: z.int().optional(),
        action: z.enum(['typing', 'upload_photo', 'upload_document', 'upload_voice', 'record_voice']),
      }),
      args => {
        world.roomForBot(args.chat_id).actions.push(args.action)
        return true as const
      },
    ),
    sendDocument: define(
      z.strictObject({ ...sending, ...captioned, document: z.string() }),
      ({ document, ...args }) => {
        const { room, sent, about } = sendFile('document', document, args)
        const message = { ...sent, document: about } satisfies Message.DocumentMessage
        return world.keep(room, message, args.disable_notification)
      },
    ),
    sendVoice: define(
      z.strictObject({ ...sending, ...captioned, voice: z.string(), duration: z.int().optional() }),
      ({ voice, duration, ...args }) => {
        const { room, sent, file } = sendFile('voice', voice, args)
        const about = { ...fileIds(file.id, file.bytes), duration: duration ?? 0 }
        const message = { ...sent, voice: about } satisfies Message.VoiceMessage
        return world.keep(room, message, args.disable_notification)
      },
    ),
    sendPhoto: define(z.strictObject({ ...sending, ...captioned, photo: z.string() }), ({ photo, ...args }) =>
      sendPhoto(world.roomForBot(args.chat_id), photo, args),
    ),
    sendMediaGroup: define(
      z.strictObject({
        chat_id: chatId,
        message_thread_id: z.int().optional(),
        disable_notification: z.boolean().optional(),
        media: z.array(album).min(2).max(10),
      }),
      ({ media, ...args }) => {
        const room = world.roomForBot(args.chat_id)
        const group = `album-${nextId()}`
        if (media.some(({ type }) => type !== media[0]?.type))
          throw new Refused(400, "Bad Request: can't use the media of the specified type in the album")
        return media.map(({ type, media: named, ...caption }) => {
          if (type === 'photo') return sendPhoto(room, named, { ...args, ...caption }, group)
          const { sent, about } = sendFile('document', named, { ...args, ...caption })
          const message = { ...sent, document: about, media_group_id: group }
          return world.keep(room, message satisfies Message.DocumentMessage)
        })
      },
    ),
    getFile: define(z.strictObject({ file_id: z.string() }), args => {
      const file = world.files.get(args.file_id)
      if (!file) throw new Refused(400, 'Bad Request: wrong file_id or the file is temporarily unavailable')
      if (file.bytes.length > MOST_FETCHED_BYTES) throw new Refused(400, 'Bad Request: file is too big')
      return { ...fileIds(file.id, file.bytes), file_path: file.path }
    }),
    leaveChat: define(z.strictObject({ chat_id: chatId }), args => {
      world.roomForBot(args.chat_id).members.delete(me.id)
      return true as const
    }),
  } satisfies Methods
}

const fileIds = (id: string, bytes: Uint8Array) => ({
  file_id: id,
  file_unique_id: `unique-${id}`,
  file_size: bytes.length,
})

function checkedText(text: string, entities: readonly MessageEntity[], most: number) {
  const checked = checkText(text, entities, most)
  if (!isTaken(checked)) throw new Refused(400, `Bad Request: ${checked.refused}`)
  return checked
}

/** Check and store buttons: the data of a button has at most 64 bytes. */
function checkedMarkup({ inline_keyboard }: z.output<typeof markup>): InlineKeyboardMarkup {
  for (const each of inline_keyboard.flat())
    if ('callback_data' in each && (each.callback_data === '' || Buffer.byteLength(each.callback_data) > 64))
      throw new Refused(400, 'Bad Request: BUTTON_DATA_INVALID')
  return { inline_keyboard }
}

const shown = ({ text, entities, reply_markup }: Message) =>
  JSON.stringify([text, entities ?? [], reply_markup?.inline_keyboard ?? []])

function refuseUnchanged(old: Message, edited: Message): void {
  if (shown(old) === shown(edited))
    throw new Refused(
      400,
      'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    )
}
