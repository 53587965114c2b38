import type { NewRunEvent, RunEvent } from '../../shared/contract/run.ts'
import type { Store } from '../store/types.ts'

type Delta = Extract<NewRunEvent, { type: 'text_delta' | 'reasoning_delta' | 'tool_output' | 'progress' }>

/** One frame: text that comes faster is written and sent as one event. Progress is told less often: nobody reads it. */
const FRAME_MS: Record<Delta['type'], number> = {
  text_delta: 16,
  reasoning_delta: 16,
  tool_output: 16,
  progress: 100,
}

/**
 * Open the log of one run for writing; the function that comes back adds an event. Events are numbered and on disk
 * before they are published. Text that arrives within a frame is joined and of progress the latest is kept; everything
 * else is written at once, after what was held back. Throws when the disk refuses.
 */
export function openRunLog(
  runs: Pick<Store['runs'], 'append'>,
  runId: string,
  publish: (event: RunEvent) => void,
): (event: NewRunEvent) => void {
  let held: Delta | undefined
  let timer: NodeJS.Timeout | undefined
  let last: { type?: Delta['type']; at: number } = { at: 0 }
  let failure: { error: unknown } | undefined

  const write = (event: NewRunEvent) => publish(runs.append(runId, event))
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (!held) return
    const event = held
    held = undefined
    last = { type: event.type, at: performance.now() }
    write(event)
  }
  const flushLate = () => {
    try {
      flush()
    } catch (error) {
      // Nobody would catch it here; whoever writes the next event hears of it.
      failure = { error }
    }
  }

  function hold(event: Delta) {
    const joined = held && join(held, event)
    if (!joined) flush()
    held = joined ?? event
    // The first text after a pause, or after something else, goes out at once: that is what a person waits for.
    const waitMs = event.type === last.type ? last.at + FRAME_MS[event.type] - performance.now() : 0
    if (waitMs <= 0) flush()
    else timer ??= setTimeout(flushLate, waitMs)
  }

  return event => {
    if (failure) {
      const { error } = failure
      failure = undefined
      throw error
    }
    if (isDelta(event)) return hold(event)
    flush()
    write(event)
  }
}

const isDelta = (event: NewRunEvent): event is Delta => event.type in FRAME_MS

/** The two as one event, or undefined when they do not belong together. */
function join(held: Delta, next: Delta): Delta | undefined {
  if (held.type === 'progress' && next.type === 'progress')
    return held.phase === next.phase ? next : undefined
  if (held.type === 'progress' || held.type !== next.type) return undefined
  if (held.type === 'tool_output' && next.type === 'tool_output' && held.callId !== next.callId)
    return undefined
  return 'text' in next ? { ...held, text: held.text + next.text } : undefined
}
