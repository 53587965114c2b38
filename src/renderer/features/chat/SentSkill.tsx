import { Sparkles } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AttachedSkill } from '../../../shared/contract/messages.ts'
import { go } from '../../route.ts'
import { presentSkill, useKnownSkills } from './known-skills.ts'

const sentText = (name: string) => `The skill ${name} was sent along. Click to see it.`

/** The skill sent along with a message, as a link to its text. */
export function SentSkill({ skill: { id, name } }: { skill: AttachedSkill }): ReactNode {
  const present = presentSkill(useKnownSkills(true), { id, name })
  return (
    <button
      type="button"
      title={sentText(name)}
      aria-label={sentText(name)}
      className="chip mb-1.5 hover:text-ink"
      onClick={() => go({ page: 'skills', skillId: present?.id ?? id })}
    >
      <Sparkles size={13} className="shrink-0 text-ink-3" />
      <span dir="auto" className="truncate pe-1.5">
        {name}
      </span>
    </button>
  )
}
