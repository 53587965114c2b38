import type { Skill } from '../../shared/contract/learned/skills.ts'
import { foldText } from '../lib/words/index-words.ts'
import { oneLine } from './prompt-index.ts'

type Sampled = Pick<Skill, 'id' | 'name' | 'description'>
type Other = Sampled & Pick<Skill, 'enabled' | 'blocked'>

const FOR = 3
const AGAINST = 2
/** Questions that need hardly any skill. */
const EVERYDAY = ['What is the capital of Portugal?', 'Tell me a short joke about a cat.']

/**
 * Five questions to try a skill with: three that should make a model load it, then two that should not. They
 * are made from its description and from other skills. The same skills give the same questions.
 */
export function sampleQuestions(skill: Sampled, all: readonly Other[]): string[] {
  const { name } = skill
  const fitting = [
    ...requestsFor(skill),
    `Please use ${name}.`,
    `How does ${name} work?`,
    `I need what ${name} does.`,
  ].slice(0, FOR)
  return [...fitting, ...otherwise(skill, all, new Set(fitting))]
}

/** Requests for the skills that are least similar to this one. */
function otherwise(skill: Sampled, all: readonly Other[], taken: ReadonlySet<string>): string[] {
  const own = wordsOf(skill)
  const strangers = all
    .filter(each => each.id !== skill.id && each.name !== skill.name && each.enabled && each.blocked === null)
    .map(each => ({ each, shared: [...wordsOf(each)].filter(word => own.has(word)).length }))
    .toSorted((a, b) => a.shared - b.shared || (a.each.id < b.each.id ? -1 : 1))
  // Vary the two requests between skills, because most skills have nothing in common.
  const alike = strangers.findIndex(({ shared }) => shared > (strangers[0]?.shared ?? 0))
  const least = strangers.splice(0, alike < 0 ? strangers.length : alike)
  const start =
    least.length === 0
      ? 0
      : Array.from(skill.id).reduce((sum, letter) => sum + letter.codePointAt(0)!, 0) % least.length
  strangers.unshift(...least.slice(start), ...least.slice(0, start))
  const requests: string[] = []
  for (const { each, shared } of strangers) {
    if (requests.length === AGAINST || shared > own.size / 4) break
    const request = requestsFor(each).find(text => !taken.has(text) && !requests.includes(text))
    if (request !== undefined) requests.push(request)
  }
  return [...requests, ...EVERYDAY].slice(0, AGAINST)
}

/** The words that can tell skills apart. Short words occur in every description, so they are left out. */
const wordsOf = ({ name, description }: Sampled): Set<string> =>
  new Set(foldText(`${name} ${description.slice(0, 1_200)}`).match(/[\p{L}\p{N}]{5,}/gu))

const LONGEST = 180
const LEAST = 8

/** Verbs that start descriptions, in the imperative. */
const VERBS = new Set(
  `access add adapt analyse analyze apply arrange assess audit automate back build calculate capture change check choose clean collect
  combine compare compile compose compress configure convert copy count create crop debug decide delegate deploy design detect diagnose
  document download draft draw edit estimate evaluate examine explain explore export extract fetch file fill filter find fix format
  generate get grade group host identify implement import improve index inspect install interpret investigate keep list
  log look make manage map measure merge migrate model monitor name optimise optimize organise organize outline parse perform pick plan
  plot prepare print prioritise prioritize process produce proofread publish pull push query read recommend record refactor
  rename render repair replace report research resize review rewrite run save scan schedule score search set set-up setup show
  simplify sketch solve sort split start structure study style suggest summarise summarize sync tag teach test tidy trace track
  transcribe transform translate triage troubleshoot tune turn update upload validate verify view visualise visualize
  walk write`.split(/\s+/),
)

/**
 * Example requests of a user who needs a skill, the most specific first, from its description. Can be empty.
 */
