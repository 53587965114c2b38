import { CircleAlert, Info, RotateCcw, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { UserMessage } from '../../../shared/contract/messages.ts'
import type { Note } from './chat-state.ts'
import { useChat } from './chats.ts'
import type { EndTold } from './items.ts'
import { LoadFixes } from './LoadFixes.tsx'
import { useModel } from './session.ts'
import { chatText } from './strings.ts'

/** An aside or a warning in a line, or an error with what to do about it. */
export function NoteRow({ note, last }: { note: Note; last: boolean }): ReactNode {
  if (note.kind === 'aside') {
    return (
      <p className="flex items-start gap-2 py-1.5 text-sm text-ink-3">
        <RotateCcw size={15} className="mt-0.5 shrink-0" />
        <span className="min-w-0 break-words">{note.text}</span>
      </p>
    )
  }
  if (note.kind === 'warning') {
    return (
      <p className="flex items-start gap-2 py-1.5 text-sm text-ink-2">
        <TriangleAlert size={15} className="mt-0.5 shrink-0 text-warn" />
        <span className="min-w-0 break-words">{note.text}</span>
      </p>
    )
  }
  return (
    <div className="py-1.5">
      <div className="flex items-start gap-2.5 rounded-xl border border-danger/30 bg-danger-soft px-3.5 py-3 text-sm">
        <CircleAlert size={17} className="mt-px shrink-0 text-danger" />
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

/** Why a turn ended, when the transcript does not say it already. */
export function EndRow({ reason, last }: { reason: EndTold; last: boolean }): ReactNode {
  return (
    <div className="flex flex-wrap items-center gap-x-3 py-1.5 text-sm text-ink-3">
      <p className="flex items-start gap-2">
        <Info size={15} className="mt-0.5 shrink-0" />
        <span>{chatText.ends[reason]}</span>
      </p>
      {last && reason === 'failed' && <TryAgain />}
    </div>
  )
}

/** Sends the newest message once more, after whatever was wrong has been put right. */
function TryAgain() {
  const text = useChat(chat => textOf(chat.messages.findLast(message => message.role === 'user')))
  const send = useChat(chat => chat.send)
  if (text === undefined) return null
  return (
    <button type="button" className="btn btn-secondary" onClick={() => void send(text)}>
      {chatText.tryAgain}
    </button>
  )
}

/** What would let the model of this chat load. */
function FixesHere() {
  const model = useModel()
  return model ? <LoadFixes model={model} /> : null
}

/** A message as it was written; the skill that went along goes along again. */
const textOf = (message: UserMessage | undefined): string | undefined =>
  message?.skill ? `/${message.skill.name} ${message.text}` : message?.text
