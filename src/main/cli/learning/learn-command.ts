import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { HostClient } from '../../../shared/contract/index.ts'
import { tellSource } from '../../../shared/words/agent-names.ts'
import {
  LearningEvent,
  type LearnStep,
  ReadProgram,
  type ReviewCost,
} from '../../../shared/contract/learned/learning.ts'
import { Fault } from '../../../shared/rpc.ts'
import { fileErrorCode, parseJson, reasonOf, type Refusal } from '../../lib/expected-errors.ts'
import { absolutePath } from '../command-line.ts'
import { modelIdOf } from '../interactive/follow-run.ts'
import { agreeToEarlier, type EarlierOptions, programNamed } from './learn-earlier.ts'
import { withClient } from '../open-client.ts'
import { dayOf, printAside, escapeInvisible, many, printLine } from '../output/terminal-text.ts'
import { showProposal } from './learned-items.ts'
import { stopOnSignals } from '../stop-on-signals.ts'
import { jsonLine } from '../../../shared/visible-text/show-hidden.ts'

export type LearnOptions = EarlierOptions & { home?: string; verbose?: true; from?: string; model?: string }

/** Maximum number of invalid lines to report one by one; more are only counted. */
const MAX_REPORTED = 20
/** Maximum events, because all must fit in memory. */
const MAX_EVENTS = 1_000_000
/** Maximum number of lines to show of the change in a proposal. */
const LINES = 12

/** Totals of a run. `saves`: findings are saved without asking and not printed one by one. */
type Counts = { reviews: number; proposals: number; saves: boolean; waiting?: number }

/**
 * Learn from a text file, a folder of text files, or another agent's work: a file of events, or a program
 * whose own sessions are read. Resolves to whether everything was read and reviewed.
 */
export async function learnCommand(path: string | undefined, options: LearnOptions): Promise<boolean> {
  const { home, json, verbose, from, model, ...earlier } = options
  if ((path === undefined) === (from === undefined))
    throw new Fault('bad_input', 'Name a folder or a text file, or a file of events with --from.')
  const program = from === undefined ? undefined : programNamed(from)
  if (!program && Object.keys(earlier).length > 0)
    throw new Fault('bad_input', `--days, --sessions and --yes need --from ${PROGRAMS}.`)
  const isFile = from !== undefined && !program
  const { events, wrong } = isFile ? await eventsIn(from) : { events: [], wrong: 0 }
  if (wrong > MAX_REPORTED) printAside(`${wrong - MAX_REPORTED} more lines are invalid.`)
  if (isFile && events.length === 0)
    throw new Fault('bad_input', `${escapeInvisible(from)} contains no events.`)

  using stopping = stopOnSignals()
  const counts: Counts = { reviews: 0, proposals: 0, saves: false }
  try {
    const isWhole = await withClient(home, async client => {
      const { mode } = await client['learning.settings']({})
      if (mode === 'off')
        throw new Fault('bad_input', 'Learning is off. Turn it on with: talaria learning settings mode ask')
      counts.saves = mode === 'save' && isFile
      const modelId = model === undefined ? undefined : await modelIdOf(client, model)
      const feeding = { modelId, json, verbose, counts, signal: stopping.signal }
      if (program) return learnEarlier(client, program, { ...earlier, ...(json && { json }) }, feeding)
      if (path === undefined) return feed(client, events, feeding)
      const asked = { path: absolutePath(path), ...(modelId !== undefined && { modelId }) }
      await printSteps(client['learning.read'](asked, { signal: stopping.signal }), feeding)
      return true
    })
    if (!json && isWhole !== undefined) printAside(inWords(counts))
    return isWhole !== false && wrong === 0
  } catch (error) {
    if (!stopping.signal.aborted) throw error
    printAside(`Stopped. ${inWords(counts)}`)
    return false
  }
}

const PROGRAMS = new Intl.ListFormat('en', { type: 'disjunction' }).format(ReadProgram.options)

/**
 * Learn from the earlier sessions of a program. Undefined if there was nothing to learn, or the user
 * declined.
 */
