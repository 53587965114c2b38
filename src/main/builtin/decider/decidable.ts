/** Maximum length of a plain request, in characters. */
const LONGEST = 600

/** First words that refer to an earlier message. */
const FOLLOWS =
  /^(?:(?:and|also|then|but|so|or|what about|how about|same|the same|again|once more|instead|rather|no|nope|yes|yep|yeah|ok|okay|sure|do it|do that|go on|go ahead|continue|undo|try again)\b)/i
/** Words that point at something mentioned before. */
const POINTS =
  /\b(?:(?:that|this|the other|the same|the first|the second|the last) (?:one|file|folder|line|command|result|list|page|answer)|the other(?! \w)|those|these|them|there|it|its)\b/i
/** Something named earlier in the same message, which a pointing word may refer to. */
const NAMED =
  /(?<![\p{L}\p{N}_-])[\p{L}\p{N}_-]+\.[\p{L}]\w*|\b(?:file|folder|skill|command|note|script|list|page)\b|["“`'‘]/iu

/** Words that occur only in English, among those that requests are made of. */
const ENGLISH = new Set(
  `the a an my your our is are was were do does did have has had can could would should will what which who where when why how show list find
  open read write make create run delete remove rename change replace add put save note remember forget search look tell give print count
  check use start stop copy move get please files file folder folders here and or of to with for from by this that it me you i i
  about any all many much there not im whats let's lets execute append display call text word words line lines hello hi thanks thank
  good morning fix edit set need want know jot down up out into at as just like see let be been only every each make take pull`
    .split(/\s+/)
    .filter(Boolean),
)

/** Frequent words of other languages that do not exist in English. */
const OTHERS = new Set(
  `der das und ist ich nicht ein eine einen mir mich meine meinen meine meiner welche welcher wie was zeig zeige lies lösche öffne erstelle
  suche schreib schreibe merk merke dass auf für dateien datei ordner bitte im im dem den le la les des un une est et je ne pas mon ma mes que
  qui quels quelles quel quelle dans sur pour fichier fichiers dossier montre lis lire cherche écris crée supprime souviens toi el los las
  una es y yo mi mis qué que cuál cuáles en por para con archivo archivos carpeta muestra muéstrame lee busca escribe crea borra recuerda
  il lo gli uno e io mio mia miei mie che quali nel nella di da mostra leggi cerca scrivi elimina ricorda cartella o os as um uma meu minha
  meus arquivos pasta mostre leia procure escreva apague lembre het een en ik niet mijn welke bestanden bestand map toon lees zoek schrijf
  verwijder onthoud jest nie moje moja pliki plik pokaż przeczytaj znajdź czy są w na jag inte är och min mina filer visa läs hitta skriv
  jeg ikke er og mine vis les finn ben bir bu ne dosya dosyaları göster oku bul dosyamı`
    .split(/\s+/)
    .filter(word => word !== '' && !ENGLISH.has(word)),
)

/** Programs that people type as they would in a terminal. */
const PROGRAMS =
  /^[$>]?\s*(?:ls|dir|cat|head|tail|grep|rg|wc|du|df|pwd|date|echo|mkdir|touch|cp|mv|rm|sort|uniq|find|tree|ps|git|npm|npx|pnpm|yarn|node|deno|bun|python3?|pip3?|uv|make|cargo|go|java|ruby|bash|sh|curl|docker|kubectl|sudo|uname|whoami)\b/

/** Whether a message can be judged alone: short, in English, and independent of earlier messages. */
export function isDecidable(message: string): boolean {
  const text = message.trim()
  if (text === '' || text.length > LONGEST) return false
  return isEnglish(text) && !goesOn(text)
}

/** Whether a text seems to be English. Quotes, file names and commands do not count. */
function isEnglish(text: string): boolean {
  const bare = text
    .replace(/["“„«][^"“”»]*["”»]|`[^`]*`|(?<![\p{L}\p{N}])['‘][^'’]*['’](?![\p{L}\p{N}])/gu, ' ')
    .replace(/(?<!\S)\S*[./\\\d]\S*\p{L}\S*/gu, ' ')
  const words = bare.toLowerCase().match(/[\p{L}'’]+/gu) ?? []
  if (words.some(word => /[^\p{Script=Latin}'’]/u.test(word))) return false
  const english = words.filter(word => ENGLISH.has(word.replace(/['’](?:s|re|ll|d|ve|m)$/, ''))).length
  const others = words.filter(word => OTHERS.has(word)).length
  // “grep -rn total .” has no English word either, but starts like a program call. Other texts without
  // English words are not English.
  if (english === 0 && words.length > 1 && !PROGRAMS.test(text)) return false
  return others === 0 || english > others
}

/** Whether a message can only be understood with earlier messages. */
function goesOn(text: string): boolean {
  if (FOLLOWS.test(text))
    return !/^(?:ok|okay|so|and|then|also|yes|no)\b[, ]+\S+(?:\s+\S+){4,}/i.test(text) || POINTS.test(text)
  const pointed = POINTS.exec(text)
  return pointed !== null && isPointing(text, pointed.index)
}

/** “Read notes.txt and copy it” names its target before; “is there a …” and “it is …” point at nothing. */
function isPointing(text: string, at: number): boolean {
  const before = text.slice(0, at)
  if (NAMED.test(before) || /(?:\S+\s+){2}\S+[,;.]|\band\s+$/.test(before)) return false
  if (/\bthis (?:folder|directory)\b/i.test(text)) return false
  const words = text.trim().split(/\s+/)
  if (/\b(?:is|are|was|were|how many|how much) there\b|\bthere(?: is| are|['’]s)\b/i.test(text)) return false
  if (/\b(?:it is|it['’]s|is it|was it|does it|it takes?)\b/i.test(text)) return false
  return words.length <= 7
}
