import { diffArrays } from 'diff'
import { isBlankRun, signsOf, type Sign } from './fold-signs.ts'

const MOST_EDITS = 500

/** A character that the file writes in several ways, when it is unclear which one is meant. */
type UnclearSign = { unclear: string }

/** Writes characters in the style of the surrounding text. */
export type OwnSigns = {
  /** Apply the difference between `old` and `now` to `real`, the file's own version of `old`. */
  apply(real: string, old: string, now: string): string | UnclearSign
  /** Write a new line in the style of the text. */
  write(line: string): string | UnclearSign
}

/**
 * Use the characters of the file, for a passage that was quoted with look-alikes. `pairs` are its lines in
 * the file's and in the model's version. Where these differ, the model's version is never written.
 */
export function ownSigns(pairs: readonly { real: string; old: string }[], around: () => Usage): OwnSigns {
  const forgiven = new Set(pairs.flatMap(({ real, old }) => (real === old ? [] : groupsForgiven(real, old))))
  const here = usageOf(pairs.map(({ real }) => real))

  /** Find the file's version of a character, close to the passage and with similar neighbours. */
  function ownAt(all: readonly Sign[], at: number): string | undefined {
    const sign = all[at]!
    // Several blanks in a row are a layout, which only the model knows.
    if (isBlankRun(sign.raw) && sign.raw.length > 1) return sign.raw
    for (const key of keysOf(all, at))
      for (const usage of [here, around()]) {
        const found = usage.own(key, sign)
        if (found === null) return undefined
        if (found !== undefined) return found
      }
    return /^[\p{L}\p{N}]$/u.test(sign.same) ? sign.raw : undefined
  }

  /** Write new characters as the file does between neighbours such as `before` and `after`. */
  function write(
    fresh: readonly Sign[],
    before: readonly Sign[],
    after: readonly Sign[],
    isNewLine = false,
  ): string | UnclearSign {
    const all = [...before, ...fresh, ...after]
    let text = ''
    for (const [index, sign] of fresh.entries()) {
      const group = groupOf(sign)
      if (group === 'others' || forgiven.size === 0) {
        text += sign.raw
        continue
      }
      const at = before.length + index
      const isForgiven = forgiven.has(group)
      // A character that is not on a keyboard was written on purpose.
      const own = !isForgiven && sign.raw !== sign.same ? sign.raw : ownAt(all, at)
      if (own === undefined && isForgiven) return { unclear: sign.raw }
      // A whole line may be code next to prose, where a special blank or dash would be wrong.
      if (isNewLine && own !== undefined && own !== sign.raw && (group === 'blanks' || group === 'dashes'))
        return { unclear: sign.raw }
      text += own ?? sign.raw
    }
    return text
  }

  return {
    write: line => write(signsOf(line), [], [], true),
    apply(real, old, now) {
      if (real === old && forgiven.size === 0) return now
      return carryOver(real, old, now, write)
    },
  }
}

/** Apply the difference between two lines to a third line that looks like the first. */
function carryOver(
  real: string,
  old: string,
  now: string,
  write: (fresh: readonly Sign[], before: readonly Sign[], after: readonly Sign[]) => string | UnclearSign,
): string | UnclearSign {
  const [olds, nows] = [signsOf(old), signsOf(now)]
  const at = placesIn(real)
  const hunks = diffArrays(
    olds.map(({ raw }) => raw),
    nows.map(({ raw }) => raw),
    { maxEditLength: MOST_EDITS },
  )
  if (!hunks) return { unclear: now.slice(0, 40) }
  let [text, oldAt, nowAt, letters] = ['', 0, 0, 0]
  for (const { value, added, removed } of hunks) {
    if (added) {
      const end = nowAt + value.length
      const fresh = write(nows.slice(nowAt, end), nows.slice(0, nowAt), nows.slice(end))
      if (typeof fresh !== 'string') return fresh
      text += fresh
      nowAt = end
      continue
    }
    const length = olds.slice(oldAt, oldAt + value.length).reduce((sum, { same }) => sum + same.length, 0)
    const [from, to] = [at(letters), at(letters + length)]
    if (from === undefined || to === undefined) return { unclear: value.join('').slice(0, 40) }
    letters += length
    oldAt += value.length
    if (removed) continue
    text += real.slice(from, to)
    nowAt += value.length
  }
  return text
}

