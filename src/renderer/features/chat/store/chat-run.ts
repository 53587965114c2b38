import type { AccessChoice, Decision, EndReason, RunEvent } from '../../../../shared/contract/runs/run.ts'
import type { Session } from '../../../../shared/contract/chats/session.ts'
import { attemptCall, type Outcome } from '../../../rpc/attempt.ts'
import { whenConnected, type Link } from '../../../rpc/link.ts'
import type { ChatMessages } from './chat-messages.ts'
import { applyEvent, beginRun, currentTurn, isBusy, type Access, type ChatState } from './chat-state.ts'

/** The answer to an approval; `note` explains a denial, `access` says how a command runs, `read` that its texts were read. */
type ApprovalReply = { decision: Decision; note: string; access: AccessChoice; read?: true }

/** The run of a chat: stopping it, and answering its approvals. */
export type ChatRun = {
  stopping: boolean
  stop: () => Promise<void>
  /** Skip the review before a summary. */
  skip: () => Promise<void>
  decide: (approvalId: string, answer: ApprovalReply) => Promise<Outcome<unknown>>
}

/** The runs of a session, as the host reports them. */
type Runs = Pick<Session, 'activeRunId' | 'lastRunId'>

type Fields = ChatState & ChatRun & Pick<ChatMessages, 'phase'> & { pending: string | null }

type Options = Access<Fields> & {
  /** Aborted when the chat is closed. The run continues in the host. */
  signal: AbortSignal
  /** The host's newest record of the chat. */
  session: () => Runs | undefined
  /** Load the newest messages again. */
  refresh: () => Promise<void>
  /** Called when a followed run has ended. */
  onEnd: (reason: EndReason) => Promise<unknown>
}

/** The functions of a run that other parts of the store need. */
export type RunFollower = {
  /** Apply the events of a run until it ends. */
  follow: (runId: string) => Promise<void>
  /** Follow a run started elsewhere, once. Load the messages of an earlier run that ended unseen. */
  catchUp: (runs: Runs | undefined) => void
  /** Show the run of a chat that was just opened: the current one, or the end of the last one. */
  resume: (runs: Runs) => void
}

/** The part of the chat store that follows runs. */
export function createChatRun(
  link: Link,
  { get, set, signal, session, refresh, onEnd }: Options,
): RunFollower & { part: ChatRun } {
  const { client } = link
  let seenRun: string | null = null

  async function follow(runId: string) {
    set(state => beginRun(state, runId))
    const end = await followRun(link, {
      runId,
      signal,
      after: () => get().live.seq,
      apply: events => {
        const started = events.some(event => event.type === 'turn_start')
        set(state => ({
          ...events.reduce<ChatState>(applyEvent, state),
          ...(started ? { pending: null } : {}),
        }))
      },
    })
    if (end === 'left') return
    const turn = currentTurn(get())
    const reason = turn?.ended ?? 'stopped'
    set(state => ({
      turns: state.turns.map(each => (each.runId === runId ? { ...each, ended: reason, waiting: [] } : each)),
      pending: null,
      stopping: false,
    }))
    // The host lost the run, so only the stored messages remain.
    if (turn?.ended === null) await refresh()
    await onEnd(reason)
    catchUp(session())
  }

  function catchUp({ activeRunId, lastRunId }: Runs = { activeRunId: null, lastRunId: null }) {
    const { phase, pending, turns } = get()
    const runId = activeRunId ?? lastRunId
    if (runId === null || runId === seenRun || phase !== 'ready' || pending !== null || isBusy(get())) return
    seenRun = runId
    if (!turns.some(turn => turn.runId === runId)) void (activeRunId === null ? refresh() : follow(runId))
  }

  /** Apply the extra events of the last run at once, so that a reload shows its warnings and its end. */
  async function recall(runId: string) {
    const events: RunEvent[] = []
    const read = async () => {
      for await (const event of client['run.watch']({ runId, after: 0 }, { signal })) events.push(event)
    }
    const all = await attemptCall(read())
    if (!all.ok || events.at(-1)?.type !== 'turn_end' || get().turns.length > 0 || get().pending !== null)
      return
    set(state => events.reduce<ChatState>(applyEvent, beginRun(state, runId)))
  }

  return {
    follow,
    catchUp,

    resume(runs) {
      if (runs.activeRunId === null && runs.lastRunId !== null) void recall((seenRun = runs.lastRunId))
      catchUp(runs)
    },

    part: {
      stopping: false,

      async stop() {
        const turn = currentTurn(get())
        if (!isBusy(get()) && get().pending === null) return
        set({ stopping: true })
        if (turn?.ended !== null) return
        const stopped = await attemptCall(client['run.stop']({ runId: turn.runId }))
        if (!stopped.ok) set({ stopping: false })
      },

      async skip() {
        const runId = currentTurn(get())?.runId
        // A run that has ended needs no skipping, and without a connection the row stays.
        if (runId !== undefined) await attemptCall(client['run.skip']({ runId }))
      },

      async decide(approvalId, answer) {
        const runId = currentTurn(get())?.runId
        if (runId === undefined) return { ok: true, value: undefined }
        return attemptCall(client['run.approve']({ runId, approvalId, ...answer }))
      },
    },
  }
}

type Following = {
  runId: string
  /** The number of the newest applied event. It is read again after every reconnect. */
  after: () => number
  apply: (events: readonly RunEvent[]) => void
  signal: AbortSignal
}

/**
 * Apply a run's events, once a frame, until it ends. After a lost connection, resume after the last event
 * received. Resolves to `ended`, to `gone` if the host does not know the run, or to `left` if aborted.
 */
async function followRun(link: Link, following: Following): Promise<'ended' | 'gone' | 'left'> {
  const { runId, signal } = following
  const frame = perFrame(following.apply)

  async function read() {
    for await (const event of link.client['run.watch']({ runId, after: following.after() }, { signal })) {
      if (signal.aborted) return
      frame.push(event)
    }
  }

  while (await whenConnected(link, signal)) {
    const outcome = await attemptCall(read())
    if (signal.aborted) break
    frame.flush()
    if (outcome.ok) return 'ended'
    if (outcome.fault.code !== 'disconnected') return 'gone'
    // The connection may take a moment to notice that it is down.
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  frame.drop()
  return 'left'
}

/** Batches incoming items into one update per frame. */
type Frame<T> = { push(item: T): void; flush(): void; drop(): void }

/** Delay between batches in a hidden window, in ms. It renders no frames, but its chats continue. */
const HIDDEN_MS = 250

/** Deliver all pending items once before the next frame, so that a burst of events is one update. */
function perFrame<T>(handOn: (items: T[]) => void): Frame<T> {
  let items: T[] = []
  let frame = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const forget = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    frame = 0
  }
  const flush = () => {
    forget()
    const ready = items
    items = []
    if (ready.length > 0) handOn(ready)
  }
  return {
    push(item) {
      items.push(item)
      if (frame !== 0) return
      frame = requestAnimationFrame(flush)
      timer = setTimeout(flush, HIDDEN_MS)
    },
    flush,
    drop() {
      forget()
      items = []
    },
  }
}
