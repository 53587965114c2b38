import { List, type CssNode } from 'css-tree'
import type { Declaration } from './declarations.ts'

/** Our property for the background that a pseudo-element (`::before`, `::after`) gives its element. */
export const PSEUDO_GROUND = '-pseudo-ground'

/** The selector of the element to which a selector adds a pseudo-element; undefined if it adds none. */
export function hostOfPseudo(selector: CssNode): CssNode | undefined {
  if (selector.type !== 'Selector') return undefined
  const parts = selector.children.toArray()
  const last = parts.at(-1)
  const isPseudo =
    (last?.type === 'PseudoElementSelector' || last?.type === 'PseudoClassSelector') &&
    /^(?:before|after)$/i.test(last.name)
  if (!isPseudo || parts.length < 2) return undefined
  return { ...selector, children: new List<CssNode>().fromArray(parts.slice(0, -1)) }
}

/** The background that a pseudo-element gives its element: a colour or a picture with its own position. */
export function groundOfPseudo(declarations: readonly Declaration[]): Declaration[] {
  const last = (name: RegExp) => declarations.findLast(({ property }) => name.test(property))
  const isPlaced = /^(?:absolute|fixed)$/i.test(last(/^position$/)?.value ?? '')
  const isTiny = /^0*1?(?:\.\d+)?(?:px)?$/.test(last(/^(?:width|height)$/)?.value ?? 'auto')
  const ground = last(/^background(?:-color|-image)?$/)
  return isPlaced && !isTiny && ground ? [{ ...ground, property: PSEUDO_GROUND }] : []
}
