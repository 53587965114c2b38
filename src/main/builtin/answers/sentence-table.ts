/** Patterns for the gaps in a sentence, by the gap's name without trailing digits. */
const GAPS = {
  /** A number, optionally with a currency sign. */
  number: String.raw`−?[$€£¥]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?`,
  sum: String.raw`[\d.,()+−×÷^√∛%!$€£¥½⅓⅔¼¾⅕⅒ ]+(?:(?:mod|of) [\d.,()+−×÷^√∛%!$€£¥½⅓⅔¼¾⅕⅒ ]+)*`,
  is: '[=≈]',
  day: String.raw`(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,4}`,
  weekday: '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day',
  month: '(?:January|February|March|April|May|June|July|August|September|October|November|December)',
  time: String.raw`\d{2}:\d{2}`,
  zone: String.raw`[A-Z][A-Za-z_+\-/0-9]*`,
  place: String.raw`[A-Z][\p{L} .'-]{1,30}`,
  count: String.raw`(?:\d[\d,.]*|one|no) (?:second|minute|hour|day|week|month|year)s?`,
  weeks: String.raw`\d+ weeks?(?: and \d days?)?`,
  unit: '(?:second|minute|hour|day|week|yard|mile|tonne|pound|ounce)s?|[ckm]?m|k?g|inch(?:es)?|foot|feet|°[CF]',
  /** The user's own words. */
  own: String.raw`[^“”\n]{1,400}`,
} as const

/**
 * All sentences that are said without a model. A sentence that ends with a colon is followed by a list of
 * items. A text is one sentence, or two if the second says what can be done instead.
 */
