import type { NewRunEvent, RunEvent } from '../../shared/contract/run.ts'
import type { Store } from '../store/types.ts'

/** One frame: text that comes faster is written and sent as one event. */
const FRAME_MS = 16

type Delta = Extract<NewRunEvent, { type: 'text_delta' | 'reasoning_delta' | 'tool_output' }>

/** The writing end of a run's log. Events are numbered and on disk before anybody sees them. */
export type RunLog = {
  emit(event: NewRunEvent): void
  /** Write what is still held back. */
  flush(): void
}

/** Write the log of one run, joining text that arrives within a frame; everything else is written at once, in order. */
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
    if (held && isSameStream(held, event)) held = { ...held, text: held.text + event.text }
    else {
      flush()
      held = event
    }
    // The first text after a pause goes out at once: that is what a person waits for.
    if (performance.now() - lastAt >= FRAME_MS) flush()
    else timer ??= setTimeout(flush, FRAME_MS)
  }

  return { emit, flush }
}

const isDelta = (event: NewRunEvent): event is Delta =>
  event.type === 'text_delta' || event.type === 'reasoning_delta' || event.type === 'tool_output'

const isSameStream = (a: Delta, b: Delta) =>
  a.type === b.type && (a.type !== 'tool_output' || (b.type === 'tool_output' && a.callId === b.callId))
