import { calledTools, countTokens, type Conversation, type Count } from './conversation.ts'

/** What a trajectory must be to stay. Each that is given must hold; a reward that is asked for must be there. */
export type Wanted = {
  outcome?: 'success' | 'failure' | undefined
  minReward?: number | undefined
  maxReward?: number | undefined
  /** Tools of which each was called, and of which none was. */
  tool?: readonly string[] | undefined
  withoutTool?: readonly string[] | undefined
  minTokens?: number | undefined
  maxTokens?: number | undefined
  /** Replies of the model. */
  minReplies?: number | undefined
  maxReplies?: number | undefined
  model?: readonly string[] | undefined
}

/** The options of a least and of a most, by which nothing can stay where the least is more. */
const PAIRS = [
  ['minReward', 'maxReward'],
  ['minTokens', 'maxTokens'],
  ['minReplies', 'maxReplies'],
] as const satisfies [keyof Wanted, keyof Wanted][]

/** Two options that contradict each other; undefined if there are none. */
export const contradictionIn = (wanted: Wanted) =>
  PAIRS.find(([least, most]) => (wanted[least] ?? -Infinity) > (wanted[most] ?? Infinity))

/** The first thing for which a trajectory does not stay, as the name of its option; undefined if it stays. */
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
