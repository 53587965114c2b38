import { saysOfSelf } from '../lib/says-of-self.ts'
import type { MemoryTarget } from '../../shared/contract/memory.ts'

/** A sentence of an answer that claims something was saved, and what could be saved. */
export type Claim = { quote: string; text: string; target: MemoryTarget }

/**
 * Find a claim in an answer that something is remembered now. Only called when nothing was saved in that turn.
 * A missed claim costs little, but a false alarm costs trust, so anything that may be about files or offers to
 * help is ignored.
 */
export function claimIn(answer: string, question: string): Claim | undefined {
  const sentences = sentencesOf(answer)
  const asked = ASKS.test(question)
  const told = asked || saysOfSelf(question)
  const quote = sentences.find(
    sentence =>
      !ABOUT_OTHER.test(sentence) &&
      (PLAIN.some(each => each.test(sentence)) || (told && SOFT.some(each => each.test(sentence)))),
  )
  return quote === undefined ? undefined : { quote: quote.trim(), text: factOf(question), target: 'user' }
}

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

/** Polite claims, which only count after the user asked for it or told something about themselves. */
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

const LEAD =
  /^(?:(?:hey|hi|hello|ok|okay|also|and|so|well|please|could you|can you|would you|will you|i want you to|i['’]d like you to)[,!]?\s+)*(?:please\s+)?(?:remember|don['’]t forget|do not forget|keep in mind|bear in mind|make a note|take note|note|save|memori[sz]e)(?:\s+(?:this|that|down|it))?(?:\s+for (?:me|next time|later|the future))?\s*[:,]?\s*(?:that\s+)?/i
const MAX_CHARS = 300

/** What the user said, in their own words, without the request to keep it. */
function factOf(question: string): string {
  const line = question.replace(/\s+/g, ' ').trim()
  const fact =
    line.replace(LEAD, '').replace(/\s*(?:,? ?(?:please|thanks|thank you|ok|okay))?[.!]*$/i, '') || line
  const short = fact.length <= MAX_CHARS ? fact : `${fact.slice(0, MAX_CHARS - 1).toWellFormed()}…`
  return `User says: ${short.charAt(0).toUpperCase()}${short.slice(1)}.`
}

/** The sentences of an answer, without quotations and code. */
const sentencesOf = (answer: string): string[] =>
  answer
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/^>.*$/gm, ' ')
    .split(/(?<=[.!?])\s+|\n+/)
    .map(sentence => sentence.replace(/^[\s*_#-]+|[*_]+$/g, '').trim())
    .filter(sentence => sentence !== '' && sentence.length < 600)
