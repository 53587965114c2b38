import { setImmediate as others } from 'node:timers/promises'
import type { Message } from '../../../shared/contract/messages.ts'
import type { Compaction } from '../../../shared/contract/session.ts'
import { isFailure } from '../../models/engine.ts'
import { redactIn, redactText } from '../../lib/redact.ts'
import { runInSlices } from '../../lib/timing.ts'
import { fixedCost, sumTokens } from '../fit-history.ts'
import type { Turn } from '../turn-types.ts'
import { askSummary, summaryPrompt } from './ask-summary.ts'
import type { Plan } from './plan.ts'
import { isSummary, pruneUpTo } from './apply-compaction.ts'
import { isEmpty, readSummary, trimSummary, writeSummary, emptySummary, type Summary } from './summary.ts'
import { extendSummary } from './merge-summaries.ts'
import { stepLines } from './steps-done.ts'

type Asker = Pick<
  Turn,
  'engine' | 'system' | 'contextTokens' | 'tools' | 'strategy' | 'sessionId' | 'summariser'
>
type Earlier = Pick<Compaction, 'summary' | 'prunedToId'> | undefined

/** Bounds of the length of a summary in tokens. */
const MIN_SUMMARY = 160
const MAX_SUMMARY = 2_000
/** Maximum share of the context window for a summary that has grown over many passes. */
const WHOLE_SUMMARY = 0.15
const WORDS_A_TOKEN = 0.7
/** Extra tokens for a model that reasons before it writes. */
const THOUGHTS = 1_500
/** Models with a smaller context window are not asked: the question and its answer would fill it. */
const MIN_WINDOW = 2_048
/** A question that was too long is asked again if it can be shortened to this share. */
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
  /** Nobody asked for it, so it may wait for the chat's own model. */
  mayWait: boolean
}

/**
 * Extend the earlier summary with the messages that a plan replaces. Undefined when stopped, or when it may wait and the chat's own
 * model is away: what is put into words by rules now would be all that this model reads of them later.
 */
export async function summariseMessages(
  turn: Asker,
  { plan, sent: given, tokens, earlier, focus, share, mayWait }: ToSummarise,
  signal: AbortSignal,
): Promise<{ summary: string; by: 'model' | 'local' } | undefined> {
  const target = await targetTokens(turn, plan, share)
  // Items are cut to a length when they are read, and half a key is not recognised any more.
  const before = readSummary(redactText(earlier?.summary ?? ''))
  const sent = await withoutSecrets(given)
  const profile = await turn.engine.profile()
  const wanted = {
    words: Math.round(target * WORDS_A_TOKEN),
    focus: redactText(focus),
    hasEarlier: !isEmpty(before),
    isBasic: !isFailure(profile) && profile.basicTools === true,
  }
  const question = turn.engine.count(summaryPrompt(wanted))
  const thinks = sent.some(message => message.role === 'assistant' && message.reasoning !== '')
  const most = target * 2 + (thinks ? THOUGHTS : 0)

  // A separate summary model has no cached prefix of this chat, so it reads the conversation under its own
  // session id.
  const other = await turn.summariser?.()
  const asker: Asker = other ? { ...turn, ...other, sessionId: `summary-${turn.sessionId}` } : turn

  /** Tokens left for the answer after these messages; 0 when too few. */
  const roomBehind = (prompt: number): number => {
    const room = asker.contextTokens < MIN_WINDOW ? 0 : asker.contextTokens - prompt - question
    return room < target ? 0 : Math.min(most, room)
  }
  const ask = async (): Promise<Awaited<ReturnType<typeof askSummary>> | undefined> => {
    const room = roomBehind(tokens)
    const first = room > 0 ? await askSummary(asker, sent, { ...wanted, maxTokens: room }, signal) : undefined
    if (first && !first.isFull) return first
    // Without the old results and what calls carried it may fit, at the price of evaluating the prompt again.
    const shorter = pruneUpTo(sent, plan.upToId)
    const needed = fixedCost(asker) + (await sumTokens(asker, shorter))
    const rest = roomBehind(needed)
    if (rest === 0 || (first && needed > tokens * SHORTER)) return undefined
    return askSummary(asker, shorter, { ...wanted, maxTokens: rest }, signal)
  }
  const answer = await ask()
  if (signal.aborted || (answer?.isAway && mayWait && !other)) return undefined
  const said = readSummary(redactText(answer?.text ?? ''))
  const isModel = !isEmpty(said)
  const count = (text: string) => turn.engine.count(text)
  const middle = await withoutSecrets(plan.middle)
  const found = isModel ? said : await summariseLocally(middle)
  const trimmed = trimSummary(found, target * 2, count)
  const extended = extendSummary(before, {
    ...trimmed,
    Done: [...doneIn(middle, plan, target, count), ...trimmed.Done],
  })
  const asked = sent.findLast(message => message.role === 'user' && !isSummary(message))
  // Where the middle ends within the turn of that question, what is in progress is what it asks for.
  const isEnd = asked !== undefined && plan.questionId === 0 && endsTask(asked.text)
  const ended = isEnd ? withTaskEnded(extended, asked.text) : extended
  const whole = trimSummary(ended, wholeTokens(turn.contextTokens), count)
  return { summary: writeSummary(whole) || NOTHING, by: isModel ? 'model' : 'local' }
}

