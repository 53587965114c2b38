import { useId, type KeyboardEvent, type ReactNode } from 'react'
import { cx } from '../../ui/style.ts'
import { isKey, keyText } from '../../ui/keys.ts'
import type { Edit } from './activity-state.ts'
import { useActivity, useActivityActions } from './use-activity.ts'
import { focusCard } from './card-focus.ts'

type Props = { id: string; isFile: boolean; edit: Edit }

/** Edits a proposal before it is accepted. Rejected text stays, with the reason. */
export function ProposalEditor({ id, isFile, edit }: Props): ReactNode {
  const changeEdit = useActivity(activity => activity.changeEdit)
  const cancelEdit = useActivity(activity => activity.cancelEdit)
  const { saveEdit } = useActivityActions()
  const about = useId()
  // Enter starts a new line in a file, and saves a memory entry.
  const saveKey = isFile ? 'mod+enter' : 'enter'
  const cancel = () => {
    cancelEdit(id)
    requestAnimationFrame(() => focusCard(id))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const act = isKey(event, saveKey) ? () => void saveEdit(id) : isKey(event, 'escape') ? cancel : undefined
    if (!act) return
    event.preventDefault()
    act()
  }
  return (
    <div className="mt-2.5 grid gap-2">
      <textarea
        // The user has just chosen to edit it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        dir="auto"
        rows={1}
        maxLength={100_000}
        spellCheck={!isFile}
        value={edit.text}
        aria-label="Text to keep"
        aria-invalid={edit.problem !== null}
        aria-describedby={about}
        className={cx('field entry-field', isFile && 'entry-field-long font-mono text-xs')}
        onFocus={event => event.target.setSelectionRange(edit.text.length, edit.text.length)}
        onChange={event => changeEdit(id, event.target.value)}
        onKeyDown={onKeyDown}
      />
      {edit.problem !== null && (
        <p role="alert" className="text-xs whitespace-pre-wrap text-danger">
          {edit.problem}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <button
          type="button"
          className="btn btn-primary"
          disabled={edit.saving || edit.text.trim() === ''}
          onClick={() => void saveEdit(id)}
        >
          Keep this text
        </button>
        <button type="button" className="btn btn-secondary" onClick={cancel}>
          Cancel
        </button>
        <span id={about} className="text-xs text-ink-3">
          {`${keyText(saveKey)} keeps it, ${keyText('escape')} cancels.`}
        </span>
      </div>
    </div>
  )
}
