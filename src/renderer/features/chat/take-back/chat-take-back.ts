import type { ChangedFile, FileStep } from '../../../../shared/contract/chats/changed-files.ts'
import { attemptCall, type Outcome } from '../../../rpc/attempt.ts'
import type { Link } from '../../../rpc/link.ts'
import { showToast } from '../../../ui/Toasts.tsx'
import type { Access } from '../store/chat-state.ts'
import type { TurnFiles } from './files-by-turn.ts'
import { sayNothing, sayPutBack, sayTakenBack } from './take-back-words.ts'

/** Files whose changes were undone, and whether the user agreed to change files that programs obey. */
export type TakenBack = { steps: readonly (FileStep & { name: string })[]; obeyed: boolean }

/** Undoing the file changes of a turn. The messages of the chat stay. */
export type ChatTakeBack = {
  /** The file changes of a turn that can be undone, while the user decides about them. */
  takingBack: (Pick<TurnFiles, 'turn' | 'asked'> & { files: readonly ChangedFile[] }) | null
  /** The changes undone in this window, by the id of the message that started the turn. */
  takenBack: ReadonlyMap<number, TakenBack>
  /** Ask the host which changes can be undone, and the user which to undo. */
  askTakeBack: (files: TurnFiles) => Promise<Outcome<unknown>>
  /** Undo the changes to these files; null: to none. */
  takeChosen: (files: readonly FileStep[] | null, obeyed?: boolean) => Promise<Outcome<unknown>>
  /** Redo the changes of the turn. */
  putBack: (turn: number) => Promise<Outcome<TakenBack['steps']>>
}

type Fields = ChatTakeBack & { sessionId: string | null }
type Client = Pick<Link['client'], 'files.restore'>
type Restoring = { sessionId: string; files: readonly FileStep[]; obeyed: boolean }

const done: Outcome<unknown> = { ok: true, value: undefined }
const UNDO_MS = 15_000

/** The steps that undo these. */
const backwards = (steps: readonly FileStep[]): FileStep[] =>
  steps.map(({ path, from, to }) => ({ path, from: to, to: from }))

/** Restore files, and report why one was not. Returns the restored files. */
async function restoreFiles(client: Client, { sessionId, files, obeyed }: Restoring) {
  const steps = files.map(({ path, from, to }) => ({ path, from, to }))
  const { restored, failed } = await client['files.restore']({ sessionId, files: steps, obeyed })
  for (const { name, why } of failed) showToast(`${name}: ${why}`, { level: 'error' })
  return restored
}

/** Restore files, report the result, and offer `undo` for it. Returns the restored files. */
export async function takeFilesBack(
  client: Client,
  given: Restoring,
  undo: (steps: readonly FileStep[]) => unknown = steps => undoRestored(client, given, steps),
): Promise<TakenBack['steps']> {
  const restored = await restoreFiles(client, given)
  if (restored.length > 0)
    showToast(sayTakenBack(restored), {
      action: { label: 'Undo', run: () => void undo(restored) },
      ms: UNDO_MS,
    })
  return restored
}

/** Undo a restore, and report it. */
async function undoRestored(client: Client, given: Restoring, steps: readonly FileStep[]): Promise<void> {
  tellPutBack(await attemptCall(restoreFiles(client, { ...given, files: backwards(steps) })))
}

/** The part of the chat store that undoes file changes. */
export function createChatTakeBack(
  { client }: Pick<Link, 'client'>,
  { get, set }: Access<Fields>,
): ChatTakeBack {
  function keep(turn: number, taken: TakenBack | undefined) {
    const takenBack = new Map(get().takenBack)
    if (taken && taken.steps.length > 0) takenBack.set(turn, taken)
    else takenBack.delete(turn)
    set({ takenBack })
  }

  return {
    takingBack: null,
    takenBack: new Map(),

    async askTakeBack({ turn, asked, calls }) {
      const { sessionId } = get()
      if (sessionId === null) return done
      const changed = await attemptCall(client['files.changed']({ sessionId, calls: [...calls] }))
      if (!changed.ok) return changed
      const { files } = changed.value
      if (files.every(({ isAsBefore }) => isAsBefore)) showToast(sayNothing(files))
      else set({ takingBack: { turn, asked, files } })
      return done
    },

    async takeChosen(files, obeyed = false) {
      const { takingBack, sessionId } = get()
      set({ takingBack: null })
      if (!takingBack || files === null || files.length === 0 || sessionId === null) return done
      const { turn } = takingBack
      return attemptCall(
        (async () => {
          const undo = () => get().putBack(turn).then(tellPutBack)
          const steps = await takeFilesBack(client, { sessionId, files, obeyed }, undo)
          if (steps.length === 0) return
          const before = get().takenBack.get(turn)
          const paths = new Set(steps.map(({ path }) => path))
          const others = before?.steps.filter(({ path }) => !paths.has(path)) ?? []
          keep(turn, { steps: [...others, ...steps], obeyed: obeyed || before?.obeyed === true })
        })(),
      )
    },

    async putBack(turn) {
      const { takenBack, sessionId } = get()
      const taken = takenBack.get(turn)
      if (!taken || sessionId === null) return { ok: true, value: [] }
      const { steps, obeyed } = taken
      const put = await attemptCall(restoreFiles(client, { sessionId, files: backwards(steps), obeyed }))
      // Files that could not be redone have changed since, so the page forgets them.
      if (put.ok) keep(turn, undefined)
      return put
    },
  }
}

/** Report the result of Undo in a notice. */
function tellPutBack(put: Outcome<TakenBack['steps']>): void {
  if (!put.ok) showToast(put.fault.message, { level: 'error' })
  else if (put.value.length > 0) showToast(sayPutBack(put.value))
}
