import { nameOf, type PageDocument, type PageElement } from '../dom.ts'
import { namesOf } from '../markdown/element-kinds.ts'
import { BESIDE, type Measures } from './measure-blocks.ts'

const NEVER = new Set(['nav', 'footer', 'form', 'button', 'select', 'dialog', 'aside'])
const MAINS =
  'main, [role="main"], article, #content, #main, .content, .main-content, .post-content, .entry-content, .article-body'
/** Minimum share of the words for a container to be the main one. */
const ENOUGH = 0.5

/**
 * Find the main text of a page that is too big for the extractors, whose time grows faster than the page. It
 * is the main container, without parts that are nearly all links or whose names say that they are not text.
 */
export function chooseQuickly(
  document: PageDocument,
  elements: readonly PageElement[],
  measures: Measures,
): PageElement {
  const numbers = new Map(elements.map((element, at) => [element, at]))
  const { words, linkWords, parent } = measures
  let all = 0
  for (let at = 0; at < words.length; at++) if (parent[at]! < 0) all += words[at]!
  const wordsOf = (element: PageElement) => words[numbers.get(element) ?? -1] ?? 0
  const mains = [...document.querySelectorAll(MAINS)].filter(each => wordsOf(each) >= ENOUGH * all)
  // Take the innermost container with enough words.
  const root = mains.at(-1) ?? document.body
  for (const [at, element] of elements.entries()) {
    if (element === root || element.contains(root)) continue
    const size = words[at]!
    const links = size === 0 ? 0 : linkWords[at]! / size
    const isBeside =
      NEVER.has(nameOf(element)) || (links > 0.5 && size < 0.2 * all && BESIDE.test(namesOf(element)))
    if (isBeside) element.remove()
  }
  return root
}
