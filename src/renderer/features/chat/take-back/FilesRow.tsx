import { FilePen, Undo2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import type { Outcome } from '../../../rpc/attempt.ts'
import { cx } from '../../../ui/style.ts'
import { tellTrouble } from '../branches/MessageActions.tsx'
import { useChat, useSession } from '../store/open-chats.ts'
import type { TurnFiles } from './files-by-turn.ts'
import { filesLabel } from './take-back-words.ts'

/** Maximum number of names in the tooltip of the chip. */
const MOST_NAMES = 30

/** One chip for the files that a turn changed. It undoes the changes and, in the same window, redoes them. */
export function FilesRow({ files }: { files: TurnFiles }): ReactNode {
  const { turn, names } = files
  const taken = useChat(chat => chat.takenBack.get(turn))
  const askTakeBack = useChat(chat => chat.askTakeBack)
  const putBack = useChat(chat => chat.putBack)
  // The chat of a sub-agent is read-only: the host restores no files in it.
  const isFixed = useSession()?.origin === 'sub_agent'
  const [busy, setBusy] = useState(false)
  const act = async (work: () => Promise<Outcome<unknown>>) => {
    // A disabled button would lose the focus that the dialog gives back to it.
    if (busy) return
    setBusy(true)
    tellTrouble(await work())
    setBusy(false)
  }
  const changed = filesLabel(names)
  const back = taken && filesLabel(taken.steps.map(({ name }) => name))
  const isPart = taken !== undefined && taken.steps.length < names.length
  const Sign = taken ? Undo2 : FilePen
  return (
    <ul aria-label="Files changed in this turn" className="flex flex-wrap gap-1.5 py-1.5">
      <li className="chip">
        <Sign size={14} className="shrink-0 text-ink-3" />
        <span
          dir="auto"
          title={names.slice(0, MOST_NAMES).map(showHidden).join('\n')}
          className={cx('truncate', taken && 'text-ink-3', isFixed && 'pe-1.5')}
        >
          {back === undefined ? `Changed ${changed}` : `Undone: ${back}`}
        </span>
        {!isFixed && (
          <button
            type="button"
            aria-disabled={busy}
            aria-label={back === undefined ? `Undo: ${changed}` : `Redo: ${back}`}
            className="chip-btn"
            onClick={() => void act(() => (taken ? putBack(turn) : askTakeBack(files)))}
          >
            {taken ? 'Redo' : 'Undo'}
          </button>
        )}
        {isPart && (
          <button
            type="button"
            aria-disabled={busy}
            aria-label={`Undo more of: ${changed}`}
            className="chip-btn"
            onClick={() => void act(() => askTakeBack(files))}
          >
            Undo more
          </button>
        )}
      </li>
    </ul>
  )
}
