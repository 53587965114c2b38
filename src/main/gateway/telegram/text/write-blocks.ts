import type { Tokens } from 'marked'
import { writeInline } from './write-inline.ts'
import { nodesOf, type Node } from './read-markdown.ts'
import {
  indentLines,
  joinTexts,
  plainText,
  styleText,
  trimText,
  type Block,
  type RichText,
} from './rich-text.ts'
import { writeTable } from './write-table.ts'

/** Convert an answer to blocks for Telegram, which has neither headings nor lists nor tables. */
export function writeBlocks(nodes: readonly Node[]): Block[] {
  return nodes
    .flatMap(writeBlock)
    .map(block => ({ ...block, rich: trimText(block.rich) }))
    .filter(({ rich }) => rich.text !== '')
}

const asText = (rich: RichText): Block[] => [{ rich, cut: 'sentences' }]

function writeBlock(node: Node): Block[] {
  switch (node.type) {
    case 'space':
    case 'def':
      return []
    case 'heading':
      return [
        {
          rich: styleText(writeInline(nodesOf(node.tokens)), { type: 'bold' }),
          cut: 'sentences',
          isHeading: true,
        },
      ]
    case 'paragraph':
      return asText(writeInline(nodesOf(node.tokens)))
    case 'code':
      return [{ rich: writeCode(node.text, node.lang), cut: 'lines' }]
    case 'blockquote':
      return asText(styleText(joinBlocks(nodesOf(node.tokens), '\n\n'), { type: 'blockquote' }))
    case 'list':
      return [{ rich: writeList(node), cut: 'lines' }]
    case 'hr':
      return asText(plainText('———'))
    case 'table':
      return writeTable(node)
    default:
      return asText(writeInline([node]))
  }
}

const joinBlocks = (nodes: readonly Node[], between: string) =>
  joinTexts(
    writeBlocks(nodes).map(({ rich }) => rich),
    between,
  )

function writeCode(code: string, info = ''): RichText {
  const [language = ''] = /^[\w+#.-]{1,40}(?=$|[\s{,:])/.exec(info) ?? []
  // Show an empty code block as well.
  const text = code.trim() === '' ? '…' : code
  return styleText(plainText(text), language === '' ? { type: 'pre' } : { type: 'pre', language })
}

function writeList(list: Tokens.List): RichText {
  const first = typeof list.start === 'number' ? list.start : 1
  const items = list.items.map((item, at) => {
    const mark = list.ordered ? `${first + at}. ` : isTask(item) ? '' : '• '
    return joinTexts([plainText(mark), indentLines(writeItem(item), list.ordered ? '   ' : '  ')])
  })
  return joinTexts(items, list.items.some(item => item.loose && item.tokens.length > 2) ? '\n\n' : '\n')
}

const isTask = (item: Tokens.ListItem) => item.tokens.some(({ type }) => type === 'checkbox')

/** Write a list item: its text and the lists in it are close together; other blocks follow a blank line. */
function writeItem(item: Tokens.ListItem): RichText {
  const nodes = nodesOf(item.tokens)
  const parts: RichText[] = []
  let line: Node[] = []
  const endLine = () => {
    if (line.length > 0) parts.push(plainText(parts.length === 0 ? '' : '\n'), writeInline(line))
    line = []
  }
  for (const node of nodes) {
    if (node.type === 'text' || node.type === 'checkbox') {
      line.push(node)
      continue
    }
    // In an item with blank lines, the checkbox of a task precedes the paragraph.
    if (node.type === 'paragraph' && line.every(({ type }) => type === 'checkbox')) {
      line.push(...nodesOf(node.tokens))
      continue
    }
    endLine()
    const isClose = node.type === 'list' || parts.length === 0
    for (const { rich } of writeBlocks([node]))
      parts.push(plainText(parts.length === 0 ? '' : isClose ? '\n' : '\n\n'), rich)
  }
  endLine()
  return joinTexts(parts)
}
