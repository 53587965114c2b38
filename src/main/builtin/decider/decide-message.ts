import { runInSlices } from '../../lib/timing.ts'
import { guessCall } from '../guide/decide-call.ts'
import { EXAMPLES } from '../guide/request-examples.ts'
import type { Done, Meaning, Scene, WantedCall } from '../guide/guide-scene.ts'
import { judgeByMeaning, type Encode, type SecondOpinion } from '../guide/second-opinion.ts'
import { understandRequest, understandSteps } from '../guide/understand.ts'
import { isDecidable } from './decidable.ts'
import { isGrounded } from './grounded.ts'

/** The decision on a message. Its arguments are given only if the message has all their names and numbers. */
export type Decision = { tool: string; arguments?: WantedCall['arguments'] }

/** A call that a message may want, and its probability. */
export type LikelyCall = Decision & { probability: number }

/** The second part of a request for two things: text that can be sent alone, and the call that it wants. */
export type Rest = Decision & { text: string }

/**
 * The calls that a message may want, the likeliest first, and the rest of the request. `next`: the call that
 * follows from the result of the likeliest.
 */
export type Judgement = {
  likely: readonly LikelyCall[]
  rest?: Rest
  next?: (done: Done) => WantedCall | undefined
}

/**
 * All tools that the decider knows. A message is judged against all of them. If the tool that it wants is
 * off, it wants none rather than another.
 */
const KNOWN = Object.keys(EXAMPLES).filter(name => name !== 'none')

/** Tools that only read. */
const LOOKS: ReadonlySet<string> = new Set([
  'list_files',
  'read_file',
  'search_files',
  'session_search',
  'skills_list',
  'skill_view',
])

/** Tools that read or list. If the rest of a request is not understood, their call still answers a part. */
const READS: ReadonlySet<string> = new Set(['list_files', 'read_file'])

/** “Look at the budget and tell me …”: reading is all that the request needs. */
const AND_TELL = /(?:,|(?<!\s))\s+and\s+(?:then\s+)?(?:tell|summari[sz]e|explain)\s+\S.*$/is

/** Minimum probability to begin a call unasked. A wrong call that only reads costs little. */
const SURE = 0.75
const SURE_TO_LOOK = 0.6
/** Minimum probability to ask the user; below it a message wants no tool. */
const POSSIBLE = 0.3
/** Maximum number of calls to choose from. */
const MOST_LIKELY = 2

// The probability of each case, measured on labelled requests: see evals/small/README.md, “How probable”.
const PLAIN = 0.98
/** Probability if the rules are sure, but the message is much nearer to examples that want no tool. */
const PLAIN_BUT_FAR = 0.5
const MUCH_NEARER = 0.2
/** Probability if the rules are unsure, and the encoder agrees or gives no answer. */
const BOTH = 0.88
const RULES_ALONE = 0.5
/** Probability if the rules and the encoder differ; the encoder is right more often. */
const RULES_AGAINST = 0.35
const MEANING_AGAINST = 0.5
/** How much nearer to *none* a message must be for an unsure result of the rules to be ignored. */
const CLEAR = 0.06
/** Probability of each choice if the rules ask back. */
const ONE_OF_SOME = 0.5

/** The probability of the nearest example, by its lead over the others. */
const byLead = (lead: number): number => 1 / (1 + Math.exp(1.8 - 11 * lead))

/** Whether a tool only reads. */
export const isLooking = (tool: string): boolean => LOOKS.has(tool)

/** Whether a call is probable enough to begin it unasked. */
export const isSureEnough = ({ tool, probability }: LikelyCall): boolean =>
  probability >= (isLooking(tool) ? SURE_TO_LOOK : SURE)

/**
 * Decide which tool a message wants, within some milliseconds; undefined for none. A message is judged on its
 * own, so one that depends on earlier messages wants none. An unsure decision also gives none.
 * @internal The product also asks the built-in model; evals measure this part of it alone.
 */
export async function decideMessage(
  request: string,
  given: Scene,
  encode: Encode | undefined,
  signal: AbortSignal,
): Promise<Decision | undefined> {
  if (given.known.tools.length === 0) return undefined
  return chooseCall(await judgeMessage(request, given, encode, signal), given.known.tools)
}

/** The call of a judgement that is probable enough to begin with these tools. */
export function chooseCall({ likely: [best] }: Judgement, tools: readonly string[]): Decision | undefined {
  if (!best || !isSureEnough(best) || !tools.includes(best.tool)) return undefined
  const { probability: _probability, ...decided } = best
  return decided
}

/**
 * Judge which calls a message may want, of tools that are on or off: by the guide's rules if its wording is
 * explicit, else by the nearest labelled examples. Without an encoder only the rules count.
 */
export async function judgeMessage(
  request: string,
  given: Scene,
  encode: Encode | undefined,
  signal: AbortSignal,
): Promise<Judgement> {
  if (!isDecidable(request)) return { likely: [] }
  const scene = { ...given, known: { ...given.known, tools: KNOWN } }
  const parts = readParts(request, scene)
  const asked = parts?.first ?? request
  const plain = await runInSlices(understandSteps(asked, scene, []))
  const judged = plain?.kind === 'say' ? undefined : await judgeByMeaning(encode, asked, KNOWN, signal)
  const likely = weighOpinions(plain, judged, asked, scene)
    .filter(({ probability }) => probability >= POSSIBLE)
    .toSorted((one, other) => other.probability - one.probability)
    .slice(0, MOST_LIKELY)
  const next = plain?.kind === 'call' && plain.isSure ? plain.onResult : undefined
  if (likely.length === 0) return { likely }
  return { likely, ...(parts?.rest && { rest: parts.rest }), ...(next && { next }) }
}

