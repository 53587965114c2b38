import {
  CircleSlash,
  FilePen,
  FileSearch,
  FileText,
  FolderTree,
  Globe,
  Sparkles,
  SquareTerminal,
  TriangleAlert,
  Wrench,
} from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { sayChooser } from '../../../shared/call-words.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { formatCount, formatDuration } from '../../ui/format.ts'
import { Spinner } from '../../ui/Progress.tsx'
import { useKept } from '../../ui/row-state.tsx'
import { cx } from '../../ui/style.ts'
import { callTitle, type CallPhase, type Card } from './tool-calls.ts'
import { SentAttachments } from './attach/SentAttachments.tsx'
import { ApprovalDetail, ToolDetail } from './CallDetail.tsx'
import { useChat } from './chats.ts'
import { Disclosure } from './Disclosure.tsx'
import { ObeyedLines } from './ObeyedLines.tsx'
import { isFoundIn } from './find/chat-find.ts'

const phaseNames = {
  queued: 'Waiting its turn',
  waiting: 'Waiting for your answer',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  denied: 'Denied',
  stopped: 'Stopped',
}

const icons: Readonly<Record<string, typeof Wrench>> = {
  terminal: SquareTerminal,
  read_file: FileText,
  write_file: FilePen,
  patch_file: FilePen,
  list_files: FolderTree,
  search_files: FileSearch,
  web_search: Globe,
  web_read: Globe,
  skills_list: Sparkles,
  skill_view: Sparkles,
  skill_manage: Sparkles,
}

/** A tool call: one line when collapsed; its arguments, output, result and permission when expanded. */
export function ToolCard({ card }: { card: Card }): ReactNode {
  const [isOpened, setOpen] = useKept(card.key, false)
  const open = useChat(chat => isFoundIn(chat, card.result?.id)) || isOpened
  const title = callTitle(card.call, card.info?.title ?? card.approval?.title ?? card.result?.title)
  const state = stateText(card)
  const waiting = card.phase === 'waiting'
  const from = card.result ? card.result.record.from : card.info?.from
  const chosen = card.result && sayChooser(card.result.record)
  const beside = [
    ...(chosen === undefined ? [] : [`${chosen.charAt(0).toUpperCase()}${chosen.slice(1)}`]),
    ...(from === undefined
      ? []
      : [`${card.phase === 'denied' ? 'Denied' : 'Answered'} by ${showHidden(from)}`]),
  ]
  const IconOf = icons[card.call.name] ?? Wrench
  const disclosure = (
    <Disclosure
      open={open}
      onToggle={() => setOpen(!open)}
      className={cx(
        'tool-card',
        waiting && 'border-warn-line',
        card.phase === 'failed' && 'border-danger/40',
      )}
      line={
        <>
          <span className={card.phase === 'failed' ? 'text-danger' : 'text-ink-3'}>
            <IconOf size={16} />
          </span>
          <span dir="auto" className="min-w-0 flex-1 truncate text-ink">
            {title}
          </span>
          <span className={cx('flex shrink-0 items-center gap-1.5 text-xs', stateLook[card.phase])}>
            <StateSign phase={card.phase} />
            {state}
            {card.phase === 'running' && card.info && <Elapsed since={card.info.startedAt} />}
          </span>
        </>
      }
    >
      <div className="grid gap-3 border-t border-line p-3">
        {card.approval ? <ApprovalDetail approval={card.approval} /> : <ToolDetail card={card} />}
        {waiting && <p className="text-xs text-ink-3">Answer below, above the message field.</p>}
      </div>
    </Disclosure>
  )
  return (
    <>
      {disclosure}
      {beside.length > 0 && (
        <p dir="auto" className="px-3 text-xs break-words text-ink-3">
          {beside.join(' · ')}
        </p>
      )}
      <SentAttachments attachments={card.result?.attachments ?? []} isResult />
      <ObeyedLines changes={card.result?.obeyed} />
    </>
  )
}

/** Consecutive read-only calls on one line that expands to their cards. */
export function ToolGroup({ cards }: { cards: readonly Card[] }): ReactNode {
  const key = `${cards[0]!.key}:group`
  const [isOpened, setOpen] = useKept(key, false)
  const open = useChat(chat => cards.some(card => isFoundIn(chat, card.result?.id))) || isOpened
  const onlyReads = cards.every(card => card.call.name === 'read_file')
  const title = onlyReads
    ? `Read ${formatCount(cards.length)} files`
    : `Looked at ${formatCount(cards.length)} places`
  const took = cards.reduce((sum, card) => sum + (card.result?.durationMs ?? 0), 0)
  const group = (
    <Disclosure
      open={open}
      onToggle={() => setOpen(!open)}
      className="tool-card"
      line={
        <>
          <FileText size={16} className="shrink-0 text-ink-3" />
          <span className="min-w-0 flex-1 truncate text-ink">{title}</span>
          <span className="shrink-0 text-xs text-ink-3">{formatDuration(took)}</span>
        </>
      }
    >
      <div className="grid gap-1.5 border-t border-line p-2">
        {cards.map(card => (
          <ToolCard key={card.key} card={card} />
        ))}
      </div>
    </Disclosure>
  )
  // Open, each card shows its own.
  const shown = open ? [] : cards.flatMap(({ result }) => result?.attachments ?? [])
  return (
    <>
      {group}
      <SentAttachments attachments={shown} isResult />
    </>
  )
}

const stateLook: Record<CallPhase, string> = {
  queued: 'text-ink-3',
  waiting: 'text-warn font-medium',
  running: 'text-ink-2',
  done: 'text-ink-3',
  failed: 'text-danger font-medium',
  denied: 'text-ink-3',
  stopped: 'text-ink-3',
}

function StateSign({ phase }: { phase: CallPhase }) {
  if (phase === 'running') return <Spinner size={12} />
  if (phase === 'failed') return <TriangleAlert size={13} />
  if (phase === 'denied' || phase === 'stopped') return <CircleSlash size={13} />
  if (phase === 'waiting') return <span aria-hidden="true" className="pulse size-2 rounded-full bg-warn" />
  return null
}

function stateText({ phase, result }: Card): string {
  if (phase === 'done' && result) return formatDuration(result.durationMs)
  return phaseNames[phase]
}

/** Seconds since a moment, counted only while the window is visible. */
function Elapsed({ since }: { since: number }): ReactNode {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.floor(Math.max(0, now - since) / 1_000)
  return seconds === 0 ? null : <span className="tabular-nums">{formatDuration(seconds * 1_000)}</span>
}
