import { Braces, Database, File, FileText, Globe, ImageIcon, Mail, Presentation, Sheet } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Attachment, AttachmentKind } from '../../../../shared/contract/chats/attachments.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { BareDialog } from '../../../ui/Dialog.tsx'
import { Icon, IconButton } from '../../../ui/IconButton.tsx'
import { cx } from '../../../ui/style.ts'
import { AttachedText } from './AttachedText.tsx'
import { altOf, sizeLine } from './attachment-words.ts'
import { usePicture } from './shown-pictures.ts'

type SentProps = {
  attachments: readonly Attachment[]
  /** True if they belong to the result of a call; they are then shown on its side. */
  isResult?: boolean
}

/** The files sent with a message: pictures are shown, documents are chips that open their text. */
export function SentAttachments({ attachments, isResult = false }: SentProps): ReactNode {
  if (attachments.length === 0) return null
  // A result may show the same picture twice.
  const each = attachments.filter(({ hash }, at) => attachments.findIndex(one => one.hash === hash) === at)
  return (
    <ul
      aria-label={isResult ? 'Pictures from the result' : 'Attachments'}
      className={cx('flex w-full flex-wrap items-end gap-2', isResult ? 'pt-1.5' : 'justify-end pb-1')}
    >
      {each.map(attachment => (
        <li key={attachment.hash} className="flex max-w-full min-w-0">
          {attachment.kind === 'picture' ? (
            <SentPicture attachment={attachment} />
          ) : (
            <SentDocument attachment={attachment} />
          )}
        </li>
      ))}
    </ul>
  )
}

function SentDocument({ attachment }: { attachment: Attachment }) {
  const [isOpen, setOpen] = useState(false)
  const name = showHidden(attachment.name)
  const problem = attachment.problems?.[0]
  return (
    <>
      <button
        type="button"
        title={`Read ${name}`}
        className="attachment-chip pe-3 hover:bg-hover"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <AttachmentSign kind={attachment.kind} />
        <span className="grid min-w-0 text-start">
          <span dir="auto" className="truncate text-sm font-medium text-ink">
            {name}
          </span>
          <span className="text-xs text-ink-2">
            {sizeLine(attachment)}
            {attachment.use === 'passages' && ' · passages were sent'}
          </span>
          {problem !== undefined && <span className="line-clamp-2 text-xs text-warn">{problem}</span>}
        </span>
      </button>
      {isOpen && <AttachedText attachment={attachment} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Maximum size of a picture between messages, in pixels. */
const MOST_WIDE = 320
const MOST_HIGH = 240

function SentPicture({ attachment }: { attachment: Attachment }) {
  const picture = usePicture(attachment.hash)
  const [isOpen, setOpen] = useState(false)
  const { width = MOST_WIDE, height = MOST_HIGH } = attachment
  // Reserve the size of the picture before it loads, so that nothing moves.
  const share = Math.min(1, MOST_WIDE / width, MOST_HIGH / height)
  const size = { width: Math.max(48, Math.round(width * share)), height: Math.round(height * share) }
  const alt = altOf(attachment)
  const box = 'attachment-picture'
  if (picture && !picture.ok)
    return (
      <p className={cx(box, 'max-w-80 p-3 text-sm text-ink-2')}>
        {`${showHidden(attachment.name)} cannot be shown: ${picture.fault.message}`}
        {attachment.description !== undefined && (
          <span className="block">{`It shows: ${showHidden(attachment.description)}`}</span>
        )}
      </p>
    )
  return (
    <>
      <button
        type="button"
        title={`Open ${showHidden(attachment.name)} large`}
        aria-haspopup="dialog"
        className={cx(box, 'hover:border-line-strong')}
        onClick={() => setOpen(true)}
      >
        {picture ? (
          <img src={picture.value} alt={alt} {...size} className="h-auto max-w-full object-contain" />
        ) : (
          <span style={size} className="block max-w-full">
            <span className="sr-only">{alt}</span>
          </span>
        )}
      </button>
      {isOpen && picture && (
        <LargePicture attachment={attachment} src={picture.value} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

type LargeProps = { attachment: Attachment; src: string; onClose: () => void }

/** A picture as large as the window allows. Escape, the button and a click beside it close it. */
export function LargePicture({ attachment, src, onClose }: LargeProps): ReactNode {
  const { description } = attachment
  const name = showHidden(attachment.name)
  return (
    <BareDialog label={`Picture ${name}`} className="large-picture" onClose={onClose}>
      <figure>
        <div className="flex items-center gap-3 ps-4 pe-2">
          <figcaption className="min-w-0 flex-1 py-2">
            <span dir="auto" className="block truncate text-sm font-medium">
              {name}
            </span>
            <span className="block truncate text-xs text-ink-2">{sizeLine(attachment)}</span>
          </figcaption>
          <IconButton label="Close" onClick={onClose}>
            <Icon name="close" />
          </IconButton>
        </div>
        <img
          src={src}
          alt={altOf(attachment)}
          width={attachment.width}
          height={attachment.height}
          className="large-picture-image"
        />
        {description !== undefined && (
          <p dir="auto" className="max-h-24 overflow-y-auto px-4 py-2.5 text-sm text-ink-2">
            {showHidden(description)}
          </p>
        )}
      </figure>
    </BareDialog>
  )
}

const SIGNS: Partial<Record<AttachmentKind, typeof File>> = {
  picture: ImageIcon,
  pptx: Presentation,
  odp: Presentation,
  xlsx: Sheet,
  ods: Sheet,
  csv: Sheet,
  sqlite: Database,
  html: Globe,
  eml: Mail,
  ipynb: Braces,
  other: File,
}

/** The icon of a kind of file, on a tile. */
export function AttachmentSign({ kind }: { kind: AttachmentKind }): ReactNode {
  const Sign = SIGNS[kind] ?? FileText
  return (
    <span className="attachment-sign">
      <Sign size={18} aria-hidden="true" />
    </span>
  )
}
