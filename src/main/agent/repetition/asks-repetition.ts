/** Many: a number of two digits at least, or a word for one. */
const MANY = String.raw`(?:\d{2,}|dozens?(?: of)?|twenty|thirty|forty|fifty|(?:a |one )?(?:hundred|thousand)|hundert|tausend|cent|mille|cien|mil)`
/** What is written many times. */
const THINGS = String.raw`(?:times|lines|rows|copies|entries|records|items|examples|sentences|mal|zeilen|fois|lignes|veces|líneas|filas|раз|строк\p{L}*)`

/** Requests for the same thing many times, in the languages in which people wrote to us. */
const ASKS = [
  new RegExp(String.raw`(?<![\p{L}\d])${MANY} ?(?:\p{L}+ ){0,2}${THINGS}(?!\p{L})`, 'iu'),
  /\b(?:repeat|over and over|again and again|times tables?|multiplication table|count (?:up |down )?(?:from|to)|lyrics|refrain|chorus|placeholder|lorem ipsum)\b/iu,
  /(?<!\p{L})(?:wiederhol\p{L}*|immer wieder|einmaleins|zähl\p{L}* (?:von|bis)|liedtext|platzhalter)(?!\p{L})/iu,
  /(?<!\p{L})(?:r[ée]p[éè]t\p{L}*|encore et encore|compte[rz]? (?:de|jusqu)|paroles|repit\p{L}*|una y otra vez|cuenta (?:de|hasta))(?!\p{L})/iu,
  /重复|反复|[遍次]|数到|歌词|繰り返|回書|数えて|歌詞|повтор|снова и снова|считай до/iu,
]

/** Whether a person asked for what repeats itself, such as “write it a hundred times”: then only exact repetition ends an answer. */
export const asksRepetition = (text: string): boolean => ASKS.some(ask => ask.test(text))
