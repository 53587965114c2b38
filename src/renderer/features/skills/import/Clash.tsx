import { useId, type ReactNode } from 'react'
import type { SkillCandidate } from '../../../../shared/contract/learned/skill-imports.ts'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { clashKind, type Choice } from './import-choices.ts'
import { useImport } from './skill-import-store.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'

const REPLACE_HINTS = {
  imported: 'The existing skill stays in the history and comes back when you undo the import.',
  edited: 'Your edited copy stays in use.',
  builtin: 'The built-in skill stays and is used again when you remove this one.',
  own: 'The existing skill keeps this name.',
} as const

const REPLACE_LABELS = {
  imported: 'Replace it',
  edited: 'Replace the original of your edited copy',
  builtin: 'Use it instead of the one that ships with Talaria',
  own: 'Import it, but keep using the existing one',
} as const

type Props = { candidate: SkillCandidate; choice: Choice; wrong: 'wrong' | 'taken' | undefined }

/** Resolves a name clash: replace the existing skill, or keep both under two names. */
export function Clash({ candidate, choice, wrong }: Props): ReactNode {
  const id = useId()
  const choose = useImport(state => state.choose)
  const kind = clashKind(candidate) ?? 'own'
  const acts = [
    { act: 'replace', label: REPLACE_LABELS[kind], hint: REPLACE_HINTS[kind] },
    { act: 'both', label: 'Keep both, under another name', hint: undefined },
    { act: 'skip', label: 'Do not import it', hint: undefined },
  ] as const
  const problem =
    wrong &&
    (wrong === 'wrong'
      ? 'Use lowercase letters, digits and single hyphens, at most 64 characters.'
      : 'Another skill has this name.')
  return (
    <fieldset className="grid gap-2 rounded-lg border border-warn-line bg-warn-soft px-3.5 pt-1 pb-3">
      <legend className="rounded-md bg-warn-soft px-1.5 text-sm font-medium">{`A skill called “${showHidden(candidate.name)}” already exists`}</legend>
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
                  label="Name"
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
