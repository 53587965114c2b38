import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Decision, RunEvent } from '../../../shared/contract/run.ts'
import { attempt, type Outcome } from '../../rpc/attempt.ts'
import type { HostStore, SessionChange } from '../../rpc/host-store.ts'
import type { Link } from '../../rpc/link.ts'
import { createChatMemory, type ChatMemory } from './chat-memory.ts'
import { createChatSkills, type ChatSkills } from './chat-skills.ts'
import {
  apply,
  beginRun,
  currentTurn,
  initialChat,
  isBusy,
  mergeNewest,
  mergeOlder,
  type ChatState,
} from './chat-state.ts'
import { createChatCompaction, focusIn, type ChatCompaction } from './compaction/chat-compaction.ts'
import { dismissedIn } from './dismissed-claims.ts'
import { createDraftKeeper } from './draft-keeper.ts'
import { sendMessage, type Sent } from './send-message.ts'
import { followRun } from './follow-run.ts'
import { createChatLearning, type ChatLearning } from './learning/chat-learning.ts'
import { readTold } from './read-told.ts'

/** A message queued behind the current answer. */
export type Queued = { key: string; text: string }

export type ChatStore = ChatState &
  ChatCompaction &
  ChatLearning &
  ChatMemory &
  ChatSkills & {
    /** Null until the first message or setting creates the session. */
    sessionId: string | null
    phase: 'new' | 'loading' | 'ready' | 'missing' | 'failed'
    /** Why the chat failed to open or the last message failed to send; empty when all is well. */
    problem: string
    /** A message on its way to the host. */
    pending: string | null
    stopping: boolean
    loadingOlder: boolean
    /** The message to scroll to next. It is loaded, or does not exist. */
    goal: number | null
    draft: string
    queue: readonly Queued[]
    /** After a stop or a failure, the queue waits for the user. */
    queuePaused: boolean

    open: () => Promise<void>
    loadOlder: () => Promise<void>
    /** Scroll to a message, loading older pages as needed. */
    show: (messageId: number) => Promise<Outcome<unknown>>
    /** The transcript has reached its target. */
    arrived: () => void
    setDraft: (text: string) => void
    /** Save the draft now, before the user leaves the chat. */
    saveDraft: () => Promise<void>
    /** Send a text, or queue it during an answer. */
    send: (text: string) => Promise<void>
    /** Send the first queued message although the last answer failed or was stopped. */
    resumeQueue: () => void
    editQueued: (key: string, text: string) => void
    removeQueued: (key: string) => void
    stop: () => Promise<void>
    decide: (approvalId: string, decision: Decision, note?: string) => Promise<Outcome<unknown>>
    /** Change the chat's settings. This creates the session of a new chat. */
    change: (change: SessionChange) => Promise<Outcome<unknown>>
    /** Stop following the run; it continues in the host. */
    close: () => void
  }

export type ChatOptions = {
  link: Link
  host: StoreApi<HostStore>
  sessionId: string | null
  /** Called when a new chat has become a session. */
  onCreated: (id: string) => unknown
}

type Runs = { activeRunId?: string | null; lastRunId?: string | null }

const PAGE = 60
/** Page size of a distant jump, and messages to load above its target to avoid shifts under the reader. */
const LONG_PAGE = 500
const MARGIN = 60
const DRAFT_MS = 400

