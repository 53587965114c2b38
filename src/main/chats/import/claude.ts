import { z } from 'zod'
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
const Said = z.looseObject({
  sender: z.enum(['human', 'assistant']),
  text: z.string().catch(''),
  content: z.array(z.unknown()).catch([]),
  created_at: z.unknown().optional(),
  attachments: z.array(z.unknown()).catch([]),
  files: z.array(z.unknown()).catch([]),
})
const Conversation = z.looseObject({
  name: z.unknown().optional(),
  created_at: z.unknown().optional(),
  updated_at: z.unknown().optional(),
  chat_messages: z.array(z.unknown()),
})

/** Whether a value looks like a conversation of a Claude export. */
export const isClaude = (value: object): boolean => 'chat_messages' in value

/** Read one conversation of a Claude export: the messages of the user and Claude, in order. */
export function readClaude(value: object, key: string, now: number): ReadConversation {
  const parsed = Conversation.safeParse(value)
  if (!parsed.success) return { skips: [skipOf('chat', 'it is not a valid Claude chat')] }
  const { name, created_at, updated_at, chat_messages } = parsed.data
  const skips: Skip[] = []
  const said = chat_messages.flatMap(each => {
    const message = Said.safeParse(each).data
    if (!message) {
      skips.push(skipOf('message', 'it is not a valid message'))
      return []
    }
    const blocks = message.content.map(block => Block.safeParse(block).data)
    const inner = blocks.filter(block => block !== undefined && INNER.has(block.type)).length
    if (inner > 0) skips.push(skipOf('message', WORKINGS, inner))
    const files = message.attachments.length + message.files.length
    if (files > 0) skips.push(skipOf('attachment', FILES, files))
    const texts = blocks.flatMap(block => (block?.type === 'text' && block.text ? [block.text] : []))
    // Older exports have no blocks; in newer ones `text` also contains placeholders for tools.
    const text = message.content.length > 0 ? texts.join('\n\n') : message.text
    return [{ role: ROLES[message.sender], text: text.trim(), at: timeOf(message.created_at) }]
  })
  const times = { createdAt: timeOf(created_at), updatedAt: timeOf(updated_at) }
  return toSourceChat({ key, parentKey: null, title: name, ...times, said, skips }, now)
}

const INNER = new Set(['tool_use', 'tool_result', 'thinking'])
const ROLES = { human: 'user', assistant: 'assistant' } as const
