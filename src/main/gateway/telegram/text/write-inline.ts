import { decodeEntities } from '../../../lib/words/html-entities.ts'
import { nodesOf, type Node } from './read-markdown.ts'
import { joinTexts, plainText, styleText, type RichText } from './rich-text.ts'
import { nameHosts, writeLink } from './write-link.ts'

/** Write the text of a line or paragraph, with its formatting. */
export function writeInline(nodes: readonly Node[]): RichText {
  const parts: RichText[] = []
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at]!
    const end = node.type === 'html' ? closerOf(nodes, at) : -1
    if (end > at) {
      parts.push(writeElement(tagOf(node), writeInline(nodes.slice(at + 1, end))))
      at = end
    } else parts.push(writeNode(node))
  }
  return joinTexts(parts)
}

function writeNode(node: Node): RichText {
  switch (node.type) {
    case 'strong':
      return styleText(writeInline(nodesOf(node.tokens)), { type: 'bold' })
    case 'em':
      return styleText(writeInline(nodesOf(node.tokens)), { type: 'italic' })
    case 'del':
      return styleText(writeInline(nodesOf(node.tokens)), { type: 'strikethrough' })
    case 'codespan':
    case 'formula':
      return styleText(plainText(node.text), { type: 'code' })
    case 'br':
      return plainText('\n')
    case 'checkbox':
      return plainText(node.checked ? '☑ ' : '☐ ')
    case 'link':
      return writeLink(writeInline(nodesOf(node.tokens)), node.href)
    case 'image':
      return writePicture(node.text, node.href)
    case 'html':
      return plainText(/^<br ?\/?>$/i.test(node.raw) ? '\n' : isFold(node) ? '' : node.raw)
    case 'text':
      return node.tokens ? writeInline(nodesOf(node.tokens)) : plainText(nameHosts(decodeEntities(node.text)))
    case 'escape':
      return plainText(node.text)
    default:
      return plainText(node.raw)
  }
}

/** Write a picture as a link. Fetching it would reveal the user to the picture's server. */
function writePicture(words: string, address: string): RichText {
  const label =
    words === ''
      ? '[a picture from the network, not loaded]'
      : `[picture not loaded: ${decodeEntities(words)}]`
  return address.startsWith('data:') ? plainText(label) : writeLink(plainText(label), address)
}

/** The few HTML elements with the same meaning as in the window. */
const PAIRS = /^<(sub|sup|kbd|summary)>$/i
const isFold = (node: Node) => /^<\/?details(?: open)?>$/i.test(node.raw.trim())

const tagOf = (node: Node) => PAIRS.exec(node.raw)?.[1]?.toLowerCase() ?? ''

/** Return the index of an element's closing tag; -1 if there is none. */
function closerOf(nodes: readonly Node[], at: number): number {
  const tag = tagOf(nodes[at]!)
  return tag === ''
    ? -1
    : nodes.findIndex((node, place) => place > at && node.raw.toLowerCase() === `</${tag}>`)
}

const SIGNS = {
  sup: signsOf('0123456789+-=()n', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ'),
  sub: signsOf('0123456789+-=()', '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎'),
}

function signsOf(plain: string, small: string): ReadonlyMap<string, string> {
  const signs = Array.from(small)
  return new Map(Array.from(plain, (sign, at) => [sign, signs[at] ?? sign]))
}

function writeElement(tag: string, inside: RichText): RichText {
  if (tag === 'summary') return joinTexts([styleText(inside, { type: 'bold' }), plainText('\n')])
  if (tag !== 'sub' && tag !== 'sup') return inside
  const small = Array.from(inside.text, sign => SIGNS[tag].get(sign))
  if (inside.entities.length === 0 && !small.includes(undefined)) return plainText(small.join(''))
  return joinTexts([plainText(tag === 'sup' ? '^(' : '_('), inside, plainText(')')])
}