/** The start of the character of each folded letter; undefined inside a character. */
function placesIn(line: string): (letter: number) => number | undefined {
  const places: (number | undefined)[] = []
  let from = 0
  for (const { raw, same } of signsOf(line)) {
    for (let index = 0; index < same.length; index++) places.push(index === 0 ? from : undefined)
    from += raw.length
  }
  places.push(line.length)
  return letter => places[letter]
}

/** Characters that are confused together: a model that mistakes one dash mistakes all of them. */
type Group = 'accents' | 'quotes' | 'dashes' | 'blanks' | 'dots' | 'widths' | 'others'

function groupOf({ raw, same }: Sign): Group {
  if (same === ' ') return 'blanks'
  if (same === '"' || same === "'") return 'quotes'
  if (same === '-') return 'dashes'
  if (same === '...') return 'dots'
  if (raw.normalize('NFD') !== raw.normalize('NFC')) return 'accents'
  return /^[!-~]$/.test(same) ? 'widths' : 'others'
}

function groupsForgiven(real: string, old: string): Group[] {
  const [reals, olds] = [signsOf(real), signsOf(old)].map(signs => signs.filter(({ same }) => same !== ''))
  // A character that folds to several letters, such as “…”, has no partner, so assume all groups differ.
  if (reals!.length !== olds!.length) return ['dots', 'blanks', 'quotes', 'dashes']
  return reals!.flatMap((sign, index) => (sign.raw === olds![index]!.raw ? [] : [groupOf(sign)]))
}

/** How a text writes a character in a context; null if in several ways, undefined if never. */
export type Usage = { own(key: string, sign: Sign): string | null | undefined }

/** Collect how the lines of a text write characters that have look-alikes. */
export function usageOf(lines: readonly string[]): Usage {
  const seen = new Map<string, Set<string>>()
  const note = (key: string, raw: string) => seen.set(key, (seen.get(key) ?? new Set()).add(raw))
  for (const line of lines) {
    const signs = signsOf(line.trim())
    for (const [index, sign] of signs.entries()) {
      if (groupOf(sign) === 'others') continue
      for (const key of keysOf(signs, index)) note(key, key === ACCENTS ? formOf(sign.raw) : rawOf(sign))
    }
  }
  return {
    own(key, sign) {
      const [raw, other] = seen.get(key) ?? []
      if (raw === undefined) return undefined
      if (other !== undefined) return null
      return key === ACCENTS ? sign.raw.normalize(raw) : raw
    },
  }
}

/** Key for all accented letters, which share one form, even those that occur only once. */
const ACCENTS = 'accents'
const formOf = (raw: string) => (raw === raw.normalize('NFC') ? 'NFC' : 'NFD')

/** The first blank of a run, so that aligned columns do not count as another character. */
const rawOf = ({ raw }: Sign) => (isBlankRun(raw) ? raw[0]! : raw)

/** The contexts that decide how to write a character, the closest first: neighbours, role, itself. */
function keysOf(signs: readonly Sign[], at: number): string[] {
  const { same } = signs[at]!
  if (groupOf(signs[at]!) === 'accents') return [same.normalize('NFC'), ACCENTS]
  const [left, right] = [kindOf(signs[at - 1]), kindOf(signs[at + 1])]
  const isQuote = same === '"' || same === "'"
  return [
    ...(isQuote ? [] : [`${same}|${left}|${right}`]),
    ...(isQuote ? [`${same}|${roleOf(signs, at, left, right)}`] : []),
    same,
  ]
}

function kindOf(sign: Sign | undefined): string {
  if (!sign) return 'edge'
  if (sign.same === ' ') return 'blank'
  if (/^\p{Nd}/u.test(sign.same)) return 'digit'
  if (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(sign.same)) return 'han'
  return /^\p{L}/u.test(sign.same) ? 'letter' : sign.same
}

/** Whether a quotation mark opens, closes or is an apostrophe. If unclear, every second one closes. */
function roleOf(signs: readonly Sign[], at: number, left: string, right: string): string {
  const isWord = (kind: string) => kind === 'letter' || kind === 'digit'
  const { same } = signs[at]!
  if (same === "'" && isWord(left) && isWord(right)) return 'inner'
  const opens = ['edge', 'blank', '(', '[', '{'].includes(left)
  const closes = ['edge', 'blank', ')', ']', '}', '.', ',', ';', ':', '!', '?'].includes(right)
  if (opens !== closes) return opens ? 'opens' : 'closes'
  const before = signs.slice(0, at).filter(each => each.same === same).length
  return before % 2 === 0 ? 'opens' : 'closes'
}
