import {
  commandsLeft,
  type Branch,
  type Leaving,
  type Move,
} from '../../../../shared/contract/chats/branches.ts'
import type { FileStep } from '../../../../shared/contract/chats/changed-files.ts'
import type { Message } from '../../../../shared/contract/chats/messages.ts'
import type { Session } from '../../../../shared/contract/chats/session.ts'
import { attemptCall, type Outcome } from '../../../rpc/attempt.ts'
import type { Link } from '../../../rpc/link.ts'
import { showToast } from '../../../ui/Toasts.tsx'
import { findTyped, keepTyped } from '../../../ui/fields/typed-texts.ts'
import { takeFilesBack } from '../take-back/chat-take-back.ts'
import { mergeById, type Access, type ChatState, type Turn } from '../store/chat-state.ts'

/** The branches of a chat: editing, answering again, and going back. */
export type ChatBranches = {
  /** The branches of the chat, oldest first. */
  branches: readonly Branch[]
  /** How many times the path of the chat had moved when its messages were read. */
  moves: number
  /** The message that the user is editing, and its current text. */
  editing: { messageId: number; text: string } | null
  /** An action requested during an answer. It is carried out once the user agrees to stop the answer. */
  waiting: (() => Promise<Outcome<unknown>>) | null
  /** The changes outside the chat that a move would leave behind, while the user decides about them. */
  leaving: { id: number; how: Move['how']; left: Leaving; go: () => Promise<unknown> } | null
  startEdit: (messageId: number, text: string) => void
  cancelEdit: () => void
  saveEdit: () => Promise<Outcome<unknown>>
  /** Answer the question before a message again. */
  retry: (messageId: number, modelId?: string) => Promise<Outcome<unknown>>
  /** Continue an answer that was cut off. */
  goOn: () => Promise<Outcome<unknown>>
  /** Carry out the offer of a button below the newest answer. */
  pick: (messageId: number, choice: number) => Promise<Outcome<unknown>>
  switchTo: (messageId: number) => Promise<Outcome<unknown>>
  /** Undo the newest question. Its text becomes the draft. */
  undo: () => Promise<Outcome<unknown>>
  copyUpTo: (messageId: number) => Promise<Outcome<Session>>
  /** Restore these files and make the pending move; null does neither. */
  leave: (files: readonly FileStep[] | null, obeyed?: boolean) => Promise<Outcome<unknown>>
  /** Carry out or drop the action that is waiting for the answer to be stopped. */
  settle: (isAgreed: boolean) => Promise<Outcome<unknown>>
}

type Fields = ChatState &
  ChatBranches & {
    sessionId: string | null
    draft: string
    setDraft: (text: string) => void
    readCompactions: () => Promise<void>
    readCompared: () => Promise<void>
  }

const PAGE = 60
const done: Outcome<unknown> = { ok: true, value: undefined }

