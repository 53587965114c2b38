import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectClient } from '../../src/shared/connect-client.ts'
import { contract, type HostClient } from '../../src/shared/contract/index.ts'
import type { Message } from '../../src/shared/contract/chats/messages.ts'
import type { Approval, RunEvent } from '../../src/shared/contract/runs/run.ts'
import type { SpawnEngine } from '../../src/main/models/interface/engine-child.ts'
import { createHost } from '../../src/main/host.ts'
import { forkEngine } from '../../src/main/models/engines/local/process/start-engine.ts'
import { memoryChannels } from '../../src/main/rpc/channels.ts'
import { serveContract } from '../../src/main/rpc/serve.ts'
import type { StepSource } from '../../src/main/runs/turn-runner.ts'
import { giveDatabase } from '../../testing/db/give-database.ts'
import { DAY, ZONE } from './deciders.ts'

/** The built-in model, or the path of a model file. */
export type AskedModel = 'builtin' | { file: string }

/** What a chat runs with: a model, and a copy of a folder or an empty one. Tests use their own engine. */
type Place = {
  model: AskedModel
  folder: string | undefined
  spawnEngine?: SpawnEngine | undefined
  decider?: 'on' | 'off' | undefined
  /** A decider to use instead of the product's. */
  steps?: readonly StepSource[] | undefined
  /** Tools that are off, together with the rest of their toolsets. */
  off?: readonly string[] | undefined
  /** Whether to stop the chat as soon as the message has led to a call, or an answer begins. */
  callsOnly?: boolean | undefined
}

/**
 * What happened in a chat: the events of its run, its messages, what was remembered at the end, and what the
 * person was asked.
 */
export type Heard = {
  events: RunEvent[]
  messages: Message[]
  /** The texts of the notebook at the end. */
  entries: string[]
  /** The chat's folder, which no longer exists. */
  folder: string
  /** The choices of the first question; undefined if there was none. */
  choices: readonly string[] | undefined
  /** The ids of the calls that asked for approval. Nobody gave it. */
  denied: ReadonlySet<string>
  /** The number of questions after the first, which nobody answered. */
  unanswered: number
}

/** The modification time of every file. */
const CHANGED = new Date('2026-03-02T08:00:00Z')
/** Such a small model is no faster with two threads. On a busy machine they wait for each other. */
const ONE_THREAD = 'engine:\n  threads: 1\n'
/** The longest time of a chat, in ms. Then it is stopped. */
const LONGEST_MS = 900_000

const root = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/**
 * Ask a model something in a new chat of a whole host, with an empty home and a copy of a folder, in the
 * default mode. Nobody approves anything. The first question is answered with what `choose` returns, and no
 * other question is answered.
 */
export async function askHost(
  { text, ...given }: Place & { text: string },
  choose: (choices: readonly string[]) => string | undefined,
): Promise<Heard> {
  return inNewHost(given, async (client, copy) => {
    const modelId = await idOf(client, given.model)
    const { id: sessionId } = await client['session.create']({ modelId, decider: given.decider })
    await switchOff(client, sessionId, given.off)
    const { runId } = await client['chat.send']({ sessionId, text })
    const followed = await followRun(client, runId, choose, given.callsOnly)
    const { messages } = await client['session.messages']({ id: sessionId, limit: 500 })
    const { entries } = await client['memory.view']({})
    return { ...followed, messages, entries: entries.map(each => each.text), folder: copy }
  })
}

/** Why a model cannot be asked at all, as a sentence; undefined if it can. */
export async function explainUnusable(model: AskedModel): Promise<string | undefined> {
  try {
    await inNewHost({ model, folder: undefined }, async client =>
      client['model.load']({ id: await idOf(client, model) }),
    )
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

async function inNewHost<T>(
  { model, folder, spawnEngine = startEngine, steps = [] }: Place,
  use: (client: HostClient, folder: string) => Promise<T>,
): Promise<T> {
  const place = realpathSync(mkdtempSync(join(root, 'talaria-small-')))
  try {
    const home = join(place, 'home')
    const workspace = join(place, 'work')
    for (const each of [home, workspace]) mkdirSync(each)
    giveDatabase(home)
    if (model === 'builtin') writeFileSync(join(home, 'config.yaml'), ONE_THREAD)
    if (folder !== undefined) copyFolder(folder, workspace)
    const startedAt = Date.now()
    const now = () => DAY + Date.now() - startedAt
    const host = await createHost({
      hosting: 'headless',
      home,
      workspace,
      now,
      zone: () => ZONE,
      spawnEngine,
      contributions: { steps },
    })
    const [ours, theirs] = memoryChannels()
    serveContract(contract, host.handlers, theirs, host.report)
    try {
      return await use(connectClient(contract, ours), workspace)
    } finally {
      await host.close()
      ours.close()
    }
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Start the engine's process with a cache of compiled code, which makes the start twice as fast. */
const startEngine: SpawnEngine = (script, env, switches) =>
  forkEngine(script, { ...env, NODE_COMPILE_CACHE: join(tmpdir(), 'talaria-test-cache') }, switches)

const idOf = async (client: HostClient, model: AskedModel): Promise<string> =>
  model === 'builtin' ? model : (await client['model.add']({ path: model.file })).id

function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true })
  for (const name of globSync('**', { cwd: to })) utimesSync(join(to, name), CHANGED, CHANGED)
}

async function switchOff(client: HostClient, sessionId: string, off: readonly string[] = []): Promise<void> {
  if (off.length === 0) return
  const { toolsets } = await client['toolset.list']({ sessionId })
  const names = toolsets
    .filter(({ isOwn, tools }) => !isOwn && tools.some(({ name }) => off.includes(name)))
    .map(({ name }) => name)
  await client['toolset.switch']({ sessionId, names, on: false })
}

/** Follow a run to its end, as a person who approves nothing. */
async function followRun(
  client: HostClient,
  runId: string,
  choose: (choices: readonly string[]) => string | undefined,
  callsOnly = false,
): Promise<Pick<Heard, 'events' | 'choices' | 'denied' | 'unanswered'>> {
  const events: RunEvent[] = []
  const denied = new Set<string>()
  let choices: readonly string[] | undefined
  let unanswered = 0
  async function answer({ id, callId, question }: Approval): Promise<void> {
    const note = question && choices === undefined ? choose(question.choices) : undefined
    if (!question) denied.add(callId)
    else if (note === undefined) unanswered++
    if (question) choices ??= question.choices
    const decision = note === undefined ? 'deny' : 'once'
    await client['run.approve']({ runId, approvalId: id, decision, note: note ?? '' })
  }
  const tooLong = setTimeout(() => void client['run.stop']({ runId }), LONGEST_MS)
  try {
    for await (const event of client['run.watch']({ runId })) {
      events.push(event)
      if (event.type === 'approval_request') await answer(event.approval)
      if (callsOnly && hasDecided(event)) await client['run.stop']({ runId })
    }
  } finally {
    clearTimeout(tooLong)
  }
  return { events, choices, denied, unanswered }
}

/** Whether an event settles which call came first. */
const hasDecided = (event: RunEvent): boolean =>
  event.type === 'text_delta' ||
  event.type === 'reasoning_delta' ||
  (event.type === 'message' && event.message.role === 'tool')
