import type { ScanFinding } from '../../../shared/contract/learned/skills.ts'
import { tagText, ZERO_WIDTH, mixedWords } from './read/normalise.ts'
import type { Line } from './read/read-units.ts'

type Found = Pick<ScanFinding, 'line' | 'rule' | 'category' | 'severity' | 'reason'>

const ZERO_WIDTH_RUN = new RegExp(`(?:${ZERO_WIDTH.source}){4}`, 'u')
/** Scripts that use joiners and direction marks in ordinary writing, and emoji that joiners combine. */
const NEEDS_JOINERS = /[\u0590-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17ff\p{Extended_Pictographic}]/u
const OVERRIDE = /[\u202e\u202d]/
const ISOLATES = /[\u202a\u202b\u2066-\u2069]/g

/** Suspicious characters of a file, regardless of its meaning. */
export function oddCharacters(lines: readonly Line[]): Found[] {
  const found: Found[] = []
  const add = (line: number, rule: string, reason: string, severity: Found['severity'] = 'critical') => {
    found.push({ line, rule, category: 'obfuscation', severity, reason })
  }
  let hidden = 0
  for (const { raw, number, kind } of lines) {
    if (raw.length > 130 && kind === 'code' && /\S[ \t]{120}\s{0,2000}\S/.test(raw.slice(0, 2_400)))
      add(number, 'far-right', 'Text is so far to the right that no one sees it.', 'high')
    // eslint-disable-next-line no-control-regex
    if (/^[\x00-\x7f]*$/.test(raw)) continue
    const text = number === 1 ? raw.replace(/^\ufeff/, '') : raw
    if (tagText(text).length > 0 || /[\u{e0001}]/u.test(text))
      add(
        number,
        'tag-characters',
        'It contains text in tag characters, which are invisible but which the agent can read.',
      )
    if (/[\u{e0100}-\u{e01ef}]{2}|[\ufe00-\ufe0f]{3}/u.test(text))
      add(number, 'variation-selectors', 'It contains data hidden in invisible variation selectors.')
    const count = text.match(ZERO_WIDTH)?.length ?? 0
    const isScript = NEEDS_JOINERS.test(text)
    if (!isScript) hidden += count
    if (ZERO_WIDTH_RUN.test(text) || (count > 7 && !isScript))
      add(number, 'zero-width', 'It contains many zero-width characters, which can hide text.')
    else if (!isScript && count > 0 && hidden > 9 && hidden - count <= 9)
      add(number, 'zero-width', 'It contains many zero-width characters, which can hide text.')
    else if (!isScript && count > 0)
      add(number, 'invisible-character', 'It contains an invisible character.', 'high')
    const isRightToLeft = /[\u0590-\u08ff]/.test(text)
    if (text.includes('\u202e') || (kind === 'code' && OVERRIDE.test(text)))
      add(
        number,
        'direction-override',
        'It reverses the direction of text, so that people read something different from the agent.',
      )
    else if ((text.match(ISOLATES)?.length ?? 0) > 0 && !isRightToLeft)
      add(
        number,
        'direction-marks',
        'It changes the direction of text where there is no right-to-left script.',
      )
    const mixed = mixedWords(text)
    if (mixed.length > 0)
      add(
        number,
        'lookalike-letters',
        `It writes “${mixed[0]!}” with letters of another script that only look alike.`,
      )
  }
  return found
}
