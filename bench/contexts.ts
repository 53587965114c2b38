import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LlamaContextSequence, Token } from 'node-llama-cpp'
import { isFailure, type WireMessage } from '../src/main/models/engine.ts'
import { completePrompt } from '../src/main/models/engines/local/complete-prompt.ts'
import { loadModel, type LoadedModel } from '../src/main/models/engines/local/load-model.ts'
import { flashAttention } from '../src/main/models/engines/local/memory-plan.ts'
import { batchTokens, type ContextBits } from '../src/main/models/engines/local/protocol.ts'
import { readGguf } from '../src/main/models/engines/local/read-gguf.ts'
import { keepChats } from '../src/main/models/engines/local/states/keep-chats.ts'
import { rootFolder } from '../src/main/lib/shipped-files.ts'
import { makeRandomGguf } from '../testing/gguf/random.ts'
import { round } from './measure.ts'

/** Sub-agents of one turn, what all of them are told, and what each writes, in tokens. */
const AGENTS = 3
const SHARED = 1_500
const WRITES = 120
/** Tokens of a text of which each is foretold, and those that are read before writing is timed. */
const TOLD = 1_000
const READ = 2_500
const QUESTIONS = 8
const ANSWER = 60

type Exactness = {
  peakMib: number
  stateMib: number
  readPerSecond: number
  writePerSecond: number
  /** The likeliest token behind each token of the text, and what the real one costs on average, in nats. */
  likeliest: number[]
  loss: number
  answers: string[]
}

/**
 * What keys and values of eight bits cost and save beside those of sixteen, and how long sub-agents take that wait for one place
 * beside those that get three, with the model loaded anew for that. `path` is a model file; without one, random weights in the
 * shape of a small model.
 */
export async function benchContexts(path?: string): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-contexts-'))
  const random = join(folder, 'quarter.gguf')
  if (path === undefined) makeRandomGguf(random, { preset: 'quarter', type: 'Q4_0' })
  try {
    const file = path ?? random
    return { ...(await benchBits(file)), ...(await benchPlaces(file, join(folder, 'states'))) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Each in a process of its own, whose peak memory the system keeps. */
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
    contexts_answers: QUESTIONS,
  }
}

async function load(
  path: string,
  sequences: number,
  { bits = 16, states }: { bits?: ContextBits; states?: string } = {},
): Promise<LoadedModel> {
  const facts = await readGguf(path)
  if (isFailure(facts)) throw new Error(facts.text)
  const loaded = await loadModel(
    {
      path,
      contextTokens: Math.min(8_192, facts.trainedTokens),
      sequences,
      // Of processor time more threads would spend some on waiting for each other.
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
    },
    new AbortController().signal,
    () => {},
  )
  if ('failure' in loaded) throw new Error(loaded.failure.text)
  return loaded
}

/** The prose of this repository: no model has learnt it by heart. */
const prose = () =>
  ['ARCHITECTURE.md', 'CHANGELOG.md'].map(name => readFileSync(join(rootFolder(), name), 'utf8')).join('\n')

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
  // Before the chances of tokens are asked for, which takes memory.
  const status = readFileSync('/proc/self/status', 'utf8')
  const peakMib = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024
  await sequence.clearHistory()
  const { likeliest, loss } = await foretell(sequence, text.slice(0, TOLD))
  lease.release()
  const answers: string[] = []
  for (let at = 0; at < QUESTIONS; at++)
    answers.push(
      await ask(loaded, [{ role: 'user', text: questions[at % questions.length]! }], `q${at}`, ANSWER),
    )
  await loaded.close()
  const speeds = { readPerSecond: (READ / readMs) * 1_000, writePerSecond: (WRITES / writeMs) * 1_000 }
  return { peakMib, stateMib, ...speeds, likeliest, loss, answers }
}

/** Foretell every token of a text from those before it. */
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

const questions = [
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
 * A chat has been read, and its turn starts sub-agents. Either they take turns in the one place beside the chat, or the model is
 * loaded anew with a place for each, with the states kept. Both end when the chat goes on.
 */
async function benchPlaces(path: string, states: string): Promise<Record<string, number>> {
  const begin = async () => {
    const loaded = await load(path, 2, { states })
    const each = loaded.model.tokenize(sentence.repeat(100), false).length / 100
    const shared: WireMessage = { role: 'system', text: sentence.repeat(Math.round(SHARED / each)) }
    const chat: WireMessage[] = [{ role: 'user', text: `The chat. ${sentence.repeat(100)}` }]
    chat.push({ role: 'assistant', text: await ask(loaded, chat, 'chat', 8), generated: true })
    chat.push({ role: 'user', text: 'Go on.' })
    return { loaded, shared, chat }
  }
  const agent = (loaded: LoadedModel, shared: WireMessage, at: number) =>
    ask(
      loaded,
      [shared, { role: 'user', text: `Task ${at}: ${questions[at]}` }],
      `agent ${at}`,
      WRITES,
      'background',
    )
  const waiting = await begin()
  const waitingMs = await worked(async () => {
    for (let at = 0; at < AGENTS; at++) await agent(waiting.loaded, waiting.shared, at)
    await ask(waiting.loaded, waiting.chat, 'chat', 4)
  })
  await waiting.loaded.close()
  rmSync(states, { recursive: true, force: true })

  const more = await begin()
  let again = more.loaded
  const reloadMs = await worked(async () => {
    await keepChats(more.loaded, new AbortController().signal)
    await more.loaded.close()
    again = await load(path, AGENTS + 1, { states })
  })
  const sideBySideMs = await worked(async () => {
    // The first goes alone until it has read what all begin with, as in the product.
    await ask(again, [more.shared, { role: 'user', text: 'x' }], 'agent 0', 1, 'background')
    await Promise.all(Array.from({ length: AGENTS }, (_, at) => agent(again, more.shared, at)))
    await ask(again, more.chat, 'chat', 4)
  })
  await again.close()
  return {
    contexts_agents: AGENTS,
    contexts_waiting_ms: round(waitingMs),
    contexts_reload_ms: round(reloadMs),
    contexts_side_by_side_ms: round(sideBySideMs),
  }
}

/** Milliseconds of processor time that a piece of work takes: other programs hardly change it. */
async function worked(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

const sentence = 'You are an agent with tools and a memory. '

if (import.meta.main) {
  const [path, bits] = process.argv.slice(2)
  if (path !== undefined && bits === 'places')
    process.stdout.write(`${JSON.stringify(await benchPlaces(path, mkdtempSync(join(tmpdir(), 'ctx-'))))}\n`)
  else if (path !== undefined && bits !== undefined)
    process.stdout.write(JSON.stringify(await measureBits(path, bits === '8' ? 8 : 16)))
  else
    for (const [name, value] of Object.entries(await benchContexts(path)))
      process.stdout.write(`${name} ${value}\n`)
}
