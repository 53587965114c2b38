import { runToEnd } from '../lib/timing.ts'
import { saysOfSelf } from '../lib/words/says-of-self.ts'
import { AGREES, OTHER_CLAIMS } from './claim-words.ts'
import { factOf } from './claimed-fact.ts'
import type { MemoryTarget } from '../../shared/contract/learned/memory.ts'

/**
 * A sentence of an answer that claims something was saved or forgotten. `text` could be saved; it is empty if
 * the request contains no fact of the user's.
 */
export type Claim = { quote: string; text: string; target: MemoryTarget; isForgetting?: true }

/**
 * Find a claim in an answer that something is now remembered or forgotten. Only called if that turn did not
 * change memory. A missed claim costs little, but a false alarm costs trust, so sentences that may be about
 * files or offers are ignored. After a plain request, an answer that only agrees is a claim too.
 */
export const claimIn = (answer: string, question: string): Claim | undefined =>
  runToEnd(claimSteps(answer, question))

/** Like `claimIn`, one step per pattern and sentence, because answers and questions may be long. */
export function* claimSteps(answer: string, question: string): Generator<void, Claim | undefined, void> {
  const sentences = sentencesOf(answer)
  yield
  const forgotten = (yield* findForgotten(sentences, question)) ?? agreed(answer, question, asksToForget)
  if (forgotten !== undefined)
    return { quote: forgotten.trim(), text: '', target: 'user', isForgetting: true }
  const quote = (yield* findSaved(sentences, question)) ?? agreed(answer, question, asksToRemember)
  return quote === undefined ? undefined : { quote: quote.trim(), text: factOf(question), target: 'user' }
}

type Search = Generator<void, string | undefined, void>

function* firstOf(sentences: readonly string[], isMeant: (sentence: string) => boolean): Search {
  for (const sentence of sentences) {
    if (isMeant(sentence)) return sentence
    yield
  }
  return undefined
}

/** Test all patterns on a text. A long text is searched once, not once per sentence. */
function* matchesOf(patterns: readonly RegExp[], text: string): Generator<void, boolean[], void> {
  const found: boolean[] = []
  for (const pattern of patterns) {
    found.push(pattern.test(text))
    yield
  }
  return found
}

function* findSaved(sentences: readonly string[], question: string): Search {
  const asked = ASKS.test(question)
  yield
  const isSelf = saysOfSelf(question)
  yield
  const told = asked || isSelf
  const english = yield* firstOf(
    sentences,
    sentence =>
      !ABOUT_OTHER.test(sentence) &&
      (PLAIN.some(each => each.test(sentence)) || (told && SOFT.some(each => each.test(sentence)))),
  )
  if (english !== undefined) return english
  if (COMPOSES.test(question)) return undefined
  const wants = yield* matchesOf(
    OTHER_CLAIMS.map(({ remember }) => remember),
    question,
  )
  const isAsking = isQuestion(question)
  return yield* firstOf(
    sentences,
    sentence =>
      !isAboutOther(sentence) &&
      OTHER_CLAIMS.some(({ saved, softSaved, memory }, at) => {
        // In reply to a question about memory, “saved” refers to the past.
        if (saved.test(sentence) && memory.test(sentence)) return wants[at] || !isAsking
        return (wants[at] || isSelf) && softSaved.test(sentence)
      }),
  )
}

function* findForgotten(sentences: readonly string[], question: string): Search {
  const wants = ENGLISH_FORGET.test(question)
  yield
  const isAsking = isQuestion(question)
  const english = yield* firstOf(
    sentences,
    sentence =>
      !ABOUT_OTHER.test(sentence) &&
      (FORGOTTEN.test(sentence) || (wants && SOFT_FORGOTTEN.test(sentence))) &&
      (wants || !isAsking),
  )
  if (english !== undefined) return english
  if (COMPOSES.test(question)) return undefined
  const wanted = yield* matchesOf(
    OTHER_CLAIMS.map(({ forget }) => forget),
    question,
  )
  return yield* firstOf(
    sentences,
    sentence =>
      !isAboutOther(sentence) &&
      OTHER_CLAIMS.some((words, at) => {
        if (words.forgotten.test(sentence) && words.memory.test(sentence)) return wanted[at] || !isAsking
        return wanted[at] && words.softForgotten.test(sentence)
      }),
  )
}

