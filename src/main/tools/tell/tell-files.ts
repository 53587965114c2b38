import { byCount, many } from '../../../shared/text/amounts.ts'
import { readCutLines } from './cut-texts.ts'
import {
  LONGEST_LINE,
  listNames,
  listPoints,
  textIn,
  writeBlock,
  writeCode,
  writeWords,
} from './plain-markdown.ts'
import { tellFailed } from './tell-failure.ts'
import { languageOf } from './language-of.ts'

/** How many entries of a folder are shown. */
const MOST_ENTRIES = 60

type Input = Record<string, unknown>
type Result = { ok: boolean; text: string }

/** Say what is in a folder. */
export function tellListing(input: Input, { ok, text }: Result): string {
  const path = textIn(input, 'path')
  if (!ok) {
    const file = /^([^]*) is a file\. Use read_file/.exec(text)?.[1]
    if (file !== undefined) return `${writeCode(file)} is a file, not a folder.`
    return tellFailed(path === '' ? 'list this folder' : `list ${writeCode(path)}`, text)
  }
  const { lines, isCut } = readCutLines(text)
  const [heading = '', ...rest] = lines
  const [, place = '', size = ''] =
    /^([^]*?)(?: is empty|, (?:at least )?(\d+) entr(?:y|ies))$/.exec(heading) ?? []
  if (place === '') return writeBlock(text).block
  const where = place === 'The workspace' ? 'this folder' : `the folder ${writeCode(place)}`
  const { points, folders, files, links, notes } = readEntries(rest)
  const said = notes.flatMap(noteInWords)
  const end = said.length > 0 ? `\n\n${said.join(' ')}` : ''
  if (points.length === 0)
    return end === ''
      ? `${upperFirst(where)} is empty.`
      : `I see nothing in ${where}. ${said.join(' ').replace(' more ', ' ')}`
  const total = Math.max(Number(size), points.length)
  const isWhole = !isCut && total === points.length
  const kinds = [
    ...(folders > 0 ? [many(folders, 'folder')] : []),
    ...(files > 0 ? [many(files, 'file')] : []),
    ...(links > 0 ? [many(links, 'link')] : []),
  ]
  const last = kinds.length > 1 ? ` and ${kinds.at(-1)}` : ''
  const counted = isWhole
    ? kinds.slice(0, last === '' ? 1 : -1).join(', ') + last
    : `${heading.includes('at least') ? 'at least ' : ''}${many(total, 'entry', 'entries')}`
  const verb = byCount(kinds.length === 1 ? total : 2, 'is', 'are')
  return `In ${where} ${verb} ${counted}:\n\n${listPoints(points, MOST_ENTRIES, total)}${end}`
}

type Entries = { points: string[]; folders: number; files: number; links: number; notes: string[] }

function readEntries(lines: readonly string[]): Entries {
  const found: Entries = { points: [], folders: 0, files: 0, links: 0, notes: [] }
  // A name may contain a line break; then its entry continues on the next line.
  let open = ''
  for (const line of lines) {
    const entry = open === '' ? line : `${open}\n${line}`
    open = ''
    const note = /^\[([^]*)\]$/.exec(line)?.[1]
    const [, name = '', size = ''] = /^([^]*) \((link|gone|[\d.]+ \w+)\)$/.exec(entry) ?? []
    if (note !== undefined) found.notes.push(note)
    else if (entry.endsWith('/')) {
      found.folders++
      found.points.push(writeCode(entry))
    } else if (name === '') open = entry
    else {
      if (size === 'link') found.links++
      else found.files++
      found.points.push(`${writeCode(name)} (${size === 'link' ? 'a link' : size})`)
    }
  }
  return found
}

