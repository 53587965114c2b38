import type { StoreApi } from 'zustand/vanilla'
import type { UnsentAttachment } from '../../../../shared/contract/chats/attachments.ts'
import type { EndReason } from '../../../../shared/contract/runs/run.ts'
import { readMemoryCommand } from '../../../../shared/words/memory-words.ts'
import type { Session } from '../../../../shared/contract/chats/session.ts'
import { attemptCall, type Outcome } from '../../../rpc/attempt.ts'
import type { HostStore } from '../../../rpc/host-store.ts'
import type { Link } from '../../../rpc/link.ts'
import type { ChatRun, RunFollower } from './chat-run.ts'
import { currentTurn, isBusy, type Access, type ChatState } from './chat-state.ts'
import { focusIn, type ChatCompaction } from '../compaction/chat-compaction.ts'
import { pathIn, type ChatLearning } from '../learning/chat-learning.ts'
import type { ChatRemember } from '../remember/chat-remember.ts'
import { freeAttachments, type ChatAttachments } from '../attach/chat-attachments.ts'
import { isTypedElsewhere, keepTyped, readTyped, takeLeftTexts } from '../../../ui/fields/typed-texts.ts'
import { createDraftKeeper, draftToShow } from './draft-keeper.ts'
import { sendMessage, steerRun, type Sent } from './send-message.ts'

/**
 * A message queued after the current answer. `isOffered`: the model gets it before its next step, if there is
 * one. `isEdited`: the user is editing it, so it waits. `isAfterStop`: written after the user stopped the
 * answer.
 */
export type Queued = {
  key: string
  text: string
  /** The attachments of the queued message. */
  files?: readonly UnsentAttachment[]
  isOffered?: boolean
  isEdited?: boolean
  isAfterStop?: boolean
}

/** The text that the host has not received yet: the draft, the queue, and the message being sent. */
export type ChatOutbox = {
  /** A message that is being sent to the host. */
  pending: string | null
  /** The attachments of the message that is being sent. */
  pendingFiles: readonly UnsentAttachment[]
  draft: string
  queue: readonly Queued[]
  /** After a stop or a failure, the queue waits for the user. */
  queuePaused: boolean
  setDraft: (text: string) => void
  /** Save the draft now, before the user leaves the chat. */
  saveDraft: () => Promise<void>
  /** Send a text, or queue it during an answer. */
  send: (text: string) => Promise<void>
  /** Send the first queued message, although the last answer failed or was stopped. */
  resumeQueue: () => void
  /** Hold a message while the user edits it, until `editQueued`. */
  startEditing: (key: string) => void
  editQueued: (key: string, text: string) => void
  removeQueued: (key: string) => void
}

type Fields = ChatState &
  ChatOutbox &
  ChatRun &
  ChatCompaction &
  ChatLearning &
  ChatAttachments &
  ChatRemember & { sessionId: string | null; problem: string }

type Options = Access<Fields> & {
  host: StoreApi<HostStore>
  /** Aborted when the chat is closed. */
  signal: AbortSignal
  /** The session's id; a new chat becomes a session first. */
  ensureSession: () => Promise<Outcome<string>>
  run: Pick<RunFollower, 'follow' | 'catchUp'>
  /** Load the newest messages again. */
  refresh: () => Promise<void>
  /** Attachments that were sent are no longer part of the draft. */
  filesSent: (hashes: readonly string[]) => void
}

const DRAFT_MS = 400

/**
 * Maximum length in characters of a draft that is written to the page's storage on every key. A longer draft
 * is written on every save.
 */
const KEPT_WITH_KEY = 20_000

const draftPlace = (sessionId: string | null) => `draft/${sessionId ?? 'new'}`

