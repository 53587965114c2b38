import { diffArrays } from 'diff'
import { isBlankRun, signsOf, type Sign } from './fold-signs.ts'

const MOST_EDITS = 500

/** A sign that the file writes in more than one way, where nothing shows which one is meant. */
type UnclearSign = { unclear: string }

/** Writes signs as a text around them does. */
export type OwnSigns = {
  /** The content of a line with what differs between `old` and `now`, in the signs of `real`, which looks like `old`. */
  apply(real: string, old: string, now: string): string | UnclearSign
  /** A new line in the signs of the text. */
  write(line: string): string | UnclearSign
}

/**
 * The signs of a file, for a passage that was found although it is written in others. `pairs` are its lines, as the file and
 * as the model have them; what they differ in is never taken from the model.
 */
export function ownSigns(pairs: readonly { real: string; old: string }[], around: () => Usage): OwnSigns {
  const forgiven = new Set(pairs.flatMap(({ real, old }) => (real === old ? [] : groupsForgiven(real, old))))
  const here = usageOf(pairs.map(({ real }) => real))

  /** As close to the passage, and to the neighbours of the sign, as there is one. */
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

  /** New signs as the file writes them between such neighbours. `before` and `after` are what stands around them. */
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
      // Who writes a sign otherwise than a keyboard does means it.
      const own = !isForgiven && sign.raw !== sign.same ? sign.raw : ownAt(all, at)
      if (own === undefined && isForgiven) return { unclear: sign.raw }
      // A whole line may be code beside prose, where such a blank or dash would be no sign of the language.
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

/** Carry the difference between two lines over to a third one that looks like the first. */
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

/** Where the sign of each folded letter of a line begins; undefined inside a sign. */
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

/** Signs that are forgiven together: who mistakes one dash mistakes all of them. */
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
  // A sign that stands for several letters, such as an ellipsis, has no partner: then all that differ are meant.
  if (reals!.length !== olds!.length) return ['dots', 'blanks', 'quotes', 'dashes']
  return reals!.flatMap((sign, index) => (sign.raw === olds![index]!.raw ? [] : [groupOf(sign)]))
}

/** How a text writes a sign in a place like this one; null where it does so in several ways, undefined where it never does. */
export type Usage = { own(key: string, sign: Sign): string | null | undefined }

/** How the lines of a text write signs that have look-alikes. */
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

/** All letters with accents are written in one form, even those that stand nowhere else. */
const ACCENTS = 'accents'
const formOf = (raw: string) => (raw === raw.normalize('NFC') ? 'NFC' : 'NFD')

/** A run of blanks counts as one, so that columns do not look like another sign. */
const rawOf = ({ raw }: Sign) => (isBlankRun(raw) ? raw[0]! : raw)

/** The places that decide how a sign is written, the closest first: its two neighbours, its role, the sign alone. */
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

/** Whether a quotation mark opens or closes, or is an apostrophe. Where blanks do not tell, every second one closes. */
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
