import { calledTools, countTokens, type Conversation, type Count } from './conversation.ts'

/** Conditions for keeping a trajectory. All must be met; a condition on the reward requires a reward. */
export type Wanted = {
  outcome?: 'success' | 'failure' | undefined
  minReward?: number | undefined
  maxReward?: number | undefined
  /** Tools that must all have been called, and tools that must not. */
  tool?: readonly string[] | undefined
  withoutTool?: readonly string[] | undefined
  minTokens?: number | undefined
  maxTokens?: number | undefined
  /** Number of replies of the model. */
  minReplies?: number | undefined
  maxReplies?: number | undefined
  model?: readonly string[] | undefined
}

/** Pairs of a minimum and a maximum option. If the minimum is larger, nothing can be kept. */
const PAIRS = [
  ['minReward', 'maxReward'],
  ['minTokens', 'maxTokens'],
  ['minReplies', 'maxReplies'],
] as const satisfies [keyof Wanted, keyof Wanted][]

/** The first pair of options that contradict each other; undefined if there is none. */
export const contradictionIn = (wanted: Wanted) =>
  PAIRS.find(([least, most]) => (wanted[least] ?? -Infinity) > (wanted[most] ?? Infinity))

/** The first option that a trajectory does not meet, by name; undefined if it is kept. */
export function reasonToDrop(
  conversation: Conversation,
  wanted: Wanted,
  count?: Count,
): keyof Wanted | undefined {
  const { completed, reward, model } = conversation.rest
  const used = new Set(calledTools(conversation))
  const replies = conversation.turns.filter(({ role }) => role === 'assistant').length
  const tokens =
    wanted.minTokens === undefined && wanted.maxTokens === undefined ? 0 : countTokens(conversation, count)
  const given = typeof reward === 'number' ? reward : Number.NaN
  const checks: Record<keyof Wanted, boolean> = {
    outcome: wanted.outcome === undefined || completed === (wanted.outcome === 'success'),
    minReward: wanted.minReward === undefined || given >= wanted.minReward,
    maxReward: wanted.maxReward === undefined || given <= wanted.maxReward,
    tool: (wanted.tool ?? []).every(name => used.has(name)),
    withoutTool: !(wanted.withoutTool ?? []).some(name => used.has(name)),
    minTokens: tokens >= (wanted.minTokens ?? 0),
    maxTokens: tokens <= (wanted.maxTokens ?? Infinity),
    minReplies: replies >= (wanted.minReplies ?? 0),
    maxReplies: replies <= (wanted.maxReplies ?? Infinity),
    model: wanted.model === undefined || wanted.model.some(name => name === model),
  }
  return (Object.keys(checks) as (keyof Wanted)[]).find(name => !checks[name])
}
