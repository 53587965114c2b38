import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { forkEngine } from '../src/main/llm/local/fork-engine.ts'
import { createLocalEngines, type LocalEngine } from '../src/main/llm/local/local-engine.ts'
import { makeRandomGguf } from '../testing/gguf/random.ts'
import { median, round } from './measure.ts'

const rounds = 5
const outputTokens = 60
const settings = { one: 1, auto: 'auto', all: availableParallelism() } as const
type Name = keyof typeof settings
/** A program that wants a core for as long as the one that has started it is there. */
const neighbour = 'const { ppid } = process; while (process.ppid === ppid);'

/**
 * How fast the engine writes beside other programs that want the cores: with one thread, with as many as it chooses by
 * itself, and with all cores, where only the watch over the tokens keeps it from getting slower than with one. All three
 * take turns, and ratios are those of one turn.
 */
export async function benchThreads(): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-threads-'))
  const path = join(folder, 'half.gguf')
  makeRandomGguf(path, { preset: 'half', type: 'Q4_0' })
  const opened = Object.entries(settings).map(([name, threads]) => ({ name, ...open(path, threads) }))
  const figures: Record<string, number> = { threads_cores: availableParallelism() }
  try {
    // Reads the weights and lets “auto” find its number.
    for (const { engine } of opened) await write(engine)
    for (const neighbours of [0, availableParallelism()]) {
      const busy = Array.from({ length: neighbours }, () =>
        spawn(process.execPath, ['-e', neighbour], { stdio: 'ignore' }),
      )
      const speeds: Record<Name, number[]> = { one: [], auto: [], all: [] }
      try {
        for (let n = 0; n < rounds; n++) {
          for (const { name, engine } of opened) speeds[name as Name].push(await write(engine))
        }
      } finally {
        for (const child of busy) child.kill('SIGKILL')
      }
      for (const [name, values] of Object.entries(speeds)) {
        process.stderr.write(`  ${name} beside ${neighbours}: ${values.join(', ')} tokens/s\n`)
        figures[`threads_${name}_beside_${neighbours}_per_s`] = round(median(values))
      }
      for (const name of ['auto', 'all'] as const) {
        const ratios = speeds[name].map((speed, at) => speed / (speeds.one[at] ?? speed))
        figures[`threads_${name}_beside_${neighbours}_ratio`] = round(median(ratios))
      }
    }
  } finally {
    for (const { engines } of opened) await engines.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return figures
}

function open(path: string, threads: 'auto' | number) {
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
  return { engines, engine: engines.engine({ id: path, name: path, path }) }
}

/** Tokens a second of one reply, from the first to the last. */
async function write(engine: LocalEngine): Promise<number> {
  const prompt = {
    sessionId: 'threads',
    messages: [{ role: 'user' as const, text: `Write on and on. ${Math.random()}` }],
    tools: [],
    maxTokens: outputTokens,
    sampling: { temperature: 0.7, seed: 1 },
  }
  for await (const event of engine.complete(prompt, new AbortController().signal)) {
    if (event.type === 'failed') throw new Error(event.text)
    if (event.type === 'done') return event.usage.tokensPerSecond
  }
  throw new Error('The engine ended without an answer.')
}

if (import.meta.main) {
  for (const [name, value] of Object.entries(await benchThreads())) process.stdout.write(`${name} ${value}\n`)
}
