import { eastAsianWidth } from 'get-east-asian-width'
import { ReturnedLines } from './carriage-returns.ts'

/** Maximum column that the cursor can be moved to without writing; no terminal is wider. */
const MOST_COLUMNS = 300
/** Length from which the content of a row is final, like a line that a terminal has wrapped. */
export const LONGEST_ROW = 8_192
/** Maximum number of combining marks in one column. More of them are not text. */
const MOST_MARKS = 16
/** The content of a column that a wide character or a tab before it covers. */
const REST = ''

/** Matches text in which each character takes one column. */
const SIMPLE = /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u2500-\u259f\u2800-\u28ff]*$/
/** Contents that can be overwritten without loss: nothing, a blank, a covered column, an underline. */
const COVERED = new Set<string | undefined>([undefined, ' ', '', '_'])
const NO_COLUMN = /^[\p{Mn}\p{Me}\p{Cf}]$/u

/**
 * One line of a screen, and the column of its cursor. A row written only from left to right, as most are,
 * stays one string. Once something is overwritten, it becomes a list of columns. A class, because there is
 * one for each line.
 */
export class ScreenRow {
  /** Something was written to the row. */
  isUsed = false
  private plain = ''
  private cells: string[] | undefined
  /** Undefined: after the last character. */
  private cursor: number | undefined
  private wasRedrawn = false
  /** The texts between carriage returns, until anything but text arrives. */
  private returned: ReturnedLines | 'no lines' | undefined

  /** Some text was overwritten or erased. */
  get isRedrawn(): boolean {
    return this.wasRedrawn && this.lines() === undefined
  }

  /** The length of the row in characters or columns, whichever is known. */
  get length(): number {
    return this.cells ? this.cells.length : this.plain.length
  }

  /** Whether text written at the cursor would overwrite other text. */
  get isInside(): boolean {
    if (this.cursor === undefined) return false
    return this.cursor < (this.cursor === 0 ? this.length : this.end())
  }

  /** The column of the cursor. */
  get column(): number {
    return this.cursor ?? this.end()
  }

  /** The present text of the row. */
  text(): string {
    const lines = this.lines()
    if (lines) return lines.join('\n')
    const text = this.cells ? this.cells.join('') : this.plain
    // Blanks at the end of a redrawn row only erased earlier text.
    return this.wasRedrawn ? withoutBlanks(text) : text
  }

  /** Remove the text from the row, and return it. */
  takeText(): string {
    const text = this.text()
    this.set('')
    this.wasRedrawn = false
    this.returned = 'no lines'
    return text
  }

  /** Write at the cursor, over any text there. */
  write(text: string): void {
    this.isUsed = true
    if (this.returned instanceof ReturnedLines) this.returned.add(text)
    if (!this.cells && (this.cursor === undefined || this.writePlainly(text, this.cursor))) {
      if (this.cursor === undefined) this.plain += text
      else this.cursor = undefined
      return
    }
    const list = this.columns()
    let column = this.cursor ?? list.length
    for (const letter of text) {
      const before = list[column]
      const next = put(list, column, letter)
      if (next > column && before !== letter && !COVERED.has(before)) this.wasRedrawn = true
      column = next
    }
    this.cursor = column >= list.length ? undefined : column
  }

  /** Go back to the start of the row, at a carriage return. */
  return(): void {
    if (this.returned === undefined && this.length > 0)
      this.returned = this.cells ? 'no lines' : new ReturnedLines(this.plain)
    if (this.returned instanceof ReturnedLines && !this.returned.end()) this.returned = 'no lines'
    this.place(0)
  }

  toStart(): void {
    this.returned = 'no lines'
    this.place(0)
  }

  toColumn(column: number): void {
    this.returned = 'no lines'
    this.place(Math.min(column, MOST_COLUMNS))
  }

  /** Move by columns, to the left if negative. */
  move(by: number): void {
    this.returned = 'no lines'
    const from = this.column
    this.place(by < 0 ? Math.max(0, from + by) : Math.min(from + by, Math.max(from, MOST_COLUMNS)))
  }

  eraseAfter(): void {
    this.returned = 'no lines'
    const { cursor } = this
    if (cursor === undefined) return
    if (cursor === 0) return this.clear()
    const list = this.columns()
    if (cursor >= list.length) return
    split(list, cursor)
    list.length = cursor
    this.wasRedrawn = true
    this.cursor = undefined
  }