const SENTENCES = {
  sum: '{sum} {is} {number}',
  byZero: '{sum} has no result: a number cannot be divided by zero.',
  tooLong: '{sum} is too long a number for me.',
  noRoot: '{sum} has no result: a number below zero has no square root.',
  share: '{number1} is {number3}% of {number2}.',
  roughShare: '{number1} is about {number3}% of {number2}.',
  measure: '{number1} {unit1} {is} {number2} {unit2}',

  today: 'Today is {day}.',
  dayIs: 'It is {day}.',
  thatDayIs: 'That is {day}.',
  thatDayWas: 'That was {day}.',
  dayOfWeek: '{day}: that is a {weekday}.',
  yesDay: 'Yes, it is {day}.',
  noDay: 'No, it is {day}.',
  noSuchDay: 'There is no such day in the calendar.',
  twoWays: 'That date can be read in two ways: write it as 2026-12-24.',
  timeThen: 'That is {time} on {day}.',
  timeIs: 'It is {time} on {day}.',
  timeThere: 'In {place} it is {time} on {day}.',
  zoneIs: 'Your time zone is {zone}.',
  yearIs: 'It is the year {number}.',
  monthIs: 'It is {month} {number}.',
  weekIs: 'It is week {number}.',
  weekOf: '{day} is in week {number}.',
  until: 'It is {count} until {day}.',
  untilBoth: 'It is {count} until {day} ({weeks}).',
  since: 'It has been {count} since {day}.',
  sinceBoth: 'It has been {count} since {day} ({weeks}).',
  isToday: '{day} is today.',
  between: 'From {day1} to {day2} it is {count}.',
  leap: '{number} is a leap year.',
  noLeap: '{number} is not a leap year.',
  nextLeap: 'The next leap year is {number}.',
  monthHas: '{month} {number} has {count}.',
  yearHas: '{number} has {count}.',

  told: 'You told me: “{own}”.',
  toldAll: 'You told me:',
  saidBefore: 'You said earlier in this chat: “{own}”.',
  saidAll: 'You said earlier in this chat:',
  nothingSaved: 'I have saved nothing about that yet. Tell me with “remember that …”.',
  nothingOfYou: 'I have saved nothing about you yet. Tell me with “remember that …”.',

  hello: 'Hello. What shall I do?',
  morning: 'Good morning. What shall I do?',
  evening: 'Good evening. What shall I do?',
  night: 'Good night.',
  welcome: 'You are welcome.',
  bye: 'Goodbye.',
  fine: 'I am ready. What shall I do?',
  allRight: 'All right. Tell me when there is something to do.',
  noQuestion: 'I have asked nothing just now. Tell me what to do, such as “list the files here”.',
  noQuestionBare: 'I have asked nothing just now. Tell me what you would like.',
  noTrouble: 'No trouble. What shall I do?',
  sorry:
    'I am sorry that this did not help. I am only the small model that comes with Talaria; other words may help, or a larger model on the Models page.',
  glad: 'I am glad to hear that.',
  here: 'I am here, and I read what you write.',
  who: 'I am the small model that comes with Talaria. I understand short requests in English and do them with tools on this computer.',
  myName: 'I have no name of my own: I am the small model that comes with Talaria.',
  person: 'No, I am not a person. I am a small program, a model that runs on this computer.',
  feelings: 'I am a program, so I have no feelings, age or home.',
  local: 'I run on this computer. What you write to me is not sent anywhere.',
  maker: 'I was trained for Talaria from nothing, and I come with it.',
  able: 'I do short requests in English, such as:',
  ableBare:
    'In this chat I have no tools. I can do sums, tell days and times, and say what you told me, such as:',
  abilityYes: 'Yes. Try a request such as “{own}”.',
  abilityOff: 'Not in this chat: the tool for that is off.',
  memoryAbility: 'Yes, when you ask for it. Try a request such as “remember that I drink tea”.',

  texts: 'I cannot write texts of my own: I am only the small model that comes with Talaria.',
  translations:
    'I cannot translate: I am only the small model that comes with Talaria, and I know only English.',
  code: 'I cannot write or explain code: I am only the small model that comes with Talaria.',
  knowledge:
    'I cannot answer that: I am only the small model that comes with Talaria, and know little of the world.',
  internet:
    'I cannot look on the internet: I am only the small model that comes with Talaria, and I work on this computer.',
  advice: 'I cannot give advice or opinions: I am only the small model that comes with Talaria.',
  pictures: 'I cannot make or see pictures or sounds: I am only the small model that comes with Talaria.',
  summaries: 'I cannot sum up or rewrite texts: I am only the small model that comes with Talaria.',
  games: 'I cannot play or chat: I am only the small model that comes with Talaria.',
  outside: 'I cannot send, call, buy or book anything: I am only the small model that comes with Talaria.',
  hardSum: 'I cannot work that out: I do plain sums such as “12% of 80”.',
  noted: 'I have not saved that. To have me keep it, write “remember that …”.',
  unclear:
    'I did not understand that: I am only the small model that comes with Talaria, and short, plain requests work best.',
  larger: 'Choose a larger one on the Models page for that.',
  tryRead:
    'I can show a file, such as “read notes.txt”; for the rest, choose a larger one on the Models page.',
  tryWrite:
    'I can put your own words in a file, such as “write Dear Ada to letter.txt”; for the rest, choose a larger one on the Models page.',
  trySearch:
    'I can search the files here, such as “find budget in the files”; for the rest, choose a larger one on the Models page.',
  tryRun:
    'I can run a command, such as “run node --version”; for the rest, choose a larger one on the Models page.',
  tryAsk: 'Ask “what can you do” to see what I can.',
  noTools: 'Tools are off in this chat.',

  german:
    'Das eingebaute Modell versteht nur Englisch. Ein größeres Modell von der Seite „Models“ hilft hier weiter.',
  french:
    'Le modèle intégré ne comprend que l’anglais. Un modèle plus grand, de la page « Models », vous aidera.',
  spanish:
    'El modelo integrado solo entiende inglés. Un modelo más grande, de la página «Models», puede ayudar.',
  portuguese: 'O modelo integrado só entende inglês. Um modelo maior, da página «Models», pode ajudar.',
  italian:
    'Il modello integrato capisce solo l’inglese. Un modello più grande, dalla pagina «Models», può aiutare.',
  russian: 'Встроенная модель понимает только английский. Поможет модель побольше со страницы «Models».',
  chinese: '内置模型只懂英语。请在“Models”页面选择更大的模型。',
  otherLanguage: 'I know only English. A larger model on the Models page may know your language.',
} as const

/** The items that a list may contain. */
const ITEMS = {
  own: '- “{own}”',
  more: '- … and {number} more, on the Memory page.',
  request: '- {request}',
} as const

/** Example requests, by the tool that handles them. */
export const REQUESTS: Readonly<Record<string, readonly string[]>> = {
  list_files: ['“list the files here”'],
  read_file: ['“read notes.txt”'],
  search_files: ['“find budget in the files”'],
  write_file: ['“write Dear Ada to letter.txt”'],
  patch_file: ['“replace red with blue in colours.txt”'],
  terminal: ['“run node --version”'],
  memory: ['“remember that I drink tea”'],
  session_search: ['“what did we say about the garden?”'],
  skills_list: ['“which skills do you have?”'],
  schedule: ['“every Friday at 9 list the files here”'],
}
/** Example requests that need no tool. */
export const REQUESTS_WITHOUT_TOOL = [
  '“12% of 80”',
  '“what day is 24 December?”',
  '“what do you know about me?”',
] as const

