/** More of them are frames of a progress, whatever they say. */
const MOST_LINES = 200
const MOST_CHARACTERS = 20_000
/** Lines that come after each other differ; frames mostly repeat one another but for numbers and bars. */
const LEAST_LINES = 3
const SHARE_OF_KINDS = 0.75
/** What changes from one frame of a progress to the next. */
const CHANGING = /[\d\s.,:%/\\|()[\]{}<>=#*_+\u2500-\u28ff-]+/g

/**
 * What was written to a row between carriage returns. Text of old Macs ends each line with one, which on a screen leaves parts
 * of several lines over each other. Frames of a progress cover or erase the ones before.
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

  /** A carriage return. False when these are no lines: who covers the one before with blanks draws. */
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

  /** The lines, if that is what they are. */
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
