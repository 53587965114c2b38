import { DocumentTrouble, MOST_CHARACTERS, type Reader, type ZipMembers } from '../document.ts'
import { walkMarkup } from '../web/markup.ts'
import { cellFormats, dateText, timeText, type CellFormat } from './number-formats.ts'
import { isTrue, relationsOf } from './package-parts.ts'
import { MOST_COLUMNS, placeOf, sayTooWide, sheetText, type Sheet } from './sheet-text.ts'

type Book = { texts: string[]; formats: CellFormat[]; is1904: boolean; isLate(): boolean }

/** Read an Excel workbook: a page per sheet, with ISO dates and the saved values of formulas. */
export const readXlsx: Reader = ({ zip, isLate }) => {
  const main = 'xl/workbook.xml'
  const xml = zip?.text(main)
  if (!zip || xml === undefined) throw new DocumentTrouble('is a damaged workbook')
  const relations = relationsOf(zip, main)
  const related = (type: string) => zip.text(relations.find(each => each.type === type)?.target ?? '')
  const targets = new Map(relations.map(({ id, target }) => [id, target]))
  const sheets: { name: string; isHidden: boolean; part: string }[] = []
  let is1904 = false
  walkMarkup(xml, {
    open(tag) {
      if (tag.name === 'workbookPr') is1904 = isTrue(tag.get('date1904'))
      if (tag.name === 'sheet')
        sheets.push({
          name: tag.get('name') ?? '',
          isHidden: /hidden/i.test(tag.get('state') ?? ''),
          part: targets.get(tag.prefixed('id') ?? '') ?? '',
        })
    },
  })
  const book: Book = {
    texts: sharedTexts(related('sharedStrings') ?? ''),
    formats: cellFormats(related('styles')),
    is1904,
    isLate,
  }
  const pages: string[] = []
  const problems: string[] = []
  let characters = 0
  for (const { name, isHidden, part } of sheets) {
    if (isLate() || characters > MOST_CHARACTERS) break
    const sheetXml = zip.text(part)
    // A sheet may be a chart.
    if (sheetXml === undefined) problems.push(`The sheet ${name} cannot be read: missing.`)
    const { sheet, unsaved, isCut, isTooWide } = readSheet(sheetXml ?? '', name, isHidden, book)
    sheet.comments.push(...commentsOf(zip, part))
    if (isHidden) problems.push(`The sheet ${name} is hidden.`)
    if (unsaved > 0)
      problems.push(`The sheet ${name} has formulas without a saved value; the formulas are shown.`)
    if (isCut) problems.push(`The sheet ${name} is too big: only its beginning was read.`)
    if (isTooWide) problems.push(sayTooWide(name))
    const text = sheetText(sheet)
    characters += text.length
    pages.push(text)
  }
  if (pages.length < sheets.length)
    problems.push(`It has ${sheets.length} sheets. Only the first ${pages.length} were read.`)
  return { pages, problems }
}

/** The texts that cells refer to by number, without pronunciation hints. */
function sharedTexts(xml: string): string[] {
  const texts: string[] = []
  let text = ''
  let isText = false
  let isSound = false
  walkMarkup(xml, {
    open(tag) {
      if (tag.name === 'si') text = ''
      else if (tag.name === 't') isText = true
      else if (tag.name === 'rPh') isSound = true
    },
    text: each => void (isText && !isSound && (text += each)),
    close(name) {
      if (name === 't') isText = false
      else if (name === 'rPh') isSound = false
      else if (name === 'si') texts.push(text)
    },
  })
  return texts
}

type Cell = { column: number; type: string; style: number; value: string; formula: string }