type Gap<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Gap<Rest> : never
type SentenceName = keyof typeof SENTENCES
/** The sentences without gaps. */
export type PlainSentence = {
  [K in SentenceName]: [Gap<(typeof SENTENCES)[K]>] extends [never] ? K : never
}[SentenceName]
type Filled<K extends SentenceName> = { [name in Gap<(typeof SENTENCES)[K]>]: string }

/** Fill the gaps of a sentence in the table. The user's own words are put on one line. */
export const fillSentence = <K extends SentenceName>(name: K, filled: Filled<K>): string =>
  fillGaps(SENTENCES[name], filled)

/** A sentence of the table that has no gaps. */
export const saySentence = (name: PlainSentence): string => SENTENCES[name]

/** A sentence that ends with a colon, followed by the user's own words as a list. */
export function listOwnWords(head: 'toldAll' | 'saidAll', items: readonly string[], left: number): string {
  const lines = items.map(own => fillGaps(ITEMS.own, { own }))
  if (left > 0) lines.push(fillGaps(ITEMS.more, { number: String(left) }))
  return [SENTENCES[head], ...lines].join('\n')
}

/** A sentence that ends with a colon, followed by example requests as a list. */
export const listRequests = (head: 'able' | 'ableBare', requests: readonly string[]): string =>
  [SENTENCES[head], ...requests.map(request => fillGaps(ITEMS.request, { request }))].join('\n')

function fillGaps(template: string, filled: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = filled[name] ?? ''
    return name === 'own' ? inOneLine(value) : value
  })
}

const MOST_OWN = 300

/** Put the user's words on one line, without quotes that would end ours. */
function inOneLine(text: string): string {
  const line = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[“”]/g, '"')
    .trim()
    .replace(/(?<!\.)\.$/, '')
  return line.length > MOST_OWN ? `${line.slice(0, MOST_OWN).trimEnd()}…` : line || '…'
}

/** Whether a text is one that this table produces, whatever fills its gaps. */
export function fitsTable(text: string): boolean {
  const [first = '', ...items] = text.split('\n')
  if (first.endsWith(':')) return heads.has(first) && items.length > 0 && items.every(fitsItem)
  if (items.length > 0) return false
  if (patterns.some(pattern => pattern.test(first))) return true
  return [...seconds].some(
    second => first.endsWith(` ${second}`) && reasons.has(first.slice(0, -second.length - 1)),
  )
}

const heads = new Set<string>(Object.values(SENTENCES).filter(each => each.endsWith(':')))
const fitsItem = (line: string): boolean => itemPatterns.some(pattern => pattern.test(line))

/** Sentences that follow the reason why something cannot be done. */
const SECOND = ['larger', 'tryRead', 'tryWrite', 'trySearch', 'tryRun', 'tryAsk', 'noTools'] as const
const REASON = [
  'texts',
  'translations',
  'code',
  'knowledge',
  'internet',
  'advice',
  'pictures',
  'summaries',
  'games',
  'outside',
  'hardSum',
  'unclear',
] as const
export type Second = (typeof SECOND)[number]
export type Reason = (typeof REASON)[number]

/** Join the reason why something cannot be done with what can be done instead. */
export const joinReason = (reason: Reason, second: Second): string =>
  `${SENTENCES[reason]} ${SENTENCES[second]}`

const seconds = new Set<string>(SECOND.map(name => SENTENCES[name]))
const reasons = new Set<string>(REASON.map(name => SENTENCES[name]))

const patternOf = (template: string): RegExp =>
  new RegExp(
    `^${template
      .split(/(\{\w+\})/)
      .map(piece => {
        const name = /^\{([a-z]+)\d*\}$/.exec(piece)?.[1]
        return name === undefined
          ? piece.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
          : `(?:${gaps[name]})`
      })
      .join('')}$`,
    'u',
  )

const gaps: Record<string, string> = {
  ...GAPS,
  request: [...Object.values(REQUESTS).flat(), ...REQUESTS_WITHOUT_TOOL]
    .map(each => each.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`))
    .join('|'),
}
const patterns = Object.values(SENTENCES)
  .filter(each => !each.endsWith(':'))
  .map(patternOf)
const itemPatterns = Object.values(ITEMS).map(patternOf)
