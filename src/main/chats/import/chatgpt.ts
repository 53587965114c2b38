import { z } from 'zod'
import { readMarks } from './chatgpt-marks.ts'
import {
  FILES,
  MAX_CHARS,
  toSourceChat,
  skipOf,
  timeOf,
  WORKINGS,
  type ReadConversation,
  type Skip,
} from './import-source.ts'

const Content = z.looseObject({
  content_type: z.string().catch('text'),
  parts: z.array(z.unknown()).catch([]),
  text: z.string().optional().catch(undefined),
})
const Said = z.looseObject({
  author: z.looseObject({ role: z.string() }),
  content: Content.nullish(),
  create_time: z.unknown().optional(),
  recipient: z.string().nullish().catch(null),
  metadata: z
    .looseObject({
      is_visually_hidden_from_conversation: z.boolean().nullish().catch(null),
      model_slug: z.string().nullish().catch(null),
      attachments: z.array(z.unknown()).nullish().catch(null),
    })
    .nullish()
    .catch(null),
})
const Node = z.looseObject({
  message: z.unknown().optional(),
  parent: z.string().nullish().catch(null),
  children: z.array(z.unknown()).catch([]),
})
const Conversation = z.looseObject({
  mapping: z.record(z.string(), z.unknown()),
  current_node: z.string().nullish().catch(null),
  default_model_slug: z.string().nullish().catch(null),
  title: z.unknown().optional(),
  create_time: z.unknown().optional(),
  update_time: z.unknown().optional(),
})

/** Content types that the user wrote or read; others are internal. */
const SHOWN = new Set(['text', 'multimodal_text'])

/** Return whether a value looks like a conversation of a ChatGPT export. */
export const isChatGpt = (value: object): boolean => 'mapping' in value

/**
 * Read one conversation of a ChatGPT export. It is a tree, because questions can be edited and sent again.
 * The path to the last shown node is the chat.
 */
export function readChatGpt(value: object, key: string, now: number): ReadConversation {
  const parsed = Conversation.safeParse(value)
  if (!parsed.success) return { skips: [skipOf('chat', 'it is not a valid ChatGPT chat')] }
  const { mapping, current_node, default_model_slug, title, create_time, update_time } = parsed.data
  const path = pathTo(mapping, current_node ?? '')
  const skips: Skip[] = []
  const said = path.flatMap(id => {
    const message = messageAt(mapping, id)
    if (!message) return []
    const files = attachmentsOf(message)
    if (files > 0) skips.push(skipOf('attachment', FILES, files))
    const role = message.author.role
    if (!isShown(message)) {
      if (role === 'tool' || role === 'assistant') skips.push(skipOf('message', WORKINGS))
      return []
    }
    const written = textOf(message)
    // A text that is too long is skipped, whatever its marks.
    const { text, left } = written.length > MAX_CHARS ? { text: written, left: 0 } : readMarks(written)
    if (left > 0) skips.push(skipOf('reference', 'the export does not say what it leads to', left))
    const model = role === 'assistant' ? modelOf(message.metadata?.model_slug, default_model_slug) : ''
    return [{ role: role as 'user' | 'assistant', text: text.trim(), at: timeOf(message.create_time), model }]
  })
  const onPath = new Set(path)
  const others = Object.keys(mapping).filter(id => {
    const message = onPath.has(id) ? undefined : messageAt(mapping, id)
    return message !== undefined && isShown(message) && textOf(message).trim() !== ''
  }).length
  if (others > 0) skips.push(skipOf('message', 'it was replaced by a newer question or answer', others))
  const times = { createdAt: timeOf(create_time), updatedAt: timeOf(update_time) }
  return toSourceChat({ key, parentKey: null, title, ...times, said, skips }, now)
}

/** Return the model that wrote a message; “auto” does not name one. */
const modelOf = (...slugs: (string | null | undefined)[]): string =>
  slugs.find(slug => slug != null && slug !== '' && slug !== 'auto') ?? ''

type Mapping = Record<string, unknown>
type Message = z.infer<typeof Said>

function messageAt(mapping: Mapping, id: string): Message | undefined {
  const node = Node.safeParse(mapping[id]).data
  return node && Said.safeParse(node.message).data
}

/** Return the ids from the root to this node; without a node, to the newest leaf. */
function pathTo(mapping: Mapping, current: string): string[] {
  const path = new Set<string>()
  const parents = parentsIn(mapping)
  let id: string | undefined = Object.hasOwn(mapping, current) ? current : newestEnd(mapping, parents)
  // Stop at an id already seen, because the file may contain a cycle.
  while (id !== undefined && Object.hasOwn(mapping, id) && !path.has(id)) {
    path.add(id)
    id = parents.get(id)
  }
  return [...path].toReversed()
}

/** Return the parent of each message. Exports of other programs may name only the children. */
function parentsIn(mapping: Mapping): ReadonlyMap<string, string> {
  const parents = new Map<string, string>()
  for (const id of Object.keys(mapping)) {
    const node = Node.safeParse(mapping[id]).data
    if (node?.parent != null) parents.set(id, node.parent)
    for (const child of node?.children ?? [])
      if (typeof child === 'string' && !parents.has(child)) parents.set(child, id)
  }
  return parents
}

function newestEnd(mapping: Mapping, parents: ReadonlyMap<string, string>): string | undefined {
  const inner = new Set(parents.values())
  const ends = Object.keys(mapping).filter(id => !inner.has(id))
  const at = (id: string) => timeOf(messageAt(mapping, id)?.create_time) ?? 0
  return ends.toSorted((a, b) => at(b) - at(a))[0]
}

function isShown({ author, content, recipient, metadata }: Message): boolean {
  if (author.role !== 'user' && author.role !== 'assistant') return false
  if (recipient != null && recipient !== 'all') return false
  return SHOWN.has(content?.content_type ?? '') && metadata?.is_visually_hidden_from_conversation !== true
}

function textOf({ content }: Message): string {
  if (content?.parts.length === 0) return content.text ?? ''
  const texts = (content?.parts ?? []).flatMap(part => {
    if (typeof part === 'string') return [part]
    const spoken = z.looseObject({ text: z.string() }).safeParse(part)
    return spoken.success ? [spoken.data.text] : []
  })
  return texts.join('\n')
}

/** Count the images and files, which appear both in the parts and among the attachments. */
function attachmentsOf({ content, metadata }: Message): number {
  const pictures = (content?.parts ?? []).filter(
    part => typeof part === 'object' && part !== null && !('text' in part),
  )
  return Math.max(pictures.length, metadata?.attachments?.length ?? 0)
}
