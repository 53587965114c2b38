import { useId, useState, type ReactNode } from 'react'
import type { FoundFile } from '../../../../shared/contract/models/model.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { useAnswer } from '../../../rpc/use-answer.ts'
import { formatBytes, formatCount } from '../../../ui/text/format-values.ts'
import { MemoryBar, FitBadge } from '../installed/Fit.tsx'
import { fileFacts } from '../models-state.ts'
import { BASE_MODEL } from '../../../../shared/words/model-words.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { Problem } from '../../../ui/Banner.tsx'

const PLACES = { link: 'Use it where it is', copy: 'Copy it into Talaria’s folder' }

/** The found files, the selection, and whether the files are linked or copied. */
export type Choice = {
  files: readonly FoundFile[]
  chosen: readonly FoundFile[]
  toggle: (path: string) => void
  where: 'link' | 'copy'
  setWhere: (where: 'link' | 'copy') => void
}

/** Whether a file is a model that is not in the list yet. */
export const canAdd = (file: FoundFile): boolean => file.problem === null && file.knownAs === null

/** Initially selects every file that can be added, except duplicates of a model. */
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

/**
 * Each file with its type, its fit and whether it is installed. One file shows in full; several become a
 * choice.
 */
export function FoundFiles({ choice }: { choice: Choice }): ReactNode {
  const { files, chosen, toggle } = choice
  const [only] = files
  if (!only) return <p className="text-sm text-ink-2">This folder contains no model file.</p>
  if (files.length === 1) return <OneFile file={only} />
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <legend className="sr-only">Files found</legend>
      {files.map(file => (
        <label key={file.path} className="found-row">
          <input
            type="checkbox"
            className="check mt-1"
            aria-label={`Add ${file.name}`}
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
    ...(parts > 1 ? [`split over ${parts} files`] : []),
    ...(file ? fileFacts(file) : []),
    ...(file && file.trainedTokens > 0 ? [`reads up to ${formatCount(file.trainedTokens)} tokens`] : []),
    ...(file && file.vision !== '' ? ['reads images'] : []),
    ...(file && file.licence !== '' ? [file.licence] : []),
  ]
  return (
    <div className="grid min-w-0 flex-1 gap-1">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span dir="auto" title={path} className="text-sm font-medium break-all">
          {showHidden(name)}
        </span>
        {app !== '' && <span className="badge">{app}</span>}
        {canAdd(found) && <FitBadge fit={fit} />}
      </p>
      <p className="text-xs break-words text-ink-3">{facts.join(' · ')}</p>
      {problem !== null && <p className="text-sm text-danger">{problem}</p>}
      {knownAs !== null && <p className="text-sm text-ink-2">Already in your list.</p>}
      {knownAs === null && copyOf !== null && (
        <p className="text-sm text-warn">{`The same model as ${original ?? ''}, which is in your list.`}</p>
      )}
      {problem === null && file?.base && <p className="text-sm text-warn">{BASE_MODEL}</p>}
      {problem === null && file?.format.from === 'default' && !file.base && (
        <p className="text-xs text-ink-2">
          Talaria does not know how it calls tools, so learning will work poorly.
        </p>
      )}
    </div>
  )
}

/** The choice between linking the files and copying them to Talaria’s folder. */
export function Where({ choice }: { choice: Choice }): ReactNode {
  const id = useId()
  const { chosen, where, setWhere } = choice
  const machine = useAnswer('machine.look', {}, { isOnce: true })
  const free = machine?.ok ? machine.value.diskFreeBytes : null
  const bytes = chosen.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (chosen.length === 0) return null
  const says = {
    link: 'Nothing is copied. The file must stay there.',
    copy:
      free === null
        ? `Takes ${formatBytes(bytes)} more. Choose this for a USB stick or a removable drive.`
        : `Takes ${formatBytes(bytes)} of ${formatBytes(free)} free. Choose this for a USB stick or a removable drive.`,
  }
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-xs font-medium text-ink-2">Where to keep it</legend>
      {(['link', 'copy'] as const).map(each => (
        <label key={each} className="radio-choice">
          <input
            type="radio"
            name={id}
            className="check mt-1"
            checked={where === each}
            aria-label={PLACES[each]}
            aria-describedby={`${id}-${each}`}
            onChange={() => setWhere(each)}
          />
          <span className="min-w-0">
            <span className="block text-sm font-medium">{PLACES[each]}</span>
            <span id={`${id}-${each}`} className="block text-xs text-ink-2">
              {says[each]}
            </span>
          </span>
        </label>
      ))}
      {where === 'copy' && free !== null && bytes > free && (
        <Problem text={`Not enough space: ${formatBytes(bytes - free)} more needed.`} />
      )}
    </fieldset>
  )
}
