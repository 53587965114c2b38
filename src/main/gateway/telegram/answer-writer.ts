import type { ChatPace, PaceClock } from './chat-pace.ts'
import { joinTexts, plainText, type RichText } from './text/rich-text.ts'
import { writeParts } from './text/write-parts.ts'

/** What became of a call to Telegram. Only after `not-sent` is it sure that nothing happened. */
type Answered<T> =
  | { kind: 'ok'; result: T }
  | { kind: 'retry-after'; seconds: number }
  | { kind: 'bad-request' | 'not-sent' | 'maybe-sent'; why: string }
  | { kind: 'blocked' | 'unauthorized' | 'conflict' | 'migrated' }

/** One chat, as an answer that grows needs it. */
type Parts = {
  /** Send a new message; its id. `isSilent`: it goes on with an answer that has rung already. */
  send(part: RichText, isSilent: boolean): Promise<Answered<number>>
  edit(id: number, part: RichText): Promise<Answered<unknown>>
  remove(id: number): Promise<Answered<unknown>>
  pace: ChatPace
  clock: PaceClock
  /** Ends all waiting and writing; what was sent stays. */
  signal: AbortSignal
}

/** A message of an answer, as the chat has it. */
export type ShownMessage = { id: number; part: RichText; mayBeTwice: boolean }

/** How the writing of an answer ended. `failed`: no try will help before what is the matter has changed. */
export type Written = { messages: readonly ShownMessage[] } & (
  | { kind: 'written' | 'stopped' }
  | { kind: 'failed'; answer: Exclude<Answered<unknown>, { kind: 'ok' }> }
)

/** Writes one answer while it grows: into one message by edits, and into further ones where it is long. */
export type AnswerWriter = {
  /** The answer as far as it goes. Between two edits only the latest counts. */
  growTo(markdown: string): void
  /** The whole answer. Resolves when the chat shows exactly that, or cannot. */
  finishWith(markdown: string): Promise<Written>
}

/** What stands below a message whose first try may have arrived. */
const TWICE = '\n\n(perhaps sent twice)'
/** New messages in place of one that may have arrived or is gone. */
const MOST_AGAIN = 3
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000

type Step =
  | { do: 'send'; at: number; part: RichText }
  | { do: 'edit'; at: number; part: RichText; id: number }
  | { do: 'remove'; at: number; id: number }

/** Create the writer of one answer. */
export function createAnswerWriter({ send, edit, remove, pace, clock, signal }: Parts): AnswerWriter {
  let wanted: readonly RichText[] = []
  let latest = { markdown: '', isLive: true }
  let isRead = true
  let isPlain = false
  let failed: Exclude<Answered<unknown>, { kind: 'ok' }> | undefined
  let working: Promise<void> | undefined
  let waitMs = FIRST_WAIT_MS
  /** By the number of the part. Without an id: it may have arrived, or is gone. */
  const shown: { id?: number; part?: RichText; mayBeTwice: boolean; again: number }[] = []

  function readLatest(): readonly RichText[] {
    if (!isRead) {
      wanted = writeParts(latest.markdown, { isLive: latest.isLive })
      if (isPlain) wanted = wanted.map(({ text }) => plainText(text))
    }
    isRead = true
    return wanted
  }

  /** The first thing in which the chat is not as wanted. */
  function nextStep(): Step | undefined {
    const parts = readLatest()
    for (const [at, clean] of parts.entries()) {
      const there = shown[at]
      const part = there?.mayBeTwice === true ? joinTexts([clean, plainText(TWICE)]) : clean
      if (there?.id === undefined) return { do: 'send', at, part }
      if (!isSame(there.part, part)) return { do: 'edit', at, part, id: there.id }
    }
    // A growing answer may still need it.
    if (latest.isLive || shown.length <= parts.length) return undefined
    const id = shown.at(-1)?.id
    if (id !== undefined) return { do: 'remove', at: shown.length - 1, id }
    shown.pop()
    return nextStep()
  }

  async function takeStep(step: Step): Promise<Answered<unknown>> {
    if (step.do === 'remove') return remove(step.id)
    if (step.do === 'edit') return edit(step.id, step.part)
    const answer = await send(step.part, step.at > 0)
    const there = (shown[step.at] ??= { mayBeTwice: false, again: 0 })
    if (answer.kind === 'ok') there.id = answer.result
    if (answer.kind === 'maybe-sent') {
      there.mayBeTwice = true
      there.again++
    }
    return answer
  }

  async function judgeAnswer(step: Step, answer: Answered<unknown>): Promise<void> {
    const there = shown[step.at]
    if (answer.kind !== 'not-sent' && answer.kind !== 'maybe-sent') waitMs = FIRST_WAIT_MS
    if (answer.kind === 'retry-after') return pace.pauseFor(answer.seconds)
    if (answer.kind === 'ok' || (step.do === 'remove' && answer.kind === 'bad-request')) {
      if (step.do === 'remove') shown.pop()
      else if (there) there.part = step.part
      return
    }
    if (answer.kind === 'not-sent' || answer.kind === 'maybe-sent') {
      if (step.do === 'send' && (there?.again ?? 0) > MOST_AGAIN) failed = answer
      await clock.wait(waitMs, signal)
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
      return
    }
    if (answer.kind === 'bad-request' && /parse entities/i.test(answer.why) && !isPlain) {
      // Better without looks than not at all.
      isPlain = true
      isRead = false
      return
    }
    const isGone = answer.kind === 'bad-request' && /not found|can.t be edited/i.test(answer.why)
    if (step.do === 'edit' && there && isGone && there.again < MOST_AGAIN) {
      there.again++
      delete there.id
      return
    }
    failed = answer
  }

  async function work(): Promise<void> {
    while (nextStep() && !failed && (await pace.awaitTurn(signal))) {
      // More may have come while it waited.
      const step = nextStep()
      if (step) await judgeAnswer(step, await takeStep(step))
    }
  }

  function show(markdown: string, isLive: boolean): Promise<void> {
    latest = { markdown, isLive }
    isRead = false
    // One works at a time, and looks at the latest text until the chat has it.
    working ??= work().finally(() => (working = undefined))
    return working
  }

  return {
    growTo(markdown) {
      // What failed is told at the end.
      if (latest.isLive && !failed) void show(markdown, true)
    },
    async finishWith(markdown) {
      await show(markdown, false)
      // The work may have ended right before the last text came.
      if (!failed && !signal.aborted && nextStep()) await show(markdown, false)
      const messages = shown.flatMap(({ id, part, mayBeTwice }) =>
        id === undefined || part === undefined ? [] : [{ id, part, mayBeTwice }],
      )
      if (failed) return { kind: 'failed', answer: failed, messages }
      return { kind: signal.aborted ? 'stopped' : 'written', messages }
    },
  }
}

const isSame = (one: RichText | undefined, other: RichText): boolean =>
  one?.text === other.text && JSON.stringify(one.entities) === JSON.stringify(other.entities)
