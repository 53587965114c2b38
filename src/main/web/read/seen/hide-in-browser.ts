import { isRefusal } from '../../../lib/expected-errors.ts'
import { newAttribute, type Eyes } from './browser/see-in-browser.ts'
import { gatherHidden } from './hidden-texts.ts'
import { hideUnseen, markInside, type HiddenOfPage, type HideOptions } from './hide-unseen.ts'
import { isFormulaSource } from './never-shown.ts'
import { inOneLine, listBoxes, type SeenDocument, type SeenNode } from './page-nodes.ts'

/** Maximum number of elements that a browser is asked about. */
const MOST_BOXES = 60_000

/**
 * Remove what a page's styles hide, and then everything else that users cannot see in an installed browser.
 * `unlooked`: why no browser was used, so that only styles were judged.
 */
export async function hideInBrowser(
  document: SeenDocument,
  { signal, eyes, ...options }: HideOptions & { signal: AbortSignal; eyes: Eyes },
): Promise<HiddenOfPage & { unlooked?: string }> {
  const attribute = newAttribute()
  const { boxes, areAll } = listBoxes(document, MOST_BOXES)
  const written = new Map<SeenNode, string>()
  for (const [number, { element, texts }] of boxes.entries()) {
    if (texts.length > 0) element.setAttribute(attribute, String(number))
    for (const text of texts) written.set(text, text.textContent ?? '')
  }
  // The original page, because what its styles hide may still take up space.
  const html = `${hasDoctype(document) ? '<!doctype html>' : ''}${document.documentElement?.outerHTML ?? ''}`
  for (const { element } of boxes) element.removeAttribute(attribute)
  const formulas = markInside(boxes, isFormulaSource)
  const byStyles = hideUnseen(document, options)
  const left = new Set(listBoxes(document, MOST_BOXES).boxes.flatMap(({ texts }) => texts))
  const isAsked = (text: SeenNode) => left.has(text) && (text.textContent ?? '').trim() !== ''
  const among = boxes.flatMap((box, number) =>
    !formulas.has(box) && box.texts.some(isAsked) ? [number] : [],
  )
  if (among.length === 0) return byStyles
  const seen = await eyes.see(html, { signal, attribute, among })
  if (isRefusal(seen)) return { ...byStyles, unlooked: seen.refused }
  const hidden = gatherHidden()
  for (const text of byStyles.hidden) hidden.add(text)
  for (const { stamp, text } of seen.unseen) {
    const wanted = inOneLine(text)
    for (const node of boxes[Number(stamp)]?.texts ?? [])
      if (isAsked(node) && inOneLine(written.get(node) ?? '') === wanted) {
        hidden.add(wanted)
        node.textContent = ' '
      }
  }
  return { hidden: hidden.texts(), isTooBig: byStyles.isTooBig || seen.isTooBig || !areAll }
}

/** Whether a page has a modern doctype; browsers render others in quirks mode. */
function hasDoctype(document: SeenDocument): boolean {
  for (let node = document.firstChild; node; node = node.nextSibling) if (node.nodeType === 10) return true
  return false
}
