/** A file that a text of instructions names as `@path`; `end` is where the name ends in the text. */
export type Mention = {
  /** The possible paths, longest first. */
  paths: string[]
  end: number
  /** The name can only mean a file, so a missing file is worth reporting. */
  isClear: boolean
}

/** Maximum number of mentions to read in one text. */
const MOST = 200
/** Extensions of files with text for people. This ignores `@types/node`, `@alice` and decorators. */
const EXTENSION = /\.(?:mdc?|mdx|markdown|txt|rst|adoc|org|jsonc?|ya?ml|toml)(?![A-Za-z0-9_-])/i
const MENTION = /(?<![\p{Script=Latin}\d_.%+\-/@\\])@(?:"([^"\n]{1,500})"|((?:\\ |\S){1,500}))/gu
const TRAILING =
  /(?<![\s.,;:!?)\]}>"'*_~|’”»。，、；：！？）】』」])[\s.,;:!?)\]}>"'*_~|’”»。，、；：！？）】』」]+$/u

/** The files that a text names as Claude Code does: `@path`, outside of code and comments. */
export function mentionsIn(text: string): { mentions: Mention[]; more: boolean } {
  const mentions: Mention[] = []
  for (const match of withoutCode(text).matchAll(MENTION)) {
    const [, quoted, plain = ''] = match
    const paths = quoted === undefined ? pathsIn(plain) : [quoted]
    const longest = paths[0]
    if (longest === undefined || /^[a-z][a-z0-9+.-]+:\/\//i.test(longest)) continue
    if (mentions.length === MOST) return { mentions, more: true }
    const begin = match.index + 1
    const end = quoted === undefined ? begin + paths.at(-1)!.length : begin + quoted.length + 2
    mentions.push({ paths: paths.map(asPath), end, isClear: isClear(paths.at(-1)!) })
  }
  return { mentions, more: false }
}

/** Whether a name can only be a file name. */
export const isClear = (path: string): boolean =>
  /^(?:\.{1,2}|~)[\\/]/.test(path) || new RegExp(`${EXTENSION.source}$`, 'i').test(path)

function pathsIn(plain: string): string[] {
  const whole = plain.replace(TRAILING, '')
  const section = whole.indexOf('#')
  const extension = EXTENSION.exec(whole)
  const paths = [
    whole,
    ...(section > 0 ? [whole.slice(0, section)] : []),
    ...(extension ? [whole.slice(0, extension.index + extension[0].length)] : []),
  ]
  return [...new Set(paths)].filter(each => each !== '').toSorted((a, b) => b.length - a.length)
}

const asPath = (written: string) => written.replaceAll('\\ ', ' ').replaceAll('\\', '/')

/** The text with blanks in place of code and comments, so that all positions stay. */
function withoutCode(text: string): string {
  const plain = hideBlocks(text)
  const ticks = new Map<number, number[]>()
  const runs = [...plain.matchAll(/(?<!\\)`+|\n[ \t]*(?=\n)/g)].map(({ 0: run, index }) => ({
    at: index,
    length: run.startsWith('`') ? run.length : 0,
  }))
  // A span ends at the next run of its length in the same paragraph; found in one backward pass.
  const ends = new Map<number, number>()
  for (const { at, length } of runs.toReversed()) {
    if (length === 0) ticks.clear()
    else {
      const next = ticks.get(length)?.[0]
      if (next !== undefined) ends.set(at, next + length)
      ticks.set(length, [at])
    }
  }
  let shown = ''
  let from = 0
  for (const { at, length } of runs) {
    const end = ends.get(at)
    if (length === 0 || at < from || end === undefined) continue
    shown += plain.slice(from, at) + blank(plain.slice(at, end))
    from = end
  }
  return hideComments(shown + plain.slice(from))
}

const blank = (text: string) => text.replace(/[^\n]/g, ' ')

function hideComments(text: string): string {
  let shown = ''
  let from = 0
  for (;;) {
    const begin = text.indexOf('<!--', from)
    const end = begin < 0 ? -1 : text.indexOf('-->', begin + 4)
    if (end < 0) return shown + text.slice(from)
    shown += text.slice(from, begin) + blank(text.slice(begin, end + 3))
    from = end + 3
  }
}

/** Blank out code: fenced code, and lines indented by four after an empty line outside of lists. */
function hideBlocks(text: string): string {
  let fence: string | undefined
  let inList = false
  let wasBlank = true
  let inCode = false
  return text
    .split('\n')
    .map(line => {
      const mark = /^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*){0,8}(`{3,}|~{3,})(.*)$/.exec(line)
      if (fence !== undefined) {
        const closing = /^[ \t>]*(`{3,}|~{3,})[ \t\r]*$/.exec(line)?.[1]
        if (closing?.startsWith(fence)) {
          fence = undefined
          wasBlank = true
        }
        return blank(line)
      }
      if (mark && !(mark[1]!.startsWith('`') && mark[2]!.includes('`'))) {
        fence = mark[1]
        return blank(line)
      }
      if (line.trim() === '') {
        wasBlank = true
        return line
      }
      const isIndented = /^(?: {4}| {0,3}\t)/.test(line)
      inCode = isIndented && !inList && (wasBlank || inCode)
      if (!isIndented) inList = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/.test(line) || (inList && !wasBlank)
      wasBlank = false
      return inCode ? blank(line) : line
    })
    .join('\n')
}
