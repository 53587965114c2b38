import type { Attachment } from '../../../shared/contract/chats/attachments.ts'
import type { Message, ToolCall, Usage, UserMessage } from '../../../shared/contract/chats/messages.ts'
import type {
  CompletionEvent,
  Constraint,
  EngineFailure,
  PromptPicture,
  ToolSpec,
  WireMessage,
} from '../../models/interface/engine.ts'
import { newId } from '../../lib/ids.ts'
import type { ReaderEvent } from '../../models/formats/reader/call-reader.ts'

/** One step of a reply, in any wire format. A `bad_call` cannot run; its `reason` goes to the model. */
export type ReplyEvent =
  | { type: 'progress'; phase: 'loading' | 'reading'; done: number; total: number }
  | { type: 'notice'; text: string }
  | { type: 'writer'; name: string }
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** The text and calls so far turned out to be this thought. */
  | { type: 'thought'; text: string }
  | { type: 'call'; call: ToolCall }
  | { type: 'bad_call'; call: ToolCall; reason: string }
  | { type: 'done'; stop: 'end' | 'length'; usage: Usage; raw?: string }
  | ({ type: 'failed' } & EngineFailure)

/**
 * How tools are described to a model and how its calls are parsed. The loop never sees a wire format, so a
 * chat can change its strategy between turns: the current strategy renders the neutral history.
 */
export interface Strategy {
  readonly name: 'structured' | 'text'
  /** The section of the system prompt that lists the tools; empty if they are sent as data. */
  present(tools: readonly ToolSpec[]): string
  /** The tools to send as data beside the messages. */
  attach(tools: readonly ToolSpec[]): readonly ToolSpec[]
  /** Grammars that keep calls of these tools valid; empty if replies cannot be constrained. */
  constrain(tools: readonly ToolSpec[]): readonly Constraint[]
  render(system: string, history: readonly Message[]): WireMessage[]
  /** Append what `present` says about some tools to the messages, as a message of the user. */
  presentBehind(messages: readonly WireMessage[], tools: readonly ToolSpec[]): WireMessage[]
  read(events: AsyncIterable<CompletionEvent>, tools: readonly ToolSpec[]): AsyncIterable<ReplyEvent>
}

/** Convert a reader event to a reply event. Calls get the ids that pair them with their results. */
export function toReplyEvent(event: ReaderEvent): ReplyEvent {
  switch (event.type) {
    case 'text':
    case 'reasoning':
    case 'thought':
      return event
    case 'call':
      return { type: 'call', call: { id: newId('call'), name: event.name, arguments: event.arguments } }
    case 'bad_call':
      return {
        type: 'bad_call',
        call: { id: newId('call'), name: event.name ?? 'unknown', arguments: {} },
        reason: event.reason,
      }
  }
}

/** Fills the gap if a turn was stopped between a result and the next question. */
const STOPPED: WireMessage = { role: 'assistant', text: 'I was stopped here.' }

/**
 * Make roles alternate, as many chat templates require. Empty replies are dropped, consecutive user messages
 * are joined, and a reply is inserted between a result and a question. All of these occur when a turn was
 * stopped or failed before its answer.
 */
export function alternateRoles(messages: readonly WireMessage[]): WireMessage[] {
  const joined: WireMessage[] = []
  for (const message of messages) {
    if (message.role === 'assistant' && message.text === '' && !message.calls?.length) continue
    const last = joined.at(-1)
    if (last?.role === 'tool' && message.role === 'user') joined.push(STOPPED)
    if (last?.role === 'user' && message.role === 'user')
      joined[joined.length - 1] = {
        ...last,
        text: `${last.text}\n\n${message.text}`,
        ...(message.markup && {
          markup: [...(last.markup ?? []), ...moveMarks(message.markup, last.text.length + 2)],
        }),
        ...withPictures([...(last.pictures ?? []), ...(message.pictures ?? [])]),
      }
    else joined.push(message)
  }
  return joined
}

/** Shift the marks of a text that follows `by` other characters. */
export const moveMarks = (
  marks: NonNullable<WireMessage['markup']>,
  by: number,
): [from: number, to: number][] => marks.map(([from, to]) => [from + by, to + by])

/** The pictures of a message in the engines' form. `isNewest`: it is the user's newest message. */
export function picturesOf(
  { role, attachments = [] }: PictureHolder,
  isNewest = false,
): Pick<WireMessage, 'pictures'> {
  return withPictures(
    attachments
      .filter(({ use }) => use === 'picture')
      .map(({ hash, name, width, height, description }) => ({
        hash,
        name,
        width,
        height,
        description,
        ...(role === 'tool' && { isResult: true as const }),
        ...(isNewest && { isAsked: true as const }),
      })),
  )
}

type PictureHolder = Pick<Message, 'role'> & { attachments?: readonly Attachment[] | undefined }

const withPictures = (pictures: readonly PromptPicture[]) => (pictures.length > 0 ? { pictures } : {})

/** A reply between a result and what the user wrote during the turn, because roles must alternate. */
const INTERJECTED = 'The user has written to me in the meantime.'

/** Insert a short reply before each message that the user wrote between a result and the next step. */
export const withInterjections = (history: readonly Message[], said = INTERJECTED): Message[] =>
  history.flatMap((message, at) => {
    if (message.role !== 'user' || !message.steered || history[at - 1]?.role !== 'tool') return [message]
    const { id, sessionId, at: time } = message
    const reply = { reasoning: '', calls: [], interrupted: false, model: '' }
    return [{ id, sessionId, at: time, role: 'assistant', text: said, ...reply }, message]
  })

/** A user's message as the model reads it: attached documents and skill first, advice of others last. */
export function userText({
  text,
  skill,
  documents,
  reports,
  advised,
}: Pick<UserMessage, 'text' | 'skill' | 'documents' | 'reports' | 'advised'>): string {
  const said =
    skill === undefined ? text : `[Skill: ${skill.name}]\n${skill.text.trim()}\n[End of the skill]\n\n${text}`
  const asked = documents === undefined ? said : `${documents}\n\n${said}`
  const told =
    reports === undefined
      ? asked
      : `[Results of sub-agents]\n${reports.trim()}\n[End of the results]\n\n${asked}`
  return advised === undefined ? told : `${told}\n\n${advised}`
}
