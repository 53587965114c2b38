import { byCount } from '../../../../shared/text/amounts.ts'
import type {
  Attachment,
  AttachmentKind,
  UnsentAttachment,
} from '../../../../shared/contract/chats/attachments.ts'
import type { Message } from '../../../../shared/contract/chats/messages.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { countOf, formatBytes, formatDuration } from '../../../ui/text/format-values.ts'

const KINDS: Readonly<Record<AttachmentKind, string>> = {
  text: 'Text',
  pdf: 'PDF',
  docx: 'Word',
  pptx: 'PowerPoint',
  xlsx: 'Excel',
  odt: 'OpenDocument text',
  ods: 'OpenDocument table',
  odp: 'OpenDocument slides',
  epub: 'EPUB',
  html: 'Web page',
  ipynb: 'Notebook',
  csv: 'Table (CSV)',
  sqlite: 'SQLite database',
  rtf: 'RTF',
  eml: 'E-mail',
  picture: 'Picture',
  other: 'File',
}

/** The word for a page of each kind; all other kinds have pages. */
const PAGES: Partial<Record<AttachmentKind, readonly [one: string, several: string]>> = {
  pptx: ['slide', 'slides'],
  odp: ['slide', 'slides'],
  xlsx: ['sheet', 'sheets'],
  ods: ['sheet', 'sheets'],
  sqlite: ['table', 'tables'],
  epub: ['chapter', 'chapters'],
}

/** The word for a page of an attachment, as in “Slide 3”. */
export const pageName = (kind: AttachmentKind): string => PAGE_NAMES[kind] ?? 'Page'

const PAGE_NAMES: Partial<Record<AttachmentKind, string>> = {
  pptx: 'Slide',
  odp: 'Slide',
  xlsx: 'Sheet',
  ods: 'Sheet',
  sqlite: 'Table',
  epub: 'Chapter',
}

/** The size of an attachment in pages and tokens: `PDF · 12 pages · 4,210 tokens`. */
export function sizeLine({ kind, bytes, pages, tokens, width, height }: Attachment): string {
  const parts = [KINDS[kind]]
  if (kind === 'picture' && width !== undefined && height !== undefined) parts.push(`${width} × ${height}`)
  // Plain text has no pages, and a single page is not worth mentioning.
  if (pages !== undefined && pages > 1) parts.push(countOf(pages, ...(PAGES[kind] ?? ['page', 'pages'])))
  parts.push(tokens === undefined ? formatBytes(bytes) : countOf(tokens, 'token', 'tokens'))
  return parts.join(' · ')
}

/** The size line with origin and content hash, for a tooltip. */
export const originLine = ({ path, hash, ...rest }: UnsentAttachment): string =>
  [sizeLine({ hash, ...rest }), ...(path === undefined ? [] : [path]), `SHA-256 ${hash.slice(0, 12)}…`].join(
    '\n',
  )

/** What happened to the file on disk since it was attached; empty if it is unchanged. */
export const diskLine = ({ onDisk }: UnsentAttachment): string =>
  onDisk === undefined
    ? ''
    : onDisk === 'gone'
      ? 'The file is no longer there. The copy made when it was attached is sent.'
      : 'The file has changed on disk. The copy made when it was attached is sent.'

/** How long the chat's model needs to read the whole attachment; empty while unknown. */
export const readingLine = ({ readSeconds }: UnsentAttachment): string =>
  readSeconds === null ? '' : `about ${formatDuration(Math.max(1, readSeconds) * 1_000)} to read`

/** The alternative text of a picture. */
export const altOf = ({ name, description }: Attachment): string =>
  showHidden(description ?? `Picture ${name}`)

/** The messages, with a description added to one of their pictures. */
export const withDescription = (
  messages: readonly Message[],
  { hash, description }: Pick<Attachment, 'hash'> & { description: string },
): readonly Message[] =>
  messages.map(message =>
    message.role === 'assistant' || !message.attachments?.some(each => each.hash === hash)
      ? message
      : {
          ...message,
          attachments: message.attachments.map(each =>
            each.hash === hash ? { ...each, description } : each,
          ),
        },
  )

/** The text of a message that has only attachments. */
export const textFor = (attachments: readonly Attachment[]): string =>
  byCount(
    attachments.length,
    `Here is ${attachments[0]?.name ?? 'a file'}.`,
    `Here are ${attachments.length} files.`,
  )

/** An excerpt around a match: `found` is between `before` and `after`. */
export type Snippet = { before: string; found: string; after: string }

/** How many characters to show before and after a match, and the maximum number of matches per page. */
const AROUND = 80
const MOST_PLACES = 30

/** The matches of the words of a query in a text, each with the text around it. */
export function snippetsOf(text: string, query: string): Snippet[] {
  const words = query.match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length === 0) return []
  const pattern = new RegExp(
    words
      .toSorted((a, b) => b.length - a.length)
      .map(word => RegExp.escape?.(word) ?? word)
      .join('|'),
    'giu',
  )
  const snippets: Snippet[] = []
  let end = -1
  for (const { index, 0: found } of text.matchAll(pattern)) {
    if (snippets.length >= MOST_PLACES) break
    // A match inside the previous snippet gets none of its own.
    if (index < end) continue
    end = index + found.length + AROUND
    snippets.push({
      before: `${index > AROUND ? '…' : ''}${text.slice(Math.max(0, index - AROUND), index)}`.toWellFormed(),
      found,
      after: `${text.slice(index + found.length, end)}${end < text.length ? '…' : ''}`.toWellFormed(),
    })
  }
  return snippets
}
