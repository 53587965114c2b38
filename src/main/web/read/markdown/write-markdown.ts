import { isElement, isText, nameOf, type PageElement, type PageNode } from '../dom.ts'
import { codeColumn, isCodeBlock, readCode } from './code-text.ts'
import { BLOCKS, isBlock, squeezeSpace, UNREAD } from './element-kinds.ts'
import { absoluteAddress, BREAK, inlineText } from './inline-text.ts'
import { readFormula } from './math-text.ts'
import { cellsOf, isDataTable, rowsOf, writeTable } from './table.ts'

/** Maximum depth; anything deeper becomes plain text. Real pages are shallower. */
const DEEPEST = 250

/** Write an element as Markdown: headings, lists, tables, code, formulas and links with full addresses. */
export function writeMarkdown(root: PageElement, base: string): string {
  return blocksOf(root, { base, depth: 0 }).join('\n\n').trim()
}

type Context = { base: string; depth: number }

function blocksOf(parent: PageElement, { base, depth }: Context): string[] {
  const blocks: string[] = []
  let line = ''
  const endLine = () => {
    blocks.push(...paragraphs(line))
    line = ''
  }
  if (depth > DEEPEST) return paragraphs(parent.textContent ?? '')
  const inner = { base, depth: depth + 1 }
  for (const child of parent.childNodes) {
    if (!isElement(child)) {
      if (isText(child)) line += child.textContent ?? ''
      continue
    }
    const formula = readFormula(child)
    if (formula !== undefined) {
      line += formula.startsWith('$$') ? `${BREAK}${BREAK}${formula}${BREAK}${BREAK}` : formula
      continue
    }
    const name = nameOf(child)
    if (UNREAD.has(name) || name === 'noscript') {
      if (name === 'input') line += inlineText(child, base)
      continue
    }
    if (isCodeBlock(child)) {
      endLine()
      blocks.push(...writeCode(child))
    } else if (isBlock(child)) {
      endLine()
      blocks.push(...blockOf(child, name, inner))
    } else if (holdsBlocks(child)) {
      endLine()
      blocks.push(...linked(child, name, blocksOf(child, inner), base))
    } else line += inlineText(child, base)
  }
  endLine()
  return blocks
}

function blockOf(element: PageElement, name: string, context: Context): string[] {
  const level = /^h([1-6])$/.exec(name)?.[1]
  if (level !== undefined) {
    const text = oneLine(element, context.base)
    return text === '' ? [] : [`${'#'.repeat(Number(level))} ${text}`]
  }
  switch (name) {
    case 'hr':
      return ['---']
    case 'ul':
    case 'ol':
    case 'menu':
    case 'dir':
      return writeList(element, name === 'ol', context)
    case 'li':
      return [listItem('- ', blocksOf(element, context))].filter(Boolean)
    case 'blockquote': {
      const inner = blocksOf(element, context).join('\n\n')
      return inner === '' ? [] : [inner.replaceAll(/^/gm, '> ').replaceAll(/^> $/gm, '>')]
    }
    case 'table':
      return tableBlocks(element, context)
    case 'dl':
      return definitions(element, context)
    case 'summary': {
      const text = oneLine(element, context.base)
      return text === '' ? [] : [`**${text.replaceAll('**', '')}**`]
    }
    default:
      return blocksOf(element, context)
  }
}

function tableBlocks(table: PageElement, context: Context): string[] {
  const code = codeColumn(table)
  if (code) return writeCode(code)
  if (isDataTable(table)) {
    const text = writeTable(table, cell => cellText(cell, context))
    return text === '' ? [] : [text]
  }
  // A table only for layout: each cell is page text.
  return rowsOf(table).flatMap(({ row }) => {
    const cells = cellsOf(row).map(cell => blocksOf(cell, context))
    const isShort = cells.every(
      blocks => blocks.length < 2 && (blocks[0]?.length ?? 0) < 200 && !blocks[0]?.includes('\n'),
    )
    return isShort ? [cells.flat().join(' ').trim()].filter(Boolean) : cells.flat()
  })
}

