import type { Refusal } from '../../../lib/expected-errors.ts'
import { newAttribute, seeInBrowser } from './browser/see-in-browser.ts'
import { hideUnseen, type HiddenOfPage, type HideOptions } from './hide-unseen.ts'
import { inOneLine, listBoxes, type SeenDocument, type SeenNode } from './page-nodes.ts'

/**
 * Takes out of a page what a person cannot see on it, as an installed browser lays it out, and what its styles hide besides.
 * Refused where no browser is there or it fails; the page is then as it was.
 */
export async function hideInBrowser(
  document: SeenDocument,
  {
    signal,
    findBrowser,
    ...options
  }: HideOptions & { signal: AbortSignal; findBrowser?: () => string | undefined },
): Promise<HiddenOfPage | Refusal> {
  const attribute = newAttribute()
  const { boxes, areAll } = listBoxes(document, 60_000)
  for (const [number, box] of boxes.entries())
    if (box.texts.length > 0) box.element.setAttribute(attribute, String(number))
  const html = `<!doctype html>${document.documentElement?.outerHTML ?? ''}`
  for (const { element } of boxes) element.removeAttribute(attribute)
  const seen = await seeInBrowser(html, { signal, attribute, ...(findBrowser && { findBrowser }) })
  if ('refused' in seen) return seen
  const unseen = new Set<SeenNode>()
  for (const { stamp, text } of seen.unseen) {
    const wanted = inOneLine(text)
    for (const node of boxes[Number(stamp)]?.texts ?? [])
      if (inOneLine(node.textContent ?? '') === wanted) unseen.add(node)
  }
  const { hidden, isTooBig } = hideUnseen(document, { ...options, unseen })
  return { hidden, isTooBig: isTooBig || seen.isTooBig || !areAll }
}
