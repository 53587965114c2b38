import { dateEntry } from '../../memory/passing/date-entry.ts'
import { SAID_BY } from '../../memory/hearsay-words.ts'
import { saysOfSelf } from '../../lib/words/says-of-self.ts'
import { ownSentences, type OwnSentence } from './own-words.ts'

/** A lasting statement of the user, in their own words, and the notes that it belongs in. */
export type Statement = OwnSentence & {
  target: 'user' | 'memory' | 'project'
  /** A lower rank is more certain. */
  rank: number
}

const RELATIONS =
  'wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|spouse|son|daughter|kids?|child|children|baby|mother|father|mum|mom|dad|parents?|sister|brother|siblings?|grand(?:mother|father|ma|pa|son|daughter)|aunt|uncle|cousin|nephew|niece|dog|cat|pet|horse|parrot|rabbit|boss|manager|colleague|teammate|flatmate|roommate|neighbou?r|doctor|dentist|friend|best friend|in-laws|(?:mother|father|sister|brother)-in-law'
const BELONGINGS =
  'name|first name|last name|surname|nickname|birthday|date of birth|age|pronouns|star sign|home ?town|address|street|city|country|nationality|native language|mother tongue|first language|languages?|job|profession|occupation|employer|company|team|field|degree|major|school|university|diet|allerg(?:y|ies)|blood type|height|weight|shoe size|clothing size|hobby|hobbies|instrument|sport|car|bike|bicycle|phone|laptop|computer|machine|keyboard|monitor|desktop|operating system|os|distro|editor|ide|shell|terminal|browser|font|theme|time ?zone|locale|email|e-mail|website|blog|github|handle|user ?name|working hours|office hours|day off|calendar|bank|gym|club|band|church|house|flat|apartment|garden|server|homelab|nas|router|printer'
const HAVE =
  'kids?|child|children|sons?|daughters?|dogs?|cats?|pets?|horses?|parrots?|rabbits?|siblings?|brothers?|sisters?|wife|husband|partner|girlfriend|boyfriend|twins|grandchildren|allerg\\w+|intolerance|diabetes|asthma|adhd|dyslexia|migraines?|coeliac|celiac|epilepsy|degree|phd|master|car|bike|garden|house|flat|apartment|boat|nas|server|raspberry pi|mac\\w*|thinkpad|laptop|iphone|android'

/** Statements about the user, whatever follows. */
const IDENTITY = new RegExp(
  String.raw`^(?:my (?:${RELATIONS})s?(?:['’]s (?:${BELONGINGS}|${RELATIONS}))?(?: \p{L}+)?,? (?:is|are|was an?|was born|were born|has|have|can(?:no|['’])t|don['’]t|do not|(?!wants\b|asks\b|needs\b|says\b|thinks\b|sends\b)\p{Ll}{2,}s)\b|my (?:(?:favou?rite|preferred|usual|main|new|current|middle|full|real|old) )*(?:${BELONGINGS})(?: (?:at|in|of|for) \p{L}+)? (?:is|are|has|runs|uses?|starts?|ends?)\b|my (?:(?:all-time )?favou?rite|preferred|usual|go-to) [\p{L} -]{2,40} (?:is|are)\b|i(?:['’]m| am) (?:called|named|known as|from|based in|living in|born in|originally from|allergic|intolerant|lactose|gluten|vegan|vegetarian|pescatarian|diabetic|asthmatic|dyslexic|autistic|colou?r[- ]?blind|blind|deaf|left-handed|right-handed|married|divorced|widowed|retired|self-employed|a freelancer|fluent in|a native|an only child|\d{1,3}(?: years old)?(?:$|[.,]| and))\b|my (?:${RELATIONS}) and i (?:are|live|have|love|like|always|both|work|own|moved|run|share|speak)\b|i was born\b|i(?:['’]ve| have) lived in\b|i (?:live|reside|come from|grew up|work(?! on (?!weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days?))(?! (?:it|this|that)\b)|joined (?!the\b|an?\b|this\b|in\b)|quit|gave up|stopped (?:smoking|drinking|eating|working)|changed (?:jobs?|my (?:name|job))|study|studied|teach|run (?:a|an|my|the)|own|speak|moved to|relocated to|retired|volunteer)\b|i get (?:migraines?|headaches?|(?:sea|car|motion|air)[- ]?sick|hay fever|hives|panic attacks)\b|(?:do not |don['’]t )?call me\b|i go by\b|(?:people|everyone|friends) calls? me\b|i(?:['’]ve got| have(?: got)?) (?:an? |the |two |three |four |five |six |\d+ |no |my own |some )?(?:\p{L}+ ){0,2}(?:${HAVE})\b)`,
  'iu',
)
/** A profession, a nationality, a belief: “I am a nurse”. The rest of the sentence is judged separately. */
const BEING =
  /^(?:i(?:['’]m| am)|we(?:['’]re| are)) (?:also )?an? (?!(?:bit|little|lot|few|couple|mess|wreck|fool|idiot|failure|goner|fan of this|burden|moment|step|minute|second|member of this|stranger here|beginner here|kind of|sort of|pirate|robot|wizard|ghost|king|queen|bot|character)\b)\p{L}/iu
