import type { Update } from '@grammyjs/types'
import type { Clock } from './hand-clock.ts'

/** The kind of an update. */
type UpdateKind = Exclude<keyof Update, 'update_id'>

/** The kinds of updates for a bot that has never named any kinds. */
const DEFAULT_KINDS: readonly UpdateKind[] = [
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'callback_query',
  'my_chat_member',
]
/** How long the server keeps an update that nobody fetches; a pressed button only for moments. */
const KEPT_MS = 24 * 60 * 60_000
const PRESS_KEPT_MS = 150_000

type Asked = { offset?: number; limit?: number; timeout?: number; allowed_updates?: readonly string[] }
type Poll = { end: (outcome: Polled) => void }

/** The result of a poll: updates, or a conflict because another poll replaced it. */
export type Polled = { updates: Update[] } | { conflict: string }

/** The updates for one bot, which the server keeps until a poll with a higher offset confirms them. */
export function makeUpdateQueue({ now, wait }: Clock, firstId = 700_000_001) {
  let nextId = firstId
  let kinds = DEFAULT_KINDS
  let waiting: (Update & { until: number })[] = []
  let open: Poll | undefined
  let wake: () => void = () => undefined

  const fresh = () => {
    waiting = waiting.filter(({ until }) => until > now())
    return waiting
  }

  return {
    /** Add an update, unless the bot asked only for other kinds. */
    push(made: Omit<Update, 'update_id'>): void {
      const kind = kinds.find(each => each in made)
      if (!kind) return
      const kept = kind === 'callback_query' ? PRESS_KEPT_MS : KEPT_MS
      waiting.push({ update_id: nextId++, ...made, until: now() + kept })
      wake()
    },
    /** Give the next update another number, as after a week without updates. */
    renumber: (id: number) => {
      nextId = id
    },
    /** The number of unconfirmed updates. */
    pending: () => fresh().length,
    /** Discard all pending updates. */
    clear: () => {
      waiting = []
    },
    /** End the open poll because another request replaced it. */
    interrupt(conflict: string): void {
      open?.end({ conflict })
    },
    /** Answer a poll: immediately if there are updates, else when one arrives or the poll times out. */
    async poll(asked: Asked, gone: AbortSignal): Promise<Polled> {
      const named = DEFAULT_KINDS.filter(kind => asked.allowed_updates?.includes(kind))
      if (asked.allowed_updates) kinds = named.length > 0 ? named : DEFAULT_KINDS
      open?.end({
        conflict: 'terminated by other getUpdates request; make sure that only one bot instance is running',
      })
      confirm(asked.offset ?? 0)
      const over = new AbortController()
      const taken = new Promise<Polled>(resolve => {
        open = { end: resolve }
        wake = () => over.abort()
        gone.addEventListener('abort', () => over.abort())
      })
      const mine = open
      const batch = () => ({
        updates: fresh()
          .slice(0, asked.limit ?? 100)
          .map(({ until: _until, ...update }) => update),
      })
      if (fresh().length === 0 && (asked.timeout ?? 0) > 0 && !gone.aborted) {
        const timed = wait((asked.timeout ?? 0) * 1_000, over.signal).then(batch)
        const outcome = await Promise.race([taken, timed])
        over.abort()
        if (open === mine) open = undefined
        return outcome
      }
      open = undefined
      return batch()
    },
  }

  /**
   * Confirm updates before an offset. A negative offset counts from the end and discards the rest; one far
   * too high is ignored.
   */
  function confirm(offset: number): void {
    if (offset < 0) waiting = fresh().slice(offset)
    else if (offset <= nextId + 10) waiting = fresh().filter(({ update_id }) => update_id >= offset)
  }
}
