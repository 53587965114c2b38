import type { HostStart, PhoneUse, Seeding, Seeds, StartedHost } from '../../../testing/window/protocol.ts'
import { connectClient } from '../../shared/connect-client.ts'
import type { AppEvent } from '../../shared/contract/app.ts'
import { contract, type HostClient } from '../../shared/contract/index.ts'
import { Fault, type Channel } from '../../shared/rpc.ts'
import { overSocket } from '../rpc/page-channels.ts'
import { reconnectingClient, type Link } from '../rpc/link.ts'
import { createGate, type Gate } from './gate.ts'
import { openKeeper, rpcAddress, terminalAddress } from './keeper.ts'
import { listenToModel, type Asked } from './model-script.ts'

/** Start options of a host, and overrides of its greeting for what varies between test machines. */
export type TestHostOptions = Omit<HostStart, 'seeds'> & {
  hello?: Partial<Extract<AppEvent, { type: 'hello' }>>
}

/** A real host, started for one test, with a window's connection to it. */
export type TestHost = StartedHost &
  Omit<Gate, 'over'> & {
    link: Link
    /**
     * A second connection, as from another window or a terminal. Its requests are not recorded, and run after
     * earlier requests of the window.
     */
    elsewhere: HostClient
    /** Connect as a terminal does. Its changes are announced in windows. */
    openTerminal(): Promise<HostClient>
    /** Seed data directly, without a host request. Calls before the start are queued. */
    seed: { [K in keyof Seeds]: (input: Parameters<Seeds[K]>[0]) => Promise<unknown> }
    /** The next unhandled model request. */
    nextAsked(): Promise<Asked>
    /** Answer all further model requests. */
    modelSays(answer: (asked: Asked) => void): void
    readFile(folder: 'home' | 'workspace', path: string): Promise<string | null>
    /** Send the bytes of an upload; resolves to whether the host accepted them. */
    upload(transferId: string, text: string): Promise<boolean>
    /** Use the phone of somebody who writes on the messenger; resolves to the texts of its chat. */
    phone(use: PhoneUse): Promise<readonly string[]>
    /** Break the connection; resolves once the window has noticed. */
    disconnect(): Promise<void>
    /** Restore the connection. */
    reconnect(): void
    close(): Promise<void>
  }

/** A host before its start, for the test's setup. */
export type PreparedHost = Omit<Gate, 'over' | 'answered'> & Pick<TestHost, 'seed' | 'modelSays'>

/** Start a host with the data that `prepare` seeds. The connection is open when this resolves. */
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
  const { over, answered, ...gate } = createGate(hello)
  const prepared = { ...gate, seed, modelSays: model.says }
  prepare(prepared)

  started = await keeper.open({ ...start, seeds: seedings })
  const { id } = started
  let isDown = false
  const channels = new Set<Channel>()
  const open = async () => {
    if (isDown) throw new Fault('disconnected', 'Talaria is not responding.')
    const channel = arrivingLate(await openChannel(rpcAddress(id)))
    channels.add(channel)
    channel.onClose(() => channels.delete(channel))
    return channel
  }
  const line = reconnectingClient(contract, open)
  const elsewhere = await openChannel(rpcAddress(id))
  const terminals: Channel[] = []
  await untilState(line, state => state === 'connected')
  return {
    ...started,
    ...prepared,
    answered,
    link: {
      client: over(line.client),
      state: line.state,
      problem: line.problem,
      subscribe: line.subscribe,
      retryNow() {
        gate.asked.push({ name: 'retry', input: undefined })
        line.retryNow()
      },
    },
    elsewhere: afterwards(connectClient(contract, elsewhere), answered),
    async openTerminal() {
      const channel = await openChannel(terminalAddress(id))
      terminals.push(channel)
      return connectClient(contract, channel)
    },
    nextAsked: model.next,
    async readFile(folder, path) {
      await answered()
      return keeper.read({ hostId: id, folder, path })
    },
    upload: (transferId, text) => keeper.upload({ hostId: id, transferId, text }),
    phone: use => keeper.phone({ hostId: id, use }),
    async disconnect() {
      isDown = true
      for (const channel of channels) channel.close()
      await untilState(line, state => state !== 'connected')
    },
    reconnect() {
      isDown = false
      line.retryNow()
    },
    async close() {
      model.stop()
      line.close()
      elsewhere.close()
      for (const each of terminals) each.close()
      await keeper.close({ hostId: id })
    },
  }
}

/**
 * Delay of the window's requests to the host, in ms. With `VITE_LATE=120`, tests that depend on speed fail.
 */
const lateMs = Number(import.meta.env['VITE_LATE'] ?? 0)
const arrivingLate = (channel: Channel): Channel =>
  lateMs > 0 ? { ...channel, post: message => void setTimeout(() => channel.post(message), lateMs) } : channel

/** A client whose calls wait until `before` resolves. */
const afterwards = (client: HostClient, before: () => Promise<void>): HostClient =>
  new Proxy(client, {
    get(_, name) {
      const ask = Reflect.get(client, name) as (...given: unknown[]) => unknown
      return contract[name as keyof HostClient].kind === 'stream'
        ? ask
        : async (...given: unknown[]) => {
            await before()
            return ask(...given)
          }
    },
  })

async function openChannel(address: string): Promise<Channel> {
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', () => reject(new Fault('disconnected', 'Talaria is not responding.')), {
      once: true,
    })
  })
  return overSocket(socket)
}

const untilState = (
  line: Pick<Link, 'state' | 'subscribe'>,
  wanted: (state: ReturnType<Link['state']>) => boolean,
) =>
  new Promise<void>(resolve => {
    const look = () => wanted(line.state()) && resolve()
    line.subscribe(look)
    look()
  })
