import type { RunEvent } from '../../../shared/contract/run.ts'
import { attempt } from '../../rpc/attempt.ts'
import { whenConnected, type Link } from '../../rpc/link.ts'
import { perFrame } from './frame.ts'

export type Following = {
  runId: string
  /** The number of the newest applied event. It is read again after every reconnect. */
  after: () => number
  apply: (events: readonly RunEvent[]) => void
  signal: AbortSignal
}

/**
 * Apply a run's events, once a frame, until it ends. After a lost connection, resume after the last event
 * received. Resolves to `ended`, `gone` when the host does not know the run, or `left` when aborted.
 */
export async function followRun(link: Link, following: Following): Promise<'ended' | 'gone' | 'left'> {
  const { runId, signal } = following
  const frame = perFrame(following.apply)

  async function read() {
    for await (const event of link.client['run.watch']({ runId, after: following.after() }, { signal })) {
      if (signal.aborted) return
      frame.push(event)
    }
  }

  while (await whenConnected(link, signal)) {
    const outcome = await attempt(read())
    if (signal.aborted) break
    frame.flush()
    if (outcome.ok) return 'ended'
    if (outcome.fault.code !== 'disconnected') return 'gone'
    // The connection may take a moment to notice that it is down.
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  frame.drop()
  return 'left'
}
