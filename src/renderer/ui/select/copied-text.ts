import { escapeHtml, openTag } from './copied-html.ts'

/** The content for the clipboard: plain text, and HTML for programs that accept formatted text. */
export type Copied = { text: string; html: string }

/**
 * Selects elements that are not text of the answer: buttons, names of languages and blocks, labels, and text
 * for screen readers.
 */
const LEFT_OUT =
  'button:not(.note-ref), figcaption, svg, select, textarea, [hidden], [data-label], .sr-only, .toolbar'
const BLOCKS =
  /^(?:ADDRESS|ARTICLE|ASIDE|BLOCKQUOTE|DD|DETAILS|DIV|DL|DT|FIGURE|FOOTER|FORM|H[1-6]|HEADER|HR|LI|OL|P|PRE|SECTION|SUMMARY|TABLE|TR|UL)$/
/** Blocks with an empty line around them, except inside a list. */
const APART = /^(?:ARTICLE|BLOCKQUOTE|DETAILS|FIGURE|H[1-6]|HR|OL|P|PRE|TABLE|UL)$/
/** Elements made of parts, such as tables of rows. A selection inside is read from the whole element. */
const PARTS = /^(?:OL|UL|TABLE|THEAD|TBODY|TR|PRE|CODE)$/

/**
 * The selected text as it looks: with list numbers and markers, task states, and formulas once as their
 * source, but nothing that is not text. Browsers omit the markers when copying, and copy formulas one letter
 * per line.
 */
export function readCopied(range: Range): Copied {
  const writer = createWriter()
  const common = range.commonAncestorContainer
  const element = common instanceof Element ? common : common.parentElement
  if (!element) return writer.end()
  const around = element.closest('[data-formula], pre')
  const isWord = around?.tagName === 'PRE' && !range.toString().includes('\n')
  const root = around && !isWord ? around : partOf(element)
  if (root === around || PARTS.test(root.tagName)) write(root, range, writer)
  else writeChildren(root, range, writer, isPreformatted(root))
  return writer.end()
}

/** The closest ancestor that is a block or an element of `PARTS`. */
function partOf(element: Element): Element {
  if (PARTS.test(element.tagName) || isBlock(element) || !element.parentElement) return element
  return partOf(element.parentElement)
}

const isBlock = (element: Element) => BLOCKS.test(element.tagName) || element.classList.contains('block')

/** Whether spaces and line breaks are rendered as written. A detached element has no style. */
function isPreformatted(node: Node): boolean {
  const element = node instanceof Element ? node : node.parentElement
  if (!element) return false
  if (element.isConnected) return getComputedStyle(element).whiteSpace.startsWith('pre')
  return element.closest('pre, .whitespace-pre-wrap, .formula-source') !== null
}

function writeChildren(node: Node, range: Range, writer: Writer, isPre: boolean): void {
  for (const child of node.childNodes) {
    if (!range.intersectsNode(child)) continue
    if (child instanceof Text) writer.text(selectedOf(child, range), isPre)
    else if (child instanceof Element) write(child, range, writer, isPre)
  }
}

/** The part of a text that is selected. */
function selectedOf(text: Text, range: Range): string {
  const from = text === range.startContainer ? range.startOffset : 0
  return text.data.slice(from, text === range.endContainer ? range.endOffset : undefined)
}

function write(element: Element, range: Range, writer: Writer, isPre = isPreformatted(element)): void {
  if (element.matches(LEFT_OUT)) return
  const { tagName } = element
  const source = element instanceof HTMLElement ? element.dataset['formula'] : undefined
  if (source !== undefined) return writeFormula(element, source, writer)
  if (tagName === 'BR') return writer.lineEnd()
  if (element instanceof HTMLInputElement)
    return element.type === 'checkbox' ? writer.text(element.checked ? '[x] ' : '[ ] ', true) : undefined
  if (tagName === 'TD' || tagName === 'TH')
    return writer.cell(element, () => writeChildren(element, range, writer, false))
  const isClosed = element instanceof HTMLDetailsElement && !element.open
  const inside = () =>
    isClosed
      ? element.querySelectorAll(':scope > summary').forEach(line => write(line, range, writer))
      : writeChildren(element, range, writer, isBlock(element) ? isPreformatted(element) : isPre)
  if (!isBlock(element)) return writer.element(element, inside)
  if (element.isConnected && isUnseen(getComputedStyle(element))) return
  const lines = APART.test(tagName) && !element.parentElement?.closest('li, td, th') ? 2 : 1
  if (tagName === 'LI') return writer.item(markOf(element, range), depthOf(element), element, inside)
  writer.block(lines, element, inside)
}

