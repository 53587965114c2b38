import { type ReactNode, useId, useMemo } from 'react'
import type { SkillCandidate } from '../../../../shared/contract/skill-imports.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { countOf } from '../../../ui/format.ts'
import { Findings } from '../Findings.tsx'
import { askingCandidates } from './choices.ts'
import { useImport } from './import-store.ts'

/** The lines of a caution in the selected skills, and the question whether they were read. */
export function ReadFirst({ candidates }: { candidates: readonly SkillCandidate[] }): ReactNode {
  const box = useId()
  const choices = useImport(state => state.choices)
  const accepted = useImport(state => state.accepted)
  const accept = useImport(state => state.accept)
  const asked = useMemo(() => askingCandidates(candidates, choices), [candidates, choices])
  if (asked.length === 0) return null
  const title = `${countOf(asked.length, 'skill asks', 'skills ask')} first`
  return (
    <section
      aria-label={title}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2 rounded-xl border border-line px-3.5 py-3"
    >
      <h4 className="text-sm font-medium text-warn">{title}</h4>
      <p className="text-sm text-ink-2">
        Ordinary skills have such lines too. Read them, and import only what you would do yourself.
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
