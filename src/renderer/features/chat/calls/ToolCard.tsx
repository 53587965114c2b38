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
import { sayChooser } from '../../../../shared/words/call-words.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { formatDuration } from '../../../ui/text/format-values.ts'
import { Spinner } from '../../../ui/Progress.tsx'
import { useKept } from '../../../ui/row-state.tsx'
import { cx } from '../../../ui/style.ts'
import { callTitle, type CallPhase, type Card } from './tool-calls.ts'
import { SentAttachments } from '../attach/SentAttachments.tsx'
import { ApprovalDetail } from '../asking/ApprovalDetail.tsx'
import { ToolDetail } from './CallDetail.tsx'
import { useChat } from '../store/open-chats.ts'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import type { ObeyedChange } from '../../../../shared/contract/chats/messages.ts'
import { tellObeyedChange } from '../../../../shared/words/obeyed-words.ts'
import { isFoundIn } from '../find/chat-find.ts'

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
    ...(chosen === undefined ? [] : [chosen]),
    ...(from === undefined
      ? []
      : [card.phase === 'denied' ? `Denied by ${showHidden(from)}` : `Answered by ${showHidden(from)}`]),
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
        {waiting && <p className="text-xs text-ink-3">Answer in the card above the message field.</p>}
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
  if (phase === 'failed') return <TriangleAlert size={14} />
  if (phase === 'denied' || phase === 'stopped') return <CircleSlash size={14} />
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

/** The changes of a call to files that programs obey or run, one line each. */
export function ObeyedLines({ changes = [] }: { changes?: readonly ObeyedChange[] | undefined }): ReactNode {
  if (changes.length === 0) return null
  return (
    <ul aria-label="Changed files that programs obey or run" className="obeyed-lines">
      {changes.map(change => (
        <li
          key={`${change.path} ${change.how} ${change.kept}`}
          dir="auto"
          className={cx('break-words', change.tier === 1 && 'text-warn')}
        >
          {showHidden(tellObeyedChange(change))
            .split('`')
            .map((part, at) => (at % 2 === 1 ? <code key={`${at}`}>{part}</code> : part))}
        </li>
      ))}
    </ul>
  )
}
