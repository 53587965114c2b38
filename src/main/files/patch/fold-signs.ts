/** One visible character: a letter with its accents, or a run of blanks. `same` is equal for look-alikes. */
export type Sign = { raw: string; same: string }

/** Characters that people and models confuse, and what they are folded to. */
const ALIKE: ReadonlyMap<string, string> = new Map([
  ...Array.from('‘’‚‛′‹›ʼ´', sign => [sign, "'"] as const),
  ...Array.from('“”„‟″«»〝〞', sign => [sign, '"'] as const),
  ...Array.from('‐‑‒–—―−﹘﹣', sign => [sign, '-'] as const),
  ['…', '...'],
])
/** Invisible characters: soft hyphens, joiners, direction marks, variation selectors and byte order marks. */
const UNSEEN = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]|\p{Variation_Selector}/gu
/** Full-width and half-width forms, and ligatures. */
const WIDTHS = /^[\uff01-\uffef\ufb00-\ufb06]+$/u
const SIGNS = /[\p{Zs}\t]+|\P{M}\p{M}*|\p{M}+/gsu
const PLAIN = /^[\n -_a-~]*$/

/** Split a text into visible characters. A run of blanks is one of them; `same` is equal for all runs. */
export const signsOf = (text: string): Sign[] =>
  (text.match(SIGNS) ?? []).map(raw => ({ raw, same: isBlankRun(raw) ? ' ' : foldSign(raw) }))

export const isBlankRun = (raw: string): boolean => /^[\p{Zs}\t]/u.test(raw)

/** Fold a character to what its look-alikes share; empty if invisible. Runs of blanks keep their length. */
function foldSign(raw: string): string {
  if (PLAIN.test(raw)) return raw
  if (isBlankRun(raw)) return ' '.repeat(raw.length)
  const whole = raw.replace(UNSEEN, '').normalize('NFC')
  const folded = WIDTHS.test(whole) ? whole.normalize('NFKC') : whole
  return ALIKE.get(folded) ?? folded
}

/** A text with look-alikes folded, and the original positions of its letters. */
export type Folded = {
  text: string
  /** The start of the original character for a folded letter; undefined inside one. The length at the end. */
  at(index: number): number | undefined
}

/** Fold a whole text. Runs of blanks keep their length, and line breaks stay. */
export function foldText(text: string): Folded {
  if (PLAIN.test(text)) return { text, at: index => index }
  const parts: string[] = []
  const places: number[] = []
  // A text has few different characters.
  const known = new Map<string, string>()
  let from = 0
  for (const raw of text.match(SIGNS) ?? []) {
    let folded = known.get(raw)
    if (folded === undefined) known.set(raw, (folded = foldSign(raw)))
    parts.push(folded)
    // Nothing begins or ends inside a character that became several letters, except in runs of blanks.
    const each = isBlankRun(raw)
    for (let index = 0; index < folded.length; index++)
      places.push(each ? from + index : index === 0 ? from : -1)
    from += raw.length
  }
  places.push(text.length)
  return {
    text: parts.join(''),
    at(index) {
      const place = places[index]
      return place === -1 ? undefined : place
    },
  }
}

/** Fold a line, without the blanks at its ends. */
export const foldLine = (line: string): string => (PLAIN.test(line) ? line : foldText(line).text).trim()

/** Fold a line, with one blank for every run of blanks. */
export const foldLoosely = (line: string): string => foldLine(line).replace(/[ \t]+/g, ' ')

const NAMES: ReadonlyMap<string, string> = new Map([
  [' ', 'a blank'],
  ['\t', 'a tab'],
  ['\u00a0', 'a no-break space'],
  ['\u202f', 'a narrow no-break space'],
  ['\u2009', 'a thin space'],
  ['\u3000', 'an ideographic space'],
  ['\u00ad', 'a soft hyphen'],
  ['\u200b', 'a zero width space'],
  ['\ufe0f', 'a variation selector'],
  ['\ufeff', 'a byte order mark'],
])

/** Describe a character to tell it from its look-alikes, such as `a no-break space (U+00A0)`. */
export function nameSign(raw: string): string {
  const points = Array.from(
    raw,
    each => `U+${each.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`,
  )
  const name = NAMES.get(raw) ?? (isBlankRun(raw) && raw.length > 1 ? `${raw.length} blanks` : `“${raw}”`)
  return raw === ' ' || /^[!-~]$/.test(raw) ? name : `${name} (${points.slice(0, 4).join(' ')})`
}
