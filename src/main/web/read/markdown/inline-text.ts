import { isElement, isText, nameOf, type PageElement, type PageNode } from '../dom.ts'
import { namesOf, squeezeSpace, UNREAD } from './element-kinds.ts'
import { readFormula } from './math-text.ts'

/** Placeholder for a line break of the page until white space is collapsed. */
export const BREAK = '\ue0ff'
const DEEPEST = 250
const STRONG = new Set(['strong', 'b'])
const EMPHASIS = new Set(['em', 'i'])
const CODE = new Set(['code', 'kbd', 'samp', 'tt', 'var'])
/** Characters of links beside headings, and similar ones. */
const SIGNS = /^(?:[\s¶#§🔗🔖⚓↩^†]|\ufe0e)*$/u
/** Class names of text for editors of the page. */
const FOR_EDITORS =
  /(?:^|\s)(?:mw-editsection|headerlink|header-?anchor|heading-?anchor|anchor-?link|permalink|hash-link)(?:$|\s)/

/** The absolute address of a link; undefined if it leads nowhere. */
export function absoluteAddress(target: string | null, base: string): string | undefined {
  if (target === null || target.startsWith('#')) return undefined
  const address = URL.parse(target.trim(), base)
  if (address === null || !/^(?:https?|mailto|ftp):$/.test(address.protocol)) return undefined
  const text = address.href
  return text.length > 1_500
    ? undefined
    : text.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll(/\s/g, '%20')
}

/** Write an inline element as Markdown. Line breaks of the page become `BREAK`; white space stays. */
export function inlineText(node: PageNode, base: string, depth = 0): string {
  if (isText(node)) return node.textContent ?? ''
  if (!isElement(node)) return ''
  const name = nameOf(node)
  const formula = readFormula(node)
  if (formula !== undefined) return formula
  if (name === 'br') return BREAK
  if (name === 'wbr') return ''
  if (name === 'img') return sayPicture(node)
  if (name === 'input') return sayBox(node)
  if (UNREAD.has(name) || name === 'noscript') return ''
  const names = namesOf(node)
  if (
    FOR_EDITORS.test(names) &&
    (name !== 'a' || SIGNS.test(node.textContent ?? '') || /headerlink|permalink/.test(names))
  )
    return ''
  if (depth > DEEPEST) return node.textContent ?? ''
  const children = () => {
    let text = ''
    for (const child of node.childNodes) text += inlineText(child, base, depth + 1)
    return text
  }
  if (CODE.has(name)) return sayCode(node, children)
  const inner = children()
  if (name === 'a') return sayLink(node, inner, base)
  if (STRONG.has(name)) return around(inner, '**')
  if (EMPHASIS.has(name)) return around(inner, '*')
  if (name === 'del' || name === 's' || name === 'strike') return around(inner, '~~')
  if (name === 'q') return around(inner, '"')
  if (name === 'sup') return /^\s*(?:[\d+−-]{1,4}|[a-z])\s*$/i.test(inner) ? `^${inner.trim()}` : inner
  if (name === 'rt') return inner.trim() === '' ? '' : `(${inner.trim()})`
  return inner
}

/** Put a mark around a text. It must touch the text, or it means nothing. */
function around(inner: string, mark: string): string {
  const bare = inner.trim()
  if (bare === '' || bare.includes(BREAK) || (mark.startsWith('*') && bare.startsWith('*'))) return inner
  const [before = ''] = /^\s*/.exec(inner) ?? []
  const [after = ''] = /(?<!\s)\s*$/.exec(inner) ?? []
  return `${before}${mark}${bare}${mark}${after}`
}

function sayCode(element: PageElement, children: () => string): string {
  if (nameOf(element) === 'var') return around(children(), '*')
  // A link within code stays a link.
  if (element.querySelector('a[href]') !== null && element.children.length === 1) {
    const inner = children()
    const link = /^\[([^\]`]+)\](\(\S+\))$/.exec(inner.trim())
    if (link) return `[\`${link[1]}\`]${link[2]}`
  }
  const text = squeezeSpace(element.textContent ?? '')
  const bare = text.trim()
  if (bare === '') return text
  const fence = '`'.repeat(Math.max(0, ...(bare.match(/`+/g) ?? []).map(ticks => ticks.length)) + 1)
  const gap = bare.startsWith('`') || bare.endsWith('`') ? ' ' : ''
  return `${text.startsWith(' ') ? ' ' : ''}${fence}${gap}${bare}${gap}${fence}${text.endsWith(' ') ? ' ' : ''}`
}

function sayLink(element: PageElement, inner: string, base: string): string {
  const target = element.getAttribute('href')
  const said = inner.replaceAll(BREAK, ' ')
  const bare = squeezeSpace(said).trim()
  if (bare === '' || (SIGNS.test(bare) && (target ?? '').includes('#')))
    return inner.trim() === '' ? inner : ''
  const address = absoluteAddress(target, base)
  if (address === undefined || bare.includes('](')) return inner
  if (bare === address || `${bare}/` === address) return said
  const [before = ''] = /^\s*/.exec(said) ?? []
  const [after = ''] = /(?<!\s)\s*$/.exec(said) ?? []
  return `${before}[${bare}](${address})${after}`
}

/** The description of a picture. Its address is left out, so that nothing ever fetches it. */
function sayPicture(element: PageElement): string {
  const alt = squeezeSpace(element.getAttribute('alt') ?? '').trim()
  const isName = /^[\w-]+\.(?:png|jpe?g|gif|webp|svg)$|^(?:image|img|photo|picture|icon|logo|avatar)$/i.test(
    alt,
  )
  if (alt.length < 3 || isName) return ''
  const caption = element.closest('figure')?.querySelector('figcaption')?.textContent ?? ''
  if (caption !== '' && squeezeSpace(caption).includes(alt)) return ''
  return `![${alt.slice(0, 300).replaceAll(/[[\]]/g, '')}]()`
}

function sayBox(element: PageElement): string {
  if (element.getAttribute('type') !== 'checkbox') return ''
  return element.closest('li') === null ? '' : element.hasAttribute('checked') ? '[x] ' : '[ ] '
}