/**
 * The newest steps of a turn that goes on, as far as they fit: which of many parts are done must not depend on what a model
 * finds worth saying.
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

/** A message with what was said in it redacted. Its other fields, and their names, would cost ten times as much. */
const withoutSecret = (message: Message): Message =>
  message.role === 'assistant'
    ? {
        ...message,
        text: redactText(message.text),
        reasoning: redactText(message.reasoning),
        calls: redactIn(message.calls),
      }
    : { ...message, text: redactText(message.text) }

/** Messages with their keys and passwords redacted. They are long, so other work gets its turn in between. */
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

/** How a person ends a task or takes it back, in six languages, and the words that may surround it. */
const ENDING_WORDS =
  'stop|cancel|abort|undo|revert|quit|never ?mind|forget|leave|drop|stopp|aufhören|abbrechen|vergiss|lass|rückgängig|arrête|annule|laisse tomber|para|cancela|olvídalo|déjalo|deshaz|fermati|annulla|lascia stare|pare|cancele|esquece|deixa'
const SMALL_WORDS =
  'ok|okay|no|oh|wait|please|just|it|that|this|everything|all|the|task|work|now|here|doing|working|on|about|nein|bitte|halt|hör|auf|ab|brich|mach|das|es|alles|jetzt|non|ça|tout|eso|todo|tutto|isso|tudo'
const ENDS_TASK = new RegExp(
  `^(?:(?:${SMALL_WORDS})[\\s,.!]+)*(?:${ENDING_WORDS})(?:\\s+(?:${SMALL_WORDS}))*\\s*(?:[.,;:!–—-]|$)`,
  'iu',
)
const endsTask = (text: string): boolean => ENDS_TASK.test(text.trim())

/** A task that the user has ended is not taken up again from its summary. */
const withTaskEnded = (summary: Summary, word: string): Summary => ({
  ...summary,
  Constraints: [
    ...summary.Constraints,
    `The user said “${short(word, MAX_WORD_CHARS)}”: what was in progress then has ended and is not taken up again`,
  ],
  'In progress': [],
  'Next steps': [],
})

