import { MOST_CHARACTERS, type Reader } from '../document.ts'
import { walkMarkup, type Tag } from '../web/markup.ts'
import { contentOf } from './odf.ts'
import { columnName, MOST_COLUMNS, sayTooWide, sheetText, type Sheet } from './sheet-text.ts'

/** Maximum number of equal rows in succession to write. */
const MOST_REPEATED = 1_000

/** Read an OpenDocument spreadsheet: a page per sheet, with ISO dates and the saved values of formulas. */
export const readOds: Reader = source => {
  const pages: string[] = []
  const problems: string[] = []
  const hiddenStyles = new Set<string>()
  let style = ''
  let sheet: Sheet | undefined
  let row = -1
  let repeated = 1
  let isHiddenRow = false
  let columns = 0
  let cells: string[] = []
  let cell: { value: string | undefined; text: string; repeated: number } | undefined
  let comment: string | undefined
  let paragraphs = 0
  let isFact = false
  let characters = 0
  let isCut = false
  let isTooWide = false

  walkMarkup(contentOf(source), {
    open(tag) {
      const { name } = tag
      if (name === 'style') style = tag.get('name') ?? ''
      else if (name === 'table-properties' && tag.get('display') === 'false') hiddenStyles.add(style)
      else if (name === 'table') {
        const isHidden = hiddenStyles.has(tag.get('style-name') ?? '')
        sheet = {
          name: tag.get('name') ?? '',
          isHidden,
          rows: [],
          merged: [],
          hiddenRows: [],
          hiddenColumns: [],
          comments: [],
        }
        row = -1
        columns = 0
        isTooWide = false
        if (isHidden) problems.push(`The sheet ${sheet.name} is hidden.`)
      } else if (name === 'table-column' && sheet) {
        const count = Math.min(Number(tag.get('number-columns-repeated') ?? 1) || 1, MOST_COLUMNS)
        if (isOut(tag)) for (let at = 0; at < count; at++) sheet.hiddenColumns.push(columns + at)
        columns += count
      } else if (name === 'table-row') {
        row++
        repeated = Number(tag.get('number-rows-repeated') ?? 1) || 1
        isHiddenRow = isOut(tag)
        cells = []
        isCut ||= characters > MOST_CHARACTERS || source.isLate()
      } else if (name === 'table-cell' || name === 'covered-table-cell') beginCell(tag)
      else if (name === 'annotation') comment = ''
      else if (name === 'creator' || name === 'date') isFact = comment !== undefined
      else if (name === 'p') {
        paragraphs++
        if (cell && comment === undefined && cell.text !== '') cell.text += '\n'
      } else if (name === 's' && cell) cell.text += ' '
    },
    text(text) {
      if (paragraphs === 0 || isFact) return
      if (comment !== undefined) comment += `${text} `
      else if (cell) cell.text += text
    },
    close(name) {
      if (name === 'p') paragraphs--
      else if (name === 'creator' || name === 'date') isFact = false
      else if (name === 'annotation' && comment !== undefined) {
        sheet?.comments.push(
          `- ${columnName(cells.length)}${row + 1}: ${comment.replaceAll(/\s+/g, ' ').trim()}`,
        )
        comment = undefined
      } else if ((name === 'table-cell' || name === 'covered-table-cell') && cell) endCell(cell)
      else if (name === 'table-row') endRow()
      else if (name === 'table' && sheet) {
        const width = sheet.rows.reduce((most, each) => Math.max(most, each.cells.length), 0)
        sheet.hiddenColumns = sheet.hiddenColumns.filter(at => at < width)
        if (isCut) problems.push(`The sheet ${sheet.name} is too big: only its beginning was read.`)
        if (isTooWide) problems.push(sayTooWide(sheet.name))
        pages.push(sheetText(sheet))
        sheet = undefined
      }
    },
  })
  return { pages, problems }

  function beginCell(tag: Tag) {
    const spanned = Number(tag.get('number-columns-spanned') ?? 1) || 1
    const below = Number(tag.get('number-rows-spanned') ?? 1) || 1
    if (sheet && (spanned > 1 || below > 1))
      sheet.merged.push(
        `${columnName(cells.length)}${row + 1}:${columnName(cells.length + spanned - 1)}${row + below}`,
      )
    cell = { value: valueOf(tag), text: '', repeated: Number(tag.get('number-columns-repeated') ?? 1) || 1 }
  }

  function endCell({
    value,
    text,
    repeated: count,
  }: {
    value: string | undefined
    text: string
    repeated: number
  }) {
    const shown = value ?? text
    if (shown !== '' && cells.length + count > MOST_COLUMNS) isTooWide = true
    for (let each = 0; each < count && cells.length < MOST_COLUMNS; each++) cells.push(shown)
    cell = undefined
  }

  function endRow() {
    while (cells.at(-1) === '') cells.pop()
    const isFilled = cells.length > 0 && !isCut
    const times = isFilled ? Math.min(repeated, MOST_REPEATED) : 0
    if (isFilled && repeated > MOST_REPEATED)
      problems.push(
        `The row ${row + 1} of the sheet ${sheet?.name ?? ''} is repeated ${repeated} times; ${MOST_REPEATED} are shown.`,
      )
    for (let each = 0; each < times; each++) {
      sheet?.rows.push({ at: row + each, cells })
      characters += cells.reduce((sum, text) => sum + text.length + 3, 0)
      if (isHiddenRow) sheet?.hiddenRows.push(row + each)
    }
    row += repeated - 1
  }
}

const isOut = (tag: Tag) => /^(?:collapse|filter)$/.test(tag.get('visibility') ?? '')

/** The value of a cell, regardless of its display; undefined for text. */
function valueOf(tag: Tag): string | undefined {
  const value = tag.get('value')
  switch (tag.get('value-type')) {
    case 'date':
      return tag
        .get('date-value')
        ?.replace('T', ' ')
        .replace(/ 00:00:00$/, '')
    case 'time': {
      const [, hours = '0', minutes = '0', seconds = '0'] =
        /^PT(\d+)H(\d+)M(\d+)/.exec(tag.get('time-value') ?? '') ?? []
      const pad = (each: string) => each.padStart(2, '0')
      return `${pad(hours)}:${pad(minutes)}${Number(seconds) > 0 ? `:${pad(seconds)}` : ''}`
    }
    case 'percentage':
      return value === undefined ? undefined : `${Number((Number(value) * 100).toPrecision(12))} %`
    case 'float':
    case 'currency':
      return value === undefined
        ? undefined
        : `${value}${tag.get('currency') ? ` ${tag.get('currency')}` : ''}`
    case 'boolean':
      return tag.get('boolean-value')?.toUpperCase()
    default:
      return undefined
  }
}
