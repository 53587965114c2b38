import { guessCall } from '../guide/decide-call.ts'
import { EXAMPLES } from '../guide/examples.ts'
import type { Meaning, Scene, WantedCall } from '../guide/scene.ts'
import { judgeByMeaning, type Encode } from '../guide/second-opinion.ts'
import { understandRequest } from '../guide/understand.ts'
import { isDecidable } from './decidable.ts'
import { isGrounded } from './grounded.ts'

/** What the decider says of a message: a tool, with its arguments where each path, name and number in them stands in the message. */
export type Decision = { tool: string; arguments?: WantedCall['arguments'] }

/** All tools that it knows. A message is judged by all of them: without the tool that it wants it wants none, and no other. */
const KNOWN = Object.keys(EXAMPLES).filter(name => name !== 'none')

/** How much nearer a message must lie to one tool than to anything else for that to count without a rule. */
const CLEAR = 0.06

/**
 * Say which tool a message wants, or undefined for none, in some milliseconds: by the rules of the guide where it says so plainly, else by
 * the labelled examples that lie nearest to it. It is judged by itself, so one that goes on from another wants none.
 */
export async function decideMessage(
  request: string,
  given: Scene,
  encode: Encode | undefined,
  signal: AbortSignal,
): Promise<Decision | undefined> {
  const { tools } = given.known
  if (tools.length === 0 || !isDecidable(request)) return undefined
  const scene = { ...given, known: { ...given.known, tools: KNOWN } }
  const decided = await decideAmongAll(request, scene, encode, signal)
  return decided && tools.includes(decided.tool) ? decided : undefined
}

async function decideAmongAll(
  request: string,
  scene: Scene,
  encode: Encode | undefined,
  signal: AbortSignal,
): Promise<Decision | undefined> {
  const plain = understandRequest(request, scene, [])
  if (plain && (plain.kind !== 'call' || plain.isSure)) return decisionOf(callIn(plain), request, scene)
  const judged = await judgeByMeaning(encode, request, KNOWN, signal)
  const { tool, lead = 0 } = judged ?? {}
  const isClear = lead > CLEAR
  if (plain)
    return judged && tool === undefined && isClear ? undefined : decisionOf(plain.call, request, scene)
  if (tool === undefined || !isClear) return undefined
  return decisionOf(guessCall(tool, request, scene), request, scene) ?? { tool }
}

/** What a call decides: its arguments count only where the message says them. */
export const decisionOf = (
  call: WantedCall | undefined,
  request: string,
  scene: Pick<Scene, 'files' | 'folders'>,
): Decision | undefined =>
  call && {
    tool: call.name,
    ...(isGrounded(call.arguments, request, scene) && { arguments: call.arguments }),
  }

/** The call that is meant; of a question the one that comes first, since what writes or runs is asked about all the same. */
export const callIn = (meant: Meaning): WantedCall | undefined =>
  meant.kind === 'call'
    ? meant.call
    : meant.kind === 'ask'
      ? meant.choices.find(({ call }) => call !== undefined)?.call
      : undefined
