import type { Message } from './contract/messages.ts'
import type { WebPage } from './contract/web.ts'

/** A page that answers of a chat may cite by its number. */
export type Citation = WebPage & { n: number }

/**
 * The pages that a chat found or read up to a message, by their numbers; what was read stands in for what was only found. Without a
 * message: all of them.
 */
export function citationsIn(messages: readonly Message[], upTo = Infinity): ReadonlyMap<number, Citation> {
  const found = new Map<number, Citation>()
  for (const message of messages) {
    if (message.id > upTo) break
    if (message.role !== 'tool') continue
    for (const page of message.record.web?.pages ?? []) {
      if (page.n === undefined) continue
      const before = found.get(page.n)
      if (!before || page.pageId !== undefined) found.set(page.n, { ...page, n: page.n })
    }
  }
  return found
}

/** Numbers in square brackets that are no link, no footnote and no index. */
const CITED = /(?<![\\\w!])\[(\d{1,3}(?:\s*[,;]\s*\d{1,3}){0,9})\](?![(:])/g

/** The numbers in square brackets of a text, outside code, each once and in their order. */
export function citedNumbers(text: string): number[] {
  const numbers = partsOf(text).flatMap((part, at) =>
    isCode(at) ? [] : [...part.matchAll(CITED)].flatMap(([, list = '']) => numbersOf(list)),
  )
  return [...new Set(numbers)]
}

const numbersOf = (list: string) => list.split(/[,;]/).map(Number)

/** The pages that an answer cites, in the order in which it does. */
export function citedPages(text: string, known: ReadonlyMap<number, Citation>): Citation[] {
  return citedNumbers(text).flatMap(n => known.get(n) ?? [])
}

/**
 * The answer with its numbers as links: each cited page becomes a definition of Markdown at the end, to which the number refers. Several
 * numbers in one pair of brackets, or in pairs that touch, are taken apart. A text that defines such numbers itself stays as it is.
 */
export function linkCitations(text: string, known: ReadonlyMap<number, Citation>): string {
  const cited = citedPages(text, known)
  if (cited.length === 0 || /^ {0,3}\[\d{1,3}\]:/m.test(text)) return text
  const apart = partsOf(text)
    .map((part, at) => (isCode(at) ? part : takeApart(part)))
    .join('')
  return `${apart.trimEnd()}\n\n${cited.map(definitionOf).join('\n')}\n`
}

const takeApart = (part: string) =>
  part.replaceAll(
    CITED,
    (_, list: string, at: number) =>
      `${part[at - 1] === ']' ? ' ' : ''}${numbersOf(list)
        .map(n => `[${n}]`)
        .join(' ')}`,
  )

/** A text in turns: words, code, words … */
const partsOf = (text: string) => text.split(/((?:`{3,}|~{3,})[^]*?(?:\n *(?:`{3,}|~{3,})|$)|`[^`\n]+`)/)
const isCode = (at: number) => at % 2 === 1

const definitionOf = ({ n, address, title }: Citation) =>
  `[${n}]: <${address.replaceAll(/[<>\s]/g, encodeURIComponent)}> "${title.replaceAll(/["\\\n]/g, ' ').trim()}"`

/** The site of an address as people call it, such as `example.org`. */
export const siteOf = (address: string): string =>
  URL.parse(address)?.hostname.replace(/^www\./, '') ?? address.slice(0, 60)
