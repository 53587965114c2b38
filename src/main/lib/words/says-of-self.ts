/** English phrases with lasting facts about the user. */
const ENGLISH =
  /\b(?:my (?:name|birthday|wife|husband|partner|son|daughter|dog|cat|boss|address|job|email|favou?rite|preferred|mother|father|team|company)\b|call me\b|i(?:['’]m| am) (?:called|a|an|from|allergic|vegan|vegetarian)\b|i (?:prefer|like|love|hate|dislike|live|work|use|speak|want you)\b)/i

/** Phrases in other languages, in the first person: names, places, work and health. */
const OTHER_LANGUAGES = [
  /(?<!\p{L})(?:ich (?:heiße|heisse|wohne|lebe|arbeite|bin (?:ein|eine|allergisch|vegan|vegetari\p{L}*|von beruf)|mag|bevorzuge|spreche)|mein(?:e)? (?:name|frau|mann|sohn|tochter|hund|katze|geburtstag|adresse|beruf|chef\p{L}*)|nenn mich)(?!\p{L})/iu,
  /(?<!\p{L})(?:je m['’]appelle|je vis|j['’]habite|je travaille|je suis (?:une?|allergique|végan\p{L}*|végétari\p{L}*)|je préfère|mon (?:nom|mari|fils|anniversaire|adresse|métier)|ma (?:femme|fille|mère)|appelle[- ]moi)(?!\p{L})/iu,
  /(?<!\p{L})(?:me llamo|vivo en|trabajo (?:en|como|de)|soy (?:una?|alérgic\p{L}*|vegan\p{L}*|vegetarian\p{L}*|de)|prefiero|mi (?:nombre|esposa|marido|hij[oa]|cumpleaños|dirección|trabajo)|llámame)(?!\p{L})/iu,
  /(?<!\p{L})(?:mi chiamo|abito|vivo a|lavoro (?:a|in|come)|sono (?:una?|allergic\p{L}*|vegan\p{L}*|vegetarian\p{L}*)|preferisco|il mio (?:nome|compleanno|indirizzo)|mia (?:moglie|figlia)|chiamami)(?!\p{L})/iu,
  /(?<!\p{L})(?:chamo-me|me chamo|moro em|vivo em|trabalho (?:em|como|na|no)|sou (?:uma?|alérgic\p{L}*|vegan\p{L}*|vegetarian\p{L}*)|prefiro|meu (?:nome|marido|filho|aniversário|endereço)|minha (?:esposa|filha|mãe)|me chame)(?!\p{L})/iu,
  /(?<!\p{L})(?:меня зовут|я (?:живу|работаю|люблю|предпочитаю|говорю)|у меня (?:аллергия|жена|муж|сын|дочь)|мо[йяё] (?:имя|жена|муж|сын|дочь|день рождения|адрес))(?!\p{L})/iu,
  /我叫|我的名字|我住在|我是一|我对.{1,12}过敏|我喜欢|私の名前|私は.{1,20}(?:です|住んで|働いて)/u,
]

/** Return whether a text says something lasting about its author, such as name, home or taste. */
export const saysOfSelf = (text: string): boolean =>
  ENGLISH.test(text) || OTHER_LANGUAGES.some(each => each.test(text))
