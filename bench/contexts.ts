import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LlamaContextSequence, Token } from 'node-llama-cpp'
import { isFailure, type WireMessage } from '../src/main/models/interface/engine.ts'
import { completePrompt } from '../src/main/models/engines/local/decoding/complete-prompt.ts'
import { loadModel, type LoadedModel } from '../src/main/models/engines/local/process/load-model.ts'
import { flashAttention } from '../src/main/models/engines/local/planning/memory-plan.ts'
import {
  batchTokens,
  type ContextBits,
  type LoadRequest,
} from '../src/main/models/engines/local/process/protocol.ts'
import { readGguf } from '../src/main/models/engines/local/gguf/read-gguf.ts'
import {
  forkEngine,
  openLink,
  startEngineProcess,
  type EngineLink,
} from '../src/main/models/engines/local/process/start-engine.ts'
import { keepChats } from '../src/main/models/engines/local/states/keep-chats.ts'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { makeRandomGguf } from '../testing/gguf/random.ts'
import { round } from './measure.ts'

/** The number of sub-agents of one turn; in tokens, what all of them are told and what each writes. */
const AGENTS = 3
const SHARED = 1_500
const WRITES = 120
/** The tokens of a text that are each predicted, and the tokens that are read before writing is timed. */
const TOLD = 1_000
const READ = 2_500
const ANSWER = 60

type Exactness = {
  peakMib: number
  stateMib: number
  readPerSecond: number
  writePerSecond: number
  /** The likeliest token after each token of the text, and the average loss of the real one, in nats. */
  likeliest: number[]
  loss: number
  answers: string[]
}

/**
 * Three comparisons in processor time: what keys and values of eight bits cost and save compared with
 * sixteen; how long sub-agents take that wait for one place, compared with a place for each; and what the
 * process of a decider takes. `path` is a model file; without it, the model has random weights in the shape
 * of a small model.
 */
