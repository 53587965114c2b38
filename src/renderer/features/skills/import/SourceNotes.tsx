import { type ReactNode, useId, useMemo } from 'react'
import type { SkillImport, SkillCandidate } from '../../../../shared/contract/learned/skill-imports.ts'
import { formatCount } from '../../../ui/text/format-values.ts'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { Findings } from '../detail/Findings.tsx'
import { askingCandidates } from './import-choices.ts'
import { useImport } from './skill-import-store.ts'
import { byCount } from '../../../../shared/text/amounts.ts'
import { placeElements } from '../../../ui/text/place-elements.tsx'

/** The source address and commit. */
export function Source({ source: { address, commit } }: { source: SkillImport['source'] }): ReactNode {
  return (
    <p className="text-xs break-words text-ink-3">
      {placeElements(commit === null ? 'From {address}' : 'From {address} at commit {commit}', {
        address: (
          <span dir="ltr" className="font-mono break-all">
            {address}
          </span>
        ),
        commit: (
          <span dir="ltr" className="font-mono" title={commit ?? ''}>
            {commit?.slice(0, 12)}
          </span>
        ),
      })}
    </p>
  )
}

/** Lists the parts of the source that were skipped. */
export function LeftOut({ leftOut }: { leftOut: readonly string[] }): ReactNode {
  const id = useId()
  if (leftOut.length === 0) return null
  const title = `Left out: ${formatCount(leftOut.length)}`
  return (
    <details>
      <summary id={id} className="rounded-sm text-sm text-ink-2">
        {title}
      </summary>
      <Scrollable label={title} className="mt-1 max-h-32 overflow-y-auto">
        <ul aria-labelledby={id} className="grid gap-0.5 text-xs text-ink-3">
          {leftOut.map(each => (
            <li key={each} dir="auto" className="break-words">
              {each}
            </li>
          ))}
        </ul>
      </Scrollable>
    </details>
  )
}

/** The lines that need caution in the selected skills, and a checkbox that confirms they were read. */
export function ReadFirst({ candidates }: { candidates: readonly SkillCandidate[] }): ReactNode {
  const box = useId()
  const choices = useImport(state => state.choices)
  const accepted = useImport(state => state.accepted)
  const accept = useImport(state => state.accept)
  const asked = useMemo(() => askingCandidates(candidates, choices), [candidates, choices])
  if (asked.length === 0) return null
  const title = byCount(
    asked.length,
    '1 skill with lines to read first',
    `${formatCount(asked.length)} skills with lines to read first`,
  )
  return (
    <section
      aria-label={title}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2 rounded-xl border border-line px-3.5 py-3"
    >
      <h4 className="text-sm font-medium text-warn">{title}</h4>
      <p className="text-sm text-ink-2">
        Harmless skills can have such lines too. Read them, and import only what you would do yourself.
      </p>
      <Scrollable label="Lines to read" className="grid max-h-[30dvh] min-w-0 gap-3 overflow-y-auto">
        {asked.map(({ path, name, scan }) => (
          <div key={path} className="grid min-w-0 gap-1.5">
            {candidates.length > 1 && <p className="text-xs text-ink-3">{showHidden(name)}</p>}
            <Findings findings={scan.findings.filter(({ severity }) => severity === 'high')} />
          </div>
        ))}
      </Scrollable>
      <label htmlFor={box} className="flex items-center gap-2 text-sm">
        <input
          id={box}
          type="checkbox"
          className="check"
          checked={accepted}
          onChange={event => accept(event.target.checked)}
        />
        I have read these lines
      </label>
    </section>
  )
}
