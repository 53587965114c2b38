import katex from 'katex'
import 'katex/dist/katex.min.css'
import { formulaOptions } from '../../../shared/markdown/formula-options.ts'

/** A node of KaTeX before rendering: an element with a style and, for drawings, attributes. */
type Drawn = {
  children?: Drawn[]
  attributes?: Record<string, string | undefined>
  toNode(): Node
}
const { __renderToDomTree: drawTree } = katex as unknown as {
  __renderToDomTree(tex: string, options: object): Drawn
}

/**
 * Render a formula as detached elements; undefined if it cannot be rendered, such as one that is incomplete
 * or too large. The result loads nothing and links nowhere. The page's policy forbids style attributes, so
 * styles are set on each element.
 */
export function typesetFormula(tex: string, isDisplay: boolean): Node | undefined {
  const options = formulaOptions(tex, isDisplay)
  if (!options) return undefined
  try {
    const tree = drawTree(tex, { ...options, errorColor: 'var(--color-danger)' })
    styleByHand(tree)
    return tree.toNode()
  } catch {
    // Errors in the formula, or nesting so deep that the stack overflows.
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
