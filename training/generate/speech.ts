import type { Random } from './random.ts'
import type { Split } from './split.ts'
import type { Said } from './wording.ts'

/** How somebody types throughout a conversation. */
export type Manner = { lower: boolean; slips: number; closing: number }

/** Choose a manner: most people are careful, some write small, some hit the wrong key. */
export const mannerOf = (random: Random): Manner => ({
  lower: random.chance(0.4),
  slips: random.chance(0.25) ? 0.12 : random.chance(0.3) ? 0.03 : 0,
  closing: random.pick([0.1, 0.5, 0.9]),
})

const HEADS = {
  train: (
    'hey, |hi, |hello, |hello! |hi! |ok, |okay, |so, |well, |now |and now |then |alright, |talaria, |hey talaria, |good morning, |' +
    'good evening, |hallo, |hallo! |bonjour, |bonjour! |hola, |¡hola! |ciao, |olá, |hej, |servus, |salut, |moin, |merhaba, |namaste, |' +
    'quick one: |one thing: |sorry, |thanks. |great. |perfect, |cool, |yes, |right, '
  ).split('|'),
  test: 'hey there, |good day, |grüß dich, |buongiorno, |buenos días, |konnichiwa, |next: |fine. |yo, |ahoi, |bom dia, |nice, '.split(
    '|',
  ),
}

const TAILS = {
  train: (
    ' please| please| please|, please|, please| thanks|, thanks| thank you|, thank you| thx| pls| pls| for me|, ok| now| right now|' +
    ' quickly| real quick| :)| asap|, cheers|, merci|, danke|, gracias|, bitte|, if you can| when you can|, would you| again'
  ).split('|'),
  test: ', if possible|, kindly| plz|, much appreciated|, grazie|, obrigado| if you would|, will you| ;)| straight away'.split(
    '|',
  ),
}

/** What stands at the end of a sentence. Questions are told by the mark in their wording. */
export type Tone = { head?: number; tail?: number }

/** Put together what somebody types: a greeting before it, a courtesy behind it, slips, and an end. */
export function speak(
  random: Random,
  split: Split,
  manner: Manner,
  said: readonly Said[],
  { head = 0.15, tail = 0.15 }: Tone = {},
): string {
  const side = split === 'test' ? 'test' : 'train'
  const isQuestion = said.at(-1)?.text.endsWith('?') ?? false
  let text = ''
  for (const [at, part] of said.entries()) {
    const isLast = at === said.length - 1
    const own = isQuestion && isLast ? part.text.slice(0, -1) : part.text
    text += part.isSlot ? own : typed(random, manner, own)
  }
  const before = random.chance(head) ? random.pick(HEADS[side]) : ''
  const behind = random.chance(tail) ? random.pick(TAILS[side]) : ''
  const end = random.chance(manner.closing) ? (isQuestion ? '?' : random.chance(0.1) ? '!' : '.') : ''
  const first = said[0]?.isSlot && before === ''
  const whole = before + text.replaceAll(' : ', ': ').trimEnd() + behind + (/[.!?)]$/.test(behind) ? '' : end)
  return first || manner.lower ? whole : capital(whole)
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A phrase as it comes from the keyboard. */
function typed(random: Random, { lower, slips }: Manner, phrase: string): string {
  const cased = lower ? phrase.toLowerCase() : phrase
  const plain = random.chance(0.25) ? cased.replaceAll("'", random.chance(0.5) ? '’' : '') : cased
  if (slips === 0) return plain
  return plain
    .split(' ')
    .map(word => (/^[a-z]{4,}$/i.test(word) && random.chance(slips) ? slipped(random, word) : word))
    .join(' ')
}

/** One letter swapped, doubled, left out or missed, never the first. */
export function slipped(random: Random, word: string): string {
  const at = random.between(1, word.length - 2)
  switch (random.below(4)) {
    case 0:
      return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2)
    case 1:
      return word.slice(0, at) + word[at] + word.slice(at)
    case 2:
      return word.slice(0, at) + word.slice(at + 1)
    default:
      return word.slice(0, at) + neighbour(random, word[at]!) + word.slice(at + 1)
  }
}

const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm']

function neighbour(random: Random, letter: string): string {
  const row = ROWS.find(each => each.includes(letter.toLowerCase()))
  if (row === undefined) return letter
  const at = row.indexOf(letter.toLowerCase()) + (random.chance(0.5) ? 1 : -1)
  return row[at] ?? letter
}
