/** A node of the rendered tree. */
type DrawnNode = {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: DrawnNode[]
}

/** Maximum length of a short cell, in characters. Text of these scripts may break after any character. */
const LONGEST = 6
const LETTER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/**
 * Mark table cells that contain a short word of a script without spaces, so that the word stays on one line:
 * a narrow window would break `第一天` after its second character.
 */
export function keepShortCells(): (tree: DrawnNode) => void {
  return markCells
}

function markCells(node: DrawnNode): void {
  if (node.tagName !== 'td' && node.tagName !== 'th') {
    for (const child of node.children ?? []) markCells(child)
    return
  }
  const lines = textOf(node).split('\n')
  if (lines.some(line => LETTER.test(line)) && lines.every(line => Array.from(line.trim()).length <= LONGEST))
    node.properties = { ...node.properties, className: ['short-cell'] }
}

function textOf({ type, tagName, value = '', children = [] }: DrawnNode): string {
  if (type === 'text') return value
  return tagName === 'br' ? '\n' : children.map(textOf).join('')
}