/** The part of the chat store that keeps and sends the user's text. */
export function createChatOutbox(
  link: Link,
  { host, get, set, signal, ensureSession, run, refresh, filesSent }: Options,
): {
  part: ChatOutbox
  /** Call this when a new chat is shown. Text of the last new chat that never reached the host is kept. */
  begin: () => void
  /** Call this when the new chat has become a session. */
  made: () => void
  /** Call this when the chat was opened: shows the host's draft, and text typed in this window since. */
  restore: (session: Session) => void
  /** Call this when the host reports the session. A draft that another window sent disappears here. */
  told: (session: Session) => void
  /** Call this when a run has ended: sends the next queued message, or pauses the queue. */
  runEnded: (reason: EndReason) => Promise<void>
} {
  let draftTimer: ReturnType<typeof setTimeout> | undefined
  let lastKey = 0
  const drafts = createDraftKeeper({
    // A queued message is still unsent, so it must survive a reload.
    unsent: () => [...get().queue.map(queued => queued.text), get().draft],
    async write(draft, draftAfter) {
      const id = await ensureSession()
      return id.ok ? host.getState().updateSession(id.value, { draft, draftAfter }) : id
    },
  })
  signal.addEventListener('abort', () => clearTimeout(draftTimer))

  /** The page also stores unsent text: the host may be gone, or another window may write its draft. */
  const keep = () => keepTyped(draftPlace(get().sessionId), drafts.typed())

  async function save() {
    keep()
    await drafts.save()
    if (!signal.aborted) keep()
  }
  const queued = (text: string, files: readonly UnsentAttachment[]): Queued => ({
    key: `q${++lastKey}`,
    text,
    ...(files.length > 0 && { files }),
  })
  /** The message, no longer offered or edited. */
  const atRest = ({ key, text, files }: Queued): Queued => ({ key, text, ...(files && { files }) })
  /** Aborts the offer of a queued message to the model, by the key of the message. */
  const offers = new Map<string, AbortController>()

  function withdraw(key: string) {
    offers.get(key)?.abort()
    set(state => ({ queue: state.queue.map(each => (each.key === key ? atRest(each) : each)) }))
  }

  /**
   * Offer a queued message to the model that is answering. It stays in the queue until the host has stored
   * it, so it is never lost, and earlier messages go first. A message with attachments starts its own turn.
   */
  async function offer({ key, text, files }: Queued) {
    const turn = currentTurn(get())
    const { sessionId, messages, queue } = get()
    const isFirst = queue.every(each => offers.has(each.key) || each.key === key)
    if (!turn || turn.ended !== null || turn.waiting.length > 0 || sessionId === null) return
    if (!isFirst || files) return
    const over = new AbortController()
    offers.set(key, over)
    const onHeld = () =>
      set(state => ({
        queue: state.queue.map(each => (each.key === key ? { ...each, isOffered: true } : each)),
      }))
    const message = { runId: turn.runId, sessionId, text, after: messages.at(-1)?.id ?? 0 }
    const isTaken = await steerRun(link, message, onHeld, AbortSignal.any([signal, over.signal]))
    offers.delete(key)
    if (signal.aborted || over.signal.aborted) return
    if (!isTaken) return withdraw(key)
    set(state => ({ queue: state.queue.filter(each => each.key !== key) }))
    await get().saveDraft()
  }

  async function sendNow({ text, files = [] }: Pick<Queued, 'text' | 'files'>) {
    set({ pending: text, pendingFiles: files, queuePaused: false })
    const hashes = files.map(({ hash }) => hash)
    const sending = drafts.send(text, draft => sendOrFind(text, hashes, draft))
    keep()
    const sent = await sending
    if (signal.aborted) return
    keep()
    if (sent.ok) {
      if (hashes.length > 0) filesSent(hashes)
      if (sent.value.runId === null) return overWithoutUs()
      const following = run.follow(sent.value.runId)
      if (get().stopping) await get().stop()
      return following
    }
    set({ pending: null, stopping: false })
    const id = get().sessionId
    if (sent.fault.code === 'busy' && id !== null) {
      // Another window sent a message first, so this one waits for that answer.
      set(state => ({ queue: [queued(text, files), ...state.queue], queuePaused: true }))
      void get().saveDraft()
      const session = await attemptCall(link.client['session.get']({ id }))
      return session.ok ? run.catchUp(session.value) : undefined
    }
    const problem = `Not sent: ${sent.fault.message}`
    set(state => ({ draft: state.draft === '' ? text : state.draft, problem }))
    set(state => ({ queuePaused: state.queue.length > 0 }))
    // Another window may have sent or removed an attachment.
    if (hashes.length > 0) void get().readUnsent()
    await get().saveDraft()
  }

  async function sendOrFind(
    text: string,
    attachments: readonly string[],
    draft: string,
  ): Promise<Outcome<Sent>> {
    const known = await ensureSession()
    if (!known.ok) return known
    const message = {
      sessionId: known.value,
      text,
      draft,
      attachments,
      after: get().messages.at(-1)?.id ?? 0,
    }
    const sent = await sendMessage(link, message, signal)
    if (sent.ok && sent.value.session) drafts.known(sent.value.session)
    return sent
  }

  /** The message was answered, or its answer was aborted, while the connection was down. */
  async function overWithoutUs() {
    set(state => ({ pending: null, stopping: false, queuePaused: state.queue.length > 0 }))
    await refresh()
  }

  /** Keep the typed text if the run could not start. */
  async function compactAsAsked(text: string, focus: string) {
    set({ draft: '', problem: '' })
    const begun = await get().compact(focus)
    if (!begun.ok) set({ draft: text, problem: begun.fault.message })
    await get().saveDraft()
  }

  /** The typed text is restored if nothing at its path can be read. */
  async function learnAsAsked(text: string, path: string) {
    set({ draft: '', problem: '' })
    const known = await ensureSession()
    const read = known.ok ? await get().learnFrom(path, known.value) : known
    if (!read.ok) set(({ draft }) => ({ draft: draft === '' ? text : draft, problem: read.fault.message }))
    await get().saveDraft()
  }

  /**
   * Another window has sent a message. The text typed here is cleared if it is that message; otherwise it is
   * saved again, because the host dropped it.
   */
  async function leaveSent(draft: string) {
    const shown = get().draft
    await refresh()
    if (signal.aborted || get().draft !== shown) return
    const sent = get().messages.findLast(({ role }) => role === 'user')
    if (sent?.text.trim() === shown.trim()) set({ draft })
    await get().saveDraft()
  }

  async function drainQueue() {
    const [next, ...queue] = get().queue
    if (!next || next.isEdited || isBusy(get()) || get().pending !== null) return
    offers.get(next.key)?.abort()
    set({ queue })
    return sendNow(next)
  }

  return {
    restore(session) {
      drafts.known(session)
      const place = draftPlace(session.id)
      const shown = draftToShow({
        own: readTyped(place),
        left: takeLeftTexts(place),
        host: session,
        sentLast: get().messages.findLast(({ role }) => role === 'user')?.text ?? '',
        isElsewhere: draft => isTypedElsewhere(place, draft),
      })
      set(state => ({ draft: state.draft === '' ? shown : state.draft }))
      keep()
    },

    begin() {
      const place = draftPlace(null)
      const host = { draft: '', turnCount: 0 }
      const left = takeLeftTexts(place)
      const draft = draftToShow({ own: readTyped(place), left, host, sentLast: '', isElsewhere: () => false })
      if (draft === '' || get().draft !== '') return
      get().setDraft(draft)
    },

    made() {
      keepTyped(draftPlace(null), undefined)
      keep()
    },

    told(session) {
      const draft = drafts.told(session)
      if (draft === undefined || get().queue.length > 0) return
      void leaveSent(draft)
    },

    async runEnded(reason) {
      // A message written just after a stop should be answered, not held in the paused queue.
      const wantsNext = reason === 'stopped' && get().queue[0]?.isAfterStop === true
      if (reason === 'done' || wantsNext) await drainQueue()
      else set(state => ({ queuePaused: state.queue.length > 0 }))
    },

    part: {
      pending: null,
      pendingFiles: [],
      draft: '',
      queue: [],
      queuePaused: false,

      setDraft(draft) {
        set({ draft, problem: '' })
        if (draft.length <= KEPT_WITH_KEY) keep()
        clearTimeout(draftTimer)
        draftTimer = setTimeout(() => void get().saveDraft(), DRAFT_MS)
      },

      saveDraft() {
        clearTimeout(draftTimer)
        return save()
      },

      async send(text) {
        const memory = readMemoryCommand(text)
        if (memory !== undefined) return get().runMemoryCommand(text, memory)
        const focus = focusIn(text)
        if (focus !== undefined) return compactAsAsked(text, focus)
        const path = pathIn(text)
        if (path !== undefined) return learnAsAsked(text, path)
        const files = freeAttachments(get())
        set({ draft: '', problem: '', savedLines: [] })
        if (isBusy(get()) || get().pending !== null || get().queue.length > 0) {
          const next: Queued = get().stopping
            ? { ...queued(text, files), isAfterStop: true }
            : queued(text, files)
          set(state => ({ queue: [...state.queue, next] }))
          if (!isBusy(get()) && get().pending === null) void drainQueue()
          else if (!next.isAfterStop) void offer(next)
        } else void sendNow({ text, files })
        await get().saveDraft()
      },

      resumeQueue: () => void drainQueue(),

      startEditing(key) {
        withdraw(key)
        set(state => ({
          queue: state.queue.map(each => (each.key === key ? { ...each, isEdited: true } : each)),
        }))
      },

      editQueued(key, text) {
        set(state => ({
          queue: state.queue.map(each => (each.key === key ? atRest({ ...each, text }) : each)),
        }))
        if (!get().queuePaused) void drainQueue()
        void get().saveDraft()
      },

      removeQueued(key) {
        withdraw(key)
        const { files = [] } = get().queue.find(each => each.key === key) ?? {}
        set(state => ({ queue: state.queue.filter(each => each.key !== key) }))
        for (const { hash } of files) void get().takeBack(hash)
        void get().saveDraft()
      },
    },
  }
}
