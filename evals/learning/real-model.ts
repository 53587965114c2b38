import { setTimeout as sleep } from 'node:timers/promises'
import type { HostClient } from '../../src/shared/contract/index.ts'
import type { Review } from '../../src/shared/contract/learned/learning.ts'
import type { Figures } from '../records.ts'
import { aHome, startHost, writeFiles } from './a-home.ts'
import type { Case } from './case.ts'
import { compareKept, summariseKept, type Measured } from './compare-kept.ts'
import { eventsOf, type Way } from './converse.ts'
import { say, waiting } from './person.ts'
import { configureHome, newChat, prepareCase } from './prepare-case.ts'
import { startRecorded, startWithRecorded } from './run-case.ts'
import { followScript, type Script } from './scripted-model.ts'

/** An existing model: a GGUF file, or a server with its name for the model. */
export type RealModel = { file: string } | { baseUrl: string; model: string; apiKey?: string }

/**
 * How to measure a real model: the way in which it learns, and how long its reviews of one conversation may
 * take.
 */
export type RealOptions = { way: Way; waitMs: number }

/** How long to wait for a review, in ms. */
export const WAIT_MS = 600_000
/** Longer than any measurement, so that only the eval begins reviews. */
const NEVER_IDLE = 3_600

/** Why a model cannot be asked at all, as a sentence; undefined if it can. */
export async function explainMissing(real: RealModel): Promise<string | undefined> {
  using home = aHome()
  await using host = await startHost(home)
  try {
    if ('file' in real) {
      const { id } = await addModel(host.client, real)
      await host.client['model.load']({ id })
      return undefined
    }
    const { baseUrl, model, apiKey = '' } = real
    const { ok, text, fix } = await host.client['model.tryServer']({ baseUrl, apiKey, model })
    return ok ? undefined : `${text} ${fix}`.trim()
  } catch (error) {
    return (error as Error).message
  }
}

/**
 * Have the recorded conversations, and let a real model look back at each as in the product: at the turn when
 * a nudge of the case's settings is due, for the kinds of that nudge.
 */
export async function measureRealModel(
  cases: readonly Case[],
  real: RealModel,
  options: RealOptions,
  onRow: (row: Measured) => void = () => {},
): Promise<{ rows: Measured[]; figures: Figures }> {
  const rows: Measured[] = []
  for (const each of cases.filter(({ scriptAlone, ways }) => !scriptAlone && ways.includes(options.way))) {
    const row = await measureCase(each, real, options)
    rows.push(row)
    onRow(row)
  }
  return { rows, figures: summariseKept(rows) }
}

const addModel = (client: HostClient, real: RealModel) =>
  'file' in real
    ? client['model.add']({ path: real.file })
    : client['model.addServer']({ name: 'Real', ...real })

type Ended = Pick<Measured, 'state' | 'failure'>

async function measureCase(given: Case, real: RealModel, { way, waitMs }: RealOptions): Promise<Measured> {
  const startedAt = performance.now()
  const server = await startRecorded()
  let texts: string[] = []
  let reviews: Measured['reviews'] = []
  let ended: Ended
  try {
    using home = aHome()
    const script = followScript(server)
    writeFiles(home.workspace, given.given.files)
    configureHome(home.path, given, { idle_seconds: NEVER_IDLE })
    const { host, recordedId } = await startWithRecorded(home, server)
    await using _ = host
    const { client } = host
    await prepareCase(client, given, script)
    // The recorded model must never look back instead of the real one.
    script.review(null)
    const { id: realId } = await addModel(client, real)
    const before = await knownIds(client)
    const models = { recordedId, realId, waitMs }
    ended = await (way === 'chat'
      ? reviewChat(client, given, script, models)
      : reviewEvents(client, given, models))
    texts = await keptTexts(client, before)
    reviews = await reviewsSince(client, before)
  } catch (error) {
    ended = { state: 'failed', failure: (error as Error).message }
  } finally {
    await server.close()
  }
  return compareKept(given, texts, { ...ended, reviews, ms: Math.round(performance.now() - startedAt) })
}

