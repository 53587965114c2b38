import { createHash } from 'node:crypto'
import type { Message, ToolCall, Usage } from '../../shared/contract/chats/messages.ts'
import { parseJson } from '../lib/expected-errors.ts'
import { shapeProblem } from './json-shape.ts'
import type { Sampling, SentPicture, ToolSpec } from '../models/interface/engine.ts'

/** Which tool call a program requires: optional, none, at least one, or one by name. */
export type ToolChoice = 'auto' | 'none' | 'required' | { name: string }

/** A program's request to a model, independent of the API dialect. */
export type ApiRequest = {
  model: string
  system: string
  history: readonly Message[]
  /** The pictures of the history, by the hash that refers to them there. */
  pictures: ReadonlyMap<string, SentPicture>
  tools: readonly ToolSpec[]
  choice: ToolChoice
  /** Whether an answer may have at most one call. */
  isSingle: boolean
  /** The JSON schema that the answer must match. */
  schema?: Record<string, unknown> | undefined
  maxTokens?: number | undefined
  /** Texts before which the answer ends. */
  stops: readonly string[]
  sampling: Sampling
  thinking?: 'on' | 'off' | undefined
  stream: boolean
  /** Given fields that have no effect. */
  unused: readonly string[]
}

/** A step of an answer; one `end` or `failed` is the last. `thought`: the text so far was a thought. */
export type ApiEvent =
  | { type: 'waiting' }
  | { type: 'text' | 'reasoning' | 'thought'; text: string }
  | { type: 'call'; call: ToolCall }
  | {
      type: 'end'
      stop: 'end' | 'length' | 'calls' | 'stop_word'
      usage: Usage
      stopWord?: string | undefined
    }
  | { type: 'failed'; problem: ApiProblem }

/** A problem that is reported to the program, with an HTTP status. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  /** The field that it is about. */
  readonly field: string | null

  constructor(status: number, code: string, text: string, field: string | null = null) {
    super(text)
    this.status = status
    this.code = code
    this.field = field
  }
}

/** Refuse a field of a request, by name. */
export const refuseField = (field: string, text: string): never => {
  throw new ApiProblem(400, 'bad_field', text, field)
}

/** Builds the history of a request in the neutral format. */
export type HistoryBuilder = ReturnType<typeof buildHistory>

/** Maximum number of pictures in a request, and maximum base64 length of one. */
const MOST_PICTURES = 40
const MOST_PICTURE_CHARS = 20_000_000

/** Start a history. */
export function buildHistory() {
  const messages: Message[] = []
  const pictures = new Map<string, SentPicture>()
  const systems: string[] = []
  const named = new Map<string, string>()
  const stored = () => ({ id: messages.length + 1, sessionId: 'api', at: 0 })

  function keepPicture(picture: SentPicture, field: string) {
    if (picture.base64.length > MOST_PICTURE_CHARS) refuseField(field, 'A picture can have at most 15 MB.')
    if (pictures.size >= MOST_PICTURES)
      refuseField(field, `A request can have at most ${MOST_PICTURES} pictures.`)
    const hash = createHash('sha256').update(picture.base64).digest('hex')
    pictures.set(hash, picture)
    return { hash, name: 'picture', kind: 'picture', use: 'picture', bytes: picture.base64.length } as const
  }
  const attached = (given: readonly SentPicture[], field: string) =>
    given.length === 0 ? {} : { attachments: given.map(each => keepPicture(each, field)) }

  return {
    messages,
    pictures,
    addSystem: (text: string) => void (text.trim() !== '' && systems.push(text)),
    addUser(text: string, given: readonly SentPicture[] = [], field = 'messages') {
      messages.push({ ...stored(), role: 'user', text, ...attached(given, field) })
    },
    addAssistant(text: string, calls: readonly ToolCall[] = []) {
      for (const { id, name } of calls) named.set(id, name)
      const last = messages.at(-1)
      // Dialects split the parts of one answer into several items.
      if (last?.role === 'assistant') {
        const joined = [last.text, text].filter(Boolean).join('\n')
        messages[messages.length - 1] = { ...last, text: joined, calls: [...last.calls, ...calls] }
        return
      }
      const rest = { reasoning: '', interrupted: false, model: '' }
      messages.push({ ...stored(), role: 'assistant', text, calls: [...calls], ...rest })
    },
    addResult(callId: string, text: string, given: readonly SentPicture[] = [], field = 'messages') {
      const name = named.get(callId)
      if (name === undefined)
        return refuseField(field, `There is a result for “${callId}”, and no call with that id before it.`)
      const rest = { ok: true, durationMs: 0, record: { decision: 'ran' as const } }
      messages.push({ ...stored(), role: 'tool', callId, name, text, ...rest, ...attached(given, field) })
    },
    systemText: () => systems.join('\n\n'),
  }
}

/** Parse the arguments of an earlier call, which may be malformed. */
export function readArguments(text: string): Record<string, unknown> {
  const value = shapeProblem(text) === undefined ? parseJson(text === '' ? '{}' : text) : undefined
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : { text }
}

const DATA_ADDRESS = /^data:image\/(png|jpe?g);base64,([A-Za-z0-9+/=\s]+)$/

/** Read a picture from a `data:` address; nothing is ever fetched. */
export function readPicture(address: string, field: string): SentPicture {
  const [, kind, base64 = ''] = DATA_ADDRESS.exec(address) ?? []
  if (kind === undefined)
    return refuseField(field, 'A picture has to be a PNG or JPEG, as a data: address in base64.')
  return { mime: kind === 'png' ? 'image/png' : 'image/jpeg', base64: base64.replace(/\s/g, '') }
}
