import type { MessageStore } from '../../db/chats/message-tables.ts'
import type { SessionStore } from '../../db/chats/session-tables.ts'
import type { Refusal } from '../../lib/expected-errors.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { judgeTitle, titleQuestion } from './judge-title.ts'

/** Which models write titles: none, those of this computer, or servers too. @internal For tests. */
export type TitledBy = 'off' | 'local' | 'all'

/** How often to check whether the host is idle, in ms. */
const LOOK_MS = 5_000

type Parts = {
  sessions: Pick<SessionStore, 'wantsTitle' | 'giveTitle'>
  messages: Pick<MessageStore, 'beginning'>
  titledBy(): TitledBy
  /** Ask exactly this model, without fallback. Undefined if it cannot write sentences. */
  ask(
    modelId: string,
    question: ReturnType<typeof titleQuestion>,
    signal: AbortSignal,
  ): Promise<{ text: string } | Refusal | undefined>
  /** Whether an answer is in progress. */
  isBusy(): boolean
  /** How long the host must be idle first, in ms. */
  idleMs(): number
  now(): number
  report(error: unknown): void
}

/** Titles of chats, which their models write while the host is idle. */
export type ChatTitles = {
  /** A turn starts, so a title question gives way; or one ended, and its chat may get a title. */
  observe(sessionId: string, what: 'turn_start' | 'turn_end'): void
  /** Write the next title if the host has been idle for long enough. */
  look(): Promise<void>
  close(): Promise<void>
}

/**
 * Start writing titles. A chat is named by the first line of its first message until its model has written a
 * title. The model is asked once. If its answer is unusable, the line stays; a title that the user gave is
 * never changed. Only chats of this process get titles, because their models are usually loaded.
 */
export function openTitles({
  sessions,
  messages,
  titledBy,
  ask,
  isBusy,
  idleMs,
  now,
  report,
}: Parts): ChatTitles {
  const waiting = new Set<string>()
  let quietSince = now()
  let stop = new AbortController()
  let working: Promise<void> | undefined

  async function write(id: string): Promise<void> {
    const { signal } = stop
    const modelId = sessions.wantsTitle(id)
    const by = titledBy()
    if (modelId === undefined || by === 'off' || (by === 'local' && !modelId.startsWith('file:'))) return
    const begun = messages.beginning(id, 20)
    const asked = begun.find(each => each.role === 'user')
    const answer = begun.find(each => each.role === 'assistant' && each.text.trim() !== '')
    if (!asked || answer?.role !== 'assistant') return
    // A title has the marks of the first message, so the answer's texts from other strangers must stay out.
    const answered = answer.marks?.length ? '' : answer.text
    const said = await ask(modelId, titleQuestion(asked.text, answered), signal)
    if (signal.aborted) return void waiting.add(id)
    if (said !== undefined && !isRefusal(said)) sessions.giveTitle(id, judgeTitle(said.text, asked.text))
  }

  async function look(): Promise<void> {
    if (working || isBusy() || now() - quietSince < idleMs()) return
    const [id] = waiting
    if (id === undefined) return
    waiting.delete(id)
    working = write(id)
      .catch(report)
      .finally(() => (working = undefined))
    await working
  }
  const timer = setInterval(() => void look(), LOOK_MS).unref()

  return {
    observe(sessionId, what) {
      quietSince = now()
      if (what === 'turn_end') return void waiting.add(sessionId)
      stop.abort()
      stop = new AbortController()
    },
    look,
    async close() {
      clearInterval(timer)
      waiting.clear()
      stop.abort()
      await working
    },
  }
}
