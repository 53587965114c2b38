import { scriptedLearner, lookingBack, type ReviewScript } from '../../testing/learning/script.ts'
import {
  startOpenAiServer,
  type OpenAiServer,
  type ServedReply,
  type ServedRequest,
} from '../../testing/openai-server.ts'
import type { HostClient } from '../../src/shared/contract/index.ts'
import type { Proposal } from '../../src/shared/contract/learning.ts'
import { aHome, startHost, writeFiles, writeSettings } from './a-home.ts'
import { says, type Case } from './case.ts'
import { measure, type Measured } from './measure.ts'
import { act, eventsOf, known, reviewsOf, say, waiting } from './person.ts'

export type Result = { id: string; kind: string; way: 'chat' | 'events'; wrong: string[]; ms: number }

/** What came of the conversation, before the person did anything about it. */
type Came = {
  sessionId: string | undefined
  reviewId: string
  trigger: string | null
  kinds: readonly string[]
  outcome: string
  questions: number
  since: number
}

/** A model that is there: a GGUF file, or a server with its name for it. */
export type RealModel = { file: string } | { baseUrl: string; model: string; apiKey?: string }

/** Let a real model look back at the conversation of a case, as if another agent had had it. */
export async function measureCase(given: Case, real: RealModel): Promise<Measured> {
  const startedAt = performance.now()
  const server = await startOpenAiServer({ models: [{ id: 'qwen3', max_model_len: 32_000 }] })
  try {
    using home = aHome()
    const script = aScript(server)
    // Cases are reviewed once each, at their end, so that all models are asked the same.
    writeSettings(home.path, { memory_nudge: 0, skill_nudge: 0 })
    await using host = await startHost(home)
    const { client } = host
    await client['model.addServer']({ name: 'Eval', baseUrl: server.baseUrl, model: 'qwen3' })
    await prepare(client, given, script)
    const { id: modelId } =
      'file' in real
        ? await client['model.add']({ path: real.file })
        : await client['model.addServer']({ name: 'Real', ...real })
    const before = new Set((await waiting(client)).map(each => each.id))
    for await (const _ of client['learning.feed']({ events: eventsOf(given), modelId })) void _
    const texts = (await waiting(client))
      .filter(each => !before.has(each.id))
      .map(each => each.after ?? each.headline)
    const { items } = await client['learning.activity']({ filter: 'quiet' })
    const review = items.flatMap(item => (item.type === 'review' ? [item.review] : []))[0]
    const failed = review?.state === 'done' ? null : (review?.outcome ?? 'No review was made.')
    return measure(given, texts, { ms: Math.round(performance.now() - startedAt), failed })
  } finally {
    await server.close()
  }
}

/** Run one case the whole way in a home of its own, with a model that says what its script says. */
export async function runCase(given: Case, way: Result['way']): Promise<Result> {
  const startedAt = performance.now()
  const server = await startOpenAiServer({ models: [{ id: 'qwen3', max_model_len: 32_000 }] })
  let wrong: string[]
  try {
    wrong = await inAHome(given, way, server)
  } catch (error) {
    wrong = [(error as Error).message]
  } finally {
    await server.close()
  }
  return { id: given.id, kind: given.kind, way, wrong, ms: Math.round(performance.now() - startedAt) }
}

async function inAHome(given: Case, way: Result['way'], server: OpenAiServer): Promise<string[]> {
  using home = aHome()
  const script = aScript(server)
  writeFiles(home.workspace, given.given.files)
  // What was there before is made in a life of its own, with the ordinary settings.
  writeSettings(home.path, {})
  {
    await using host = await startHost(home)
    await host.client['model.addServer']({ name: 'Eval', baseUrl: server.baseUrl, model: 'qwen3' })
    await prepare(host.client, given, script)
  }
  writeSettings(home.path, { mode: given.mode, ...given.settings })
  await using host = await startHost(home)
  const { client } = host
  const before = new Set(await known(client))
  script.review({ first: given.first, review: given.review })
  const came = way === 'chat' ? await asChat(client, given, script) : await asEvents(client, given, script)
  const proposals = await waiting(client)
  const saved = (await known(client)).filter(text => !before.has(text))
  const wrong = judge(given, way, came, proposals, saved)
  const scene = { client, ...came, kept: [], left: 0 }
  for (const step of given.person) await act(step, scene)
  return [...wrong, ...(await judgeAfter(client, given, scene.left, before))]
}

