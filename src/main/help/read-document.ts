import { marked, type Token, type Tokens } from 'marked'
import { nameAnchors } from '../../shared/markdown/name-anchors.ts'

/** The text below one heading, without marks; before the first heading it has none. */
type Section = { heading: string | null; anchor: string | null; level: number; text: string }

/** A document: its title, the first sentence below it, and its sections in order. */
export type Document = { title: string; about: string; sections: Section[] }

/** Read one of Talaria's own documents. Without a first-level heading its title is `name`. */
export function readDocument(markdown: string, name: string): Document {
  const tokens = marked.lexer(markdown)
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading')
  const anchors = nameAnchors(headings.map(textOf))
  const sections: Section[] = [{ heading: null, anchor: null, level: 1, text: '' }]
  let title = ''
  let about = ''
  let count = 0
  for (const token of tokens) {
    if (isHeading(token)) {
      const anchor = anchors[count++]!
      if (title === '' && token.depth === 1) title = textOf(token)
      else sections.push({ heading: textOf(token), anchor, level: token.depth, text: '' })
      continue
    }
    const text = textOf(token).replaceAll(/\s+/g, ' ').trim()
    if (text === '') continue
    const section = sections.at(-1)!
    section.text = section.text === '' ? text : `${section.text} ${text}`
    if (about === '' && token.type === 'paragraph' && section.heading === null) about = firstSentence(text)
  }
  return { title: title || name, about, sections }
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading'

/** Return a part of a document as readers see it, as plain text. Spaces separate cells and list items. */
function textOf(token: Token): string {
  if (token.type === 'html' || token.type === 'space') return ''
  if (token.type === 'br') return ' '
  if (token.type === 'image') return ''
  if (token.type === 'list') return joined((token as Tokens.List).items)
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].map(row => row.map(cell => parts(cell.tokens)).join(' ')).join(' ')
  }
  if (token.type === 'code') return (token as Tokens.Code).text
  if ('tokens' in token && token.tokens !== undefined)
    return token.type === 'list_item' || token.type === 'blockquote'
      ? joined(token.tokens)
      : parts(token.tokens)
  return 'text' in token ? String(token.text) : token.raw
}
const parts = (tokens: readonly Token[]) => tokens.map(textOf).join('')
const joined = (tokens: readonly Token[]) => tokens.map(textOf).join(' ')

/** A sentence ends before a space and a capital letter, so that “e.g. this” does not end one. */
const firstSentence = (text: string): string => /^.*?[.!?](?=\s+\p{Lu}|$)/u.exec(text)?.[0] ?? text
