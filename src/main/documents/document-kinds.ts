import type { DocumentKind, Reader } from './document.ts'

/** A kind of document: the user's word for it, its file name extensions, and its reader. */
export type Kind = { title: string; endings: readonly string[]; load(): Promise<Reader> }

/** All kinds that can be read. A new kind needs a row here, a reader, and detection in `find-kind.ts`. */
export const KINDS: Readonly<Record<Exclude<DocumentKind, 'picture' | 'other'>, Kind>> = {
  text: { title: 'text', endings: [], load: async () => readPlainText },
  pdf: { title: 'a PDF', endings: ['pdf'], load: async () => (await import('./pdf.ts')).readPdf },
  docx: {
    title: 'a Word document',
    endings: ['docx', 'docm', 'dotx', 'dotm'],
    load: async () => (await import('./office/docx.ts')).readDocx,
  },
  pptx: {
    title: 'a PowerPoint presentation',
    endings: ['pptx', 'pptm', 'ppsx', 'potx', 'ppsm', 'potm'],
    load: async () => (await import('./office/pptx.ts')).readPptx,
  },
  xlsx: {
    title: 'an Excel workbook',
    endings: ['xlsx', 'xlsm', 'xltx', 'xltm'],
    load: async () => (await import('./office/xlsx.ts')).readXlsx,
  },
  odt: {
    title: 'an OpenDocument text',
    endings: ['odt', 'ott', 'odm'],
    load: async () => (await import('./office/odf.ts')).readOdt,
  },
  ods: {
    title: 'an OpenDocument spreadsheet',
    endings: ['ods', 'ots'],
    load: async () => (await import('./office/ods.ts')).readOds,
  },
  odp: {
    title: 'an OpenDocument presentation',
    endings: ['odp', 'otp'],
    load: async () => (await import('./office/odf.ts')).readOdp,
  },
  epub: {
    title: 'an EPUB book',
    endings: ['epub'],
    load: async () => (await import('./web/epub.ts')).readEpub,
  },
  html: {
    title: 'an HTML page',
    endings: ['html', 'htm', 'xhtml'],
    load: async () => (await import('./web/html.ts')).readHtml,
  },
  ipynb: {
    title: 'a Jupyter notebook',
    endings: ['ipynb'],
    load: async () => (await import('./data/jupyter.ts')).readNotebook,
  },
  csv: {
    title: 'a table as text',
    endings: ['csv', 'tsv', 'tab'],
    load: async () => (await import('./data/csv.ts')).readCsv,
  },
  sqlite: {
    title: 'an SQLite database',
    endings: ['sqlite', 'sqlite3', 'db', 'db3'],
    load: async () => (await import('./data/sqlite.ts')).readSqlite,
  },
  rtf: {
    title: 'an RTF document',
    endings: ['rtf', 'doc'],
    load: async () => (await import('./rtf.ts')).readRtf,
  },
  eml: {
    title: 'an e-mail',
    endings: ['eml', 'mht', 'mhtml'],
    load: async () => (await import('./mail.ts')).readMail,
  },
}

/** Read text and code as one page, unchanged. */
const readPlainText: Reader = ({ text }) => ({
  pages: [text?.text ?? ''],
  problems:
    text && !text.exact && text.encoding === 'utf8' && !text.isUnsure
      ? ['Some of its bytes are not valid UTF-8; they are shown as \ufffd.']
      : [],
})
