import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { WebSocket } from 'ws'
import { overPort, overSocket } from '../../src/renderer/rpc/page-channels.ts'
import type { Channel } from '../../src/shared/rpc.ts'
import { memoryChannels } from '../../src/main/rpc/channels.ts'
import { connectPipe, listenPipe } from '../../src/main/rpc/pipe.ts'
import { serveContract } from '../../src/main/rpc/serve.ts'
import { startWebHost } from '../../src/main/page-server/web-host.ts'
import { overWorkerPort } from './over-worker-port.ts'
import { probe, type aHost } from './probe-host.ts'

type Host = ReturnType<typeof aHost>

/** A host behind one kind of channel: how to connect to it, and how to kill it. */
export type Wire = { open(): Promise<Channel>; die(): Promise<void> }

const overPorts = async (host: Host): Promise<Wire> => {
  const ends: Channel[] = []
  return {
    async open() {
      const { port1, port2 } = new MessageChannel()
      const end = overWorkerPort(port1)
      ends.push(end)
      serveContract(probe, host.handlers, end, host.report)
      // The same class in both environments; Node's types declare its events only as plain events.
      return overPort(port2 as unknown as Parameters<typeof overPort>[0])
    },
    async die() {
      for (const end of ends) end.close()
    },
  }
}

const inMemory = async (host: Host): Promise<Wire> => {
  const ends: Channel[] = []
  return {
    async open() {
      const [ours, theirs] = memoryChannels()
      ends.push(theirs)
      serveContract(probe, host.handlers, theirs, host.report)
      return ours
    },
    async die() {
      for (const end of ends) end.close()
    },
  }
}

const overPipes = async (host: Host): Promise<Wire> => {
  const home = await mkdtemp(join(tmpdir(), 'talaria-wire-'))
  const pipe = await listenPipe(
    home,
    channel => serveContract(probe, host.handlers, channel, host.report),
    host.report,
  )
  return {
    open: async () => (await connectPipe(home))!,
    async die() {
      await pipe.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}

const overWebSockets = async (host: Host): Promise<Wire> => {
  const { handlers, report } = host
  const web = await startWebHost({ root: tmpdir(), contract: probe, handlers, report })
  return {
    async open() {
      const origin = `http://127.0.0.1:${web.port}`
      const socket = new WebSocket(`${origin}/rpc`, ['rpc.v1', `token.${web.token}`], { origin })
      await once(socket, 'open')
      return overSocket(socket)
    },
    die: () => web.close(),
  }
}

/** Every way in which a client can reach a host. */
export const wires = {
  'a message port': overPorts,
  'a web socket': overWebSockets,
  'the pipe': overPipes,
  memory: inMemory,
}
