import type { AssistantMessage, Message, ToolCall } from '../../src/shared/contract/chats/messages.ts'
import type { CompletionEvent, ToolSpec, WireMessage } from '../../src/main/models/interface/engine.ts'
import type { ReplyEvent, Strategy } from '../../src/main/agent/strategies/strategy.ts'
import { createTextStrategy } from '../../src/main/agent/strategies/text.ts'
import { fallbackFormat } from '../../src/main/models/formats/format-table.ts'
import { editionFor } from '../../src/main/skills/prompt-index.ts'

// For tests: a small neutral history, and the result that a strategy reads from a stream.

export const TOOL: ToolSpec = {
  name: 'read_file',
  description: 'Read a text file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}

type Said =
  | { user: string }
  | { says: string; calls?: readonly ToolCall[]; raw?: string; reasoning?: string; interrupted?: boolean }
  | { result: string; of: ToolCall }

export const aCall = (id: string, path: string): ToolCall => ({ id, name: 'read_file', arguments: { path } })

export const historyOf = (...said: Said[]): Message[] =>
  said.map((each, at): Message => {
    const stored = { id: at + 1, sessionId: 's', at: 0 }
    if ('user' in each) return { ...stored, role: 'user', text: each.user }
    if ('result' in each) {
      const { id: callId, name } = each.of
      return {
        ...stored,
        role: 'tool',
        callId,
        name,
        ok: true,
        text: each.result,
        durationMs: 1,
        record: { decision: 'ran' },
      }
    }
    const { says: text, calls = [], reasoning = '', interrupted = false, raw } = each
    const reply: AssistantMessage = {
      ...stored,
      role: 'assistant',
      text,
      calls: [...calls],
      reasoning,
      interrupted,
      model: 'm',
    }
    return raw === undefined ? reply : { ...reply, raw }
  })

/** The strategy for a model of an unknown family: tools as text, as `resolveTurnSetup` would choose it. */
export const presentAsText = ({ name = 'm', contextTokens = 8_192 } = {}): Strategy =>
  createTextStrategy({
    format: fallbackFormat,
    toolRole: false,
    edition: editionFor(contextTokens),
    model: name,
  })

export const usage = {
  promptTokens: 1,
  reusedTokens: 0,
  evaluatedTokens: 1,
  outputTokens: 1,
  contextTokens: 4_096,
  firstTokenMs: 0,
  prefillPerSecond: 0,
  tokensPerSecond: 0,
}
export const done: CompletionEvent = { type: 'done', stop: 'end', usage }

/** Read everything from a stream with a strategy, with text joined. */
export async function readAll(strategy: Strategy, ...events: CompletionEvent[]): Promise<ReplyEvent[]> {
  async function* stream() {
    yield* events
  }
  const all = await Array.fromAsync(strategy.read(stream(), [TOOL]))
  return all.reduce<ReplyEvent[]>((joined, event) => {
    const last = joined.at(-1)
    if (last?.type === 'text' && event.type === 'text')
      return [...joined.slice(0, -1), { type: 'text', text: last.text + event.text }]
    return [...joined, event]
  }, [])
}

/**
 * Why a server or chat template would reject a prompt; undefined if all would accept it. Roles must
 * alternate, each call needs its result directly after it, ids have nine letters or digits, and nothing may
 * be empty.
 */
export function objection(wire: readonly WireMessage[]): string | undefined {
  const [system, ...rest] = wire
  if (system?.role !== 'system') return 'no system prompt'
  let open: string[] = []
  let before: WireMessage['role'] = 'system'
  for (const { role, text, calls = [], callId } of rest) {
    if (text === '' && calls.length === 0) return 'an empty message'
    if (role === 'system') return 'a second system prompt'
    if (role === 'tool') {
      if (open.shift() !== callId) return 'a result without its call'
    } else if (open.length > 0) return 'a call without its result'
    else if (role === 'user' && before === 'tool') return 'a question where a reply should be'
    else if (role === 'assistant' && before === 'system') return 'a reply to nothing'
    else if (role === before) return `two of ${role} in a row`
    const ids = calls.map(call => call.id)
    if (ids.some(id => !/^[a-zA-Z0-9]{9}$/.test(id)) || new Set(ids).size < ids.length) return 'a bad id'
    open = role === 'assistant' ? ids : open
    before = role
  }
  return open.length > 0 ? 'a call without its result' : undefined
}
