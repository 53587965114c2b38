import { matchAny, matchWords } from '../match-any.ts'
import type { Known } from '../known-facts.ts'
import { fillSentence, listOwnWords, saySentence } from '../sentence-table.ts'
import { findFacts } from './find-facts.ts'
import { KINDS, tellsKind } from './fact-kinds.ts'
import { recallLoosely } from './recall-loosely.ts'

type Remembered = Pick<Known, 'entries' | 'said' | 'tools'>

const MOST_SHOWN = 12
const MOST_SAID = 5

/** Asks for everything that is known. */
const ALL = matchAny`
      what (?:all )?do you (?:already )?know (?:about|of) me
      what (?:all )?(?:have|did) (?:you|i) (?:saved?|told? you|learn(?:ed|t)?|remember(?:ed)?|noted?|stored?|tell you|keep|kept)(?: down)?(?: (?:about|of|on) (?:me|myself))
      what (?:do|can) you remember(?: (?:about|of) me)?|what do you remember
      tell me (?:what you know|all you know|everything you know|everything) about me
      (?:everything|all) (?:that )?you know about me|what you know about me
      what is (?:in|on) (?:your|my) memory(?: about me)?
      what have you (?:saved|remembered|stored|learned|learnt)(?: (?:so far|about me|already|until now))*
      what is saved(?: about me)?|(?:do you|you) know anything about me|do you know me|who am i to you
      show me what you (?:know|remember)(?: about me)?|what things do you know about me
      list what you know about me|what did i (?:tell you|say) about me
      what have i told you(?: so far| about me)*`

/** Asks what was said about something. */
const TOPICS: readonly RegExp[] = [
  matchAny`
      what (?:have|did|do) (?:i|you) (?:ever )?(?:tell|told|tell to|say to|said to|say|said|mention|mentioned)(?: to)?(?: you| me)? (?:about|of|regarding|on) (?<topic>.+)`,
  /^what do you (?:know|remember) (?:about|of) (?<topic>(?:my|our) .+)$/,
  /^what do you (?:know|remember) (?:about|of) (?<other>.+)$/,
  matchAny`
      (?:have|did) i (?:ever )?(?:tell|told|mention|mentioned|say)(?: to)? (?:you )?(?:anything )?(?:about )?(?<topic>my .+)`,
  /^(?:have|did) i (?:ever )?(?:tell|told) you (?:anything |something )?about (?<topic>.+)$/,
]

/** Asks about something of the user: a thing they have, or something they like or use. */
const OWN: readonly RegExp[] = [
  matchAny`
      (?:what|who|when|where|which|how (?:old|tall|big|many|much|long)|how) (?:is|are|was|were|does|do|did) (?<topic>my .+)`,
  /^what is the (?:name|age|birthday|colou?r|number|address|job) of (?<topic>my .+)$/,
  matchAny`
      (?:and )?(?<topic>my (?:[a-z]+ ){0,2}(?:name|birthday|age|address|number|size|colour|car|job|hobby|hobbies|language|diet|favourites?|preferences?|anniversary))`,
  matchAny`
      (?:do|did|am|have) i (?:like|love|prefer|enjoy|hate|dislike|drink|eat|own|speak|smoke|play|have|take) (?<topic>.+)`,
  matchAny`
      (?:am i|have i got) (?<topic>(?:an? )?(?:vegan|vegetarian|married|single|diabetic|left-handed|right-handed|.{3,20} person|fan of .+|kids|children|pets?))`,
  matchAny`
      (?:what|which) (?:kind of |sort of |type of |is the )?(?<topic>.+? (?:do|did|does|am) i (?:like|love|prefer|enjoy|hate|dislike|drink|eat|own|speak|play|want|usually drink|usually eat|wear|take|use)(?: (?:best|most))?)`,
  matchAny`
      what (?:do|did) i (?<topic>(?:usually |normally |always |often )?(?:drink|eat|play|wear|speak|smoke|study|take)(?: .{1,40})?)`,
  /^how (?:do|did) i (?:like|take|prefer|drink) (?<topic>my .+)$/,
  /^(?:what|which) (?<topic>(?:languages?|instruments?|sports?) (?:do|can) i (?:speak|play|do))$/,
]

/** Personal topics: the answer says if nothing is saved. Anything else that is “mine” may be in a file. */
const PERSONAL = matchWords`
      name|wife|husband|partner|spouse|girlfriend|boyfriend|son|daughter|kids?|child|children|mother
      father|mum|mom|dad|parents?|sister|brother|siblings?|family|grand\w+|uncle|aunt|cousin|friend|dog
      cat|pet|boss|doctor|dentist|neighbou?r|birthday|age|address|phone|job|hobby|hobbies|favou?rite
      favou?rites|blood type|shoe size|size|height|weight|religion|nationality|language|anniversary
      wedding|car|colou?r|food|drink|diet|preferences?|star sign|nickname|like|likes|love|drink|eat|coffee
      tea`
/** Things that belong to the computer or its files; a tool finds those. */
const COMPUTER =
  /\b(?:ip|username|user name|login|host ?name|host|path|shell|os|operating system|system|version|node|npm|python|git|branch|commits?|disk|drive space|space|ram|cpu|gpu|processor|folders?|directory|directories|env|environment|port|ports|kernel|battery|screen|config|configuration|settings?|scripts?|projects?|code|repo|repository|tests?|schedules?|tasks?|to-?dos?|notes?|skills?|models?|files?|documents?|downloads?|desktop|pictures|photos|computer|machine|laptop|network|wifi|wi-fi|internet|memory usage|uptime|process(?:es)?|terminal|command|last (?:message|command|chat|question)|budget|list|report|letter|invoice|recipe|csv|json|txt|md|log|logs|errors?|package|plans?|chats?|conversations?|bashrc|home (?:folder|directory)|password|lines?|words?|appointments?|meetings?|calendar|emails|inbox|shopping)\b|[\w-]\.\w{1,5}\b|[/\\~]/
