import { matchAny } from './match-any.ts'
import { saySentence, type PlainSentence } from './sentence-table.ts'

/** The languages with a reply of their own, each with frequent words that the others do not have. */
const LANGUAGES: Readonly<Record<string, { says: PlainSentence; words: ReadonlySet<string> }>> = {
  german: {
    says: 'german',
    words: wordSet(`
      ich du er sie wir ihr und oder nicht ist bin bist sind war was wer wie wo wann warum welche welcher
      welches der die das den dem des ein eine einen einem einer mit für auf aus bei nach von zum zur über
      unter mir mich dir dich mein meine meinen dein deine bitte danke hallo kannst könntest kann können sprichst sprechen verstehst deutsch
      zeig zeige liste lies lösche schreib schreibe öffne finde suche erstelle datei dateien ordner heute
      morgen gestern guten gute tag abend heiße heiße wohne merke alle hier gibt es auch noch nur sehr gut
      geht spät uhr viel viele schon hast habe haben hat werden wird ja nein tschüss bis welchen in an so
      am will also man`),
  },
  french: {
    says: 'french',
    words: wordSet(`
      parles parlez comprends français je tu il elle nous vous ils elles et ou ne pas est suis es sommes êtes sont était que qui quoi quel
      quelle quels quelles où quand comment pourquoi le la les un une des du de au aux avec pour sur dans
      par chez mon ma mes ton ta tes son sa ses s'il plaît merci bonjour salut bonsoir peux peut pouvez
      montre montrez liste lis écris ouvre trouve cherche crée fichier fichiers dossier aujourd'hui demain
      hier heure cette ce cet ça va bien très oui non au revoir souviens combien fait j'ai j'habite
      m'appelle c'est qu'est-ce l'heure d'accord moi toi tous a on me`),
  },
  spanish: {
    says: 'spanish',
    words: wordSet(`
      hablas habla entiendes español yo tú él ella nosotros ustedes y o no es soy eres somos son está estoy estás qué que quién cuál cómo
      dónde cuándo cuánto cuántos porqué el la los las un una unos unas del de al con para por en sobre mi
      mis tu tus su sus gracias hola buenos buenas días tardes noches puedes puede muestra muéstrame lista
      lee escribe abre encuentra busca crea archivo archivos carpeta hoy mañana ayer hora este esta estos
      muy bien sí adiós recuerda llamo vivo favor me te hay todos aquí ahora hacer a`),
  },
  portuguese: {
    says: 'portuguese',
    words: wordSet(`
      fala falas português eu você ele ela nós vocês e ou não é sou és somos são está estou que quem qual como onde quando
      quanto quantos o a os as um uma uns umas do da dos das no na nos nas com para por em sobre meu minha
      meus minhas seu sua obrigado obrigada olá oi bom boa dia tarde noite pode podes mostra mostre liste
      lê leia escreve escreva abre abra encontra procure cria crie arquivo arquivos ficheiro ficheiros
      pasta hoje amanhã ontem hora horas este esta isto muito bem sim tchau lembre chamo moro favor me te
      há todos aqui agora fazer`),
  },
  italian: {
    says: 'italian',
    words: wordSet(`
      parli capisci italiano io tu lui lei noi voi loro e o non è sono sei siamo siete che chi quale come dove quando quanto
      quanti perché il lo la gli le un uno una del della dei delle al alla con per in su sul nella mio mia
      miei tuo tua grazie ciao buongiorno buonasera buonanotte puoi può mostra mostrami elenca leggi
      scrivi apri trova cerca crea file cartella oggi domani ieri ora ore questo questa molto bene sì
      arrivederci ricorda chiamo abito favore mi ti tutti qui adesso fare cos'è che i a`),
  },
}
/** English words. A request with as many of them as of another language counts as English. */
const ENGLISH = wordSet(`
      i you he she it we they and or not is am are was were what who how where when why which the a an
      this that these those with for on from at by of to in into my your his her our their please thanks
      hello hi can could would will show list read write delete open find search create make run file
      files folder today tomorrow yesterday time good do does did have has be been me as if there here all
      about say tell remember forget translate mean means word change replace add remove put save name
      called note notes command no so but`)

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

const SCRIPTS: readonly [RegExp, PlainSentence][] = [
  [/\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/gu, 'otherLanguage'],
  [/\p{Script=Han}/gu, 'chinese'],
  [/\p{Script=Cyrillic}/gu, 'russian'],
  [
    /\p{Script=Arabic}|\p{Script=Devanagari}|\p{Script=Hebrew}|\p{Script=Greek}|\p{Script=Thai}|\p{Script=Bengali}|\p{Script=Tamil}/gu,
    'otherLanguage',
  ],
]

