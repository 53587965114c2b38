import { isText, type PageElement } from '../dom.ts'

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
