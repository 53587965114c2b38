import { byCount } from '../../shared/text/amounts.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PDFDocumentProxy } from 'unpdf/pdfjs'
import { characterMaps } from '../lib/disk/shipped-files.ts'
import { DocumentTrouble, type Content, type Reader, MOST_CHARACTERS } from './document.ts'
import { nameNumbers } from './text-flow.ts'
import { writeLines } from './pdf-lines.ts'

/** A page with a picture and fewer characters is a scan; those are a stamp or a page number. */
const SCAN_CHARACTERS = 12

/** Read the pages of a PDF, with its notes. Pages with pictures but without text are reported as scans. */
export const readPdf: Reader = async source => {
  const { getDocument } = await import('unpdf/pdfjs')
  using warnings = hearWarnings()
  const data = new Uint8Array(source.bytes)
  const task = getDocument({
    data,
    BinaryDataFactory: MapReader,
    cMapUrl: 'cmaps/',
    cMapPacked: true,
    // Decode no pictures: a warning about each larger one shows that it exists.
    maxImageSize: 4,
    useSystemFonts: true,
    disableFontFace: true,
    useWorkerFetch: false,
    verbosity: 1,
    ...(source.password !== undefined && { password: source.password }),
  })
  let document: PDFDocumentProxy
  try {
    document = await task.promise
  } catch (error) {
    throw troubleOf(error, source.password !== undefined)
  }
  try {
    return await readPages(document, source.isLate, warnings)
  } finally {
    await task.destroy()
  }
}

async function readPages(
  document: PDFDocumentProxy,
  isLate: () => boolean,
  warnings: { takePictures(): number },
): Promise<Content> {
  const count = document.numPages
  const pages: string[] = []
  const scanned: number[] = []
  const damaged: number[] = []
  let characters = 0
  for (let n = 1; n <= count && !isLate() && characters < MOST_CHARACTERS; n++) {
    try {
      const page = await document.getPage(n)
      const { items } = await page.getTextContent()
      let text = writeLines(items)
      if (text.replaceAll(/\s/g, '').length < SCAN_CHARACTERS) {
        warnings.takePictures()
        await page.getOperatorList()
        if (warnings.takePictures() > 0) scanned.push(n)
      }
      const notes = await notesOn(page)
      if (notes.length > 0) text += `${text === '' ? '' : '\n\n'}Notes on this page:\n${notes.join('\n')}`
      pages.push(text)
      characters += text.length
      page.cleanup()
    } catch (error) {
      if (!(error instanceof Error)) throw error
      damaged.push(n)
      pages.push('')
    }
  }
  return {
    pages,
    problems: [
      ...(pages.length < count
        ? [`It has ${count} pages. Only the first ${pages.length} were read, because reading takes too long.`]
        : []),
      ...(scanned.length > 0
        ? [
            `${nameNumbers(scanned, 'Page', 'Pages')} ${byCount(scanned.length, 'is', 'are')} scanned: a picture without text, which is not read.`,
          ]
        : []),
      ...(damaged.length > 0 ? [`${nameNumbers(damaged, 'Page', 'Pages')} cannot be read: damaged.`] : []),
    ],
  }
}

type PdfPage = Awaited<ReturnType<PDFDocumentProxy['getPage']>>

/** The annotations and filled-in form fields of a page. */
async function notesOn(page: PdfPage): Promise<string[]> {
  const notes: string[] = []
  for (const each of (await page.getAnnotations()) as readonly Record<string, unknown>[]) {
    const { subtype, fieldName, fieldValue } = each
    const contents = textOf(each['contentsObj'])
    const author = textOf(each['titleObj'])
    if (subtype === 'Widget' && typeof fieldValue === 'string' && fieldValue.trim() !== '')
      notes.push(`- ${typeof fieldName === 'string' ? fieldName : 'field'}: ${fieldValue.trim()}`)
    else if (subtype !== 'Widget' && subtype !== 'Link' && subtype !== 'Popup' && contents !== '')
      notes.push(`- ${author === '' ? '' : `${author}: `}${contents}`)
  }
  return notes
}

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'str' in value && typeof value.str === 'string'
    ? value.str.replaceAll(/\s+/g, ' ').trim()
    : ''

function troubleOf(error: unknown, wasGiven: boolean): unknown {
  if (!(error instanceof Error)) return error
  if (error.name === 'PasswordException')
    return new DocumentTrouble(
      wasGiven ? 'is locked, and this is not its password' : 'is locked with a password',
      'password',
    )
  if (error.name === 'InvalidPDFException' || error.name === 'MissingPDFException')
    return new DocumentTrouble('is damaged, or only a part of a PDF')
  return error
}

/** Reads the character maps for Chinese, Japanese and Korean fonts. */
class MapReader {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    if (kind !== 'cMapUrl' || !/^[\w-]+\.bcmap$/.test(filename))
      throw new Error(`There is no ${filename} here`)
    return new Uint8Array(await readFile(join(characterMaps(), filename)))
  }
}

/** Catch the console warnings of pdf.js, its only report of content that it leaves out. */
function hearWarnings(): Disposable & { takePictures(): number } {
  let pictures = 0
  const hear = (...said: unknown[]) => {
    if (/image|JPX|JBIG2|dependent|wasm/i.test(String(said[0]))) pictures++
  }
  const { log, warn, error, info } = console
  Object.assign(console, { log: hear, warn: hear, error: hear, info: hear })
  return {
    [Symbol.dispose]: () => void Object.assign(console, { log, warn, error, info }),
    takePictures() {
      const count = pictures
      pictures = 0
      return count
    },
  }
}
