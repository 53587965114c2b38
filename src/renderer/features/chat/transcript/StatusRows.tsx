import { BookOpenCheck, CircleAlert, Info, RotateCcw, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { UserMessage } from '../../../../shared/contract/chats/messages.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { formatShare } from '../../../ui/text/format-values.ts'
import { Spinner } from '../../../ui/Progress.tsx'
import type { Note } from '../store/chat-state.ts'
import { AdvisingRow } from './AdviceFold.tsx'
import { useChat, useModel } from '../store/open-chats.ts'
import type { ToldEnd } from './transcript-rows.ts'
import { LoadFixes } from '../EngineLine.tsx'
import { OtherWays } from './OtherWays.tsx'

const endTexts = {
  stopped: 'You stopped this answer.',
  budget_exhausted: 'Talaria reached the step limit for one turn. Write “go on” to let it continue.',
  tool_calls_invalid:
    'The model kept making tool calls that could not run, so the turn ended here. A larger model usually works.',
  failed: 'This turn failed. Try again, or pick another model.',
}

/** An aside or a warning on one line, or an error with ways to fix it. */
export function NoteRow({ note, last }: { note: Note; last: boolean }): ReactNode {
  if (note.kind === 'aside' || note.kind === 'info') {
    const Sign = note.kind === 'aside' ? RotateCcw : Info
    return (
      <p className="flex items-start gap-2 py-1.5 text-sm text-ink-3">
        <Sign size={16} className="mt-0.5 shrink-0" />
        <span className="min-w-0 break-words">{note.text}</span>
      </p>
    )
  }
  if (note.kind === 'warning') {
    return (
      <div className="flex items-start gap-2 py-1.5 text-sm text-ink-2">
        <TriangleAlert size={16} className="mt-0.5 shrink-0 text-warn" />
        <div className="min-w-0">
          <p className="break-words">{note.text}</p>
          {last && note.offersOthers && <OtherWays />}
        </div>
      </div>
    )
  }
  return (
    <div className="py-1.5">
      <div className="flex items-start gap-2.5 rounded-xl border border-danger/30 bg-danger-soft px-3.5 py-3 text-sm">
        <CircleAlert size={18} className="mt-px shrink-0 text-danger" />
        <div className="min-w-0 flex-1">
          <p className="font-medium break-words">{note.text}</p>
          {note.fix !== '' && <p className="mt-0.5 break-words text-ink-2">{note.fix}</p>}
          {last && (
            <div className="mt-2 flex flex-wrap items-center gap-2">
              <TryAgain />
              <FixesHere />
            </div>
          )}
        </div>
      </div>
    </div>
  )
}

/** Says which texts from outside the user has read. */
export function ReadRow({ text }: { text: string }): ReactNode {
  return (
    <p className="flex items-start gap-2 py-1.5 text-sm text-ink-3">
      <BookOpenCheck size={16} className="mt-0.5 shrink-0" />
      <span className="min-w-0 break-words">{showHidden(text)}</span>
    </p>
  )
}

/** Why a turn ended, unless the transcript already shows it. */
export function EndRow({ reason, last }: { reason: ToldEnd; last: boolean }): ReactNode {
  return (
    <div className="flex flex-wrap items-center gap-x-3 py-1.5 text-sm text-ink-3">
      <p className="flex items-start gap-2">
        <Info size={16} className="mt-0.5 shrink-0" />
        <span>{endTexts[reason]}</span>
      </p>
      {last && reason === 'failed' && <TryAgain />}
    </div>
  )
}

/** Resends the newest message after the user has fixed the problem. */
function TryAgain() {
  const text = useChat(chat => textOf(chat.messages.findLast(message => message.role === 'user')))
  const send = useChat(chat => chat.send)
  if (text === undefined) return null
  return (
    <button type="button" className="btn btn-secondary" onClick={() => void send(text)}>
      Try again
    </button>
  )
}

/** Ways to make this chat's model load. */
function FixesHere() {
  const model = useModel()
  return model ? <LoadFixes model={model} /> : null
}

/** The original text of a message, including its skill. */
const textOf = (message: UserMessage | undefined): string | undefined =>
  message?.skill ? `/${message.skill.name} ${message.text}` : message?.text

/** A server does not report the progress of loading its model. */
const withShare = (text: string, share: number) => (share > 0 ? `${text} ${formatShare(share)}` : text)

const progressTexts = {
  loading: (share: number) => withShare('Loading the model…', share),
  reading: (share: number) => withShare('Reading your message…', share),
}

/** The phase before the first token: loading, reading or working. Tools and approvals have their own rows. */
export function WorkingRow({ quiet }: { quiet: boolean }): ReactNode {
  const phase = useChat(chat => chat.live.progress?.phase)
  // Whole per cent, so that smaller changes cause no redraw.
  const percent = useChat(chat => Math.round((chat.live.progress?.share ?? 0) * 100))
  const compacting = useChat(chat => chat.live.compacting)
  const flushing = useChat(chat => chat.live.flushing)
  const advising = useChat(chat => chat.live.advising)
  const writing = useChat(chat => chat.live.text !== '' || chat.live.reasoning !== '')
  if (flushing) return <FlushingRow />
  if (advising) return <AdvisingRow advising={advising} />
  if (!compacting && (writing || (quiet && !phase))) return null
  return (
    <div className="flex items-center gap-2 py-2 text-sm text-ink-3">
      <Spinner />
      <span>
        {compacting
          ? 'Summarising earlier messages…'
          : phase
            ? progressTexts[phase](percent / 100)
            : 'Working…'}
      </span>
    </div>
  )
}

/** The review before a summary. It can be skipped, since it is then done later. */
function FlushingRow(): ReactNode {
  const skip = useChat(chat => chat.skip)
  return (
    <div className="flex items-center gap-x-3 py-2 text-sm text-ink-3">
      <span className="flex min-w-0 items-center gap-2">
        <Spinner />
        Looking for things to remember before older messages are summarised…
      </span>
      <button
        type="button"
        title="Talaria then does this later, in the background"
        className="btn btn-quiet min-h-6 shrink-0 text-accent"
        onClick={() => void skip()}
      >
        Skip
      </button>
    </div>
  )
}
