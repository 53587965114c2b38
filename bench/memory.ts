import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { isFailure } from '../src/main/models/interface/engine.ts'
import { openLink, forkEngine } from '../src/main/models/engines/local/process/start-engine.ts'
import { flashAttention, estimateMemory } from '../src/main/models/engines/local/planning/memory-plan.ts'
import { readGguf } from '../src/main/models/engines/local/gguf/read-gguf.ts'
import { batchTokens, type LoadRequest } from '../src/main/models/engines/local/process/protocol.ts'
import { makeRandomGguf, type RandomGgufOptions } from '../testing/gguf/random.ts'
import { round } from './measure.ts'

type Preset = NonNullable<RandomGgufOptions['preset']>
type Type = NonNullable<RandomGgufOptions['type']>
type Use = { contextTokens: number; sequences: number; mapFile: boolean }

const MiB = 2 ** 20
const outputTokens = 50
/**
 * The smallest models are asked until their context is full. Larger models were measured to need the same for
 * that.
 */
const promptTokens = {
  tiny: Infinity,
  small: Infinity,
  base: 1_000,
  quarter: 1_000,
  half: 1_000,
  '1b': 1_000,
}

const read = (contextTokens: number, sequences: number): Use => ({ contextTokens, sequences, mapFile: false })
const mapped = (contextTokens: number, sequences: number): Use => ({
  contextTokens,
  sequences,
  mapFile: true,
})

const cases: [Preset, Type, ...Use[]][] = [
  ['tiny', 'F16', read(2_048, 1), read(8_192, 4)],
  ['tiny', 'Q8_0', mapped(2_048, 4)],
  ['small', 'F16', read(2_048, 1), read(8_192, 2)],
  ['small', 'Q8_0', read(8_192, 4)],
  ['base', 'F16', read(2_048, 4), mapped(8_192, 1)],
  ['base', 'Q8_0', read(8_192, 1)],
  ['base', 'Q4_0', read(2_048, 1), mapped(2_048, 1)],
  ['base', 'Q4_K', read(8_192, 2)],
  ['half', 'F16', read(2_048, 1), mapped(2_048, 1)],
  ['half', 'Q8_0', read(8_192, 1)],
  ['half', 'Q4_0', read(2_048, 4), mapped(2_048, 1)],
  ['half', 'Q4_K', read(8_192, 1)],
  ['1b', 'Q4_K', read(2_048, 1), read(8_192, 4), mapped(8_192, 1)],
  ['1b', 'Q8_0', read(8_192, 1)],
]

/**
 * How good the estimate of a model's memory is: the built engine loads models of five sizes, reads and
 * writes, and the peak memory of its process is compared with the estimate. Only on Linux, which records that
 * peak.
 */
export async function benchMemory(): Promise<Record<string, number>> {
  if (process.platform !== 'linux') return {}
  const script = join(rootFolder(), 'out/main/engine-process.js')
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-memory-'))
  const figures: Record<string, number> = {}
  try {
    for (const [preset, type, ...uses] of cases) {
      const path = join(folder, `${preset}-${type}.gguf`)
      makeRandomGguf(path, { preset, type })
      for (const use of uses) {
        const { estimate, peak } = await measure(script, path, use, promptTokens[preset])
        const error = round((estimate / peak - 1) * 100)
        const name = `${preset}_${type}_${use.contextTokens}x${use.sequences}${use.mapFile ? '_mapped' : ''}`
        const sizes = `${Math.round(peak / MiB)} MiB, estimate ${Math.round(estimate / MiB)} MiB`
        process.stderr.write(`  ${name.padEnd(28)} ${sizes}: ${error} %\n`)
        figures[`memory_${name.toLowerCase()}_error_percent`] = error
      }
      rmSync(path)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const errors = Object.values(figures).map(Math.abs)
  return { ...figures, memory_cases: errors.length, memory_worst_error_percent: Math.max(...errors) }
}

/** The estimated and the real peak of one engine, in bytes. */
async function measure(script: string, path: string, use: Use, prompt: number) {
  const facts = await readGguf(path)
  if (isFailure(facts)) throw new Error(facts.text)
  const before = children()
  const engine = forkEngine(script, { ...process.env, UV_THREADPOOL_SIZE: '1' }, ['--max-semi-space-size=2'])
  const link = openLink(engine, console.error)
  const pid = children().find(child => !before.includes(child))
  try {
    const request: LoadRequest = {
      path,
      ...use,
      threads: 1,
      gpu: 'off',
      gpuLayers: undefined,
      batch: batchTokens,
      force: false,
      flashAttention: flashAttention(facts),
      sampling: {},
      states: undefined,
    }
    const loading = link.ask({ t: 'load', request })
    const loaded = await loading
    if (loaded.kind !== 'loaded') throw new Error(`${path} was not loaded: ${JSON.stringify(loaded)}`)
    const sentence = 'Tell me about the world and all in it. '
    const counted = await link.ask({ t: 'count', text: sentence.repeat(100) })
    if (counted.kind !== 'count') throw new Error('The engine did not count.')
    // The template takes a few tokens as well.
    const tokens = Math.min(prompt, use.contextTokens - outputTokens * 4)
    const text = sentence.repeat(Math.floor((tokens / counted.tokens) * 100))
    const messages = [{ role: 'user' as const, text }]
    const sampling = { temperature: 0.7, seed: 1 }
    const asked = { sessionId: 'a', messages, tools: [], maxTokens: outputTokens, sampling }
    const done = await link.ask({ t: 'complete', prompt: asked })
    if (done.kind !== 'done') throw new Error(`${path} did not answer: ${JSON.stringify(done)}`)
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const peak = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024
    return { estimate: estimateMemory(facts, use).total, peak }
  } finally {
    await link.end()
  }
}

/** The running child processes of this process. */
const children = (): string[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').filter(Boolean)

if (import.meta.main) {
  for (const [name, value] of Object.entries(await benchMemory())) process.stdout.write(`${name} ${value}\n`)
}
