import type { ToolCall } from '../../../shared/contract/chats/messages.ts'
import { mergeMarks } from '../../untrusted/strangers-marks.ts'
import type { ToolResult } from '../../tools/registry/tool.ts'
import type { CallStep } from '../turn-types.ts'

/**
 * Gives a result all its marks: its own and those of stored results that it was read from. The marks of the
 * context in which the call was written are added, because the call was made from that context.
 */
export const marksStep = (): CallStep => ({
  name: 'marks',
  async after({ turn, call, intent, permission }, result) {
    const { strangers } = turn.permits
    if (!strangers || !intent || !permission) return result
    strangers.add(result.marks ?? [])
    strangers.add((await strangers.readFrom?.(call, intent, result)) ?? [])
    const marks = mergeMarks(result.marks, strangers.current())
    return marks.length === 0 ? result : { ...result, marks }
  },
})

/** Cuts a result to the length that a model may read, given its context window in tokens. */
export type Cap = (call: ToolCall, result: ToolResult, contextTokens: number) => Promise<ToolResult>

/** Cuts results to the model's limit; the whole text stays in a file. */
export const capStep = (cap: Cap): CallStep => ({
  name: 'cap',
  after: ({ call, turn }, result) => cap(call, result, turn.contextTokens),
})
