import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectPipe } from '../src/main/rpc/pipe.ts'
import { connectClient } from '../src/shared/connect-client.ts'
import { contract, type HostClient } from '../src/shared/contract/index.ts'
import { startOpenAiServer } from '../testing/servers/openai-server.ts'
import { fillChats, filledChatId, indexPassages, openBenchStore, sentencesOf } from './fill-chats.ts'
import { startHeadless } from './headless.ts'
import { median, percentile, round } from './measure.ts'
import { openHomes } from './pulse/homes.ts'
import { msOf, startCaller, type Caller } from './pulse/watch-host.ts'
import type { Measured } from './run-parts.ts'

const LENGTHS = { '1k': 1_000, '10k': 10_000, '100k': 100_000 }
const ROUNDS = 3
/** How long to wait before measuring: after its start a host indexes and tidies. */
const SETTLING_MS = 3_000
/** The number of messages that the window asks for at a time. */
const PAGE = 60
/** A word that is only in the middle of each chat. */
const RARE = 'heliotrope'

type Act = (client: HostClient, sessionId: string) => Promise<void>

/** What a person does with a chat, as the calls of the window. */
const acts: Readonly<Record<string, Act>> = {
  async open(client, id) {
    const [, { messages }] = await Promise.all([
      client['session.get']({ id }),
      client['session.messages']({ id, limit: PAGE }),
      client['chat.recap']({ sessionId: id }),
    ])
    if (messages.length !== PAGE) throw new Error(`${messages.length} messages were shown.`)
  },
  async turns(client, sessionId) {
    const { turns } = await client['chat.turns']({ sessionId })
    if (turns.length === 0) throw new Error('No turns were listed.')
  },
  async find(client, sessionId) {
    const { found } = await client['chat.find']({ sessionId, query: RARE, tools: false })
    if (found.length !== 1) throw new Error(`${found.length} were found.`)
  },
  // The history does not fit into the model's context.
  first_turn: answer,
  turn: answer,
}

/**
 * How long a person waits in chats of one thousand, ten thousand and a hundred thousand messages: to open the
 * chat, for the list of its turns, for a search in it, for the first turn since it grew so long, and for the
 * turns after that. Also how long the list of chats had to wait at most meanwhile.
 */
export async function benchLongChats(): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-long-'))
  const server = await startOpenAiServer()
  server.reply({ text: 'I have read it.' })
  const homes = openHomes(folder)
  const home = homes.make('home', server.baseUrl)
  await fill(home, homes.workspace)
  const host = await startHeadless(home)
  let caller: Caller | undefined
  try {
    caller = await startCaller(home)
    const client = connectClient(contract, (await connectPipe(home))!)
    await sleep(SETTLING_MS)
    await caller.during(async () => {})
    // The other figures include the cost of other programs on the machine too.
    const idle = msOf(await caller.during(async () => {}))
    const figures: Measured = { long_chat_idle_worst_ms: round(percentile(idle, 1)) }
    for (const [n, [length]] of Object.entries(LENGTHS).entries())
      for (const [name, act] of Object.entries(acts)) {
        const { ms, worstMs } = await measure(caller, name === 'first_turn' ? 1 : ROUNDS, () =>
          act(client, filledChatId(n)),
        )
        process.stderr.write(`  ${length} messages, ${name}: ${ms} ms, worst wait ${worstMs} ms\n`)
        figures[`long_chat_${length}_${name}_ms`] = ms
        figures[`long_chat_${length}_${name}_worst_ms`] = worstMs
      }
    return figures
  } finally {
    caller?.close()
    await host.stop()
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fill(home: string, workspace: string): Promise<void> {
  const { sentence } = sentencesOf(11)
  const lengths = Object.values(LENGTHS)
  const rare = new Set(
    lengths.map((length, n) => length / 2 + lengths.slice(0, n).reduce((a, b) => a + b, 0)),
  )
  let written = 0
  fillChats(home, {
    chats: lengths,
    textOf: () => (rare.has(written++) ? `${sentence(8)} ${RARE} ${sentence(8)}` : sentence(16)),
    titleOf: () => sentence(6),
    model: 'server:served',
    workspace,
  })
  const store = openBenchStore(home)
  await indexPassages(store)
  store.close()
}

async function answer(client: HostClient, sessionId: string): Promise<void> {
  const { runId } = await client['chat.send']({ sessionId, text: 'And what else?' })
  for await (const event of client['run.watch']({ runId }))
    if (event.type === 'turn_end' && event.reason !== 'done')
      throw new Error(`The turn ended so: ${event.reason}.`)
}

/** The median time, and the longest wait of a small call in any round. */
async function measure(
  caller: Caller,
  rounds: number,
  act: () => Promise<void>,
): Promise<{ ms: number; worstMs: number }> {
  const took: number[] = []
  const waits = await caller.during(async () => {
    for (let n = 0; n < rounds; n++) {
      const startedAt = performance.now()
      await act()
      took.push(performance.now() - startedAt)
    }
  })
  return { ms: round(median(took)), worstMs: round(percentile(msOf(waits), 1)) }
}
