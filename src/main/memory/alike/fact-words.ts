// Words for comparing entries, in the languages of the answers. Any word that is not listed is compared
// literally. A missing word means that a fact is stored twice; a wrong one, that a fact is lost.

/** Openings that name the user as the subject. */
export const SUBJECT =
  /^(?:(?:the |this )?user(?! ?names?\b| ?interface| ?experience| ?guide| ?stor)\b(?!['’]s)|i\b(?!['’]|\/)|i(?=['’](?:m|ve|d|ll)\b)|der nutzer|die nutzerin|der benutzer|die benutzerin|nutzer(?:in)?|benutzer(?:in)?|ich|l['’]utilisat(?:eur|rice)|utilisat(?:eur|rice)|je|j(?=['’])|el usuario|la usuaria|al usuario|a la usuaria|usuari[oa]|yo|l['’]utente|all['’]utente|utente|io|o usuário|a usuária|usuári[oa]|o utilizador|a utilizadora|eu)(?!\p{L})[\s,:]*/iu

/** Openings that name something of the user's. */
export const OWNER =
  /^(?:(?:the |this )?user['’]s?|my|mein(?:e|er|em|en|es)?|die (?=\p{L}+ des nutzers)|mon|ma|mes|mi|mis|il mio|la mia|i miei|le mie|o meu|a minha|os meus|as minhas|meu|minha|seu|sua|su|suo|il suo|la sua|son|sa|sein(?:e)?|ihr(?:e)?)(?!\p{L})\s+/iu

/** Introductions before the fact itself. */
export const OPENING =
  /^(?:(?:(?:the )?user (?:says|said|told|mentioned|stated|noted)(?: me| us)?(?: that)?|der nutzer sagt(?:, dass)?|note(?: that)?|fact|remember(?: that)?|please remember(?: that)?|fyi|by the way|it is (?:true|known) that|merk(?:e)? dir(?:, dass)?)(?!\p{L})[\s:,–—-]*)+/iu

/** Words that make no difference: articles, the present of “to be”, and fillers. */
export const EMPTY = new Set(
  "a an the is am are 's 'm 're really also actually just bin ist sind der die das den dem ein eine einen einem einer auch wirklich je j suis est ai le la les l un une du des aussi vraiment me le yo soy es está el los las una uno también sono è il lo i gli uno una anche sou é está o os as um uma também eu gli mi".split(
    ' ',
  ),
)

/** Forms of one verb, in the first and the third person. */
const GROUPS: readonly string[] = [
  'have has got',
  'do does',
  'go goes',
  'mag mögen möge',
  'habe hat hab',
  'spreche spricht',
  'esse isst ißt',
  'lese liest',
  'fahre fährt',
  'schlafe schläft',
  'laufe läuft',
  'nehme nimmt',
  'gebe gibt',
  'sehe sieht',
  'helfe hilft',
  'trage trägt',
  'treffe trifft',
  'werde wird',
  'will wollen',
  'kann können',
  'weiß wissen',
  'vis vit',
  'bois boit',
  'préfère préférer',
  'apprends apprend',
  'parle parler',
  'lis lit',
  'fais fait',
  'vais va',
  'veux veut',
  'peux peut',
  'dors dort',
  'tengo tiene',
  'vivo vive',
  'trabajo trabaja trabalho trabalha',
  'prefiero prefiere',
  'hablo habla',
  'bebo bebe',
  'uso usa',
  'quiero quiere',
  'estudio estudia',
  'juego juega',
  'toco toca',
  'odio odia',
  'preferisco preferisce',
  'lavoro lavora',
  'abito abita',
  'bevo beve',
  'mangio mangia',
  'parlo parla',
  'ho ha',
  'suono suona',
  'gioco gioca',
  'leggo legge',
  'gosto gosta',
  'moro mora',
  'falo fala',
  'tenho tem',
  'prefiro prefere',
  'estudo estuda',
  'jogo joga',
]

/** Words with the same meaning in facts about the user. */
const MEANINGS: readonly string[] = [
  'like love enjoy prefer adore',
  'dislike hate detest loathe',
  'live reside dwell',
  'have own possess',
  'short concise brief',
  'answers replies responses',
  'answer reply response',
  'doctor physician',
  'lawyer attorney',
  'car automobile',
  'mother mum mom mummy mommy',
  'father dad daddy',
  'kids children',
  'kid child',
  'bike bicycle',
  'flat apartment',
  'phone telephone',
  'film movie',
  'films movies',
  'start begin',
  'buy purchase',
  'big large',
  'favourite favorite',
  'colour color',
  'name called named',
  'job profession occupation',
  'postgres postgresql',
  'javascript js',
  'typescript ts',
  'vegetarian veggie',
  'mag liebe liebt bevorzuge bevorzugt',
  'hasse hasst verabscheue verabscheut',
  'wohne wohnt lebe lebt',
  'heiße heißt name heisse heisst',
  'auto wagen pkw',
  'fahrrad rad',
  'mutter mama mutti',
  'vater papa vati',
  'frau ehefrau gattin',
  'mann ehemann',
  'arzt mediziner',
  'kurze knappe',
  'aime adore préfère',
  'déteste hais hait',
  'habite vis vit',
  'vélo bicyclette',
  'gusta encanta prefiero prefiere',
  'vivo vive resido reside',
  'coche carro',
  'piace amo ama preferisco preferisce',
  'abito abita',
  'gosto gosta adoro adora prefiro prefere',
  'moro mora',
]

/** Map each word of a group to the group's first word. */
const table = (groups: readonly string[]): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const group of groups) {
    const [first = '', ...others] = group.split(' ')
    for (const word of [first, ...others]) if (!found.has(word)) found.set(word, found.get(first) ?? first)
  }
  return found
}

/** Maps forms of a verb to one form. */
export const FORMS = table(GROUPS)
/** Maps words with the same meaning to one word. */
export const SAME_MEANING = table(MEANINGS)

/** Number words, without those that have another meaning. */
export const NUMBERS = new Map(
  [
    'zero cero',
    'one eins',
    'two zwei deux dos due dois duas',
    'three drei trois tres tre três',
    'four vier quatre cuatro quattro quatro',
    'five fünf cinq cinco cinque',
    'six sechs seis',
    'seven sieben siete sette sete',
    'eight acht ocho otto oito',
    'nine neun nueve nove',
    'ten zehn diez dieci dez',
    'eleven onze undici',
    'twelve zwölf douze doce dodici doze',
  ].flatMap((words, at) => words.split(' ').map(word => [word, String(at)] as const)),
)

/** Words that start a phrase which may come before or after the rest of the sentence. */
export const PART_BEGINS = new Set(
  'on in at from for with by since during every each to of when if because until after before am im an in bei mit seit jeden jede jedes wenn le à en dans chez avec depuis chaque quand los en con desde cada cuando con da ogni quando no na em com desde cada quando'.split(
    ' ',
  ),
)
