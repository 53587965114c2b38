import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Usage } from '../src/shared/contract/chats/messages.ts'
import { completePrompt } from '../src/main/models/engines/local/decoding/complete-prompt.ts'
import { fixedThreads, adaptThreads } from '../src/main/models/engines/local/processor/adapt-threads.ts'
import { loadModel } from '../src/main/models/engines/local/process/load-model.ts'
import { batchTokens } from '../src/main/models/engines/local/process/protocol.ts'
import { makeRandomGguf } from '../testing/gguf/random.ts'
import { median, round } from './measure.ts'
import type { Measured } from './run-parts.ts'

const rounds = 3
/**
 * The number of turns. The tokens of a round are split into turns, because the system shares out the cores
 * anew within a second.
 */
const turns = 5
const tokensInTurn = 6
/** A message that is read in one piece. */
const messageWords = 'notes and worlds '.repeat(9)
const settings = [1, 2, 'auto'] as const
const cases = { idle: 0, one: 1, two: 2 } as const
/** A number of threads that took so many times as long as the other one is left out of later turns. */
const hopeless = 3
/** A program that uses a core until its parent process has ended. */
const neighbour = 'const { ppid } = process; while (process.ppid === ppid);'

type Setting = (typeof settings)[number]
/** The milliseconds for a token in one turn. */
type Turn = { write: number; read: number }
type Ask = (setting: Setting) => Promise<Usage>

type ThreadCase = {
  case: keyof typeof cases
  tokensPerSecond: number
  ratio: number
  prefillRatio: number
}

/**
 * How fast the engine writes and reads with the number of threads that it chooses itself, compared with the
 * better of one and two. The machine is idle, or one or two programs have just started to use its cores. All
 * three settings take turns in one process, because the system may favour one of two equal processes for
 * seconds. Ratios are taken within a turn.
 */
