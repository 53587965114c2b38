import { decode, encodingExists } from 'iconv-lite'
import { byCount, many } from '../../../shared/text/amounts.ts'
import type { Reader } from '../document.ts'
import { createFlow, type Flow } from '../text-flow.ts'
import { walkMarkup, type Tag } from './markup.ts'

const BLOCKS = new Set(
  `address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5
  h6 header hr html legend li main nav ol p pre section summary table tbody tfoot thead tr ul caption`.split(
    /\s+/,
  ),
)
/** Elements without text of the page. */
const UNREAD = new Set(
  'script style template noscript svg math object iframe canvas select datalist head audio video'.split(' '),
)
const TABLE_PARTS = new Set(['thead', 'tbody', 'tfoot'])
const LIST_ITEMS = new Set(['li', 'dt', 'dd'])
const DEEPEST_LIST = 8

/** A page's text, with headings, lists, tables and links as Markdown. `hidden` counts hidden parts. */
export function pageText(html: string): { title: string; text: string; hidden: number } {
  const flow = createFlow()
  /** The element being skipped, and how many elements of that name are open in it. */
  let skipped: { name: string; depth: number; isHidden: boolean } | undefined
  let title = ''
  let isTitle = false
  let hidden = 0
  let preformatted = 0
  const lists: { count: number | undefined }[] = []
  /** Open tables. A page need not close rows and cells. */
  const tables: { inRow: boolean; span: number | undefined }[] = []
  const links: { target: string | undefined; said: string }[] = []

  walkMarkup(
    html,
    {
      open(tag) {
        const { name } = tag
        if (name === 'title' && (skipped === undefined || skipped.name === 'head')) isTitle = true
        if (skipped) {
          // A page may leave its head open.
          if (skipped.name === 'head' && name === 'body') skipped = undefined
          else {
            if (name === skipped.name) skipped.depth++
            return
          }
        }
        const isHidden = hides(tag)
        if (UNREAD.has(name) || isHidden) {
          if (isHidden) hidden++
          skipped = { name, depth: 1, isHidden }
          return
        }
        openElement(tag)
      },
      close(name) {
        if (name === 'title') isTitle = false
        if (skipped) {
          if (name === skipped.name && --skipped.depth === 0) skipped = undefined
          return
        }
        closeElement(name)
      },
      text(text) {
        if (isTitle) title += text
        if (skipped) return
        const last = links.at(-1)
        if (last) last.said += text
        if (preformatted > 0) addPreformatted(flow, text)
        else {
          const bare = text.replaceAll(/[\s\u00ad]+/g, ' ')
          if (bare === ' ') flow.space()
          else flow.add(flow.isAtStart() ? bare.trimStart() : bare)
        }
      },
    },
    { isHtml: true },
  )
  return { title: title.replaceAll(/\s+/g, ' ').trim(), text: flow.finish(), hidden }

  /** List items and nested lists have no blank lines between them. */
  function endElement(name: string) {
    const isList = name === 'ul' || name === 'ol'
    if (LIST_ITEMS.has(name) || (isList && lists.length > 0)) flow.endLine()
    else flow.endBlock()
  }

  function startRow() {
    endRow()
    flow.startRow()
    const table = tables.at(-1)
    if (table) table.inRow = true
  }

  function startCell(span: number) {
    endCell()
    const table = tables.at(-1)
    if (!table) return
    if (!table.inRow) startRow()
    table.span = span
  }

  function endCell() {
    const table = tables.at(-1)
    if (table?.span === undefined) return
    flow.endCell(table.span)
    table.span = undefined
  }

  function endRow() {
    endCell()
    const table = tables.at(-1)
    if (!table?.inRow) return
    flow.endRow()
    table.inRow = false
  }

  function openElement(tag: Tag) {
    const { name } = tag
    if (name === 'table') {
      flow.startTable()
      tables.push({ inRow: false, span: undefined })
    } else if (TABLE_PARTS.has(name)) endRow()
    else if (name === 'tr') startRow()
    else if (name === 'td' || name === 'th') startCell(Number(tag.get('colspan') ?? 1) || 1)
    else if (BLOCKS.has(name)) endElement(name)
    const level = /^h([1-6])$/.exec(name)?.[1]
    if (level !== undefined) flow.add(`${'#'.repeat(Number(level))} `)
    if (name === 'ul' || name === 'ol')
      lists.push({ count: name === 'ol' ? Number(tag.get('start') ?? 1) || 1 : undefined })
    if (name === 'li') {
      const list = lists.at(-1)
      const depth = Math.min(Math.max(0, lists.length - 1), DEEPEST_LIST)
      flow.add(`${'  '.repeat(depth)}${list?.count === undefined ? '-' : `${list.count++}.`} `)
    }
    if (name === 'br') flow.endLine()
    if (name === 'pre') preformatted++
    if (name === 'img') {
      const alt = tag.get('alt')?.trim()
      if (alt) flow.add(`[picture: ${alt}]`)
    }
    if (name === 'a') links.push({ target: tag.get('href'), said: '' })
    if (name === 'input' && /^(?:text|)$/.test(tag.get('type') ?? '')) flow.add(tag.get('value') ?? '')
  }

  function closeElement(name: string) {
    if (name === 'td' || name === 'th') endCell()
    else if (name === 'tr') endRow()
    else if (name === 'table') {
      endRow()
      flow.endTable()
      tables.pop()
    } else if (BLOCKS.has(name)) endElement(name)
    if (name === 'ul' || name === 'ol') lists.pop()
    if (name === 'pre') preformatted = Math.max(0, preformatted - 1)
    if (name === 'a') {
      const link = links.pop()
      if (link?.target !== undefined && isWorthSaying(link.target, link.said)) flow.add(` (${link.target})`)
    }
  }
}

/** Whether to write a link's address: it leads elsewhere and differs from the link's text. */
const isWorthSaying = (target: string, said: string) =>
  /^(?:https?|mailto|ftp):/i.test(target) &&
  target.length < 300 &&
  said.trim() !== '' &&
  !target.includes(said.trim())

const hides = (tag: Tag): boolean =>
  tag.get('hidden') !== undefined && tag.name !== 'a'
    ? true
    : /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])/i.test(tag.get('style') ?? '')

function addPreformatted(flow: Flow, text: string) {
  const [first = '', ...rest] = text.split(/\r?\n/)
  flow.add(first)
  for (const line of rest) {
    flow.endLine()
    flow.add(line)
  }
}

/** Read a web page. The encoding that it declares counts if its bytes leave the encoding open. */
export const readHtml: Reader = ({ text, bytes }) => {
  const start = bytes.subarray(0, 4_096).toString('latin1')
  const said = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1]
  const isOpen = text !== undefined && !text.mark && text.encoding !== 'utf8'
  const declared = isOpen && said !== undefined && encodingExists(said) ? said : undefined
  const {
    title,
    text: body,
    hidden,
  } = pageText(declared === undefined ? (text?.text ?? '') : decode(bytes, declared))
  const heading = title === '' || body.includes(`# ${title}`) ? '' : `${title}\n\n`
  return {
    pages: [heading + body],
    problems:
      hidden > 0
        ? [`${many(hidden, 'part')} that a browser hides ${byCount(hidden, 'is', 'are')} left out.`]
        : [],
    ...(declared !== undefined && { encoding: declared }),
  }
}
