import { DocumentTrouble, LOCKED_OFFICE, type Reader, type Source, type ZipMembers } from '../document.ts'
import { createFlow } from '../text-flow.ts'
import { walkMarkup, type Tag } from '../web/markup.ts'
import { removedTexts } from './odf-changes.ts'

const MOST_SPACES = 1_000

/** The content of an OpenDocument file. Throws `DocumentTrouble` if it is locked or damaged. */
export function contentOf({ zip }: Pick<Source, 'zip'>): string {
  if (/<(?:\w+:)?encryption-data\b/.test(zip?.text('META-INF/manifest.xml') ?? ''))
    throw new DocumentTrouble(LOCKED_OFFICE)
  const xml = zip?.text('content.xml')
  if (xml === undefined) throw new DocumentTrouble('is a damaged OpenDocument file')
  return xml
}

/** Read an OpenDocument text: headings, lists and tables. Comments, notes and tracked changes are marked. */
export const readOdt: Reader = source => {
  const { pages, hasChanges } = readBody(contentOf(source), false)
  const heads = source.zip ? textsOfHeads(source.zip) : []
  return {
    pages: [[...pages, ...section('Above and below the pages', heads)].join('\n\n')],
    problems: hasChanges
      ? ['It has tracked changes, which are neither accepted nor rejected. They are marked in the text.']
      : [],
  }
}

/** Read an OpenDocument presentation: one page per slide, with speaker notes. */
export const readOdp: Reader = source => ({ pages: readBody(contentOf(source), true).pages, problems: [] })

type Remark = { author: string; text: string; fact: 'creator' | 'date' | undefined }