export async function benchThreads(): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-threads-'))
  const path = join(folder, 'quarter.gguf')
  makeRandomGguf(path, { preset: 'quarter', type: 'Q4_0' })
  const child = fork(fileURLToPath(import.meta.url), [path], {
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  try {
    const [answer] = await Promise.race([once(child, 'message'), once(child, 'exit')])
    if (!Array.isArray(answer)) throw new Error(`The engine ended with ${answer}.`)
    return Object.fromEntries(
      (answer as ThreadCase[]).flatMap(each => [
        [`threads_${each.case}_tokens_per_second`, each.tokensPerSecond],
        [`threads_${each.case}_ratio`, each.ratio],
        [`threads_${each.case}_prefill_ratio`, each.prefillRatio],
      ]),
    )
  } finally {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureCases(path: string): Promise<ThreadCase[]> {
  const ask = await openEngine(path)
  const results: ThreadCase[] = []
  // This brings the weights into memory, and shows what is normal on this machine.
  for (let turn = 0; turn < turns; turn++) for (const setting of settings) await ask(setting)
  for (const [name, neighbours] of Object.entries(cases)) {
    const busy = Array.from({ length: neighbours }, () =>
      spawn(process.execPath, ['-e', neighbour], { stdio: 'ignore' }),
    )
    try {
      await Promise.all(busy.map(child => once(child, 'spawn')))
      results.push({ case: name as keyof typeof cases, ...(await measure(name, ask)) })
    } finally {
      for (const child of busy) child.kill('SIGKILL')
    }
  }
  return results
}

/** Load one model. Each request runs with the threads of its setting. */
async function openEngine(path: string): Promise<Ask> {
  const request = {
    path,
    contextTokens: 2_048,
    sequences: 2,
    threads: 2,
    gpu: 'off' as const,
    gpuLayers: undefined,
    batch: batchTokens,
    force: false,
    flashAttention: undefined,
    mapFile: false,
    sampling: {},
    states: undefined,
  }
  const loaded = await loadModel(request, new AbortController().signal, () => {})
  if ('failure' in loaded) throw new Error(loaded.failure.text)
  const { llama } = loaded.model
  const set = (count: number) => void (llama.maxThreads = count)
  const threads = { 1: fixedThreads(1, set), 2: fixedThreads(2, set), auto: adaptThreads(2, set) }
  let asked = 0
  return async setting => {
    loaded.threads = threads[setting]
    const prompt = {
      sessionId: `threads ${asked++}`,
      // A text that was never evaluated before.
      messages: [{ role: 'user' as const, text: `${asked} ${messageWords}` }],
      tools: [],
      maxTokens: tokensInTurn,
      sampling: { temperature: 0.7, seed: 1 },
    }
    const result = await completePrompt(loaded, prompt, new AbortController().signal, {
      reading: () => {},
      text: () => {},
    })
    if (result.kind !== 'done') throw new Error(`No answer: ${JSON.stringify(result)}`)
    if (result.usage.outputTokens !== tokensInTurn)
      throw new Error(`It wrote ${result.usage.outputTokens} tokens only.`)
    return result.usage
  }
}

async function measure(name: string, ask: Ask): Promise<Omit<ThreadCase, 'case'>> {
  const taken: Record<Setting, (Turn | undefined)[]> = { 1: [], 2: [], auto: [] }
  let tried: readonly Setting[] = settings
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < turns; turn++) {
      const first = (round + turn) % tried.length
      // Each round begins with another setting.
      for (const setting of [...tried.slice(first), ...tried.slice(0, first)])
        taken[setting].push(await takeTurn(ask, setting))
      for (const setting of settings) if (!tried.includes(setting)) taken[setting].push(undefined)
      tried = worthwhile(tried, taken)
    }
    const typical = (setting: Setting, work: keyof Turn) =>
      Math.round(median(speedsOf(taken[setting].slice(-turns), work)))
    const told = tried.map(each => `${each}: ${typical(each, 'write')} (${typical(each, 'read')})`)
    process.stderr.write(`  ${name}, tokens/s written (read) with threads ${told.join(', ')}\n`)
  }
  return {
    tokensPerSecond: round(median(speedsOf(taken.auto, 'write'))),
    ratio: ratioOf(taken, 'write'),
    prefillRatio: ratioOf(taken, 'read'),
  }
}

/** The settings that did not take far longer than the other number. */
function worthwhile(tried: readonly Setting[], taken: Record<Setting, (Turn | undefined)[]>): Setting[] {
  const ms = (setting: Setting) =>
    taken[setting].reduce((sum, turn) => sum + (turn ? turn.write + turn.read : Infinity), 0)
  const least = Math.min(ms(1), ms(2))
  return tried.filter(setting => setting === 'auto' || ms(setting) <= least * hopeless)
}

async function takeTurn(ask: Ask, setting: Setting): Promise<Turn> {
  const { tokensPerSecond, prefillPerSecond } = await ask(setting)
  return { write: 1_000 / tokensPerSecond, read: 1_000 / prefillPerSecond }
}

const speedsOf = (taken: readonly (Turn | undefined)[], work: keyof Turn): number[] =>
  taken.flatMap(turn => (turn ? [1_000 / turn[work]] : []))

/**
 * The automatic choice compared, turn by turn, with the better number or with the one that was not left out.
 */
function ratioOf(taken: Record<Setting, (Turn | undefined)[]>, work: keyof Turn): number {
  const turnsOf = (setting: Setting) => speedsOf(taken[setting], work)
  const isOneBetter =
    turnsOf(1).length === turnsOf(2).length
      ? median(turnsOf(1)) > median(turnsOf(2))
      : turnsOf(1).length > turnsOf(2).length
  const better = isOneBetter ? taken[1] : taken[2]
  const ratios = taken.auto.flatMap((turn, at) => {
    const beside = better[at]
    return turn && beside ? [beside[work] / turn[work]] : []
  })
  return round(median(ratios))
}

if (import.meta.main) {
  const [path] = process.argv.slice(2)
  if (path === undefined) throw new Error('Run "npm run -s bench -- --only threads".')
  process.send?.(await measureCases(path))
}
