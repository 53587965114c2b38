import type { NewRunEvent, RunEvent } from '../../shared/contract/run.ts'
import type { Clock } from '../lib/timing.ts'
import type { Connection } from './connection.ts'
import { MESSAGE_COLUMNS, messageOf, type MessageRow } from './message-rows.ts'
import type { RunRow, Store } from './types.ts'

type Log = {
  append(runId: string, event: NewRunEvent): RunEvent
  after(runId: string, seq: number): RunEvent[]
}

/**
 * Prepare the recovery of a run that a crash cut off: text that was shown but not yet stored becomes a message,
 * marked as interrupted, and the log gets its missing events, so that every watcher sees the run end.
 */
export function createRescue(
  { db }: Connection,
  log: Log,
  messages: Pick<Store['messages'], 'append'>,
  clock: Clock,
): (run: RunRow) => void {
  const since = db.prepare<[string, number], MessageRow>(
    `select ${MESSAGE_COLUMNS} from messages m where m.run_id = ? and m.id > ? order by m.id`,
  )

  return ({ id: runId, sessionId }) => {
    const events = log.after(runId, 0)
    // A message is stored before the log hears of it, so the last ones may be missing there.
    const unlogged = since.all(runId, lastLogged(events)).map(messageOf)
    for (const message of unlogged) log.append(runId, { type: 'message', message })

    const unsaid = unlogged.some(message => message.role === 'assistant') ? NOTHING : unsaidIn(events)
    if (unsaid.text.trim() !== '') {
      const message = messages.append({
        role: 'assistant',
        sessionId,
        at: clock(),
        ...unsaid,
        calls: [],
        interrupted: true,
      })
      log.append(runId, { type: 'message', message })
    }
    if (events.at(-1)?.type !== 'turn_end') log.append(runId, { type: 'turn_end', reason: 'stopped' })
  }
}

const NOTHING = { text: '', reasoning: '', model: '' }

const lastLogged = (events: readonly RunEvent[]) =>
  Math.max(0, ...events.map(event => ('message' in event ? event.message.id : 0)))

/** What a model wrote after the last message, and after it was last asked once more. */
function unsaidIn(events: readonly RunEvent[]): typeof NOTHING {
  let { text, reasoning, model } = NOTHING
  for (const event of events) {
    if (event.type === 'turn_start') model = event.model
    if (event.type === 'message' || event.type === 'retry') text = reasoning = ''
    if (event.type === 'text_delta') text += event.text
    if (event.type === 'reasoning_delta') reasoning += event.text
  }
  return { text, reasoning, model }
}