/** The text of a cell on one line. */
function cellText(cell: PageElement, context: Context): string {
  return blocksOf(cell, context)
    .map(block => (block.startsWith('```') ? codeInLine(block) : block))
    .join(' ')
    .replaceAll(/(?<!\s)\s*\n\s*/g, ' ')
    .replaceAll(/(?<!\\)\|/g, String.raw`\|`)
    .replace(/^#+ /, '')
}

const codeInLine = (block: string) =>
  block
    .split('\n')
    .slice(1, -1)
    .map(line => (line.trim() === '' ? '' : `\`${line.trim()}\``))
    .filter(Boolean)
    .join(' ')

function writeCode(element: PageElement): string[] {
  const { language, text } = readCode(element)
  if (text.trim() === '') return []
  const longest = Math.max(
    2,
    ...(text.match(/^[^\S\n\r\u2028\u2029]*`{3,}/gm) ?? []).map(ticks => ticks.trim().length),
  )
  const fence = '`'.repeat(longest + 1)
  return [`${fence}${language}\n${text}\n${fence}`]
}

function writeList(list: PageElement, isNumbered: boolean, context: Context): string[] {
  let number = isNumbered ? countFrom(list) : 0
  const items: string[] = []
  let isWide = false
  for (const child of list.childNodes) {
    if (!isElement(child)) {
      const text = isText(child) ? squeezeSpace(child.textContent ?? '').trim() : ''
      if (text !== '') items.push(text)
      continue
    }
    const blocks = nameOf(child) === 'li' ? blocksOf(child, context) : blocksIn(child, context)
    if (blocks.length === 0) continue
    if (nameOf(child) !== 'li') {
      items.push(
        ...blocks.map(block => (BLOCKS.has(nameOf(child)) ? block.replaceAll(/^(?=.)/gm, '  ') : block)),
      )
      continue
    }
    if (blocks.some((block, at) => at > 0 && !/^(?:- |\d+\. )/.test(block))) isWide = true
    items.push(listItem(isNumbered ? `${number++}. ` : '- ', blocks))
  }
  return items.length === 0 ? [] : [items.join(isWide ? '\n\n' : '\n')]
}

/** The blocks directly in an element, such as a list within a list without an item around it. */
function blocksIn(element: PageElement, context: Context): string[] {
  const name = nameOf(element)
  if (UNREAD.has(name)) return []
  if (isCodeBlock(element)) return writeCode(element)
  return isBlock(element) ? blockOf(element, name, context) : blocksOf(element, context)
}

function countFrom(list: PageElement): number {
  const start = Number.parseInt(list.getAttribute('start') ?? '1', 10)
  return Number.isFinite(start) && start >= 0 && start < 1e9 ? start : 1
}

function listItem(marker: string, blocks: readonly string[]): string {
  if (blocks.length === 0) return ''
  let text = ''
  for (const [at, block] of blocks.entries()) {
    const isList = /^(?:- |\d+\. )/.test(block)
    text += (at === 0 ? '' : isList ? '\n' : '\n\n') + block
  }
  const gap = ' '.repeat(marker.length)
  return marker + text.replaceAll(/\n(?=[^\n])/g, `\n${gap}`)
}

function definitions(list: PageElement, context: Context): string[] {
  const blocks: string[] = []
  const walk = (parent: PageElement) => {
    for (const child of parent.childNodes) {
      if (!isElement(child)) {
        if (isText(child)) blocks.push(...paragraphs(child.textContent ?? ''))
        continue
      }
      const name = nameOf(child)
      if (name === 'div') walk(child)
      else if (name === 'dt') {
        const inner = holdsBlocks(child) ? blocksOf(child, context) : [bold(oneLine(child, context.base))]
        blocks.push(...inner.filter(Boolean))
      } else if (name === 'dd') {
        const inner = blocksOf(child, context)
        const [only] = inner
        const last = blocks.at(-1)
        if (
          inner.length === 1 &&
          only !== undefined &&
          !only.includes('\n') &&
          last?.startsWith('**') &&
          !last.includes('\n')
        )
          blocks[blocks.length - 1] = `${last}\n: ${only}`
        else blocks.push(...inner)
      } else blocks.push(...blocksIn(child, context))
    }
  }
  walk(list)
  return blocks
}

const bold = (text: string) => (text === '' || /[*`[]/.test(text) ? text : `**${text}**`)

/** Write a link around blocks, such as a card: its first line gets the link. */
function linked(element: PageElement, name: string, blocks: string[], base: string): string[] {
  const address = name === 'a' ? absoluteAddress(element.getAttribute('href'), base) : undefined
  const [first, ...rest] = blocks
  if (address === undefined || first === undefined || /[[\]`|\n]/.test(first)) return blocks
  const [, mark = '', text = ''] = /^(#+ |- |> )?([^]*)$/.exec(first) ?? []
  return [`${mark}[${text}](${address})`, ...rest]
}

function holdsBlocks(element: PageElement): boolean {
  const walk = (node: PageNode, depth: number): boolean => {
    if (!isElement(node) || depth > DEEPEST) return false
    for (const child of node.childNodes)
      if (isElement(child) && (isBlock(child) || isCodeBlock(child) || walk(child, depth + 1))) return true
    return false
  }
  return element.children.length > 0 && walk(element, 0)
}

const oneLine = (element: PageElement, base: string) => {
  let text = ''
  for (const child of element.childNodes)
    text += ` ${inlineText(child, base)}`.slice(isElement(child) && isBlock(child) ? 0 : 1)
  return squeezeSpace(text.replaceAll(BREAK, ' ')).trim()
}

/** Split text into paragraphs at two line breaks of the page. */
function paragraphs(text: string): string[] {
  if (text.trim() === '') return []
  return text
    .split(/\ue0ff\s*\ue0ff(?:\s*\ue0ff)*/)
    .map(part =>
      part
        .split(BREAK)
        .map(line => squeezeSpace(line).trim())
        .filter(Boolean)
        .join('\n'),
    )
    .filter(Boolean)
}