/** Introductions: “I’m Priya, …”. */
const INTRODUCES = /^I(?:['’]m| am) \p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?(?:[,.]| and\b| from\b| by the way)/u
const DEVICE =
  /^my (?:\p{L}+ )?(?:phone|laptop|computer|machine|keyboard|monitor|desktop|editor|ide|shell|terminal|browser|server|homelab|nas|router|printer|website|blog|car|bike|email)\b/iu
/** Passing states: “My kids are so excited”, “the dogs are doing better already”. */
const PASSING_STATE = /\b(?:is|are)(?: all)? (?:so|too|doing|getting|going|being|already|still|really) /i
/** A sentence that is cut off after its request, such as “Remember that.” */
const CUT_OFF = /\b(?:to|definitely|and|or|the|an?|of|with|that|will|['’]ll)\.$/i
/** Statements of taste and habit. */
const HABIT = new RegExp(
  String.raw`^(?:i (?:really |much |usually |always |never |mostly |mainly |generally |normally |often |only |also |still |personally )*(?:prefer|like|love|enjoy|hate|dislike|detest|avoid|drink|eat|smoke|wear|cook|bake|play|sing|paint|knit|garden|run|swim|ride|drive|commute|travel|sleep|wake up|get up|go to bed|read|write|code|program|use|deploy|test|think in|measure|pay|collect)\b|i (?:do not|don['’]t|cannot|can['’]t|can not|no longer|won['’]t ever) (?:really |ever )?(?:like|eat|drink|smoke|drive|stand|tolerate|want to be called|use|speak|understand|see well|hear well|digest|own|live|work|cook|have)\b|i (?:switched|changed|converted) (?:from \p{L}+ )?to\b|i(?:['’]m| am) (?:not )?(?:a (?:big |huge )?fan of|into|good at|bad at|afraid of|scared of|used to|learning|training for)\b|i(?:['’]d| would) (?:always |generally )?rather\b|i need (?:glasses|a wheelchair|large)\b)`,
  'iu',
)
/** Statements about the current chat, such as “I like this answer”. */
const ABOUT_THIS =
  /\b(?:like|love|hate|enjoy|use|read|prefer|need|want|see|have|eat|test|write|play|run|avoid|think in)\s+(?:(?:it|this|that|these|those|them|your?|what|how|when|to[.,])(?!\p{L})|the (?:taste|smell|look|sound|answer|idea|plan|second|first|last|one|result|output|way|above|other|new (?:one|version)|file|folder|list|text|line|command|test|column|row|function|table|page)s?\b)/iu

/** Words that make a wish apply to the future. */
const LASTING =
  /(?<!\p{L})(?:always|never|don['’]t ever|do not ever|from now on|from here on|in (?:the )?future|in general|by default|under no circumstances|at all times|every time|whenever|niemals|nie wieder|nie|immer|stets|ab jetzt|ab sofort|in zukunft|künftig|grundsätzlich|jamais|toujours|désormais|nunca|siempre|de ahora en adelante|mai più|sempre|d['’]ora in poi|никогда|всегда)(?!\p{L})|绝不|永远不要|总是|必ず|決して/iu
/** The start of such a wish: an order, or “I want”. */
const WISH =
  /^(?:please\b|(?:always|never)\b(?! ?(?:mind|the|an?|this|that|these|so|too|my|your|its|had|been|was|great|good|nice|happy|fun|glad|ready|welcome|lovely|on|in|at|up|there|done|seen|heard|hear|\p{L}+(?:ing|ed))\b)|from now on\b|from here on\b|in (?:the )?future\b|in general\b|by default\b|under no circumstances\b|(?:when(?:ever)?|every time)\b[^,]{3,80}, (?:please |always |never |only )*(?:answer|reply|respond|write|speak|use|call|give|keep|show|explain|format|ask|tell|be|avoid|translate|put|make|add|include|leave|start|end|run|do not|don['’]t|do|convert|check|list|save|read)\b|don['’]t ever\b|do not ever\b|i (?:always |never )?(?:want|need|expect|would like|prefer)\b|i['’]d like\b|you (?:should|must|can|may) (?:always|never)\b|(?:answer|reply|respond|write|speak|talk|use|call|give|keep|show|explain|format|address|ask|tell|be|avoid|translate|put|make|add|include|leave|start|end|run|do not|don['’]t|stop|limit)\b)/iu
const ORDER_OF_MANNER =
  /^(?:please )?(?:(?:answer|reply|respond|write|speak|talk)(?: to)?(?: me)? (?:only )?(?:in (?:german|english|french|spanish|italian|portuguese|dutch|polish|turkish|russian|ukrainian|chinese|japanese|simple|plain|short|full)|briefly|concisely)|keep (?:your |all |the )?(?:answers|replies|responses) |(?:give|show) me (?:kilomet|metric|celsius|imperial|fahrenheit)|(?:don['’]t|do not|stop|no)(?: us(?:e|ing))? emojis?\b|[^]*\b(?:your|all|the) (?:answers|replies|responses)\b)/i
const TELLS_WHAT_HAPPENED =
  /\b(?:it|he|she|they|we|you|that|this|which|who|command|test|build|app|program|server|page|script|job)(?:['’]\w+)? (?:\w+ )?(?:never|always)\b(?! (?:use|write|run|test|deploy|commit|squash|rebase|merge|release|work|meet|start|ship)\b)/i

/** Statements about the work and its tools. */
const WORK =
  /^(?:(?:at work|in my team|in our team|here),? )?we (?:(?:always|never|usually|only|all|also|mostly|still) )*(?:use|prefer|deploy|test|write|commit|squash|rebase|merge|release|work(?! on\b)|meet (?:every|each|on|at)|run|build|ship|indent|name|follow|target|support|host|keep|store|switched to|moved to|don['’]t (?:use|write|commit|deploy|support)|do not (?:use|write|commit|deploy|support)|no longer use|speak)\b/i
const PROJECT =
  /^(?:(?:in|for|on) )?(?:this|our|the) (?:project|repo(?:sitory)?|code ?base|app|package|monorepo|workspace|folder)s?(?:['’]s [\p{L} ]{2,30})?,? (?:\p{L}+,? ){0,6}?(?:uses?|is|are|runs?|needs?|has|have|requires?|lives?|targets?|follows?|deploys?|supports?|tests?|builds?|belongs?|contains?|always|never|we)\b/iu
const OURS =
  /^(?:our|the) (?!(?:answer|result|output|file|error|problem|issue|bug|last|first|second|next|above|question|idea|point|\p{L}+ one)s?\b)(?!.*\b(?:me|my|you|your)\b)(?:[\p{L}\p{N}-]+ ){1,4}?(?:is|are|restarts?|runs?|uses?|lives?|starts?|ends?|deploys?|goes|needs?|only|always|never|must|listens?|reaches|belongs?|\p{Ll}{2,}s)\b/iu
const OURS_LASTS =
  /\b(?:every|each|always|never|only|permanent\w*|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|daily|weekly|monthly|by convention|port \d+)\b/i
const IS_OUR =
  /^our (?:main |default |production |staging |test )?(?:database|db|back ?end|front ?end|api|servers?|ci|pipeline|stack|conventions?|(?:coding |code )?style(?: guide)?|docs|documentation|repo\w*|branch\w*|framework|language|license|company|office|team|product|customers?|website|domain|time ?zone|currency|linter|formatter|package manager|build(?: tool)?|deadline)s? (?:is|are|uses?|runs?|lives?|has|have)\b/i
/** Statements about the work, in German. */
const WORK_GERMAN =
  /^(?:wir|bei uns|unser\p{L}*|in diesem projekt)\s(?:.{0,30}\s)?(?:nutz\p{L}*|verwende\p{L}*|benutz\p{L}*|arbeite\p{L}*|teste\p{L}*|läuft|laufen|heißt|ist|sind)(?!\p{L})/iu
/** Problems of the moment. */
const TROUBLE =
  /\b(?:fail\w*|break(?:s|ing)?|broken?|crash\w*|hangs?|errors?|exception|down|slow|wrong|missing|empty|red|bug|problem|stuck|does not work|doesn['’]t work)\b/i
const HERE =
  /\b(?:here|in this (?:folder|project|repo(?:sitory)?|code ?base|app)|this (?:project|repo(?:sitory)?|code ?base|app|monorepo|package)|hier|in diesem (?:projekt|ordner|repo\w*))\b/i

/** Sentences that are hypothetical, future or no longer true for the user. */
const NOT_SO =
  /\b(?:if i|if we|if you|imagine|suppose|supposing|pretend|assume|assuming|let['’]s say|say i|what if|hypothetical\w*|as if|wish i|wish we|i could be|i would be|i['’]d be|would have|might be|may be|maybe|perhaps|probably|i think i|i guess|not sure|role-?play|act as|you are|you['’]re|in the (?:story|novel|book|film|movie|game|poem|song|text|example)|my (?:character|hero|heroine|avatar|protagonist)|for example|e\.g|once upon|(?:he|she|they|someone|somebody|it) (?:said|says|wrote|writes|told|claims?|asked)|according to|the (?:article|text|author|letter|email|customer) (?:says?|writes?|is)|joking|just kidding|angenommen|stell dir vor|wenn ich|falls ich|wäre|würde|hätte)\b/i
const BEGINS_WITH_IF = /^(?:if|imagine|suppose|pretend|assume|act as|you are|wenn|falls|stell dir vor)\b/i
/** Words for things that will soon be over. */
const PASSES =
  /\b(?:today|tonight|tomorrow|yesterday|right now|at the moment|for now|currently|this (?:morning|afternoon|evening|week(?:end)?|month|time|year)|next (?:week|month|time|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|last (?:night|week|month|time)|in an? (?:minute|hour|moment|second)|just (?:now|a|got|had|finished|arrived|woke)|ago|soon|heute|morgen|gestern|gerade|im moment|diese woche|nächste woche|until (?:monday|tomorrow|tonight|later))\b/i
/** A passing state, a search, a plan. */
const STATE =
  /^i(?:['’]m| am) (?:so |very |really |just |a bit |still |not )*(?:tired|hungry|thirsty|busy|sick|ill|bored|sad|happy|angry|late|lost|stuck|sure|sorry|confused|back|done|ready|here|fine|good|ok(?:ay)?|glad|curious|interested|looking|trying|getting|going|working|writing|reading|thinking|wondering|asking|talking|having|planning|about to|in a (?:hurry|meeting)|on (?:the|my) (?:way|train|bus|phone))\b/i
const TASK = /^(?:to |when |how |what |where |why |who |which )/i
/** Names of secrets. The scan of memory recognises the form of secrets, this their names. */
const SECRET =
  /\b(?:pass ?words?|passphrase|passcode|passwort|kennwort|pins?|iban|cvv|tan|puk|credit card|debit card|card number|account number|social security|ssn|api[- ]?keys?|secret keys?|private keys?|access tokens?|tokens?|2fa|recovery codes?|mot de passe|contraseña|senha|пароль)\b/i
/** Code and program output. */
const CODE = /[{}<>;|=]|\w\(\)|::|=>|\$\w|https?:\/\/\S{40}|^[\W\d]+$/
const REFERS =
  /^(?:it|this(?! (?:project|repo\w*|code ?base|app|package|monorepo|workspace|folder)\b)|that|these|those|they|he|she|him|her|them|so|the same|all of (?:it|this|that))\b/i
/** A fact to keep must have a verb. */
const SAYS_SOMETHING =
  /\b(?:is|are|was|were|am|has|have|had|do|does|don['’]t|can|can['’]t|cannot|must|will|lives?|works?|likes?|loves?|hates?|prefers?|uses?|wants?|needs?|runs?|goes|called|named|speaks?|eats?|drinks?|starts?|ends?|opens?|closes?|costs?|belongs?|means?|plays?|drives?|takes?|pays?|keeps?|comes?|gets?|makes?|moved|born|turns?|ist|sind|heißt|hat|bin|habe|mag|wohnt|arbeitet)\b|['’](?:s|m|re|ve|ll) /i

/** Any verb in the third person: “The garage code changes in May”. */
const HAS_VERB = /^\S+(?: \S+){1,4} \p{Ll}{3,}s \S+/u

/**
 * Find the lasting statements of a message, in order: who the user is, what they like, how they work and want
 * to be answered. Only their own statements that are true now count: no questions, quotes, hypotheses or
 * things that are soon over.
 */
export function findStatements(message: string): Statement[] {
  return ownSentences(message).flatMap(sentence => {
    const rank = rankOf(sentence)
    return rank === undefined ? [] : [{ ...sentence, rank, target: targetOf(sentence.text) }]
  })
}

/** Whether a text names a secret. Such a text is never proposed. */
export const namesSecret = (text: string): boolean => SECRET.test(text)

function rankOf({ text, isAsked }: OwnSentence): number | undefined {
  if (CODE.test(text) || REFERS.test(text)) return undefined
  const words = text.split(' ').length
  if (words < 2) return undefined
  const isWish = LASTING.test(text) && !TELLS_WHAT_HAPPENED.test(text)
  // In a wish, “if I …” says when it applies.
  if (isWish && (isForeign(text) || WISH.test(text))) return BEGINS_WITH_IF.test(text) ? undefined : 1
  if (NOT_SO.test(text) || SAID_BY.test(text)) return undefined
  if (PASSES.test(text) || STATE.test(text) || dateEntry(text, 0) !== text) return undefined
  if (PASSING_STATE.test(text) || CUT_OFF.test(text)) return undefined
  if (DEVICE.test(text) && TROUBLE.test(text)) return undefined
  if (IDENTITY.test(text) || BEING.test(text) || INTRODUCES.test(text)) return 0
  if (isForeign(text) && saysOfSelf(text)) return 0
  if (ORDER_OF_MANNER.test(text)) return 1
  if (isAsked && !TASK.test(text) && (SAYS_SOMETHING.test(text) || HAS_VERB.test(text))) return 0
  if (ABOUT_THIS.test(text) || TROUBLE.test(text)) return undefined
  if (HABIT.test(text) || WORK.test(text) || WORK_GERMAN.test(text)) return 2
  if (PROJECT.test(text) && (HERE.test(text) || /^our\b/i.test(text))) return 2
  if (IS_OUR.test(text)) return 3
  if (OURS.test(text) && OURS_LASTS.test(text) && !TELLS_WHAT_HAPPENED.test(text)) return 3
  return undefined
}

/** Words that begin an English sentence about oneself, or that most English sentences contain. */
const ENGLISH =
  /\b(?:i|my|we|our|the|you|your|me|is|are|with|and|please|never|always|this|that|of|to|for|from|on|don['’]t|do)\b/i
const isForeign = (text: string): boolean => !ENGLISH.test(text.replace(/\bme (?:llamo|chamo)\b/gi, ''))

function targetOf(text: string): Statement['target'] {
  if (
    /^(?:i|my|call me|please|always|never|from now on|ich|mein)\b/i.test(text) &&
    !/\bthis (?:project|repo)/i.test(text)
  )
    return 'user'
  if (HERE.test(text) && !WISH.test(text)) return 'project'
  return /^(?:our|we|the|this|at work|wir|unser\p{L}*|die|der|das)\b/iu.test(text) ? 'memory' : 'user'
}