async function learnEarlier(
  client: HostClient,
  program: ReadProgram,
  earlier: EarlierOptions,
  feeding: Feeding,
): Promise<true | undefined> {
  const { signal, modelId } = feeding
  const agreed = await agreeToEarlier(client, program, earlier, signal)
  if (!agreed) return undefined
  const asked = { ...agreed, ...(modelId !== undefined && { modelId }) }
  await printSteps(client['learning.readEarlier'](asked, { signal }), feeding)
  return true
}

async function eventsIn(from: string): Promise<{ events: LearningEvent[]; wrong: number }> {
  const input = from === '-' ? process.stdin : createReadStream(absolutePath(from))
  const events: LearningEvent[] = []
  let wrong = 0
  try {
    for await (const line of readEvents((input as Readable).setEncoding('utf8'))) {
      if ('event' in line) events.push(line.event)
      else if (++wrong <= MAX_REPORTED)
        printAside(`Line ${line.number} is skipped: ${escapeInvisible(line.refused)}.`)
      if (events.length > MAX_EVENTS)
        throw new Fault(
          'bad_input',
          `The file contains more than ${MAX_EVENTS.toLocaleString('en')} events. Split the file.`,
        )
    }
  } catch (error) {
    const reason = reasonOf(fileErrorCode(error))
    throw new Fault('not_found', `${escapeInvisible(from)} cannot be read: ${reason}.`)
  }
  return { events, wrong }
}

type Feeding = {
  modelId: string | undefined
  json: true | undefined
  verbose: true | undefined
  counts: Counts
  signal: AbortSignal
}

async function feed(
  client: HostClient,
  events: readonly LearningEvent[],
  feeding: Feeding,
): Promise<boolean> {
  let isWhole = true
  for (const batch of batchesOf(events)) {
    try {
      await feedBatch(client, batch, feeding)
    } catch (error) {
      // The host rejects only the one session that is too large; continue with the others.
      if (!(error instanceof Fault) || error.code !== 'bad_input' || batch.sessions > 1) throw error
      printAside(`${escapeInvisible(batch.events[0]!.session)} is skipped: ${error.message}`)
      isWhole = false
    }
  }
  return isWhole
}

async function feedBatch(client: HostClient, { events }: Batch, feeding: Feeding) {
  const { modelId, signal } = feeding
  const asked = { events, ...(modelId !== undefined && { modelId }) }
  await printSteps(client['learning.feed'](asked, { signal }), feeding)
}

async function printSteps(
  steps: AsyncIterable<LearnStep>,
  { json, verbose, counts }: Pick<Feeding, 'json' | 'verbose' | 'counts'>,
) {
  for await (const step of steps) {
    if (json) printLine(jsonLine(step))
    if (step.type === 'review') {
      counts.reviews++
      const { session, from, done, total } = step
      const what = from ? `${tellSource(from)}, ${dayOf(from.at)}` : session
      if (!json) printAside(`Reviewing ${escapeInvisible(what)} (${done + 1} of ${total})`)
    }
    if (step.type === 'done' && step.waiting !== undefined) counts.waiting = step.waiting
    if (step.type === 'proposal') {
      counts.proposals++
      if (!json) printLine(showProposal(step.proposal, LINES))
    }
    if (step.type === 'reviewed' && verbose && !json) {
      printAside(`  ended: ${step.ended}${step.outcome === '' ? '' : ` (${escapeInvisible(step.outcome)})`}`)
      if (step.cost) printAside(`  ${costInWords(step.cost)}`)
    }
  }
}

const costInWords = ({ ms, promptTokens, reusedTokens, outputTokens, model }: ReviewCost) =>
  `${escapeInvisible(model)}: ${(ms / 1000).toFixed(1)} s, ${promptTokens} tokens read, ${reusedTokens} of them reused, ${outputTokens} written`

/** Learn from a text that the user named in a terminal chat, and print the result. */
export async function learnNamedText(client: HostClient, sessionId: string, path: string): Promise<void> {
  using stopping = stopOnSignals()
  const counts: Counts = { reviews: 0, proposals: 0, saves: false }
  const steps = client['learning.read']({ path, sessionId }, { signal: stopping.signal })
  try {
    await printSteps(steps, { json: undefined, verbose: undefined, counts })
    printAside(inWords(counts))
  } catch (error) {
    if (!stopping.signal.aborted) throw error
    printAside(`Stopped. ${inWords(counts)}`)
  }
}

