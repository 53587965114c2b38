import type { Refusal } from '../expected-errors.ts'
import { isThisComputer } from './offline.ts'

/** Characters whose escaped and plain forms are equivalent in an address. */
const UNRESERVED = /^[\w.~-]$/

/**
 * Return the one canonical form of all equivalent web addresses; undefined if it is not an address, or
 * contains a user name or password. The part after `#` is never sent.
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

/** Return the host of an address, as users read it. */
export const siteOf = (address: string): string => URL.parse(address.trim())?.host ?? ''

const WRITTEN = /https?:\/\/[^\s<>"“”„«»`|\\^{}\u3000-\u303F\uFF00-\uFFEF]+/gi
/**
 * A site's name as users write it, without `https://`. Chinese text is one long row of letters, so labels
 * have a maximum length, and matching starts only at their beginning.
 */
const BARE =
  /(?<![\p{L}\p{N}_@./:-])(?:[\p{L}\p{N}-]{1,63}\.)+\p{L}{2,63}(?::\d{2,5})?(?:[/?][^\s<>"“”„«»`|\\^{}]*)?/giu
const LINK = /\]\(\s*<?([^\s<>()]+(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s+["'(][^\n]{0,300}?)?\s*\)/g
const LABEL = /^\s{0,3}\[[^\]\n]{1,200}\]:\s*<?([^\s<>]+)>?/gm

/** Maximum number of trailing characters that may not belong to an address in a text. */
const MOST_SIGNS = 12

/** Return the possible addresses in running text: as written, and without trailing punctuation. */
function endingsOf(written: string): string[] {
  const found = [written]
  for (let rest = written; found.length <= MOST_SIGNS && /[.,;:!?)\]}'*_~]$/.test(rest);)
    found.push((rest = rest.slice(0, -1)))
  return found
}

const canonical = (texts: readonly string[]) =>
  texts.map(canonicalAddress).filter(found => found !== undefined)

/** Return the addresses that a user wrote in a text, with and without `https://`. */
export function addressesSaid(text: string): string[] {
  const bare = (text.match(BARE) ?? []).flatMap(endingsOf)
  return canonical([
    ...(text.match(WRITTEN) ?? []).flatMap(endingsOf),
    ...bare.flatMap(found => [`https://${found}`, `http://${found}`]),
  ])
}

/** Return the addresses in the Markdown of a page; links are relative to the page's own address. */
export function addressesOn(markdown: string, base?: string): string[] {
  const links = [...markdown.matchAll(LINK), ...markdown.matchAll(LABEL)].map(([, target]) => target!)
  const whole = links.flatMap(target => URL.parse(target, base)?.href ?? [])
  return canonical([...whole, ...(markdown.match(WRITTEN) ?? []).flatMap(endingsOf)])
}

/** Check a service's address in a setting: only the official one or a local server may get its key. */
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
