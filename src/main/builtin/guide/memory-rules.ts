import { saysOfSelf } from '../../lib/words/says-of-self.ts'
import { GUIDE_SAYS } from './guide-sentences.ts'
import {
  isQuestion,
  likelyCall,
  sureCall,
  withoutQuotes,
  type KnownEntry,
  type Meaning,
  type Scene,
} from './guide-scene.ts'
import { stateFact } from './state-fact.ts'

const VERBS = String.raw`(?:(?:always )?remember|don['’]t forget|do not forget|never forget|not forget|keep in mind|bear in mind|make a (?:mental )?note|take note|note(?: down)?|memori[sz]e|(?:save|store|add|put|write|record|keep)(?: (?:it|this|that))? (?:to|in|into) (?:your |the )?(?:memory|notebook|notes)|(?:save|store|keep) (?:this|that) for (?:later|me|the future)|jot down|learn)`
const LEADING = new RegExp(
  String.raw`^${VERBS}(?:\s+(?:of|for later|for (?:the future|next time|me)))?(?:\s*[:,]\s*|\s+(?:this|that|the following|down)\s*[:,]\s*|\s+that\s+|\s+)(?:that\s+)?(.+)$`,
  'is',
)
const LABELLED =
  /^(?:fyi|for the record|for your (?:memory|notes|information)|note to self|memo|reminder|new (?:fact|note|memory)|so you know|just so you know|for (?:next time|later|future reference)|before i forget)\s*[:,-]\s*(.+)$/is
