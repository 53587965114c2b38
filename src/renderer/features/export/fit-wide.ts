import { byCount } from '../../../shared/text/amounts.ts'

/** Usable width of a sheet, in pt: the smaller of A4 and Letter, in portrait and landscape. */
const UPRIGHT = 500
const TURNED = 700
/** Font sizes in tables, in pt. A table that needs a smaller font is set in landscape, or split. */
const NORMAL = 9.5
const LEAST = 6.8
/** Maximum length of a word that is not broken, in em. */
const LONGEST_WORD = 16
/** Minimum width of a column of sentences before the sheet is set in landscape, in em. */
const LINE = 9
/** Gap between two columns, in em. */
const GAP = 0.9
/** Minimum width in em of formula parts that are measured; narrower ones fit any sheet. */
const NARROW = 12

/** The width of a column, in em: its minimum, and its width without line breaks. */
type Column = { least: number; whole: number }

/**
 * Prepare content that may be wider than a sheet, before a chat is printed. Tables get columns and a font
 * size that fit; wide ones are set in landscape or split. Unbreakable parts of formulas are marked with their
 * width, so that print.css can shrink them.
 */
export function fitWide(printed: HTMLElement | null): void {
  if (!printed) return
  markCitations(printed)
  // The printed content is not displayed yet, so measure copies in a hidden element.
  const place = document.createElement('div')
  place.className = 'prose'
  place.style.cssText = 'position:fixed;visibility:hidden;white-space:nowrap;contain:strict'
  document.body.append(place)
  fitTables([...printed.querySelectorAll('table')], place)
  fitFormulas([...printed.querySelectorAll<HTMLElement>('.katex')], place)
  place.remove()
}

/** Source numbers are links whose addresses are listed below the answer, so they are not repeated. */
function markCitations(printed: HTMLElement): void {
  for (const link of printed.querySelectorAll('section:has(.printed-sources) a[href]'))
    if (/^\[\d+\]$/.test(link.textContent)) link.classList.add('printed-cite')
}

function fitTables(tables: readonly HTMLTableElement[], place: HTMLElement): void {
  const copies = tables.map(table => {
    const copy = table.cloneNode(true) as HTMLTableElement
    copy.classList.add('measured-table')
    // Addresses are printed after links.
    for (const link of copy.querySelectorAll<HTMLAnchorElement>('a[href^="http"]:not(.printed-cite)'))
      link.append(` (${link.getAttribute('href')})`)
    return copy
  })
  place.append(...copies)
  const least = copies.map(copy => widthsIn(copy, 'min-content'))
  const whole = copies.map(copy => widthsIn(copy, 'max-content'))
  place.replaceChildren()
  for (const [at, table] of tables.entries())
    fitTable(
      table,
      least[at]!.map((word, column) => {
        const all = (whole[at]![column] ?? word) + GAP
        return { whole: all, least: Math.max(Math.min(word, LONGEST_WORD) + GAP, Math.min(all, LINE)) }
      }),
    )
}

/** The widths of the columns of a table, in em. */
function widthsIn(table: HTMLTableElement, width: 'min-content' | 'max-content'): number[] {
  table.style.width = width
  table.dataset['wrap'] = String(width === 'min-content')
  const em = Number.parseFloat(getComputedStyle(table).fontSize)
  return Array.from(table.rows[0]?.cells ?? [], cell => cell.getBoundingClientRect().width / em)
}

function fitTable(table: HTMLTableElement, columns: readonly Column[]): void {
  const block = table.closest<HTMLElement>('.table-block') ?? table
  const needed = LEAST * sumOf(columns.map(({ least }) => least))
  if (needed <= UPRIGHT) return setColumns(table, columns, UPRIGHT)
  if (needed <= TURNED) {
    block.classList.add('printed-wide')
    // Keep the heading with its block.
    const before = block.previousElementSibling
    if (before && /^H\d$/.test(before.tagName)) before.classList.add('printed-wide')
    return setColumns(table, columns, TURNED)
  }
  let last = block
  for (const part of cutColumns(columns.map(({ least }) => least))) {
    const next = block.cloneNode(true) as HTMLElement
    const copy = next.querySelector('table') ?? (next as HTMLTableElement)
    const isIn = (at: number) => at === 0 || (at >= part.from && at < part.to)
    for (const row of copy.rows)
      for (const [at, cell] of [...row.cells].entries()) if (!isIn(at)) cell.remove()
    copy.createCaption().textContent = byCount(
      part.to - part.from,
      `Column ${part.to} of ${columns.length}`,
      `Columns ${part.from + 1} to ${part.to} of ${columns.length}`,
    )
    setColumns(
      copy,
      columns.filter((_, at) => isIn(at)),
      UPRIGHT,
    )
    last.after(next)
    last = next
  }
  block.classList.add('split-table')
}

/** Split columns into about equal parts that fit a sheet beside the first column. `to` is exclusive. */
function cutColumns([name = 0, ...others]: readonly number[]): { from: number; to: number }[] {
  const room = UPRIGHT / LEAST - name
  const cut = (limit: number) => {
    const parts: { from: number; to: number }[] = []
    let filled = Infinity
    for (const [at, width] of others.entries()) {
      if (filled + width > limit) {
        parts.push({ from: at + 1, to: at + 1 })
        filled = 0
      }
      parts.at(-1)!.to = at + 2
      filled += width
    }
    return parts
  }
  const full = cut(room)
  const even = cut(Math.min(room, sumOf(others) / full.length + Math.max(0, ...others) / 2))
  return even.length === full.length ? even : full
}

/** Give each column its share of the sheet, and the table a font size that fits. */
function setColumns(table: HTMLTableElement, columns: readonly Column[], sheet: number): void {
  const least = sumOf(columns.map(column => column.least))
  const size = Math.min(NORMAL, sheet / least)
  table.style.setProperty('--letters', `${Math.max(LEAST, Math.floor(size * 10) / 10)}pt`)
  const wanted = sumOf(columns.map(({ whole }) => whole))
  if (wanted * size <= sheet) return
  const share = (sheet / size - least) / (wanted - least)
  const widths = columns.map(column => column.least + (column.whole - column.least) * share)
  const all = sumOf(widths)
  table.classList.add('fixed-columns')
  const group = document.createElement('colgroup')
  for (const width of widths) {
    const column = document.createElement('col')
    column.style.width = `${((width / all) * 100).toFixed(2)}%`
    group.append(column)
  }
  // The table's caption comes first.
  if (table.caption) table.caption.after(group)
  else table.prepend(group)
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0)

function fitFormulas(formulas: readonly HTMLElement[], place: HTMLElement): void {
  const copies = formulas.map(formula => {
    const copy = formula.cloneNode(true) as HTMLElement
    copy.style.display = 'block'
    return copy
  })
  place.append(...copies)
  const widths = copies.map(copy => {
    const em = Number.parseFloat(getComputedStyle(copy).fontSize)
    // Only the widest part between two break points counts.
    return Math.max(0, ...Array.from(copy.querySelectorAll('.katex-base'), base => base.scrollWidth)) / em
  })
  for (const [at, formula] of formulas.entries()) {
    const ems = widths[at] ?? 0
    if (ems > NARROW) formula.style.setProperty('--ems', String(Math.ceil(ems + 1)))
  }
}