type Script = {
  /** What the model answers in the turn that is under way. */
  chat(turn: Case['turns'][number]): void
  review(script: ReviewScript): void
  questions(): number
}

function aScript(server: OpenAiServer): Script {
  let turn: Case['turns'][number] = { user: '', reply: 'All right.', calls: [] }
  let review: ReviewScript = {}
  const chat = ({ body }: ServedRequest): ServedReply => {
    const messages = body.messages as { role: string }[]
    const asked = messages.findLastIndex(each => each.role === 'user')
    const step = messages.slice(asked).filter(each => each.role === 'assistant').length
    const call = turn.calls[step]
    return call ? { toolCalls: [{ name: call.name, arguments: call.arguments }] } : { text: turn.reply }
  }
  server.reply(scriptedLearner(chat, () => review))
  return {
    chat: next => (turn = next),
    review: next => (review = next),
    questions: () => server.chats().filter(request => lookingBack(request) !== undefined).length,
  }
}

const newChat = (client: HostClient) => client['session.create']({ approval: 'none' })
const remembers = (content: string) => ({
  name: 'memory',
  arguments: { target: 'user', action: 'add', content },
})

/** Make what the case takes for granted, by the ways in which it comes about. */
async function prepare(client: HostClient, { given }: Case, script: Script): Promise<void> {
  const { models } = await client['model.list']({})
  await client['model.setDefault']({ id: models.find(model => model.kind === 'server')!.id })
  for (const text of given.you) await client['memory.add']({ target: 'user', text })
  for (const text of given.rules) await client['learning.addRule']({ text })
  for (const { name, text, by } of given.skills) {
    if (by === 'you') await client['skills.create']({ name, text })
    else
      await chatOnce(client, script, [
        { name: 'skill_manage', arguments: { action: 'create', name, content: text } },
      ])
  }
  for (const text of given.agent) await chatOnce(client, script, [remembers(text)])
  for (const text of given.rejected) {
    script.review({ first: { worth: true, facts: [text] }, review: [[remembers(text)]] })
    const { id } = await newChat(client)
    script.chat({ user: text, reply: 'All right.', calls: [] })
    await say(client, id, text)
    await client['learning.review']({ sessionId: id })
    await reviewsOf(client, id)
    const { proposals } = await client['learning.ofChat']({ sessionId: id })
    await client['learning.reject']({ ids: proposals.map(each => each.id), notAgain: true })
  }
}

async function chatOnce(
  client: HostClient,
  script: Script,
  calls: { name: string; arguments: Record<string, unknown> }[],
): Promise<void> {
  const { id } = await newChat(client)
  script.chat({ user: '', reply: 'Done.', calls: calls.map(call => ({ ...call, ok: true, text: '' })) })
  await say(client, id, 'Keep this in mind.')
}

async function asChat(client: HostClient, given: Case, script: Script): Promise<Came> {
  const since = Date.now()
  const asked = script.questions()
  const { id } = await newChat(client)
  for (const turn of given.turns) {
    script.chat(turn)
    await say(client, id, turn.user)
  }
  if (given.ends === 'new_chat') await newChat(client)
  if (given.ends === 'review') await client['learning.review']({ sessionId: id })
  const [review] = await reviewsOf(client, id)
  return {
    sessionId: id,
    reviewId: review?.id ?? '',
    trigger: review?.trigger ?? null,
    kinds: review?.kinds ?? [],
    outcome: review?.outcome ?? '',
    questions: script.questions() - asked,
    since,
  }
}

