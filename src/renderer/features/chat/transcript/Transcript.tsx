import { ArrowDown } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import type { Message } from '../../../../shared/contract/chats/messages.ts'
import { findPattern } from '../../../../shared/text/find-pattern.ts'
import { Sought } from '../../../ui/text/fold-text.tsx'
import { KeepingRow, useFocusedRow } from '../../../ui/row-state.tsx'
import { cx } from '../../../ui/style.ts'
import { Spinner } from '../../../ui/Progress.tsx'
import { Answer } from './Answer.tsx'
import { useChat, useOpenChat } from '../store/open-chats.ts'
import { CompactionRow } from '../compaction/Compaction.tsx'
import { withDivider } from '../compaction/chat-compaction.ts'
import { ModelNoteRow, useModelNotes, withModelNote } from './ModelNoteRow.tsx'
import { ComparisonRow } from '../compare/ComparisonRow.tsx'
import { ClaimCard, LearnedRow } from './MemoryRows.tsx'
import { useFindMarks } from '../find/find-marks.ts'
import { transcriptRows, messagesOf, type StepRow, type TranscriptRow } from './transcript-rows.ts'
import { OfferedRow, useOffers } from '../learning/ProposalRow.tsx'
import { useHoldPosition } from './use-hold-position.ts'
import { SkillsRow } from './SkillsRow.tsx'
import { EndRow, NoteRow, ReadRow, WorkingRow } from './StatusRows.tsx'
import { AgentCard } from '../agents/AgentCard.tsx'
import { FilesRow } from '../take-back/FilesRow.tsx'
import { StepsFold } from '../calls/StepsFold.tsx'
import { ToolCard } from '../calls/ToolCard.tsx'
import { foldSteps } from './fold-steps.ts'
import { useReadingPlace } from './reading-place.ts'
import { useChatSelection } from '../select/use-chat-selection.ts'
import { useFollowScroll, useGoal } from './transcript-scroll.ts'
import { UserMessage } from './UserMessage.tsx'

/** Older messages are loaded when fewer pixels than this remain above. */
const AHEAD = 800

/** Rows that are about the messages before them. */
const ABOUT_A_TURN: ReadonlySet<TranscriptRow['kind']> = new Set([
  'note',
  'read',
  'claim',
  'files',
  'learned',
  'skills',
  'offered',
  'end',
])

/** The conversation, newest last. Only rows near the window are mounted; only changed rows re-render. */
export function Transcript(): ReactNode {
  const { view } = useOpenChat()
  const messages = useChat(chat => chat.messages)
  const turns = useChat(chat => chat.turns)
  const learned = useChat(chat => chat.learned)
  const skillChanges = useChat(chat => chat.skillChanges)
  const offers = useOffers()
  const dismissed = useChat(chat => chat.dismissed)
  const pending = useChat(chat => chat.pending)
  const pendingFiles = useChat(chat => chat.pendingFiles)
  const loadOlder = useChat(chat => chat.loadOlder)
  const told = useMemo(
    () =>
      transcriptRows({ messages, turns, learned, skillChanges, offers, dismissed }, pending, pendingFiles),
    [messages, turns, learned, skillChanges, offers, dismissed, pending, pendingFiles],
  )
  const compactions = useChat(chat => chat.compactions)
  const isComparing = useChat(chat => chat.comparison !== null)
  const { notes, next } = useModelNotes()
  const more = useChat(chat => chat.more)
  const items = useMemo(
    () =>
      foldSteps(
        withComparison(withDivider(withModelNote(told, { notes, next, more }), compactions), isComparing),
      ),
    [told, notes, next, more, compactions, isComparing],
  )

  const lastSaid = items.findLastIndex(({ kind }) => !ABOUT_A_TURN.has(kind))

  const scroller = useRef<HTMLElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  useHoldPosition({ items, scroller, stopFollowing: () => stopFollowing() })
  const { away, jump, stopFollowing, scrollToEnd, onScroll } = useFollowScroll({
    scroller,
    list,
    view,
    count: items.length,
    pending,
  })
  const marked = useGoal({ items, scroller, list, stopFollowing })
  useReadingPlace({ items, scroller, list, view, stopFollowing, jump })
  const query = useChat(chat => chat.finding?.query ?? '')
  const sought = useMemo(() => findPattern(query), [query])
  useFindMarks(scroller, sought)
  const { focused, watch } = useFocusedRow()
  const selected = useChatSelection({ items, scroller })
  const [fits, setFits] = useState(false)
  const fetchAhead = () => {
    const element = scroller.current
    if (!element || element.scrollTop >= AHEAD) return
    setFits(element.scrollHeight <= element.clientHeight)
    void loadOlder()
  }
  // A page that folds into a few rows leaves nothing to scroll.
  useEffect(fetchAhead)
  // When all rows fit, there is no position to keep, and the list would wait for a scroll that never comes.
  const shift = usePrepended(messages) && !fits

  return (
    <div className="relative min-h-0 flex-1" data-conversation>
      <LoadingOlder />
      <section
        ref={scroller}
        aria-label="Conversation"
        // A scrollable region must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="row-scroller transcript"
        onScroll={onScroll}
        {...watch}
      >
        <Sought value={sought}>
          <Virtualizer
            ref={list}
            scrollRef={scroller}
            shift={shift}
            bufferSize={400}
            keepMounted={[
              ...items.flatMap(({ key }, index) => (key === focused ? [index] : [])),
              ...selected,
            ]}
            onResize={scrollToEnd}
            // Wait until the list has its new scroll position, because older rows are inserted above it.
            onScroll={fetchAhead}
            {...(view.cache && view.count === items.length && !view.following ? { cache: view.cache } : {})}
          >
            {items.map((item, index) => (
              // A zero-height row, such as an empty answer, would stop the list from drawing more rows.
              <div
                key={item.key}
                data-item={item.key}
                data-messages={messagesOf(item).join(' ') || undefined}
                className={cx('column min-h-px', item.key === marked && 'row-marked')}
              >
                <KeepingRow kept={view.kept} row={item.key}>
                  <Row item={item} last={index === items.length - 1} lastSaid={index >= lastSaid} />
                </KeepingRow>
              </div>
            ))}
          </Virtualizer>
        </Sought>
        <div className="h-6" />
      </section>
      {away && (
        <button type="button" className="jump-btn" onClick={jump}>
          <ArrowDown size={16} />
          Jump to latest
        </button>
      )}
    </div>
  )
}

