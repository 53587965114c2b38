import { z } from 'zod'
import { orderTree } from './order-tree.ts'
import {
  FILES,
  toSourceChat,
  skipOf,
  timeOf,
  WORKINGS,
  type ReadConversation,
  type Skip,
} from './import-source.ts'

const Block = z.looseObject({ type: z.string(), text: z.string().optional().catch(undefined) })
/** The author of a message. Tools that rewrite exports write `user` or use capital letters. */
const Sender = z.string().transform((name, context): keyof typeof ROLES => {
  const small = name.toLowerCase()
  if (small === 'assistant') return small
  if (small !== 'human' && small !== 'user') context.addIssue('nobody else writes in a chat')
  return 'human'
})
const Said = z.looseObject({
  sender: Sender,
  text: z.string().catch(''),
  content: z.array(z.unknown()).catch([]),
  created_at: z.unknown().optional(),
  model: z.string().nullish().catch(null),
  attachments: z.array(z.unknown()).catch([]),
  files: z.array(z.unknown()).catch([]),
})
/** A pasted long text becomes an attachment; the export contains its words. */
const Pasted = z.looseObject({ extracted_content: z.string().min(1) })
/** The position of a message. Questions can be edited and answers retried, so newer exports are trees. */
const Place = z.looseObject({
  uuid: z.string().optional().catch(undefined),
  parent_message_uuid: z.string().nullish().catch(undefined),
  created_at: z.unknown().optional(),
})
const Conversation = z.looseObject({
  current_leaf_message_uuid: z.string().nullish().catch(null),
  model: z.string().nullish().catch(null),
  name: z.unknown().optional(),
  created_at: z.unknown().optional(),
  updated_at: z.unknown().optional(),
  chat_messages: z.array(z.unknown()),
})

/** Return whether a value looks like a conversation of a Claude export. */
export const isClaude = (value: object): boolean => 'chat_messages' in value

/**
 * Read one conversation of a Claude export: the messages of the user and Claude. The path to the newest one
 * is the chat. Edited questions and retried answers become branches.
 */
export function readClaude(value: object, key: string, now: number): ReadConversation {
  const parsed = Conversation.safeParse(value)
  if (!parsed.success) return { skips: [skipOf('chat', 'it is not a valid Claude chat')] }
  const { name, created_at, updated_at, chat_messages, current_leaf_message_uuid, model } = parsed.data
  const skips: Skip[] = []
  const read = chat_messages.map(each => {
    const message = Said.safeParse(each).data
    if (message) return readMessage(message, model ?? '', skips)
    skips.push(skipOf('message', 'it is not a valid message'))
    // Keep an empty message, because other messages may follow it.
    return { role: ROLES.human, text: '', at: undefined }
  })
  const places = chat_messages.map(each => {
    const { uuid, parent_message_uuid, created_at: at } = Place.safeParse(each).data ?? {}
    return { id: uuid, parent: parent_message_uuid, at: timeOf(at) }
  })
  const said = orderTree(places, current_leaf_message_uuid).map(({ index, after }) => ({
    ...read[index]!,
    ...(after !== undefined && { after }),
  }))
  const times = { createdAt: timeOf(created_at), updatedAt: timeOf(updated_at) }
  return toSourceChat({ key, parentKey: null, title: name, ...times, said, skips }, now)
}

function readMessage(message: z.infer<typeof Said>, model: string, skips: Skip[]) {
  const blocks = message.content.map(block => Block.safeParse(block).data)
  const isInner = (type: string) => INNER.test(type)
  const inner = blocks.filter(block => block !== undefined && isInner(block.type)).length
  if (inner > 0) skips.push(skipOf('message', WORKINGS, inner))
  const pasted = message.attachments.flatMap(each => Pasted.safeParse(each).data?.extracted_content ?? [])
  const files = message.attachments.length - pasted.length + message.files.length
  if (files > 0) skips.push(skipOf('attachment', FILES, files))
  const texts = blocks.flatMap(block => (block && !isInner(block.type) && block.text ? [block.text] : []))
  const others = blocks.filter(block => !block || (!isInner(block.type) && block.text === undefined)).length
  if (others > 0) skips.push(skipOf('part of a message', FILES, others))
  // Older exports have no blocks; in newer ones `text` also contains placeholders for tools.
  const own = message.content.length > 0 ? texts.join('\n\n') : message.text
  const text = [own, ...pasted].filter(each => each.trim() !== '').join('\n\n')
  const by = message.sender === 'assistant' ? (message.model ?? model) : ''
  return { role: ROLES[message.sender], text: text.trim(), at: timeOf(message.created_at), model: by }
}

const INNER = /tool|thinking|search|token_budget|^flag$/
const ROLES = { human: 'user', assistant: 'assistant' } as const
