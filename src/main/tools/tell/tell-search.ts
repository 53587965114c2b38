import { many } from '../../../shared/text/amounts.ts'
import { readCutLines } from './cut-texts.ts'
import { listPoints, quoteWords, textIn, toOneLine, writeCode, writeWords } from './plain-markdown.ts'
import { forPerson, tellFailed } from './tell-failure.ts'

type Input = Record<string, unknown>
type Result = { ok: boolean; text: string }

/** How many matches are shown, and the maximum length of each in characters. */
const MOST_MATCHES = 25
const LONGEST_MATCH = 160

/** Say where a text was found. */
export function tellSearch(input: Input, { ok, text }: Result): string {
  const pattern = textIn(input, 'pattern')
  const wanted = pattern === '' ? 'that' : quoteWords(pattern, 120)
  if (!ok) {
    if (text.startsWith('The search was ended after'))
      return `I searched for ${wanted}, but it took too long, and nothing was found until then.`
    if (text === 'The search was stopped by the user.') return 'You stopped the search.'
    return tellFailed(`search for ${wanted}`, text)
  }
  const none = /^(?:No matches in|Nothing was searched: of) (\d[\d,]*) files?([^]*)$/.exec(text)
  if (none) return tellNothing(wanted, textIn(input, 'glob'), none[1] ?? '', none[2] ?? '')
  const { lines, isCut } = readCutLines(text)
  const sum = /^\[([^]*)\]$/.exec(lines.at(-1) ?? '')?.[1] ?? ''
  const found = lines.slice(0, sum === '' ? undefined : -1).flatMap(line => matchIn(line))
  const [, more = '', count = '', files = ''] =
    /^(more than )?([\d,]+) match(?:es)? in ([\d,]+) files?/.exec(sum) ?? []
  if (found.length === 0 && count === '') return `I searched for ${wanted}. ${writeWords(forPerson(text))}`
  const total = Math.max(Number(count.replaceAll(',', '')), found.length)
  const heading =
    count === ''
      ? `I searched for ${wanted} until it took too long. Found until then:`
      : `I found ${wanted} ${more}${many(total, 'time')} in ${many(Number(files.replaceAll(',', '')), 'file')}:`
  const points = found.map(({ place, said }) => `${writeCode(place)}: ${said}`)
  const rest = isCut || count === '' ? found.length : total
  const left = leftOutOf(sum)
  return `${heading}\n\n${listPoints(points, MOST_MATCHES, Math.max(rest, total))}${left === '' ? '' : `\n\n${left}`}`
}

function tellNothing(wanted: string, glob: string, count: string, rest: string): string {
  const files = count === '1' ? '1 file' : `${count} files`
  if (rest.startsWith(' none fits the glob'))
    return `I searched nothing: of ${files} here, none fits ${writeCode(glob)}.`
  const where = count === '0' ? 'There was no file to search in.' : `I looked in ${files}.`
  const left = leftOutOf(rest)
  const isMore = rest.includes('the search ended there') ? ' There are more files than I search at once.' : ''
  return `I did not find ${wanted}. ${where}${isMore}${left === '' ? '' : ` ${left}`}`
}

/** The files that were not searched, such as “Not searched: 2 by .gitignore (out/).” */
function leftOutOf(text: string): string {
  const parts = /; left out: ([^]*?)(?:\.(?: To search that too|\s*\(|$)|\. Use a simpler|$)/.exec(text)?.[1]
  return parts === undefined ? '' : `Not searched: ${writeWords(parts)}.`
}

function matchIn(line: string): { place: string; said: string }[] {
  const [, file = '', number = '', said = ''] = /^(.*?):(\d+): (.*)$/.exec(line) ?? []
  if (file === '') return []
  const words = toOneLine(said, LONGEST_MATCH)
  return [
    { place: `${file}:${number}`, said: words === '' ? '(an empty line)' : writeWords(words, LONGEST_MATCH) },
  ]
}