function requestsFor({ name, description }: { name: string; description: string }): string[] {
  const text = oneLine(description, 2_000)
    .replace(/^["']|["']$/g, '')
    .replace(/ ?\([^()]*\)/g, '')
    .replace(/\bthis skill (?:should be|is|can be) used\b/gi, 'Use')
    .replace(/\bthis skill helps? (?:you |users? )?(?:to )?/gi, '')
  const sentences = text.split(/(?<=[.!?])\s+(?=\p{Lu}|["“'])/u)
  const [what = ''] = sentences
  const cases = sentences.flatMap(casesIn)
  const words = name.replace(/[-_.\s]+/g, ' ').trim()
  const made = [
    ...(isAboutUse(what) ? [] : [asking(what)]),
    ...quotedIn(text).slice(0, 1),
    ...cases.slice(0, 2).map(situation),
    ...quotedIn(text).slice(1),
    ...cases.slice(2).map(situation),
    ...(words === '' ? [] : [`Can you help me with ${words}?`, `I have to do this today: ${words}.`]),
  ]
  const seen = new Set<string>()
  return made.filter(request => {
    const key = request.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')
    if (request.length < LEAST || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

const USE =
  /^(?:also |always )?(?:use|used|load|apply|invoke|run|trigger(?:s|ed)?|activate|ideal|best|designed|intended|meant)\b(?: (?:it|this|this skill|the skill|this one))? ?(?:when(?:ever)?|if|for|to|on|in|while|before|after|as)\b:? */i
const isAboutUse = (sentence: string): boolean => USE.test(sentence)

/** The cases of a sentence such as “Use when planning a trip, or when the user asks for a route.” */
function casesIn(sentence: string): string[] {
  const lead = USE.exec(sentence)
  const [, within] = /\b(?:use (?:it |this )?|)when(?:ever)? ((?:the |a )?users? .+)$/i.exec(sentence) ?? []
  const said = lead ? sentence.slice(lead[0].length) : within
  if (said === undefined) return []
  const parts = said
    .split(
      /[,;]\s*(?:or |and )?(?:when(?:ever)? |if |for )?|(?<!\s)\s+or (?=(?:asks|wants|needs|mentions) )|(?<!\s)\s+or when(?:ever)? |(?<!\s)\s+— /i,
    )
    .map(part =>
      part
        .replace(/(?<![.!?:\s])[.!?:\s]+$/, '')
        .replace(/^(?:or|and) /i, '')
        .trim(),
    )
    // Quoted requests are already used verbatim.
    .filter(part => part.length >= 4 && part.length <= LONGEST && !/["“”]/.test(part))
  // “Use when auditing crates, services or libraries” has one case; the other two parts are only nouns.
  return parts.filter(part => kindOf(part) === kindOf(parts[0]!)).slice(0, 6)
}

function kindOf(given: string): 'asks' | 'speaks' | 'does' | 'is' {
  if (ASKS.test(given)) return 'asks'
  if (SPEAKS.test(given)) return 'speaks'
  return /^\p{L}+ing\b/u.test(given) ? 'does' : 'is'
}

const WHO = String.raw`^(?:the |a )?(?:users?|person|people|someone|somebody|you) (?:\w+ly )?`
const ASKS = new RegExp(
  `(?:${WHO}(?:asks?|wants?|needs?|requests?|would like|tr(?:y|ies))|^(?:asks|wants|needs))(?: you| the agent)? ?(to|for|about|help with|how to)? `,
  'i',
)
const SPEAKS = new RegExp(
  `(?:${WHO}(?:mentions?|talks about|brings up|refers to|has|shares?|provides?|pastes?|uploads?)|^mentions) `,
  'i',
)

/** Turn a case into the request of a user in it. */
function situation(given: string): string {
  const asks = ASKS.exec(given)
  if (asks) {
    const rest = mine(given.slice(asks[0].length))
    const by = asks[1]?.toLowerCase()
    if (by === 'to') return sentence(`Can you ${rest}`, '?')
    if (by === 'how to') return sentence(`How do I ${rest}`, '?')
    return by === 'about' ? sentence(`I have a question about ${rest}`) : sentence(`I need ${rest}`)
  }
  const speaks = SPEAKS.exec(given)
  if (speaks) return sentence(`I have a question about ${mine(given.slice(speaks[0].length))}`)
  const rest = mine(given).replace(/^you (?=have|need|want|must)/i, 'I ')
  if (rest.startsWith('I ')) return sentence(rest)
  if (/^\p{L}+ing\b/u.test(rest)) return sentence(`I am ${lowerFirst(rest)} and could use some help`)
  const [first = ''] = rest.split(' ')
  if (VERBS.has(first.toLowerCase())) return asking(rest)
  return sentence(`I need help with ${lowerFirst(rest)}`)
}

/** Turn the description of an action into a request for it. */
function asking(given: string): string {
  const text = given
    .split(/(?<!\s)\s+[—–-]\s+|;|:\s|, (?:including|such as)\b/)[0]!
    .replace(/(?<![.!?\s])[.!?\s]+$/, '')
  const [first = '', ...rest] = text.split(' ')
  const verb = verbOf(first)
  if (verb !== undefined) return sentence(`Please ${[verb, ...rest].join(' ')}`)
  const [, about] = ABOUT.exec(text) ?? []
  return sentence(`I need help with ${lowerFirst(about ?? text)}`)
}

/** The subject of a guide. */
const ABOUT =
  /^(?:[\p{L}\d&/-]+ ){0,5}(?:toolkit|toolbox|guidance|guides?|reference|techniques?|patterns?|library|framework|practices|workflows?|package|tools?|advice|advisor|support|craft) (?:for|on|to|in) (.+)$/iu

/** “Writes” and “write” give “write”; undefined for an unknown verb. */
function verbOf(word: string): string | undefined {
  const lower = word.toLowerCase()
  const forms = [lower, lower.replace(/s$/, ''), lower.replace(/es$/, ''), lower.replace(/ies$/, 'y')]
  return forms.find(form => VERBS.has(form))
}

/** Quotes in a description, which are example requests. */
const quotedIn = (text: string): string[] =>
  [...text.matchAll(/["“]([^"“”]{6,120})["”]/g)]
    .map(([, said]) => said!.trim().replace(/[,;]$/, ''))
    .filter(said => said.includes(' '))
    .slice(0, 3)
    .map(said => (/[.!?]$/.test(said) ? upperFirst(said) : sentence(said)))

const mine = (text: string): string =>
  text
    .replace(/\b(?:the user['’]s|a user['’]s|their|your)\b/gi, 'my')
    .replace(/\b(?:the user|they)\b/gi, 'I')
    .replace(/\bthem\b/gi, 'it')

const lowerFirst = (text: string): string =>
  /^\p{Lu}\p{Ll}*(?=[\s-]|$)/u.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text
const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const sentence = (text: string, end = '.'): string => {
  const line = oneLine(text, LONGEST).replace(/(?<![.!?…\s])[.!?…\s]+$/, '')
  return upperFirst(line) + end
}
