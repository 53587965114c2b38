const MOST_CHARACTERS = 120

const MOST_WORDS = 20

/** Signs of code, addresses, paths and lists, or of text that was inserted before the message. */
const MARKS = /[`{}<>|\\=#[\]]|https?:|www\.|\w\/\w|\w\.\w{1,5}\b|^\s*[-*\d]+[.)]?\s/m

/** Words for work that needs tools or thought. A few languages share them. */
const WORK =
  /\b(analy[sz]|architect|bug|build|calculat|check|code|compar|comput|configur|convert|creat|debug|delet|deploy|design|diff|director|download|edit|error|estimat|evaluat|exception|explain|file|find|fix|folder|function|generat|implement|install|investigat|list|migrat|model|optimi[sz]|order|path|plan|progra|project|prove|read|refactor|remember|remind|rename|replac|report|research|review|run|save|schedul|script|search|solve|sort|step|summari[sz]|task|terminal|test|tool|translat|trace|update|why|workspace|write|analysi|berechne|datei|erkl[äa]r|erstell|fehler|lösch|ordner|prüf|schreib|such|vergleich|warum|zusammenfass)/i

/** Go-aheads and remarks are short, but their meaning depends on the messages before them. */
const GO_ON =
  /^\W*(yes|yep|yeah|ok|okay|sure|go|do|continue|proceed|next|again|more|retry|no|not|wrong|instead|and|but|then|also|ja|nein|mach|weiter|nochmal|und|aber|dann|oui|non|sí|si)\b/i

/** Words that refer to earlier messages. */
const POINTS_BACK =
  /\b(it|its|this|that|these|those|them|they|above|before|earlier|last|previous|das|dies\w*|davon|damit)\b/i

/** Whether a small model can answer as well: short, self-contained, and not work. False if in doubt. */
export function isSimpleMessage(text: string): boolean {
  const said = text.trim()
  if (said === '' || said.length > MOST_CHARACTERS || said.includes('\n')) return false
  if (said.split(/\s+/).length > MOST_WORDS) return false
  return ![MARKS, WORK, GO_ON, POINTS_BACK].some(sign => sign.test(said))
}