/** A short answer that only agrees, if the user's message contains nothing but the request. */
function agreed(answer: string, question: string, asks: (question: string) => boolean): string | undefined {
  const said = answer.trim()
  if (said.length > MOST_AGREEING || !AGREES.test(said) || !asks(question)) return undefined
  return /[?？:：]/u.test(said) || REFUSES.test(said) || isAboutOther(said) ? undefined : said
}
/** Checks all languages, because words of another language are rare in a short claim. */
const isAboutOther = (sentence: string): boolean =>
  ABOUT_OTHER.test(sentence) || OTHER_CLAIMS.some(({ not }) => not.test(sentence))

const MOST_AGREEING = 120
const REFUSES =
  /\b(?:not|cannot|can['’]t|couldn['’]t|unable|but|only|nicht|kein\w*|aber|leider|no|pero|pas|mais|non|ma|nao|mas)\b|não|不|没|無|无|ない|ません/iu

/** Requests to write a text. Such a text may contain any sentence. */
const COMPOSES =
  /^\s*(?:(?:please|bitte|por favor)[, ]+)?(?:write|compose|translate|schreibe?|dichte|übersetze?|escribe|traduce|écris|traduis|scrivi|traduci|escrev[ae]|traduz|写|翻译)(?!\p{L})|(?:を|に)(?:書いて|訳して|翻訳して)/iu

const isQuestion = (text: string): boolean => /[?？]\s*$/u.test(text.trim())

