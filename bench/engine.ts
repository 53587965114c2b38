import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { resourcePath } from '../src/main/lib/disk/shipped-files.ts'
import { isFailure, type WireMessage } from '../src/main/models/interface/engine.ts'
import { forkEngine } from '../src/main/models/engines/local/process/start-engine.ts'
import { createLocalEngines, type LocalEngine } from '../src/main/models/engines/local/local-engine.ts'
import { flashAttention } from '../src/main/models/engines/local/planning/memory-plan.ts'
import { readGguf } from '../src/main/models/engines/local/gguf/read-gguf.ts'
import type { Usage } from '../src/shared/contract/chats/messages.ts'
import { makeRandomGguf } from '../testing/gguf/random.ts'
import type { BareAnswer, BareRequest } from './bare-engine.ts'
import { median, percentile, round } from './measure.ts'

const contextTokens = 2_048
const bareThreads = 1
const outputTokens = 200
/** A reply with fewer tokens is too short to tell the speed. Trained models end when they have answered. */
const fewestTokens = 50

/** The local engine as its consumers see it, compared with node-llama-cpp alone. Runs of both take turns. */
export async function benchEngine(): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-'))
  const base = join(folder, 'base.gguf')
  makeRandomGguf(base, { preset: 'base' })
  const demo = resourcePath('models/talaria-mini.gguf')
  const engines = openEngines()
  const engine = (path: string) => engines.engines.engine({ id: path, name: path, path })
  try {
    return {
      ...(await compare('base', base, engine(base), 7, 'Tell me about the world and all in it. '.repeat(90))),
      ...(await benchTurns(engine(base))),
      ...(await benchStops(engine(base), engines.isFree)),
      // The built-in model does not know what to answer to this, and hardly ever ends.
      ...(await compare('demo', demo, engine(demo), 15, 'a b c d '.repeat(100))),
    }
  } finally {
    await engines.engines.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function openEngines() {
  const waiting: (() => void)[] = []
  const engines = createLocalEngines({
    spawn: forkEngine,
    settings: () => ({
      context_tokens: contextTokens,
      // As many as in the bare loop: only the code around the library may differ.
      threads: bareThreads,
      hosting: 'process',
      gpu: 'off',
      state_cache_gib: 0,
      idle_unload_minutes: 0,
    }),
    onState: state => {
      if (state.phase === 'ready') for (const resolve of waiting.splice(0)) resolve()
    },
    report: error => process.stderr.write(`${String(error)}\n`),
  })
  /** Resolves when the engine is idle. */
  const isFree = () =>
    engines.state.phase === 'ready' ? Promise.resolve() : new Promise<void>(resolve => waiting.push(resolve))
  return { engines, isFree }
}

/**
 * The same work for the engine and for the bare loop, in turns. Figures are medians, and ratios are medians
 * of the pairs. Speeds of writing come from pairs in which both wrote enough tokens.
 */
async function compare(
  name: string,
  path: string,
  engine: LocalEngine,
  rounds: number,
  text: string,
): Promise<Record<string, number>> {
  const bare = await startBare(path)
  const pairs: { ours: BareAnswer; theirs: BareAnswer }[] = []
  try {
    // The first round does not count: it warms both up.
    for (let n = 0; n <= rounds; n++) {
      const question = `${n} ${text}`
      const ours = await ask(engine, question)
      const theirs = await bare.run({ text: chatml(question), outputTokens })
      if (n > 0) pairs.push({ ours, theirs })
    }
  } finally {
    bare.close()
  }
  const writes = ({ outputTokens: count, writeMs }: BareAnswer) => ((count - 1) * 1_000) / writeMs
  const reads = ({ promptTokens, readMs }: BareAnswer) => (promptTokens * 1_000) / readMs
  const figures = (of: (answer: BareAnswer) => number, what: string, compared: typeof pairs) => ({
    [`engine_${name}_${what}_per_s`]: round(median(compared.map(({ ours }) => of(ours)))),
    [`bare_${name}_${what}_per_s`]: round(median(compared.map(({ theirs }) => of(theirs)))),
    [`engine_${name}_${what}_ratio`]: round(
      median(compared.map(({ ours, theirs }) => of(ours) / of(theirs))),
    ),
  })
  const long = pairs.filter(
    ({ ours, theirs }) => Math.min(ours.outputTokens, theirs.outputTokens) >= fewestTokens,
  )
  if (long.length * 2 < pairs.length)
    throw new Error(`Only ${long.length} of ${pairs.length} replies were long enough: ask something else.`)
  return { ...figures(writes, 'decode', long), ...figures(reads, 'prefill', pairs) }
}

/** One new conversation, timed by its consumer. */
async function ask(engine: LocalEngine, question: string): Promise<BareAnswer> {
  const startedAt = performance.now()
  let firstAt = 0
  const usage = await complete(engine, [{ role: 'user', text: question }], {
    session: question,
    onText: () => (firstAt ||= performance.now()),
  })
  const endedAt = performance.now()
  return {
    promptTokens: usage.evaluatedTokens,
    outputTokens: usage.outputTokens,
    readMs: firstAt - startedAt,
    writeMs: endedAt - firstAt,
  }
}

/** How many tokens the first, the second and the tenth turn of a chat with long instructions evaluate. */
async function benchTurns(engine: LocalEngine): Promise<Record<string, number>> {
  const messages: WireMessage[] = [
    { role: 'system', text: 'You are an agent with tools and a memory. '.repeat(60) },
  ]
  const figures: Record<string, number> = {}
  for (let turn = 1; turn <= 10; turn++) {
    messages.push({ role: 'user', text: `This is message number ${turn} of the chat.` })
    let text = ''
    const usage = await complete(engine, messages, {
      session: 'turns',
      maxTokens: 30,
      onText: more => (text += more),
    })
    messages.push({ role: 'assistant', text, generated: true })
    if (![1, 2, 10].includes(turn)) continue
    figures[`engine_turn_${turn}_prompt_tokens`] = usage.promptTokens
    figures[`engine_turn_${turn}_evaluated_tokens`] = usage.evaluatedTokens
  }
  return figures
}

/** The times from the stop until the answer has ended, and until the engine is free for the next one. */
async function benchStops(engine: LocalEngine, isFree: () => Promise<void>): Promise<Record<string, number>> {
  const ended: number[] = []
  const free: number[] = []
  for (let n = 0; n < 40; n++) {
    const stop = new AbortController()
    // Even rounds stop during the answer, odd ones while the engine reads a long message.
    const inAnswer = n % 2 === 0
    const prompt = {
      sessionId: 'stops',
      messages: [{ role: 'user' as const, text: `${n} ${'Write and write. '.repeat(inAnswer ? 5 : 300)}` }],
      tools: [],
    }
    let askedAt = 0
    for await (const event of engine.complete(prompt, stop.signal)) {
      if (event.type !== (inAnswer ? 'text' : 'progress') || stop.signal.aborted) continue
      setTimeout(() => {
        askedAt = performance.now()
        stop.abort()
      }, 3 + n)
    }
    ended.push(performance.now() - askedAt)
    await isFree()
    free.push(performance.now() - askedAt)
  }
  return {
    engine_stop_p95_ms: round(percentile(ended, 0.95)),
    engine_stop_until_free_p95_ms: round(percentile(free, 0.95)),
    engine_stop_samples: ended.length,
  }
}

async function complete(
  engine: LocalEngine,
  messages: readonly WireMessage[],
  options: { session: string; maxTokens?: number; onText: (text: string) => void },
): Promise<Usage> {
  const { session: sessionId, maxTokens = outputTokens, onText } = options
  const prompt = { sessionId, messages, tools: [], maxTokens, sampling: { temperature: 0 } }
  for await (const event of engine.complete(prompt, new AbortController().signal)) {
    if (event.type === 'text') onText(event.text)
    if (event.type === 'failed') throw new Error(event.text)
    if (event.type === 'done') return event.usage
  }
  throw new Error('The engine ended without an answer.')
}

const chatml = (text: string) => `<|im_start|>user\n${text}<|im_end|>\n<|im_start|>assistant\n`

async function startBare(path: string) {
  const facts = await readGguf(path)
  if (isFailure(facts)) throw new Error(facts.text)
  const script = fileURLToPath(new URL('bare-engine.ts', import.meta.url))
  const child = fork(
    script,
    [path, String(contextTokens), String(flashAttention(facts)), String(bareThreads)],
    {
      env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  )
  await once(child, 'message')
  return {
    async run(request: BareRequest): Promise<BareAnswer> {
      child.send(request)
      // Without the race, a loop that has ended would be awaited forever.
      const [answer] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as unknown[]
      if (typeof answer !== 'object' || answer === null)
        throw new Error('The bare loop ended without an answer.')
      return answer as BareAnswer
    },
    close: () => child.kill(),
  }
}
