import { elementsIn, parsePage, type PageDocument, type PageElement } from '../dom.ts'
import { chooseElements } from './choose-elements.ts'
import { chooseQuickly } from './choose-quickly.ts'
import { markElements, prunePage } from './mark-elements.ts'
import { countWords, measureBlocks } from './measure-blocks.ts'
import { runDefuddle, runReadability, type Kept } from './run-extractors.ts'

/** The main text of a page as part of its document. `visible`: how many words users see on the page. */
export type MainText = { root: PageElement; visible: number; words: number; isWhole: boolean }

/** A page with fewer words is returned whole, because there is nothing to remove. */
const FEW = 25
/** If the text found is less than this share of the page, return everything but frames. */
const LEAST_SHARE = 0.02
/** Maximum number of elements for the extractors, which take about 0.1 ms each; a page has 10 s. */
const MOST_ELEMENTS = 25_000
const FRAME =
  'nav, footer, aside, header nav, form, button, select, dialog, [role="navigation"], [role="contentinfo"], [role="search"], [role="banner"] nav'

/** Find the main text of a page, and remove everything else from the document. */
export function extractMain(document: PageDocument, address: string): MainText {
  const { body } = document
  const elements = elementsIn(body)
  const measures = measureBlocks(elements)
  const visible = countWords(directText(body)) + sumOfTop(measures.words, measures.parent)
  if (visible < FEW) return { root: body, visible, words: visible, isWhole: true }
  if (elements.length > MOST_ELEMENTS) {
    const root = chooseQuickly(document, elements, measures)
    return { root, visible, words: countWords(root.textContent ?? ''), isWhole: root === body }
  }
  markElements(elements)
  const defuddle = keptBy(() => runDefuddle(document.cloneNode(true), address))
  if (defuddle.html !== undefined) {
    const own = parsePage(defuddle.html).body
    const words = countWords(own.textContent ?? '')
    // Rules for one site are right only as long as the site does not change.
    if (words > FEW && words > LEAST_SHARE * visible) return { root: own, visible, words, isWhole: false }
  }
  const readability = keptBy(() => runReadability(document.cloneNode(true)))
  const chosen = chooseElements(elements, measures, {
    defuddle: defuddle.elements,
    readability: readability.elements,
  })
  let words = 0
  for (const at of chosen) words += measures.own[at] ?? 0
  if (words >= FEW && words >= LEAST_SHARE * visible) {
    prunePage(elements, at => chosen.has(at))
    for (const child of body.childNodes) if (child.nodeType === 3) child.remove()
    return { root: body, visible, words, isWhole: false }
  }
  for (const element of body.querySelectorAll(FRAME)) element.remove()
  const left = countWords(body.textContent ?? '')
  return { root: body, visible, words: left, isWhole: true }
}

/** Run an extractor. A strange page may break it in any way, but the other extractor remains. */
function keptBy(run: () => Kept): Kept {
  try {
    return run()
  } catch {
    return { elements: new Set() }
  }
}

const directText = (body: PageElement): string =>
  [...body.childNodes].map(child => (child.nodeType === 3 ? (child.textContent ?? '') : '')).join(' ')

function sumOfTop(words: Float64Array, parent: Int32Array): number {
  let sum = 0
  for (let at = 0; at < words.length; at++) if (parent[at]! < 0) sum += words[at]!
  return sum
}
