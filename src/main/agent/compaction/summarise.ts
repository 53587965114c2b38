import type { Message } from '../../../shared/contract/chats/messages.ts'
import type { Compaction } from '../../../shared/contract/chats/session.ts'
import { redactIn, redactText } from '../../untrusted/redact.ts'
import { runInSlices } from '../../lib/timing.ts'
import { fixedCost, sumTokens } from '../fit-history.ts'
import { isGuided } from '../guide.ts'
import type { Turn } from '../turn-types.ts'
import { askSummary, summaryPrompt } from './ask-summary.ts'
import type { Plan } from './plan.ts'
import { isSummary, pruneUpTo } from './apply-compaction.ts'
import { isEmpty, readSummary, trimSummary, writeSummary, type Summary } from './summary.ts'
import { extendSummary } from './merge-summaries.ts'
import { judgeSummary } from './judge-summary.ts'
import { withoutForged, withStated } from './stated-facts.ts'
import { MAX_LINES, shortenLine, summariseByRules } from './summarise-by-rules.ts'
import { stepLines } from './steps-done.ts'

type Asker = Pick<
  Turn,
  'engine' | 'system' | 'contextTokens' | 'tools' | 'strategy' | 'sessionId' | 'summariser' | 'guide'
>
type Earlier = Pick<Compaction, 'summary' | 'prunedToId'> | undefined

/** Minimum and maximum length of a summary, in tokens. */
const MIN_SUMMARY = 160
const MAX_SUMMARY = 2_000
/** Maximum share of the context window for a summary that has grown over many passes. */
const WHOLE_SUMMARY = 0.15
const WORDS_A_TOKEN = 0.7
/** Extra tokens for a model that reasons before it writes. */
const THOUGHTS = 1_500
/** Minimum context window of a model that is asked; question and answer would fill a smaller one. */
const MIN_WINDOW = 2_048
/** Maximum share of its length to which a question that was too long must shrink to be asked again. */
const SHORTER = 0.9
const NOTHING = '## Done\n- (nothing that could be summarised)'

/** Maximum tokens of the whole summary, after any number of passes. */
const wholeTokens = (contextTokens: number): number =>
  Math.max(Math.floor(contextTokens * WHOLE_SUMMARY), MIN_SUMMARY)

/** Maximum tokens of the summary after one more pass. */
export const nextSummaryTokens = (turn: Asker, earlier: Earlier): number =>
  Math.min(wholeTokens(turn.contextTokens), turn.engine.count(earlier?.summary ?? '') + MAX_SUMMARY)

/** Tokens that a plan frees, estimated from the length requested for the summary. */
export async function expectedGain(
  turn: Asker,
  plan: Plan,
  earlier: Earlier,
  share: number,
): Promise<number> {
  const middle = await sumTokens(turn, pruneUpTo(plan.middle, earlier?.prunedToId ?? 0))
  const most = nextSummaryTokens(turn, earlier) - turn.engine.count(earlier?.summary ?? '')
  return middle - Math.min(await targetTokens(turn, plan, share), Math.max(0, most))
}

async function targetTokens(turn: Asker, { middle, upToId }: Plan, share: number): Promise<number> {
  const tokens = (await sumTokens(turn, pruneUpTo(middle, upToId))) * share
  return Math.round(Math.min(Math.max(tokens, MIN_SUMMARY), MAX_SUMMARY))
}

type ToSummarise = {
  plan: Plan
  /** The messages that the model reads now, and their tokens with everything around them. */
  sent: readonly Message[]
  tokens: number
  earlier: Earlier
  focus: string
  /** Length of the summary as a share of what it replaces. */
  share: number
  /** The user did not ask for this summary, so it may wait until the chat's own model is back. */
  mayWait: boolean
}

/**
 * Extend the earlier summary with the messages that a plan replaces. A useless summary of a model is rejected
 * and one is made by rules instead. A guided model is not asked. Both kinds include what the user stated
 * about themselves. Undefined if stopped, or if `mayWait` and the chat's own model is away: it would never
 * read more of these messages than a summary by rules.
 */