function inWords({ reviews, proposals, saves, waiting = 0 }: Counts): string {
  if (waiting > 0)
    return `${inWords({ reviews, proposals, saves })}. ${many(waiting, 'more review')} will follow on later days; learning.foreign_reviews_a_day sets how many a day.`
  if (reviews === 0) return 'There was not enough text for a review.'
  const parts = [many(reviews, 'review'), ...(proposals > 0 ? [many(proposals, 'proposal')] : [])]
  if (saves) return `${parts.join(', ')}. What was saved: talaria learning list`
  return proposals === 0 ? `${parts[0]}, nothing new proposed` : `${parts.join(', ')}: talaria learning list`
}

/**
 * A line of an events file: the event, or what is wrong with it. Numbers count from 1, including empty lines.
 */
export type EventLine = { number: number } & ({ event: LearningEvent } | Refusal)

/** Maximum characters of an event that the host accepts. */
const MAX_EVENT_CHARS = 4_000_000

/** Stream events from JSON lines; an invalid line does not end the stream. */
export async function* readEvents(text: AsyncIterable<string>): AsyncGenerator<EventLine> {
  for await (const { number, line } of linesOf(text)) {
    if (line === undefined)
      yield { number, refused: `it is longer than ${MAX_EVENT_CHARS.toLocaleString('en')} characters` }
    else if (line.trim() !== '') yield { number, ...eventIn(line) }
  }
}

function eventIn(line: string): { event: LearningEvent } | Refusal {
  const value = parseJson(line)
  if (value === undefined) return { refused: 'it is not JSON' }
  const read = LearningEvent.safeParse(value)
  if (read.success) return { event: read.data }
  const { path, message } = read.error.issues[0]!
  return { refused: path.length === 0 ? message : `“${path.join('.')}”: ${message}` }
}

/** Split streamed text into lines; an overlong line becomes undefined and is not kept in memory. */
async function* linesOf(
  text: AsyncIterable<string>,
): AsyncGenerator<{ number: number; line: string | undefined }> {
  let number = 1
  let parts: string[] = []
  let length = 0
  const take = (part: string) => {
    length += part.length
    if (length <= MAX_EVENT_CHARS) parts.push(part)
    else parts = []
  }
  const end = () => {
    const line = length > MAX_EVENT_CHARS ? undefined : parts.join('')
    parts = []
    length = 0
    // A byte order mark does not belong to the first line.
    return { number, line: number++ === 1 ? line?.replace(/^\uFEFF/, '') : line }
  }
  for await (const piece of text) {
    let from = 0
    for (let to = piece.indexOf('\n'); to >= 0; to = piece.indexOf('\n', from)) {
      take(piece.slice(from, to))
      from = to + 1
      yield end()
    }
    take(piece.slice(from))
  }
  if (length > 0) yield end()
}

/** Events to send in one request. */
export type Batch = { events: LearningEvent[]; sessions: number }

/** Limits of one request to the host, with a margin for its other fields. */
const BATCH_EVENTS = 100_000
const BATCH_BYTES = 1_000_000

/**
 * Group whole sessions into as few batches as possible. Counters are per session, so any grouping gives the
 * same result. A session that is too large for one batch gets its own.
 */
export function batchesOf(events: readonly LearningEvent[]): Batch[] {
  const sessions = new Map<string, { events: LearningEvent[]; bytes: number }>()
  for (const event of events) {
    const own = sessions.get(event.session) ?? { events: [], bytes: 0 }
    own.events.push(event)
    own.bytes += Buffer.byteLength(JSON.stringify(event)) + 1
    sessions.set(event.session, own)
  }
  const batches: (Batch & { bytes: number })[] = []
  for (const { events: own, bytes } of sessions.values()) {
    const last = batches.at(-1)
    const fits = last && last.bytes + bytes <= BATCH_BYTES && last.events.length + own.length <= BATCH_EVENTS
    if (!fits) batches.push({ events: own, sessions: 1, bytes })
    else {
      last.events.push(...own)
      last.bytes += bytes
      last.sessions++
    }
  }
  return batches
}