/** Whether a message starts with the request and states a fact: no task (“remember to …”), no question. */
const asksToRemember = (question: string): boolean =>
  question.length <= 400 &&
  (/^(?:(?:please|also|and|ok(?:ay)?|hey|hi)[, ]+)*(?:(?:remember|don['’]t forget|do not forget|memori[sz]e|keep in mind)(?::| that (?:i|my|we|our)\b| (?:my|i)\b)|save that (?:i|my)\b)/i.test(
    question.trim(),
  ) ||
    (!isQuestion(question) && OTHER_CLAIMS.some(({ remember }) => beginsWith(remember, question))))
const asksToForget = (question: string): boolean =>
  question.length <= 400 &&
  !isQuestion(question) &&
  (ENGLISH_FORGET.test(question) || OTHER_CLAIMS.some(({ forget }) => beginsWith(forget, question)))
const beginsWith = (words: RegExp, question: string): boolean => (words.exec(question)?.index ?? 99) < 30

const ENGLISH_FORGET =
  /(?<!n['’]t |not |never )\b(?:forget (?:that (?:i|my|we)\b|(?:about )?my\b|what i (?:said|told you) about|what you know about|everything (?:about|you know)|(?:that|the) (?:fact|entry|note)\b)|(?:delete|remove|erase|drop|clear) [^.?!]{1,80}(?:from|in) (?:your |the )?(?:memory|notes about me|memories)\b|stop remembering\b|you can forget (?:that|my|about my)\b)/i

const I = String.raw`\bI(?:['’]ve| have|['’]ll| will|['’]m going to| am going to)?(?: (?:now|just|also|already|gladly|certainly|definitely|of course))*`
const MEMORY = String.raw`(?:(?:my|your|the|long-term|permanent|persistent) )*(?:memory|memories|notes about you|user profile|profile of you|memory (?:file|store|notes?))`
const SAVED = String.raw`(?:save|saved|store|stored|add|added|record|recorded|put|write|written|note|noted|log|logged|commit|committed|keep|kept|update|updated|remember|remembered|memorize[d]?|memorise[d]?)`
const ABOUT_YOU = String.raw`(?:that you|your (?:preference|name|birthday|favou?rite|preferred|address|choice|dietary|allerg|language|time zone|timezone|wish|request)\w*|this preference|that preference|this (?:fact|information|detail) about you)`

/** Explicit claims. */
const PLAIN = [
  new RegExp(`${I} ${SAVED}\\b[^.!?]{0,80}\\b(?:to|in|into|from|with) ${MEMORY}\\b`, 'i'),
  new RegExp(`${I} (?:update|updated) ${MEMORY}\\b`, 'i'),
  new RegExp(
    `${I} (?:made|make|taken|take|left) (?:a |myself a )?(?:mental )?note (?:of|that|about) (?:${ABOUT_YOU}|you\\b|this\\b|that\\b|it\\b)`,
    'i',
  ),
  new RegExp(
    `${I} (?:saved|stored|recorded|noted|remembered|memori[sz]ed|noted down|written down|jotted down) (?:down )?${ABOUT_YOU}`,
    'i',
  ),
  /^(?:ok(?:ay)?|done|great|perfect|sure|got it|alright|all right|understood)?[,.!: –—-]*(?:saved|stored|added|noted|written|committed) (?:this |that |it )?(?:to|in|into) (?:my |your |the )?(?:long-term )?memory\b/i,
  /\b(?:this|that|it|your (?:preference|name|birthday)\w*) (?:has been|is now|was|is) (?:saved|stored|added|recorded|noted)(?: (?:to|in|into) (?:my |the |your )?(?:memory|notes about you|profile)\b|[.!]?$)/i,
  /\bmemory (?:has been |was |is )?updated\b/i,
  new RegExp(
    `${I} remember (?:this|that|it)? ?(?:for|in) (?:next time|the future|future (?:chats|conversations|sessions)|our next)`,
    'i',
  ),
]

const GONE = String.raw`(?:forgotten|forget|deleted?|removed?|erased?|cleared?|dropped|wiped)`
/** Explicit claims that something was forgotten. */
const FORGOTTEN = new RegExp(
  `(?:${I}|^(?:ok(?:ay)?|done|sure|got it|all right|understood)?[,.!: –—-]*|\\b(?:it|that|this|everything|all of it|your \\w+)(?: has been| have been| is| was|['’]s)(?: now)?) ?${GONE}\\b[^.!?]{0,80}\\b(?:from|in) ${MEMORY}\\b`,
  'i',
)
/** Claims of forgetting that count only after the user asked for it. */
const SOFT_FORGOTTEN = new RegExp(
  `${I} ${GONE} (?:that|this|it|about|your|everything|the)\\b|^(?:ok(?:ay)?|done|sure|got it|all right|understood)?[,.!: –—-]*(?:it is |it['’]s |that['’]s |that is |consider it )?${GONE}(?: now)?[.!]?$|\\b(?:is|has been|it['’]s) (?:now )?(?:forgotten|gone|deleted|erased)\\b|${I} no longer (?:remember|know)`,
  'i',
)

/** Polite claims, which count only after the user asked for it or said something about themselves. */
const SOFT = [
  new RegExp(
    `${I} (?:remember|keep|bear) (?:that|this|it|your \\w+)(?: (?:in mind|for you))?(?=[ ,.!]|$)(?! (?:first|now|when|if|while|until|before) )`,
    'i',
  ),
  new RegExp(`${I} (?:saved|stored|noted|recorded|memori[sz]ed|remembered) (?:that|this|it)\\b`, 'i'),
  /^(?:ok(?:ay)?|done|great|perfect|sure|got it|alright|understood|thanks)?[,.!: –—-]*(?:noted|saved|remembered|memori[sz]ed)[.!]?$/i,
  /^(?:noted|saved)[:,] /i,
  new RegExp(`${I} (?:won['’]t|will not|shall not) forget`, 'i'),
  /\bI['’]?(?:ll| will) (?:remember|use) (?:that|this) from now on\b/i,
]

/** Files, code, settings and other things saved elsewhere, past memories, and conditional offers. */
const ABOUT_OTHER =
  /`|\b(?:files?|folders?|director(?:y|ies)|documents?|scripts?|repositor(?:y|ies)|branch|commits?|csv|json|spreadsheet|table|column|database|log|clipboard|disk|draft|backup|screenshot|image|changelog|readme|module|function|variable|cache|ram|gigabytes?|settings?|config\w*)\b|\/\w|\b(?:would you like|do you want|shall i|should i|may i|can i|could i|if you (?:like|want)|you can|you could|you should|i can|i could|i cannot|i can['’]t|could not|couldn['’]t|was not|wasn['’]t|not saved|unable|(?:if|once|when|as soon as) you (?:tell|told|give|gave|say|let))\b|\b(?:tell|give|let) me\b[^.!?]{0,60}\band I\b|\?\s*$/i

/** Requests to keep something. */
const ASKS =
  /\b(?:remember|don['’]t forget|do not forget|keep in mind|bear in mind|make a note|take note|note (?:that|down)|save (?:this|that|it|my)|memori[sz]e|from now on|for (?:next time|the future|future reference)|in future|always|never)\b/i

/** The sentences of an answer, without quotations and code. */
const sentencesOf = (answer: string): string[] =>
  answer
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/^>.*$/gm, ' ')
    .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/u)
    .map(sentence => sentence.replace(/^[\s*_#-]+|(?<![*_])[*_]+$/g, '').trim())
    .filter(sentence => sentence !== '' && sentence.length < 600)
