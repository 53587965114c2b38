import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createHost } from '../src/main/host.ts'
import { memoryChannels } from '../src/main/rpc/channels.ts'
import { serveContract } from '../src/main/rpc/serve.ts'
import { connectClient } from '../src/shared/connect-client.ts'
import { contract, type HostClient } from '../src/shared/contract/index.ts'
import { makeRandomGguf } from '../testing/gguf/random.ts'
import { median, round } from './measure.ts'
import type { Measured } from './run-parts.ts'

const ROUNDS = 7
const LETTERS = 300
const FLOOD_MS = 5_000
const CONNECTIONS = 500

/** The address of the server for other programs, with its key and a model. */
type Address = { address: string; key: string; model: string }

/**
 * The server for other programs compared with a chat of the host, on one model whose random weights never
 * stop writing. Measured are the speed of a streamed answer and of the chat in characters a second, and their
 * ratio by pairs; the speed of the chat while a program is answered, compared with the chat alone; and how
 * late the host is while another process sends a megabyte over each of 500 connections, again and again.
 */
export async function benchApi(): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-'))
  const file = join(folder, 'endless.gguf')
  makeRandomGguf(file, { preset: 'small' })
  const host = await createHost({ hosting: 'headless', home: join(folder, 'home'), answersPrograms: true })
  const [ours, theirs] = memoryChannels()
  serveContract(contract, host.handlers, theirs, host.report)
  const client = connectClient(contract, ours)
  try {
    const model = `file:${file}`
    await client['model.setDefault']({ id: model })
    await client['settings.set']({ path: 'api.port', value: 20_000 + Math.floor(Math.random() * 20_000) })
    const { address } = await client['api.state']({})
    const { key } = await client['api.key']({})
    const api = { address, key, model }
    const pairs: { own: number; api: number }[] = []
    // The first round does not count: it loads the model and warms both up.
    for (let n = 0; n <= ROUNDS; n++) {
      const pair = { own: await ownSpeed(client, model, n), api: await apiSpeed(api, n) }
      if (n > 0) pairs.push(pair)
    }
    const beside: number[] = []
    for (let n = 0; n < ROUNDS; n++) {
      const over = new AbortController()
      const other = apiSpeed(api, n, over.signal).catch(() => 0)
      await sleep(200)
      beside.push(await ownSpeed(client, model, n))
      over.abort()
      await other
    }
    const own = median(pairs.map(pair => pair.own))
    return {
      api_letters_per_s: round(median(pairs.map(pair => pair.api))),
      api_own_letters_per_s: round(own),
      api_over_own: round(median(pairs.map(pair => pair.api / pair.own))),
      api_own_beside_over_alone: round(median(beside) / own),
      ...(await benchFlood(api)),
    }
  } finally {
    await host.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Measures an answer in characters a second: from the first piece until there are enough. */
function startClock() {
  let first = 0
  let letters = 0
  return {
    /** Whether there are enough characters. */
    hear(text: string): boolean {
      if (first === 0) first = performance.now()
      else letters += text.length
      return letters >= LETTERS
    },
    letters: () => letters,
    speed: () => (letters * 1_000) / (performance.now() - first),
  }
}

async function ownSpeed(client: HostClient, modelId: string, n: number): Promise<number> {
  const session = await client['session.create']({ modelId, approval: 'chat_only' })
  const { runId } = await client['chat.send']({ sessionId: session.id, text: `Write on, ${n}.` })
  const clock = startClock()
  let speed = 0
  for await (const event of client['run.watch']({ runId, after: 0 })) {
    if ((event.type !== 'text_delta' && event.type !== 'reasoning_delta') || speed > 0) continue
    if (!clock.hear(event.text)) continue
    speed = clock.speed()
    await client['run.stop']({ runId })
  }
  if (speed === 0)
    throw new Error(`The answer was too short, with ${clock.letters()} letters: ask something else.`)
  return speed
}

async function apiSpeed({ address, key, model }: Address, n: number, signal?: AbortSignal): Promise<number> {
  const over = new AbortController()
  const answer = await fetch(`${address}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: `Write on, ${n}.` }] }),
    signal: AbortSignal.any([over.signal, ...(signal ? [signal] : [])]),
  })
  if (!answer.ok || !answer.body) throw new Error(await answer.text())
  const clock = startClock()
  let rest = ''
  for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
    const lines = `${rest}${piece}`.split('\n\n')
    rest = lines.pop()!
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue
      const { choices } = JSON.parse(line.slice(6)) as {
        choices: { delta: { content?: string; reasoning_content?: string } }[]
      }
      const { content = '', reasoning_content: thought = '' } = choices[0]?.delta ?? {}
      // With a signal, the answer only keeps the model busy.
      if (content + thought === '' || !clock.hear(content + thought) || signal) continue
      const speed = clock.speed()
      over.abort()
      return speed
    }
  }
  throw new Error(`The answer was too short, with ${clock.letters()} letters: ask something else.`)
}

async function benchFlood({ address, key }: Address): Promise<Record<string, number>> {
  const idle = await watchPulse()
  const program = fileURLToPath(new URL('api-flood.ts', import.meta.url))
  const flood = fork(program, [new URL(address).port, key, String(CONNECTIONS)])
  await sleep(1_000)
  const flooded = await watchPulse()
  flood.kill('SIGKILL')
  return {
    api_flood_pulse_p99_ms: flooded.p99,
    api_flood_pulse_worst_ms: flooded.worst,
    api_flood_idle_p99_ms: idle.p99,
    api_flood_idle_worst_ms: idle.worst,
  }
}

/** Measures how late the host's timers are, in ms. */
async function watchPulse() {
  const pulse = monitorEventLoopDelay({ resolution: 5 })
  pulse.enable()
  await sleep(FLOOD_MS)
  pulse.disable()
  return { p99: round(pulse.percentile(99) / 1e6), worst: round(pulse.max / 1e6) }
}
