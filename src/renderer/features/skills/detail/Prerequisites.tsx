import { Check, CircleAlert } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Skill, SkillPrerequisite } from '../../../../shared/contract/learned/skills.ts'
import { KeyDialog } from '../../../ui/Dialog.tsx'
import { useSkillActions } from '../use-skills.ts'
import { listNames } from '../../../../shared/text/amounts.ts'
import { placeElements } from '../../../ui/text/place-elements.tsx'

/** The keys and programs that a skill needs. Keys can be entered, replaced and removed here. */
export function Prerequisites({ skill }: { skill: Skill }): ReactNode {
  const [asked, setAsked] = useState<SkillPrerequisite>()
  const { setKey } = useSkillActions()
  if (skill.prerequisites.length === 0) return null
  return (
    <section>
      <h3 className="skill-heading">What it needs</h3>
      <ul aria-label="What it needs" className="grid gap-2">
        {skill.prerequisites.map(each => {
          const { kind, name, help, isMet } = each
          const Sign = isMet ? Check : CircleAlert
          return (
            <li key={`${kind} ${name}`} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
              <span className="flex min-w-0 flex-1 basis-56 items-start gap-2">
                <Sign
                  size={16}
                  className={isMet ? 'mt-0.5 shrink-0 text-good' : 'mt-0.5 shrink-0 text-warn'}
                />
                <span className="min-w-0">
                  <span className="font-mono break-all">{name}</span>{' '}
                  <span className="text-ink-2">{STATES[kind][isMet ? 'met' : 'missing']}</span>
                  {help !== '' && <span className="block text-xs break-words text-ink-3">{help}</span>}
                </span>
              </span>
              {kind === 'key' && (
                <span className="flex gap-1">
                  <button type="button" className="btn btn-secondary" onClick={() => setAsked(each)}>
                    {isMet ? 'Replace…' : 'Enter the key…'}
                    <span className="sr-only"> {name}</span>
                  </button>
                  {isMet && (
                    <button
                      type="button"
                      className="btn btn-quiet"
                      onClick={() => void setKey(skill.id, name, null)}
                    >
                      {placeElements('Remove {name}', { name: <span className="sr-only">{name}</span> })}
                    </button>
                  )}
                </span>
              )}
            </li>
          )
        })}
      </ul>
      {skill.prerequisites.some(({ kind }) => kind === 'key') && (
        <p className="mt-2 max-w-prose text-xs text-ink-3">{`Commands get ${keysOf(skill)} in their environment only in chats, while answering a message for which this skill was loaded. Read-only commands that run without asking do not get it. In their output, [redacted] replaces the value.`}</p>
      )}
      {asked && (
        <KeyDialog
          title={`The key for ${skill.name}`}
          name={asked.name}
          hint={`${asked.help} It is stored with your other keys, for this skill only, and never shown again.`.trim()}
          isSecret
          save={async value => {
            const answer = await setKey(skill.id, asked.name, value)
            return answer.ok ? undefined : answer.fault.message
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  )
}

/** Such as `A_KEY and B_KEY`. */
function keysOf({ prerequisites }: Skill): string {
  const names = prerequisites.filter(({ kind }) => kind === 'key').map(({ name }) => name)
  return listNames(names)
}

const STATES = {
  key: { met: 'Key stored', missing: 'Key missing' },
  program: { met: 'Program installed', missing: 'Program not installed' },
}