const isUnseen = ({ userSelect, display }: CSSStyleDeclaration) => userSelect === 'none' || display === 'none'

function writeFormula(element: Element, source: string, writer: Writer): void {
  if (element.classList.contains('formula-line')) writer.block(2, element, () => writer.text(source, true))
  else writer.text(source, true)
}

/** The marker of a list item; empty if the selection begins after it. */
function markOf(item: Element, range: Range): string {
  if (item.contains(range.startContainer)) {
    const before = document.createRange()
    before.setStart(item, 0)
    before.setEnd(range.startContainer, range.startOffset)
    if (before.toString().trim() !== '' || !leaves(item, range)) return ''
  }
  const list = item.parentElement
  if (!(list instanceof HTMLOListElement)) return '- '
  const items = [...list.children].filter(({ tagName }) => tagName === 'LI')
  return `${list.start + items.indexOf(item)}. `
}

/** Whether a selection continues after a list item. A triple click ends at the start of the next item. */
function leaves(item: Element, range: Range): boolean {
  if (item.contains(range.endContainer)) return false
  const after = document.createRange()
  after.setStartAfter(item)
  after.setEnd(range.endContainer, range.endOffset)
  return after.toString().trim() !== ''
}

function depthOf(item: Element): number {
  let depth = 0
  for (let list = item.parentElement?.parentElement?.closest('ol, ul'); list; depth++)
    list = list.parentElement?.closest('ol, ul')
  return depth
}

type Writer = ReturnType<typeof createWriter>

/** Puts the pieces of a selection together, with the lines between them. */
function createWriter() {
  let text = ''
  let html = ''
  /** How many line breaks to write before the next piece. */
  let owed = 0
  let mark = ''
  /** Whether no cell of the row has been written yet. */
  let isFirstCell = true
  let isInCell = false

  const put = (piece: string) => {
    if (piece === '') return
    if (text !== '') text = owed > 0 ? text.trimEnd() + '\n'.repeat(owed) : text
    owed = 0
    text += mark + piece
    mark = ''
  }
  const owe = (lines: number) => {
    owed = isInCell ? 0 : Math.max(owed, lines)
  }
  const element = (of: Element, inside: () => void, more = '') => {
    const [open, close] = openTag(of, more)
    const before = html.length
    html += open
    inside()
    if (html.length === before + open.length) html = html.slice(0, before)
    else html += close
  }
  const block = (lines: number, of: Element, inside: () => void) => {
    owe(lines)
    if (of.tagName === 'TR') isFirstCell = true
    element(of, inside)
    owe(lines)
  }
  return {
    text(piece: string, isPre: boolean) {
      if (piece === '') return
      if (isPre) put(piece)
      else {
        const isAtStart = owed > 0 || mark !== '' || /\s$/.test(text)
        const joined = piece.replaceAll(/[ \t\n\r\f]+/g, ' ')
        put(isAtStart ? joined.trimStart() : text === '' && joined === ' ' ? '' : joined)
      }
      html += escapeHtml(piece)
    },
    lineEnd() {
      if (isInCell) put(' ')
      else owe(owed + 1)
      html += '<br>'
    },
    cell(of: Element, inside: () => void) {
      if (!isFirstCell) put('\t')
      isFirstCell = false
      isInCell = true
      element(of, inside)
      isInCell = false
    },
    item(marked: string, depth: number, of: Element, inside: () => void) {
      owe(1)
      mark = marked === '' ? '' : '  '.repeat(depth) + marked
      const number = Number.parseInt(marked, 10)
      element(of, inside, number > 0 ? ` value="${number}"` : '')
      mark = ''
      owe(1)
    },
    block,
    element,
    end: (): Copied => ({ text, html }),
  }
}
