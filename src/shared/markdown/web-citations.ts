import type { Message } from '../contract/chats/messages.ts'
import type { Cite } from '../contract/connections/web.ts'

/**
 * The web pages in the messages of a chat, by number. A page that was read replaces one that was only found.
 */
export type KnownPages = Map<number, Cite>

/** Add the pages that a call found or read. */
export function learnPages(known: KnownPages, message: Message | Omit<Message, 'id'>): void {
  if (!('record' in message)) return
  for (const page of message.record.web?.pages ?? []) {
    const { n } = page
    if (n !== undefined && (!known.has(n) || page.pageId !== undefined)) known.set(n, { ...page, n })
  }
}

/** Numbers in square brackets that are not a link, a footnote or an index. */
const CITED = /(?<![\\\w!])\[(\d{1,3}(?:\s*[,;]\s*\d{1,3}){0,9})\](?![(:])/g

/** The numbers in square brackets of a text, outside code, each once and in their order. */
function citedNumbers(text: string): number[] {
  const numbers = partsOf(text).flatMap((part, at) =>
    isCode(at) ? [] : [...part.matchAll(CITED)].flatMap(([, list = '']) => numbersOf(list)),
  )
  return [...new Set(numbers)]
}

const numbersOf = (list: string) => list.split(/[,;]/).map(Number)

/** The pages that an answer cites, in the order of citation. */
export function citedPages(text: string, known: ReadonlyMap<number, Cite>): Cite[] {
  return citedNumbers(text).flatMap(n => known.get(n) ?? [])
}

/**
 * Turn the numbers of an answer into links, still in brackets: each cited page becomes a Markdown definition
 * at the end. Several numbers in one pair of brackets, or in adjacent pairs, are separated. A text that
 * already has such definitions stays unchanged.
 */
export function linkCitations(text: string, cites: readonly Cite[] = []): string {
  const known = new Map(cites.map(cite => [cite.n, cite]))
  const cited = citedPages(text, known)
  if (cited.length === 0 || /^ {0,3}\[\d{1,3}\]:/m.test(text)) return text
  const linked = partsOf(text)
    .map((part, at) => (isCode(at) ? part : linkNumbers(part, known)))
    .join('')
  return `${linked.trimEnd()}\n\n${cited.map(definitionOf).join('\n')}\n`
}

const linkNumbers = (part: string, known: ReadonlyMap<number, Cite>) =>
  part.replaceAll(CITED, (_, list: string, at: number) => {
    const links = numbersOf(list).map(n => (known.has(n) ? `[\\[${n}\\]][${n}]` : `[${n}]`))
    return `${part[at - 1] === ']' ? ' ' : ''}${links.join(' ')}`
  })

/** Split a text into alternating parts: words, code, words … */
const partsOf = (text: string) => text.split(/((?:`{3,}|~{3,})[^]*?(?:\n *(?:`{3,}|~{3,})|$)|`[^`\n]+`)/)
const isCode = (at: number) => at % 2 === 1

const definitionOf = ({ n, address, title }: Cite) =>
  `[${n}]: <${address.replaceAll(/[<>\s]/g, encodeURIComponent)}> "${title.replaceAll(/["\\\n]/g, ' ').trim()}"`

/** The short name of the site of an address, such as `example.org`. */
export const nameSite = (address: string): string =>
  URL.parse(address)?.hostname.replace(/^www\./, '') ?? address.slice(0, 60)

/** A cited page as one line of text. */
export const sayCite = ({ n, title, address, date }: Cite): string =>
  `[${n}] ${[title, address, date].filter(Boolean).join(', ')}`
