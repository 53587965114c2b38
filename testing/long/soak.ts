import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as breath } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createHost } from '../../src/main/host.ts'
import { memoryChannels } from '../../src/main/rpc/channels.ts'
import { serveContract } from '../../src/main/rpc/serve.ts'
import { connectClient } from '../../src/shared/connect-client.ts'
import { contract, type HostClient } from '../../src/shared/contract/index.ts'
import { startOpenAiServer, type ServedReply } from '../servers/openai-server.ts'
import type { LongRun } from './index.ts'

const CHATS = 5
/** Turns after which a chat is replaced and old ones are deleted. */
const TURNS_OF_A_CHAT = 40
/** Maximum heap growth between the first fifth and the end, after garbage collection. */
const MOST_GROWTH_MB = 24

/** Run one host for many turns: every answer must be stored and found, and neither heap nor handles may grow. */
export const soak: LongRun = {
  says: 'one host lives through so many turns: each is stored and found, and its heap does not grow',
  rounds: 1_000,
  async run({ rounds, home }) {
    const server = await startOpenAiServer({ models: [{ id: 'qwen3', max_model_len: 16_000 }] })
    // A review would consume answers meant for the turns.
    writeFileSync(join(home, 'config.yaml'), 'learning:\n  mode: "off"\n')
    const host = await createHost({ hosting: 'headless', home })
    const [ours, theirs] = memoryChannels()
    serveContract(contract, host.handlers, theirs, host.report)
    const client = connectClient(contract, ours)
    try {
      const { id } = await client['model.addServer']({
        name: 'Soak',
        baseUrl: server.baseUrl,
        model: 'qwen3',
      })
      return await live(client, id, rounds, replies => server.reply(...replies))
    } finally {
      await host.close()
      ours.close()
      await server.close()
    }
  },
}

async function live(
  client: HostClient,
  modelId: string,
  rounds: number,
  reply: (replies: ServedReply[]) => void,
): Promise<Record<string, number>> {
  const chats: { id: string; turns: number; messages: number }[] = []
  const counts = { turns: 0, toolCalls: 0, deletedChats: 0, found: 0 }
  let early = await measure()
  for (let n = 1; n <= rounds; n++) {
    let chat = chats[n % CHATS]
    if (!chat || chat.turns === TURNS_OF_A_CHAT) {
      if (chat) {
        await client['session.remove']({ id: chat.id })
        counts.deletedChats++
      }
      const { id } = await client['session.create']({ modelId, approval: 'full' })
      chats[n % CHATS] = chat = { id, turns: 0, messages: 0 }
    }
    const word = `marker${n}x`
    const fact = `Fact ${word}.`
    const call = { name: 'memory', arguments: { action: 'add', target: 'user', content: fact } }
    // Memory is limited, so the next turn forgets what this one saved.
    const forget = {
      name: 'memory',
      arguments: { action: 'remove', target: 'user', old_text: 'Fact marker' },
    }
    reply([
      { toolCalls: [n % 2 === 1 ? call : forget] },
      { text: `It is ${word}, and ${'so on '.repeat(50)}` },
    ])
    const { runId } = await client['chat.send']({ sessionId: chat.id, text: `Turn ${n}: what is ${word}?` })
    let end = ''
    for await (const event of client['run.watch']({ runId })) {
      if (event.type === 'tool_call') counts.toolCalls++
      if (event.type === 'turn_end') end = event.reason
    }
    if (end !== 'done') throw new Error(`Turn ${n} ended with “${end}”.`)
    chat.turns++
    chat.messages += 4
    counts.turns++
    const { hits } = await client['recall.search']({ query: word })
    if (hits[0]?.sessionId !== chat.id) throw new Error(`What was said in turn ${n} is not found.`)
    counts.found++
    if (n === Math.ceil(rounds / 5)) early = await measure()
  }
  for (const { id, messages } of chats) {
    const { messageCount } = await client['session.get']({ id })
    if (messageCount !== messages) throw new Error(`A chat holds ${messageCount} messages of ${messages}.`)
  }
  const late = await measure()
  const heapGrowthMB = Math.round((late.heap - early.heap) / 2 ** 20)
  const handleGrowth = late.handles - early.handles
  if (heapGrowthMB > MOST_GROWTH_MB) throw new Error(`The heap grew by ${heapGrowthMB} MB.`)
  if (handleGrowth > 10) throw new Error(`${handleGrowth} handles stayed open.`)
  return { ...counts, heapGrowthMB, handleGrowth }
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Heap and handles after garbage collection; closing needs a moment to finish. */
async function measure(): Promise<{ heap: number; handles: number }> {
  for (let n = 0; n < 3; n++) {
    await breath()
    collect()
  }
  return { heap: process.memoryUsage().heapUsed, handles: process.getActiveResourcesInfo().length }
}
