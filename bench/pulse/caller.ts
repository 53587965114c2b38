import { connectPipe } from '../../src/main/rpc/pipe.ts'
import { connectClient } from '../../src/shared/connect-client.ts'
import { contract } from '../../src/shared/contract/index.ts'

/** A message of the bench to this process: begin to call, or stop and report how long each call took. */
export type Order = 'begin' | 'end'
/** A message to the bench. `enough`: enough calls were answered for a p99. */
export type News = { type: 'ready' } | { type: 'enough' } | { type: 'took'; calls: TimedCall[] }
/**
 * When a call began, in ms of the clock of `process.hrtime`, which is the same in all processes, and how long
 * it took.
 */
export type TimedCall = { at: number; ms: number }

/** The number of calls that a p99 needs. */
const ENOUGH = 500
/**
 * The time between the starts of two calls, whether the first was answered or not: a host that stands still
 * for a second is late for a hundred answers instead of one.
 */
const EVERY_MS = 10
/** The number of calls that may wait at once. A host refuses more than 256 from one window. */
const MAX_OPEN = 200

// A window during the work: it asks for the list of chats again and again, as the sidebar does.
const channel = await connectPipe(process.argv[2] ?? '')
if (!channel) throw new Error('No host answers in this home folder.')
const client = connectClient(contract, channel)
let took: TimedCall[] = []
let timer: NodeJS.Timeout | undefined
const open = new Set<Promise<void>>()

async function ask(): Promise<void> {
  const at = now()
  await client['session.list']({ limit: 50 })
  took.push({ at, ms: now() - at })
  if (took.length === ENOUGH) tell({ type: 'enough' })
}

function beginCall(): void {
  if (open.size === MAX_OPEN) return
  const call = ask()
  open.add(call)
  void call.finally(() => open.delete(call))
}

const now = () => Number(process.hrtime.bigint()) / 1e6
const tell = (news: News) => process.send?.(news)

process.on('message', (order: Order) => void follow(order))

async function follow(order: Order): Promise<void> {
  if (order === 'begin') {
    took = []
    timer = setInterval(beginCall, EVERY_MS)
    return
  }
  clearInterval(timer)
  await Promise.all(open)
  tell({ type: 'took', calls: took })
}

tell({ type: 'ready' })