function readBody(xml: string, isSlides: boolean) {
  const changes = removedTexts(xml)
  const pages: string[] = []
  let flow = createFlow()
  let slide = flow
  let comments: string[] = []
  let notes: string[] = []
  let remark: Remark | undefined
  let paragraphs = 0
  let skipped = 0
  let lists = 0
  let isItem = false
  let isDescription = false
  let isTitle = false
  let target: string | undefined
  let citation = 0
  const isBodyOpen = { value: false }

  const finishPage = (text: string) => {
    const parts = [text, ...section('Notes', notes), ...section('Comments', comments)]
    const page = parts.filter(each => each !== '').join('\n\n')
    if (isSlides || page !== '') pages.push(page)
    notes = []
    comments = []
  }

  walkMarkup(xml, {
    open(tag) {
      const { name } = tag
      if (name === 'body') isBodyOpen.value = true
      if (!isBodyOpen.value) return
      if (name === 'tracked-changes' || name === 'forms' || name === 'note-citation') skipped++
      if (skipped > 0) return
      openElement(tag)
    },
    text(text) {
      const bare = text.replaceAll(/\s+/g, ' ')
      if (skipped > 0 || !isBodyOpen.value) return
      if (remark?.fact === 'creator') remark.author += bare
      else if (remark?.fact === 'date') return
      else if (remark) {
        if (paragraphs > 0) remark.text += bare
      } else if (isDescription) flow.add(bare)
      else if (paragraphs > 0) flow.add(flow.isAtStart() ? bare.trimStart() : bare)
    },
    close(name) {
      if (!isBodyOpen.value) return
      if (name === 'tracked-changes' || name === 'forms' || name === 'note-citation') skipped--
      else if (skipped === 0) closeElement(name)
    },
  })
  if (!isSlides) finishPage(flow.finish())
  return { pages, hasChanges: changes.count > 0 }

  function openElement(tag: Tag) {
    const { name } = tag
    if (name === 'annotation' || name === 'note') remark = { author: '', text: '', fact: undefined }
    else if (remark && (name === 'creator' || name === 'date')) remark.fact = name
    else if (name === 'p' || name === 'h') {
      paragraphs++
      if (remark) {
        remark.text += ' '
        return
      }
      if (!isItem) flow.endBlock()
      else flow.add(`${'  '.repeat(Math.min(8, lists - 1))}- `)
      isItem = false
      if (name === 'h') flow.add(`${'#'.repeat(Math.min(6, Number(tag.get('outline-level') ?? 1) || 1))} `)
      else if (isTitle) flow.add('# ')
      isTitle = false
    } else if (name === 's') addSpace(Math.min(MOST_SPACES, Number(tag.get('c') ?? 1) || 1))
    else if (name === 'tab') addSpace(1, '\t')
    else if (name === 'line-break') {
      if (remark) remark.text += ' '
      else flow.endLine()
    } else if (name === 'list') {
      if (lists++ === 0) flow.endBlock()
    } else if (name === 'list-item' || name === 'list-header') {
      flow.endLine()
      isItem = true
    } else if (name === 'table') flow.startTable()
    else if (name === 'table-row') flow.startRow()
    else if (name === 'a') target = tag.get('href')
    else if (name === 'desc') {
      isDescription = true
      flow.add('[picture: ')
    } else if (name === 'page' && isSlides) flow = slide = createFlow()
    else if (name === 'frame' || name === 'custom-shape') isTitle = tag.get('class') === 'title'
    else if (name === 'notes' && isSlides) flow = createFlow()
    else if (name === 'change') {
      const removed = changes.removed.get(tag.get('change-id') ?? '')
      if (removed) flow.add(`[deleted${by(removed.author)}: ${removed.text}]`)
    } else if (name === 'change-start')
      flow.add(`[inserted${by(changes.authors.get(tag.get('change-id') ?? '') ?? '')}: `)
    else if (name === 'change-end') flow.add(']')
  }

  function closeElement(name: string) {
    if (name === 'p' || name === 'h') {
      paragraphs--
      if (!remark) flow[lists > 0 ? 'endLine' : 'endBlock']()
    } else if (remark && (name === 'creator' || name === 'date')) remark.fact = undefined
    else if (remark && (name === 'annotation' || name === 'note')) {
      const list = name === 'note' ? notes : comments
      const word = name === 'note' ? 'note' : 'comment'
      const text = remark.text.replaceAll(/\s+/g, ' ').trim()
      const shown = name === 'note' ? ++citation : list.length + 1
      list.push(`[${word} ${shown}]${remark.author === '' ? '' : ` ${remark.author.trim()}:`} ${text}`)
      remark = undefined
      flow.add(`[${word} ${shown}]`)
    } else if (name === 'list') {
      if (--lists === 0) flow.endBlock()
    } else if (name === 'list-item') isItem = false
    else if (name === 'table-cell' || name === 'covered-table-cell') flow.endCell()
    else if (name === 'table-row') flow.endRow()
    else if (name === 'table') flow.endTable()
    else if (name === 'a') {
      if (target !== undefined && /^(?:https?|mailto):/i.test(target)) flow.add(` (${target})`)
      target = undefined
    } else if (name === 'desc') {
      isDescription = false
      flow.add(']')
    } else if (name === 'notes' && isSlides) {
      const said = flow.finish()
      flow = slide
      if (said !== '') notes.push(said)
    } else if (name === 'page' && isSlides) {
      const said = notes
      notes = []
      const text = flow.finish()
      finishPage([text, ...section('Speaker notes', said)].filter(each => each !== '').join('\n\n'))
    }
  }

  function addSpace(count: number, sign = ' ') {
    if (remark) remark.text += ' '
    else flow.add(sign.repeat(count))
  }
}

const by = (author: string) => (author === '' ? '' : ` by ${author}`)

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [`${title}:\n${lines.join('\n')}`]

/** Headers and footers, also those for first and left pages. */
const HEADS = /^(?:header|footer)(?:-(?:first|left))?$/
/** Fields that the program fills in on each page, and elements that are not text of the page. */
const SKIPPED = new Set(['page-number', 'page-count', 'annotation', 'tracked-changes'])

/** The texts of headers and footers in an OpenDocument text, without duplicates. */
function textsOfHeads(zip: ZipMembers): string[] {
  const found = new Set<string>()
  let text: string | undefined
  let skipped = 0
  walkMarkup(zip.text('styles.xml') ?? '', {
    open(tag) {
      if (HEADS.test(tag.name)) text = tag.get('display') === 'false' ? undefined : ''
      else if (SKIPPED.has(tag.name)) skipped++
      else if (text !== undefined && /^(?:p|h|s|tab|line-break)$/.test(tag.name)) text += ' '
    },
    text: each => void (skipped === 0 && text !== undefined && (text += each)),
    close(name) {
      if (SKIPPED.has(name)) skipped--
      if (!HEADS.test(name) || text === undefined) return
      const bare = text.replaceAll(/\s+/g, ' ').trim()
      if (bare !== '') found.add(bare)
      text = undefined
    },
  })
  return [...found]
}
