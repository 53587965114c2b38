import type { Refusal } from '../expected-errors.ts'
import { isThisComputer } from './offline.ts'

/** Letters that an address may have with or without an escape, which means the same. */
const UNRESERVED = /^[\w.~-]$/

/**
 * An address of the web in the one form of all that mean the same to a server; undefined for what is none, or has a name or password
 * in it. What follows `#` is never sent.
 */
export function canonicalAddress(text: string): string | undefined {
  const url = URL.parse(text.trim())
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
  url.hash = ''
  return url.href.replaceAll(/%[0-9a-f]{2}/gi, escape => {
    const letter = String.fromCodePoint(Number.parseInt(escape.slice(1), 16))
    return UNRESERVED.test(letter) ? letter : escape.toUpperCase()
  })
}

/** The host of an address as a person reads it. */
export const siteOf = (address: string): string => URL.parse(address.trim())?.host ?? ''

const WRITTEN = /https?:\/\/[^\s<>"“”„«»`|\\^{}\u3000-\u303F\uFF00-\uFFEF]+/gi
/**
 * A name of a site as people write it, without `https://`. A text in Chinese is one long row of letters: its parts have a longest length,
 * and it is looked at from its beginning only.
 */
const BARE =
  /(?<![\p{L}\p{N}_@./:-])(?:[\p{L}\p{N}-]{1,63}\.)+\p{L}{2,63}(?::\d{2,5})?(?:[/?][^\s<>"“”„«»`|\\^{}]*)?/giu
const LINK = /\]\(\s*<?([^\s<>()]+(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s+["'(][^\n]{0,300}?)?\s*\)/g
const LABEL = /^\s{0,3}\[[^\]\n]{1,200}\]:\s*<?([^\s<>]+)>?/gm

/** An address that is written in a text may end with as many signs that are none of it. */
const MOST_SIGNS = 12

/** What may have been meant by an address in running text: as it stands, and without the signs that end a sentence. */
function endingsOf(written: string): string[] {
  const found = [written]
  for (let rest = written; found.length <= MOST_SIGNS && /[.,;:!?)\]}'*_~]$/.test(rest);)
    found.push((rest = rest.slice(0, -1)))
  return found
}

const canonical = (texts: readonly string[]) =>
  texts.map(canonicalAddress).filter(found => found !== undefined)

/** The addresses that a person wrote into a text, with and without `https://`. */
export function addressesSaid(text: string): string[] {
  const bare = (text.match(BARE) ?? []).flatMap(endingsOf)
  return canonical([
    ...(text.match(WRITTEN) ?? []).flatMap(endingsOf),
    ...bare.flatMap(found => [`https://${found}`, `http://${found}`]),
  ])
}

/** The addresses that stand in the Markdown of a page, whose own address is the base of its links. */
export function addressesOn(markdown: string, base?: string): string[] {
  const links = [...markdown.matchAll(LINK), ...markdown.matchAll(LABEL)].map(([, target]) => target!)
  const whole = links.flatMap(target => URL.parse(target, base)?.href ?? [])
  return canonical([...whole, ...(markdown.match(WRITTEN) ?? []).flatMap(endingsOf)])
}

/** Where a service is asked, as a setting has it: its own official address, or a server on this computer. No other gets its key. */
export function readServiceAddress(text: string, official: string): string | Refusal {
  const url = URL.parse(text.trim())
  const address =
    url && /^https?:$/.test(url.protocol) ? `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '') : ''
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (isPlain && (address === official || (address !== '' && isThisComputer(url.hostname)))) return address
  return {
    refused: `The address can only be ${official} or a server on this computer, such as http://127.0.0.1:8081.`,
  }
}
