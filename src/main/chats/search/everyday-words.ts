import { foldText } from '../../lib/index-words.ts'

const setOf = (words: string): ReadonlySet<string> => new Set(foldText(words).trim().split(/\s+/))

/** Words so common in English that they say nothing about the topic. */
const ENGLISH = setOf(
  `a about above after again all also an and any are aren as at be been before being below between both but by can could
  d did didn do does doesn doing don done down during each every few for from further had has hasn have haven having he her
  here hers herself him himself his how i if in into is isn it its itself just ll m may me might mine more most must my
  myself no nor not o of off on once only or other our ours ourselves out over own re s same shall she should so some such
  t than that the their theirs them themselves then there these they this those through to too under until up us ve very
  was wasn we were weren what when where which while who whom whose why will with would y you your yours yourself
  please tell remember recall find search know`,
)

/**
 * Such words of other languages. `own` are in no English text, and tell which language a question is in; `shared` mean something in
 * English, as `die` and `son`, and count only where the language is clear.
 */
const OTHERS: readonly { own: ReadonlySet<string>; shared: ReadonlySet<string> }[] = [
  {
    // German.
    own: setOf(
      `aber alle allem allen aller alles als am anderen auch auf aus bei beim bis bitte da damit dann das dass dein deine dem
      denn der des dessen dich dir doch dort du durch ein eine einem einen einer eines er es etwas euch euer fur gab gibt haben
      habe habt hatte hatten hier ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im ins ist ja jede jedem jeden jeder jedes kann
      kein keine keinen konnte konnten machen macht mehr mein meine meinem meinen meiner mich mir mit muss musste nach nicht
      nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind soll sollen sollte sondern uber
      um und uns unser unsere unserem unseren unserer unter viel viele vom von vor wann warum weil welche welchem welchen
      welcher welches wem wen wer werde werden wessen wie wieso wieder wird wo wofur woher wohin worden wurde wurden zu zum
      zur zwischen heisst laut`,
    ),
    shared: setOf('also an bin die hat in man so war was will'),
  },
  {
    // French.
    own: setOf(
      `ai ainsi alors apres au aucun aussi autre aux avait avant avec avez avoir avons c ce ceci cela ces cet cette ceux chez
      combien d dans de depuis des dont du elle elles en encore entre est et etait etaient ete etre eu eux fait faire faut il
      ils j je jusque l la laquelle le lequel les leur leurs lors lorsque lui mais meme mes moi mon n ne ni nos notre nous ont
      ou par parce pas pendant peu peut plusieurs pouvait pourquoi pres qu quand que quel quelle quelles quels qui quoi sa
      sans se selon sera ses si soit sommes sont souvent sous sur ta te tes toi tres tu un une vers voici vos votre vous y`,
    ),
    shared: setOf('a as car comment me on plus pour son ton tout'),
  },
  {
    // Spanish.
    own: setOf(
      `al algo alguna algunas alguno algunos ante antes aqui asi aunque cada cual cuales cuando cuanta cuantas cuanto cuantos
      cuya cuyo de debe del desde donde dos durante e el ella ellas ellos en entre era eran es esa esas ese eso esos esta
      estaba estan estar estas este esto estos estuvo fue fueron ha habia han hasta hay hizo la las le les lo los mas mi mis
      mucho muy nada ni nos nosotros nuestra nuestro o os otra otras otro otros para pero poco por porque pues que quien
      quienes se segun ser si sido sobre su sus tambien tanto te tener tenia tengo ti tiene tienen todo todos tu tus un una
      unas uno unos usted ustedes y ya yo`,
    ),
    shared: setOf('a como con has he me no sin son'),
  },
  {
    // Italian.
    own: setOf(
      `abbiamo ad agli ai al alla alle allo anche avere aveva che chi ci cio cosa cosi cui da dagli dai dal dalla dalle degli
      dei del della delle dello di dove e ed era erano fa fatto fu gli ha hai hanno ho il io la le lei li lo loro lui ma mi mia
      mie miei mio molto ne negli nei nel nella nelle noi non nostra nostro nulla o ogni perche pero piu poi prima qual quale
      quali quando quanta quanti quanto quello questa queste questi questo qui sara se sei si sia siamo solo sono sta stata
      stato su sua sue sugli sui sul sulla suo suoi te ti tra tu tua tuo tutti tutto un una uno vi voi`,
    ),
    shared: setOf('a come con i in me per'),
  },
  {
    // Portuguese.
    own: setOf(
      `ainda ao aos aquela aquele aquilo ate cada com cuja da das de dela dele depois dos e ela elas ele eles em entre era eram
      essa esse esta estava este eu foi foram ha isso isto ja la lhe mais mas mesmo meu meus minha minhas muito na nada nao nas
      nem nos nossa nosso num numa o onde os ou para pela pelo pelos por porque qual quais quando quanto quantos que quem sao
      se sem ser seu seus sobre sua suas tambem tem tinha teve ter tinham todos tudo um uma umas uns voce voces`,
    ),
    shared: setOf('a as do me no so'),
  },
  {
    // Dutch.
    own: setOf(
      `aan alles als andere bij daar dan dat de deze dit doen een en er geen haar heb hebben heeft hem het hier hij hun iets ik
      ja je jij jou jouw kan kon kunnen maar mag meer met mij mijn moet na naar niet niets nog ons onze ook op te tegen tot uit
      veel voor waar waarom waren wat wel welk welke werd wie wij wordt zal ze zich zij zijn zonder zou`,
    ),
    shared: setOf('die door had hoe in is me men of om over van want was we worden zo'),
  },
  {
    // Russian.
    own: setOf(
      `а без более бы был была были было быть в вам вас весь во вот все всё всего всех вы где да даже для до его ее её если есть
      еще ещё же за зачем и из или им их к ка как какая какие каким какими каких какого какое какой какую когда кому кого кто
      куда ли между меня мне можно мой моя мы на над надо нам нас наш наша не него нет ни них но ну о об однако он она они оно
      от откуда очень по под после потом потому почему при про с сам свой себя сколько со так такой там тебе тебя то того тоже
      только том тот ту ты у уже чего чем через что чтобы эта эти это этого этой этом этот я`,
    ),
    shared: setOf('a'),
  },
]

const WORD = /[\p{L}\p{M}]+/gu

/**
 * Which words say nothing about the topic of a question: those of English, and of the language that it is in when that is another one.
 * Where few chats are in that language they are rare, and would count for more than what the question is about.
 */
export function createEverydayCheck(question: string): (word: string) => 'english' | 'other' | undefined {
  const words = foldText(question).match(WORD) ?? []
  const hits = (has: (word: string) => boolean) => words.filter(has).length
  const [language] = OTHERS.map(each => ({
    ...each,
    hits: hits(word => each.own.has(word)),
    english: hits(word => ENGLISH.has(word) && !each.own.has(word) && !each.shared.has(word)),
  }))
    .filter(each => each.hits > each.english)
    .toSorted((a, b) => b.hits - a.hits)
  return word => {
    const folded = foldText(word)
    if (ENGLISH.has(folded)) return 'english'
    return language?.own.has(folded) || language?.shared.has(folded) ? 'other' : undefined
  }
}
