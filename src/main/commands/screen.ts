import { createControlReader } from './control-sequences.ts'
import { LONGEST_ROW, ScreenRow, withoutBlanks } from './screen-row.ts'

export type { ScreenRow }

/** How many rows a program can still redraw; those above are final. */
const ROWS = 100

/** Receives the final text in order. `row` is set if the text is one whole row of the screen. */
type Commit = (text: string, row?: ScreenRow) => void

/** A terminal screen that a program draws on. Only its last state counts. */
export type Screen = {
  /** Create an input for one stream, such as standard error. Escape sequences may span pieces. */
  input(): (piece: string) => void
  /** The rows on the screen that were written to, which can still change. `isLast`: no row is below. */
  rows(): { row: ScreenRow; isLast: boolean }[]
  /** Commit everything that is on the screen. */
  finish(): void
  /** Some printed text is no longer visible, because other text took its place. */
  readonly isRedrawn: boolean
  /** The program took over the whole screen, as editors and other full-screen programs do. */
  readonly isFullScreen: boolean
}

function eraseInRow(row: ScreenRow, how: number) {
  if (how === 0) row.eraseAfter()
  else if (how === 1) row.eraseBefore()
  else row.clear()
}

/**
 * Create a screen with lines of any length. It follows the sequences that draw progress: carriage return,
 * backspace, moving the cursor, erasing. Erased ordinary output is kept, but pictures drawn after an erasure
 * are not, so only the last one stays. Takes linear time and bounded memory.
 */
