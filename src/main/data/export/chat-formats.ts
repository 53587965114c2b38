import type { Attachment } from '../../../shared/contract/chats/attachments.ts'
import { linkCitations } from '../../../shared/markdown/web-citations.ts'
import { formatBytes } from '../../../shared/text/amounts.ts'
import type { AssistantMessage, Message } from '../../../shared/contract/chats/messages.ts'
import { tellObeyedChange } from '../../../shared/words/obeyed-words.ts'
import type { ChatHead, ReadMessage } from '../../db/file/read-store.ts'

/** A text format of chats: yields the pieces of one file, in order. */
export type ChatFormat = {
  begin(chats: readonly ChatHead[], at: number): Iterable<string>
  /** Yield the beginning of one chat of `count`. */
  chat(chat: ChatHead, position: number, count: number): Iterable<string>
  /** Yield the beginning of a branch, which follows a message written earlier. */
  branch(branch: NonNullable<ReadMessage['branch']>): Iterable<string>
  message(message: ToldMessage, position: number): Iterable<string>
  chatEnd(): Iterable<string>
  end(): Iterable<string>
}

/** A message to write. `place` is set if all branches are written; without `tools`, calls are only named. */
export type ToldMessage = {
  message: Message
  place: { parentId: number | null; isOnPath: boolean } | undefined
  tools: boolean
}

/** Return the title of a chat, or a placeholder if it has none yet. */
export const titleOf = ({ title }: ChatHead): string =>
  title.replaceAll(/\s+/g, ' ').trim() || 'Untitled chat'

/** Format a local day and time so that it sorts: 2026-11-21 09:05, as Sweden writes it. */
export const timeOf = (at: number): string => new Date(at).toLocaleString('sv').slice(0, 16)

/** Return the name of a message's author, for the reader. */
export function speakerOf(message: Message): string {
  switch (message.role) {
    case 'user':
      return 'You'
    case 'assistant':
      if (message.byTalaria) return 'Talaria, by rules, not by the model'
      return message.model === '' ? 'Assistant' : `Assistant (${message.model})`
    case 'tool':
      return `Result of ${message.name}${message.ok ? '' : ' (failed)'}`
  }
}

/** Increased when the fields change their meaning. */
const FORMAT = 1

/** Chats as one JSON object, with one message per line. Times are in ISO 8601. */
export const jsonFormat: ChatFormat = {
  *begin(_chats, at) {
    yield `{"talaria":"chats","format":${FORMAT},"exportedAt":${JSON.stringify(isoOf(at))},"chats":[`
  },
  *chat(chat, position) {
    const { id, createdAt, updatedAt, model, folder, project, instructions } = chat
    const head = {
      id,
      title: titleOf(chat),
      createdAt: isoOf(createdAt),
      updatedAt: isoOf(updatedAt),
      model,
      folder,
      ...(project !== '' && { project }),
      ...(instructions !== '' && { instructions }),
    }
    yield `${position > 0 ? ',' : ''}\n${JSON.stringify(head).slice(0, -1)},"messages":[`
  },
  // The place of each message says where branches begin.
  *branch() {},
  *message({ message, place, tools }, position) {
    const { sessionId: _chat, at, ...rest } = message
    // Left out: raw text for a local engine, texts read from attachments, and buttons of the window.
    const inner = { raw: undefined, documents: undefined, offer: undefined, picked: undefined }
    const shown = { ...rest, ...place, at: isoOf(at), ...inner, ...(!tools && namedCalls(message)) }
    yield `${position > 0 ? ',' : ''}\n${JSON.stringify(shown)}`
  },
  *chatEnd() {
    yield ']}'
  },
  *end() {
    yield '\n]}\n'
  },
}

const namedCalls = (message: Message) =>
  message.role === 'assistant' && { calls: message.calls.map(({ id, name }) => ({ id, name })) }

const isoOf = (at: number) => new Date(at).toISOString()

/** Chats as Markdown. Texts stay unchanged; inputs and results of tools are quoted as code. */
export const markdownFormat: ChatFormat = {
  *begin() {},
  *chat(chat, position) {
    if (position > 0) yield '\n---\n\n'
    const { id, createdAt, folder, model, project } = chat
    const within = project === '' ? '' : ` · ${project}`
    yield `# ${titleOf(chat)}\n\n${timeOf(createdAt)} · ${model} · ${folder}${within} · ${id}\n`
  },
  *branch({ number, after }) {
    yield `\n---\n\n# Branch ${number}\n\n${after === '' ? 'It begins the chat anew.' : `It follows “${after}”.`}\n`
  },
  *message({ message, tools }) {
    yield `\n## ${speakerOf(message)}, ${timeOf(message.at)}\n\n`
    if (message.role === 'tool') {
      yield fenced(message.text)
      if (message.attachments) yield `\n${sayAttached(message.attachments)}\n`
      for (const change of message.obeyed ?? []) yield `\n${tellObeyedChange(change)}\n`
      return
    }
    if (message.role === 'user' && message.skill) yield `With the skill ${message.skill.name}.\n\n`
    if (message.role === 'user' && message.attachments) yield `${sayAttached(message.attachments)}\n\n`
    if (message.role === 'assistant' && message.reasoning !== '')
      yield `Thoughts:\n\n${fenced(message.reasoning)}\n`
    if (message.role === 'assistant')
      for (const { model, text, problem } of message.advice?.given ?? [])
        yield `Advice of ${model}:\n\n${fenced(problem ?? text)}\n`
    yield `${message.role === 'assistant' ? linkCitations(message.text, message.cites) : message.text}\n`
    if (message.role === 'assistant' && !tools && message.calls.length > 0) yield `\n${usedTools(message)}\n`
    else if (message.role === 'assistant')
      for (const call of message.calls)
        yield `\nCall of ${call.name}:\n\n${fenced(JSON.stringify(call.arguments, null, 2), 'json')}`
  },
  *chatEnd() {},
  *end() {},
}

/** Return a sentence that lists the files attached to a message. */
export const sayAttached = (attachments: readonly Attachment[]): string =>
  `Attached: ${attachments.map(({ name, bytes }) => `${name.replaceAll(/\s+/g, ' ')} (${formatBytes(bytes)})`).join(', ')}.`

/** Return a sentence that lists the tools a message called. */
export const usedTools = ({ calls }: AssistantMessage): string =>
  `Used ${[...new Set(calls.map(({ name }) => name))].join(', ')}.`

/** Return a code block with a fence longer than any in the text. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n`
}
