import katex from 'katex'
import 'katex/dist/katex.min.css'
import { formulaOptions } from '../../../shared/markdown/formula-options.ts'

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
  const options = formulaOptions(tex, isDisplay)
  if (!options) return undefined
  try {
    const tree = drawTree(tex, { ...options, errorColor: 'var(--color-danger)' })
    styleByHand(tree)
    return tree.toNode()
  } catch {
    // Besides errors in the formula: so deeply nested that the stack ends.
    return undefined
  }
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
