import { readdirSync, readFileSync } from 'node:fs'
import { isFailure } from '../../src/main/models/interface/engine.ts'
import type { LlmEngine, Prompt } from '../../src/main/models/interface/engine.ts'
import { forkEngine } from '../../src/main/models/engines/local/process/start-engine.ts'
import { createLocalEngines } from '../../src/main/models/engines/local/local-engine.ts'
import type { Usage } from '../../src/shared/contract/chats/messages.ts'

/** The most tokens of a reply: more than any reply in the data. */
const MOST_TOKENS = 400

/** What a model wrote, and its cost in tokens. */
type Reply = { text: string; usage: Usage }

/** The product’s own engine with one model, on one thread, greedy. */
export type Asker = {
  ask(prompt: Pick<Prompt, 'sessionId' | 'messages' | 'constraints'>): Promise<Reply>
  /** Memory of the engine’s process in bytes; undefined where the system does not tell. */
  memory(): number | undefined
  close(): Promise<void>
}

/** Load a model. Throws if that fails. */
export async function openAsker(path: string): Promise<Asker> {
  const engines = createLocalEngines({
    spawn: forkEngine,
    settings: () => ({
      context_tokens: 2_048,
      threads: 1,
      hosting: 'process',
      gpu: 'off',
      state_cache_gib: 0,
      idle_unload_minutes: 0,
    }),
    onState: () => {},
    report: error => process.stderr.write(`${String(error)}\n`),
  })
  const model = { id: 'builtin', name: 'builtin', path }
  const engine = engines.engine(model)
  const failure = await engines.load(model)
  if (failure && isFailure(failure)) throw new Error(failure.text)
  return { ask: prompt => reply(engine, prompt), memory: memoryOfChildren, close: engines.close }
}

async function reply(
  engine: LlmEngine,
  prompt: Pick<Prompt, 'sessionId' | 'messages' | 'constraints'>,
): Promise<Reply> {
  const whole: Prompt = { ...prompt, tools: [], maxTokens: MOST_TOKENS, sampling: { temperature: 0 } }
  let text = ''
  for await (const event of engine.complete(whole, new AbortController().signal)) {
    if (event.type === 'text') text += event.text
    if (event.type === 'done') return { text, usage: event.usage }
    if (event.type === 'failed') throw new Error(event.text)
  }
  throw new Error('The engine ended without an answer.')
}

/** The memory of child processes. The engine is the only one that keeps running. */
function memoryOfChildren(): number | undefined {
  try {
    const children = readdirSync('/proc/self/task').flatMap(task =>
      readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    )
    const sizes = children.map(child =>
      /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child}/status`, 'utf8')),
    )
    return Math.max(0, ...sizes.map(size => Number(size?.[1] ?? 0))) * 1_024
  } catch {
    return undefined
  }
}
