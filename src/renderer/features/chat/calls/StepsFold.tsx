import { ListChecks } from 'lucide-react'
import type { ReactNode } from 'react'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import { isKept, KeepingRow, useKept } from '../../../ui/row-state.tsx'
import { cx } from '../../../ui/style.ts'
import { formatDuration } from '../../../ui/text/format-values.ts'
import { SentAttachments } from '../attach/SentAttachments.tsx'
import { isFoundIn } from '../find/chat-find.ts'
import { useChat, useOpenChat } from '../store/open-chats.ts'
import { messagesOf, type StepRow } from '../transcript/transcript-rows.ts'
import { ObeyedLines } from './ToolCard.tsx'
import { tellSteps } from './tell-steps.ts'

type Props = {
  rows: readonly StepRow[]
  draw: (row: StepRow) => ReactNode
}

/**
 * Finished steps of a turn, on one line that expands to their rows. It starts expanded if one of its rows was
 * open or contains a search match. Pictures, and changes to files that programs obey, are always shown.
 */
export function StepsFold({ rows, draw }: Props): ReactNode {
  const { view } = useOpenChat()
  const cards = rows.flatMap(row => (row.kind === 'tool' ? [row.card] : []))
  const [chosen, setChosen] = useKept<boolean | null>('steps', null)
  const isFound = useChat(chat => cards.some(card => isFoundIn(chat, card.result?.id)))
  const hasOpen = rows.some(({ key }) => isKept(view.kept, key, key))
  const open = isFound || (chosen ?? hasOpen)
  const { done, trouble } = tellSteps(cards)
  const hasFailed = cards.some(({ phase }) => phase === 'failed')
  const took = cards.reduce((sum, card) => sum + (card.result?.durationMs ?? 0), 0)
  return (
    <>
      <Disclosure
        open={open}
        onToggle={() => setChosen(!open)}
        className="steps-fold"
        line={
          <>
            <ListChecks size={16} className="shrink-0 text-ink-3" />
            <span className="min-w-0 text-start break-words">
              {done}
              {trouble !== '' && (
                <>
                  {' · '}
                  <span className={cx(hasFailed && 'text-danger')}>{trouble}</span>
                </>
              )}
              {took > 0 && <span className="text-ink-3">{` · ${formatDuration(took)}`}</span>}
            </span>
          </>
        }
      >
        <div className="grid gap-1 border-s-2 border-line ps-3">
          {rows.map(row => (
            <div key={row.key} data-messages={messagesOf(row).join(' ') || undefined}>
              <KeepingRow kept={view.kept} row={row.key}>
                {draw(row)}
              </KeepingRow>
            </div>
          ))}
        </div>
      </Disclosure>
      {/* When expanded, each row shows its own. */}
      {!open && (
        <>
          <SentAttachments attachments={cards.flatMap(({ result }) => result?.attachments ?? [])} isResult />
          <ObeyedLines changes={cards.flatMap(({ result }) => result?.obeyed ?? [])} />
        </>
      )}
    </>
  )
}
