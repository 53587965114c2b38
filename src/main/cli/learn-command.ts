import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { HostClient } from '../../shared/contract/index.ts'
import type { LearningEvent } from '../../shared/contract/learning.ts'
import { Fault } from '../../shared/rpc.ts'
import { reasonOf } from '../lib/expected-errors.ts'
import { absolutePath } from './user-paths.ts'
import { batchesOf, readEvents, type Batch } from './learn-events.ts'
import { withClient } from './open-client.ts'
import { escapeInvisible } from './terminal-text.ts'
import { showProposal } from './show-learning.ts'

export type LearnOptions = { home?: string; json?: true; from: string; model?: string }

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Invalid lines to report individually; more are only counted. */
const MAX_REPORTED = 20
/** Maximum events, because all must fit in memory. */
const MAX_EVENTS = 1_000_000
/** Lines of a change to show per proposal. */
const LINES = 12

/** Totals of a run. `saves`: findings are saved without asking and not printed one by one. */
type Counts = { reviews: number; proposals: number; saves: boolean }

/** Learn from another agent's work, given as a file of events. Resolves to whether all of it was read and reviewed. */
export async function learnCommand({ home, json, from, model }: LearnOptions): Promise<boolean> {
  const { events, wrong } = await eventsIn(from)
  if (wrong > MAX_REPORTED) aside(`${wrong - MAX_REPORTED} more lines cannot be read.`)
  if (events.length === 0) throw new Fault('bad_input', `${escapeInvisible(from)} holds no events.`)

  const stopping = new AbortController()
  const stop = () => stopping.abort()
  for (const signal of SIGNALS) process.once(signal, stop)
  const counts: Counts = { reviews: 0, proposals: 0, saves: false }
  try {
    const isWhole = await withClient(home, async client => {
      const { mode } = await client['learning.settings']({})
      if (mode === 'off')
        throw new Fault(
          'bad_input',
          'Learning is switched off. Switch it on: talaria learning settings mode ask',
        )
      counts.saves = mode === 'save'
      const modelId = model === undefined ? undefined : await modelIdOf(client, model)
      return feed(client, events, { modelId, json, counts, signal: stopping.signal })
    })
    if (!json) aside(inWords(counts))
    return isWhole && wrong === 0
  } catch (error) {
    if (!stopping.signal.aborted) throw error
    aside(`Stopped. ${inWords(counts)}`)
    return false
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}

async function eventsIn(from: string): Promise<{ events: LearningEvent[]; wrong: number }> {
  const input = from === '-' ? process.stdin : createReadStream(absolutePath(from))
  const events: LearningEvent[] = []
  let wrong = 0
  try {
    for await (const line of readEvents((input as Readable).setEncoding('utf8'))) {
      if ('event' in line) events.push(line.event)
      else if (++wrong <= MAX_REPORTED)
        aside(`Line ${line.number} is left out: ${escapeInvisible(line.wrong)}.`)
      if (events.length > MAX_EVENTS)
        throw new Fault(
          'bad_input',
          `It holds more than ${MAX_EVENTS.toLocaleString('en')} events. Split it.`,
        )
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof Fault || code === undefined) throw error
    throw new Fault('not_found', `${escapeInvisible(from)} cannot be read: ${reasonOf(code)}.`)
  }
  return { events, wrong }
}

type Feeding = { modelId: string | undefined; json: true | undefined; counts: Counts; signal: AbortSignal }

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
      // The host only rejects a single session that is too large; continue with the others.
      if (!(error instanceof Fault) || error.code !== 'bad_input' || batch.sessions > 1) throw error
      aside(`${escapeInvisible(batch.events[0]!.session)} is left out: ${error.message}`)
      isWhole = false
    }
  }
  return isWhole
}

async function feedBatch(client: HostClient, { events }: Batch, { modelId, json, counts, signal }: Feeding) {
  const steps = client['learning.feed']({ events, ...(modelId !== undefined && { modelId }) }, { signal })
  for await (const step of steps) {
    if (json) print(JSON.stringify(step))
    if (step.type === 'review') {
      counts.reviews++
      if (!json) aside(`Reviewing ${escapeInvisible(step.session)} (${step.done + 1} of ${step.total})`)
    }
    if (step.type === 'proposal') {
      counts.proposals++
      if (!json) print(showProposal(step.proposal, LINES))
    }
  }
}

function inWords({ reviews, proposals, saves }: Counts): string {
  if (reviews === 0) return 'There was too little in it for a review.'
  const parts = [many(reviews, 'review'), ...(proposals > 0 ? [many(proposals, 'proposal')] : [])]
  if (saves) return `${parts.join(', ')}. What was saved: talaria learning list`
  return proposals === 0 ? `${parts[0]}, nothing new proposed` : `${parts.join(', ')}: talaria learning list`
}

/** Accepts a model id that Talaria knows, or a file path. */
async function modelIdOf(client: HostClient, given: string): Promise<string> {
  const { models } = await client['model.list']({})
  return models.some(model => model.id === given) ? given : `file:${absolutePath(given)}`
}

const many = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`
const print = (text: string) => void process.stdout.write(`${text}\n`)
const aside = (text: string) => void process.stderr.write(`${text}\n`)
