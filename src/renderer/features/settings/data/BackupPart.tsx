import { useId, useState, type FormEvent, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { LeftOut } from '../../../../shared/contract/data.ts'
import { countOf, fileDay, formatBytes } from '../../../ui/text/format-values.ts'
import { CopyLine } from '../../../ui/IconButton.tsx'
import { WorkProgress } from '../../../ui/Progress.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { useSuggested } from '../../../ui/fields/use-suggested.ts'
import { Part } from '../SectionParts.tsx'
import { useSettingsPlace } from '../use-settings.ts'

const STEPS = {
  copying: 'Copying the chats',
  packing: 'Packing',
  checking: 'Checking the file',
  unpacking: 'Unpacking',
  writing: 'Writing',
} as const

/** Makes a backup as one file. `suggested` gives its default path, which the user can change. */
export function BackupPart({ suggested }: { suggested: (name: string) => string }): ReactNode {
  const { jobs } = useSettingsPlace()
  const { state, start, stop, reset } = useStore(jobs.backup)
  const [today] = useState(fileDay)
  const [keys, setKeys] = useState(false)
  const [files, setFiles] = useState(true)
  const { field } = useSuggested(suggested(`talaria-backup-${today}.zip`))
  const path = field.value
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (path.trim() !== '') void start({ path: path.trim(), keys, files })
  }
  return (
    <Part
      id="backup"
      title="Back up to one file"
      hint="Chats, memory, skills and settings. Model files are left out."
    >
      {state.name === 'running' && (
        <WorkProgress
          label={state.step === null ? 'Starting' : STEPS[state.step]}
          share={state.share}
          onStop={stop}
        />
      )}
      {state.name === 'done' && (
        <output className="grid gap-2 text-sm">
          <p>{`${countOf(state.done.chats, 'chat', 'chats')} and everything else, ${formatBytes(state.done.bytes)}. The file was checked:`}</p>
          <CopyLine label="Copy the path of the backup" text={state.done.path} />
          <LeftOutList leftOut={state.done.leftOut} />
          <button type="button" className="btn btn-secondary justify-self-start" onClick={reset}>
            Back up again
          </button>
        </output>
      )}
      {state.name === 'idle' && (
        <form className="grid max-w-xl gap-3" onSubmit={submit}>
          <TextField
            label="Backup file"
            hint={state.wasStopped ? 'Stopped. Nothing was written.' : 'The full path of a new file.'}
            error={state.problem}
            dir="ltr"
            maxLength={4_096}
            {...field}
          />
          <Check
            label="Include the files in the working folder"
            hint="Only folders inside Talaria’s folder go in. Copy a working folder elsewhere yourself."
            checked={files}
            onChange={setFiles}
          />
          <Check label="Include keys and files that may contain keys" checked={keys} onChange={setKeys} />
          <button
            type="submit"
            className="btn btn-secondary justify-self-start"
            disabled={path.trim() === ''}
          >
            Back up
          </button>
        </form>
      )}
    </Part>
  )
}

type CheckProps = {
  label: string
  hint?: string
  checked: boolean
  onChange: (checked: boolean) => void
}

function Check({ label, hint, checked, onChange }: CheckProps) {
  const id = useId()
  return (
    <div>
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-3.5 shrink-0 accent-accent"
          aria-describedby={hint === undefined ? undefined : id}
          checked={checked}
          onChange={event => onChange(event.target.checked)}
        />
        {label}
      </label>
      {hint !== undefined && (
        <p id={id} className="ms-5.5 text-xs text-ink-3">
          {hint}
        </p>
      )}
    </div>
  )
}

/** Maximum number of paths to list per reason. */
const LISTED = 8

/** The files left out of a backup, by reason. */
export function LeftOutList({ leftOut }: { leftOut: readonly LeftOut[] }): ReactNode {
  const groups = Object.entries(Object.groupBy(leftOut, ({ why }) => why))
  if (groups.length === 0) return null
  return (
    <div className="text-xs text-ink-2">
      <p>Left out:</p>
      <ul aria-label="Left out" className="list-disc ps-5">
        {groups.map(([why, files = []]) => (
          <li key={why} className="break-words">
            {sayLeftOut(
              Array.from(files.slice(0, LISTED), ({ path }) => path),
              Math.max(0, files.length - LISTED),
              why,
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

const sayLeftOut = (paths: readonly string[], more: number, why: string) =>
  more === 0 ? `${paths.join(', ')}: ${why}` : `${paths.join(', ')} and ${more} more: ${why}`