export async function summariseMessages(
  turn: Asker,
  { plan, sent: given, tokens, earlier, focus, share, mayWait }: ToSummarise,
  signal: AbortSignal,
): Promise<Pick<Compaction, 'summary' | 'by' | 'refused'> | undefined> {
  const target = await targetTokens(turn, plan, share)
  // Redact before reading: items are cut to a length while they are read, and half a key is not recognised.
  const before = readSummary(redactText(earlier?.summary ?? ''))
  const sent = await withoutSecrets(given)
  const wanted = {
    words: Math.round(target * WORDS_A_TOKEN),
    focus: redactText(focus),
    hasEarlier: !isEmpty(before),
  }
  const question = turn.engine.count(summaryPrompt(wanted))
  const thinks = sent.some(message => message.role === 'assistant' && message.reasoning !== '')
  const most = target * 2 + (thinks ? THOUGHTS : 0)

  // A separate summary model has no cached prefix of this chat, so it gets its own session id.
  const other = await turn.summariser?.()
  const asker: Asker = other ? { ...turn, ...other, sessionId: `summary-${turn.sessionId}` } : turn

  /** Tokens left for the answer after these messages; 0 if there are too few. */
  const roomBehind = (prompt: number): number => {
    const room = asker.contextTokens < MIN_WINDOW ? 0 : asker.contextTokens - prompt - question
    return room < target ? 0 : Math.min(most, room)
  }
  const ask = async (): Promise<Awaited<ReturnType<typeof askSummary>> | undefined> => {
    const room = roomBehind(tokens)
    const first = room > 0 ? await askSummary(asker, sent, { ...wanted, maxTokens: room }, signal) : undefined
    if (first && !first.isFull) return first
    // The question may fit without the old results and call arguments, but must be evaluated again.
    const shorter = pruneUpTo(sent, plan.upToId)
    const needed = fixedCost(asker) + (await sumTokens(asker, shorter))
    const rest = roomBehind(needed)
    if (rest === 0 || (first && needed > tokens * SHORTER)) return undefined
    return askSummary(asker, shorter, { ...wanted, maxTokens: rest }, signal)
  }
  const answer = (await isGuided(other ?? turn)) ? undefined : await ask()
  if (signal.aborted || (answer?.isAway && mayWait && !other)) return undefined
  const text = redactText(answer?.text ?? '')
  const refused = judgeSummary(text, textsOf(sent, before))
  const said = withoutForged(readSummary(text))
  const isModel = refused === undefined && !isEmpty(said)
  const count = (given: string) => turn.engine.count(given)
  const middle = await withoutSecrets(plan.middle)
  // Steps of a turn in progress are added below, newest first.
  const found = isModel ? said : await summariseByRules(middle, plan.questionId || Infinity)
  const trimmed = trimSummary(found, target * 2, count)
  const extended = extendSummary(before, {
    ...trimmed,
    Done: [...doneIn(middle, plan, target, count), ...trimmed.Done],
  })
  const asked = sent.findLast(message => message.role === 'user' && !isSummary(message))
  // If the middle ends within the turn of that question, the work in progress is what the question asks for.
  const isEnd = asked !== undefined && plan.questionId === 0 && endsTask(asked.text)
  const ended = isEnd ? withTaskEnded(extended, asked.text) : extended
  const whole = await withStated(ended, middle, wholeTokens(turn.contextTokens), count)
  const written = writeSummary(whole) || NOTHING
  return { summary: written, by: isModel ? 'model' : 'local', ...(refused && { refused }) }
}

/** The texts that a summary is judged by: all that the model read, and the previous summary. */
const textsOf = (sent: readonly Message[], before: Summary): string[] => [
  writeSummary(before),
  ...sent
    .filter(message => !isSummary(message))
    .map(message =>
      message.role === 'assistant' && message.calls.length > 0
        ? `${message.text} ${JSON.stringify(message.calls.map(call => call.arguments))}`
        : message.text,
    ),
]

/**
 * The newest steps of a turn in progress, as far as they fit. Which of many parts are done must not depend on
 * what a model finds worth saying.
 */
function doneIn(
  middle: readonly Message[],
  { questionId }: Pick<Plan, 'questionId'>,
  room: number,
  count: (text: string) => number,
): string[] {
  if (questionId === 0) return []
  const lines = stepLines(middle.filter(message => message.id > questionId))
  let used = 0
  const from = lines.findLastIndex(line => (used += count(line)) > room)
  return lines.slice(from + 1).slice(-MAX_LINES)
}

/** Redact the texts and calls of a message. Redacting all fields would cost ten times as much. */
const withoutSecret = (message: Message): Message =>
  message.role === 'assistant'
    ? {
        ...message,
        text: redactText(message.text),
        reasoning: redactText(message.reasoning),
        calls: redactIn(message.calls),
      }
    : { ...message, text: redactText(message.text) }

/** Redact keys and passwords in messages. Messages can be long, so this yields to other work. */
const withoutSecrets = (messages: readonly Message[]): Promise<Message[]> =>
  runInSlices(
    (function* () {
      const clean: Message[] = []
      for (const message of messages) {
        clean.push(withoutSecret(message))
        yield
      }
      return clean
    })(),
  )

/** How users end a task or revoke it, in six languages, and the words that may surround that. */
const ENDING_WORDS =
  'stop|cancel|abort|undo|revert|quit|never ?mind|forget|leave|drop|stopp|aufhören|abbrechen|vergiss|lass|rückgängig|arrête|annule|laisse tomber|para|cancela|olvídalo|déjalo|deshaz|fermati|annulla|lascia stare|pare|cancele|esquece|deixa'
const SMALL_WORDS =
  'ok|okay|no|oh|wait|please|just|it|that|this|everything|all|the|task|work|now|here|doing|working|on|about|nein|bitte|halt|hör|auf|ab|brich|mach|das|es|alles|jetzt|non|ça|tout|eso|todo|tutto|isso|tudo'
const ENDS_TASK = new RegExp(
  `^(?:(?:${SMALL_WORDS})[\\s,.!]+)*(?:${ENDING_WORDS})(?:\\s+(?:${SMALL_WORDS}))*\\s*(?:[.,;:!–—-]|$)`,
  'iu',
)
const MAX_WORD_CHARS = 80
const endsTask = (text: string): boolean => ENDS_TASK.test(text.trim())

/** Record that the user ended the task, so that it is not resumed from the summary. */
const withTaskEnded = (summary: Summary, word: string): Summary => ({
  ...summary,
  Constraints: [
    ...summary.Constraints,
    `The user said “${shortenLine(word, MAX_WORD_CHARS)}”: what was in progress then has ended and is not taken up again`,
  ],
  'In progress': [],
  'Next steps': [],
})
