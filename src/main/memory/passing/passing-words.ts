// Temporary statements, in the languages of the answers: words for days relative to the day of the statement.

/** A time span in a text: a number of days from today, or the end of a week, month or year. */
export type Span = { days: number } | { week: number } | { month: number } | { year: number }

const word = (source: string) => new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, 'iu')
const either = (words: string, signs: string) => new RegExp(`${word(words).source}|${signs}`, 'iu')

/** The latest end wins. If phrases overlap, the longer one comes first. */
export const SPANS: readonly (readonly [RegExp, Span])[] = [
  [
    either(
      'the day after tomorrow|übermorgen|après-demain|pasado mañana|dopodomani|depois de amanhã',
      '后天|後天|明後日|あさって',
    ),
    { days: 2 },
  ],
  [
    either(
      'tomorrow|(?<!(?:guten|jeden|am|diesen|heute|der|den|gestern) )morgen|(?<!après-)demain|(?<!(?:esta|la|de|cada|pasado|buena) )mañana|domani|(?<!depois de )amanhã',
      '明天|明晚|明早|(?<!説)明日|あした',
    ),
    { days: 1 },
  ],
  [
    either(
      "today|tonight|this (?:morning|afternoon|evening)|right now|heute|aujourd[’']hui|ce soir|ce matin|cet après-midi|hoy|esta (?:noche|tarde|mañana)|ahora mismo|oggi|stasera|stamattina|stanotte|hoje|esta (?:noite|manhã)",
      '今天|今晚|今早|今日|今晩|今夜|今朝',
    ),
    { days: 0 },
  ],
  [
    either(
      'next week(?:end)?|(?:nächste|kommende)[ns]? (?:woche|wochenende)|la semaine prochaine|(?:la )?próxima semana|(?:la )?semana que viene|la prossima settimana|settimana prossima|semana que vem',
      '下周|下星期|下個星期|来週',
    ),
    { week: 1 },
  ],
  [
    either(
      'this week(?:end)?|diese[ns]? (?:woche|wochenende)|am wochenende|cette semaine|ce week-end|esta semana|este (?:fin de semana|fim de semana)|questa settimana|questo fine settimana',
      '这周|本周|这星期|這週|今週|週末に',
    ),
    { week: 0 },
  ],
  [
    either(
      'next month|nächsten monat|le mois prochain|(?:el )?(?:próximo mes|mes que viene)|il mese prossimo|(?:no )?(?:próximo mês|mês que vem)',
      '下个月|下個月|来月',
    ),
    { month: 1 },
  ],
  [
    either('this month|diesen monat|ce mois-ci|este mes|questo mese|este mês', '这个月|本月|今月'),
    { month: 0 },
  ],
  [
    either(
      "next year|nächstes jahr|l[’']année prochaine|el (?:próximo año|año que viene)|l[’']anno prossimo|(?:no )?(?:próximo ano|ano que vem)",
      '明年|来年',
    ),
    { year: 1 },
  ],
  [either("this year|dieses jahr|cette année|este año|quest[’']anno|este ano", '今年'), { year: 0 }],
]

/** Words for a past day, or for a time without an end. Such a statement carries only its date. */
export const DATED = either(
  'yesterday|last (?:night|week|month|year)|currently|at the moment|these days|for now|gestern|letzte (?:woche|nacht)|letzten monat|derzeit|zurzeit|momentan|im moment|hier soir|en ce moment|actuellement|la semaine dernière|ayer|actualmente|en este momento|la semana pasada|ieri|attualmente|in questo momento|la settimana scorsa|ontem|atualmente|neste momento|na semana passada',
  '昨天|目前|现在|上周|昨日|現在|先週',
)

/** Patterns such as “in two weeks”: a number and a unit. */
export const AHEAD: readonly RegExp[] = [
  word(
    '(?:in|for the next|dans|dentro de|tra|fra|daqui a) (\\d{1,3}|\\p{L}{1,7}) (days?|weeks?|months?|tage?n?|wochen?|monate?n?|jours?|semaines?|mois|días?|semanas?|mes(?:es)?|giorn[oi]|settiman[ae]|mes[ei]|dias?|mês)',
  ),
  /(\d{1,3}|[一二两三四五六七八九十])(天|周|个月|日|週間|か月)(?:后|後)/u,
]
export const UNIT_DAYS: readonly (readonly [RegExp, number])[] = [
  [/^(?:w|sem|sett|周|週)/u, 7],
  [/^(?:mon|moi|mes|mês|个月|か月)/u, 31],
  [/./u, 1],
]
export const COUNTS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'a an one ein eine einem einer un une una uno um uma 一',
    'two zwei deux dos due dois duas 二 两',
    'three drei trois tres tre três 三',
    'four vier quatre cuatro quattro quatro 四',
    'five fünf cinq cinco cinque 五',
    'six sechs seis sei 六',
    'seven sieben sept siete sette sete 七',
    'eight acht huit ocho otto oito 八',
    'nine neun neuf nueve nove 九',
    'ten zehn dix diez dieci dez 十',
  ].flatMap((words, at) => words.split(' ').map(each => [each, at + 1] as const)),
)

