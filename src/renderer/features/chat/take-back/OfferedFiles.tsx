import { useState, type ReactNode } from 'react'
import type { ChangedFile } from '../../../../shared/contract/chats/changed-files.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { sayObeyed } from '../../../../shared/words/obeyed-words.ts'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import { Block } from '../calls/CallDetail.tsx'
import { EFFECTS } from './take-back-words.ts'

/** The files that a dialog offers to restore, and what the user chose. */
export type FileChoice = {
  usable: readonly ChangedFile[]
  /** Files that cannot be restored, each with its problem. */
  stuck: readonly ChangedFile[]
  wanted: readonly ChangedFile[]
  choose: (path: string, isChosen: boolean) => void
  /** The chosen files that programs obey, and whether the user agreed to change them. */
  obeyed: readonly ChangedFile[]
  isAgreed: boolean
  agree: (isAgreed: boolean) => void
  /** Whether no chosen file still needs that agreement. */
  isReady: boolean
}

/** The choice among the files that a dialog offers. At first, all or none are chosen. */
export function useFileChoice(files: readonly ChangedFile[], atFirst: 'all' | 'none'): FileChoice {
  const usable = files.filter(({ problem }) => problem === null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(atFirst === 'all' ? usable.map(({ path }) => path) : []),
  )
  const [isAgreed, agree] = useState(false)
  const wanted = usable.filter(({ path }) => chosen.has(path))
  const obeyed = wanted.filter(({ obeyedBy }) => obeyedBy !== undefined)
  return {
    usable,
    stuck: files.filter(({ problem }) => problem !== null),
    wanted,
    choose: (path, isChosen) =>
      setChosen(before => new Set(isChosen ? [...before, path] : [...before].filter(each => each !== path))),
    obeyed,
    isAgreed: obeyed.length > 0 && isAgreed,
    agree,
    isReady: obeyed.length === 0 || isAgreed,
  }
}

/** Files to choose from, each with what happens to it and its diff. */
export function OfferedFiles({ choice: { usable, wanted, choose } }: { choice: FileChoice }): ReactNode {
  return usable.map(file => (
    <OfferedFile
      key={file.path}
      file={file}
      isChosen={wanted.includes(file)}
      onChoose={isChosen => choose(file.path, isChosen)}
    />
  ))
}

type OfferedProps = { file: ChangedFile; isChosen: boolean; onChoose: (isChosen: boolean) => void }

function OfferedFile({ file: { name, change, diff, note, obeyedBy }, isChosen, onChoose }: OfferedProps) {
  const [open, setOpen] = useState(false)
  const shown = showHidden(name)
  return (
    <div className="grid min-w-0 grid-cols-1 gap-1 rounded-lg border border-line px-2.5 py-1.5">
      <label className="flex min-w-0 items-center gap-2 text-sm">
        <input type="checkbox" checked={isChosen} onChange={event => onChoose(event.target.checked)} />
        <span dir="auto" className="min-w-0 font-medium break-words">
          {shown}
        </span>
      </label>
      <p className="text-xs text-ink-2">{EFFECTS[change]}</p>
      {obeyedBy !== undefined && <p className="text-xs text-warn">{sayObeyed(obeyedBy)}</p>}
      {note !== '' && <p className="text-xs text-ink-2">{note}</p>}
      {diff !== null && diff !== '' && (
        <Disclosure
          open={open}
          onToggle={() => setOpen(!open)}
          inline
          line={<span className="min-w-0 text-start break-words">{`Changes to ${shown}`}</span>}
        >
          <Block label="What restoring changes" text={diff} diff />
        </Disclosure>
      )}
    </div>
  )
}

/** Files that are not restored, each with the reason. */
export function StuckFiles({ files }: { files: readonly ChangedFile[] }): ReactNode {
  if (files.length === 0) return null
  return (
    <section aria-label="Files that stay as they are">
      <h3 className="mb-1 text-sm font-semibold">Files that stay as they are</h3>
      <ul className="grid gap-1 text-sm">
        {files.map(({ path, name, problem }) => (
          <li key={path} className="break-words">
            <span dir="auto" className="font-medium">
              {showHidden(name)}
            </span>
            <span className="text-ink-2">: {showHidden(problem ?? '')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The checkbox to agree to restore files that programs obey. */
export function ObeyedAgreement({ choice: { obeyed, isAgreed, agree } }: { choice: FileChoice }): ReactNode {
  if (obeyed.length === 0) return null
  return (
    <label className="mb-4 flex items-start gap-2 text-sm">
      <input
        type="checkbox"
        className="mt-1"
        checked={isAgreed}
        onChange={event => agree(event.target.checked)}
      />
      <span className="min-w-0 break-words">
        {`Yes, also undo changes to files that programs obey without being asked:  ${obeyed.map(({ name }) => showHidden(name)).join(', ')}`}
      </span>
    </label>
  )
}
