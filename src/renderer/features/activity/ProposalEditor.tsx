import { useId, type KeyboardEvent, type ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'
import { isKey, keyText } from '../../ui/keys.ts'
import type { Edit } from './activity-state.ts'
import { useActivity } from './activity-context.ts'
import { focusCard } from './rows.ts'
import { activityText } from './strings.ts'
import { useActions } from './use-actions.ts'

type Props = { id: string; isFile: boolean; edit: Edit }

/** What is to be kept, in the person's own words; what is refused stays with the reason. */
export function ProposalEditor({ id, isFile, edit }: Props): ReactNode {
  const changeEdit = useActivity(activity => activity.changeEdit)
  const cancelEdit = useActivity(activity => activity.cancelEdit)
  const { saveEdit } = useActions()
  const about = useId()
  const text = activityText.editor
  // A file has lines of its own; a sentence is kept by Enter alone.
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
        // The person has just asked to edit it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        dir="auto"
        rows={1}
        maxLength={100_000}
        spellCheck={!isFile}
        value={edit.text}
        aria-label={text.field}
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
          {text.save}
        </button>
        <button type="button" className="btn btn-secondary" onClick={cancel}>
          {activityText.cancel}
        </button>
        <span id={about} className="text-xs text-ink-3">
          {text.keys(keyText(saveKey), keyText('escape'))}
        </span>
      </div>
    </div>
  )
}
