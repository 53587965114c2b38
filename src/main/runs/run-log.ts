import type { Message } from '../../shared/contract/chats/messages.ts'
import type { NewRunEvent, RunEvent } from '../../shared/contract/runs/run.ts'
import type { Store } from '../db/store.ts'

type Delta = Extract<NewRunEvent, { type: 'text_delta' | 'reasoning_delta' | 'tool_output' | 'progress' }>

/** Minimum ms between events: one frame for text, which is batched; longer for progress. */
const FRAME_MS: Record<Delta['type'], number> = {
  text_delta: 16,
  reasoning_delta: 16,
  tool_output: 16,
  progress: 100,
}

/**
 * Open the log of one run; the returned function appends an event. Events are numbered and on disk before
 * they are published. Text within one frame is joined, and only the latest progress is kept. Everything else
 * is written immediately, after any held-back event. Throws if the disk refuses.
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
      // A timer has no caller to catch this error, so the next write throws it.
      failure = { error }
    }
  }

  function hold(event: Delta) {
    const joined = held && join(held, event)
    if (!joined) flush()
    held = joined ?? event
    // The first text after a pause or another event is sent immediately, because the user is waiting for it.
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

/** Join two events into one; undefined if they cannot be joined. */
function join(held: Delta, next: Delta): Delta | undefined {
  if (held.type === 'progress' && next.type === 'progress')
    return held.phase === next.phase ? next : undefined
  if (held.type === 'progress' || held.type !== next.type) return undefined
  if (held.type === 'tool_output' && next.type === 'tool_output' && held.callId !== next.callId)
    return undefined
  return 'text' in next ? { ...held, text: held.text + next.text } : undefined
}

/** Remove the documents from a message for the log: they may be long, and the message keeps them. */
export function leaveOutDocuments(message: Message): Message {
  if (message.role !== 'user' || message.documents === undefined) return message
  const { documents: _documents, ...shown } = message
  return shown
}