function weighOpinions(
  plain: Meaning | undefined,
  judged: SecondOpinion | undefined,
  request: string,
  scene: Scene,
): LikelyCall[] {
  const { tool, lead = 0 } = judged ?? {}
  const as = (call: WantedCall, probability: number): LikelyCall => ({
    ...decisionOf(call, request, scene)!,
    probability,
  })
  const meant = (name: string, probability: number): LikelyCall => {
    const call = guessCall(name, request, scene)
    return call ? as(call, probability) : { tool: name, probability }
  }
  const isFar = judged !== undefined && tool === undefined
  if (!plain) return tool === undefined ? [] : [meant(tool, byLead(lead))]
  if (plain.kind === 'say') return []
  if (plain.kind === 'ask') return plain.choices.flatMap(({ call }) => (call ? [as(call, ONE_OF_SOME)] : []))
  const { call, isSure } = plain
  if (isSure) return [as(call, isFar && lead > MUCH_NEARER ? PLAIN_BUT_FAR : PLAIN)]
  if (isFar) return lead > CLEAR ? [] : [as(call, RULES_ALONE)]
  if (tool === undefined) return [as(call, RULES_ALONE)]
  if (tool === call.name) return [as(call, BOTH)]
  return [as(call, RULES_AGAINST), meant(tool, MEANING_AGAINST)]
}

/** The part of a message to decide on: in “read a, then write b” the first part. */
export const firstPart = (request: string, scene: Scene): string =>
  readParts(request, scene)?.first ?? request

/**
 * “Read a, then write b”: the first part and the rest, if both are explicit. In “read a, then tell me why”,
 * the first part alone, if it only reads.
 */
function readParts(request: string, scene: Scene): { first: string; rest?: Rest } | undefined {
  const told = request.replace(AND_TELL, '')
  const parts = splitRequest(request) ?? (told === request ? undefined : { first: told, rest: '' })
  const one = parts && understandRequest(parts.first, scene, [])
  if (!parts || one?.kind !== 'call' || !one.isSure) return undefined
  const { path } = one.call.arguments
  // The rest is sent alone, so it must name what it is about.
  const text =
    typeof path === 'string' && path !== '' && path !== '.'
      ? parts.rest.replace(/\b(?:it|that file|this file|the file)\b(?!['’])/i, path)
      : parts.rest
  // “Its first line” cannot be written before the file was read.
  const two =
    !/\bits\b/i.test(text) && isDecidable(text)
      ? understandRequest(splitRequest(text)?.first ?? text, scene, [])
      : undefined
  const next = two?.kind === 'call' ? decisionOf(two.call, text, scene) : undefined
  if (!next) return READS.has(one.call.name) ? { first: parts.first } : undefined
  return { first: parts.first, rest: { ...next, text: text.charAt(0).toUpperCase() + text.slice(1) } }
}

/** The decision for a call. Its arguments count only if the message states them. */
export const decisionOf = (
  call: WantedCall | undefined,
  request: string,
  scene: Pick<Scene, 'files' | 'folders'>,
): Decision | undefined =>
  call && {
    tool: call.name,
    ...(isGrounded(call.arguments, request, scene) && { arguments: call.arguments }),
  }

/** The call of a meaning; for a question the first choice, because calls that write or run ask anyway. */
export const callIn = (meant: Meaning): WantedCall | undefined =>
  meant.kind === 'call'
    ? meant.call
    : meant.kind === 'ask'
      ? meant.choices.find(({ call }) => call !== undefined)?.call
      : undefined

/** Separators between two requests in one message. */
const THEN =
  /(?:[,;.]|(?<!\s))\s+(?:(?:and|&)\s+)?(?:then|after that|afterwards|next),?\s+|[;.]\s+(?:also|finally),?\s+/i
/** “… and write …”: another verb that can start a request. */
const AND =
  /(?:,|(?<!\s))\s+and\s+(?:also\s+)?(?=(?:read|open|list|show|find|search|write|create|make|save|add|append|put|replace|change|run|execute|remember|note|delete|remove)\s+\S)/i
/** Quotes are not searched. */
const QUOTED = /`[^`]*`|"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|(?<![\p{L}\p{N}])['‘][^'’]*['’](?![\p{L}\p{N}])/gu
/** Minimum number of letters of a request. */
const SHORTEST = 3

/** The two parts of “read a, then write b”; undefined for a message with one request. @internal */
export function splitRequest(request: string): { first: string; rest: string } | undefined {
  const text = request.trim()
  const masked = text.replace(QUOTED, quoted => '_'.repeat(quoted.length))
  const found = THEN.exec(masked) ?? AND.exec(masked)
  if (!found) return undefined
  const first = text.slice(0, found.index).replace(/^first,?\s+/i, '')
  const rest = text.slice(found.index + found[0].length).trim()
  return first.length < SHORTEST || rest.length < SHORTEST ? undefined : { first, rest }
}
