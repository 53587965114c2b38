import { decodeText, type TextFile } from '../lib/encodings/decode-text.ts'
import { many } from '../../shared/text/amounts.ts'
import { csvRows } from './data/csv.ts'
import { DocumentTrouble, LOCKED_OFFICE, type DocumentKind, type ZipMembers } from './document.ts'
import { isLockedOffice, nameOldOffice, nameOther, namePicture } from './other-kinds.ts'

/** The kind of a file. `named`: what it is, if it is not read. */
export type FoundKind = { kind: DocumentKind; text?: TextFile; named?: string }

const latin = (bytes: Buffer, to: number) => bytes.subarray(0, to).toString('latin1')

/** Find a file's kind by content, and for tables by extension. Throws `DocumentTrouble` if it is locked. */
export function findKind(bytes: Buffer, ending: string, zip: ZipMembers | undefined): FoundKind {
  const start = latin(bytes, 1_024)
  if (start.includes('%PDF-')) return { kind: 'pdf' }
  if (zip) return kindOfZip(zip)
  if (start.startsWith('SQLite format 3\0')) return { kind: 'sqlite' }
  if (start.startsWith(String.raw`{\rtf`)) return { kind: 'rtf' }
  if (start.startsWith('ÐÏ\u0011à')) {
    if (isLockedOffice(bytes)) throw new DocumentTrouble(LOCKED_OFFICE)
    return { kind: 'other', named: nameOldOffice(bytes) }
  }
  const picture = namePicture(bytes)
  if (picture !== undefined) return { kind: 'picture', named: picture }
  const other = nameOther(start)
  if (other !== undefined) return { kind: 'other', named: other }
  const text = decodeText(bytes)
  if (text === undefined) return { kind: 'other', named: 'no text, and of a kind that is not known here' }
  return { kind: kindOfText(text.text, ending), text }
}

const MEDIA: Readonly<Record<string, DocumentKind>> = {
  'application/epub+zip': 'epub',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
}

function kindOfZip(zip: ZipMembers): FoundKind {
  const media = zip.has('mimetype') ? (zip.text('mimetype')?.trim() ?? '') : ''
  const kind = MEDIA[media.replace(/-(?:template|master|web)$/, '')]
  if (kind !== undefined) return { kind }
  if (zip.has('word/document.xml')) return { kind: 'docx' }
  if (zip.has('ppt/presentation.xml')) return { kind: 'pptx' }
  if (zip.has('xl/workbook.xml')) return { kind: 'xlsx' }
  if (zip.has('META-INF/container.xml')) return { kind: 'epub' }
  if (zip.has('xl/workbook.bin'))
    return { kind: 'other', named: 'a binary Excel workbook (.xlsb). Save it as .xlsx to have it read' }
  const main = zip.names.find(name => /^word\/document\d*\.xml$/i.test(name))
  if (main !== undefined) return { kind: 'docx' }
  if (media.startsWith('application/vnd.oasis.opendocument.'))
    return { kind: 'other', named: `an OpenDocument file of a kind that is not read (${media.slice(35)})` }
  return {
    kind: 'other',
    named: `a zip archive (${many(zip.names.length, 'file')}). Unpack it to read what is in it`,
  }
}

function kindOfText(text: string, ending: string): DocumentKind {
  const start = text.slice(0, 4_096)
  const bare = start.replace(/^(?:\s+|<!--[^]*?-->|<\?[^]*?\?>)+/, '')
  if (/^<(?:!doctype html|html|head|body)\b/i.test(bare)) return 'html'
  if (/^html?$|^xhtml$/.test(ending) && /<[a-z]/i.test(start)) return 'html'
  if (bare.startsWith('{') && /"nbformat"\s*:/.test(text) && /"(?:cells|worksheets)"\s*:/.test(text))
    return 'ipynb'
  if (isMail(text.slice(0, MOST_MAIL_HEAD), ending === 'eml')) return 'eml'
  if (/^(?:csv|tsv|tab)$/.test(ending) && csvRows(text.slice(0, 100_000)) !== undefined) return 'csv'
  return 'text'
}

/** Maximum size of a mail's header, to which servers add lines. */
const MOST_MAIL_HEAD = 65_536

/** Whether a text is a mail, by its header lines. With the extension of mails, fewer lines are enough. */
function isMail(start: string, isNamedSo: boolean): boolean {
  if (!/^(?:[A-Za-z][\w-]*:|From )/.test(start)) return false
  const head = start.split(/\r?\n\r?\n/)[0] ?? ''
  const lines = head.split(/\r?\n/)
  const isLine = (line: string, at: number) =>
    /^(?:[A-Za-z][\w-]*:|\s)/.test(line) || (at === 0 && line.startsWith('From '))
  const has = (name: string) => lines.some(line => line.toLowerCase().startsWith(`${name}:`))
  const known = ['date', 'received', 'message-id', 'mime-version', 'subject', 'to'].filter(has).length
  if (isNamedSo) return has('from') || known > 1
  return (head === start || lines.every(isLine)) && has('from') && known - (has('to') ? 1 : 0) >= 2
}