/** Words for the future, with which a weekday or date means a single day. */
export const TO_COME = either(
  "will|is going to|am going to|[’']ll|flies|is flying|leaves|is leaving|arrives|travels to|has (?:an? |his |her |their )?(?:\\p{L}+ )?(?:appointment|exam|interview|meeting|deadline|flight|surgery|operation|visitors?|date|presentation|test)|have (?:an? )?(?:\\p{L}+ )?(?:appointment|exam|interview|meeting|deadline|flight|presentation)|is visiting|wird|werde|fliegt|fliege|reist|reise|kommt(?! aus)|fährt nach|hat (?:einen? )?(?:\\p{L}+)?(?:termin|prüfung|gespräch|flug)|va|vais|ira|partira|part|a (?:un )?(?:rendez-vous|examen|vol)|irá|viajará|vuela|volará|tiene (?:una? )?(?:cita|examen|reunión|vuelo)|andrà|volerà|parte|ha (?:un )?(?:esame|appuntamento|volo)|vai|viaja|voa|tem (?:uma? )?(?:consulta|exame|reunião|voo)",
  '将|要去|要飞|会去|会飞|有考试|有会议|予定|出発|行きます|飛びます|に行く',
)

/** Words that make a weekday the next one. */
export const NEXT_DAY = either(
  "next|this|by|until|till|nächste[nr]?|diese[nr]?|kommende[nr]?|bis(?: zum)?|prochaine?|jusqu[’']à|próxim[oa]|este|hasta el|prossim[oa]|questo|fino a|até|esta",
  '这周|本周|下周|这个星期|今週|次の|まで',
)

/** Temporary states, and the number of days after which they are surely over. */
export const STATES: readonly (readonly [RegExp, number])[] = [
  [
    either(
      "(?:is|am|[’']m|feels?|feeling) (?:so |very |a bit |really |quite |too |still )?(?:tired|exhausted|sleepy|hungry|thirsty|in a hurry|in a bad mood|jet-?lagged)|(?:bin|ist) (?:sehr |so |ziemlich |gerade )?(?:müde|erschöpft|hungrig|durstig|in eile|schlecht gelaunt)|(?:suis|est) (?:très )?(?:fatiguée?|épuisée?|pressée?)|(?:estoy|está) (?:muy )?(?:cansad[oa]|agotad[oa])|(?:sono|è) (?:molto )?(?:stanc[oa]|esaust[oa])|(?:estou|está) (?:muito )?(?:cansad[oa]|exaust[oa])",
      '(?:很|好|有点|非常)(?:累|困|饿|渴)|疲れてい|眠い|お腹が(?:空|す)い',
    ),
    1,
  ],
  [
    either(
      "(?:is|am|[’']m) (?:currently |still )?(?:sick|ill|on (?:vacation|holiday|sick leave))(?! of)|ha(?:s|ve) a (?:cold|headache|fever)|has the flu|(?:bin|ist) (?:gerade |derzeit |zurzeit )?(?:krank|erkältet|im urlaub)|(?:suis|est) (?:malade|enrhumée?|en vacances)|(?:estoy|está) (?:enferm[oa]|resfriad[oa]|de vacaciones)|(?:sono|è) (?:malat[oa]|raffreddat[oa]|in vacanza)|(?:estou|está) (?:doente|constipad[oa]|resfriad[oa]|de férias)",
      '生病了|感冒了|在休假|在度假|風邪を(?:ひ|引)い|休暇中',
    ),
    14,
  ],
]

/** Words for a habit, or for the beginning of something lasting. */
export const LASTS = either(
  'every|each|always|usually|never|often|sometimes|(?:mon|tues|wednes|thurs|fri|satur|sun)days|daily|weekly|was born|born|birthday|anniversary|since|from (?:today|tomorrow|now|next \\p{L}+) on|as of|rather than|starts?|starting|begins?|moves? to|moving to|joins?|jede[nrsm]?|immer|meist\\p{L}*|oft|nie|montags|dienstags|mittwochs|donnerstags|freitags|samstags|sonntags|geboren|geburtstag|seit|ab (?:heute|morgen|sofort)|beginnt|fängt an|zieht|chaque|tous les|toujours|jamais|née?|anniversaire|depuis|à partir|commence|déménage|cada|todos los|todas las|siempre|nunca|nac(?:í|ió)|cumpleaños|desde|a partir|empieza|se muda|ogni|sempre|mai|nat[oa]|compleanno|da (?:oggi|domani) in poi|inizia|si trasferisce|todos os|todas as|sempre|nasc\\p{L}+|aniversário|começa|muda-se',
  '每|总是|从不|经常|出生|生日|从今天起|以来|开始|毎|いつも|生まれ|誕生日|以来|始め',
)
/** Tastes and wishes, in which a day is not a date: “likes to plan tomorrow in the evening”. */
export const TASTE =
  /^(?:(?:the )?user |i |der nutzer |ich |l['’]utilisateur |el usuario |l['’]utente |o usuário )?(?:likes?|loves?|prefers?|hates?|dislikes?|wants? (?:answers|replies|the agent)|enjoys?|mag|liebt|liebe|bevorzug\p{L}+|hasst|aime|préfère|j['’]aime|je préfère|prefiere|prefiero|(?:me|le) gusta|odia|preferisc\p{L}+|(?:mi|gli|le) piace|prefer[ei]|gost[oa])(?!\p{L})/iu