/** Words that point to earlier chats; a search finds those. */
const EARLIER = matchWords`
      yesterday
      last (?:week|month|year|time|night|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|ago
      earlier chats?|past|previous|other chats?|talk(?:ed)?|discuss(?:ed)?|conversation|we`

/** The answer to a question about the user, from what they told; undefined for other questions. */
export function answerPerson(question: string, known: Remembered): string | undefined {
  const plain = question
    .replace(/^(?:so|and|but) /, '')
    .replace(/^(what|who|where|which) (?:was|were) (?=my )/, '$1 is ')
    .replace(/ (?:again|so far|right now|currently|these days|at the moment|anyway)$/, '')
  if (plain.length > 160) return undefined
  if (ALL.test(plain)) return sayAll(known)
  const kind = KINDS.find(({ asks }) => asks.test(plain))
  if (kind) return sayKind(kind, plain, known)
  if (COMPUTER.test(plain) || EARLIER.test(plain)) return undefined
  return answerTopic(plain, known)
}

/** The known facts about the user, for a request beyond this model that asks for them; else undefined. */
export function answerLoosely(plain: string, { entries, said }: Remembered): string | undefined {
  const found = recallLoosely(entries, plain)
  if (found.length > 0) return sayTold(found)
  return sayEarlier(recallLoosely(statementsOf(said), plain))
}

function sayAll({ entries, said }: Remembered): string {
  if (entries.length > 0) return sayTold(entries)
  return (
    sayEarlier(statementsOf(said).filter(each => /\b(?:i|my|me)\b/i.test(each))) ??
    saySentence('nothingOfYou')
  )
}

function sayKind(kind: (typeof KINDS)[number], plain: string, { entries, said }: Remembered): string {
  const own = entries.filter(entry => tellsKind(entry, kind))
  // “Do I drive an Audi?” is answered with what is known about the car.
  if (own.length > 0) return sayTold(narrow(own, plain))
  const inChat = statementsOf(said).filter(each => tellsKind(each, kind) && /\b(?:i|i'm|my|me)\b/i.test(each))
  return sayEarlier(inChat) ?? saySentence('nothingSaved')
}

/** Narrow several entries to those that also contain the words of the question, if there are any. */
function narrow(entries: readonly string[], question: string): readonly string[] {
  const found = findFacts(entries, question)
  return found.length > 0 ? found : entries
}

function answerTopic(plain: string, { entries, said, tools }: Remembered): string | undefined {
  for (const pattern of TOPICS) {
    const groups = pattern.exec(plain)?.groups
    const topic = groups?.['topic'] ?? groups?.['other']
    if (topic === undefined) continue
    const isOpen = groups?.['topic'] === undefined || tools.includes('session_search')
    const found = sayFound(topic, entries, said)
    // If the question may be about earlier chats or general knowledge, the model decides.
    return found ?? (isOpen && !PERSONAL.test(topic) ? undefined : saySentence('nothingSaved'))
  }
  for (const pattern of OWN) {
    const topic = pattern.exec(plain)?.groups?.['topic']
    if (topic === undefined) continue
    const found = sayFound(topic, entries, said)
    const isQuestion =
      !plain.startsWith('my ') || !/ (?:is|are|was|has|likes|lives|works|called|named) /.test(plain)
    if (found !== undefined && isQuestion) return found
    if (!isQuestion || !PERSONAL.test(plain)) return undefined
    return saySentence('nothingSaved')
  }
  return undefined
}

function sayFound(topic: string, entries: readonly string[], said: readonly string[]): string | undefined {
  const found = findFacts(entries, topic)
  if (found.length > 0) return sayTold(found)
  return sayEarlier(findFacts(statementsOf(said), topic))
}

function sayTold(entries: readonly string[]): string {
  const [first, ...others] = entries
  if (first !== undefined && others.length === 0) return fillSentence('told', { own: first })
  return listOwnWords('toldAll', entries.slice(0, MOST_SHOWN), Math.max(0, entries.length - MOST_SHOWN))
}

function sayEarlier(sentences: readonly string[]): string | undefined {
  const last = sentences.slice(-MOST_SAID)
  const [first, ...others] = last
  if (first === undefined) return undefined
  return others.length === 0 ? fillSentence('saidBefore', { own: first }) : listOwnWords('saidAll', last, 0)
}

const ORDER =
  /^(?:please |could you |can you |would you )?(?:read|write|list|show|find|search|open|run|delete|remove|create|make|tell|give|say|what|who|when|where|why|which|how|do|does|did|is|are|am|can|could|would|should|will|have|has|replace|rename|move|copy|forget|help|calculate|translate|explain|sum)\b/i

/** The user's statements in this chat, by sentence: no questions, and no orders except to remember. */
const statementsOf = (said: readonly string[]): string[] => [
  ...new Set(
    said
      .flatMap(text => text.slice(0, 4000).split(/(?<=[.!?])\s+|\n+/))
      .map(each => each.trim())
      .filter(each => each.length > 3 && each.length <= 300 && !each.endsWith('?') && !ORDER.test(each)),
  ),
]
