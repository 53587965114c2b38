import { isFormula } from './never-shown.ts'
import { inOneLine, type Box } from './page-nodes.ts'

const KEPT = new Set(
  (
    'id class style href src srcset sizes rel colspan rowspan headers scope start reversed type lang dir datetime width height role open ' +
    'aria-hidden aria-level charset http-equiv display encoding xmlns mathvariant stretchy accent notation columnalign itemprop itemscope ' +
    'itemtype language'
  ).split(' '),
)
const MOST = { alt: 40, words: 4, title: 200 }

/** Remove attributes that only programs read, such as labels. Return removed texts that look like words. */
export function cleanAttributes(box: Box): string[] {
  const { element, tag } = box
  const taken: string[] = []
  const drop = (name: string) => {
    const value = element.getAttribute(name) ?? ''
    if (/(?<!\p{L})\p{L}{2,}\s+\p{L}{2,}\s+\p{L}/u.test(value)) taken.push(value)
    element.removeAttribute(name)
  }
  if (tag === 'title') boundTitle(box)
  for (const name of element.getAttributeNames()) {
    const value = element.getAttribute(name) ?? ''
    const lower = name.toLowerCase()
    if (tag === 'meta') {
      if (lower === 'content' && !isPlainMeta(box)) drop(name)
    } else if (lower === 'alt') {
      if (!isShortLabel(value)) drop(name)
    } else if (lower === 'alttext') {
      if (!isFormula(value)) drop(name)
    } else if (lower === 'href' || lower === 'src') {
      if (/^\s*(?:javascript|vbscript|data):/i.test(value)) drop(name)
      else if (/^\s*(?:mailto|sms|tel):/i.test(value)) element.setAttribute(name, value.replace(/\?.*$/s, ''))
    } else if (lower === 'value' && tag === 'li') continue
    else if (!KEPT.has(lower) && !(lower.startsWith('data-') && /^\S{0,200}$/.test(value))) drop(name)
  }
  return taken
}

/** Whether a picture's alternative text is short. Long ones are not written for sighted users. */
function isShortLabel(text: string): boolean {
  const label = inOneLine(text)
  if (label.startsWith('{\\displaystyle')) return isFormula(label)
  return label.length <= MOST.alt && label.split(' ').length <= MOST.words
}

/** Whether a meta element has only dates or the encoding; descriptions and keywords are not on the page. */
function isPlainMeta({ element }: Box): boolean {
  if (element.getAttribute('http-equiv') !== null || element.getAttribute('charset') !== null) return true
  const name = (element.getAttribute('name') ?? element.getAttribute('property') ?? '').toLowerCase()
  const value = (element.getAttribute('content') ?? '').trim()
  if (/^(?:viewport|robots|color-scheme|generator|og:type|og:url|og:locale)$/.test(name))
    return !/\s\S+\s\S+\s\S+\s/.test(value)
  // As short as the name of a site, which is shown above the text.
  if (/^(?:og:site_name|application-name)$/.test(name)) return isShortLabel(value)
  return (
    /^[\d\s:.,/+TZ-]{6,40}$/.test(value) ||
    /^\w{3,9},? \d{1,2},? \w{3,9},? \d{4}[\d: +A-Z]{0,20}$/.test(value)
  )
}

function boundTitle({ element }: Box): void {
  const title = inOneLine(element.textContent ?? '')
  if (title.length > MOST.title) element.textContent = `${title.slice(0, MOST.title)}…`
}

/** Keep only the dates of a page's data for search engines; undefined if there are none. */
export function keepDates(json: string): string | undefined {
  const found = [...json.matchAll(/"(datePublished|dateModified|dateCreated)"\s*:\s*"([\dTZ:.+\s-]{6,40})"/g)]
  if (found.length === 0) return undefined
  const dates = Object.fromEntries(found.toReversed().map(([, name = '', value = '']) => [name, value]))
  return JSON.stringify({ '@context': 'https://schema.org', '@type': 'Article', ...dates })
}
