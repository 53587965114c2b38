import { connectPipe } from '../../src/main/rpc/pipe.ts'
import { connectClient } from '../../src/shared/connect-client.ts'
import { contract } from '../../src/shared/contract/index.ts'

/** What the bench tells this process: begin to call, or stop and tell how long each call took. */
export type Order = 'begin' | 'end'
/** What it tells the bench. `enough`: so many calls were answered that a p99 can be taken. */
export type News = { type: 'ready' } | { type: 'enough' } | { type: 'took'; calls: TimedCall[] }
/** When a call began, in ms of the clock of `process.hrtime`, which all processes share, and how long it took. */
export type TimedCall = { at: number; ms: number }

/** Calls that a p99 is taken from. */
const ENOUGH = 500
/**
 * A call begins after this time, whether the one before was answered or not: a host that stands still for a second owes
 * a hundred answers, and not one.
 */
const EVERY_MS = 10
/** Calls that may wait for their answer at once; a host refuses more than 256 of one window. */
const MAX_OPEN = 200

// A window beside the work: it asks again and again for the list of chats, as the sidebar does.
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
