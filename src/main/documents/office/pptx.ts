import { byCount } from '../../../shared/text/amounts.ts'
import { DocumentTrouble, type Reader, type ZipMembers } from '../document.ts'
import { nameNumbers, createFlow } from '../text-flow.ts'
import { walkMarkup } from '../web/markup.ts'
import { relationsOf } from './package-parts.ts'

/** Read a PowerPoint presentation: one page per slide, with speaker notes and comments marked. */
export const readPptx: Reader = ({ zip, isLate }) => {
  const main = 'ppt/presentation.xml'
  const xml = zip?.text(main)
  if (!zip || xml === undefined) throw new DocumentTrouble('is a damaged presentation')
  const targets = new Map(relationsOf(zip, main).map(({ id, target }) => [id, target]))
  const slides: string[] = []
  walkMarkup(xml, {
    open: tag => void (tag.name === 'sldId' && slides.push(targets.get(tag.prefixed('id') ?? '') ?? '')),
  })
  const authors = authorsIn(zip)
  const hidden: number[] = []
  const missing: number[] = []
  const pages: string[] = []
  for (const [index, name] of slides.entries()) {
    if (isLate()) break
    const slide = zip.text(name)
    if (slide === undefined) missing.push(index + 1)
    const { text, isHidden } = slideText(slide ?? '')
    if (isHidden) hidden.push(index + 1)
    const relations = slide === undefined ? [] : relationsOf(zip, name)
    const related = (type: RegExp) =>
      relations.filter(each => type.test(each.type)).map(each => zip.text(each.target) ?? '')
    const drawn = related(/^(?:diagramData|chart)$/).map(each => slideText(each).text)
    const notes = related(/^notesSlide$/).map(each => slideText(each, true).text)
    const comments = related(/^comments$/).flatMap(each => commentsIn(each, authors))
    const parts = [
      ...(isHidden ? ['(hidden slide)'] : []),
      text,
      ...drawn,
      ...notes.filter(each => each !== '').map(each => `Speaker notes:\n${each}`),
      ...(comments.length > 0 ? [`Comments:\n${comments.join('\n')}`] : []),
    ]
    pages.push(parts.filter(each => each.trim() !== '').join('\n\n'))
  }
  return {
    pages,
    problems: [
      ...(hidden.length > 0
        ? [`${nameNumbers(hidden, 'Slide', 'Slides')} ${byCount(hidden.length, 'is', 'are')} hidden.`]
        : []),
      ...(missing.length > 0 ? [`${nameNumbers(missing, 'Slide', 'Slides')} cannot be read: missing.`] : []),
      ...(pages.length < slides.length
        ? [`It has ${slides.length} slides. Only the first ${pages.length} were read.`]
        : []),
    ],
  }
}

/** Placeholders on a slide without text of their own. */
const PLACES = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'])

/** The text of a slide, in drawing order. Its title becomes a heading. */
function slideText(xml: string, isNotes = false): { text: string; isHidden: boolean } {
  const flow = createFlow()
  let isHidden = false
  let place = ''
  let isText = false
  let level = 0
  let inShape = 0
  let fallbacks = 0
  let isBegun = false
  let value = 0
  walkMarkup(xml, {
    open(tag) {
      const { name } = tag
      if (name === 'Fallback') fallbacks++
      if (name === 'sld' && tag.get('show') === '0') isHidden = true
      else if (name === 'sp') {
        inShape++
        place = ''
      } else if (name === 'ph') place = tag.get('type') ?? 'body'
      else if (name === 'p') {
        level = 0
        isBegun = false
      } else if (name === 'pPr') level = Number(tag.get('lvl') ?? 0) || 0
      else if (name === 't') isText = true
      else if (name === 'v') value++
      else if (name === 'br') flow.endLine()
      else if (name === 'tbl') flow.startTable()
      else if (name === 'tr') flow.startRow()
      else if (name === 'cNvPr') {
        const description = tag.get('descr')
        if (description && !isNotes) {
          flow.endBlock()
          flow.add(`[picture: ${description}]`)
          flow.endBlock()
        }
      }
    },
    text(text) {
      if (fallbacks > 0 || PLACES.has(place)) return
      if (value > 0) flow.add(`${text} `)
      if (!isText) return
      if (!isBegun) {
        isBegun = true
        const isTitle = !isNotes && /^(?:ctrT|t)itle$/.test(place)
        flow.add(
          isTitle
            ? '# '
            : isNotes || flow.depth() > 0 || place === 'subTitle'
              ? ''
              : inShape > 0 && place !== ''
                ? `${'  '.repeat(level)}- `
                : '',
        )
      }
      flow.add(text)
    },
    close(name) {
      if (name === 'Fallback') fallbacks--
      else if (name === 't') isText = false
      else if (name === 'v') value--
      else if (name === 'p') flow.endLine()
      else if (name === 'txBody' || name === 'sp' || name === 'ser') {
        if (flow.depth() === 0) flow.endBlock()
        if (name === 'sp') {
          inShape--
          place = ''
        }
      } else if (name === 'tc') flow.endCell()
      else if (name === 'tr') flow.endRow()
      else if (name === 'tbl') flow.endTable()
    },
  })
  return { text: flow.finish(), isHidden }
}

function authorsIn(zip: ZipMembers): Map<string, string> {
  const found = new Map<string, string>()
  for (const name of ['ppt/commentAuthors.xml', 'ppt/authors.xml'])
    walkMarkup(zip.text(name) ?? '', {
      open: tag =>
        void (/^(?:cmA|a)uthor$/.test(tag.name) && found.set(tag.get('id') ?? '', tag.get('name') ?? '')),
    })
  return found
}

function commentsIn(xml: string, authors: ReadonlyMap<string, string>): string[] {
  const found: string[] = []
  let author = ''
  let text: string | undefined
  walkMarkup(xml, {
    open(tag) {
      if (tag.name === 'cm' || tag.name === 'reply') author = authors.get(tag.get('authorId') ?? '') ?? ''
      else if (tag.name === 'text' || tag.name === 't') text ??= ''
    },
    text: each => void (text !== undefined && (text += each)),
    close(name) {
      if (text === undefined || (name !== 'text' && name !== 't')) return
      if (text.trim() !== '') found.push(`- ${author === '' ? '' : `${author}: `}${text.trim()}`)
      text = undefined
    },
  })
  return found
}
