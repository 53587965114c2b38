/** The elements kept in copied HTML, with their attributes. Others are replaced by their content. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  blockquote: ['dir'],
  code: [],
  del: [],
  em: [],
  h1: ['dir'],
  h2: ['dir'],
  h3: ['dir'],
  h4: ['dir'],
  h5: ['dir'],
  h6: ['dir'],
  kbd: [],
  li: ['dir'],
  ol: ['dir', 'start'],
  p: ['dir'],
  pre: [],
  strong: [],
  sub: [],
  sup: [],
  table: ['dir'],
  tbody: [],
  td: [],
  th: [],
  thead: [],
  tr: [],
  ul: ['dir'],
}

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A text as HTML. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, sign => SIGNS[sign]!)

/** The start and end tag of an element in copied HTML, with `more` attributes and without styles. */
export function openTag(element: Element, more: string): [open: string, close: string] {
  const name = element.tagName.toLowerCase()
  const isDiv =
    name === 'div' || name === 'article' || name === 'figure' || element.classList.contains('block')
  const allowed = isDiv ? [] : KEPT[name]
  if (!allowed) return ['', '']
  const given = allowed.flatMap(attribute => {
    const value = element.getAttribute(attribute)
    return value === null ? [] : [` ${attribute}="${escapeHtml(value)}"`]
  })
  const tag = isDiv ? 'div' : name
  return [`<${tag}${given.join('')}${more}>`, `</${tag}>`]
}
