import { isOneMistake } from '../../lib/words/similarity.ts'

/** Short forms and common misspellings, with their meaning. */
const WORDS: Readonly<Record<string, string>> = {
  whats: 'what is',
  "what's": 'what is',
  wats: 'what is',
  whts: 'what is',
  waht: 'what',
  wat: 'what',
  wht: 'what',
  hwat: 'what',
  whos: 'who is',
  "who's": 'who is',
  wheres: 'where is',
  "where's": 'where is',
  whens: 'when is',
  "when's": 'when is',
  hows: 'how is',
  "how's": 'how is',
  howmuch: 'how much',
  "that's": 'that is',
  thats: 'that is',
  "it's": 'it is',
  "i'm": 'i am',
  im: 'i am',
  "you're": 'you are',
  youre: 'you are',
  "don't": 'do not',
  dont: 'do not',
  "isn't": 'is not',
  isnt: 'is not',
  u: 'you',
  r: 'are',
  ur: 'your',
  pls: 'please',
  plz: 'please',
  plese: 'please',
  pleas: 'please',
  thx: 'thanks',
  tnx: 'thanks',
  ty: 'thanks',
  teh: 'the',
  todays: "today's",
  tmrw: 'tomorrow',
  tmr: 'tomorrow',
  tommorow: 'tomorrow',
  tommorrow: 'tomorrow',
  tomorow: 'tomorrow',
  yr: 'your',
  abt: 'about',
  untill: 'until',
  til: 'until',
  till: 'until',
  xmas: 'christmas',
  birtday: 'birthday',
  bday: 'birthday',
  favorite: 'favourite',
  fav: 'favourite',
  fave: 'favourite',
  color: 'colour',
  mins: 'minutes',
  hrs: 'hours',
  secs: 'seconds',
  timezone: 'time zone',
}

/** Words that the rules look for. A word with one typing error is replaced by the word that it means. */
const KNOWN = (
  'tomorrow yesterday birthday christmas calculate multiplied divided subtract percent average weekday current minutes seconds ' +
  'monday tuesday wednesday thursday friday saturday sunday january february august september october november december ' +
  'between allergic address favourite prefer square remember thanks please goodbye morning evening number'
).split(' ')
const KNOWN_SET = new Set(KNOWN)
/** Real words that are close to one of those. */
const OTHERS = new Set(
  'divide divides numbers squares mornings evenings mondays sundays fridays percents prefers preferred addresses averages birthdays minute second multiplies calculated calculates squared squarely currents remembers weekdays'.split(
    ' ',
  ),
)

/** Politeness and small talk before a question; each pattern is removed as often as it matches. */
const BEFORE: readonly RegExp[] = [
  /^(?:hey|hi|hello|yo|ok|okay|so|well|um|uh|hmm|please|sorry|excuse me|talaria|buddy|friend|mate|there|and|also|now|then|good (?:morning|evening|afternoon)|by the way|btw|quick question|one question|question|just|actually|again)(?:[,.!?:]+ ?| )(?=.)/,
  /^(?:thanks|thank you|great|cool|nice|perfect)[,.!]+ (?=.)/,
  /^(?:could|can|would|will) (?:you|we) (?:please |kindly |maybe |just |quickly )*(?:tell|give|show)(?: to)? (?:me|us) (?:please )?(?:the answer (?:to|of) )?/,
  /^(?:could|can|would|will) you (?:please |kindly |maybe |just |quickly )*(?=calculate|compute|add|multiply|divide|subtract|work out|solve|say|remind me (?:what|who|where|when|how))/,
  /^(?:do|would) you (?:happen to |maybe |still |even )?(?:know|remember) (?=what|who|where|when|how|which|if|whether|my|the|i )/,
  /^(?:i(?: would|'d) like to know|i (?:want|need) to know|i was wondering|i wonder|i am wondering|any idea|let me know|i (?:forgot|forget)|do not you know),? (?=what|who|where|when|how|which|if|whether)/,
  /^(?:please )?(?:tell|remind) me (?:again )?(?:please )?(?=what|who|where|when|how|which|the (?:time|date|day)|my )/,
  /^say (?=what)/,
  /^(?:from|check|query|search) your (?:memory|notebook|notes)(?: (?:on|for))?[,:]? (?=my |what|who|when|where|which|how|in |do |am )/,
  /^(?:please )?remind me(?: please| again)*[:,] /,
  /^(?:and|or|hm+|now|look|listen|order|curious|here is my question|my question(?: is)?|i need to know|can i (?:know|ask)|may i (?:know|ask)|mind telling me|please say|one more thing|just checking|just to be sure|as a reminder|a question)[:,] /,
]
const AFTER =
  /(?:[\s,.!?]+(?:please|thanks|thank you|for me|buddy|mate|talaria|btw|by the way|again|quickly|real quick|then|do you know|can you tell me|could you tell me))+$/

/** Normalise a question: lower case, no punctuation at its ends, politeness, short forms or mistakes. */
export function readPlainQuestion(text: string): string {
  let plain = cleanMarks(text)
  for (let left = 6; left > 0; left--) {
    const before = plain
    for (const each of BEFORE) plain = plain.replace(each, '')
    if (plain === before) break
  }
  return cleanEnd(plain.replace(AFTER, ''))
}

/** Normalise a text: lower case, plain quotes and spaces, and only words and arithmetic signs at its ends. */
export function cleanMarks(text: string): string {
  const small = text
    .slice(0, 1000)
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[‘’´`]/g, "'")
    .replaceAll(/[“”„«»]/g, '"')
    .replaceAll(/\p{Extended_Pictographic}|\uFE0F|:-?[)(dp](?=\s|$)/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return cleanEnd(small).split(' ').map(fixWord).join(' ')
}

const cleanEnd = (text: string) =>
  text
    .replace(/^[\s,.;:!?-]+(?=[^\d.(])/, '')
    .replace(/(?:[\s,;:?…]|(?<![\d)])!|(?<=!)!|!$(?<!^\d+!)|\.(?!\d))+$/, '')

function fixWord(word: string): string {
  const [, body = word, end = ''] = /^(.*?)([,.!?:;]*)$/.exec(word) ?? []
  const meant = Object.hasOwn(WORDS, body) ? WORDS[body]! : nearWord(body)
  return meant + end
}

function nearWord(word: string): string {
  if (word.length < 5 || !/^[a-z]+$/.test(word) || KNOWN_SET.has(word) || OTHERS.has(word)) return word
  return KNOWN.find(known => isOneMistake(word, known)) ?? word
}
