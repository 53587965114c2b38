import { showTitle } from '../../../shared/visible-text/show-unseen.ts'
import { Bot, Box, Folder, FolderGit2, Import, Pin, User } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Skill, SkillOrigin } from '../../../shared/contract/learned/skills.ts'
import { formatCount, formatShare } from '../../ui/text/format-values.ts'
import { goTo } from '../../route.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { byCount } from '../../../shared/text/amounts.ts'

export const originNames = {
  builtin: 'Built in',
  user: 'Yours',
  agent: 'Learned',
  imported: 'Imported',
  project: 'Trusted folder',
  folder: 'Added folder',
}

/** Who changed a skill. */
export const actorNames = { you: 'you', agent: 'the agent', review: 'a review', import: 'an import' }

/** The label of a revision. */
export const revisionLabels = {
  create: (who: string) => `Written by ${who}`,
  edit: (who: string) => `Changed by ${who}`,
  delete: (who: string) => `Deleted by ${who}`,
  restore: (who: string) => `Restored by ${who}`,
  import: (who: string) => `Imported by ${who}`,
  reset: (who: string) => `Reset to the original by ${who}`,
  enable: (who: string) => `Switched on by ${who}`,
  disable: (who: string) => `Switched off by ${who}`,
  pin: (who: string) => `Pinned by ${who}`,
  unpin: (who: string) => `Unpinned by ${who}`,
}

export const NO_DESCRIPTION = 'No description.'
export const SCRIPT_HINT = 'The agent can only run it as a command, which needs your approval like any other.'

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
      <Sign size={12} className="shrink-0" />
      {originNames[origin]}
    </span>
  )
}

/** Says that a skill is protected from deletion and reviews. */
export function PinnedBadge(): ReactNode {
  return (
    <span className="memory-chip shrink-0 text-2xs">
      <Pin size={12} className="shrink-0" />
      Pinned
    </span>
  )
}

/** Number of uses and their outcomes, as short text. */
export function usesInWords({ uses }: Pick<Skill, 'uses'>): string {
  if (uses.loads === 0) return 'not used yet'
  const ended = uses.well + uses.corrected + uses.failed
  const used = byCount(uses.loads, 'used once', `used ${formatCount(uses.loads)} times`)
  return ended === 0 ? used : `${used}, ${formatShare(uses.well / ended)} went well`
}

/** A link to the chat message that caused a change. */
export function ChatLink({
  sessionId,
  messageId,
}: {
  sessionId: string
  messageId: number | null
}): ReactNode {
  const title = useHost(host => host.sessions[sessionId]?.title)
  return (
    <button
      type="button"
      className="link-btn max-w-48 truncate"
      onClick={() => goTo({ chatId: sessionId, messageId })}
    >
      {title ? `from “${showTitle(title)}”` : 'from a chat'}
    </button>
  )
}
