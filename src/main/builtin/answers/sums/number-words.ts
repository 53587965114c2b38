const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const SCALES: Record<string, number> = { thousand: 1000, million: 1_000_000, billion: 1_000_000_000 }

const VALUES = new Map<string, number>([
  ...SMALL.map((word, at): [string, number] => [word, at]),
  ...TENS.map((word, at): [string, number] => [word, (at + 2) * 10]),
  ['fourty', 40],
  ['dozen', 12],
])

const WORD = [...VALUES.keys(), 'hundred', ...Object.keys(SCALES)].join('|')
/** Consecutive number words, “and” only after hundred, thousand or million: not “three and four”. */
const RUN = new RegExp(
  String.raw`\b(?:an? (?=hundred|thousand|million|billion|dozen))?(?:${WORD})(?:(?:(?<=hundred|thousand|million) and |[ -])(?:${WORD}))*\b(?: point(?: (?:${SMALL.slice(0, 10).join('|')}))+\b)?`,
  'g',
)
/** Digits followed by a scale: “2.5 million”. */
const SCALED = /\b(\d+(?:\.\d+)?) (hundred|thousand|million|billion)\b/g

/** Replace numbers in words by digits. Number words that do not form one number stay. */
export const replaceNumberWords = (text: string): string =>
  text
    .replaceAll(SCALED, (whole, digits: string, scale: string) => {
      const value = Number(digits) * (scale === 'hundred' ? 100 : SCALES[scale]!)
      return Number.isSafeInteger(value) ? String(value) : whole
    })
    .replaceAll(RUN, run => {
      const [words = '', after] = run.split(' point ')
      const value = valueOfWords(words)
      if (value === undefined) return run
      const digits = after?.split(' ').map(word => VALUES.get(word))
      return digits ? `${value}.${digits.join('')}` : String(value)
    })

function valueOfWords(text: string): number | undefined {
  let total = 0
  let part = 0
  let last = Infinity
  for (const word of text.split(/[ -]/)) {
    if (word === 'and' || word === 'a' || word === 'an') continue
    const scale = SCALES[word]
    if (scale !== undefined) {
      total += (part || 1) * scale
      part = 0
      last = Infinity
    } else if (word === 'hundred') {
      part = (part || 1) * 100
      last = 100
    } else {
      const value = VALUES.get(word) ?? 0
      // “five three” is not a number, nor is “twenty twenty”.
      if (part > 0 && (last <= value || (last < 20 && word !== 'dozen'))) {
        if (word !== 'dozen') return undefined
      }
      if (word === 'dozen') part = (part || 1) * 12
      else part += value
      last = value < 10 ? 1 : value < 20 ? 10 : 20
      if (value === 0 && text !== 'zero') return undefined
    }
  }
  return total + part
}
