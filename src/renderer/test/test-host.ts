import type { HostStart, Seeding, Seeds, StartedHost } from '../../../testing/window/protocol.ts'
import { connect } from '../../shared/connect.ts'
import type { AppEvent } from '../../shared/contract/app.ts'
import { contract, type HostClient } from '../../shared/contract/index.ts'
import { Fault, type Channel } from '../../shared/rpc.ts'
import type { Link } from '../rpc/link.ts'
import { overSocket } from '../rpc/over-socket.ts'
import { reconnecting } from '../rpc/reconnecting.ts'
import { createGate, type Gate } from './gate.ts'
import { openKeeper, rpcAddress } from './keeper.ts'
import { listenToModel, type Asked } from './model-script.ts'

/** How a host is started, and what its greeting says instead of what holds on the machine of the test. */
export type TestHostOptions = Omit<HostStart, 'seeds'> & {
  hello?: Partial<Extract<AppEvent, { type: 'hello' }>>
}

/** A real host, started for one test, with the line of a window to it. */
export type TestHost = StartedHost &
  Omit<Gate, 'over'> & {
    link: Link
    /** The same host over a line of its own, as another window or a terminal has it; what is asked here is not recorded. */
    elsewhere: HostClient
    /** Put something there without asking the host; before the start it is kept for the start. */
    seed: { [K in keyof Seeds]: (input: Parameters<Seeds[K]>[0]) => Promise<unknown> }
    /** The next question to the model that no test has taken yet. */
    nextAsked(): Promise<Asked>
    /** Answer every question to the model from now on. */
    modelSays(answer: (asked: Asked) => void): void
    readFile(folder: 'home' | 'workspace', path: string): Promise<string | null>
    /** Send the bytes of an upload; resolves to whether the host has taken them. */
    upload(transferId: string, text: string): Promise<boolean>
    /** Break the line, or mend it. */
    disconnect(): void
    reconnect(): void
    close(): Promise<void>
  }

/** A host that is not started yet: what the test prepares. */
export type PreparedHost = Omit<Gate, 'over'> & Pick<TestHost, 'seed' | 'modelSays'>

/** Start a host after `prepare` has said what is there before. Its line is open when this resolves. */
export async function openTestHost(
  prepare: (host: PreparedHost) => void = () => {},
  { hello = {}, ...start }: TestHostOptions = {},
): Promise<TestHost> {
  const keeper = await openKeeper()
  const seedings: Seeding[] = []
  let started: StartedHost | undefined
  const sow = async (seeding: Seeding) => {
    if (started) return keeper.seed({ hostId: started.id, seeding })
    seedings.push(seeding)
    return undefined
  }
  const seed = new Proxy({} as TestHost['seed'], {
    get: (_, name) => (input: unknown) => sow({ seed: name, input } as Seeding),
  })
  const model = listenToModel(keeper, () => started?.id)
  const { over, ...gate } = createGate(hello)
  const prepared = { ...gate, seed, modelSays: model.says }
  prepare(prepared)

  started = await keeper.open({ ...start, seeds: seedings })
  const { id } = started
  let isDown = false
  const channels = new Set<Channel>()
  const open = async () => {
    if (isDown) throw new Fault('disconnected', 'The host does not answer.')
    const channel = await openChannel(id)
    channels.add(channel)
    channel.onClose(() => channels.delete(channel))
    return channel
  }
  const line = reconnecting(contract, open)
  const elsewhere = await openChannel(id)
  await untilConnected(line)
  return {
    ...started,
    ...prepared,
    link: {
      client: over(line.client),
      state: line.state,
      subscribe: line.subscribe,
      retryNow() {
        gate.asked.push({ name: 'retry', input: undefined })
        line.retryNow()
      },
    },
    elsewhere: connect(contract, elsewhere),
    nextAsked: model.next,
    readFile: (folder, path) => keeper.read({ hostId: id, folder, path }),
    upload: (transferId, text) => keeper.upload({ hostId: id, transferId, text }),
    disconnect() {
      isDown = true
      for (const channel of channels) channel.close()
    },
    reconnect() {
      isDown = false
      line.retryNow()
    },
    async close() {
      model.stop()
      line.close()
      elsewhere.close()
      await keeper.close({ hostId: id })
    },
  }
}

async function openChannel(hostId: string): Promise<Channel> {
  const socket = new WebSocket(rpcAddress(hostId))
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', () => reject(new Fault('disconnected', 'The host does not answer.')), {
      once: true,
    })
  })
  return overSocket(socket)
}

const untilConnected = (line: Pick<Link, 'state' | 'subscribe'>) =>
  new Promise<void>(resolve => {
    const look = () => line.state() === 'connected' && resolve()
    line.subscribe(look)
    look()
  })
