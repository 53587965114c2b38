import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHost } from '../src/main/host.ts'
import { memoryChannels } from '../src/main/rpc/channels.ts'
import { serveContract } from '../src/main/rpc/serve.ts'
import { connectClient } from '../src/shared/connect-client.ts'
import { contract, type HostClient } from '../src/shared/contract/index.ts'
import { makeRandomGguf } from '../testing/gguf/random.ts'
import { makeScriptedGguf } from '../testing/gguf/scripted.ts'
import { percentile, round } from './measure.ts'

const STOPS = 20
const FEWEST_STOPS = 15

/** A chat through the whole product: how many tokens each turn evaluates, and how fast a stop is. */
export async function benchChat(): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-'))
  const endless = join(folder, 'endless.gguf')
  makeRandomGguf(endless, { preset: 'small' })
  const scripted = join(folder, 'scripted.gguf')
  makeScriptedGguf(scripted, { reply: 'Hello! I am a scripted model and I say the same thing every time.' })
  const host = await createHost({ hosting: 'cli', home: join(folder, 'home') })
  const [ours, theirs] = memoryChannels()
  serveContract(contract, host.handlers, theirs, host.report)
  const client = connectClient(contract, ours)
  try {
    return { ...(await benchTurns(client, scripted)), ...(await benchStops(client, endless)) }
  } finally {
    await host.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Ten turns of one chat: each turn should evaluate only what is new since the last one. */
async function benchTurns(client: HostClient, model: string): Promise<Record<string, number>> {
  const session = await client['session.create']({ modelId: `file:${model}`, approval: 'ask' })
  const figures: Record<string, number> = {}
  for (let turn = 1; turn <= 10; turn++) {
    const { runId } = await client['chat.send']({
      sessionId: session.id,
      text: `This is message number ${turn} of the chat.`,
    })
    for await (const event of client['run.watch']({ runId, after: 0 })) {
      if (event.type !== 'context_usage' || ![1, 2, 10].includes(turn)) continue
      figures[`turn_${turn}_prompt_tokens`] = event.usage.promptTokens
      figures[`turn_${turn}_evaluated_tokens`] = event.usage.evaluatedTokens
    }
  }
  return figures
}

/**
 * The time from the request to stop until the turn has ended, on a model whose random weights never stop
 * writing.
 */
async function benchStops(client: HostClient, model: string): Promise<Record<string, number>> {
  const took: number[] = []
  for (let n = 0; n < STOPS; n++) {
    const session = await client['session.create']({ modelId: `file:${model}`, approval: 'chat_only' })
    const { runId } = await client['chat.send']({
      sessionId: session.id,
      text: 'Write and write. '.repeat(n * 40 + 1),
    })
    let askedAt = 0
    // Even rounds stop during the answer, odd ones while the model still reads the message.
    for await (const event of client['run.watch']({ runId, after: 0 })) {
      const now =
        n % 2 === 0 ? event.type === 'text_delta' : event.type === 'progress' || event.type === 'text_delta'
      if (askedAt === 0 && now) {
        askedAt = performance.now()
        await client['run.stop']({ runId })
      }
      if (event.type === 'turn_end' && askedAt > 0) took.push(performance.now() - askedAt)
    }
  }
  const dropped = STOPS - took.length
  // A round whose run ended before the stop measures nothing.
  if (took.length < FEWEST_STOPS) throw new Error(`Only ${took.length} of ${STOPS} turns could be stopped.`)
  return {
    stop_p50_ms: round(percentile(took, 0.5)),
    stop_p95_ms: round(percentile(took, 0.95)),
    stop_samples: took.length,
    stop_dropped: dropped,
  }
}