/** The part of the chat store that handles branches. */
export function createChatBranches(
  { client }: Pick<Link, 'client'>,
  { get, set }: Access<Fields>,
): {
  part: ChatBranches
  /** Call this when the host reports the session: if its path moved, the messages are read again. */
  told: (session: Session) => void
  /** Call this when the chat was opened with the messages of this path. */
  opened: (session: Session) => void
  /** A run has ended. */
  runEnded: () => Promise<void>
} {
  async function readBranches(sessionId: string) {
    const found = await attemptCall(client['branch.list']({ sessionId }))
    if (found.ok) set({ branches: found.value.branches })
  }

  /** Show the host's path. Messages of other branches are removed. */
  async function reload(hasMoved: boolean) {
    const id = get().sessionId
    if (id === null) return
    const page = await attemptCall(client['session.messages']({ id, limit: PAGE }))
    if (!page.ok) return
    const { messages, more } = page.value
    const first = messages[0]?.id ?? 0
    set(state => {
      const older = hasMoved || !more ? [] : state.messages.filter(message => message.id < first)
      return {
        messages: mergeById(older, messages),
        more: older.length > 0 ? state.more : more,
        turns: hasMoved ? turnsOn(state.turns, messages) : state.turns,
        // A summary belongs to the path on which it was written.
        ...(hasMoved && { compactions: [] }),
      }
    })
    await Promise.all([
      readBranches(id),
      hasMoved && get().readCompactions(),
      hasMoved && get().readCompared(),
    ])
  }

  /** Try an action; if an answer is being written, ask the user first. */
  async function tryIt<T>(work: (sessionId: string, stopRun: boolean) => Promise<T>): Promise<Outcome<T>> {
    const sessionId = get().sessionId
    if (sessionId === null) return attemptCall(Promise.reject(new Error('This chat has not started yet.')))
    const tried = await attemptCall(work(sessionId, false))
    if (!tried.ok && tried.fault.code === 'busy') {
      set({ waiting: () => attemptCall(work(sessionId, true)) })
    }
    return tried
  }
  /** Make a move, but ask first if it would leave changed files, memory or skills behind. */
  async function goBack(
    move: Move,
    act: (sessionId: string, stopRun: boolean) => Promise<unknown>,
  ): Promise<Outcome<unknown>> {
    const tried = await tryIt(async (sessionId, stopRun) => {
      const left = await client['branch.leaving']({ sessionId, move, stopRun })
      const go = () => act(sessionId, stopRun)
      const { files, memory, skills } = left
      if (files.length + memory.length + skills.length > 0)
        return set({ leaving: { id: ++asked, how: move.how, left, go } })
      await go()
      if (left.commands > 0) showToast(commandsLeft(left.commands), { ms: 8_000 })
    })
    return tell(tried)
  }
  let asked = 0

  const editsOf = (sessionId: string | null) => `edit/${sessionId}/`
  /** Edit a message, or none. The page keeps the typed text until it is saved or cancelled. */
  function edit(editing: ChatBranches['editing']) {
    const now = editing ?? get().editing
    const place = editsOf(get().sessionId) + String(now?.messageId)
    keepTyped(place, editing ? { text: editing.text } : undefined)
    set({ editing })
  }

  const tell = (outcome: Outcome<unknown>): Outcome<unknown> =>
    !outcome.ok && outcome.fault.code === 'busy' ? done : outcome

  return {
    opened({ pathMoves, id }) {
      const [kept] = findTyped(editsOf(id))
      if (kept && get().editing === null)
        set({ editing: { messageId: Number(kept.place.slice(editsOf(id).length)), text: kept.text } })
      set({ moves: pathMoves })
      if (pathMoves > 0) void readBranches(id)
    },
    told({ pathMoves }) {
      if (pathMoves === get().moves) return
      set({ moves: pathMoves })
      void reload(true)
    },
    async runEnded() {
      if (get().moves > 0) await reload(false)
    },
    part: {
      branches: [],
      moves: 0,
      editing: null,
      waiting: null,
      leaving: null,
      startEdit: (messageId, text) => edit({ messageId, text }),
      cancelEdit: () => edit(null),
      async saveEdit() {
        const { editing } = get()
        if (!editing || editing.text.trim() === '') return done
        const { messageId, text } = editing
        return goBack({ how: 'edit', messageId }, async (sessionId, stopRun) => {
          await client['branch.edit']({ sessionId, messageId, text, stopRun })
          if (get().editing === editing) edit(null)
        })
      },
      retry: (messageId, modelId) =>
        goBack({ how: 'retry', messageId }, (sessionId, stopRun) =>
          client['branch.retry']({ sessionId, messageId, stopRun, ...(modelId && { modelId }) }),
        ),
      goOn: () => tryIt(sessionId => client['branch.continue']({ sessionId })),
      pick: (messageId, choice) => tryIt(sessionId => client['chat.pick']({ sessionId, messageId, choice })),
      switchTo: messageId =>
        goBack({ how: 'switch', messageId }, (sessionId, stopRun) =>
          client['branch.switch']({ sessionId, messageId, stopRun }),
        ),
      undo: () =>
        goBack({ how: 'undo' }, async (sessionId, stopRun) => {
          const { text } = await client['branch.undo']({ sessionId, stopRun })
          if (get().draft.trim() === '') get().setDraft(text)
        }),
      copyUpTo: messageId => tryIt(sessionId => client['branch.fork']({ sessionId, messageId })),
      async leave(files, obeyed = false) {
        const { leaving } = get()
        set({ leaving: null })
        if (!leaving || files === null) return done
        return attemptCall(
          (async () => {
            const { sessionId } = get()
            if (files.length > 0 && sessionId !== null)
              await takeFilesBack(client, { sessionId, files, obeyed })
            await leaving.go()
          })(),
        )
      },
      async settle(isAgreed) {
        const { waiting } = get()
        set({ waiting: null })
        return isAgreed && waiting ? waiting() : done
      },
    },
  }
}

/**
 * The turns that are still on a path: those in progress, and those completely on it. If the newest turn has
 * written nothing, its notices move to the end of the current messages.
 */
function turnsOn(turns: readonly Turn[], messages: readonly Message[]): readonly Turn[] {
  const ids = new Set(messages.map(({ id }) => id))
  const newest = messages.at(-1)?.id ?? 0
  return turns
    .filter(turn => turn.ended === null || (ids.has(turn.from) && ids.has(turn.last)))
    .map(turn => {
      if (turn !== turns.at(-1) || turn.answers.length > 0 || turn.from === 0) return turn
      return { ...turn, last: newest, notes: turn.notes.map(note => ({ ...note, after: newest })) }
    })
}

/** All versions of a message, oldest first, including itself; empty if it is the only one. */
export function versionsOf(branches: readonly Branch[], messageId: number): readonly Branch[] {
  const own = branches.find(({ id }) => id === messageId)
  if (!own) return []
  const versions = branches.filter(({ parentId }) => parentId === own.parentId)
  return versions.length > 1 ? versions : []
}

/** The message of a turn that has versions: the given one, else the nearest before it; null if none. */
export function versionedIn(
  { branches, messages }: Pick<Fields, 'branches' | 'messages'>,
  messageId: number,
): number | null {
  if (branches.length === 0) return null
  const asked = messages.findLast(({ id, role }) => role === 'user' && id <= messageId)?.id ?? 0
  const found = messages.findLast(
    ({ id }) =>
      (id === asked ? id === messageId : id > asked) &&
      id <= messageId &&
      versionsOf(branches, id).length > 0,
  )
  return found?.id ?? null
}