async function asEvents(client: HostClient, given: Case, script: Script): Promise<Came> {
  const since = Date.now()
  const asked = script.questions()
  let trigger: string | null = null
  for await (const step of client['learning.feed']({ events: eventsOf(given) }))
    if (step.type === 'review') trigger ??= step.trigger
  const [proposal] = await waiting(client)
  const { items } = await client['learning.activity']({ filter: 'quiet' })
  const review = items
    .flatMap(item => (item.type === 'review' && item.review.trigger === 'events' ? [item.review] : []))
    .at(-1)
  return {
    sessionId: undefined,
    reviewId: proposal?.reviewId ?? review?.id ?? '',
    trigger,
    kinds: review?.kinds ?? [],
    outcome: review?.outcome ?? '',
    questions: script.questions() - asked,
    since,
  }
}

/** What is not as it should be, in words. */
function judge(
  { expect }: Case,
  way: Result['way'],
  came: Came,
  proposals: Proposal[],
  saved: string[],
): string[] {
  const wrong: string[] = []
  const differ = (what: string, is: unknown, wanted: unknown) => {
    if (JSON.stringify(is) !== JSON.stringify(wanted))
      wrong.push(`${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(wanted)}`)
  }
  // A file of events ends its sessions, so what nobody asked for there is the end of one.
  const isNudge = expect.trigger?.endsWith('nudge')
  differ('trigger', came.trigger, way === 'chat' || isNudge ? expect.trigger : 'session_end')
  if (expect.kinds && (way === 'chat' || isNudge))
    differ('kinds', [...came.kinds].toSorted(), expect.kinds.toSorted())
  if (expect.questions !== undefined) differ('questions', came.questions, expect.questions)
  if (expect.outcome !== undefined) differ('outcome', came.outcome, expect.outcome)
  differ('proposals', proposals.length, expect.proposed.length)
  for (const { op, says: text, theirs } of expect.proposed) {
    const found = proposals.find(each => each.op === op && says(each.after ?? each.before ?? '', text))
    if (!found) wrong.push(`not proposed: ${op} “${text}”`)
    else if (theirs !== found.because.includes('you wrote'))
      wrong.push(`“${text}” is asked because: “${found.because}”`)
  }
  differ('saved', saved.length, expect.saved.length)
  for (const text of expect.saved)
    if (!saved.some(each => says(each, text))) wrong.push(`not saved: “${text}”`)
  const all = [...saved, ...proposals.map(each => `${each.headline} ${each.after ?? ''}`)]
  for (const text of expect.never)
    if (all.some(each => says(each, text))) wrong.push(`must not be kept: “${text}”`)
  return wrong
}

async function judgeAfter(
  client: HostClient,
  { after }: Case,
  left: number,
  before: ReadonlySet<string>,
): Promise<string[]> {
  const texts = await known(client)
  const fresh = texts.filter(text => !before.has(text))
  const wrong = after.knows
    .filter(text => !texts.some(each => says(each, text)))
    .map(text => `not known after it: “${text}”`)
  wrong.push(
    ...after.not
      .filter(text => fresh.some(each => says(each, text)))
      .map(text => `known after it: “${text}”`),
  )
  const open = (await waiting(client)).length
  if (after.waiting !== undefined && open !== after.waiting)
    wrong.push(`waiting after it: ${open} instead of ${after.waiting}`)
  if (after.left !== undefined && left !== after.left)
    wrong.push(`left by undo: ${left} instead of ${after.left}`)
  const { rules } = await client['learning.rules']({})
  const hits = rules.reduce((sum, rule) => sum + rule.hits, 0)
  if (after.rules !== undefined && rules.length !== after.rules)
    wrong.push(`rules: ${rules.length} instead of ${after.rules}`)
  if (after.hits !== undefined && hits !== after.hits)
    wrong.push(`hits of rules: ${hits} instead of ${after.hits}`)
  return wrong
}
