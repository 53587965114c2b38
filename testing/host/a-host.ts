import type { AppEvent } from '../../src/shared/contract/app.ts'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { z } from 'zod'
import { giveDatabase } from '../db/give-database.ts'
import { type ServedReply, startOpenAiServer } from '../servers/openai-server.ts'
import { connectClient } from '../../src/shared/connect-client.ts'
import { contract, type HostClient } from '../../src/shared/contract/index.ts'
import type { Message } from '../../src/shared/contract/chats/messages.ts'
import type { RunEvent } from '../../src/shared/contract/runs/run.ts'
import type { Session } from '../../src/shared/contract/chats/session.ts'
import type { Channel } from '../../src/shared/rpc.ts'
import { createHost } from '../../src/main/host.ts'
import type { HostOptions } from '../../src/main/app/host-types.ts'
import { memoryChannels } from '../../src/main/rpc/channels.ts'
import { serveContract } from '../../src/main/rpc/serve.ts'
import { defineTool, type Tool } from '../../src/main/tools/registry/tool.ts'

// For tests: the whole host in its own home folder, a model on a server, and a client that checks every
// answer.

// In memory where the system has such a folder: what is tested is what is written, not how fast a disk
// flushes.
const root = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** A separate home folder, removed on dispose. */
export function aHome(): { path: string; [Symbol.dispose](): void } {
  const path = realpathSync(mkdtempSync(join(root, 'talaria-host-')))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/**
 * A home folder for chats with a real model, which gets one thread: next to other tests, a second thread
 * would mostly wait, at full CPU load.
 */
export function aHomeForModels(): ReturnType<typeof aHome> {
  const home = aHome()
  writeFileSync(join(home.path, 'config.yaml'), ONE_THREAD)
  return home
}

/** A `config.yaml` for homes with real models; see `aHomeForModels`. */
export const ONE_THREAD = 'engine:\n  threads: 1\n'

/** Two small tools: `look` only reads, `note` changes something and so asks. */
export const smallTools = (trace: string[] = []): Tool[] => [
  defineTool({
    name: 'look',
    says: 'Look something up.',
    input: z.object({ what: z.string() }),
    toolset: 'test',
    risk: 'read',
    intent: async ({ what }, { workspace }) => ({
      title: `Look up ${what}`,
      detail: what,
      risk: 'read',
      inWorkspace: true,
      folder: workspace,
      path: join(workspace, what),
    }),
    async run({ what }) {
      trace.push(`look ${what}`)
      return { ok: true, text: `${what} is blue.` }
    },
  }),
  defineTool({
    name: 'note',
    says: 'Write something down.',
    input: z.object({ text: z.string() }),
    toolset: 'test',
    risk: 'write',
    intent: async ({ text }, { workspace }) => ({
      title: `Note ${text}`,
      detail: text,
      risk: 'write',
      inWorkspace: true,
      folder: workspace,
      path: join(workspace, 'notes'),
    }),
    async run({ text }) {
      trace.push(`note ${text}`)
      return { ok: true, text: 'Noted.' }
    },
  }),
]

/** A host with its client, closed on dispose. */
export async function aHost(home: string, options: Partial<HostOptions> & { coreTools?: true } = {}) {
  const { coreTools, ...rest } = options
  giveDatabase(home)
  const tools = coreTools ? {} : { tools: smallTools() }
  const host = await createHost({ hosting: 'headless', home, ...tools, ...rest })
  const ends: Channel[] = []
  const connectAgain = (): HostClient => {
    const [ours, theirs] = memoryChannels()
    ends.push(ours)
    serveContract(contract, host.handlers, theirs, host.report)
    return checked(connectClient(contract, ours))
  }
  const close = async () => {
    await host.close()
    for (const end of ends) end.close()
  }
  return {
    host,
    home,
    client: connectAgain(),
    /** Connect another window or terminal. */
    connectAgain,
    close,
    /** Unexpected errors in the log; empty for a host without mistakes. */
    mistakes: () => mistakesIn(home),
    [Symbol.asyncDispose]: close,
  }
}
export type TestHost = Awaited<ReturnType<typeof aHost>>

const mistakesIn = (home: string): string[] => {
  const log = join(home, 'logs', 'talaria.log')
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []
  return lines.filter(line => line.includes('"level":"error"'))
}

/** The same client, but an answer that violates the contract is an error. */
function checked(client: HostClient): HostClient {
  const check = (schema: z.ZodType, value: unknown) => {
    expect(schema.parse(value)).toEqual(value)
    return value
  }
  const methods = Object.entries(contract).map(([name, spec]) => {
    const method = client[name as keyof HostClient] as (...args: unknown[]) => unknown
    if (spec.kind === 'call')
      return [name, async (...args: unknown[]) => check(spec.output, await method(...args))]
    return [
      name,
      async function* (...args: unknown[]) {
        for await (const item of method(...args) as AsyncIterable<unknown>) yield check(spec.item, item)
      },
    ]
  })
  return Object.fromEntries(methods) as HostClient
}

/** A server with a model, closed on dispose. */
export async function aBareServer(model = 'qwen3', contextTokens = 16_000) {
  const server = await startOpenAiServer({ models: [{ id: model, max_model_len: contextTokens }] })
  return { ...server, [Symbol.asyncDispose]: () => server.close() }
}

/**
 * A server with a model, added to a host. The name decides the strategy: `qwen3` takes tools as data, `plain`
 * does not.
 */
export async function aServer(client: HostClient, model: 'qwen3' | 'plain' = 'qwen3') {
  const server = await aBareServer(model)
  const { id } = await client['model.addServer']({ name: 'Test server', baseUrl: server.baseUrl, model })
  return { ...server, modelId: id }
}

/** A chat on a server. */
export async function aChat(
  host: TestHost,
  server: { modelId: string },
  given: Partial<Pick<Session, 'approval'>> = {},
): Promise<Session> {
  return host.client['session.create']({ modelId: server.modelId, ...given })
}

/** Send a message and follow the run to its end; `onEvent` may act in between. */
export async function turn(
  { client }: Pick<TestHost, 'client'>,
  sessionId: string,
  text: string,
  onEvent: (event: RunEvent, runId: string) => unknown = () => {},
): Promise<RunEvent[]> {
  const { runId } = await client['chat.send']({ sessionId, text })
  const events: RunEvent[] = []
  for await (const event of client['run.watch']({ runId })) {
    events.push(event)
    await onEvent(event, runId)
  }
  return events
}

/** Why a run ended. */
export const endOf = (events: readonly RunEvent[]) => {
  const last = events.at(-1)
  return last?.type === 'turn_end' ? last.reason : undefined
}

/** The messages of a chat, one line each. */
export async function transcript({ client }: Pick<TestHost, 'client'>, id: string): Promise<string[]> {
  const { messages } = await client['session.messages']({ id })
  return messages.map(inShort)
}

function inShort(message: Message): string {
  if (message.role === 'user') return `user: ${message.text}`
  if (message.role === 'tool') return `result: ${message.text}`
  const calls = message.calls.map(({ name, arguments: given }) => `${name}(${Object.values(given).join()})`)
  return [`${message.interrupted ? 'interrupted' : 'assistant'}:`, message.text, ...calls]
    .filter(Boolean)
    .join(' ')
}

/** An answer of many small pieces, one every few milliseconds. */
export const slowly = (words: number, delayMs = 3): ServedReply => ({
  text: Array.from({ length: words }, (_, n) => `w${n} `),
  delayMs,
})

/** The content of an event: the areas that changed, or else its type. */
export const toldBy = (event: AppEvent): readonly string[] =>
  event.type === 'changed' ? event.areas : [event.type]
