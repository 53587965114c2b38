import { byCount } from '../../../shared/text/amounts.ts'
import { similarity } from '../../lib/words/similarity.ts'
import { linesOfPassage } from './find-passage.ts'
import { foldLoosely, nameSign, signsOf } from './fold-signs.ts'

const MOST_COMPARED = 5_000
const SHOWN_LINES = 12
const SHOWN_LETTERS = 300

/** Describe the most similar passage and its first difference, so that the model can quote it. */
export function nearestPassage(text: string, old: string): string {
  const lines = text.split('\n').slice(0, MOST_COMPARED)
  const wanted = linesOfPassage(old)
  const first = Math.max(
    0,
    wanted.findIndex(line => line.trim() !== ''),
  )
  const key = (line: string) => foldLoosely(line.slice(0, SHOWN_LETTERS)).toLowerCase()
  const sought = key(wanted[first]!)
  let best = { at: -1, score: 0.5 }
  for (const [at, line] of lines.entries()) {
    const score = similarity(key(line), sought)
    if (score > best.score) best = { at, score }
  }
  if (best.at === -1) return 'Read the file and quote the text as it is.'
  const from = Math.max(0, best.at - first)
  const shown = lines.slice(from, from + Math.min(wanted.length, SHOWN_LINES))
  const where = byCount(shown.length, `Line ${from + 1} is`, `Lines ${from + 1}-${from + shown.length} are`)
  const real = lines.slice(best.at, best.at + wanted.length - first)
  const differs = firstDifference(real, wanted.slice(first), best.at + 1)
  return `${where} nearest to it:\n${shown.map(line => line.slice(0, SHOWN_LETTERS)).join('\n')}${differs}`
}

/** Describe the first different character, ignoring blanks at line ends. */
function firstDifference(reals: readonly string[], wanted: readonly string[], lineNumber: number): string {
  for (const [index, line] of wanted.entries()) {
    const real = reals[index]
    if (real === undefined) return `\n[The file ends before line ${lineNumber + index}.]`
    const [ours, theirs] = [signsOf(real.trim()), signsOf(line.trim())]
    const at = ours.findIndex((sign, place) => sign.raw !== theirs[place]?.raw)
    if (at === -1 && ours.length === theirs.length) continue
    const [has, given] = [ours[at === -1 ? ours.length : at]?.raw, theirs[at === -1 ? ours.length : at]?.raw]
    const name = (raw: string | undefined) => (raw === undefined ? 'nothing more' : nameSign(raw))
    const before = ours
      .slice(Math.max(0, at - 12), at === -1 ? ours.length : at)
      .map(({ raw }) => raw)
      .join('')
    const where = before === '' ? 'At its beginning' : `Behind “${before}”`
    return `\n[${where} line ${lineNumber + index} has ${name(has)} where old_string has ${name(given)}.]`
  }
  return ''
}
