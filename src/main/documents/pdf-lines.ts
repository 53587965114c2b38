/** A piece of text on a page, from pdf.js. Pieces without text mark structure. */
type Piece = { str: string; hasEOL: boolean; width: number; height: number; transform: readonly number[] }

/** Minimum gap between table columns, in letter heights. */
const COLUMN_GAP = 1.8
/** Minimum distance between paragraphs, in letter heights. */
const PARAGRAPH_GAP = 1.9

/** The lines of a page in reading order. Gaps within a line stay wide, and paragraphs are separated. */
export function writeLines(items: readonly unknown[]): string {
  const lines: string[] = []
  let line = ''
  let last: { y: number; height: number } | undefined
  let end: { x: number; y: number } | undefined
  for (const item of items) {
    if (!isPiece(item)) continue
    const [x = 0, y = 0] = item.transform.slice(4)
    const height = item.height || last?.height || 10
    if (item.str.trim() !== '') {
      if (line === '' && last && last.y - y > Math.max(height, last.height) * PARAGRAPH_GAP) lines.push('')
      const gap = end && Math.abs(end.y - y) < height / 2 ? x - end.x : 0
      if (line.trim() !== '' && gap > height * COLUMN_GAP) line = `${line.trimEnd()}   `
      last = { y, height }
      end = { x: x + item.width, y }
    }
    line += item.str
    if (item.hasEOL) {
      lines.push(line.trimEnd())
      line = ''
    }
  }
  lines.push(line.trimEnd())
  return lines
    .join('\n')
    .replaceAll('\0', '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

const isPiece = (item: unknown): item is Piece =>
  typeof item === 'object' && item !== null && 'str' in item && 'transform' in item
