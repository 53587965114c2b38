import { Bot, Box, Folder, FolderGit2, Import, User } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Skill, SkillOrigin } from '../../../shared/contract/skills.ts'
import { formatCount, formatShare } from '../../ui/format.ts'
import { skillsText } from './strings.ts'

const signs: Record<SkillOrigin, typeof User> = {
  builtin: Box,
  user: User,
  agent: Bot,
  imported: Import,
  project: FolderGit2,
  folder: Folder,
}

/** Where a skill comes from. */
export function OriginBadge({ origin }: { origin: SkillOrigin }): ReactNode {
  const Sign = signs[origin]
  return (
    <span className="memory-chip shrink-0 text-2xs">
      <Sign size={11} className="shrink-0" />
      {skillsText.origins[origin]}
    </span>
  )
}

/** How often it was used, and how that went, in a few words. */
export function usesInWords({ uses }: Pick<Skill, 'uses'>): string {
  const text = skillsText.row
  if (uses.loads === 0) return text.noUses
  const ended = uses.well + uses.corrected + uses.failed
  const used = text.uses(formatCount(uses.loads), uses.loads === 1)
  return ended === 0 ? used : `${used}, ${text.well(formatShare(uses.well / ended))}`
}
