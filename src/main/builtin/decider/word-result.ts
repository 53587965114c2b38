import type { AssistantMessage, Message, ToolMessage } from '../../../shared/contract/chats/messages.ts'
import type { Turn, Wording } from '../../agent/turn-types.ts'
import { unframeText } from '../../untrusted/strangers-text.ts'
import { isFailure, type ModelProfile } from '../../models/interface/engine.ts'
import { tellResult } from '../../tools/tell/tell-result.ts'
import { isAstray, judgeWording, LENIENT, STRICT, type Worded } from './judge-wording.ts'

/** The most tokens in which a dull model words a result, and those beside the result itself: what is longer has lost its way. */
const MOST_TOKENS = 200
const BESIDE_TOKENS = 60

/**
 * Whether a chat has a decider: a model that has called nothing by itself when its tools were tried has one, unless the person says
 * otherwise for the chat.
 */
export const hasDecider = (
  setting: 'on' | 'off' | null,
  { guided, verdict }: Pick<ModelProfile, 'guided' | 'verdict'>,
): boolean => !guided && (setting === null ? verdict?.byItself === 0 : setting === 'on')

/**
 * How the result of a decided call is said by a dull model: one that calls nothing by itself, or is so small that it seldom ends an
 * answer. What did not run or failed is said by rules at once, and of small models what was done too: they take “forgotten” for
 * “remembered”. Undefined for all other models, which may say it as they like.
 */
export async function wordingFor(turn: Turn): Promise<Wording | undefined> {
  const profile = await turn.engine.profile()
  if (isFailure(profile)) return undefined
  const isSmall = profile.plainTokens !== undefined
  if (!isSmall && profile.verdict?.byItself !== 0) return undefined
  return {
    mostTokens: history =>
      Math.min(MOST_TOKENS, BESIDE_TOKENS + turn.engine.count(newestResult(history)?.text ?? '')),
    mayAsk(history) {
      const result = newestResult(history)
      const onlyReads = result !== undefined && turn.registry.get(result.name)?.risk === 'read'
      return result?.ok === true && (onlyReads || !isSmall)
    },
    judge: (text, history) => judgeWording(text, wordedIn(history), isSmall ? STRICT : LENIENT),
    isAstray: (text, history) => isAstray(text, wordedIn(history)),
    tell(history) {
      const result = newestResult(history)
      if (!result) return ''
      return tellResult(turn.registry.get(result.name), givenFor(result, history), result)
    },
  }
}

const newestResult = (history: readonly Message[]): ToolMessage | undefined =>
  history.findLast((each): each is ToolMessage => each.role === 'tool')

const givenFor = ({ callId }: ToolMessage, history: readonly Message[]): Record<string, unknown> =>
  history.flatMap(each => (each.role === 'assistant' ? each.calls : [])).findLast(({ id }) => id === callId)
    ?.arguments ?? {}

function wordedIn(history: readonly Message[]): Worded {
  const result = newestResult(history)
  const asked = history.findLast(({ role }) => role === 'user')
  const answers = history.filter(
    (each): each is AssistantMessage => each.role === 'assistant' && each.calls.length === 0,
  )
  return {
    asked: asked?.text ?? '',
    given: result ? givenFor(result, history) : {},
    result: unframeText(result?.text ?? ''),
    earlier: answers.map(({ text }) => text),
  }
}
