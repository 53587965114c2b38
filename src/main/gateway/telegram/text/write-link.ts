import { joinTexts, plainText, styleText, type RichText } from './rich-text.ts'

/** Characters that leave no trace. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Z}\u2800]/gu
const LETTER = /[\p{L}\p{N}\p{Extended_Pictographic}]/u
/** What looks like an address: the name of a host, with the path behind it. */
const ADDRESS =
  /(?:[a-z][a-z\d+.-]{0,30}:\/\/)?(?:[^\s/@:]{0,200}@)?((?:[\p{L}\p{N}-]{1,63}\.){1,127}\p{L}[\p{L}\p{N}-]+)(?::\d+)?([/?#][^\s)]*)?/giu
/** Dots of other scripts, which browsers read as dots. */
const DOTS = /[\u3002\uff0e\uff61\u2024]/g

/**
 * A link: its words where they are honest, else its words and its address, which then is no hidden one. Telegram links only
 * to the web; an address of another kind is text.
 */
export function writeLink(label: RichText, address: string): RichText {
  const url = URL.parse(address)
  const words = label.text.replaceAll(INVISIBLE, '')
  if (address === '') return label
  if (url?.protocol === 'mailto:')
    return words === url.pathname ? label : joinTexts([label, plainText(` (${url.pathname})`)])
  if (!url || !/^https?:$/.test(url.protocol)) return joinTexts([label, plainText(` (${address})`)])
  if (bareAddress(label.text) === bareAddress(address)) return label
  // Telegram drops links to names of the own network.
  const isKept = /[^.]\.[^.]/.test(url.hostname) && url.username === '' && url.password === ''
  if (isKept && LETTER.test(words) && !looksElsewhere(label.text, url))
    return styleText(label, { type: 'text_link', url: url.href })
  return words === '' ? plainText(url.href) : joinTexts([label, plainText(` (${url.href})`)])
}

/** An address as it stands in a text, without what is often left away. */
const bareAddress = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '')

/** An address in a text whose host has letters that are not Latin ones, or are made to look so. */
const FOREIGN = /https?:\/\/[^\s\/?#\(\)]*[^\p{ASCII}\s][^\s\/?#\(\)]*[^\s\(\)<>"]*/gv

/** A text in which the real name of such a host stands behind each address: Telegram links to it whatever it looks like. */
export const nameHosts = (text: string): string =>
  text.replaceAll(FOREIGN, address => {
    const host = URL.parse(address)?.hostname ?? ''
    return /(?:^|\.)xn--/.test(host) ? `${address} (${host})` : address
  })

/** Whether words name an address that is not the one they lead to. */
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