export function createScreen(commit: Commit): Screen {
  let rows = [new ScreenRow()]
  let at = 0
  let streams = 0
  let writer = 0
  let isRedrawn = false
  let isFullScreen = false
  /** The rows began with an erasure, so the next erasure may drop them. */
  let isPicture = false
  let scrolled = 0
  let saved = { row: 0, column: 0 }
  /** The ordinary screen, while a program shows another one. */
  let behind: { rows: ScreenRow[]; at: number } | undefined

  const current = () => rows[at]!

  /** Commit the text of a row that leaves the screen. Rows that were never written to are skipped. */
  function release(row: ScreenRow, isLast = false) {
    if (row.isRedrawn) isRedrawn = true
    if (behind || (!row.isUsed && !isLast)) return
    // A picture pads its rows with blanks.
    const text = isPicture || isFullScreen ? withoutBlanks(row.text()) : row.text()
    commit(isLast ? text : `${text}\n`, row)
  }

  function releaseAll() {
    while (rows.length > 1 && rows.at(-1)!.length === 0) rows.pop()
    for (const row of rows) if (row.length > 0 || rows.length > 1) release(row)
    reset()
  }

  function reset() {
    rows = [new ScreenRow()]
    at = 0
  }

  function newLine() {
    current().isUsed = true
    at++
    if (at === rows.length) addRow()
    current().toStart()
  }

  function addRow() {
    rows.push(new ScreenRow())
    if (rows.length <= ROWS) return
    release(rows.shift()!)
    scrolled++
    at--
  }

  function write(text: string, stream: number) {
    if (text === '') return
    // One stream must not overwrite by chance what another drew.
    if (stream !== writer && current().isInside) newLine()
    writer = stream
    const row = current()
    row.write(text)
    if (row.length <= LONGEST_ROW) return
    if (row.isRedrawn) isRedrawn = true
    const final = row.takeText()
    if (behind) return
    // The rows above came first, and are final too.
    for (const above of rows.splice(0, at)) release(above)
    scrolled += at
    at = 0
    commit(final)
  }

  function writeLines(text: string, stream: number) {
    let from = passThrough(text, stream)
    for (let end = text.indexOf('\n', from); end >= 0; end = text.indexOf('\n', from)) {
      write(text.slice(from, end), stream)
      newLine()
      from = end + 1
    }
    write(text.slice(from), stream)
  }

  /** Commit all of a long text except its end, which stays on the screen. Returns where that end begins. */
  function passThrough(text: string, stream: number): number {
    if (at < rows.length - 1 || current().isInside || text.length < 2 * ROWS) return 0
    let end = text.length
    for (let row = 0; row <= ROWS && end > 0; row++) end = text.lastIndexOf('\n', end - 1)
    const first = text.indexOf('\n')
    if (end <= first) return 0
    write(text.slice(0, first), stream)
    newLine()
    for (const row of rows.slice(0, -1)) release(row)
    rows = [current()]
    at = 0
    scrolled += ROWS
    // Its lines may be of any length, and none of them can change any more.
    if (!behind) commit(text.slice(first + 1, end + 1))
    return end + 1
  }

  /** Go to a row of the screen, adding rows if needed. */
  function toRow(row: number) {
    const { column } = current()
    const wanted = Math.max(0, Math.min(row, ROWS - 1))
    while (rows.length <= wanted) rows.push(new ScreenRow())
    at = wanted
    current().toColumn(column)
  }

  /** Go to a position of the screen. At the first call, the screen begins below earlier output. */
  function goTo(row: number, column: number) {
    isFullScreen = true
    if (!isPicture) startPicture()
    toRow(row)
    current().toColumn(column)
  }

  function startPicture() {
    if (!behind && !isPicture) releaseAll()
    else {
      if (rows.some(row => row.length > 0)) isRedrawn = true
      reset()
    }
    isPicture = true
  }

  function erase(how: number) {
    if (how >= 2) return startPicture()
    if (how === 1) {
      for (const row of rows.slice(0, at)) row.clear()
      return current().eraseBefore()
    }
    current().eraseAfter()
    if (rows.splice(at + 1).some(row => row.length > 0)) isRedrawn = true
  }

  function insertRows(count: number) {
    const added = Array.from({ length: Math.min(count, ROWS - at) }, () => new ScreenRow())
    rows.splice(at, 0, ...added)
    if (rows.splice(ROWS).some(row => row.length > 0)) isRedrawn = true
    current().toStart()
  }

  function removeRows(count: number) {
    if (rows.splice(at, count).some(row => row.length > 0)) isRedrawn = true
    if (rows.length === at) rows.push(new ScreenRow())
    current().toStart()
  }

  function showOther(isShown: boolean) {
    if (isShown === (behind !== undefined)) return
    if (behind) {
      ;({ rows, at } = behind)
      behind = undefined
      return
    }
    isFullScreen = true
    behind = { rows, at }
    reset()
  }

  const save = () => void (saved = { row: scrolled + at, column: current().column })
  const restore = () => {
    toRow(saved.row - scrolled)
    current().toColumn(saved.column)
  }

  function control(final: string, given: string) {
    if (given.startsWith('?')) {
      if ((final === 'h' || final === 'l') && /^\?(?:47|1047|1049)$/.test(given)) showOther(final === 'h')
      return
    }
    // Other terminal sequences, which move nothing.
    if (/[^\d;]/.test(given)) return
    const numbers = given.split(';').map(Number)
    const [first = 0, second = 0] = numbers
    const count = Math.max(1, first)
    const row = current()
    switch (final) {
      case 'A':
        return toRow(at - count)
      case 'B':
        return toRow(at + count)
      case 'C':
        return row.move(count)
      case 'D':
        return row.move(-count)
      case 'E':
        toRow(at + count)
        return current().toStart()
      case 'F':
        toRow(at - count)
        return current().toStart()
      case 'G':
      case '`':
        return row.toColumn(count - 1)
      case 'H':
      case 'f':
        return goTo(count - 1, Math.max(1, second) - 1)
      case 'd':
        return goTo(count - 1, row.column)
      case 'J':
        return erase(first)
      case 'K':
        return eraseInRow(row, first)
      case 'X':
        return row.blank(count)
      case 'P':
        return row.remove(count)
      case '@':
        return row.insert(count)
      case 'L':
        return insertRows(count)
      case 'M':
        return removeRows(count)
      case 's':
        return save()
      case 'u':
        return restore()
    }
  }

  function escape(final: string, given: string) {
    if (given !== '') return
    if (final === '7') save()
    else if (final === '8') restore()
    else if (final === 'M') toRow(at - 1)
    else if (final === 'D') toRow(at + 1)
    else if (final === 'E') newLine()
    else if (final === 'c') startPicture()
  }

  return {
    input() {
      const stream = streams++
      return createControlReader(part => {
        if (part.kind === 'text') writeLines(part.text, stream)
        else if (part.kind === 'return') current().return()
        else if (part.kind === 'back') current().move(-1)
        else if (part.kind === 'csi') control(part.final, part.given)
        else escape(part.final, part.given)
      })
    },
    rows: () =>
      [...(behind?.rows ?? []), ...rows]
        .map((row, index, all) => ({ row, isLast: index === all.length - 1 }))
        .filter(({ row }) => row.isUsed),
    finish() {
      const all = [...(behind?.rows ?? []), ...rows]
      behind = undefined
      const last = all.findLastIndex(row => row.length > 0)
      const end = Math.max(last, all.indexOf(current()))
      all.slice(0, end + 1).forEach((row, index) => release(row, index === end))
      reset()
    },
    get isRedrawn() {
      return isRedrawn || rows.some(row => row.isRedrawn)
    },
    get isFullScreen() {
      return isFullScreen
    },
  }
}
