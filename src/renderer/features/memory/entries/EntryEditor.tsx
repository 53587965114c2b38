import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { MemoryEntry } from '../../../../shared/contract/learned/memory.ts'
import { isKey, keyText } from '../../../ui/keyboard/keys.ts'
import { WordDiff } from '../../../ui/text/TextDiff.tsx'
import { OrderHint } from './entry-labels.tsx'
import { LongText } from './LongText.tsx'
import { useEntry, useMemory, useMemoryActions, useSaveEdit } from '../use-memory.ts'
import { isLong, type Edit } from '../memory-state.ts'
import { focusEntry, leaveEntries } from './entry-focus.ts'
import { Problem } from '../../../ui/Banner.tsx'
import { writeInto } from '../../../ui/fields/write-into.ts'

/**
 * The inline editor of an entry. The user's text is never lost: it stays in the editor when the host
 * rejects it, with the reason, and when the entry changes elsewhere.
 */
export function EntryEditor({ edit }: { edit: Edit }): ReactNode {
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const { entry } = edit
  const changeEdit = useMemory(memory => memory.changeEdit)
  const cancelEdit = useMemory(memory => memory.endEdit)
  const saveEdit = useSaveEdit()
  const present = useEntry(entry.id)
  const { remove } = useMemoryActions()
  const [askedToDelete, setAskedToDelete] = useState(false)
  const long = isLong(edit.before)
  const keys = `${keyText(long ? 'mod+enter' : 'enter')} saves, ${keyText('escape')} cancels, ${keyText(long ? 'enter' : 'shift+enter')} starts a new line.`
  const overtaken = present?.text !== edit.before

  const leave = () => requestAnimationFrame(() => focusEntry(entry.id))
  const cancel = () => {
    cancelEdit(entry.id)
    leave()
  }
  const save = async (overTheirs = false) => {
    if (edit.text.trim() === '') setAskedToDelete(true)
    else if (await saveEdit(entry.id, overTheirs)) leave()
  }
  const removeInstead = async () => {
    leaveEntries([entry.id])
    if (await remove([entry.id])) cancelEdit(entry.id)
  }
  const change = (text: string) => {
    changeEdit(entry.id, { text, problem: null })
    setAskedToDelete(false)
  }
  const takeStatement = (statement: string) => {
    const field = root.current?.querySelector('textarea')
    field?.focus()
    // The editor for long texts has its own undo history.
    if (!field || !writeInto(field, statement)) change(statement)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    const act = isKey(event, 'enter') ? () => void save() : isKey(event, 'escape') ? cancel : undefined
    if (!act) return
    event.preventDefault()
    act()
  }

  return (
    <div ref={root} className="grid min-w-0 flex-1 gap-2">
      {long ? (
        <LongText
          value={edit.text}
          label="Text of the entry"
          hint={keys}
          describedBy={id}
          invalid={edit.problem !== null}
          onChange={change}
          onSave={() => void save()}
          onCancel={cancel}
        />
      ) : (
        <textarea
          // The user has just chosen to edit it.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          dir="auto"
          rows={1}
          maxLength={20_000}
          value={edit.text}
          aria-label="Text of the entry"
          aria-invalid={edit.problem !== null}
          aria-describedby={id}
          className="field entry-field"
          onFocus={event => event.target.setSelectionRange(edit.text.length, edit.text.length)}
          onChange={event => change(event.target.value)}
          onKeyDown={onKeyDown}
        />
      )}
      <p id={id} className="sr-only">
        {keys}
      </p>
      <OrderHint text={edit.text} target={entry.target} onUse={takeStatement} />
      <Problem className="text-xs whitespace-pre-wrap" text={edit.problem} />
      {overtaken ? (
        <Overtaken edit={edit} present={present} onSave={() => void save(true)} onDrop={cancel} />
      ) : askedToDelete ? (
        <Choice
          question="The text is empty. Archive the entry instead?"
          yes="Archive it"
          no="Keep editing"
          onYes={() => void removeInstead()}
          onNo={() => setAskedToDelete(false)}
        />
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          <button
            type="button"
            className="btn btn-primary"
            disabled={edit.saving}
            onClick={() => void save()}
          >
            Save
          </button>
          <button type="button" className="btn btn-secondary" onClick={cancel}>
            Cancel
          </button>
          <span aria-hidden="true" className="text-xs text-ink-3">
            {keys}
          </span>
        </div>
      )}
    </div>
  )
}

type OvertakenProps = {
  edit: Edit
  present: MemoryEntry | undefined
  onSave: () => void
  onDrop: () => void
}

/** The conflict notice: the entry was changed or removed elsewhere during the edit. */
function Overtaken({ edit, present, onSave, onDrop }: OvertakenProps) {
  if (!present)
    return (
      <Choice
        question="This entry was removed while you were editing."
        yes="Save as a new entry"
        no="Discard"
        onYes={onSave}
        onNo={onDrop}
      />
    )
  return (
    <Choice
      question="This entry changed while you were editing. Saving your version would change it like this:"
      yes="Save mine"
      no="Keep theirs"
      onYes={onSave}
      onNo={onDrop}
    >
      <p className="diff-block">
        <WordDiff before={present.text} after={edit.text} />
      </p>
    </Choice>
  )
}

type ChoiceProps = {
  question: string
  yes: string
  no: string
  onYes: () => void
  onNo: () => void
  children?: ReactNode
}

function Choice({ question, yes, no, onYes, onNo, children }: ChoiceProps) {
  return (
    <div className="grid gap-2">
      <p role="alert" className="text-sm text-warn">
        {question}
      </p>
      {children}
      <div className="flex flex-wrap gap-2">
        <button type="button" className="btn btn-primary" onClick={onYes}>
          {yes}
        </button>
        <button type="button" className="btn btn-secondary" onClick={onNo}>
          {no}
        </button>
      </div>
    </div>
  )
}