/** One open chat: its transcript, draft, queue and actions. */
export function createChat({ link, host, sessionId, onCreated }: ChatOptions): StoreApi<ChatStore> {
  const { client } = link
  const left = new AbortController()
  let opening: Promise<void> | undefined
  let creating: Promise<Outcome<{ id: string }>> | undefined
  let draftTimer: ReturnType<typeof setTimeout> | undefined
  let lastKey = 0
  let seenRun: string | null = null
  const drafts = createDraftKeeper({
    // A queued message is still unsent, so it must survive a reload.
    unsent: () => [...get().queue.map(queued => queued.text), get().draft],
    async write(draft, draftAfter) {
      const id = await ensureSession({})
      return id.ok ? host.getState().updateSession(id.value, { draft, draftAfter }) : id
    },
  })

  const chat = createStore<ChatStore>((set, get) => ({
    ...initialChat,
    sessionId,
    phase: sessionId === null ? 'new' : 'loading',
    problem: '',
    pending: null,
    stopping: false,
    loadingOlder: false,
    goal: null,
    dismissed: dismissedIn(sessionId),
    // A new chat has no findings yet.
    offers: sessionId === null ? [] : null,
    draft: '',
    queue: [],
    queuePaused: false,

    ...createChatCompaction(link, { get, set, follow }),
    ...createChatLearning(link, { get, set }),
    ...createChatMemory(link, { get, set }),
    ...createChatSkills(link, { get, set }),

    async open() {
      if (get().sessionId !== null) await (opening ??= read())
    },

    async loadOlder() {
      const { more, loadingOlder } = get()
      if (more && !loadingOlder) await fetchOlder(PAGE)
    },

    async show(messageId) {
      await get().open()
      while (get().more && olderThan(messageId) < MARGIN) {
        const fetched = await fetchOlder(LONG_PAGE)
        if (!fetched.ok) return fetched
      }
      set({ goal: messageId })
      return { ok: true, value: undefined }
    },

    arrived: () => set({ goal: null }),

    setDraft(draft) {
      set({ draft, problem: '' })
      clearTimeout(draftTimer)
      draftTimer = setTimeout(() => void get().saveDraft(), DRAFT_MS)
    },

    saveDraft() {
      clearTimeout(draftTimer)
      return drafts.save()
    },

    async send(text) {
      const focus = focusIn(text)
      if (focus !== undefined) return compactAsAsked(text, focus)
      set({ draft: '', problem: '' })
      if (isBusy(get()) || get().pending !== null || get().queue.length > 0) {
        set(state => ({ queue: [...state.queue, { key: `q${++lastKey}`, text }] }))
        if (!isBusy(get()) && get().pending === null) void drainQueue()
      } else void sendNow(text)
      await get().saveDraft()
    },

    resumeQueue: () => void drainQueue(),

    editQueued(key, text) {
      set(state => ({ queue: state.queue.map(each => (each.key === key ? { key, text } : each)) }))
      void get().saveDraft()
    },

    removeQueued(key) {
      set(state => ({ queue: state.queue.filter(each => each.key !== key) }))
      void get().saveDraft()
    },

    async stop() {
      const turn = currentTurn(get())
      if (!isBusy(get()) && get().pending === null) return
      set({ stopping: true })
      if (turn?.ended !== null) return
      const stopped = await attempt(client['run.stop']({ runId: turn.runId }))
      if (!stopped.ok) set({ stopping: false })
    },

    async decide(approvalId, decision, note = '') {
      const runId = currentTurn(get())?.runId
      if (runId === undefined) return { ok: true, value: undefined }
      return attempt(client['run.approve']({ runId, approvalId, decision, note }))
    },

    async change(change) {
      const existed = get().sessionId !== null
      const id = await ensureSession(change)
      if (!id.ok || !existed) return id
      return host.getState().updateSession(id.value, change)
    },

    close() {
      left.abort()
      clearTimeout(draftTimer)
      stopListening()
    },
  }))
  const { setState: set, getState: get } = chat

  async function read() {
    const id = get().sessionId!
    const found = await attempt(
      Promise.all([client['session.get']({ id }), client['session.messages']({ id, limit: PAGE })]),
    )
    if (!found.ok) {
      opening = undefined
      const missing = found.fault.code === 'not_found'
      return set({ phase: missing ? 'missing' : 'failed', problem: found.fault.message })
    }
    const [session, page] = found.value
    drafts.known(session)
    set(state => ({
      ...mergeNewest(state, page),
      phase: 'ready',
      problem: '',
      draft: state.draft === '' ? session.draft : state.draft,
    }))
    if (page.messages.length > 0) void get().readCompactions()
    if (session.activeRunId === null && session.lastRunId !== null) void recall((seenRun = session.lastRunId))
    catchUp(session)
    if (page.messages.length > 0) void get().readLearned()
    if (page.messages.length > 0) void get().readSkillChanges()
    void get().readOffers()
  }

  async function fetchOlder(limit: number): Promise<Outcome<unknown>> {
    const { sessionId: id, messages } = get()
    const before = messages[0]?.id
    if (id === null || before === undefined) return { ok: true, value: undefined }
    set({ loadingOlder: true })
    const page = await attempt(client['session.messages']({ id, before, limit }))
    set(state => ({ ...(page.ok ? mergeOlder(state, page.value) : state), loadingOlder: false }))
    return page
  }

  const olderThan = (id: number) => get().messages.filter(message => message.id < id).length

  async function ensureSession(change: SessionChange): Promise<Outcome<string>> {
    const known = get().sessionId
    if (known !== null) return { ok: true, value: known }
    creating ??= host.getState().createSession(change)
    const made = await creating
    creating = undefined
    if (!made.ok) return made
    if (get().sessionId === null) {
      opening = Promise.resolve()
      set({ sessionId: made.value.id, phase: 'ready' })
      onCreated(made.value.id)
      catchUp(host.getState().sessions[made.value.id])
    }
    return { ok: true, value: made.value.id }
  }

  async function sendNow(text: string) {
    set({ pending: text, queuePaused: false })
    const sent = await drafts.send(text, draft => sendOrFind(text, draft))
    if (left.signal.aborted) return
    if (sent.ok) {
      if (sent.value.runId === null) return overWithoutUs()
      const following = follow(sent.value.runId)
      if (get().stopping) await get().stop()
      return following
    }
    set({ pending: null, stopping: false })
    const id = get().sessionId
    if (sent.fault.code === 'busy' && id !== null) {
      // Another window was quicker, so the message waits for that answer.
      set(state => ({ queue: [{ key: `q${++lastKey}`, text }, ...state.queue], queuePaused: true }))
      void get().saveDraft()
      const session = await attempt(client['session.get']({ id }))
      return session.ok ? catchUp(session.value) : undefined
    }
    set(state => ({ draft: state.draft === '' ? text : state.draft, problem: sent.fault.message }))
    set(state => ({ queuePaused: state.queue.length > 0 }))
    await get().saveDraft()
  }

  async function sendOrFind(text: string, draft: string): Promise<Outcome<Sent>> {
    const known = await ensureSession({})
    if (!known.ok) return known
    const message = { sessionId: known.value, text, draft, after: get().messages.at(-1)?.id ?? 0 }
    const sent = await sendMessage(link, message, left.signal)
    if (sent.ok && sent.value.session) drafts.known(sent.value.session)
    return sent
  }

  /** The message was answered, or its answer was aborted, while the connection was down. */
  async function overWithoutUs() {
    set(state => ({ pending: null, stopping: false, queuePaused: state.queue.length > 0 }))
    await refresh()
  }

  /** Keep the typed text when the run could not start. */
  async function compactAsAsked(text: string, focus: string) {
    set({ draft: '', problem: '' })
    const begun = await get().compact(focus)
    if (!begun.ok) set({ draft: text, problem: begun.fault.message })
    await get().saveDraft()
  }

  async function drainQueue() {
    const [next, ...queue] = get().queue
    if (!next || isBusy(get()) || get().pending !== null) return
    set({ queue })
    return sendNow(next.text)
  }

  async function follow(runId: string) {
    set(state => beginRun(state, runId))
    const end = await followRun(link, {
      runId,
      signal: left.signal,
      after: () => get().live.seq,
      apply: events => {
        const started = events.some(event => event.type === 'turn_start')
        set(state => ({ ...events.reduce<ChatState>(apply, state), ...(started ? { pending: null } : {}) }))
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
    if (reason === 'done') await drainQueue()
    else set(state => ({ queuePaused: state.queue.length > 0 }))
    catchUp(host.getState().sessions[get().sessionId ?? ''])
  }

  /** Follow a run started elsewhere, once. Load the messages of an earlier run that ended unseen. */
  function catchUp({ activeRunId = null, lastRunId = null }: Runs = {}) {
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
      for await (const event of client['run.watch']({ runId, after: 0 }, { signal: left.signal }))
        events.push(event)
    }
    const all = await attempt(read())
    if (!all.ok || events.at(-1)?.type !== 'turn_end' || get().turns.length > 0 || get().pending !== null)
      return
    set(state => events.reduce<ChatState>(apply, beginRun(state, runId)))
  }

  async function refresh() {
    const id = get().sessionId
    if (id === null) return
    const page = await attempt(client['session.messages']({ id, limit: PAGE }))
    if (page.ok) set(state => mergeNewest(state, page.value))
  }

  /** Handles runs started elsewhere, chats deleted elsewhere, and everything missed during a disconnect. */
  const unsubscribes = [
    host.subscribe((state, before) => {
      const id = get().sessionId
      readTold(get(), state, before)
      if (id === null || state.sessions === before.sessions) return
      const now = state.sessions[id]
      if (!now && before.sessions[id]) set({ phase: 'missing' })
      if (now && get().phase === 'missing') set({ phase: 'ready' })
      const draft = now && drafts.told(now)
      if (draft !== undefined && get().queue.length === 0) set({ draft })
      catchUp(now)
    }),
    link.subscribe(() => {
      if (link.state() !== 'connected') return
      if (get().phase === 'ready') void refresh()
      else if (get().phase === 'failed' || get().phase === 'loading') void get().open()
    }),
  ]
  const stopListening = () => unsubscribes.forEach(each => each())

  return chat
}
