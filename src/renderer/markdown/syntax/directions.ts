/** A node of the rendered tree. */
type DrawnNode = {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: DrawnNode[]
}

const TAGS = new Set('p li ul ol blockquote table th td h1 h2 h3 h4 h5 h6 summary details'.split(' '))
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
const LETTER = /\p{L}/u

type Direction = 'ltr' | 'rtl' | undefined

/**
 * Give each paragraph, item, quote and cell the direction of its own first letter; `dir="auto"` on the whole
 * answer would use the first letter for all. Code and formulas are ignored, unless there is nothing else.
 */
export function setDirections(): (tree: DrawnNode) => void {
  return tree => void directionOf(tree)
}

function directionOf(node: DrawnNode): Direction {
  if (node.type === 'text') return directionOfText(node.value ?? '')
  let first: Direction
  for (const child of node.children ?? []) {
    const own = directionOf(child)
    first ??= own
  }
  if (node.tagName === 'code' || node.tagName === 'pre') return undefined
  if (first && TAGS.has(node.tagName ?? '')) node.properties = { ...node.properties, dir: first }
  return first
}

function directionOfText(text: string): Direction {
  const letter = LETTER.exec(text)?.[0]
  if (letter === undefined) return undefined
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr'
}
