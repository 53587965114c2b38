import katex from 'katex'
import 'katex/dist/katex.min.css'

/** Letters that a formula with definitions of its own may grow to. A few lines of them could stand for millions. */
const MOST_EXPANDED = 8_000
const DEFINES = /\\(?:[egx]?def|(?:re)?new(?:command|environment)|providecommand|(?:future)?let)\b/

/** What KaTeX makes before it draws: elements with a style and, of drawings, with attributes. */
type Drawn = {
  children?: Drawn[]
  attributes?: Record<string, string | undefined>
  toNode(): Node
}
const { __renderToDomTree: drawTree } = katex as unknown as {
  __renderToDomTree(tex: string, options: object): Drawn
}

/**
 * Set a formula as elements that are complete before they join the page; undefined if it cannot be set, as one that is
 * cut off or asks for too much. It loads nothing and links nowhere. The page forbids styles written as attributes, so each
 * is given to its element.
 */
export function typesetFormula(tex: string, isDisplay: boolean): Node | undefined {
  if (depthOf(tex) > DEEPEST) return undefined
  const options = {
    displayMode: isDisplay,
    throwOnError: true,
    errorColor: 'var(--color-danger)',
    trust: false,
    strict: 'ignore',
    maxSize: 20,
    maxExpand: DEFINES.test(tex) ? Math.max(4, Math.floor(MOST_EXPANDED / tex.length)) : 1_000,
    macros: {},
  }
  try {
    const tree = drawTree(tex, options)
    styleByHand(tree)
    return tree.toNode()
  } catch {
    // Besides errors in the formula: so deeply nested that the stack ends.
    return undefined
  }
}

/** Braces in one another. KaTeX needs minutes for some thousands, and formulas that people write have a few. */
const DEEPEST = 100

function depthOf(tex: string): number {
  let depth = 0
  let most = 0
  for (const letter of tex) {
    if (letter === '{') most = Math.max(most, ++depth)
    else if (letter === '}') depth--
  }
  return most
}

function styleByHand(drawn: Drawn): void {
  const style = drawn.attributes?.['style']
  if (drawn.attributes && style !== undefined) {
    delete drawn.attributes['style']
    const draw = drawn.toNode.bind(drawn)
    drawn.toNode = () => {
      const node = draw()
      ;(node as HTMLElement).style.cssText = style
      return node
    }
  }
  for (const child of drawn.children ?? []) styleByHand(child)
}
