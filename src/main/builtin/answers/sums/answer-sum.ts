import { fillSentence } from '../sentence-table.ts'
import { makeExact, multiplyNumbers, writeNumber } from './exact-number.ts'
import { replaceNumberWords } from './number-words.ts'
import { readSum } from './read-sum.ts'

const LONGEST = 200
const LEAD =
  /^(?:(?:what|how much|how many)(?: (?:is|are|does|do|would|will|was|makes?|be))+|(?:what|how much|how many) (?=[\d(√$€£-])|calculate|compute|work out|solve|evaluate|figure out|do the math:?|the sum:?|sum:|math:|=)\s*/
const TAIL =
  /(?<!\s)\s*(?:(?:is )?equals?(?: to)?(?: what)?|makes?|is(?: (?:what|how much))?|=\s*(?:\?|what|x)?|be|in total|altogether|exactly|roughly|about)$/

/** Sums in words, and their written form. The first match applies; later rows are tried on its result. */
const FORMS: readonly [RegExp, string][] = [
  [/^(?:the )?(?:result|value|answer|solution) (?:of|to) /, ''],
  [/^add (.+?) (?:and|to|plus) (.+)$/, '($1)+($2)'],
  [/^(?:subtract|take) (.+?) (?:away )?from (.+)$/, '($2)-($1)'],
  [/^multiply (.+?) (?:by|and|with|times) (.+)$/, '($1)*($2)'],
  [
    /^(?:divide|split) (.+?) (?:by|between|among|amongst|into) (.+?)(?: people| persons| parts| ways)?$/,
    '($1)/($2)',
  ],
  [/^(?:the )?difference between (.+?) and (.+)$/, '($1)-($2)'],
  [/^(?:the )?product of (.+?) and (.+)$/, '($1)*($2)'],
  [/^(?:the )?remainder (?:of|when) (.+?) (?:is )?divided by (.+)$/, '($1) mod ($2)'],
  [/^(.+%) off (?:of )?([$€£¥]?[\d.,]+)$/, '$2-$1'],
  [/^([$€£¥]?[\d.,]+) with (.+%) off$/, '$1-$2'],
  [/^(?:an? )?(.+%) (?:tip|tax|vat|interest|discount) (?:on|of|for|from) (.+)$/, '$1 of $2'],
  [/^increase (.+?) by (.+%)$/, '$1+$2'],
  [/^(?:decrease|reduce|lower) (.+?) by (.+%)$/, '$1-$2'],
]

const WORDS: readonly [RegExp, string][] = [
  [/[×·✕✖]|\bmultiplied (?:by|with)\b|\btimes\b/g, '*'],
  [/÷|\bdivided by\b|\bover\b/g, '/'],
  [/\bplus\b|\badded to\b/g, '+'],
  [/[−–—]|\bminus\b|\bless\b/g, '-'],
  [/\b(?:raised )?to the power (?:of )?|\braised to (?:the )?/g, '^'],
  [/\bto the (\d{1,3})(?:st|nd|rd|th)(?: power)?\b/g, '^$1'],
  [/\bsquared\b|²/g, '^2'],
  [/\bcubed\b|³/g, '^3'],
  [/(?<!\s)\s*(?:percent|per ?cent)\b/g, '%'],
  [/\b(?:modulo|modulus)\b/g, ' mod '],
  [/\b(?:the )?(?:square root|sqrt|squareroot|sq root)(?: of)? ?(?=[\d(.])/g, '√'],
  [/\b(?:the )?(?:cube|cubic) root(?: of)? ?(?=[\d(.])/g, '∛'],
  [/\b(?:a |one |1 )?half of\b/g, '½ of'],
  [/\b(?:a|one|1) third of\b/g, '⅓ of'],
  [/\b(?:a|one|1) quarter of\b/g, '¼ of'],
  [/\b(?:a|one|1) fifth of\b/g, '⅕ of'],
  [/\b(?:a|one|1) tenth of\b/g, '⅒ of'],
  [/\b(?:two|2) thirds of\b/g, '⅔ of'],
  [/\b(?:three|3) quarters of\b/g, '¾ of'],
  [/\b(?:double|twice) (?:of )?(?=[\d(])/g, '2*'],
  [/\b(?:triple|thrice) (?:of )?(?=[\d(])/g, '3*'],
  [/(?<=\d) ?(?:dollars?|usd|bucks)\b/g, '$'],
  [/(?<=\d) ?(?:euros?|eur)\b/g, '€'],
  [/(?<=\d) ?(?:pounds?|gbp)\b/g, '£'],
  // “5x6” and “5 x 6”, but not “0x1f”.
  [/(?<=[\d)%] ?)x(?= ?[\d(.])/g, '*'],
]

/** Texts that look like a sum but are a date, a time, a version number or an idiom. */
const NO_SUM =
  /\b\d{4}-\d{1,2}(?:-\d{1,2})?\b|\b\d{1,2}[/-]\d{1,2}[/-](?:\d{4}|\d{2})\b|^24\/7$|\b0x|\d:\d|\d\.\d+\.\d/

/** The exact answer to a sum; undefined if there is none. `question`: lower case, without politeness. */
export function answerSum(question: string): string | undefined {
  if (question.length > LONGEST || NO_SUM.test(question)) return undefined
  const asked = question.replace(LEAD, '')
  const body = asked.replace(TAIL, '').trim()
  const hasLead = asked !== question || body !== asked.trim()
  // “3-4” alone may be pages or a choice.
  if (!hasLead && /^\d+-\d+(?:-\d+)*$/.test(body)) return undefined
  return sayShare(body) ?? sayResult(writtenOut(body))
}

/** Write a sum in signs, with phrases and number words replaced. */
function writtenOut(text: string): string {
  const numbers = replaceNumberWords(
    text.replaceAll(
      /\b(?:two thirds|three quarters|one third|one quarter|one half|one fifth|one tenth) of\b/g,
      writeFraction,
    ),
  )
  const listed = writeList(numbers) ?? numbers
  let written = listed.replaceAll(/(?<!\s)\s*(?:percent|per ?cent)\b/g, '%')
  for (const [form, sign] of FORMS) written = written.replace(form, sign)
  for (const [word, sign] of WORDS) written = written.replaceAll(word, sign)
  return written
}

const writeFraction = (text: string): string =>
  ({
    'two thirds of': '⅔ of',
    'three quarters of': '¾ of',
    'one third of': '⅓ of',
    'one quarter of': '¼ of',
    'one half of': '½ of',
    'one fifth of': '⅕ of',
    'one tenth of': '⅒ of',
  })[text] ?? text

/** The sum or average of a list: “the average of 3, 4 and 5”. */
function writeList(text: string): string | undefined {
  const [, kind, list] =
    /^(?:the )?(sum|total|average|mean) of (.+)$/.exec(text) ?? /^(add)(?: up)? (.+)$/.exec(text) ?? []
  if (kind === undefined || list === undefined) return undefined
  const numbers = list.split(/, (?:and )?| and |,(?!\d{3}\b)/).map(each => each.trim())
  if (numbers.length < 2 || !numbers.every(each => /^[$€£¥]?-?[\d.,]+$/.test(each))) return undefined
  const sum = numbers.join('+')
  return kind === 'average' || kind === 'mean' ? `(${sum})/${numbers.length}` : sum
}

/** “What percent of 80 is 12?” */
function sayShare(text: string): string | undefined {
  const plain = replaceNumberWords(text)
  const [, whole, part] =
    /^(?:what )?(?:percent|percentage|%) (?:of )?([\d.,]+) is ([\d.,]+)$/.exec(plain) ?? []
  const [, part2, whole2] =
    /^(?:what )?(?:percent|percentage|%) (?:is )?([\d.,]+) (?:out )?of ([\d.,]+)$/.exec(plain) ?? []
  const [, part3, whole3] = /^([\d.,]+) (?:is )?(?:as a|what) percent(?:age)? of ([\d.,]+)$/.exec(plain) ?? []
  const [a, b] = [part ?? part2 ?? part3, whole ?? whole2 ?? whole3]
  const sum = a === undefined || b === undefined ? undefined : readSum(`${a}/${b}`)
  if (!sum || !('value' in sum)) return undefined
  const shown = writeNumber(multiplyNumbers(sum.value, makeExact(100n)), undefined, 2)
  const [shownPart = '', shownWhole = ''] = sum.text.split(' ÷ ')
  return fillSentence(shown.isRounded ? 'roughShare' : 'share', {
    number1: shownPart,
    number2: shownWhole,
    number3: shown.text,
  })
}

function sayResult(written: string): string | undefined {
  const sum = readSum(written)
  if (!sum) return undefined
  if ('fault' in sum) return fillSentence(FAULTS[sum.fault], { sum: sum.text })
  // Beyond some digits, the result of a root is not exact.
  const shown = writeNumber(sum.value, sum.money === undefined ? undefined : 2, sum.isRounded ? 6 : undefined)
  const money = sum.money ?? ''
  const number = shown.text.startsWith('−') ? `−${money}${shown.text.slice(1)}` : `${money}${shown.text}`
  const isRounded = sum.isRounded || shown.isRounded
  return fillSentence('sum', {
    sum: sum.text,
    is: isRounded ? '≈' : '=',
    number,
  })
}

const FAULTS = { zero: 'byZero', long: 'tooLong', root: 'noRoot' } as const
