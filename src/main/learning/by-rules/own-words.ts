import { JOKE, STORY, TAKES_BACK } from '../../memory/hearsay-words.ts'
import { splitSentences } from '../../agent/compaction/summarise-by-rules.ts'

// Find the user's own sentences in a message, and drop the words around them that can go.

/** A sentence of the user as it would be saved: in their own words, without opening and closing phrases. */
export type OwnSentence = {
  text: string
  /** The user asked to keep it. */
  isAsked: boolean
  /** It corrects an earlier statement: “no, …”, “correction: …”. */
  isCorrection: boolean
}

/** Code, and lines that quote someone else. */
const QUOTED = /```[^]*?(?:```|$(?![^]))|^[ \t]*>.*$/gm
/** Words that announce a text to work on, whoever wrote it. */
const WORK_ON =
  /\b(?:translate|proof-?read|summari[sz]e|rewrite|rephrase|paraphrase|correct|check|review|fix|improve|shorten|edit|format|explain|analy[sz]e|convert|classify|reply to|answer to|respond to|draft|compose|write|put|append|echo|say|print|type|read|save as|übersetze?|korrigiere?|fasse?|schreibe?|überarbeite|verbessere|traduis|corrige|traduce|resume|traduci)\b[^:\n]{0,80}:(?!\/)/i
/** The start of a pasted letter or mail. */
const LETTER =
  /^[^\S\n\r\u2028\u2029]*(?:subject|from|to|betreff|von|an):\s|^[^\S\n\r\u2028\u2029]*(?:dear|sehr geehrte\p{L}*|lieber?) [^\n]{1,60},?[^\S\n\r\u2028\u2029]*$|^[^\S\n\r\u2028\u2029]*(?:best|kind|warm)? ?regards,?[^\S\n\r\u2028\u2029]*$|^[^\S\n\r\u2028\u2029]*mit freundlichen grüßen,?[^\S\n\r\u2028\u2029]*$/imu
/** A longer message probably contains someone else's text. Its beginning still counts as the user's. */
const LONG_CHARS = 1_200
const FIRST_CHARS = 400
const MAX_SENTENCE_CHARS = 240
/** Abbreviations, whose full stop does not end a sentence. */
const ABBREVIATION = /\b(Mr|Mrs|Ms|Dr|Prof|St|No|Nr|e\.g|i\.e|z\.B|bzw|approx|ca|vs)\.(?=\s)/g
const HELD_DOT = '\u2024'

const GREETING =
  /^(?:(?:hi|hello|hey|hallo|servus|moin|good (?:morning|afternoon|evening)|guten (?:morgen|tag|abend)|bonjour|hola|ciao)(?: (?:there|again|all|everyone|talaria|zusammen))?[\s,.!–—-]+)+/i
const OPENER =
  /^(?:(?:ok(?:ay)?|well|so|oh|ah|and|also|but|yes|yeah|thanks|thank you|sorry|please|bitte|übrigens|btw|by the way|fyi|for your information|for the record|just so (?:that )?you know|you should know(?: that)?|as i said|as you know|one more thing|first of all|in fact|to be clear|let me (?:introduce myself|tell you)|(?:a )?(?:quick|short|little) (?:intro(?:duction)?|note)|about me)(?:\s*[,.:;!–—-]+\s*|\s+(?=\p{L})))+/iu
