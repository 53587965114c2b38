import { useId, useState, type FormEvent, type ReactNode } from 'react'
import type { MemoryTarget } from '../../../../shared/contract/learned/memory.ts'
import { isKey } from '../../../ui/keyboard/keys.ts'
import { showToast } from '../../../ui/Toasts.tsx'
import { OrderHint } from './entry-labels.tsx'
import { useMemory, useMemoryChanges, useView } from '../use-memory.ts'
import { Select } from '../../../ui/fields/Choice.tsx'
import { Problem } from '../../../ui/Banner.tsx'

const placeholders = {
  user: 'Add something to remember about you',
  memory: 'Add something to remember',
}

/** Adds an entry written by the user. Rejected text stays in the field, with the reason below it. */
export function AddEntry({ target }: { target: MemoryTarget }): ReactNode {
  const id = useId()
  const text = useMemory(memory => memory.drafts[target])
  const draft = useMemory(memory => memory.draft)
  const { ask, change } = useMemoryChanges()
  const scope = useMemory(memory => memory.filters.scope)
  const projects = useView()?.projects ?? []
  const [chosen, setChosen] = useState<string>()
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  // Default to the project the list is filtered by.
  const wanted = chosen ?? scope
  const project = projects.some(each => each.id === wanted) ? wanted : ''
  const withPlaces = target === 'memory' && projects.length > 0

  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    const written = text.trim()
    if (written === '' || busy) return
    setBusy(true)
    const answer = await change(
      ask('memory.add', {
        target,
        project: withPlaces && project !== '' ? project : null,
        text: written,
      }),
    )
    setBusy(false)
    setProblem(answer.ok ? null : answer.fault.message)
    if (!answer.ok) return
    draft(target, '')
    if (answer.value.length === 0) showToast('This is already remembered.')
  }

  return (
    <form className="mb-5 grid gap-1.5" onSubmit={event => void submit(event)}>
      <div className="flex flex-wrap items-end gap-2">
        <textarea
          id={id}
          data-add-entry=""
          rows={1}
          dir="auto"
          maxLength={20_000}
          value={text}
          aria-label="Add something to remember"
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : `${id}-problem`}
          placeholder={placeholders[target]}
          className="field entry-field min-w-0 flex-1 basis-60"
          onChange={event => {
            draft(target, event.target.value)
            setProblem(null)
          }}
          onKeyDown={event => {
            if (!isKey(event, 'enter')) return
            event.preventDefault()
            void submit()
          }}
        />
        {withPlaces && (
          <Select
            label="Where it applies"
            className="w-40"
            value={project}
            options={[
              { value: '', label: 'Everywhere' },
              ...projects.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={setChosen}
          />
        )}
        <button type="submit" className="btn btn-primary min-h-8.5" disabled={busy || text.trim() === ''}>
          Add
        </button>
      </div>
      <OrderHint
        text={text}
        target={target}
        onUse={statement => {
          draft(target, statement)
          setProblem(null)
          document.getElementById(id)?.focus()
        }}
      />
      {problem !== null && (
        <Problem id={`${id}-problem`} className="text-xs whitespace-pre-wrap" text={problem} />
      )}
    </form>
  )
}
