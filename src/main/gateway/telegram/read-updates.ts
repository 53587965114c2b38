import type { Update, UserFromGetMe } from '@grammyjs/types'
import type { BotAnswer } from './bot-answer.ts'
import type { BotApi, PollRequest } from './bot-api.ts'

/** The updates that the gateway needs: messages, edits, pressed buttons, and the bot's membership. */
const KINDS = ['message', 'edited_message', 'callback_query', 'my_chat_member'] as const

/** How long a poll stays open without updates, in seconds. */
const POLL_SECONDS = 50
/** Waits after consecutive failures, in seconds; the last one repeats. */
const WAITS = [5, 10, 20, 40, 60]
/** A poll that was open for this long proves the connection, so earlier failures do not count, in ms. */
const HELD_MS = 10_000
/** Seconds to wait after a conflict: two programs that fetch the same updates end each other's polls. */
const CONFLICT_SECONDS = 60
/** How often to check for sleep of the computer, and how much of it makes an open poll dead, in ms. */
const LOOK_MS = 5_000
const SLEPT_MS = 20_000

/** The state of the connection to Telegram. */
export type PollState =
  /** Connected: the bot has answered. */
  | { kind: 'open'; bot: UserFromGetMe }
  /** Not connected for now; the next try is at `until`. */
  | { kind: 'waiting'; why: string; until: number; conflict: boolean }
  /** The token is invalid, and nothing more is tried. */
  | { kind: 'unauthorized' }

/** Updates received together, and the offset that confirms them. */
export type UpdateBatch = { updates: readonly Update[]; offset: number }

type Parts = {
  api: Pick<BotApi, 'getMe' | 'deleteWebhook' | 'getUpdates'>
  /** Returns the last stored offset; read before each poll. */
  offset: () => number | undefined
  now: () => number
  /** Resolves after so many ms, or immediately at the signal. */
  wait: (ms: number, signal?: AbortSignal) => Promise<void>
  signal: AbortSignal
  onState?: (state: PollState) => void
}

/**
 * Yield the updates of a bot, until the signal, or until the token proves invalid. The next poll confirms a
 * batch to Telegram, and it starts only when the next batch is requested. A caller that stores each batch
 * with its offset before that loses none. After a crash a batch may come again, so updates are identified by
 * number. The numbers may restart lower after a week of silence, so nothing is skipped for a low number.
 */
export async function* readUpdates(parts: Parts): AsyncGenerator<UpdateBatch, void, void> {
  const { api, now, signal, onState = () => {} } = parts
  let failures = 0
  let isOpen = false
  let newest: number | undefined

  /** Wait as long as an answer demands; false if waiting is pointless. */
  async function waitAfter(answer: Exclude<BotAnswer<unknown>, { kind: 'ok' }>): Promise<boolean> {
    isOpen = false
    if (signal.aborted) return false
    if (answer.kind === 'unauthorized') {
      onState({ kind: 'unauthorized' })
      return false
    }
    const seconds = secondsAfter(answer, failures++)
    const why = 'why' in answer ? answer.why : 'Telegram asks to wait.'
    onState({ kind: 'waiting', why, until: now() + seconds * 1_000, conflict: answer.kind === 'conflict' })
    await sleepThrough(parts, seconds * 1_000)
    return !signal.aborted
  }

  while (!signal.aborted) {
    // A connection may be dead without any sign, so check it first after each interruption.
    if (!isOpen) {
      const bot = await api.getMe(signal)
      const opened = bot.kind === 'ok' ? await api.deleteWebhook(signal) : bot
      if (bot.kind === 'ok' && opened.kind === 'ok') {
        isOpen = true
        onState({ kind: 'open', bot: bot.result })
      } else if (opened.kind !== 'ok' && !(await waitAfter(opened))) return
      continue
    }
    const offset = parts.offset()
    const began = now()
    const polled = await pollAwake(parts, {
      seconds: POLL_SECONDS,
      kinds: KINDS,
      ...(offset !== undefined && { offset }),
    })
    if (signal.aborted) return
    if (polled === 'slept') isOpen = false
    else if (polled.kind !== 'ok') {
      if (now() - began > HELD_MS) failures = 0
      if (!(await waitAfter(polled))) return
    } else {
      failures = 0
      const last = polled.result.at(-1)?.update_id
      if (last === undefined) continue
      // The same batch again: its offset was not stored, or is ignored. Slow down, to avoid a busy loop.
      if (last === newest) await sleepThrough(parts, LOOK_MS)
      newest = last
      if (!signal.aborted) yield { updates: polled.result, offset: last + 1 }
    }
  }
}

/** Return the seconds to wait after an answer, given the number of earlier consecutive failures. */
function secondsAfter(answer: BotAnswer<unknown>, failures: number): number {
  if (answer.kind === 'retry-after') return answer.seconds
  if (answer.kind === 'conflict') return CONFLICT_SECONDS
  return WAITS[Math.min(failures, WAITS.length - 1)] ?? CONFLICT_SECONDS
}

/** Wait, but stop waiting after a sleep of the computer: earlier failures say nothing then. */
async function sleepThrough({ wait, now, signal }: Parts, ms: number): Promise<void> {
  const over = new AbortController()
  const woken = noticeSleep({ wait, now }, AbortSignal.any([over.signal, signal]))
  await Promise.race([wait(ms, AbortSignal.any([over.signal, signal])), woken])
  over.abort()
}

/** Poll once, giving up if the computer slept in the meantime. */
async function pollAwake({ api, wait, now, signal }: Parts, request: PollRequest) {
  const over = new AbortController()
  const both = AbortSignal.any([over.signal, signal])
  const slept = noticeSleep({ wait, now }, both)
  const polled = api.getUpdates(request, both)
  const outcome = await Promise.race([polled, slept])
  over.abort()
  return outcome ?? polled
}

/** Resolve to `slept` if more time passed than was waited for; to undefined at the signal. */
async function noticeSleep({ wait, now }: Pick<Parts, 'wait' | 'now'>, signal: AbortSignal) {
  while (!signal.aborted) {
    const before = now()
    await wait(LOOK_MS, signal)
    if (!signal.aborted && now() - before > LOOK_MS + SLEPT_MS) return 'slept' as const
  }
  return undefined
}
