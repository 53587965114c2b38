/** Maximum lines and characters between carriage returns; more must be frames of a progress display. */
const MOST_LINES = 200
const MOST_CHARACTERS = 20_000
/** Minimum number of lines, and share of different ones: lines differ, but frames mostly repeat. */
const LEAST_LINES = 3
const SHARE_OF_KINDS = 0.75
/** Characters that change from one frame of a progress display to the next. */
const CHANGING = /[\d\s.,:%/\\|()[\]{}<>=#*_+\u2500-\u28ff-]+/g

/**
 * Collects what was written to a row between carriage returns. Old Mac text ends each line with one, so on a
 * screen parts of several lines overlap. Frames of a progress display cover or erase the previous ones.
 */
export class ReturnedLines {
  private readonly ended: string[] = []
  private current: string
  private readonly kinds = new Set<string>()
  private characters = 0
  private leavesRest = false

  constructor(first: string) {
    this.current = first
  }

  add(text: string): void {
    if (this.current.length <= MOST_CHARACTERS) this.current += text
  }

  /** End a line at a carriage return. False if these are not lines, because blanks covered the one before. */
  end(): boolean {
    const { current, ended } = this
    if (current === '') return true
    this.characters += current.length
    if (ended.length >= MOST_LINES || this.characters > MOST_CHARACTERS) return false
    const before = ended.at(-1)?.trimEnd() ?? ''
    const own = current.trimEnd()
    if (current.length < before.length) this.leavesRest = true
    const isErasing = own.length < before.length && current.length >= before.length
    this.kinds.add(current.replace(CHANGING, '0'))
    ended.push(current)
    this.current = ''
    return own !== '' && !isErasing && this.areDifferent()
  }

  /** The lines; undefined if the text was not lines. */
  lines(): readonly string[] | undefined {
    const { current, ended } = this
    const isShorter = current !== '' && current.length < (ended.at(-1)?.trimEnd().length ?? 0)
    if (!this.leavesRest && !isShorter) return undefined
    const all = current === '' ? ended : [...ended, current]
    return all.length >= LEAST_LINES ? all : undefined
  }

  private areDifferent(): boolean {
    return this.ended.length < LEAST_LINES || this.kinds.size >= this.ended.length * SHARE_OF_KINDS
  }
}
