import { useId, useState, type ReactNode } from 'react'
import type { FoundFile } from '../../../../shared/contract/model.ts'
import { attempt } from '../../../rpc/attempt.ts'
import { useHost, useLink } from '../../../rpc/host-context.tsx'
import { useAsked } from '../../../rpc/use-asked.ts'
import { formatBytes, formatCount } from '../../../ui/format.ts'
import { MemoryBar } from '../installed/MemoryBar.tsx'
import { FitBadge } from '../installed/FitLabel.tsx'
import { fileFacts } from '../models-state.ts'
import { addText } from './strings.ts'

/** Files that were found, which of them are wanted, and whether they stay where they are. */
export type Choice = {
  files: readonly FoundFile[]
  /** The files that are chosen. */
  chosen: readonly FoundFile[]
  toggle: (path: string) => void
  where: 'link' | 'copy'
  setWhere: (where: 'link' | 'copy') => void
}

/** Whether a file can be added: it is a model, and not in the list already. */
export const canAdd = (file: FoundFile): boolean => file.problem === null && file.knownAs === null

/** All that can be added is chosen, except for second copies of a model, until the person says otherwise. */
export function useChoice(files: readonly FoundFile[]): Choice {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const [where, setWhere] = useState<'link' | 'copy'>('link')
  const chosen = files.filter(file => {
    const isProposed = file.copyOf === null || files.length === 1
    return canAdd(file) && isProposed !== toggled.has(file.path)
  })
  return {
    files,
    chosen,
    toggle: path =>
      setToggled(before => {
        const next = new Set(before)
        if (!next.delete(path)) next.add(path)
        return next
      }),
    where,
    setWhere,
  }
}

/** What each file is, whether it fits, and whether it is here already. One file is shown whole; several can be chosen from. */
export function FoundFiles({ choice }: { choice: Choice }): ReactNode {
  const { files, chosen, toggle } = choice
  const [only] = files
  if (!only) return <p className="text-sm text-ink-2">{addText.nothing}</p>
  if (files.length === 1) return <OneFile file={only} />
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <legend className="sr-only">{addText.found}</legend>
      {files.map(file => (
        <label key={file.path} className="found-row">
          <input
            type="checkbox"
            className="check mt-1"
            aria-label={addText.choose(file.name)}
            checked={chosen.includes(file)}
            disabled={!canAdd(file)}
            onChange={() => toggle(file.path)}
          />
          <About file={file} />
        </label>
      ))}
    </fieldset>
  )
}

function OneFile({ file }: { file: FoundFile }) {
  return (
    <div className="grid gap-3 rounded-lg border border-line p-3">
      <About file={file} />
      {file.fit && canAdd(file) && <MemoryBar fit={file.fit} />}
    </div>
  )
}

function About({ file: found }: { file: FoundFile }) {
  const { name, path, app, sizeBytes, parts, copyOf, knownAs, problem, file, fit } = found
  const original = useHost(host => host.models.find(model => model.id === copyOf)?.name ?? copyOf)
  const facts = [
    formatBytes(sizeBytes),
    ...(parts > 1 ? [addText.parts(parts)] : []),
    ...(file ? fileFacts(file) : []),
    ...(file && file.trainedTokens > 0 ? [addText.trained(formatCount(file.trainedTokens))] : []),
    ...(file && file.vision !== '' ? [addText.vision] : []),
    ...(file && file.licence !== '' ? [file.licence] : []),
  ]
  return (
    <div className="grid min-w-0 flex-1 gap-1">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span dir="auto" title={path} className="text-sm font-medium break-all">
          {name}
        </span>
        {app !== '' && <span className="badge">{app}</span>}
        {canAdd(found) && <FitBadge fit={fit} />}
      </p>
      <p className="text-xs break-words text-ink-3">{facts.join(' · ')}</p>
      {problem !== null && <p className="text-sm text-danger">{problem}</p>}
      {knownAs !== null && <p className="text-sm text-ink-2">{addText.knownAs}</p>}
      {knownAs === null && copyOf !== null && (
        <p className="text-sm text-warn">{addText.copyOf(original ?? '')}</p>
      )}
      {problem === null && file?.dialect.from === 'default' && (
        <p className="text-xs text-ink-2">{addText.noTools}</p>
      )}
    </div>
  )
}

/** Where the files stay: where they are, or in Talaria’s own folder. */
export function Where({ choice }: { choice: Choice }): ReactNode {
  const id = useId()
  const { client } = useLink()
  const { chosen, where, setWhere } = choice
  const machine = useAsked(signal => attempt(client['machine.look']({}, { signal })), '')
  const free = machine?.ok ? machine.value.diskFreeBytes : null
  const bytes = chosen.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (chosen.length === 0) return null
  const says = { link: addText.linkSays, copy: addText.copySays(bytes, free) }
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-xs font-medium text-ink-2">{addText.where}</legend>
      {(['link', 'copy'] as const).map(each => (
        <label key={each} className="mode-choice">
          <input
            type="radio"
            name={id}
            className="check mt-1"
            checked={where === each}
            aria-label={addText[each]}
            aria-describedby={`${id}-${each}`}
            onChange={() => setWhere(each)}
          />
          <span className="min-w-0">
            <span className="block text-sm font-medium">{addText[each]}</span>
            <span id={`${id}-${each}`} className="block text-xs text-ink-2">
              {says[each]}
            </span>
          </span>
        </label>
      ))}
      {where === 'copy' && free !== null && bytes > free && (
        <p role="alert" className="text-sm text-danger">
          {addText.noSpace(bytes - free)}
        </p>
      )}
    </fieldset>
  )
}
