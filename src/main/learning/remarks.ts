import { plain } from '../lib/index-words.ts'

/** A remark is short; what is longer is a new task. */
const LONGEST = 240

/** Words that ask for more of the same, or for something to hold from now on, in six languages. */
const ASKING =
  /\b(?:too|also|as well|next time|from now on|in (?:the )?future|always|never|every time|instead|you should|should (?:have|also|always|never)|leave out|don't|do not|auch|ausserdem|nachstes mal|kunftig|ab jetzt|immer|nie|niemals|stattdessen|lass|aussi|egalement|la prochaine fois|desormais|toujours|jamais|plutot|tambien|la proxima vez|siempre|nunca|en vez|anche|pure|la prossima volta|d'ora in poi|sempre|mai|invece|tambem|da proxima vez)\b/

/**
 * Whether a message says how something is to be done that was just done (“include the discussions too”, “next time sort them
 * by date”). It only means something right behind such work; a question says nothing of the kind.
 */
export function isRemark(text: string): boolean {
  const said = text.trim()
  if (said.length > LONGEST || said.includes('\n\n') || said.endsWith('?')) return false
  return ASKING.test(plain(said).replace(/[’`´]/g, "'"))
}
