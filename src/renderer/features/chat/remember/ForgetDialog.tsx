import { Lock } from 'lucide-react'
import { useState, type FormEvent, type ReactNode } from 'react'
import type { MemoryEntry, MemoryRevision } from '../../../../shared/contract/learned/memory.ts'
import { namePlace, tellFound, WHY_LOCKED } from '../../../../shared/words/memory-words.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { Problem } from '../../../ui/Banner.tsx'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { oneLine, plural } from '../../../ui/text/format-values.ts'
import { cx } from '../../../ui/style.ts'
import { showToast } from '../../../ui/Toasts.tsx'
import { useChat } from '../store/open-chats.ts'
import type { Forgetting } from './chat-remember.ts'

/** How long the toast offers Undo, in ms. */
const UNDO_MS = 10_000

/** Lets the user choose from what `/forget` found. Nothing is preselected, not even a single entry. */
export function ForgetDialog({ onClosed }: { onClosed: () => void }): ReactNode {
  const forgetting = useChat(chat => chat.forgetting)
  return forgetting && <Choices forgetting={forgetting} onClosed={onClosed} />
}

function Choices({ forgetting, onClosed }: { forgetting: Forgetting; onClosed: () => void }) {
  const { words, found, nearest, projects } = forgetting
  const forgetEntries = useChat(chat => chat.forgetEntries)
  const undoForgetting = useChat(chat => chat.undoForgetting)
  const closeForgetting = useChat(chat => chat.closeForgetting)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const entries = found.length > 0 ? found : nearest
  const close = () => {
    closeForgetting()
    // The dialog must close first.
    requestAnimationFrame(onClosed)
  }
  const choose = (id: string, isChosen: boolean) => {
    const others = [...chosen].filter(each => each !== id)
    setChosen(new Set(isChosen ? [...others, id] : others))
  }
  const undo = async (revisions: readonly MemoryRevision[]) => {
    const undone = await undoForgetting(revisions)
    if (!undone.ok) showToast(undone.fault.message, { level: 'error' })
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || chosen.size === 0) return
    setBusy(true)
    const removed = await forgetEntries([...chosen])
    setBusy(false)
    if (!removed.ok) return setProblem(removed.fault.message)
    requestAnimationFrame(onClosed)
    const revisions = removed.value
    if (revisions.length === 0) return showToast('It was already in the archive.')
    showToast(
      plural(revisions.length, 'The entry was moved to the archive.', 'entries were moved to the archive.'),
      { ms: UNDO_MS, action: { label: 'Undo', run: () => void undo(revisions) } },
    )
  }
  return (
    <Dialog title="What to forget" closeLabel="Close" width="medium" onClose={close}>
      <form className="grid gap-3" onSubmit={event => void submit(event)}>
        <p className="text-sm break-words text-ink-2">
          {showHidden(tellFound(oneLine(words, 200), found.length, nearest.length))}
        </p>
        {entries.length > 0 && (
          <ul className="grid max-h-80 gap-1 overflow-y-auto">
            {entries.map(entry => (
              <Choice
                key={entry.id}
                entry={entry}
                place={namePlace(entry, projects)}
                isChosen={chosen.has(entry.id)}
                onChoose={isChosen => choose(entry.id, isChosen)}
              />
            ))}
          </ul>
        )}
        {problem !== '' && <Problem className="text-xs whitespace-pre-wrap" text={problem} />}
        <DialogButtons
          label={chosen.size > 1 ? `Forget ${chosen.size} entries` : 'Forget'}
          isDangerous
          disabled={chosen.size === 0 || busy}
          onCancel={close}
        />
      </form>
    </Dialog>
  )
}

type ChoiceProps = {
  entry: MemoryEntry
  place: string
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}

function Choice({ entry: { text, locked }, place, isChosen, onChoose }: ChoiceProps) {
  return (
    <li>
      <label
        className={cx(
          'grid grid-cols-[auto_1fr] gap-x-2.5 rounded-lg px-2 py-1.5 text-sm',
          !locked && 'hover:bg-hover',
        )}
      >
        <input
          type="checkbox"
          className="check mt-0.5"
          checked={isChosen}
          disabled={locked}
          onChange={event => onChoose(event.target.checked)}
        />
        <span dir="auto" className="min-w-0 break-words whitespace-pre-wrap">
          {showHidden(text)}
        </span>
        <span className="col-start-2 flex items-center gap-1 text-xs text-ink-3">
          {locked && <Lock size={12} className="shrink-0" />}
          {locked ? `${showHidden(place)}, ${WHY_LOCKED}` : showHidden(place)}
        </span>
      </label>
    </li>
  )
}
