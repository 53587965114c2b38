import { isText, nameOf, type PageElement } from '../dom.ts'

/** Count the words of a text. In scripts without spaces, each character counts as half a word. */
export function countWords(text: string): number {
  const spaced = text.match(/[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}'’._-]*[\p{L}\p{N}\p{M}])?/gu)?.length ?? 0
  const dense =
    text.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]/gu,
    )?.length ?? 0
  return dense === 0 ? spaced : spaced + Math.floor(dense / 2)
}

/** Names of parts that are rarely the text of a page. */
export const BESIDE =
  /(?:^|[\s_-])(?:comments?|disqus|related|recirc\w*|recommend\w*|share|sharing|social|promo\w*|newsletter|subscri\w+|signup|sign-up|nav|navbar|navigation|menu|breadcrumbs?|cookies?|consent|banner|adverts?|ads?|advertisement|sponsor\w*|outbrain|taboola|popular|trending|most-read|more-stories|pagination|pager|footer|masthead|toolbar|tags?|tag-?list|widget|print-only|skip|search|login|paywall|copyright|legal|disclaimer|read-?more|readnext|up-?next|also-?read|teaser|byline|author-bio|bio|social-links|edit-?(?:page|link)|feedback|helpful|rating|votes?|sidebar)(?=$|[\s_-]|s\b)/

/** Measurements of every element of a page, by its number. Sums include all descendants. */
export type Measures = {
  /** How many words are directly in the element. */
  own: Float64Array
  words: Float64Array
  linkWords: Float64Array
  /** How many sentence ends there are. */
  ends: Float64Array
  /** The number of the parent element; -1 for the body. */
  parent: Int32Array
  /** The number after that of the last descendant. */
  end: Int32Array
  /** 1 if the element is within a link. */
  isLink: Uint8Array
}

const ENDS = /[.!?…。！？؟।։](?=\s|$|["'”’)\]»]|[\u3000-\u9fff])/gu

/** Measure the words, linked words and sentences of each element. `elements` are in document order. */
export function measureBlocks(elements: readonly PageElement[]): Measures {
  const count = elements.length
  const numbers = new Map(elements.map((element, at) => [element, at]))
  const make = () => new Float64Array(count)
  const measures: Measures = {
    own: make(),
    words: make(),
    linkWords: make(),
    ends: make(),
    parent: new Int32Array(count).fill(-1),
    end: new Int32Array(count),
    isLink: new Uint8Array(count),
  }
  const { own, words, linkWords, ends, parent, end, isLink } = measures
  for (const [at, element] of elements.entries()) {
    const above = element.parentElement
    const up = (above && numbers.get(above)) ?? -1
    parent[at] = up
    isLink[at] = nameOf(element) === 'a' || (up >= 0 && isLink[up] === 1) ? 1 : 0
    let text = ''
    for (const child of element.childNodes) if (isText(child)) text += ` ${child.textContent ?? ''}`
    own[at] = text.trim() === '' ? 0 : countWords(text)
    words[at] = own[at]!
    linkWords[at] = isLink[at] === 1 ? own[at] : 0
    ends[at] = isLink[at] === 1 ? 0 : (text.match(ENDS)?.length ?? 0)
    end[at] = at + 1
  }
  for (let at = count - 1; at >= 0; at--) {
    const up = parent[at]!
    if (up < 0) continue
    words[up]! += words[at]!
    linkWords[up]! += linkWords[at]!
    ends[up]! += ends[at]!
    end[up] = Math.max(end[up]!, end[at]!)
  }
  return measures
}

/** For each element, sum the words of those descendants that are in a set. */
export function sumOf(measures: Measures, isIn: (at: number) => boolean): Float64Array {
  const sums = new Float64Array(measures.own.length)
  for (let at = sums.length - 1; at >= 0; at--) {
    if (isIn(at)) sums[at]! += measures.own[at]!
    const up = measures.parent[at]!
    if (up >= 0) sums[up]! += sums[at]!
  }
  return sums
}
