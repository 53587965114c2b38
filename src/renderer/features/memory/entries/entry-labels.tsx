import { showTitle } from '../../../../shared/visible-text/show-unseen.ts'
import { Bot, FilePen, Import, ScanEye, ShieldAlert, User } from 'lucide-react'
import type { ReactNode } from 'react'
import type { MemoryActor, MemoryEntry, MemoryTarget } from '../../../../shared/contract/learned/memory.ts'
import { orderAsStatement } from '../../../../shared/text/order-as-statement.ts'
import { countOf } from '../../../ui/text/format-values.ts'
import { goTo } from '../../../route.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { When } from '../../../ui/text/InlineText.tsx'
import { useView } from '../use-memory.ts'

export const capacityText = (used: string, limit: string, tokens: string) =>
  `${used} of ${limit} characters · about ${tokens} tokens`
export const usesText = (count: number) =>
  count === 0 ? 'not used yet' : `used in ${countOf(count, 'chat', 'chats')}`
export const actorNames = {
  you: 'you',
  agent: 'the agent',
  review: 'a review',
  file: 'another program',
  import: 'an import',
}
export const changeLabels = {
  add: (who: string) => `Added by ${who}`,
  edit: (who: string) => `Changed by ${who}`,
  remove: (who: string) => `Archived by ${who}`,
  restore: (who: string) => `Restored by ${who}`,
  move: (who: string) => `Moved by ${who}`,
  lock: (who: string) => `Locked by ${who}`,
  unlock: (who: string) => `Unlocked by ${who}`,
}

const originNames = {
  you: 'you',
  agent: 'agent',
  review: 'review',
  file: 'another program',
  import: 'import',
}

const signs: Record<MemoryActor, typeof User> = {
  you: User,
  agent: Bot,
  review: ScanEye,
  file: FilePen,
  import: Import,
}

/** Author, source, date and use count of an entry. */
export function Chips({ entry, tabIndex }: { entry: MemoryEntry; tabIndex: number }): ReactNode {
  const project = useView()?.projects.find(each => each.id === entry.project)?.name
  const Sign = signs[entry.origin]
  return (
    <>
      <div className="entry-chips">
        <span className="memory-chip">
          <Sign size={12} className="shrink-0" />
          {originNames[entry.origin]}
        </span>
        {project !== undefined && <span className="memory-chip">{project}</span>}
        {entry.sessionId !== null && (
          <SourceChip sessionId={entry.sessionId} messageId={entry.messageId} tabIndex={tabIndex} />
        )}
        <span>
          <When at={entry.updatedAt} />
        </span>
        <span>{usesText(entry.uses)}</span>
        {entry.locked && <span>locked</span>}
      </div>
      {entry.blocked !== null && (
        <p className="mt-1 flex items-start gap-1.5 px-1.5 text-xs text-warn">
          <ShieldAlert size={14} className="mt-px shrink-0" />
          {`The model does not get this entry, because it ${entry.blocked}.`}
        </p>
      )}
    </>
  )
}

/** A link to the source chat. */
export function SourceChip(props: {
  sessionId: string
  messageId: number | null
  tabIndex?: number
}): ReactNode {
  const { sessionId, messageId, tabIndex = 0 } = props
  const title = useHost(host => host.sessions[sessionId]?.title)
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      className="link-btn max-w-48 truncate"
      onClick={() => goTo({ chatId: sessionId, messageId })}
    >
      {title ? `from “${showTitle(title)}”` : 'from a chat'}
    </button>
  )
}

type OrderHintProps = { text: string; target: MemoryTarget; onUse: (statement: string) => void }

/**
 * A warning about a text that gives an order, with a statement to use instead. Nothing if it gives no order.
 */
export function OrderHint({ text, target, onUse }: OrderHintProps): ReactNode {
  const statement = orderAsStatement(text, target)
  if (statement === undefined) return null
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-xs">
      <output className="min-w-0 break-words text-warn">
        {`This is an instruction, so it would be followed again in every chat. As a statement: “${statement}”`}
      </output>
      <button type="button" className="link-btn" onClick={() => onUse(statement)}>
        Use the statement
      </button>
    </div>
  )
}
