import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { startWebHost } from '../src/main/page-server/web-host.ts'
import { connectClient } from '../src/shared/connect-client.ts'
import { call, stream, type Channel, type Contract } from '../src/shared/rpc.ts'
import { percentile, round } from './measure.ts'

const contract = {
  'bench.ping': call(z.object({ text: z.string() }), z.object({ text: z.string() })),
  'bench.tokens': stream(z.object({ count: z.int() }), z.object({ sentAt: z.number(), text: z.string() })),
} satisfies Contract

/**
 * The milliseconds of calls and streamed tokens over a real WebSocket on loopback. Both ends are in this
 * process.
 */
export async function benchRpc(): Promise<Record<string, number>> {
  const host = await startWebHost({
    root: import.meta.dirname,
    contract,
    report: error => {
      throw error
    },
    handlers: {
      'bench.ping': ({ text }) => ({ text }),
      async *'bench.tokens'({ count }) {
        for (let n = 0; n < count; n++) {
          await sleep(2)
          yield { sentAt: performance.now(), text: 'token ' }
        }
      },
    },
  })
  const client = connectClient(contract, await openSocket(`http://127.0.0.1:${host.port}/`, host.token))
  const calls: number[] = []
  for (let n = 0; n < 2_000; n++) {
    const startedAt = performance.now()
    await client['bench.ping']({ text: 'hello' })
    calls.push(performance.now() - startedAt)
  }
  const tokens: number[] = []
  for await (const token of client['bench.tokens']({ count: 500 }))
    tokens.push(performance.now() - token.sentAt)
  await host.close()
  return {
    rpc_call_p50_ms: round(percentile(calls, 0.5)),
    rpc_call_p95_ms: round(percentile(calls, 0.95)),
    rpc_token_p50_ms: round(percentile(tokens, 0.5)),
    rpc_token_p95_ms: round(percentile(tokens, 0.95)),
  }
}

async function openSocket(url: string, token: string): Promise<Channel> {
  const { origin, host } = new URL(url)
  const socket = new WebSocket(`ws://${host}/rpc`, ['rpc.v1', `token.${token}`], { origin })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return {
    post: message => socket.send(JSON.stringify(message)),
    onMessage: listener =>
      void socket.on('message', (data: Buffer) => listener(JSON.parse(data.toString('utf8')))),
    onClose: listener => void socket.on('close', listener),
    close: () => socket.close(),
  }
}
