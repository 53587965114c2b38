import { isCrowded } from '../../../../shared/markdown/is-crowded.ts'
import { showUnseen } from '../../../../shared/visible-text/show-unseen.ts'

const FENCE = /^[ \t>]*(`{3,}|~{3,})/
const FENCES = /^[ \t>]*(?:`{3,}|~{3,}).*$/gm

/** Markers at the start of a line: quotes, headings, lists. */
const QUOTE = /^(?: {0,3}> ?)+/
const HEADING = /^ {0,3}#{1,6}(?:[ \t]+|$)/
const ITEM = /^\s*[*+-][ \t]+/
const DONE = /^\[[xX]\] /
const TO_DO = /^\[ \] /
/** Lines without words: rules, underlines of headings, and the line below a table header. */
const DRAWN = /^(?:([-*_])(?:[ \t]*\1){2,}|=+|\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?)$/
const ROW = /^\s*\|(.*)\|\s*$/

/** Parts that are not Markdown: escaped characters, code, formulas, addresses. Group 2 is spoken. */
const VERBATIM = new RegExp(
  [
    String.raw`\\([!-/:-@\[-\x60\{-~])`,
    String.raw`(?<!\x60)(?<ticks>\x60+)(?!\x60)([^]*?[^\x60])\k<ticks>(?!\x60)`,
    String.raw`\$\$([^$]+)\$\$`,
    String.raw`(?<![\w$])\$(?=[^\s$])([^$\n]*[^\s$\\])\$(?![\d$])`,
    String.raw`<(https?://[^\s<>]+)>`,
    String.raw`(?<!\]\()(https?://[^\s<>)]+)`,
  ].join('|'),
  'g',
)

/** The characters that can start any of these parts, a link, a tag or a pair. */
const SIGNS = /[\\`$<*_~[:]/

/** Pairs of marks around words. Inside a word they are ordinary characters, as in `3*4*5` and `a_b`. */
const PAIRS = [
  /(?<![\d*])(\*{2,3})(?=[^\s*])(.+?)(?<=[^\s*])\1(?![\d*])/gu,
  /(?<![\p{L}\p{N}*])(\*)(?=[^\s*])([^*]+?)(?<=[^\s*])\1(?![\p{L}\p{N}*])/gu,
  /(?<![\p{L}\p{N}_])(_{1,3})(?=[^\s_])(.+?)(?<=[^\s_])\1(?![\p{L}\p{N}_])/gu,
  /(?<!~)(~~)(?=[^\s~])(.+?)(?<=[^\s~])\1(?!~)/gu,
]
/** Names such as `__init__`, whose underscores belong to the name. */
const NAME = /^__[a-z0-9]+(?:_[a-z0-9]+)*__$/
/** Half of a pair whose other half is in another sentence. */
const ODD = /(?<=^|\s|["“(])(?:\*\*\*?|~~)(?=["“(]?\p{Lu})|(?<=[.!?:;…)”"])(?:\*\*\*?|~~)(?=\s|$)/gu

const LINK = /!?\[([^\][]*)\](?:\((?:<[^<>]*>|[^\s()]*)(?:\s+(?:"[^"]*"|'[^']*'))?\)|\[[^\][]*\])/g
const TAG = /<\/?(?:b|i|u|em|strong|s|del|sub|sup|kbd|br|details|summary|p)\s*\/?>/gi

/**
 * The text that a screen reader speaks for a piece of Markdown that follows `before`: the words without their
 * markup. In code, names, sums, formulas and addresses, all characters stay.
 */
export function speakMarkdown(piece: string, before = ''): string {
  let fence = openFence(before)
  const lines = showUnseen(piece)
    .split('\n')
    .map((line, at) => {
      const begins = at > 0 || before === '' || before.endsWith('\n')
      const mark = begins ? FENCE.exec(line)?.[1] : undefined
      if (mark !== undefined && (fence === undefined || closes(line, mark, fence))) {
        fence = fence === undefined ? mark : undefined
        return ''
      }
      if (fence !== undefined) return line
      return speakLine(begins ? withoutBlockMarks(line) : line)
    })
  return lines.join('\n').trim()
}

/** The code fence that a text leaves open, if any. */
function openFence(text: string): string | undefined {
  let fence: string | undefined
  for (const [line] of text.matchAll(FENCES)) {
    const mark = FENCE.exec(line)![1]!
    if (fence === undefined) fence = mark
    else if (closes(line, mark, fence)) fence = undefined
  }
  return fence
}

const closes = (line: string, mark: string, fence: string) =>
  mark[0] === fence[0] && mark.length >= fence.length && line.trimEnd().endsWith(mark)

function withoutBlockMarks(line: string): string {
  if (line === '') return ''
  const text = line.replace(QUOTE, '')
  if (DRAWN.test(text.trim())) return ''
  const row = ROW.exec(text)?.[1]
  if (row !== undefined)
    return row
      .split(/(?<!\\)\|/)
      .map(cell => cell.trim())
      .join(', ')
  if (HEADING.test(text)) return text.replace(HEADING, '').replace(/(?<![ \t])[ \t]+#+\s*$/, '')
  return text.replace(ITEM, '').replace(DONE, 'Done: ').replace(TO_DO, 'To do: ')
}

function speakLine(line: string): string {
  if (!SIGNS.test(line)) return line
  const kept: string[] = []
  // The text contains no NUL: it was escaped before.
  const marked = line.replaceAll(VERBATIM, (whole, ...groups: unknown[]) => {
    const [escaped, ticks, code, display, formula, ...addresses] = groups.slice(0, 7) as (
      | string
      | undefined
    )[]
    const said = ticks === undefined ? (escaped ?? display ?? formula ?? addresses.find(Boolean)) : code
    // A space next to the backticks allows code that starts with a backtick.
    return `\0${kept.push(said?.replace(/^ (.*\S.*) $/, '$1') ?? whole) - 1}\0`
  })
  let text = marked.replaceAll(LINK, '$1').replaceAll(TAG, tag => (/br/i.test(tag) ? ' ' : ''))
  // Each mark is compared with all later ones. A line with too many marks is left as it is, as in the window.
  for (const pair of isCrowded(text) ? [] : PAIRS)
    text = text.replaceAll(pair, (whole: string, _signs, inner: string) => (NAME.test(whole) ? whole : inner))
  return text.replaceAll(ODD, '').replaceAll(/\0(\d+)\0/g, (_, at: string) => kept[Number(at)]!)
}
