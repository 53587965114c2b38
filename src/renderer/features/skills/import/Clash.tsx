import { useId, type ReactNode } from 'react'
import type { SkillCandidate } from '../../../../shared/contract/skill-imports.ts'
import { TextField } from '../../../ui/TextField.tsx'
import { clashKind, type Choice } from './choices.ts'
import { useImport } from './import-context.ts'
import { importText } from './strings.ts'

const text = importText.clash

type Props = { candidate: SkillCandidate; choice: Choice; wrong: 'wrong' | 'taken' | undefined }

/** There is a skill of that name: which of the two counts, or both under two names. */
export function Clash({ candidate, choice, wrong }: Props): ReactNode {
  const id = useId()
  const choose = useImport(state => state.choose)
  const kind = clashKind(candidate) ?? 'own'
  const acts = [
    { act: 'replace', label: text.replace[kind], hint: text.hint[kind] },
    { act: 'both', label: text.both, hint: undefined },
    { act: 'skip', label: text.skip, hint: undefined },
  ] as const
  const problem = wrong && (wrong === 'wrong' ? text.nameWrong : text.nameTaken)
  return (
    <fieldset className="grid gap-2 rounded-lg border border-warn-line bg-warn-soft px-3.5 pt-1 pb-3">
      <legend className="rounded-md bg-warn-soft px-1.5 text-sm font-medium">
        {text.label(candidate.name)}
      </legend>
      {acts.map(({ act, label, hint }) => (
        <div key={act} className="flex items-start gap-2">
          <input
            id={`${id}-${act}`}
            type="radio"
            name={id}
            className="mt-0.5 size-4 shrink-0 accent-accent"
            checked={choice.act === act}
            aria-describedby={hint && `${id}-${act}-hint`}
            onChange={() => choose(candidate.path, { act })}
          />
          <div className="min-w-0 flex-1">
            <label htmlFor={`${id}-${act}`} className="block text-sm">
              {label}
            </label>
            {hint && (
              <p id={`${id}-${act}-hint`} className="text-xs text-ink-2">
                {hint}
              </p>
            )}
            {act === 'both' && choice.act === 'both' && (
              <div className="mt-1 max-w-80">
                <TextField
                  label={text.name}
                  error={problem}
                  dir="ltr"
                  maxLength={100}
                  value={choice.name}
                  onChange={event => choose(candidate.path, { name: event.target.value })}
                />
              </div>
            )}
          </div>
        </div>
      ))}
    </fieldset>
  )
}
