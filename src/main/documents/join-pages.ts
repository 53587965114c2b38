import { many } from '../../shared/text/amounts.ts'
import { KINDS } from './document-kinds.ts'
import type { DocumentKind, Reading } from './document.ts'

/** Names of pages by kind. Sheets and tables have their own names. */
const PAGES: Partial<Record<DocumentKind, string>> = {
  pdf: 'page',
  pptx: 'slide',
  odp: 'slide',
  epub: 'chapter',
}
const PARTS: Partial<Record<DocumentKind, string>> = {
  ...PAGES,
  xlsx: 'sheet',
  ods: 'sheet',
  sqlite: 'table',
}

/** Join the pages of a document. If there are several, each one starts with its number. */
export function joinPages({ kind, pages }: Pick<Reading, 'kind' | 'pages'>): string {
  const word = PAGES[kind]
  const isNumbered = pages.length > 1 && word !== undefined
  return pages.map(({ n, text }) => (isNumbered ? `[${word} ${n}]\n${text}` : text)).join('\n\n')
}

/** A document's kind and length in words, such as `a PDF of 12 pages`. */
export function nameDocument({ kind, pages }: Pick<Reading, 'kind' | 'pages'>): string {
  if (kind === 'picture' || kind === 'other') return kind === 'picture' ? 'a picture' : 'a file'
  const word = PARTS[kind]
  return KINDS[kind].title + (word === undefined ? '' : ` of ${many(pages.length, word)}`)
}
