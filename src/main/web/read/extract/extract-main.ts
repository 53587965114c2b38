import { elementsIn, parsePage, type PageDocument, type PageElement } from '../dom.ts'
import { chooseElements } from './choose-elements.ts'
import { chooseQuickly } from './choose-quickly.ts'
import { markElements, prunePage } from './mark-elements.ts'
import { countWords, measureBlocks } from './measure-blocks.ts'
import { runDefuddle, runReadability, type Kept } from './run-extractors.ts'

/** The main text of a page as a part of its document, and how many words of it a person sees. */
export type MainText = { root: PageElement; visible: number; words: number; isWhole: boolean }

/** A page of fewer words is given whole: there is nothing beside its text that is worth a guess. */
const FEW = 25
/** Of a page whose text is found to be less than this share, all but what frames it is given. */
const LEAST_SHARE = 0.02
/** The extractors take about 0.1 ms an element, and each page has 10 s. */
const MOST_ELEMENTS = 25_000
const FRAME =
  'nav, footer, aside, header nav, form, button, select, dialog, [role="navigation"], [role="contentinfo"], [role="search"], [role="banner"] nav'

/** Find the main text of a page; everything else is taken out of the document. */
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
    // What was written for one site is right while that site is built as it was.
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

/** A page of a stranger may break an extractor in any way; the other one is still there. */
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