function noteInWords(note: string): string[] {
  const ignored = /^(\d+) more left out by \.gitignore$/.exec(note)?.[1]
  if (ignored !== undefined)
    return [`${many(Number(ignored), 'more entry is', 'more entries are')} left out by \`.gitignore\`.`]
  const closed = /^not entered: ([^]*); list it by its path$/.exec(note)?.[1]
  if (closed !== undefined) return [`I did not look into ${listNames(closed.split(', '))}.`]
  const unreadable = /^could not be read: ([^]*)$/.exec(note)?.[1]
  if (unreadable !== undefined) return [`I could not read ${listNames(unreadable.split(', '))}.`]
  // The list itself says how many are shown.
  return note.startsWith('only the first') ? [] : [`${writeWords(note)}.`]
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Show a file, or the part that was read, and say how to read on. */
export function tellReading(input: Input, { ok, text }: Result): string {
  if (!ok) return tellUnread(textIn(input, 'path'), text)
  const empty = /^([^\n]*), empty$/.exec(text)?.[1]
  const inEncoding = ENCODING.exec(text)?.[1]
  if (inEncoding !== undefined && ok) {
    const told = tellReading(input, { ok, text: text.replace(ENCODING, '') })
    return `${told}\n\n${upperFirst(inEncoding)}.`
  }
  if (empty !== undefined) return `${nameIn(empty)} is empty.`
  const [heading = '', name = '', from = '', to = '', all = ''] =
    /^([^]{0,4200}?), lines? (\d+)(?:-(\d+))? of (\d+)(?:, line \d+ from character \d+ on|, characters [\d-]+ of \d+)?\n/.exec(
      text,
    ) ?? []
  if (heading === '') return writeBlock(text).block
  const [first, last, count] = [Number(from), Number(to || from), Number(all)]
  const body = withoutNotes(text.slice(heading.length))
  const { block, lines, isCut } = writeBlock(body, { language: languageOf(plainName(name)) })
  const end = isCut ? first + lines - 1 : last
  const part = /, characters (\d+)-(\d+) of (\d+)\n$/.exec(heading)
  if (part) {
    const start = Number(part[1])
    const shown = Math.min(Number(part[2]) - start + 1, LONGEST_LINE)
    return `Line ${first} of ${nameIn(name)} is long. Here are its characters ${start} to ${start + shown - 1} of ${part[3]}:\n\n${block}`
  }
  const isAll = first === 1 && end >= count && !heading.includes('from character')
  if (isAll && !isCut) return `Here is ${nameIn(name)}:\n\n${block}`
  const which = first === end ? `line ${first}` : `lines ${first} to ${end}`
  const more =
    end < count ? `\n\nAsk for line ${end + 1} on to read more.` : isCut ? '\n\nLong lines are cut.' : ''
  return `${nameIn(name)} has ${many(count, 'line')}. Here ${first === end ? 'is' : 'are'} ${which}:\n\n${block}${more}`
}

/** Finds the last note, which names an encoding other than UTF-8. */
const ENCODING =
  /\n\[((?:this file is (?:not|in)|this is the text of|some bytes of this file are) [^\n\]]*)\]$/

/** Remove the notes at the end of a page. */
const withoutNotes = (page: string): string =>
  page
    .replace(/\n?\[more from line (\d+): read again with offset \1\]$/, '')
    .replace(
      /\n?\[line \d+ (?:goes on: read again with offset \d+ and column \d+|has \d+ more characters: [^]*)\]$/,
      '',
    )

/** Matches a heading that says that the file was given by its name only. */
const ONLY = /^([^]*) \(the only [^]* below the folder\)$/
const plainName = (name: string): string => ONLY.exec(name)?.[1] ?? name
const nameIn = (name: string): string => writeCode(plainName(name))

function tellUnread(path: string, reason: string): string {
  const folder = /^([^]*) is a folder\. Use list_files/.exec(reason)?.[1]
  if (folder !== undefined) return `${writeCode(folder)} is a folder, not a file.`
  const [, name = '', what = '', size = ''] =
    /^([^]*) is (not text|too big) \(([^()]*)\)\./.exec(reason) ?? []
  if (what === 'not text') return `${writeCode(name)} is not a text (${size}), so I cannot show it.`
  if (what === 'too big') return `${writeCode(name)} is too big to read (${size}). I can search in it.`
  const [, long = '', lines = '', line = ''] =
    /^([^]*) has (\d+) lines, so there is no line (\d+)\.$/.exec(reason) ?? []
  if (long !== '')
    return `${writeCode(plainName(long))} has only ${many(Number(lines), 'line')}, so there is no line ${line}.`
  return tellFailed(path === '' ? 'read that file' : `read ${writeCode(path)}`, reason)
}

/** Say whether a file was sent. */
export function tellFileSent({ path }: Input, { ok, text }: Result): string {
  const [, name = '', to = ''] = /^Sent ([^]*) to ([^]*)\.$/.exec(text) ?? []
  if (ok && name !== '') return `I sent ${nameIn(name)} to ${writeWords(to)}.`
  return tellFailed(typeof path === 'string' ? `send ${writeCode(path)}` : 'send that file', text)
}
