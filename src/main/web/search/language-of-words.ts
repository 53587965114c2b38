/** Scripts that belong to one language, or nearly so. */
const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/[іїєґ]/iu, 'uk'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/[پچژگ]/u, 'fa'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Devanagari}/u, 'hi'],
]

/** Short words that are frequent in one language and mean nothing in the others. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:der|das|und|wie|ist|nicht|für|eine?|von|mit|warum|wann|welche[rs]?)\b|ß/iu, 'de'],
  [/\b(?:les|des|est|pour|avec|comment|quel(?:le)?s?|où|une|dans|qui|pourquoi)\b/iu, 'fr'],
  [/\b(?:el|los|las|cómo|qué|cuál|cuándo|dónde|una|para|por)\b|[¿¡ñ]/iu, 'es'],
  [/\b(?:il|gli|che|come|perché|quando|della|dove|una)\b/iu, 'it'],
  [/\b(?:het|een|niet|voor|hoe|waarom|wanneer|welke)\b/iu, 'nl'],
  [/\b(?:os|uma|não|como|qual|quando|onde|para|são)\b|[ãõ]/iu, 'pt'],
  [/\b(?:jest|jak|nie|czy|dlaczego|kiedy|gdzie)\b|[łąęś]/iu, 'pl'],
  [/\b(?:the|what|how|why|when|where|which|is|of|and|who|are|does)\b/iu, 'en'],
]

/** Guess the language of a few words: by script, else by words of one language, else the user’s own. */
export function languageOfWords(words: string, own = ownLanguage()): string {
  const byScript = SCRIPTS.find(([script]) => script.test(words))
  if (byScript) return byScript[1]
  const votes = WORDS.map(([pattern, language]) => ({
    language,
    count: words.match(new RegExp(pattern, 'giu'))?.length ?? 0,
  }))
  const [first, second] = votes.toSorted((a, b) => b.count - a.count)
  return first && first.count > (second?.count ?? 0) ? first.language : own
}

const ownLanguage = (): string =>
  /^[a-z]{2,3}\b/.exec(new Intl.DateTimeFormat().resolvedOptions().locale)?.[0] ?? 'en'
