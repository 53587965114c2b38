import { useId, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { Segmented } from '../../../ui/fields/Choice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { LeftOut } from './SourceNotes.tsx'
import type { From } from './skill-import-store.ts'
import { formatBytes, formatCount } from '../../../ui/text/format-values.ts'
import { useReading, uploadLimits } from './upload.ts'
import { Problem } from '../../../ui/Banner.tsx'

const WAYS = { path: 'This computer', git: 'Git address', text: 'Pasted text' } as const

export type Asked = { way: 'path' | 'git' | 'text'; path: string; git: string; ref: string; text: string }
export const nothingAsked: Asked = { way: 'path', path: '', git: '', ref: '', text: '' }

type Props = {
  asked: Asked
  problem: string
  leftOut: readonly string[]
  onAsked: (change: Partial<Asked>) => void
  onFetch: (from: From) => void
}

/** Asks for the source: a path, an address, pasted text, or dropped files. */
export function ChooseStep({ asked, problem, leftOut, onAsked, onFetch }: Props): ReactNode {
  const from = fromOf(asked)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (from) onFetch(from)
  }
  const error = problem === '' ? undefined : problem
  return (
    <div className="grid gap-4">
      <p className="text-sm text-ink-2">
        Skills written by others, in the agentskills.io format. The files go to quarantine and are scanned
        first. Nothing is installed until you decide.
      </p>
      <Segmented
        label="Where they come from"
        value={asked.way}
        options={(['path', 'git', 'text'] as const).map(value => ({ value, label: WAYS[value] }))}
        onChange={way => onAsked({ way })}
      />
      <form className="grid gap-3" onSubmit={submit}>
        {asked.way === 'path' && (
          <TextField
            label="Folder, zip or SKILL.md"
            placeholder="/home/you/Downloads/skills.zip"
            hint="The full path. A folder may contain one skill or many."
            error={error}
            dir="ltr"
            maxLength={4_096}
            value={asked.path}
            onChange={event => onAsked({ path: event.target.value })}
          />
        )}
        {asked.way === 'git' && (
          <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_12rem]">
            <TextField
              label="Address of the repository"
              placeholder="https://example.org/someone/skills.git"
              hint="It is downloaded once, and the commit is recorded."
              error={error}
              dir="ltr"
              maxLength={2_000}
              value={asked.git}
              onChange={event => onAsked({ git: event.target.value })}
            />
            <TextField
              label="Branch, tag or commit"
              hint="Optional"
              dir="ltr"
              maxLength={200}
              value={asked.ref}
              onChange={event => onAsked({ ref: event.target.value })}
            />
          </div>
        )}
        {asked.way === 'text' && (
          <PastedText text={asked.text} error={error} onChange={text => onAsked({ text })} />
        )}
        <LeftOut leftOut={leftOut} />
        <button type="submit" className="btn btn-primary justify-self-end px-5" disabled={!from}>
          Scan it
        </button>
      </form>
      <DropZone onFetch={onFetch} />
    </div>
  )
}

function fromOf({ way, path, git, ref, text }: Asked): From | undefined {
  if (way === 'path') return path.trim() === '' ? undefined : { kind: 'path', path: path.trim() }
  if (way === 'git')
    return git.trim() === '' ? undefined : { kind: 'git', address: git.trim(), ref: ref.trim() }
  return text.trim() === '' ? undefined : { kind: 'text', text }
}

type PastedProps = { text: string; error: string | undefined; onChange: (text: string) => void }

function PastedText({ text, error, onChange }: PastedProps) {
  const id = useId()
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-xs font-medium text-ink-2">
        Text of a SKILL.md
      </label>
      <textarea
        id={id}
        dir="auto"
        rows={8}
        maxLength={400_000}
        spellCheck={false}
        value={text}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-about`}
        className="field max-h-[45dvh] min-h-32 resize-y font-mono text-xs"
        onChange={event => onChange(event.target.value)}
      />
      <p
        id={`${id}-about`}
        role={error === undefined ? undefined : 'alert'}
        className={error === undefined ? 'text-xs text-ink-3' : 'text-xs text-danger'}
      >
        {error ?? 'With its front matter: name and description between two lines of hyphens.'}
      </p>
    </div>
  )
}

/** A drop zone, with buttons for keyboard use. */
function DropZone({ onFetch }: { onFetch: (from: From) => void }) {
  const [over, setOver] = useState(false)
  const { reading, problem, drop, choose } = useReading(onFetch)
  const folder = useRef<HTMLInputElement>(null)
  const file = useRef<HTMLInputElement>(null)
  return (
    <div
      role="presentation"
      className={`grid justify-items-center gap-2.5 rounded-xl border-2 border-dashed px-4 py-5 text-center ${over ? 'border-accent bg-accent-soft' : 'border-line-strong'}`}
      onDragOver={event => {
        event.preventDefault()
        event.stopPropagation()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        event.preventDefault()
        event.stopPropagation()
        setOver(false)
        drop(event.dataTransfer)
      }}
    >
      <p className="text-sm font-medium">Drop a folder, a zip or a SKILL.md here</p>
      <div className="flex flex-wrap justify-center gap-2">
        <button
          type="button"
          className="btn btn-secondary"
          disabled={reading}
          onClick={() => folder.current?.click()}
        >
          Choose a folder…
        </button>
        <button
          type="button"
          className="btn btn-secondary"
          disabled={reading}
          onClick={() => file.current?.click()}
        >
          Choose a file…
        </button>
      </div>
      <input
        // React does not support this attribute.
        ref={element => {
          element?.setAttribute('webkitdirectory', '')
          folder.current = element
        }}
        type="file"
        hidden
        aria-label="Choose a folder…"
        onChange={event => choose(event.target)}
      />
      <input
        ref={file}
        type="file"
        hidden
        aria-label="Choose a file…"
        accept=".zip,.md,.skill"
        onChange={event => choose(event.target)}
      />
      <p className="text-xs text-ink-3">{`At most ${formatBytes(uploadLimits.bytes)} and ${formatCount(uploadLimits.files)} files. For more, use the path above.`}</p>
      {reading && (
        <output className="flex items-center gap-2 text-sm text-ink-2">
          <Spinner />
          Reading…
        </output>
      )}
      <Problem text={problem} />
    </div>
  )
}
