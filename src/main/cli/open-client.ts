import { setTimeout as sleep } from 'node:timers/promises'
import { connectClient } from '../../shared/connect-client.ts'
import { contract, type HostClient } from '../../shared/contract/index.ts'
import { Fault, isNotBegun } from '../../shared/rpc.ts'
import type { Host, HostOptions } from '../app/host-types.ts'
import { resolveHome } from '../config/home.ts'
import { memoryChannels } from '../rpc/channels.ts'
import { connectPipe } from '../rpc/pipe.ts'
import { serveContract } from '../rpc/serve.ts'
import { noteOpened } from './on-uncaught-error.ts'
import { printOnce } from './output/terminal-text.ts'

/** A client and how to disconnect. */
export type Opened = { client: HostClient; close(): Promise<void> }

/** Creates a host if none is running; the desktop app adds its own parts. */
export type CreateHost = (options: HostOptions) => Promise<Host>

/** How long to wait for a host that is starting or ending, in ms: it locks its folder but does not answer. */
const PATIENCE_MS = 30_000
const PAUSE_MS = 100

/** Maximum number of attempts if the host goes away during a call. */
const ATTEMPTS = 5

const INHABITED = 'Another command is still using this Talaria. Waiting for it; Ctrl-C ends both.'

/**
 * Connect to the host that owns the home folder. If there is none, start one that lasts as long as this
 * command. The host may be another command that is just ending: calls that it has not started are repeated on
 * the next host.
 */
export async function openClient(
  givenHome: string | undefined,
  workspace?: string,
  createHost?: CreateHost,
): Promise<Opened> {
  const home = resolveHome(givenHome)
  let opened = await openOnce(home, workspace, createHost)
  let reopening: Promise<void> | undefined
  const reopen = async () => {
    try {
      await opened.close()
      opened = await openOnce(home, workspace, createHost)
    } finally {
      reopening = undefined
    }
  }
  const callOf =
    (name: CallName) =>
    async (...given: unknown[]) => {
      const until = performance.now() + PATIENCE_MS
      for (;;)
        try {
          return await (opened.client[name] as (...given: unknown[]) => Promise<unknown>)(...given)
        } catch (error) {
          if (!isNotBegun(error) || performance.now() > until) throw error
          await (reopening ??= reopen())
        }
    }
  const streamOf =
    (name: CallName) =>
    (...given: unknown[]) =>
      (opened.client[name] as (...given: unknown[]) => unknown)(...given)
  const names = Object.keys(contract) as CallName[]
  const client = Object.fromEntries(
    names.map(name => [name, contract[name].kind === 'call' ? callOf(name) : streamOf(name)]),
  )
  return { client: client as HostClient, close: () => opened.close() }
}

type CallName = keyof typeof contract

async function openOnce(
  home: string,
  workspace: string | undefined,
  createHost: CreateHost | undefined,
): Promise<Opened> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    // Try to connect first: with a running host, this command does not have to load one.
    const channel = await connectPipe(home)
    noteOpened({ home })
    if (channel)
      return {
        client: connectClient(contract, channel, { isGreeted: true }),
        close: async () => channel.close(),
      }
    try {
      return await ownHost(home, workspace, createHost)
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'busy') throw error
      if (performance.now() > until)
        throw new Fault('busy', `${error.message} It does not answer; close it and try again.`)
      await sleep(PAUSE_MS)
    }
  }
}

async function ownHost(
  home: string,
  workspace: string | undefined,
  createHost: CreateHost | undefined,
): Promise<Opened> {
  const make = createHost ?? (await import('../host.ts')).createHost
  const host = await make({ hosting: 'cli', home, ...(workspace !== undefined && { workspace }) })
  noteOpened(host)
  // Print this once, before the output of the command.
  if (host.reading) printOnce(`${host.reading.text} ${host.reading.fix}`)
  const [ours, theirs] = memoryChannels()
  serveContract(contract, host.handlers, theirs, host.report)
  const client = connectClient(contract, ours)
  return {
    client,
    async close() {
      await outlast(client)
      await host.close()
    },
  }
}

/** Wait for other commands that are connected to this host and still wait for an answer. */
async function outlast(client: HostClient): Promise<void> {
  for (let waits = 0; ; waits++) {
    const { sessions } = await client['session.list']({ limit: 200 })
    const runId = sessions.find(session => session.activeRunId !== null)?.activeRunId
    const { batches } = await client['batch.list']({})
    const batch = batches.find(({ state }) => state === 'running' || state === 'waiting')
    if (!runId && !batch) return
    if (waits === 0) process.stderr.write(`${INHABITED}\n`)
    if (runId) for await (const event of client['run.watch']({ runId })) if (event.type === 'turn_end') break
    if (batch) for await (const _state of client['batch.watch']({ id: batch.id })) continue
  }
}

/** For calls that are safe to repeat. */
export const TWICE = { twice: true }

/**
 * Call the host and disconnect. The host may be another command that is just ending; with `twice`, `work` is
 * then repeated on the next host.
 */
export async function withClient<T>(
  home: string | undefined,
  work: (client: HostClient) => Promise<T>,
  { twice = false } = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const { client, close } = await openClient(home)
    try {
      return await work(client)
    } catch (error) {
      const isGone = error instanceof Fault && error.code === 'disconnected'
      if (!twice || !isGone || attempt === ATTEMPTS) throw error
    } finally {
      await close()
    }
  }
}
