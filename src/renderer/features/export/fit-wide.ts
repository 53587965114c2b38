/** Tables with more columns stand on a sheet that is turned. */
const UPRIGHT = 8
/** Those with still more are cut into several, each with their first column. */
const MOST = 30
const PART = 14
/** Parts of formulas wider than this are measured; narrower ones fit any sheet, in em. */
const NARROW = 12

/**
 * Prepare what may be wider than a sheet, before a chat is printed: wide tables are turned, scaled by their number of columns or
 * cut into several, and parts of formulas that cannot break say how wide they are, so that print.css can shrink them.
 */
export function fitWide(printed: HTMLElement | null): void {
  if (!printed) return
  for (const table of printed.querySelectorAll('table')) fitTable(table)
  fitFormulas(printed)
}

function fitTable(table: HTMLTableElement): void {
  const block = table.closest<HTMLElement>('.table-block') ?? table
  const columns = Math.max(0, ...Array.from(table.rows, row => row.cells.length))
  if (columns > UPRIGHT) block.classList.add('printed-wide')
  if (columns <= MOST) return setColumns(table, columns)
  // The first column names the rows.
  for (let from = columns - 1 - ((columns - 2) % PART); from >= 1; from -= PART) {
    const part = block.cloneNode(true) as HTMLElement
    const copy = part.querySelector('table')!
    const to = Math.min(columns, from + PART)
    for (const row of copy.rows)
      for (const [at, cell] of [...row.cells].entries()) if (at > 0 && (at < from || at >= to)) cell.remove()
    copy.createCaption().textContent = `Columns ${from + 1} to ${to} of ${columns}`
    setColumns(copy, to - from + 1)
    block.after(part)
  }
  block.classList.add('split-table')
}

const setColumns = (table: HTMLElement, columns: number) =>
  table.style.setProperty('--columns', String(Math.max(1, columns)))

/** Formulas are measured where nobody sees them, as printing hides all else. */
function fitFormulas(printed: HTMLElement): void {
  const place = document.createElement('div')
  place.style.cssText = 'position:fixed;visibility:hidden;width:max-content;white-space:nowrap;contain:strict'
  document.body.append(place)
  const formulas = [...printed.querySelectorAll<HTMLElement>('.katex')]
  const copies = formulas.map(formula => {
    const copy = formula.cloneNode(true) as HTMLElement
    copy.style.display = 'block'
    return copy
  })
  place.append(...copies)
  const widths = copies.map(copy => {
    const em = Number.parseFloat(getComputedStyle(copy).fontSize)
    // Only what stands between two places to break counts.
    return (
      Math.max(0, ...Array.from(copy.querySelectorAll('.katex-html > .base'), base => base.scrollWidth)) / em
    )
  })
  place.remove()
  for (const [at, formula] of formulas.entries()) {
    const ems = widths[at] ?? 0
    if (ems > NARROW) formula.style.setProperty('--ems', String(Math.ceil(ems + 1)))
  }
}
