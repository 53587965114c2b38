import { isText, type PageElement } from '../dom.ts'

const MARK = 'data-talaria-at'

/**
 * Number the elements of a page, so that what an extractor keeps can be found again where it stood: its own text is changed by
 * each extractor in its own way.
 */
export function markElements(elements: readonly PageElement[]): void {
  for (const [at, element] of elements.entries()) element.setAttribute(MARK, String(at))
}

/** The numbers of the elements that an extractor has left in its HTML. */
export function keptIn(html: string): Set<number> {
  const kept = new Set<number>()
  for (const [, at] of html.matchAll(/ data-talaria-at="(\d+)"/g)) kept.add(Number(at))
  return kept
}

/** Take everything out of a page but the elements that are kept, and what leads to them. */
export function prunePage(elements: readonly PageElement[], isKept: (at: number) => boolean): void {
  // From the innermost to the outermost: one that still has children leads to something that is kept.
  for (let at = elements.length - 1; at >= 0; at--) {
    const element = elements[at]!
    if (isKept(at)) continue
    if (element.children.length === 0) element.remove()
    else for (const child of element.childNodes) if (isText(child)) child.remove()
  }
}
