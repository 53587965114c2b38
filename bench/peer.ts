import { availableParallelism } from 'node:os'
import { forkEngine } from '../src/main/models/engines/local/process/start-engine.ts'
import { createLocalEngines, type LocalEngine } from '../src/main/models/engines/local/local-engine.ts'
import type { Usage } from '../src/shared/contract/chats/messages.ts'
import { randomModel } from '../testing/gguf/cached.ts'
import { isRefusal } from '../src/main/lib/expected-errors.ts'
import { buildLlamaBench, runLlamaBench, type PeerSpeeds } from './llama-bench.ts'
import { median, round } from './measure.ts'
import type { Measured } from './run-parts.ts'

const promptTokens = 512
const outputTokens = 64
const rounds = 3
const word = ' world'

/**
 * Our engine compared with llama.cpp’s own benchmark, built from the same source: a model in the shape of a
 * popular 0.6 B one, the same threads, prompts of 512 tokens and replies of 64, in turns. Figures are tokens
 * a second, and our speed as a share of llama.cpp's; `peer` says why there are none. llama.cpp measures bare
 * evaluation, and ours is timed by a consumer of the engine.
 */
export async function benchPeer(): Promise<Measured> {
  const peer = await buildLlamaBench(text => process.stderr.write(`${text}\n`))
  if (isRefusal(peer)) return { peer: `not measured: ${peer.refused}` }
  const model = randomModel({ preset: 'half', type: 'Q4_0' })
  const figures: Measured = {}
  for (const threads of new Set([1, availableParallelism()])) {
    const pairs = await withEngine(model, threads, engine =>
      compare(engine, { path: peer.path, model, threads }),
    )
    const name = `${threads}_thread${threads === 1 ? '' : 's'}`
    if (!pairs)
      figures[`peer_${name}`] = 'not measured: llama-bench did not get done, so the machine is too busy'
    else Object.assign(figures, medians(pairs, name))
  }
  return figures
}

type Pair = { ours: PeerSpeeds; theirs: PeerSpeeds }

async function compare(
  engine: LocalEngine,
  { path, model, threads }: { path: string; model: string; threads: number },
): Promise<Pair[] | undefined> {
  const question = await questionOf(engine)
  const pairs: Pair[] = []
  // The first round does not count: it warms both up.
  for (let n = 0; n <= rounds; n++) {
    const ours = { prefill: await prefill(engine, question), decode: await decode(engine, n) }
    const theirs = await runLlamaBench(path, { model, threads, promptTokens, outputTokens })
    if (!theirs) return undefined
    if (n > 0) pairs.push({ ours, theirs })
  }
  return pairs
}

function medians(pairs: readonly Pair[], name: string): Record<string, number> {
  const figures: Record<string, number> = {}
  for (const what of ['prefill', 'decode'] as const) {
    figures[`engine_half_${what}_${name}_per_s`] = round(median(pairs.map(({ ours }) => ours[what])))
    figures[`llama_bench_half_${what}_${name}_per_s`] = round(median(pairs.map(({ theirs }) => theirs[what])))
    figures[`peer_half_${what}_${name}_ratio`] = round(
      median(pairs.map(({ ours, theirs }) => ours[what] / theirs[what])),
    )
  }
  return figures
}

async function withEngine<T>(
  path: string,
  threads: number,
  use: (engine: LocalEngine) => Promise<T>,
): Promise<T> {
  const engines = createLocalEngines({
    spawn: forkEngine,
    settings: () => ({
      context_tokens: 2_048,
      threads,
      hosting: 'process',
      gpu: 'off',
      state_cache_gib: 0,
      idle_unload_minutes: 0,
    }),
    onState: () => {},
    report: error => process.stderr.write(`${String(error)}\n`),
  })
  try {
    const model = { id: path, name: path, path }
    const failure = await engines.load(model)
    if (failure) throw new Error(failure.text)
    return await use(engines.engine(model))
  } finally {
    await engines.close()
  }
}

/** A message that makes a prompt of about 512 tokens with its template. */
async function questionOf(engine: LocalEngine): Promise<string> {
  const one = await ask(engine, 'frame', word, 1)
  const more = await ask(engine, 'frame', word.repeat(101), 1)
  const each = (more.usage.promptTokens - one.usage.promptTokens) / 100
  return word.repeat(1 + Math.round((promptTokens - one.usage.promptTokens) / each))
}

async function prefill(engine: LocalEngine, question: string): Promise<number> {
  // A new beginning each time, so that nothing of it was evaluated before.
  const beginning = Math.random().toString(36).slice(2, 6)
  const { usage, readMs } = await ask(engine, 'prefill', `${beginning}${question}`, 1)
  if (Math.abs(usage.evaluatedTokens - promptTokens) > 32)
    throw new Error(`It evaluated ${usage.evaluatedTokens} tokens instead of ${promptTokens}.`)
  return (usage.evaluatedTokens * 1_000) / readMs
}

async function decode(engine: LocalEngine, n: number): Promise<number> {
  const { usage, writeMs } = await ask(engine, 'decode', `${n}${word}`, outputTokens)
  if (usage.outputTokens !== outputTokens) throw new Error(`It wrote ${usage.outputTokens} tokens only.`)
  // From the first token to the end, as `engine` measures it.
  return ((usage.outputTokens - 1) * 1_000) / writeMs
}

type Answer = { usage: Usage; readMs: number; writeMs: number }

/** Ask, timed by the consumer of the engine. */
async function ask(engine: LocalEngine, session: string, text: string, maxTokens: number): Promise<Answer> {
  const prompt = {
    sessionId: session,
    messages: [{ role: 'user' as const, text }],
    tools: [],
    maxTokens,
    sampling: { temperature: 0 },
  }
  const startedAt = performance.now()
  let firstAt = 0
  for await (const event of engine.complete(prompt, new AbortController().signal)) {
    if (event.type === 'failed') throw new Error(event.text)
    if (event.type === 'text') firstAt ||= performance.now()
    if (event.type !== 'done') continue
    const endedAt = performance.now()
    // A single token may be only part of a character, which is not shown yet.
    firstAt ||= endedAt
    return { usage: event.usage, readMs: firstAt - startedAt, writeMs: endedAt - firstAt }
  }
  throw new Error('The engine ended without an answer.')
}
