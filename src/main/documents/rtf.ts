import { decode, encodingExists } from 'iconv-lite'
import { createFlow } from './text-flow.ts'
import type { Reader } from './document.ts'

/** RTF groups that contain no document text. */
const UNREAD = new Set(
  `fonttbl colortbl stylesheet info pict object themedata colorschememapping latentstyles datastore listtable listoverridetable
  rsidtbl generator xmlnstbl mmathPr fldinst header footer headerl headerr headerf footerl footerr footerf nonshppict filetbl
  revtbl bkmkstart bkmkend atnid atrfstart atrfend shpinst pnseclvl nonesttables objdata wgrffmtfilter defchp defpap`.split(
    /\s+/,
  ),
)
const SIGNS: Readonly<Record<string, string>> = {
  tab: '\t',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  '~': '\u00a0',
  _: '-',
  '-': '',
  '{': '{',
  '}': '}',
  '\\': '\\',
}
const CHARSETS: Readonly<Record<string, string>> = {
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
}

type State = {
  skip: boolean
  encoding: string | undefined
  fallback: number
  isDeleted: boolean
  isTable: boolean
  /** Whether the group is the written-out marker of a list item, which is collected until the group ends. */
  isMarker: boolean
}

/** The bullet of a list item, which some programs write as text. */
const WRITTEN_DOT = /^[•·]\t/gm

const TOKEN =
  /\\(?:'([\da-fA-F]{2})|([a-zA-Z]{1,32})(-?\d{1,10})? ?|([^a-zA-Z]))|([{}])|\r?\n|([^\\{}\r\n]+)/g

/** Read an RTF document: paragraphs and tables. */
export const readRtf: Reader = ({ bytes }) => {
  const source = bytes.toString('latin1')
  const page = /\\ansicpg(\d+)/.exec(source.slice(0, 2_000))?.[1] ?? '1252'
  const usual = encodingExists(`cp${page}`) ? `cp${page}` : 'windows-1252'
  const fonts = fontEncodings(source)
  const flow = createFlow()
  const stack: State[] = []
  let state: State = {
    skip: false,
    encoding: undefined,
    fallback: 1,
    isDeleted: false,
    isTable: false,
    isMarker: false,
  }
  let pending: number[] = []
  let toSkip = 0
  let isFirst = false
  let inTable = false
  let inRow = false
  let isDeletedOpen = false
  let marker = ''

  const add = (text: string) => {
    if (state.skip || text === '') return
    if (state.isMarker) {
      marker += text
      return
    }
    if (state.isTable) openRow()
    if (state.isDeleted !== isDeletedOpen) {
      flow.add(state.isDeleted ? '[deleted: ' : ']')
      isDeletedOpen = state.isDeleted
    }
    flow.add(text)
  }
  const flush = () => {
    if (pending.length === 0) return
    const text = decode(Buffer.from(pending), state.encoding ?? usual)
    pending = []
    add(text)
  }
  const leaveTable = () => {
    if (inTable && !state.isTable) {
      flow.endTable()
      inTable = inRow = false
    }
  }
  // A row may be described before its cells, after them or not at all.
  const openRow = () => {
    if (!inTable) flow.startTable()
    if (!inRow) flow.startRow()
    inTable = inRow = true
  }
  const endMarker = () => {
    const sign = marker.trim()
    marker = ''
    // Word writes the hollow bullet of a list as the letter o.
    if (sign !== '') add(sign !== 'o' && /[\p{L}\p{N}]/u.test(sign) ? `${sign} ` : '- ')
  }

  for (const [, hex, word, number, sign, brace, plain] of source.matchAll(TOKEN)) {
    if (hex !== undefined) {
      if (toSkip > 0) toSkip--
      else pending.push(Number.parseInt(hex, 16))
      continue
    }
    flush()
    if (brace === '{') {
      stack.push({ ...state })
      isFirst = true
      continue
    }
    if (brace === '}') {
      const { isMarker } = state
      state = stack.pop() ?? state
      toSkip = 0
      if (isMarker && !state.isMarker) endMarker()
      continue
    }
    if (plain !== undefined) {
      const rest = plain.slice(toSkip)
      toSkip = Math.max(0, toSkip - plain.length)
      if (!state.skip && rest !== '') {
        leaveTable()
        add(
          /[\u0080-\u00ff]/.test(rest) ? decode(Buffer.from(rest, 'latin1'), state.encoding ?? usual) : rest,
        )
      }
    } else if (sign === '*') state.skip = true
    else if (sign !== undefined) add(SIGNS[sign] ?? '')
    else if (word !== undefined) control(word, number === undefined ? undefined : Number(number))
    isFirst = false
  }
  flush()
  return { pages: [flow.finish().replaceAll(WRITTEN_DOT, '- ')], problems: [] }

  function control(word: string, number: number | undefined) {
    if (isFirst && UNREAD.has(word)) state.skip = true
    else if (word === 'u' && number !== undefined) {
      add(String.fromCharCode(number & 0xff_ff))
      toSkip = state.fallback
    } else if (word === 'uc') state.fallback = number ?? 1
    else if (word === 'f') state.encoding = fonts.get(number ?? 0)
    else if (word === 'deleted') state.isDeleted = number !== 0
    else if (word === 'bin') toSkip = number ?? 0
    else if (word === 'intbl') state.isTable = true
    else if (word === 'pard') state.isTable = false
    else if (state.skip) return
    else if (word === 'listtext' || word === 'pntext') state.isMarker = true
    else if (word === 'cell') {
      if (state.isTable) openRow()
      if (inRow) flow.endCell()
      else flow.endBlock()
    } else if (word === 'nestcell') add(' | ')
    else if (word === 'nestrow') flow.endLine()
    else if (word === 'row') {
      flow.endRow()
      inRow = false
    } else if (word === 'par' || word === 'sect' || word === 'page') {
      leaveTable()
      flow.endBlock()
    } else if (word === 'line') flow.endLine()
    else add(SIGNS[word] ?? '')
  }
}

/** The encodings of fonts that name one, which their text is written in. */
function fontEncodings(source: string): Map<number, string> {
  const found = new Map<number, string>()
  for (const [, font, charset] of source
    .slice(0, 200_000)
    .matchAll(/\\f(\d+)\b[^{}]{0,200}?\\fcharset(\d+)/g)) {
    const encoding = CHARSETS[charset ?? '']
    if (encoding !== undefined) found.set(Number(font), encoding)
  }
  return found
}
