import type { Update, UserFromGetMe } from '@grammyjs/types'
import type { BotAnswer } from './bot-answer.ts'
import type { BotApi, PollRequest } from './bot-api.ts'

/** What the gateway wants to hear of: what people write and change, pressed buttons, and who blocked the bot or moved it. */
const KINDS = ['message', 'edited_message', 'callback_query', 'my_chat_member'] as const

/** How long a poll stays open without anything to tell. */
const POLL_SECONDS = 50
/** Waits after failures in a row, in seconds; the last one repeats. */
const WAITS = [5, 10, 20, 40, 60]
/** A poll that was open for so long proves that the way was there: the failures before it do not count. */
const HELD_MS = 10_000
/** Two programs that fetch the same updates end each other's polls, so the next try is not soon. */
const CONFLICT_SECONDS = 60
/** How often we look whether the computer slept, and what of it counts: a poll that outlived that is dead. */
const LOOK_MS = 5_000
const SLEPT_MS = 20_000

/** How the way to Telegram is. */
export type PollState =
  /** The bot is there, and an answer of it came. */
  | { kind: 'open'; bot: UserFromGetMe }
  /** No way for now; the next try begins at `until`. */
  | { kind: 'waiting'; why: string; until: number; conflict: boolean }
  /** The token is worthless, and nothing is tried any more. */
  | { kind: 'unauthorized' }

/** Updates that came together, and the offset that confirms them. */
export type UpdateBatch = { updates: readonly Update[]; offset: number }

type Parts = {
  api: Pick<BotApi, 'getMe' | 'deleteWebhook' | 'getUpdates'>
  /** The offset that was stored last; read before each poll. */
  offset: () => number | undefined
  now: () => number
  /** Resolves after so many milliseconds, and at once at the signal. */
  wait: (ms: number, signal?: AbortSignal) => Promise<void>
  signal: AbortSignal
  onState?: (state: PollState) => void
}

/**
 * The updates of a bot as they come, until the signal, or until the token turns out to be worthless. The next poll confirms a
 * batch to Telegram, and it begins when the next one is asked for: whoever stores a batch and its offset together before that
 * loses none. After a crash a batch may come again, so an update counts by its number. The numbers may begin anew, lower than
 * before, after a week of silence: nothing is left out here because its number is low.
 */
export async function* readUpdates(parts: Parts): AsyncGenerator<UpdateBatch, void, void> {
  const { api, now, signal, onState = () => {} } = parts
  let failures = 0
  let isOpen = false
  let newest: number | undefined

  /** Wait as long as an answer demands; false if there is nothing to wait for. */
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
    // A connection may be dead without anybody noticing: each new beginning is proved first.
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
      // The same again: the offset was not stored, or the server does not heed it. That must not become a race.
      if (last === newest) await sleepThrough(parts, LOOK_MS)
      newest = last
      if (!signal.aborted) yield { updates: polled.result, offset: last + 1 }
    }
  }
}

/** What the failures in a row so far, this one not counted, and the answer itself demand. */
function secondsAfter(answer: BotAnswer<unknown>, failures: number): number {
  if (answer.kind === 'retry-after') return answer.seconds
  if (answer.kind === 'conflict') return CONFLICT_SECONDS
  return WAITS[Math.min(failures, WAITS.length - 1)] ?? CONFLICT_SECONDS
}

/** Wait, but not on after a sleep of the computer: what was wrong before it says nothing. */
async function sleepThrough({ wait, now, signal }: Parts, ms: number): Promise<void> {
  const over = new AbortController()
  const woken = noticeSleep({ wait, now }, AbortSignal.any([over.signal, signal]))
  await Promise.race([wait(ms, AbortSignal.any([over.signal, signal])), woken])
  over.abort()
}

/** One poll, which is given up when the computer slept meanwhile. */
async function pollAwake({ api, wait, now, signal }: Parts, request: PollRequest) {
  const over = new AbortController()
  const both = AbortSignal.any([over.signal, signal])
  const slept = noticeSleep({ wait, now }, both)
  const polled = api.getUpdates(request, both)
  const outcome = await Promise.race([polled, slept])
  over.abort()
  return outcome ?? polled
}

/** Ends with `slept` when more time passed than was waited for; with nothing at the signal. */
async function noticeSleep({ wait, now }: Pick<Parts, 'wait' | 'now'>, signal: AbortSignal) {
  while (!signal.aborted) {
    const before = now()
    await wait(LOOK_MS, signal)
    if (!signal.aborted && now() - before > LOOK_MS + SLEPT_MS) return 'slept' as const
  }
  return undefined
}
