import { MOST_CALLS } from '../../../../shared/contract/chats/changed-files.ts'
import type { Message, ToolCall, ToolMessage } from '../../../../shared/contract/chats/messages.ts'

/** The calls of a turn that changed files, and the files under the names in these calls. */
export type TurnFiles = {
  /** The id of the message that started the turn. */
  turn: number
  /** The text of that message. */
  asked: string
  calls: readonly string[]
  names: readonly string[]
}

/** The tools that keep a copy of a file before they change it. */
const WRITERS: ReadonlySet<string> = new Set(['write_file', 'patch_file'])

/** A cache by list of messages. Lists are immutable and looked up at every change of a chat. */
const found = new WeakMap<readonly Message[], ReadonlyMap<number, TurnFiles>>()

/** The files that turns changed with tools, by the id of the message that started the turn. */
export function filesByTurn(messages: readonly Message[]): ReadonlyMap<number, TurnFiles> {
  const known = found.get(messages) ?? readTurns(messages)
  found.set(messages, known)
  return known
}

/** The files of the newest turn that changed any. */
export const newestFiles = (messages: readonly Message[]): TurnFiles | undefined =>
  [...filesByTurn(messages).values()].at(-1)

function readTurns(messages: readonly Message[]): Map<number, TurnFiles> {
  const turns = new Map<number, TurnFiles>()
  const calls = new Map<string, ToolCall>()
  let asked = { id: 0, text: '' }
  for (const message of messages) {
    if (message.role === 'user') asked = message
    else if (message.role === 'assistant') for (const call of message.calls) calls.set(call.id, call)
    else {
      const call = calls.get(message.callId)
      const written = call && filesOf(message, call)
      if (!written) continue
      const before = turns.get(asked.id)
      turns.set(asked.id, {
        turn: asked.id,
        asked: asked.text,
        calls: [...(before?.calls ?? []), call.id].slice(-MOST_CALLS),
        names: [...new Set([...(before?.names ?? []), ...written])],
      })
    }
  }
  return turns
}

/** The files that a call changed; undefined if it changed none. Older results do not name them. */
function filesOf({ ok, name, record }: ToolMessage, call: ToolCall): readonly string[] | undefined {
  if (!ok || !WRITERS.has(name)) return undefined
  const { path } = call.arguments
  const written = record.files ?? (typeof path === 'string' ? [path] : [])
  const names = written.map(each => each.trim().replace(/^(?:\.\/)+/u, '')).filter(each => each !== '')
  return names.length > 0 ? names : undefined
}