function readSheet(xml: string, name: string, isHidden: boolean, book: Book) {
  const sheet: Sheet = {
    name,
    isHidden,
    rows: [],
    merged: [],
    hiddenRows: [],
    hiddenColumns: [],
    comments: [],
  }
  let row: { at: number; cells: string[] } = { at: -1, cells: [] }
  let cell: Cell | undefined
  let into: 'value' | 'formula' | undefined
  let unsaved = 0
  let characters = 0
  let isCut = false
  let isTooWide = false
  walkMarkup(xml, {
    open(tag) {
      const tagName = tag.name
      if (tagName === 'row') {
        isCut ||= characters > MOST_CHARACTERS || book.isLate()
        row = { at: Number(tag.get('r') ?? row.at + 2) - 1, cells: [] }
        if (isTrue(tag.get('hidden'))) sheet.hiddenRows.push(row.at)
      } else if (tagName === 'c') {
        const column = placeOf(tag.get('r') ?? '')?.column ?? row.cells.length
        const style = Number(tag.get('s') ?? 0)
        cell = { column, type: tag.get('t') ?? 'n', style, value: '', formula: '' }
      } else if (tagName === 'v' || tagName === 't') into = 'value'
      else if (tagName === 'f') into = 'formula'
      else if (tagName === 'mergeCell') sheet.merged.push(tag.get('ref') ?? '')
      else if (tagName === 'col' && isTrue(tag.get('hidden'))) {
        const to = Math.min(Number(tag.get('max') ?? 0), MOST_COLUMNS)
        for (let at = Number(tag.get('min') ?? 1); at <= to; at++) sheet.hiddenColumns.push(at - 1)
      }
    },
    text: text => void (cell && into && (cell[into] += text)),
    close(closed) {
      if (closed === 'v' || closed === 't' || closed === 'f') into = undefined
      else if (closed === 'c' && cell) {
        const isUnsaved = cell.formula !== '' && cell.value === '' && cell.type !== 'str'
        if (isUnsaved) unsaved++
        const text = isUnsaved ? `=${cell.formula}` : valueOf(cell, book)
        if (text !== '' && cell.column >= MOST_COLUMNS) isTooWide = true
        else if (text !== '') {
          while (row.cells.length < cell.column) row.cells.push('')
          row.cells[cell.column] = text
          characters += text.length + 3
        }
        cell = undefined
      } else if (closed === 'row' && row.cells.length > 0 && !isCut) sheet.rows.push(row)
    },
  })
  // Rows and columns hidden up to the end of the sheet are empty.
  const width = sheet.rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  sheet.hiddenColumns = sheet.hiddenColumns.filter(at => at < width)
  const filled = new Set(sheet.rows.map(({ at }) => at))
  sheet.hiddenRows = sheet.hiddenRows.filter(at => filled.has(at))
  return { sheet, unsaved, isCut, isTooWide }
}

function valueOf({ type, style, value }: Cell, { texts, formats, is1904 }: Book): string {
  if (type === 's') return texts[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type === 'd') return value.replace(/T00:00:00(?:\.0+)?$/, '').replace('T', ' ')
  if (type !== 'n' || value === '') return value
  const number = Number(value)
  const format = formats[style] ?? 'plain'
  if (Number.isNaN(number)) return value
  if (format === 'date') return dateText(number, is1904)
  if (format === 'time') return timeText(number, is1904)
  if (format === 'percent') return `${Number((number * 100).toPrecision(12))} %`
  // Excel calculates with 15 digits, but saves 0.1 + 0.2 with 17.
  return String(Number(number.toPrecision(15)))
}

function commentsOf(zip: ZipMembers, part: string): string[] {
  if (!zip.has(part)) return []
  const found: string[] = []
  for (const { target } of relationsOf(zip, part).filter(({ type }) => type === 'comments')) {
    let place = ''
    let text = ''
    let isText = false
    walkMarkup(zip.text(target) ?? '', {
      open(tag) {
        if (tag.name === 'comment') {
          place = tag.get('ref') ?? ''
          text = ''
        } else if (tag.name === 't') isText = true
      },
      text: each => void (isText && (text += each)),
      close(name) {
        if (name === 't') isText = false
        else if (name === 'comment') found.push(`- ${place}: ${text.replaceAll(/\s+/g, ' ').trim()}`)
      },
    })
  }
  return found
}
