import { marked, type Token, type Tokens } from 'marked'
import { paintText, type Look } from './markdown-spans.ts'
import { stripControls, wrapWords } from './terminal-text.ts'

type How = {
  /** Maximum width of a line, in columns. */
  columns: number
  /** Whether the terminal has bold and dim text. */
  isStyled: boolean
  /** The command that shows a linked page; undefined for other addresses. */
  topicOf(address: string): string | undefined
}

/**
 * Render one of Talaria's own documents as plain text: wrapped between words, lists with bullets, tables as
 * rows, code indented. Headings are bold if the terminal supports that. Addresses follow their links.
 */
export function pageForTerminal(markdown: string, how: How): string {
  return stripMost(blocks(marked.lexer(markdown), how, how.columns).join('\n\n'))
}

/** Remove all terminal controls from a page except our own styles. */
const stripMost = (text: string): string =>
  text
    .split(STYLE)
    .map(part => (STYLE.test(part) ? part : stripControls(part)))
    .join('')
const ESCAPE = String.fromCodePoint(27)
const STYLE = new RegExp(`(${ESCAPE}\\[\\d+m)`)

const blocks = (tokens: readonly Token[], how: How, columns: number): string[] =>
  tokens.map(token => block(token, how, columns)).filter(text => text !== '')

function block(token: Token, how: How, columns: number): string {
  const paint = (text: string, ...looks: Look[]) => (how.isStyled ? paintText(text, looks) : text)
  switch (token.type) {
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading
      const text = inline(tokens, how)
      const shown = depth === 1 ? text.toUpperCase() : text
      return wrapWords(shown, columns)
        .split('\n')
        .map(line => paint(line, 'bold'))
        .join('\n')
    }
    case 'paragraph':
    case 'text':
      return wrapWords(inline((token as Tokens.Paragraph).tokens ?? [token], how), columns)
    case 'code':
      return indent((token as Tokens.Code).text, '    ')
    case 'blockquote':
      return indent(blocks((token as Tokens.Blockquote).tokens, how, columns - 2).join('\n\n'), '│ ')
    case 'list': {
      const { items, ordered, start, loose } = token as Tokens.List
      return items
        .map((item, at) => {
          const mark = ordered ? `${Number(start) + at}. ` : '• '
          const text = blocks(item.tokens, how, columns - mark.length).join(loose ? '\n\n' : '\n')
          return mark + indent(text, ' '.repeat(mark.length)).trimStart()
        })
        .join(loose ? '\n\n' : '\n')
    }
    case 'table':
      return tableText(token as Tokens.Table, how, columns)
    case 'hr':
      return '─'.repeat(Math.min(columns, 20))
    default:
      return ''
  }
}

/**
 * Render a table by rows: the first cell, and below it the others, each after its heading. This fits any
 * width.
 */
function tableText({ header, rows }: Tokens.Table, how: How, columns: number): string {
  const heads = header.map(cell => inline(cell.tokens, how))
  return rows
    .map(([first, ...others]) => {
      const rest = others.map((cell, at) => {
        const text = inline(cell.tokens, how)
        const head = heads[at + 1] ?? ''
        return indent(wrapWords(head === '' ? text : `${head}: ${text}`, columns - 2, 0), '  ')
      })
      return [wrapWords(first ? inline(first.tokens, how) : '', columns), ...rest].join('\n')
    })
    .join('\n')
}

const indent = (text: string, by: string): string =>
  text
    .split('\n')
    .map(line => (line === '' ? by.trimEnd() : by + line))
    .join('\n')

/** The text of inline tokens. Line breaks become spaces, because the text is wrapped later. */
function inline(tokens: readonly Token[], how: How): string {
  return tokens
    .map(token => {
      switch (token.type) {
        case 'image':
          return `[picture: ${(token as Tokens.Image).text}]`
        case 'link': {
          const { href, tokens: inside } = token as Tokens.Link
          const text = inline(inside, how)
          const to = how.topicOf(href) ?? (/^https?:/.test(href) ? href : undefined)
          return to === undefined || to === text ? text : `${text} (${to})`
        }
        case 'html':
          return ''
        case 'br':
          return ' '
        default:
          return 'tokens' in token && token.tokens !== undefined
            ? inline(token.tokens, how)
            : 'text' in token
              ? String(token.text)
              : token.raw
      }
    })
    .join('')
    .split('\n')
    .map((line, at, lines) => (at + 1 < lines.length ? line.trimEnd() : line))
    .map((line, at) => (at > 0 ? line.trimStart() : line))
    .join(' ')
}
