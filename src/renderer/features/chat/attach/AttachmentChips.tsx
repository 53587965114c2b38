import { ChevronDown, X } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import type { UnsentAttachment } from '../../../../shared/contract/chats/attachments.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Popover } from '../../../ui/Popover.tsx'
import { useChat } from '../store/open-chats.ts'
import { ArrivingChip, ChipName } from './ArrivingChip.tsx'
import { AttachedText } from './AttachedText.tsx'
import { AttachmentDetails } from './AttachmentDetails.tsx'
import { diskLine, originLine, readingLine, sizeLine } from './attachment-words.ts'
import { freeAttachments, type Arriving } from './chat-attachments.ts'
import { AttachmentSign, LargePicture } from './SentAttachments.tsx'
import { usePicture } from './shown-pictures.ts'

/** The unsent attachments that the next message will include. */
export function useFreeAttachments(): readonly UnsentAttachment[] {
  const unsent = useChat(chat => chat.unsent)
  const queue = useChat(chat => chat.queue)
  const pending = useChat(chat => chat.pending)
  const pendingFiles = useChat(chat => chat.pendingFiles)
  return useMemo(
    () => freeAttachments({ unsent, queue, pending, pendingFiles }),
    [unsent, queue, pending, pendingFiles],
  )
}

/** `onTakeText` puts the text of an attachment into the message; `onWritePath` writes a path there. */
type Props = { onTakeText: (hash: string) => Promise<void>; onWritePath: (path: string) => void }

/** The attachments of the draft, and what the chat's model cannot do with them. */
export function AttachmentChips({ onTakeText, onWritePath }: Props): ReactNode {
  const attachments = useFreeAttachments()
  const arriving = useChat(chat => chat.arriving)
  const note = useChat(chat => chat.attachmentNote)
  if (attachments.length + arriving.length === 0) return null
  const chipOf = (each: Arriving) => (
    <li key={each.key} className="flex min-w-0">
      <ArrivingChip arriving={each} onWritePath={onWritePath} />
    </li>
  )
  return (
    <div className="px-1 pb-1.5">
      <ul aria-label="Attached files" className="attachment-list">
        {/* If there are many chips, the files that failed must be in view. */}
        {arriving.filter(({ problem }) => problem !== null).map(chipOf)}
        {attachments.map(attachment => (
          <li key={attachment.hash} className="flex min-w-0">
            {attachment.kind === 'picture' ? (
              <PictureChip attachment={attachment} />
            ) : (
              <DocumentChip attachment={attachment} onTakeText={() => onTakeText(attachment.hash)} />
            )}
          </li>
        ))}
        {arriving.filter(({ problem }) => problem === null).map(chipOf)}
      </ul>
      {note !== '' && attachments.length > 0 && (
        <output className="block px-1.5 pt-1 text-xs text-ink-2">{note}</output>
      )}
    </div>
  )
}

function DocumentChip({
  attachment,
  onTakeText,
}: {
  attachment: UnsentAttachment
  onTakeText: () => Promise<void>
}) {
  const [isOpen, setOpen] = useState(false)
  const name = showHidden(attachment.name)
  const use = attachment.use === 'whole' ? 'Whole document' : 'Passages'
  const reading = readingLine(attachment)
  return (
    <div className="attachment-chip w-full">
      <AttachmentSign kind={attachment.kind} />
      <div className="grid min-w-0 flex-1">
        <ChipName name={name} />
        <span className="truncate text-xs text-ink-2" title={originLine(attachment)}>
          {sizeLine(attachment)}
        </span>
        <Popover
          label={`How ${name} is sent`}
          side="above"
          className="w-96 max-w-[calc(100vw-1rem)] p-3"
          renderButton={props => (
            <button
              type="button"
              aria-label={[use, reading, `How ${name} is sent`].filter(Boolean).join(' · ')}
              className="attachment-use"
              {...props}
            >
              <span className="truncate">
                {use}
                {reading !== '' && ` · ${reading}`}
              </span>
              <ChevronDown size={14} className="shrink-0" />
            </button>
          )}
        >
          {close => (
            <AttachmentDetails
              attachment={attachment}
              onRead={() => {
                close()
                setOpen(true)
              }}
              onTakeText={() => {
                close()
                void onTakeText()
              }}
            />
          )}
        </Popover>
        <Problems problems={attachment.problems} />
        <OnDisk attachment={attachment} />
      </div>
      <RemoveButton hash={attachment.hash} name={name} />
      {isOpen && <AttachedText attachment={attachment} onClose={() => setOpen(false)} />}
    </div>
  )
}

function PictureChip({ attachment }: { attachment: UnsentAttachment }) {
  const [isOpen, setOpen] = useState(false)
  const picture = usePicture(attachment.hash)
  const name = showHidden(attachment.name)
  return (
    <div className="attachment-chip w-full">
      <button
        type="button"
        aria-label={`Open ${name} large`}
        title={`Open ${name} large`}
        aria-haspopup="dialog"
        disabled={!picture?.ok}
        className="shrink-0 rounded-lg"
        onClick={() => setOpen(true)}
      >
        {picture?.ok ? (
          <img src={picture.value} alt="" className="size-11 rounded-lg bg-sunken object-cover" />
        ) : (
          <AttachmentSign kind="picture" />
        )}
      </button>
      <div className="grid min-w-0 flex-1">
        <ChipName name={name} />
        <span className="truncate text-xs text-ink-2" title={originLine(attachment)}>
          {sizeLine(attachment)}
        </span>
        <Problems problems={attachment.problems} />
        <OnDisk attachment={attachment} />
      </div>
      <RemoveButton hash={attachment.hash} name={name} />
      {isOpen && picture?.ok && (
        <LargePicture attachment={attachment} src={picture.value} onClose={() => setOpen(false)} />
      )}
    </div>
  )
}

function Problems({ problems = [] }: { problems: readonly string[] | undefined }) {
  const [first] = problems
  if (first === undefined) return null
  return (
    <span title={problems.join('\n')} className="line-clamp-2 text-xs text-warn">
      {first}
      {problems.length > 1 && ` · ${problems.length - 1} more`}
    </span>
  )
}

/** Warns that the file on disk differs from the attached copy. */
function OnDisk({ attachment }: { attachment: UnsentAttachment }) {
  const renew = useChat(chat => chat.renew)
  if (attachment.onDisk === undefined) return null
  return (
    <>
      <span className="text-xs text-warn">{diskLine(attachment)}</span>
      {attachment.onDisk === 'changed' && (
        <button type="button" className="attachment-use" onClick={() => void renew(attachment)}>
          Attach it as it is now
        </button>
      )}
    </>
  )
}

function RemoveButton({ hash, name }: { hash: string; name: string }) {
  const takeBack = useChat(chat => chat.takeBack)
  return (
    <IconButton small label={`Remove ${name}`} className="self-start" onClick={() => void takeBack(hash)}>
      <X size={14} />
    </IconButton>
  )
}