const MUST =
  /\b(must|never|always|don['’]t|do not|only|prefer|please use|instead of|make sure|avoid|muss|nie|immer|nur|bitte)\b/i
const DECIDED =
  /\b(let['’]s|we(['’]ll| will| should)|decided?|use|go with|choose|chose|agreed|wir nehmen|entschieden)\b/i
/** A sentence with a name or a number is a fact that the user may ask for later. */
const FACT = /\d|\b(is|are|am|my|our|called|named|heißt|ist|mein|meine)\b/i
const PATH =
  /(?:~|\.{1,2})?\/?[\w.-]+(?:\/[\w.-]+)+|\b[\w-]+\.(?:ts|tsx|js|py|md|txt|json|ya?ml|csv|html|css|sql|sh|go|rs|java|c|cpp|toml)\b/g
const MAX_SENTENCE_CHARS = 240
const MAX_WORD_CHARS = 80
/** Limits: lines per section, characters read per message, sentences taken per message. */
const MAX_LINES = 40
const MAX_MESSAGE_CHARS = 8_000
const MAX_SENTENCES = 30
const MAX_FAILURES = 5
/** Messages to read before other work gets its turn. */
const READ_AT_ONCE = 200

/**
 * Build a summary without a model: the user's requests turn by turn in their own words, sentences that demand
 * or decide something, files that were touched, and failures. Plain, but it invents nothing. Other work gets its turn
 * in between.
 */
async function summariseLocally(messages: readonly Message[]): Promise<Summary> {
  const summary = emptySummary()
  const files = new Set<string>()
  const failures: string[] = []
  for (const [index, message] of messages.entries()) {
    if (index % READ_AT_ONCE === READ_AT_ONCE - 1) await others()
    if (message.role === 'tool') {
      if (!message.ok) failures.push(short(`${message.name} failed: ${message.text.split('\n', 1)[0]}`))
      continue
    }
    if (message.role === 'user') takeUser(summary, message.text, answerTo(messages, index))
    else
      for (const { arguments: given } of message.calls)
        for (const value of [given['path'], given['file']]) if (typeof value === 'string') files.add(value)
    for (const path of message.text.slice(0, MAX_MESSAGE_CHARS).match(PATH) ?? []) files.add(path)
  }
  // An overlong summary is cut from the start, so failures go before what the user said.
  summary.Gotchas.unshift(...failures.slice(-MAX_FAILURES))
  summary.Files.push(...[...files].slice(-MAX_LINES).map(short))
  for (const section of ['Constraints', 'Decisions', 'Done', 'Gotchas'] as const) {
    await others()
    summary[section] = [...new Set(summary[section])].slice(-MAX_LINES)
  }
  return summary
}

function takeUser(summary: Summary, text: string, answer: string | undefined): void {
  const sentences = sentencesOf(text)
  const [asked] = sentences
  if (asked === undefined) return
  const said = answer === undefined ? undefined : sentencesOf(answer)[0]
  summary.Done.push(
    said === undefined
      ? `Asked: ${short(asked)}`
      : `Asked: ${short(asked, MAX_SENTENCE_CHARS / 2)} → ${short(said, MAX_SENTENCE_CHARS / 2)}`,
  )
  for (const sentence of sentences) {
    if (MUST.test(sentence)) summary.Constraints.push(short(sentence))
    else if (DECIDED.test(sentence)) summary.Decisions.push(short(sentence))
    else if (FACT.test(sentence) && !sentence.endsWith('?')) summary.Gotchas.push(short(sentence))
  }
}

/** The first words of the answer to a question. */
function answerTo(messages: readonly Message[], index: number): string | undefined {
  for (let at = index + 1; at < messages.length; at++) {
    const message = messages[at]!
    if (message.role === 'user') return undefined
    if (message.role === 'assistant' && message.text.trim() !== '') return message.text
  }
  return undefined
}

const sentencesOf = (text: string): string[] =>
  text
    .slice(0, MAX_MESSAGE_CHARS)
    .split(/(?<=[.!?…])\s+|\n+/, MAX_SENTENCES)
    .map(sentence => sentence.trim())
    .filter(sentence => /\p{L}/u.test(sentence))

const short = (text: string, most = MAX_SENTENCE_CHARS): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`
}
