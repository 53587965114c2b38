import type { Random } from './random.ts'
import type { Split } from './split.ts'
import type { Said } from './wording.ts'
import { slotWords } from './words/slots.ts'

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
    'quick one: |one thing: |sorry, |thanks. |great. |perfect, |cool, |yes, |right, |hey! |hey |hi |hello |heya, |hiya, |howdy, |' +
    'good afternoon, |good evening! |good morning! |evening, |afternoon, |dear talaria, |talaria: |hi talaria, |hello talaria! |' +
    'ok talaria, |okay so |ok so |ok then, |alright then, |well then, |so then, |anyway, |also, |and |but |oh, |oh and |ah, |hm, |hmm, |' +
    'um, |uh, |excuse me, |pardon, |sorry to bother you, |sorry again, |listen, |look, |come on, |quickly: |real quick: |quick, |' +
    'question: |quick question: |small thing: |another thing: |one more thing: |one last thing: |first, |' +
    'first of all, |lastly, |finally, |after that, |back to work: |back again. |here we go: |thank you. |thx. |ta. |' +
    'wonderful. |super. |excellent, |very good. |good. |good, |lovely, |awesome. |amazing, |got it. |i see. |understood. |' +
    'yeah, |yep, |yes! |sure, |please, |pls |mate, |buddy, |dude, |friend, |guten tag, |guten morgen, |hoi, |grüezi, |salve, |' +
    'bonsoir, |coucou, |buenas tardes, |oi, |boa tarde, |hei, |moi, |god morgon, |cześć, |salam, |shalom, |ni hao, |привет, |你好, '
  ).split('|'),
  test: 'hey there, |good day, |grüß dich, |buongiorno, |buenos días, |konnichiwa, |next: |fine. |yo, |ahoi, |bom dia, |nice, '.split(
    '|',
  ),
}

const TAILS = {
  train: (
    ' please| please| please|, please|, please| thanks|, thanks| thank you|, thank you| thx| pls| pls| for me|, ok| now| right now|' +
    ' quickly| real quick| :)| asap|, cheers|, merci|, danke|, gracias|, bitte|, if you can| when you can|, would you| again|' +
    ', please and thank you| pretty please|, pretty please|, thanks a lot|, thanks so much|, many thanks|, thanks in advance|' +
    ' thanks in advance|, thank you very much| thank you so much|, thx| thnx|, ty| ty| tks|, pls| pleease|, please :)| :-)| :D|, okay|' +
    ', alright|, right now|, quick|, quickly| fast| immediately| at once|, asap| asap please| as soon as you can|' +
    ' as fast as you can| when you have time| when you have a moment| when you get a chance| whenever you can|, if you don’t mind|' +
    " if you don't mind|, if that's ok|, if it's not too much trouble| if you are able|, could you|, can you|, ok thanks|, my friend|" +
    ', mate|, buddy|, talaria| talaria|, dear|, s’il te plaît|, por favor|, per favore|, tack|, takk|, arigato|, merci beaucoup|' +
    ', vielen dank|, muchas gracias| once more|, just this once|, i beg you|, go on|, that would help|' +
    ", that's all|, it's urgent|, no rush|, no hurry|, i'm in a hurry"
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
  const before = random.chance(head) ? opening(random, split) : ''
  const behind = random.chance(tail) ? random.pick(TAILS[side]) : ''
  const end = random.chance(manner.closing) ? (isQuestion ? '?' : random.chance(0.1) ? '!' : '.') : ''
  const first = said[0]?.isSlot && before === ''
  const whole = before + text.replaceAll(' : ', ': ').trimEnd() + behind + (/[.!?)]$/.test(behind) ? '' : end)
  return first || manner.lower ? whole : capital(whole)
}

/** In training now and then words that mean nothing, so that an opening that was never seen is passed over like others. */
const opening = (random: Random, split: Split): string =>
  split === 'train' && random.chance(0.15)
    ? slotWords(random, split, 'noise') + random.pick([', ', ': ', '. ', ' - '])
    : random.pick(HEADS[split === 'test' ? 'test' : 'train'])

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
function slipped(random: Random, word: string): string {
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
