import type { NewRunEvent, RunEvent } from '../../shared/contract/run.ts'
import type { Store } from '../store/types.ts'

/** One frame: text that comes faster is written and sent as one event. */
const FRAME_MS = 16

/** Progress may be told less often than text: nobody reads it. */
const PROGRESS_MS = 100

type Delta = Extract<NewRunEvent, { type: 'text_delta' | 'reasoning_delta' | 'tool_output' | 'progress' }>

/** The writing end of a run's log. Events are numbered and on disk before anybody sees them. */
export type RunLog = {
  emit(event: NewRunEvent): void
  /** Write what is still held back. */
  flush(): void
}

/**
 * Write the log of one run. Text that arrives within a frame is joined and of progress the latest is kept; everything
 * else is written at once, in order.
 */
export function openRunLog(runs: Store['runs'], runId: string, publish: (event: RunEvent) => void): RunLog {
  let held: Delta | undefined
  let timer: NodeJS.Timeout | undefined
  let lastAt = 0

  const write = (event: NewRunEvent) => publish(runs.append(runId, event))
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (!held) return
    const event = held
    held = undefined
    lastAt = performance.now()
    write(event)
  }

  function emit(event: NewRunEvent) {
    if (!isDelta(event)) {
      flush()
      write(event)
      return
    }
    const joined = held && join(held, event)
    if (!joined) flush()
    held = joined ?? event
    // The first text after a pause goes out at once: that is what a person waits for.
    const frame = event.type === 'progress' ? PROGRESS_MS : FRAME_MS
    if (performance.now() - lastAt >= frame) flush()
    else timer ??= setTimeout(flush, frame)
  }

  return { emit, flush }
}

const isDelta = (event: NewRunEvent): event is Delta =>
  event.type === 'text_delta' ||
  event.type === 'reasoning_delta' ||
  event.type === 'tool_output' ||
  event.type === 'progress'

/** The two as one event, or undefined when they do not belong together. */
function join(held: Delta, next: Delta): Delta | undefined {
  if (held.type === 'progress' && next.type === 'progress')
    return held.phase === next.phase ? next : undefined
  if (held.type === 'progress' || held.type !== next.type) return undefined
  if (held.type === 'tool_output' && next.type === 'tool_output' && held.callId !== next.callId)
    return undefined
  return 'text' in next ? { ...held, text: held.text + next.text } : undefined
}