  eraseBefore(): void {
    this.returned = 'no lines'
    this.erase(0, this.column + 1)
  }

  clear(): void {
    this.returned = 'no lines'
    const column = this.cursor === 0 ? 0 : this.column
    if (this.length > 0) this.wasRedrawn = true
    this.set('')
    this.place(column)
  }

  /** Erase this many characters from the cursor on. */
  blank(count: number): void {
    this.returned = 'no lines'
    this.erase(this.column, this.column + count)
  }

  /** Remove this many columns at the cursor. */
  remove(count: number): void {
    this.returned = 'no lines'
    const list = this.columns()
    const { cursor } = this
    if (cursor === undefined || cursor >= list.length) return
    split(list, cursor)
    split(list, cursor + count)
    list.splice(cursor, count)
    this.wasRedrawn = true
  }

  /** Insert blanks at the cursor. Text pushed too far to the right is lost, as in a terminal. */
  insert(count: number): void {
    this.returned = 'no lines'
    const list = this.columns()
    const { cursor } = this
    if (cursor === undefined || cursor >= list.length) return
    split(list, cursor)
    list.splice(cursor, 0, ...Array<string>(Math.min(count, MOST_COLUMNS)).fill(' '))
    if (list.length > LONGEST_ROW) list.length = LONGEST_ROW
    this.wasRedrawn = true
  }

  /** Write a plain text to a plain row without making a list of columns. False if that is not possible. */
  private writePlainly(text: string, cursor: number): boolean {
    const { plain } = this
    const end = cursor + text.length
    if ((cursor > 0 && cursor < plain.length) || end < plain.length) return false
    if (!SIMPLE.test(plain) || !SIMPLE.test(text)) return false
    if (cursor === 0) {
      if (plain.trim() !== '' && !text.startsWith(plain)) this.wasRedrawn = true
      this.plain = text
    } else this.plain = plain.padEnd(cursor) + text
    return true
  }

  private lines(): readonly string[] | undefined {
    return this.returned instanceof ReturnedLines ? this.returned.lines() : undefined
  }

  private erase(from: number, to: number): void {
    const list = this.columns()
    const end = Math.min(to, list.length)
    if (from >= end) return
    if (from === 0 && end === list.length) return this.clear()
    split(list, from)
    split(list, end)
    list.fill(' ', from, end)
    this.wasRedrawn = true
  }

  private columns(): string[] {
    if (this.cells) return this.cells
    const list: string[] = []
    for (const letter of this.plain) put(list, list.length, letter)
    this.plain = ''
    return (this.cells = list)
  }

  private end(): number {
    if (!this.cells && SIMPLE.test(this.plain)) return this.plain.length
    return this.columns().length
  }

  private place(column: number): void {
    this.cursor = column === 0 && this.length === 0 ? undefined : column
  }

  private set(text: string): void {
    this.plain = text
    this.cells = undefined
    this.cursor = undefined
  }
}

/** Remove the blanks at the end of a text. */
export function withoutBlanks(text: string): string {
  let end = text.length
  while (text[end - 1] === ' ') end--
  return text.slice(0, end)
}

/** Put a character into a column, and return the next one. Characters covered in part become blank. */
function put(list: string[], column: number, letter: string): number {
  const width = widthOf(letter, column)
  if (width === 0) return putMark(list, column, letter)
  while (list.length < column) list.push(' ')
  // A tab passes over existing text.
  if (letter === '\t' && column < list.length) return Math.min(column + width, list.length)
  split(list, column)
  split(list, column + width)
  list[column] = letter
  for (let each = column + 1; each < column + width; each++) list[each] = REST
  return column + width
}

function putMark(list: string[], column: number, mark: string): number {
  let under = Math.min(column, list.length) - 1
  while (list[under] === REST) under--
  const letter = list[under]
  if (letter !== undefined && letter.length < MOST_MARKS) list[under] = letter + mark
  return column
}

/** Replace a character by blanks if the start of this column cuts it in two. */
function split(list: string[], column: number): void {
  if (list[column] !== REST) return
  let from = column
  while (list[from] === REST && from > 0) from--
  list[from] = ' '
  for (let each = from + 1; list[each] === REST; each++) list[each] = ' '
}

function widthOf(letter: string, column: number): number {
  const code = letter.codePointAt(0)!
  if (letter === '\t') return 8 - (column % 8)
  if (code < 0x300) return 1
  return NO_COLUMN.test(letter) ? 0 : eastAsianWidth(code)
}
