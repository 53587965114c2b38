/**
 * Turn an entry that gives an order into a statement of what the user wants: “Always respond concisely”
 * becomes “Prefers concise answers.” An order would be obeyed again in every chat. Undefined if the entry
 * does not start with an order.
 */
export function orderAsStatement(entry: string, target: 'user' | 'memory'): string | undefined {
  const sentences = entry.trim().split(/(?<=[.!?])\s+|(?<!\s)\s*\n+\s*/)
  const said = sentences.map(sentence => stated(sentence))
  if (said[0] === undefined) return undefined
  return said
    .map((statement, at) => {
      if (statement === undefined) return sentences[at]!
      return target === 'user' ? capital(statement) : `The user ${statement}`
    })
    .join(' ')
}

const VERB =
  'add|address|answer|apply|ask|assume|avoid|be|begin|build|call|check|cite|comment|commit|confirm|consult|create|delete|deploy|do|edit|end|ensure|explain|focus|follow|format|give|ignore|include|install|keep|limit|list|mention|name|offer|omit|open|output|prefer|print|propose|provide|push|put|quote|read|refer|remember|remove|repeat|reply|respond|return|review|run|save|say|send|show|sign|skip|speak|start|stick|stop|store|suggest|summari[sz]e|talk|tell|test|think|touch|translate|treat|try|update|use|verify|wait|work|wrap|write'
/** Verbs that start an order without another word; as nouns they rarely start a note. */
const BARE =
  'add|address|answer|ask|assume|avoid|be|begin|call|cite|consult|do|ensure|explain|follow|give|include|keep|limit|mention|omit|prefer|provide|refer|remember|reply|respond|run|say|show|speak|stick|stop|suggest|summari[sz]e|talk|tell|translate|treat|use|verify|wrap|write'
const LEAD =
  /^(?:(?:please|kindly|from now on|in (?:the )?future|in all (?:chats|answers|replies)|when (?:you are )?(?:answering|replying|writing|coding)),?\s+)+/i
const FORBIDS =
  /^(?:you (?:must|should|may) (?:not|never)|(?:please )?(?:never|do not(?: ever)?|don['’]t(?: ever)?))\s+(?:again )?/i
const DEMANDS =
  /^(?:you (?:must|should|have to|need to|are to)(?: always)?|always|only|make sure (?:to|that you|you)(?: always)?|be sure to|remember to|ensure (?:that you|you))\s+/i
/** Texts that look like an order but start with a noun: “Answer length is …”, “Use cases live in …”. */
const NOUN =
  /^(?:use cases?|write access|run ?times?|do it yourself)\b|^\S+\s+(?:(?:\S+\s+)?(?:is|are|was|were|has|had|have|will|can|goes|lives|takes)\b|of\b|and\b|or\b)/i

/** The order in a sentence as a statement without its subject; undefined if the sentence is not an order. */
function stated(sentence: string): string | undefined {
  const whole = sentence.replace(/(?<![.!])[.!]+$/, '').trim()
  const rest = whole.replace(LEAD, '')
  const forbids = FORBIDS.test(rest)
  const order = rest.replace(forbids ? FORBIDS : DEMANDS, '')
  const isMarked = order !== whole
  const [, verb, tail = ''] =
    new RegExp(`^(${isMarked ? VERB : BARE})\\b(?![-'’:/])\\s*(.*)$`, 'is').exec(order) ?? []
  if (verb === undefined || (!isMarked && (tail === '' || NOUN.test(order)))) return undefined
  return `${inWords(verb.toLowerCase(), tail, forbids)}.`
}

function inWords(verb: string, tail: string, forbids: boolean): string {
  const wants = forbids ? 'does not want' : 'prefers'
  if (/^(?:respond|answer|reply|write|speak|talk|explain)$/.test(verb)) {
    const how = adjectives(tail)
    if (how !== undefined) return `${wants} ${how} answers`
    if (/^(?:to me )?(?:in|with|without|using|as)\b/i.test(tail))
      return `${wants} answers ${from(tail.replace(/^to me /i, ''))}`
  }
  const kept = /^(?:your |the |all )?(?:answers?|repl(?:y|ies)|responses?|it|things)\s+(.+)$/i.exec(tail)?.[1]
  const quality = verb === 'be' ? tail : /^(?:keep|give)$/.test(verb) ? kept : undefined
  if (quality !== undefined && /^[\w-]+(?:(?:,| and|, and) [\w-]+){0,2}$/i.test(quality))
    return `${wants} ${quality.toLowerCase()} answers`
  if (verb === 'prefer') return `${wants} ${from(tail)}`
  const name = /^(?:call|address)$/.test(verb) ? /^me (?:as |by )?(.+)$/i.exec(tail)?.[1] : undefined
  if (name !== undefined) return `${forbids ? 'does not want' : 'wants'} to be called ${name}`
  if (verb === 'avoid' && /^[\w-]+(?: [\w-]+)?$/.test(tail) && !/ing\b/.test(tail))
    return `${forbids ? 'prefers answers with' : 'prefers answers without'} ${tail}`
  return `${forbids ? 'does not want' : 'wants'} the agent to ${verb} ${from(tail)}`.trimEnd()
}

/** “concisely and politely” as “concise and polite”; undefined if there is more than adverbs. */
function adjectives(tail: string): string | undefined {
  const words = tail.toLowerCase().split(/(, and |, | and )/)
  const plain = words.map((word, at) => (at % 2 === 1 ? word : adjective(word)))
  return plain.includes(undefined) ? undefined : plain.join('')
}

function adjective(adverb: string): string | undefined {
  if (!/^(?:very |more )?[a-z]{3,}ly$/.test(adverb) || /\b(?:ful|whol|dai|week|month|ear)ly$/.test(adverb))
    return undefined
  if (/[^aeiou](?:ab|ib|mp)ly$/.test(adverb) || /^(?:very |more )?(?:simply|gently|humbly)$/.test(adverb))
    return adverb.replace(/y$/, 'e')
  return adverb.replace(/ily$/, 'y').replace(/ly$/, '')
}

/** The user's words about themselves and the agent, in the third person. */
const from = (tail: string): string =>
  tail
    .replace(/\bI['’]m\b/g, 'they are')
    .replace(/\bI am\b/g, 'they are')
    .replace(/\bI\b/g, 'they')
    .replace(/\bme\b/gi, 'them')
    .replace(/\bmy\b/gi, 'their')
    .replace(/\byour\b/gi, 'its')
    .replace(/\byou\b/gi, 'it')

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
