import { JOKE, SAID_BY, STORY } from './hearsay-words.ts'

// The fact in a message that asked to remember something, without the request and without a story around it.

const MAX_CHARS = 300

/** The request at the beginning of a sentence. */
const LEAD =
  /^(?:(?:hey|hi|hello|ok|okay|also|and|so|well|please|could you|can you|would you|will you|i want you to|i['’]d like you to)[,!]?\s+)*(?:please\s+)?(?:remember|don['’]t forget|do not forget|keep in mind|bear in mind|make a note|take note|note|save|memori[sz]e)(?:\s+(?:this|that|down|it))?(?:\s+for (?:me|next time|later|the future))?\s*[:,]?\s*(?:that\s+)?/i
const LEAD_ELSEWHERE =
  /^(?:(?:bitte|por favor|s['’]il te plaît|per favore|也|请|請|帮我|hallo|hola|bonjour|ciao)[,，]?\s*)*(?:(?:merke? dir|vergiss(?: bitte)? nicht|notiere? dir|speichere?(?: dir)?|denk daran)(?:\s+(?:bitte|das|mal))*\s*[:,]?\s*(?:dass\s+)?|(?:recuerda|no olvides|anota|guarda|ten en cuenta)(?:\s+(?:esto|eso))?\s*[:,]?\s*(?:que\s+)?|(?:souviens-toi|rappelle-toi|retiens|n['’]oublie pas|note)(?:\s+(?:bien|ceci|cela))?\s*[:,]?\s*(?:qu(?:e\s+|['’]))?|(?:ricorda(?:ti)?|non dimenticare|annota|memorizza)\s*[:,]?\s*(?:che\s+)?|(?:lembr[ae](?:-te|-se)?|não (?:te )?esque[çc]as?|anot[ae]|guard[ae])(?:\s+de)?\s*[:,]?\s*(?:que\s+)?|(?:记住|記住|记下|別忘了|别忘了)[:：，,]?\s*)/iu
/** A sentence with only the request, which refers to the previous sentence. */
const ORDER_ALONE =
  /^(?:(?:and|so|please|now|also|bitte|und|por favor|y|et|e|请|請)[,，]?\s*)*(?:(?:please |can you |could you |always )*(?:remember|note|save|memori[sz]e|keep|store|don['’]t forget)(?: (?:that|this|it|all of (?:that|it)))?(?: in mind| down| for (?:me|later|next time|the future)| (?:to|in) (?:your )?memory)?(?:,? (?:please|ok(?:ay)?))?|(?:merke? dir|notiere? dir|speichere?|behalte?)(?: (?:das|es|bitte))*(?: im kopf| im gedächtnis)?|vergiss (?:das|es)(?: bitte)? nicht|(?:recuérdalo|recuerda (?:eso|esto)|anótalo|guárdalo|no lo olvides)|(?:souviens-t['’]en|retiens(?:-le| ça| cela| bien)?|note-le|ne l['’]oublie pas)|(?:ricordalo|ricordatelo|annotalo|non dimenticarlo)|(?:lembra-te disso|lembre-se disso|anota isso|anote isso|não esqueça|não te esqueças)|(?:记住|記住|记下来|别忘了)(?:这个|这点|它|哦|吧)?|(?:覚えて(?:おいて)?|記憶して|メモして(?:おいて)?|忘れないで)(?:ください|下さい|ね)?)[\s.!。！]*$/iu
/** The request at the end of a sentence. */
const TRAIL =
  /[,;，、–—-]\s*(?:(?:so |and |please )*(?:remember|note|save|keep|don['’]t forget) (?:that|this|it)(?: in mind| down)?(?:,? please)?|(?:merke? dir|notiere? dir) (?:das|es)(?: bitte)?|recuérdalo|souviens-t['’]en|ricordalo|lembra-te disso|请?记住|覚えておいて(?:ください|ね)?)[\s.!。！]*$/iu
/** A quotation, from the first to the last quotation mark. */
const QUOTED = /^[^"“„«「]{0,60}["“„«「][^]*["”“»」][\s.!。]*$/u

/** The fact that the user stated about themselves, in their own words, without the request; may be empty. */
export function factOf(message: string): string {
  const line = message.replace(/\s+/g, ' ').trim()
  const meant = meantSentence(line)
  if (STORY.test(line) || SAID_BY.test(line) || JOKE.test(line) || QUOTED.test(meant)) return ''
  const lead = LEAD.test(meant) ? LEAD : LEAD_ELSEWHERE
  const fact =
    meant
      .replace(lead, '')
      .replace(TRAIL, '')
      .replace(/(?<![.!。！])[.!。！]+$/, '')
      .replace(
        /(?<!\s)\s*(?:,? ?(?:please|thanks|thank you|ok|okay|bitte|danke|por favor|gracias|merci|grazie|obrigad[oa]))?$/i,
        '',
      ) || meant
  if (ORDER_ALONE.test(fact)) return ''
  const said = mainClause(fact, meant)
  const short = said.length <= MAX_CHARS ? said : `${said.slice(0, MAX_CHARS - 1).toWellFormed()}…`
  return `User says: ${short.charAt(0).toUpperCase()}${short.slice(1)}${/[。！]$|\p{Script=Han}$|\p{Script=Hiragana}$/u.test(short) ? '' : '.'}`
}

/** The sentence that the request refers to: its own, or the one before “Remember that.” */
function meantSentence(line: string): string {
  const sentences = line.split(/(?<=[.!?]['"”»“]?)\s+|(?<=[。！？])\s*/u).filter(each => each.trim() !== '')
  const at = sentences.findIndex(each => ORDER_ALONE.test(each))
  if (at > 0) return sentences[at - 1]!
  if (at === 0 && sentences.length > 1) return sentences[1]!
  const own = sentences.find(each => LEAD.test(each) || LEAD_ELSEWHERE.test(each))
  return own ?? line
}

/** Change the word order of a German clause: “(dass) ich in Ulm wohne” becomes “ich wohne in Ulm”. */
const mainClause = (fact: string, meant: string): string =>
  /\bdass\b/i.test(meant) && !fact.includes(',')
    ? fact.replace(/^((?:ich|wir|mein\p{L}* \p{L}+)) (.+) (\p{L}+)$/iu, '$1 $3 $2')
    : fact
