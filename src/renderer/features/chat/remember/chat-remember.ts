import type { MemoryEntry, MemoryRevision, MemoryView } from '../../../../shared/contract/learned/memory.ts'
import {
  namePlace,
  readMemoryCommand,
  refuseText,
  REMEMBERED,
  tellEffect,
  type MemoryCommand,
} from '../../../../shared/words/memory-words.ts'
import { attemptCall, windowRefusal, type Outcome } from '../../../rpc/attempt.ts'
import type { Link } from '../../../rpc/link.ts'
import type { Access, ChatState } from '../store/chat-state.ts'

/** A text that the user saved here, without a model. `undoing`: the changes that undid it, if any. */
export type SavedLine = {
  key: number
  entryId: string
  text: string
  place: string
  effect: string
  revisionIds: readonly number[]
  undoing: readonly number[] | null
}

/** The entries that `/forget` found. None is preselected. */
export type Forgetting = {
  words: string
  found: readonly MemoryEntry[]
  nearest: readonly MemoryEntry[]
  projects: MemoryView['projects']
}

/** `/remember`, `/note` and `/forget`, which change memory at once and never reach a model. */
export type ChatRemember = {
  /** The latest texts that were saved here, oldest first. */
  savedLines: readonly SavedLine[]
  /** Null unless the user is choosing what to forget. */
  forgetting: Forgetting | null
  /** Run a typed command. The text stays in the field until the command is done. */
  runMemoryCommand: (typed: string, command: MemoryCommand) => Promise<void>
  /** Undo a saved text, or save it again. */
  undoSaved: (key: number) => Promise<Outcome<unknown>>
  dismissSaved: (key: number) => void
  /** Forget the chosen entries. */
  forgetEntries: (ids: readonly string[]) => Promise<Outcome<readonly MemoryRevision[]>>
  /** Undo changes made by `/forget`. */
  undoForgetting: (revisions: readonly MemoryRevision[]) => Promise<Outcome<unknown>>
  /** Forget nothing; what was typed stays. */
  closeForgetting: () => void
}

type Fields = ChatState &
  Pick<ChatRemember, 'savedLines' | 'forgetting'> & {
    sessionId: string | null
    draft: string
    problem: string
    saveDraft: () => Promise<void>
  }

/** Maximum number of texts shown. The Memory page has all of them. */
const MOST_LINES = 3

/** The part of the chat store that changes memory on the user's command. */
export function createChatRemember(
  { client }: Pick<Link, 'client'>,
  { get, set }: Access<Fields>,
): ChatRemember {
  let lastKey = 0
  /** A second Enter must not save a text twice. */
  let running = ''

  async function save({ name, text }: MemoryCommand): Promise<Outcome<void>> {
    const { sessionId } = get()
    const added = await attemptCall(
      client['memory.add']({
        target: name === '/note' ? 'memory' : 'user',
        text,
        ...(sessionId !== null && { inProjectOf: sessionId, source: { sessionId } }),
      }),
    )
    if (!added.ok) return added
    const [saved] = added.value.revisions
    if (!saved) return windowRefusal(REMEMBERED)
    const view = await attemptCall(client['memory.view']({}))
    const line: SavedLine = {
      key: ++lastKey,
      entryId: saved.entryId,
      text: saved.after ?? text,
      place: namePlace(saved, view.ok ? view.value.projects : []),
      // The effect is mentioned only if chats do not use memory.
      effect: view.ok && !view.value.useInChats ? tellEffect(view.value, get().messages.length > 0) : '',
      revisionIds: added.value.revisions.map(({ id }) => id),
      undoing: null,
    }
    set(state => ({ savedLines: [...state.savedLines, line].slice(-MOST_LINES) }))
    return { ok: true, value: undefined }
  }

  async function look({ text: words }: MemoryCommand): Promise<Outcome<void>> {
    const found = await attemptCall(client['memory.find']({ words }))
    if (!found.ok) return found
    const view = await attemptCall(client['memory.view']({}))
    if (!view.ok) return view
    set({ forgetting: { words, ...found.value, projects: view.value.projects } })
    return { ok: true, value: undefined }
  }

  /** Empty the field, unless the user has typed more. */
  async function clearTyped(isDone: (draft: string) => boolean) {
    set(state => ({ problem: '', draft: isDone(state.draft) ? '' : state.draft }))
    await get().saveDraft()
  }

  return {
    savedLines: [],
    forgetting: null,

    async runMemoryCommand(typed, command) {
      if (running === typed) return
      running = typed
      const refused = refuseText(command)
      const done = await (refused !== undefined
        ? windowRefusal(refused)
        : command.name === '/forget'
          ? look(command)
          : save(command))
      running = ''
      if (!done.ok) set(({ draft }) => ({ draft: draft === '' ? typed : draft, problem: done.fault.message }))
      else if (command.name !== '/forget') await clearTyped(draft => draft.trim() === typed)
    },

    async undoSaved(key) {
      const line = get().savedLines.find(each => each.key === key)
      if (!line) return { ok: true, value: undefined }
      const asked = await attemptCall(
        client['memory.undo']({ revisionIds: [...(line.undoing ?? line.revisionIds)] }),
      )
      if (!asked.ok) return asked
      const ids = asked.value.revisions.map(({ id }) => id)
      // No change means that it was already undone elsewhere.
      const undoing = line.undoing === null ? (ids.length > 0 ? ids : line.revisionIds) : null
      const revisionIds = line.undoing === null ? line.revisionIds : ids
      set(state => ({
        savedLines: state.savedLines.map(each =>
          each.key === key ? { ...each, revisionIds, undoing } : each,
        ),
      }))
      return asked
    },

    dismissSaved: key => set(state => ({ savedLines: state.savedLines.filter(each => each.key !== key) })),

    async forgetEntries(ids) {
      const removed = await attemptCall(client['memory.remove']({ ids: [...ids] }))
      if (!removed.ok) return removed
      set(({ savedLines }) => ({
        forgetting: null,
        savedLines: savedLines.filter(({ entryId }) => !ids.includes(entryId)),
      }))
      await clearTyped(draft => readMemoryCommand(draft)?.name === '/forget')
      return { ok: true, value: removed.value.revisions }
    },

    undoForgetting: revisions =>
      attemptCall(client['memory.undo']({ revisionIds: revisions.map(({ id }) => id) })),

    closeForgetting: () => set({ forgetting: null }),
  }
}