function Row({ item, last, lastSaid }: { item: TranscriptRow; last: boolean; lastSaid: boolean }) {
  switch (item.kind) {
    case 'user':
      return (
        <UserMessage
          id={item.id}
          text={item.text}
          skill={item.skill}
          attachments={item.attachments}
          last={last}
        />
      )
    case 'answer':
      return (
        <Answer
          id={item.key}
          message={item.message}
          thoughtMs={item.thoughtMs}
          closing={item.closing}
          last={lastSaid}
        />
      )
    case 'tool':
      return item.card.call.name === 'delegate' ? (
        <AgentCard card={item.card} />
      ) : (
        <ToolCard card={item.card} />
      )
    case 'steps':
      return <StepsFold rows={item.rows} draw={drawStep} />
    case 'note':
      return <NoteRow note={item.note} last={last} />
    case 'read':
      return <ReadRow text={item.text} />
    case 'claim':
      return <ClaimCard claim={item.claim} />
    case 'files':
      return <FilesRow files={item.files} />
    case 'learned':
      return <LearnedRow revisions={item.revisions} cards={item.cards} />
    case 'skills':
      return <SkillsRow used={item.used} revisions={item.revisions} />
    case 'offered':
      return <OfferedRow proposals={item.proposals} />
    case 'end':
      return <EndRow reason={item.reason} last={last} />
    case 'compaction':
      return <CompactionRow compaction={item.compaction} />
    case 'comparison':
      return <ComparisonRow />
    case 'model_note':
      return <ModelNoteRow text={item.text} />
    case 'working':
      return <WorkingRow quiet={item.quiet} />
  }
}

/** A row among the steps of a turn; it is never the last row. */
const drawStep = (row: StepRow) => <Row item={row} last={false} lastSaid={false} />

/** Answers to compare come last. They show their own progress. */
const withComparison = (items: readonly TranscriptRow[], isComparing: boolean): readonly TranscriptRow[] =>
  isComparing
    ? [...items.filter(({ kind }) => kind !== 'working'), { key: 'comparison', kind: 'comparison' }]
    : items

function LoadingOlder() {
  const loading = useChat(chat => chat.loadingOlder)
  if (!loading) return null
  return (
    <output className="absolute inset-x-0 top-2 z-10 flex justify-center">
      <span className="flex items-center gap-2 rounded-full border border-line bg-raised px-3 py-1 text-xs text-ink-2 shadow-card">
        <Spinner size={12} />
        Loading older messages…
      </span>
    </output>
  )
}

/** Whether the last change added older messages at the top. The scroll position must then stay fixed. */
function usePrepended(messages: readonly Message[]): boolean {
  const [seen, setSeen] = useState({ messages, prepended: false })
  if (seen.messages === messages) return seen.prepended
  const first = seen.messages[0]
  const prepended = first !== undefined && messages[0] !== undefined && messages[0].id < first.id
  setSeen({ messages, prepended })
  return prepended
}
