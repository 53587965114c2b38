import type { AssistantMessage, Message, ToolMessage } from '../../../shared/contract/chats/messages.ts'
import type { Turn, Wording } from '../../agent/turn-types.ts'
import { unframeText } from '../../untrusted/strangers-text.ts'
import { isFailure, type ModelProfile } from '../../models/interface/engine.ts'
import { tellResult } from '../../tools/tell/tell-result.ts'
import { isAstray, judgeWording, LENIENT, STRICT, type Worded } from './judge-wording.ts'

/**
 * Maximum tokens for a weak model to word a result, and maximum tokens beyond the result's own length. A
 * longer wording has gone astray.
 */
const MOST_TOKENS = 200
const BESIDE_TOKENS = 60

/** Whether a chat has a decider: as set, else only if the model called nothing on its own when tried. */
export const hasDecider = (
  setting: 'on' | 'off' | null,
  { guided, verdict }: Pick<ModelProfile, 'guided' | 'verdict'>,
): boolean => !guided && (setting === null ? verdict?.byItself === 0 : setting === 'on')

/**
 * How to word the result of a decided call for a weak model: one that calls nothing on its own, or is so
 * small that it seldom ends an answer. Failed calls are worded by rules. So are successful changes of small
 * models, which confuse “forgotten” with “remembered”. Undefined for all other models.
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