const CORRECTION =
  /^(?:(?:no|nope|nein|actually|correction|sorry|wait|korrektur|i meant|not (?:any ?more|[\p{L}\d]{1,20}))(?:\s*[,.:;!–—-]+\s*|\s+(?=i\b|my\b|we\b|it['’]s\b|ich\b|mein)))+/iu
const REQUEST =
  /^(?:(?:could you|can you|would you|will you|i want you to|i['’]d like you to|i would like you to|you should|you can|kannst du|könntest du) )?(?:please |bitte |always |also )?(?:remember|don['’]t forget|do not forget|never forget|keep in mind|bear in mind|make a note|take (?:a )?note|note(?: down)?|save|memori[sz]e|store|know|merk(?:e)? dir|vergiss nicht)\b(?:(?: this| that| it| down| bitte| of| for (?:me|later|next time|the future|future reference)))*(?:\s*[:,–—-]+\s*|\s+|$)(?:(?:that|dass)\s+)?/i
/** Openings that a following order belongs to: “whenever I ask for code, give me only the code”. */
const WHENEVER = /^(?:when|if|always|never|from now on|every time|wenn|immer|in )/i
const KEEP_ASKED =
  /^(?:(?:hi|hello|hey)[\s,!.]+)?(?:please )?(?:could|can|would|will) you (?:please )?(?:remember|note|keep in mind|save|memori[sz]e) that\b/i
const ASKED_BEHIND =
  /(?:[,;.]|(?<!\s))\s*(?:(?:and )?(?:please )?(?:remember|keep|bear|note|save|memori[sz]e) (?:this|that|it)(?: in mind| down)?(?: (?:for|from)\b[^,.;!?]{0,40})?|for future reference|keep that in mind\b[^,.;!?]{0,40})[\s.!]*$/i
const CLOSER =
  /(?<![\s,;–—-])[\s,;–—-]*(?:,? ?(?:please|thanks|thank you|thx|bitte|danke|ok(?:ay)?|right))?[\s.!?]*$/iu
/** The end of a statement, where a question or an order about it begins. */
const ASKS_ON =
  /(?<!\s)\s*[,;:–—-]\s+(?:(?:and|so|but|then|now|und|also)\s+)?(?:what|which|how|where|when|who|why|can|could|would|should|do|does|did|is|are|will|was|wie|wo|wann|wer|warum|kannst|könntest|soll)\b[^]*\?\s*$/i
const ORDERS_ON =
  /(?<!\s)\s*(?:[,;–—]\s+|\s-\s+)(?:(?:and|but|then|now|und)\s+)?(?:please\s+)?(?:list|show|read|open|find|search|write|create|make|run|tell|give|look|delete|remove|add|plan|help|suggest|recommend|start|check|install)\b(?! (?:me )?(?:up|as)\b)[^]*$/i

/** The user's own sentences in a message, as they would be saved. */
export function ownSentences(message: string): OwnSentence[] {
  const own = ownText(message)
  return own === ''
    ? []
    : withoutTakenBack(splitSentences(own.replaceAll(ABBREVIATION, `$1${HELD_DOT}`))).flatMap(sentence => {
        const found = trimSentence(sentence.replaceAll(HELD_DOT, '.'))
        return found === undefined ? [] : [found]
      })
}

/** The sentences without those that the next sentence retracts. */
const withoutTakenBack = (sentences: readonly string[]): string[] =>
  sentences.filter((sentence, at) => !takesBack(sentence) && !takesBack(sentences[at + 1] ?? ''))

/** Whether a message begins by retracting the one before. */
export const takesBack = (message: string): boolean => TAKES_BACK.test(message.trim())

/** The message without code, quotes and texts to work on. */
function ownText(message: string): string {
  const plain = message.replaceAll(QUOTED, '\n')
  if (LETTER.test(plain) || JOKE.test(plain)) return ''
  const work = WORK_ON.exec(plain)
  const told = work ? plain.slice(0, plain.lastIndexOf('\n', work.index) + 1) : plain
  // A story says nothing about the user, so keep only the text before it.
  const story = STORY.exec(told)
  const said = story ? (/^[^]*[.!?\n](?=[^.!?\n]*$)/.exec(told.slice(0, story.index))?.[0] ?? '') : told
  if (said.length <= LONG_CHARS) return said
  const first = said.slice(0, FIRST_CHARS)
  return first.slice(0, Math.max(first.lastIndexOf('\n\n'), 0))
}

/** The sentence without greeting, request and thanks; undefined for a question, or if nothing remains. */
function trimSentence(sentence: string): OwnSentence | undefined {
  if (sentence.length > MAX_SENTENCE_CHARS) return undefined
  let text = sentence.replace(/^[\s*•#-]+(?=\S)/, '').replace(ASKS_ON, '.')
  // “Can you remember that …?” is a request, not a question.
  const isRequest = KEEP_ASKED.test(text)
  if (/[?？]["”]?$/.test(text) && !isRequest) return undefined
  let isAsked = false
  let isCorrection = false
  for (let before = ''; before !== text;) {
    before = text
    text = text.replace(GREETING, '')
    const corrected = text.replace(CORRECTION, '')
    isCorrection ||= corrected !== text
    text = corrected.replace(OPENER, '')
    const asked = text.replace(REQUEST, '')
    isAsked ||= asked !== text
    text = asked
  }
  const kept = text.replace(ASKED_BEHIND, '')
  isAsked ||= kept !== text
  text = (WHENEVER.test(kept) ? kept : kept.replace(ORDERS_ON, '')).replace(CLOSER, '').trim()
  if (!/\p{L}/u.test(text)) return undefined
  return { text: `${text.charAt(0).toUpperCase()}${text.slice(1)}.`, isAsked, isCorrection }
}
