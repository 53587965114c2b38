import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHost } from '../src/main/host.ts'
import { startOpenAiServer } from '../testing/servers/openai-server.ts'
import { round, timed } from './measure.ts'
import type { Measured } from './run-parts.ts'

const ROWS = 1_000
const WORKERS = 4
const REPLY_MS = 200
const MODEL = 'qwen3'
const SAMPLE_MS = 100
const WORDS = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ')

/**
 * A batch of rows without tools, on a server in a separate process that takes 200 ms for a reply. Measured
 * are its speed, compared with that of as many loops that only send the same requests, and the memory of the
 * second half of the rows, compared with the first half.
 */
export async function benchBatch(rows = ROWS): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-batch-'))
  const server = fork(fileURLToPath(import.meta.url), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  try {
    const [baseUrl] = (await once(server, 'message')) as [string]
    const bareMs = await timed(() => askBare(baseUrl, rows))
    const { ms, processorMs, memory } = await runBatch(folder, baseUrl, rows)
    return {
      batch_rows: rows,
      batch_rows_per_second: round((rows / ms) * 1_000),
      batch_bare_rows_per_second: round((rows / bareMs) * 1_000),
      batch_ratio: round(bareMs / ms),
      batch_processor_ms_per_row: round(processorMs / rows),
      batch_first_half_megabytes: round(memory.first / 1e6),
      batch_last_half_megabytes: round(memory.last / 1e6),
      batch_memory_ratio: round(memory.last / memory.first),
    }
  } finally {
    server.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function askBare(baseUrl: string, rows: number): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next++ < rows) {
      const messages = [
        { role: 'system', content: 'x'.repeat(3_000) },
        { role: 'user', content: `Question ${next}` },
      ]
      const body = JSON.stringify({
        model: MODEL,
        stream: true,
        stream_options: { include_usage: true },
        messages,
      })
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers, body })
      if (!(await response.text()).includes('[DONE]')) throw new Error('An answer did not end.')
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, worker))
}

async function runBatch(folder: string, baseUrl: string, rows: number) {
  const file = join(folder, 'rows.jsonl')
  const lines = Array.from({ length: rows }, (_, at) => JSON.stringify({ prompt: `Question ${at}` }))
  writeFileSync(file, `${lines.join('\n')}\n`)
  const home = join(folder, 'home')
  mkdirSync(home)
  const entry = { id: 'bench', name: 'Bench', base_url: baseUrl, model: MODEL, context_tokens: 16_000 }
  writeFileSync(join(home, 'config.yaml'), JSON.stringify({ models: { servers: [entry] } }))
  const host = await createHost({ hosting: 'headless', home })
  const { handlers } = host
  const { signal } = new AbortController()
  const given = {
    file,
    out: join(folder, 'out'),
    modelId: 'server:bench',
    workers: WORKERS,
    batchSize: 100,
    attempts: 1,
    approve: 'work' as const,
    tools: false,
    keepFolders: false,
  }
  const samples: { ended: number; bytes: number }[] = []
  let ended = 0
  const sampler = setInterval(() => samples.push({ ended, bytes: process.memoryUsage.rss() }), SAMPLE_MS)
  const before = process.cpuUsage()
  const ms = await timed(async () => {
    const { id } = await handlers['batch.start'](given, signal)
    for await (const state of handlers['batch.watch']({ id }, signal)) {
      ended = state.ended
      if (state.state === 'paused') throw new Error(state.text)
    }
  })
  clearInterval(sampler)
  const { user, system } = process.cpuUsage(before)
  if (ended !== rows) throw new Error(`Only ${ended} rows have ended.`)
  await host.close()
  const mean = (of: typeof samples) => of.reduce((sum, { bytes }) => sum + bytes, 0) / of.length
  const half = rows / 2
  return {
    ms,
    processorMs: (user + system) / 1_000,
    memory: {
      first: mean(samples.filter(each => each.ended < half)),
      last: mean(samples.filter(each => each.ended >= half)),
    },
  }
}

if (import.meta.main) {
  const server = await startOpenAiServer({ models: [{ id: MODEL, max_model_len: 16_000 }] })
  server.reply({ text: WORDS, stallMs: REPLY_MS })
  process.send?.(server.baseUrl)
}
