import { joinTexts, plainText, styleText, type RichText } from './rich-text.ts'

/** Invisible characters. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Z}\u2800]/gu
const LETTER = /[\p{L}\p{N}\p{Extended_Pictographic}]/u
/** A text that looks like an address: a host name, possibly with a path. */
const ADDRESS =
  /(?:[a-z][a-z\d+.-]{0,30}:\/\/)?(?:[^\s/@:]{0,200}@)?((?:[\p{L}\p{N}-]{1,63}\.){1,127}\p{L}[\p{L}\p{N}-]+)(?::\d+)?([/?#][^\s)]*)?/giu
/** Dots of other scripts, which browsers treat as dots. */
const DOTS = /[\u3002\uff0e\uff61\u2024]/g

/**
 * Write a link. Its words stay if they are honest; otherwise the address is shown after them. Telegram links
 * only to the web, so an address of another kind becomes text.
 */
export function writeLink(label: RichText, address: string): RichText {
  const url = URL.parse(address)
  const words = label.text.replaceAll(INVISIBLE, '')
  if (address === '') return label
  if (url?.protocol === 'mailto:')
    return words === url.pathname ? label : joinTexts([label, plainText(` (${url.pathname})`)])
  if (!url || !/^https?:$/.test(url.protocol)) return joinTexts([label, plainText(` (${address})`)])
  if (bareAddress(label.text) === bareAddress(address)) return label
  // Telegram drops links to names on the local network.
  const isKept = /[^.]\.[^.]/.test(url.hostname) && url.username === '' && url.password === ''
  if (isKept && LETTER.test(words) && !looksElsewhere(label.text, url))
    return styleText(label, { type: 'text_link', url: url.href })
  return words === '' ? plainText(url.href) : joinTexts([label, plainText(` (${url.href})`)])
}

/** Normalise an address in a text, without parts that are often omitted. */
const bareAddress = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '')

/** An address in a text whose host has non-ASCII letters, which may imitate others. */
const FOREIGN = /https?:\/\/[^\s\/?#\(\)]*[^\p{ASCII}\s][^\s\/?#\(\)]*[^\s\(\)<>"]*/gv

/** Add the real host name after each such address, because Telegram links it however it looks. */
export const nameHosts = (text: string): string =>
  text.replaceAll(FOREIGN, address => {
    const host = URL.parse(address)?.hostname ?? ''
    return /(?:^|\.)xn--/.test(host) ? `${address} (${host})` : address
  })

/** Return whether words name another address than the link's. */
function looksElsewhere(label: string, url: URL): boolean {
  const words = label
    .normalize('NFKC')
    .replaceAll(DOTS, '.')
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
  return Array.from(words.matchAll(ADDRESS)).some(({ 0: whole, 1: host = '', 2: path = '' }) => {
    if (whole.includes('@')) return true
    const named = host.toLowerCase().replace(/^www\./, '')
    const real = url.hostname.replace(/^www\./, '')
    if (named !== real) return true
    const shown = path.replace(/(?<![…./])[…./]+$/, '')
    return !`${url.pathname}${url.search}${url.hash}`.startsWith(shown)
  })
}