/** The texts that reviews proposed or saved. */
async function keptTexts(client: HostClient, before: ReadonlySet<string>): Promise<string[]> {
  const { waiting: cards, items } = await client['learning.activity']({ filter: 'all', limit: 200 })
  const proposed = cards
    .filter(({ id }) => !before.has(id))
    .map(each => each.after ?? each.before ?? each.headline)
  const changes = items.flatMap(item =>
    item.type === 'change' && item.change.by === 'review' ? [item.change] : [],
  )
  const saved = changes.flatMap(({ memory, skills }) => [
    ...memory.map(each => each.after ?? each.before ?? ''),
    ...skills.map(({ files }) => files.map(file => file.after ?? file.before ?? '').join('\n')),
  ])
  return [...proposed, ...saved]
}

/** All reviews: first the ended ones, in their order. */
async function allReviews(client: HostClient): Promise<Review[]> {
  const { items, reviews } = await client['learning.activity']({ filter: 'quiet', limit: 200 })
  const ended = items.flatMap(item => (item.type === 'review' ? [item.review] : []))
  return [...ended.toReversed(), ...reviews]
}

/** The ids of everything that existed before the conversation. */
const knownIds = async (client: HostClient): Promise<ReadonlySet<string>> =>
  new Set([...(await waiting(client)), ...(await allReviews(client))].map(({ id }) => id))

/** The reviews that the real model was asked for. */
async function reviewsSince(client: HostClient, before: ReadonlySet<string>): Promise<Measured['reviews']> {
  return (await allReviews(client))
    .filter(({ id }) => !before.has(id))
    .map(({ trigger, kinds }) => ({ trigger, kinds }))
}

type Models = { recordedId: string; realId: string; waitMs: number }

/**
 * Have a conversation as a chat. When a review is due, the chat has the real model until the review has
 * ended, as if the person paused. Only the idle seconds before a review are skipped.
 */
async function reviewChat(
  client: HostClient,
  given: Case,
  script: Script,
  { recordedId, realId, waitMs }: Models,
): Promise<Ended> {
  const { id } = await newChat(client)
  const until = Date.now() + waitMs
  const reviews = async () => (await client['learning.ofChat']({ sessionId: id })).reviews
  const use = (modelId: string) => client['session.update']({ id, modelId })
  async function runDue(): Promise<Ended> {
    if (!(await reviews()).some(isOpen)) return { state: 'not due', failure: '' }
    await use(realId)
    await client['learning.review']({})
    for (;;) {
      const all = await reviews()
      const failed = all.find(hasFailed)
      if (failed) return { state: 'failed', failure: failed.outcome }
      if (!all.some(isOpen)) break
      if (Date.now() > until) return { state: 'failed', failure: tooLong(waitMs) }
      await sleep(25)
    }
    await use(recordedId)
    return { state: 'reviewed', failure: '' }
  }
  for (const turn of given.turns) {
    script.chat(turn)
    await say(client, id, turn.user)
    const { state, failure } = await runDue()
    if (state === 'failed') return { state, failure }
  }
  if (given.ends === 'new_chat') await newChat(client)
  if (given.ends === 'review') {
    await use(realId)
    await client['learning.review']({ sessionId: id })
  }
  const last = await runDue()
  if (last.state !== 'not due') return last
  return (await reviews()).length > 0 ? { state: 'reviewed', failure: '' } : last
}

const isOpen = ({ state }: Review) => state === 'queued' || state === 'running'
/** Whether a review failed. The first try counts, although the product would try again a minute later. */
const hasFailed = ({ state, attempts, outcome }: Review) =>
  state === 'failed' || (state === 'queued' && attempts > 0 && outcome !== '')
const tooLong = (ms: number) => `It did not end within ${ms / 1_000} s.`

/** Send a conversation as the events of another agent, which end its session. */
async function reviewEvents(client: HostClient, given: Case, { realId, waitMs }: Models): Promise<Ended> {
  const ends: Ended[] = []
  async function feed(): Promise<void> {
    for await (const step of client['learning.feed']({ events: eventsOf(given), modelId: realId }))
      if (step.type === 'reviewed')
        ends.push(
          step.ended === 'done'
            ? { state: 'reviewed', failure: '' }
            : { state: 'failed', failure: step.outcome },
        )
  }
  const clock = new AbortController()
  const late = sleep(waitMs, 'late' as const, { signal: clock.signal }).catch(() => 'cancelled' as const)
  const first = await Promise.race([feed(), late])
  clock.abort()
  if (first === 'late') return { state: 'failed', failure: tooLong(waitMs) }
  return ends.find(({ state }) => state === 'failed') ?? ends[0] ?? { state: 'not due', failure: '' }
}
