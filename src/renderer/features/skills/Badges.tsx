import { Bot, Box, Folder, FolderGit2, Import, User } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Skill, SkillOrigin } from '../../../shared/contract/skills.ts'
import { formatCount, formatShare } from '../../ui/format.ts'
import { originNames } from './skill-words.ts'

const signs: Record<SkillOrigin, typeof User> = {
  builtin: Box,
  user: User,
  agent: Bot,
  imported: Import,
  project: FolderGit2,
  folder: Folder,
}

export function OriginBadge({ origin }: { origin: SkillOrigin }): ReactNode {
  const Sign = signs[origin]
  return (
    <span className="memory-chip shrink-0 text-2xs">
      <Sign size={11} className="shrink-0" />
      {originNames[origin]}
    </span>
  )
}

/** Number of uses and their outcomes, as short text. */
export function usesInWords({ uses }: Pick<Skill, 'uses'>): string {
  if (uses.loads === 0) return 'not used yet'
  const ended = uses.well + uses.corrected + uses.failed
  const used = uses.loads === 1 ? 'used once' : `used ${formatCount(uses.loads)} times`
  return ended === 0 ? used : `${used}, ${formatShare(uses.well / ended)} went well`
}
