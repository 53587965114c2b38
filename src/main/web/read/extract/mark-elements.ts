import { isText, type PageElement } from '../dom.ts'

const MARK = 'data-talaria-at'

/**
 * Number the elements of a page, so that those that an extractor keeps can be found again in the original.
 * Each extractor changes its own copy.
 */
export function markElements(elements: readonly PageElement[]): void {
  for (const [at, element] of elements.entries()) element.setAttribute(MARK, String(at))
}

/** The numbers of the elements in the HTML that an extractor returns. */
export function keptIn(html: string): Set<number> {
  const kept = new Set<number>()
  for (const [, at] of html.matchAll(/ data-talaria-at="(\d+)"/g)) kept.add(Number(at))
  return kept
}

/** Remove everything from a page except the kept elements and their parents. */
export function prunePage(elements: readonly PageElement[], isKept: (at: number) => boolean): void {
  // From inner to outer elements: one that still has children contains a kept element.
  for (let at = elements.length - 1; at >= 0; at--) {
    const element = elements[at]!
    if (isKept(at)) continue
    if (element.children.length === 0) element.remove()
    else for (const child of element.childNodes) if (isText(child)) child.remove()
  }
}