export async function benchContexts(path?: string): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-contexts-'))
  const random = join(folder, 'quarter.gguf')
  if (path === undefined) makeRandomGguf(random, { preset: 'quarter', type: 'Q4_0' })
  try {
    const file = path ?? random
    return {
      ...(await benchBits(file)),
      ...(await benchPlaces(file, join(folder, 'states'))),
      ...(await benchDeciders()),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Measure each in a separate process, whose peak memory the system records. */
async function benchBits(path: string): Promise<Record<string, number>> {
  const measured = async (bits: ContextBits) => {
    const script = join(rootFolder(), 'bench/contexts.ts')
    const { stdout } = await promisify(execFile)(process.execPath, [script, path, String(bits)], {
      maxBuffer: 1 << 26,
    })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this file
    return JSON.parse(stdout) as Exactness
  }
  const [sixteen, eight] = [await measured(16), await measured(8)]
  const same = eight.likeliest.filter((token, at) => token === sixteen.likeliest[at]).length
  const equal = eight.answers.filter((answer, at) => answer === sixteen.answers[at]).length
  return {
    contexts_peak_16_mib: round(sixteen.peakMib),
    contexts_peak_8_mib: round(eight.peakMib),
    contexts_state_16_mib: round(sixteen.stateMib),
    contexts_state_8_mib: round(eight.stateMib),
    contexts_read_16_per_s: round(sixteen.readPerSecond),
    contexts_read_8_per_s: round(eight.readPerSecond),
    contexts_write_16_per_s: round(sixteen.writePerSecond),
    contexts_write_8_per_s: round(eight.writePerSecond),
    contexts_perplexity_16: round(Math.exp(sixteen.loss)),
    contexts_perplexity_8: round(Math.exp(eight.loss)),
    contexts_same_likeliest_percent: round((same / sixteen.likeliest.length) * 100),
    contexts_equal_answers: equal,
    contexts_answers: QUESTIONS.length,
  }
}

type Use = { bits?: ContextBits; states?: string }

async function requestFor(
  path: string,
  sequences: number,
  { bits = 16, states }: Use = {},
): Promise<LoadRequest> {
  const facts = await readGguf(path)
  if (isFailure(facts)) throw new Error(facts.text)
  return {
    path,
    contextTokens: Math.min(8_192, facts.trainedTokens),
    sequences,
    // With more threads, part of the processor time would be spent on waiting for each other.
    threads: 1,
    gpu: 'off',
    gpuLayers: undefined,
    batch: batchTokens,
    force: false,
    flashAttention: flashAttention(facts),
    contextBits: bits,
    mapFile: false,
    sampling: { temperature: 0 },
    states: states === undefined ? undefined : { folder: states, maxBytes: 4 * 2 ** 30, model: 'it' },
  }
}

async function load(path: string, sequences: number, use?: Use): Promise<LoadedModel> {
  const request = await requestFor(path, sequences, use)
  const loaded = await loadModel(request, new AbortController().signal, () => {})
  if ('failure' in loaded) throw new Error(loaded.failure.text)
  return loaded
}

/** Prose from this repository, which no model knows by heart. */
const prose = () =>
  ['ARCHITECTURE.md', 'docs/dev/decisions.md', 'docs/security/promises.md']
    .map(name => readFileSync(join(rootFolder(), name), 'utf8'))
    .join('\n')

async function measureBits(path: string, bits: ContextBits): Promise<Exactness> {
  const loaded = await load(path, 2, { bits })
  const text = loaded.model.tokenize(prose(), false)
  const lease = await loaded.pool.lease({ sessionId: 'x', isBackground: false }, new AbortController().signal)
  if (!lease) throw new Error('There is no place.')
  const { sequence } = lease
  const readMs = await worked(() => sequence.evaluateWithoutGeneratingNewTokens(text.slice(0, READ)))
  const writeMs = await worked(() => write(sequence, text.slice(READ, READ + 1), WRITES))
  const file = join(tmpdir(), `talaria-bench-${process.pid}.kv`)
  const stateMib = (await sequence.saveStateToFile(file).then(() => statSync(file).size)) / 2 ** 20
  rmSync(file)
  // Read now, because asking for the probabilities of tokens takes memory.
  const peak = peakMib()
  await sequence.clearHistory()
  const { likeliest, loss } = await foretell(sequence, text.slice(0, TOLD))
  lease.release()
  const answers: string[] = []
  for (let at = 0; at < QUESTIONS.length; at++)
    answers.push(await ask(loaded, [{ role: 'user', text: QUESTIONS[at]! }], `q${at}`, ANSWER))
  await loaded.close()
  const speeds = { readPerSecond: (READ / readMs) * 1_000, writePerSecond: (WRITES / writeMs) * 1_000 }
  return { peakMib: peak, stateMib, ...speeds, likeliest, loss, answers }
}

/** Predict every token of a text from those before it. */
async function foretell(sequence: LlamaContextSequence, text: readonly Token[]) {
  const likeliest: number[] = []
  let loss = 0
  const step = 50
  for (let at = 0; at < text.length - 1; at += step) {
    const part = text.slice(at, Math.min(at + step, text.length - 1))
    const told = await sequence.controlledEvaluate(
      part.map(token => [
        token,
        { generateNext: { probabilities: true, options: { temperature: 1, topK: 0, topP: 1 } } },
      ]),
    )
    for (const [index, each] of told.entries()) {
      const chances = each?.next.probabilities
      if (!chances) throw new Error('Nothing was foretold.')
      const [first] = [...chances].toSorted((a, b) => b[1] - a[1])
      likeliest.push(Number(first?.[0]))
      loss -= Math.log(Math.max(chances.get(text[at + index + 1]!) ?? 0, 1e-9))
    }
  }
  return { likeliest, loss: loss / (text.length - 1) }
}

async function write(sequence: LlamaContextSequence, tokens: Token[], count: number): Promise<void> {
  let written = 0
  for await (const _ of sequence.evaluate(tokens, { temperature: 0 })) if (++written === count) break
}

const QUESTIONS = [
  'What is the capital of Norway?',
  'Write a short letter to a landlord about a broken heater.',
  'Explain what a mortgage is in two sentences.',
  'Give me three names for a cat and say why.',
  'How do I boil an egg?',
  'Translate into French: good morning, my friends.',
  'What is 17 plus 25?',
  'Tell me about the history of tea.',
]

async function ask(
  loaded: LoadedModel,
  messages: readonly WireMessage[],
  sessionId: string,
  maxTokens: number,
  priority: 'foreground' | 'background' = 'foreground',
): Promise<string> {
  let text = ''
  const result = await completePrompt(
    loaded,
    { sessionId, messages, tools: [], maxTokens, sampling: { temperature: 0 }, priority },
    new AbortController().signal,
    { reading: () => {}, text: more => void (text += more) },
  )
  if (result.kind !== 'done') throw new Error(`The engine did not answer: ${JSON.stringify(result)}`)
  return text
}

/**
 * The turn of a chat that the model has read starts sub-agents. Three cases are measured until the chat goes
 * on: the sub-agents take turns in the one place beside the chat; the model is loaded again with a place for
 * each; or it had those places from the start. A saved state only fits a context for as many chats (“n_stream
 * mismatch”), so after loading again everything is read again.
 */
async function benchPlaces(path: string, states: string): Promise<Record<string, number>> {
  const begin = async (places: number) => {
    rmSync(states, { recursive: true, force: true })
    const loaded = await load(path, places, { states })
    const each = loaded.model.tokenize(SENTENCE.repeat(100), false).length / 100
    const shared: WireMessage = { role: 'system', text: SENTENCE.repeat(Math.round(SHARED / each)) }
    const chat: WireMessage[] = [{ role: 'user', text: `The chat. ${SENTENCE.repeat(100)}` }]
    chat.push({ role: 'assistant', text: await ask(loaded, chat, 'chat', 8), generated: true })
    chat.push({ role: 'user', text: 'Go on.' })
    return { loaded, shared, chat }
  }
  type Begun = Awaited<ReturnType<typeof begin>>
  const agent = ({ loaded, shared }: Begun, at: number) => {
    const task: WireMessage = { role: 'user', text: `Task ${at}: ${QUESTIONS[at]}` }
    return ask(loaded, [shared, task], `agent ${at}`, WRITES, 'background')
  }
  const inTurns = async (begun: Begun) => {
    for (let at = 0; at < AGENTS; at++) await agent(begun, at)
    await ask(begun.loaded, begun.chat, 'chat', 4)
  }
  const sideBySide = async (begun: Begun) => {
    // The first sub-agent runs alone until it has read the beginning that all share, as in the product.
    await ask(begun.loaded, [begun.shared, { role: 'user', text: 'x' }], 'agent 0', 1, 'background')
    await Promise.all(Array.from({ length: AGENTS }, (_, at) => agent(begun, at)))
    await ask(begun.loaded, begun.chat, 'chat', 4)
  }
  const waiting = await begin(2)
  const waitingMs = await worked(() => inTurns(waiting))
  await waiting.loaded.close()
  const anew = await begin(2)
  const anewMs = await worked(async () => {
    await keepChats(anew.loaded, new AbortController().signal)
    await anew.loaded.close()
    anew.loaded = await load(path, AGENTS + 1, { states })
    await sideBySide(anew)
  })
  await anew.loaded.close()
  const held = await begin(AGENTS + 1)
  const heldMs = await worked(() => sideBySide(held))
  await held.loaded.close()
  return {
    contexts_agents: AGENTS,
    contexts_waiting_ms: round(waitingMs),
    contexts_anew_ms: round(anewMs),
    contexts_held_ms: round(heldMs),
  }
}

/**
 * The peak memory of a decider's process, for the sentence encoder and for the built-in model. Only Linux
 * records it.
 */
async function benchDeciders(): Promise<Record<string, number>> {
  if (process.platform !== 'linux') return {}
  const models = join(rootFolder(), 'resources/models')
  const encoder = await peakOf(async link => {
    const asked = { t: 'embed', path: join(models, 'tool-meanings.gguf'), texts: QUESTIONS } as const
    return (await link.ask(asked)).kind === 'embedded'
  })
  const mini = await peakOf(async link => {
    const request = await requestFor(join(models, 'talaria-mini.gguf'), 1)
    if ((await link.ask({ t: 'load', request })).kind !== 'loaded') return false
    const messages = [{ role: 'user' as const, text: SENTENCE.repeat(60) }]
    const done = await link.ask({
      t: 'complete',
      prompt: { sessionId: 'a', messages, tools: [], maxTokens: 20, sampling: { temperature: 0 } },
    })
    return done.kind === 'done'
  })
  return { contexts_encoder_mib: round(encoder), contexts_mini_mib: round(mini) }
}

/** The peak memory of an engine of the built product, in MiB. */
async function peakOf(work: (link: EngineLink) => Promise<boolean>): Promise<number> {
  const children = () => readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ')
  const before = children()
  const link = openLink(startEngineProcess(forkEngine), console.error)
  const pid = children().find(child => !before.includes(child))
  try {
    if (!(await work(link))) throw new Error('The engine did not do it.')
    return peakMib(pid)
  } finally {
    await link.end()
  }
}

const peakMib = (pid: string | undefined = 'self'): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024

/** The milliseconds of processor time that some work takes. Other programs hardly change it. */
async function worked(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

const SENTENCE = 'You are an agent with tools and a memory. '

if (import.meta.main) {
  const [path, bits] = process.argv.slice(2)
  if (path !== undefined && bits !== undefined)
    process.stdout.write(JSON.stringify(await measureBits(path, bits === '8' ? 8 : 16)))
  else
    for (const [name, value] of Object.entries(await benchContexts(path)))
      process.stdout.write(`${name} ${value}\n`)
}