/** The lookbehind starts a run of signs at its first character; otherwise each sign would restart it. */
const TRAILING =
  /^(.+?)(?<![\s,.;:–-])[\s,.;:–-]*[,.;:–-]\s*(?:so |and |please |could you |can you )*(?:remember|keep|save|note|store|memori[sz]e|write|don['’]?t forget|do not forget|make a note of|bear)\s*(?:that|this|it)?(?: down)?(?: in mind| in (?:your )?memory| to memory)?$/is
/** Sentences about the user that are meant to be kept, even without a word that asks for it. */
const LASTING =
  /^(?:(?:by the way|btw|from now on|also|fyi|oh)[,:]?\s+)?(?:(?:you can |please )?call me\s+\S|my (?:name|(?:first |last )?name|birthday|wife|husband|partner|son|daughter|dog|cat|boss|address|job|e-?mail|phone|favou?rite|mother|father|brother|sister|team|company)\b.*\b(?:is|are|['’]s|works?|lives?)\b|i(?:['’]m| am) (?:called|allergic|vegan|(?:a )?vegetarian|from)\b|i (?:live|work) (?:in|at|as|for|from)\b|i (?:always |never |usually )?(?:prefer|use|speak)\b|from now on i (?:want|prefer|like)\b|i am an? \w+$)/i
const CORRECTS =
  /^(?:correction|actually|no|nope|wait|sorry|oops|update|i meant|i mean|my mistake|i was wrong|that['’]s wrong|that is wrong|that changed|it changed|change that|correct that|update that)(?:\s*[,:.–-]\s*|\s+)(?:(?:actually|sorry|i meant|it['’]s)[,:]?\s+)?(.+)$/is
const COMPOSES =
  /^(?:write|compose|draft|invent|translate|rewrite|explain|make up|give me)(?: me| us)?(?: an?| the| some| my)?(?: \p{L}+){0,2} (?:e-?mails?|letters?|messages?|poems?|story|stories|songs?|essays?|speech|text(?: message)?|reply|replies|answer|invitation|apology|cards?|tweet|post|haiku|limerick)\b/iu
/** Whether a text is to be written for somebody. What it says about the user is then not a fact to keep. */
export const isComposing = (tidy: string): boolean => COMPOSES.test(tidy)
/** “From now on, answer in short sentences” is a lasting wish. */
const STANDING =
  /^(?:from (?:now|today|here) on|in (?:the )?future|always|never(?! mind)|from this day on)[,:]?\s+(\S.*\s.*)$/is
const FORGETS =
  /^(?:(?:please )?(?:forget|unlearn|stop remembering|no longer remember)\s+(?:about\s+|that\s+|what i (?:said|told you) about\s+|the (?:entry|note|fact) (?:about|on)\s+)?(.+)|(?:delete|remove|erase|drop|clear)\s+(?:what you know about\s+|the (?:entry|note|fact) (?:about|on)\s+)?(.+?)\s+(?:from|in|out of) (?:your |the )?(?:memory|notebook)|(?:delete|remove|erase|drop|clear)\s+(?:all |everything |what )+(?:that )?you (?:know|remember|have saved|saved) about\s+(.+))$/is

/** The meaning of a request to remember, correct or forget; undefined for any other request. */
export function readMemoryRequest(
  request: string,
  tidy: string,
  scene: Scene,
  saved: string | undefined,
): Meaning | undefined {
  if (isComposing(tidy)) return undefined
  const forget = FORGETS.exec(tidy)
  if (forget) return forgetting(withoutQuotes(forget[1] ?? forget[2] ?? forget[3] ?? ''), scene, saved)
  // A note to oneself is not a fact about the user, nor an order to an agent.
  const [, what, is] = /^(?:save|store|note) (my \p{L}+(?: \p{L}+)?)\s*[:=]\s*(\S.+)$/isu.exec(tidy) ?? []
  if (what !== undefined && is !== undefined) return remember(`${what} is ${is}`)
  const note = /^(?:note to self|memo|reminder)\s*[:,-]\s*(\S.+)$/is.exec(tidy)?.[1]
  if (note !== undefined)
    return sureCall('memory', { target: 'memory', action: 'add', content: asNote(note) })
  const fact = factIn(tidy)
  if (fact !== undefined) {
    if (isQuestion(fact) && /\?\s*$/.test(request)) return undefined
    return remember(fact)
  }
  const corrected = CORRECTS.exec(tidy)?.[1]
  if (corrected !== undefined && isStatement(corrected)) return correcting(corrected, scene, saved)
  const swapped = /^(.+?),? (?:and )?(?:not|no longer|instead of|rather than) (.+?)(?: any ?more)?$/i.exec(
    tidy,
  )
  if (swapped && isStatement(swapped[1]!) && bestEntries(swapped[2]!, scene.entries).length > 0)
    return correcting(swapped[1]!, scene, saved)
  if (LASTING.test(tidy) && !/\?\s*$/.test(request) && !/[.!;]\s+\S/.test(tidy.trim()) && tidy.length < 200)
    return remember(tidy.replace(/^(?:by the way|btw|from now on|also|fyi|oh|you can|please)[,:]?\s+/i, ''))
  const standing = STANDING.exec(tidy)?.[1]
  if (
    standing !== undefined &&
    !/^(?:i|we|my|our|it|he|she|they|you|the)\b/i.test(standing) &&
    !isQuestion(standing) &&
    !/\?\s*$/.test(request) &&
    tidy.length < 200
  )
    return sureCall('memory', { target: 'user', action: 'add', content: stateFact(tidy) })
  const isNamed = /^I(?:['’]m| am) \p{Lu}\p{Ll}+(?:,|$)/u.test(tidy)
  return (saysOfSelf(tidy) || isNamed) &&
    !isQuestion(tidy) &&
    tidy.length < 200 &&
    !/\bi want you\b/i.test(tidy)
    ? likelyCall('memory', {
        target: 'user',
        action: 'add',
        content: stateFact(tidy.replace(/,? nice to meet you$/i, '')),
      })
    : undefined
}

/** The fact that a request asks to remember, in the user's words. */
function factIn(tidy: string): string | undefined {
  const fact = (LABELLED.exec(tidy) ?? LEADING.exec(tidy) ?? TRAILING.exec(tidy))?.[1]
    ?.replace(/^(?:by the way|btw|oh|fyi|also)[,:]?\s+/i, '')
    .trim()
  if (fact === undefined || fact.length < 3) return undefined
  // “Remember what I said?” and “remember me” ask for something else.
  if (
    /^(?:what|when|where|who|how|why|which|me|us|it|this|that|everything|all|the (?:last|first|time))\b(?!['’])(?!\s+\w+\s+(?:is|are))/i.test(
      fact,
    )
  )
    return undefined
  return withoutQuotes(fact)
}

const isStatement = (text: string): boolean =>
  !/\?\s*$/.test(text) &&
  (saysOfSelf(text) ||
    /^(?:my|our|i|i['’]m|the|it['’]?s?|he|she|they|we|call me)\b.*\b(?:is|are|was|am|live|lives|work|works|use|uses|prefer|has|have|called|drink|eat|like|moved)\b/i.test(
      text,
    ))

const remember = (fact: string): Meaning =>
  sureCall('memory', { target: targetOf(fact), action: 'add', content: stateFact(fact) })

const asNote = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/(?<![\s.])[\s.]+$/, '')

/** `user`, unless nothing in the fact refers to the user. */
const targetOf = (fact: string): 'user' | 'memory' =>
  /\b(?:i|my|me|mine|i['’]m|we|our|us)\b/i.test(fact) || /^(?:to|always|never|call|prefer)\b/i.test(fact)
    ? 'user'
    : 'memory'

function correcting(said: string, { entries }: Scene, saved: string | undefined): Meaning | undefined {
  const best = bestEntries(said, entries)
  const before = (best.length === 1 ? best[0]?.text : undefined) ?? saved
  const content = insteadOf(said, before) ?? stateFact(said)
  const old = best.length === 1 ? best[0] : entries.find(entry => entry.text === saved)
  if (old) return sureCall('memory', { target: old.target, action: 'replace', content, old_text: old.text })
  return best.length === 0
    ? remember(said)
    : {
        kind: 'ask',
        question: GUIDE_SAYS.whichToCorrect(),
        choices: best.slice(0, MOST_CHOICES).map(entry => ({
          label: entry.text,
          call: {
            name: 'memory',
            arguments: { target: entry.target, action: 'replace', content, old_text: entry.text },
          },
        })),
      }
}

/** “No, it is Mirela” after “User's name is Mira” is about the name. */
function insteadOf(said: string, before: string | undefined): string | undefined {
  const now = /^(?:it|that|this)(?:['’]s| is| was)(?: called)? (\S.{0,60})$/i.exec(said)?.[1]
  const kept = /^(.{1,60}? (?:is|are)(?: called)?) \S/.exec(before ?? '')?.[1]
  return now === undefined || kept === undefined
    ? undefined
    : `${kept} ${now.replace(/(?<![\s.!])[\s.!]+$/, '')}`
}

const MOST_CHOICES = 5

function forgetting(words: string, { entries }: Scene, saved: string | undefined): Meaning {
  if (/^(?:that|it|this|what i (?:just )?(?:said|told you))$/i.test(words)) {
    const last = entries.find(entry => entry.text === saved)
    if (last) return forget(last)
    // “Just forget it” may also refer to the question that was asked.
    return {
      kind: 'say',
      text: words.toLowerCase() === 'it' ? GUIDE_SAYS.nothingDone() : GUIDE_SAYS.nothingSaved(),
    }
  }
  if (/^(?:everything|all|all of it|everything you know)(?: about me)?$/i.test(words))
    return { kind: 'say', text: GUIDE_SAYS.forgetAll() }
  const found = bestEntries(words, entries)
  if (found.length === 0) return { kind: 'say', text: GUIDE_SAYS.notRemembered(words) }
  if (found.length === 1) return forget(found[0]!)
  return {
    kind: 'ask',
    question: GUIDE_SAYS.whichToForget(),
    choices: found.slice(0, MOST_CHOICES).map(entry => ({ label: entry.text, call: callToForget(entry) })),
  }
}

const callToForget = ({ text, target }: KnownEntry) => ({
  name: 'memory',
  arguments: { target, action: 'remove', old_text: text },
})
const forget = (entry: KnownEntry): Meaning => {
  const { name, arguments: given } = callToForget(entry)
  return sureCall(name, given)
}

const FILLERS = new Set(
  'a an the my your our i me is are was am be to of in on at for and or not no now about that this it user users says name thing s t they their have has do does any more'.split(
    ' ',
  ),
)
const stem = (word: string) => word.replace(/(?<=\p{L}{3})(?:es|s|ing|ed)$/u, '')
/** The words that tell what a text is about. */
export const tellingWords = (text: string): string[] => [
  ...new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(word => !FILLERS.has(word)).map(stem),
  ),
]

/** The entries that share the most words with a text, including ties. Empty if none shares any. */
export function bestEntries(text: string, entries: readonly KnownEntry[]): KnownEntry[] {
  const words = tellingWords(text)
  const own = /\bname\b/i.test(text) && words.length <= 1 ? ['name'] : words
  const scored = entries.map(entry => {
    const held = new Set([...tellingWords(entry.text), ...(/\bname\b/i.test(entry.text) ? ['name'] : [])])
    return { entry, score: own.filter(word => held.has(word)).length }
  })
  const most = Math.max(0, ...scored.map(({ score }) => score))
  return most === 0 ? [] : scored.filter(({ score }) => score === most).map(({ entry }) => entry)
}
