import { DocumentTrouble, MOST_CHARACTERS, type Reader } from '../document.ts'
import { createFlow } from '../text-flow.ts'
import { walkMarkup, type Tag } from '../web/markup.ts'
import { headingStyles, listFormats, remarksIn } from './docx-parts.ts'
import { isOn, relationsOf } from './package-parts.ts'

/** Words for tracked changes in the text. */
const CHANGES: Readonly<Record<string, string>> = {
  ins: 'inserted',
  del: 'deleted',
  moveTo: 'moved here',
  moveFrom: 'moved away',
}

type Paragraph = { begun: boolean; heading: number; list: { id: string; level: number } | undefined }

/** Read a Word document: headings, lists and tables. Comments, notes and tracked changes are marked. */
export const readDocx: Reader = ({ zip }) => {
  const part = zip?.names.find(name => /^word\/document\d*\.xml$/i.test(name))
  const xml = part === undefined ? undefined : zip?.text(part)
  if (!zip || part === undefined || xml === undefined) throw new DocumentTrouble('is a damaged Word document')
  const relations = relationsOf(zip, part)
  const links = new Map(relations.filter(each => each.isOutside).map(({ id, target }) => [id, target]))
  const related = (type: string) => zip.text(relations.find(each => each.type === type)?.target ?? '')
  const comments = remarksIn(related('comments'), 'comment')
  const notes = {
    footnoteReference: remarksIn(related('footnotes'), 'footnote'),
    endnoteReference: remarksIn(related('endnotes'), 'endnote'),
  }
  const headings = headingStyles(zip)
  const formats = listFormats(zip)
  const counters = new Map<string, number>()
  const flow = createFlow()
  const paragraphs: Paragraph[] = []
  const changes: string[] = []
  const shownNotes: string[] = []
  const shownComments: string[] = []
  const spans: { span: number; isMerged: boolean }[] = []
  let texts = 0
  let fallbacks = 0
  let hidden = 0
  let isHiddenRun = false
  let changeCount = 0
  let link: string | undefined
  let wasItem = false
  let characters = 0

  const add = (text: string) => {
    if (characters > MOST_CHARACTERS) return
    characters += text.length
    const paragraph = paragraphs.at(-1)
    if (paragraph && !paragraph.begun && text.trim() !== '') {
      paragraph.begun = true
      const isItem = paragraph.list !== undefined && paragraph.heading === 0
      if (!isItem && wasItem) flow.setApart()
      wasItem = isItem
      flow.add(startOf(paragraph))
    }
    flow.add(text)
  }

  walkMarkup(xml, { open: openElement, close: closeElement, text: text => void (texts > 0 && say(text)) })

  function say(text: string) {
    if (fallbacks > 0) return
    if (isHiddenRun) hidden++
    else add(text)
  }

  function openElement(tag: Tag) {
    const { name } = tag
    if (name === 'Fallback') fallbacks++
    if (fallbacks > 0) return
    const paragraph = paragraphs.at(-1)
    if (name === 'p') {
      if (paragraph) flow.endBlock()
      paragraphs.push({ begun: false, heading: 0, list: undefined })
    } else if (name === 't' || name === 'delText') texts++
    else if (name === 'pStyle' && paragraph) paragraph.heading = headings.get(tag.get('val') ?? '') ?? 0
    else if (name === 'ilvl' && paragraph)
      paragraph.list = { id: paragraph.list?.id ?? '', level: Number(tag.get('val') ?? 0) || 0 }
    else if (name === 'numId' && paragraph)
      paragraph.list = { level: paragraph.list?.level ?? 0, id: tag.get('val') ?? '' }
    else if (name === 'r') isHiddenRun = false
    else if (name === 'vanish') isHiddenRun = isOn(tag)
    else if (name === 'tab' && paragraph?.begun) add('\t')
    else if (name === 'br' || name === 'cr') flow.endLine()
    else if (name === 'noBreakHyphen') add('-')
    else if (name === 'tbl') flow.startTable()
    else if (name === 'tr') flow.startRow()
    else if (name === 'tc') spans.push({ span: 1, isMerged: false })
    else if (name === 'gridSpan' && spans.length > 0) spans.at(-1)!.span = Number(tag.get('val') ?? 1) || 1
    else if (name === 'vMerge' && spans.length > 0) spans.at(-1)!.isMerged = tag.get('val') !== 'restart'
    else if (name === 'hyperlink') link = links.get(tag.prefixed('id') ?? '')
    else if (name === 'docPr' && tag.get('descr')) add(`[picture: ${tag.get('descr')}]`)
    else if (name === 'commentReference') remark(comments.get(tag.get('id') ?? ''), shownComments, 'comment')
    else if (name === 'footnoteReference' || name === 'endnoteReference')
      remark(notes[name].get(tag.get('id') ?? ''), shownNotes, 'note')
    else if (name in CHANGES) beginChange(tag)
  }

  function closeElement(name: string) {
    if (name === 'Fallback') fallbacks = Math.max(0, fallbacks - 1)
    if (fallbacks > 0) return
    if (name === 't' || name === 'delText') texts = Math.max(0, texts - 1)
    else if (name === 'p') {
      const paragraph = paragraphs.pop()
      flow[paragraph?.begun && wasItem ? 'endLine' : 'endBlock']()
    } else if (name === 'tc') {
      const cell = spans.pop()
      if (cell?.isMerged) flow.add('″')
      flow.endCell(cell?.span)
    } else if (name === 'tr') flow.endRow()
    else if (name === 'tbl') flow.endTable()
    else if (name === 'hyperlink') {
      if (link !== undefined) add(` (${link})`)
      link = undefined
    } else if (name in CHANGES && changes.pop() === 'text') add(']')
  }

  /** In a paragraph's properties, an inserted or deleted paragraph end is an empty element. */
  function beginChange(tag: Tag) {
    const isText = paragraphs.length > 0 && !tag.isEmpty
    changes.push(isText ? 'text' : 'mark')
    if (!isText) return
    changeCount++
    const author = tag.get('author')
    add(`[${CHANGES[tag.name]}${author ? ` by ${author}` : ''}: `)
  }

  function startOf({ heading, list }: Paragraph): string {
    if (heading > 0) return `${'#'.repeat(Math.min(6, heading))} `
    if (!list || list.id === '0' || list.id === '') return ''
    const indent = '  '.repeat(Math.min(8, list.level))
    const format = formats.get(`${list.id}/${list.level}`)
    if (format === undefined || format === 'bullet' || format === 'none') return `${indent}- `
    const key = `${list.id}/${list.level}`
    const count = (counters.get(key) ?? 0) + 1
    counters.set(key, count)
    for (let deeper = list.level + 1; deeper < 9; deeper++) counters.delete(`${list.id}/${deeper}`)
    return `${indent}${count}. `
  }

  function remark(found: { author: string; text: string } | undefined, shown: string[], word: string) {
    if (!found) return
    const { author, text } = found
    shown.push(`[${word} ${shown.length + 1}]${author === '' ? '' : ` ${author}:`} ${text}`)
    add(`[${word} ${shown.length}]`)
  }

  const text = flow.finish()
  const heads = zip.names
    .filter(name => /^word\/(?:header|footer)\d*\.xml$/.test(name))
    .map(name => plainText(zip.text(name) ?? ''))
    .filter(each => each !== '')
  const after = [
    ...section('Notes', shownNotes),
    ...section('Comments', shownComments),
    ...section('Above and below the pages', [...new Set(heads)]),
  ]
  return {
    pages: [[text, ...after].join('\n\n')],
    problems: [
      ...(changeCount > 0
        ? ['It has tracked changes, which are neither accepted nor rejected. They are marked in the text.']
        : []),
      ...(hidden > 0 ? ['Hidden text in it is left out.'] : []),
    ],
  }
}

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [`${title}:\n${lines.join('\n')}`]

function plainText(xml: string): string {
  let text = ''
  let isText = false
  walkMarkup(xml, {
    open(tag) {
      if (tag.name === 't') isText = true
      else if (tag.name === 'p' || tag.name === 'tab') text += ' '
    },
    text: each => void (isText && (text += each)),
    close: name => void (name === 't' && (isText = false)),
  })
  return text.replaceAll(/\s+/g, ' ').trim()
}