/** Short messages that the lists of common words do not cover. */
const GREETINGS: readonly [RegExp, PlainSentence][] = [
  [
    matchAny`
      (?:guten (?:tag|morgen|abend)|gute nacht|grüß (?:dich|gott)|grüezi|servus|moin(?: moin)?|hallo(?: du| zusammen)?|hallihallo|hallöchen|danke(?: schön| dir| sehr)?|(?:vielen|besten|tausend) dank|wie geht(?:'s| es dir)?|alles gut|auf wiedersehen|tschüss|tschau|bis (?:bald|später|morgen)|mach's gut|hilfe)(?: talaria)?`,
    'german',
  ],
  [
    matchAny`
      (?:(?:re)?bonjour(?: à toi)?|bonsoir|bonne (?:journée|nuit|soirée)|salut|coucou|merci(?: beaucoup| bien)?|ça va|au revoir|à (?:demain|plus|bientôt)|comment ça va)(?: talaria)?`,
    'french',
  ],
  [
    matchAny`
      (?:hola(?: amigo)?|buenos días|buenas(?: tardes| noches)?|(?:muchas )?gracias|adiós|cómo estás|qué tal(?: estás)?|hasta (?:luego|mañana)|nos vemos|ayuda)(?: talaria)?`,
    'spanish',
  ],
  [
    matchAny`
      (?:olá|oi tudo bem|bom dia|boa (?:tarde|noite)|(?:muito )?obrigad[oa]|tchau|tudo bem|como vai|até (?:logo|amanhã)|e aí)(?: talaria)?`,
    'portuguese',
  ],
  [
    matchAny`
      (?:ciao(?: a tutti| ciao)?|buongiorno|buonasera|buona notte|salve|grazie(?: mille)?|arrivederci|come (?:stai|va)|tutto bene|a (?:domani|presto)|aiuto)(?: talaria)?`,
    'italian',
  ],
  [
    matchAny`
      (?:hej(?: hej|då)?|hejsan|god (?:morgon|kväll|dag)|tack(?: så mycket)?|tak|takk|hur mår du|hei|moi|terve|kiitos|dzień dobry|dziękuję|cześć|ahoj|nazdar|dobrý den|dekuji|bedankt|dank je wel|tot ziens|doei|merhaba|teşekkürler|namaste|szia|köszönöm|hvala|konnichiwa|arigato|salam|shalom|xin chào|bună|mulțumesc)(?: talaria)?`,
    'otherLanguage',
  ],
]

const NAMES_FILE = /[/\\]|\w\.\w/
/** Greetings and thanks in another language around a request that may be English. */
const POLITE = [
  /^(?:guten (?:tag|morgen|abend)|hallo|servus|moin|grüß (?:dich|gott)|bonjour|bonsoir|salut|hola|buenos días|buenas (?:tardes|noches)|olá|oi|bom dia|boa tarde|ciao|buongiorno|buonasera|hej|cześć|ahoj|привет)[,.!:]* (?=.)/iu,
  /(?<![,.!])[,.!]* (?:danke(?: schön)?|bitte|merci(?: beaucoup)?|(?:muchas )?gracias|obrigad[oa]|grazie(?: mille)?|takk|tack|kiitos)[.!]*$/iu,
]

/** Remove greetings and thanks in another language around a request. */
export const withoutForeignGreeting = (text: string): string =>
  POLITE.reduce((rest, each) => rest.replace(each, ''), text.trim())

/** The reply to a request that is not in English; in the request's language if it is one of the largest. */
export function answerForeign(text: string): string | undefined {
  // Quotes and names may be in any language.
  const own = text
    .slice(0, 2000)
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|`[^`]*`|\S*[\w-]\.\w{1,5}\b|\S*[/\\]\S*/g, ' ')
  const letters = own.match(/\p{L}/gu)?.length ?? 0
  if (letters === 0) return undefined
  for (const [script, says] of SCRIPTS) {
    const found = own.match(script)?.length ?? 0
    if (found * 2 > letters) return saySentence(says)
  }
  const words = own.match(/\p{L}[\p{L}']*/gu) ?? []
  const isWhole = !NAMES_FILE.test(text)
  const greeting = isWhole ? GREETINGS.find(([pattern]) => pattern.test(words.join(' '))) : undefined
  if (greeting) return saySentence(greeting[1])
  return answerByWords(words, isWhole ? 2 : 3)
}

/** At least `least` words, and half of all, must be from one language. A file name raises the minimum. */
function answerByWords(words: readonly string[], least: number): string | undefined {
  const counts = Object.values(LANGUAGES)
    .map(({ says, words: own }) => ({
      says,
      // “was” and “in” exist in both languages, so they count for neither.
      strange: words.filter(word => own.has(word) && !ENGLISH.has(word)).length,
      english: words.filter(word => ENGLISH.has(word) && !own.has(word)).length,
      count: words.filter(word => own.has(word)).length,
    }))
    .toSorted((a, b) => b.strange - a.strange || b.count - a.count)
  const [best] = counts
  if (!best || best.strange < least || best.strange <= best.english * 2 || best.count * 2 < words.length)
    return undefined
  return saySentence(best.says)
}
