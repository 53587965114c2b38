import { matchWords } from './match-any.ts'
import { answerForeign, withoutForeignGreeting } from './answer-foreign.ts'
import { answerLoosely } from './person/answer-person.ts'
import { asksOfSelf } from './person/recall-loosely.ts'
import type { Known } from './known-facts.ts'
import { readPlainQuestion } from './plain-question.ts'
import { fitsTable, joinReason, saySentence, type Reason, type Second } from './sentence-table.ts'

/** Kinds of requests that this model cannot handle, in the order of trying, with the nearest tool. */
const KINDS: readonly [RegExp, Reason, Second?][] = [
  [
    /\b(?:files?|folders?|director(?:y|ies)|commands?|terminal|notes?|memory|skills?|schedules?|remember that|forget that)\b|[\w-]\.(?:txt|md|csv|json|ts|js|py|log|ya?ml|html)\b|(?:^|\s)[~.]?\//,
    'unclear',
    'tryAsk',
  ],
  // “A poem about rain” does not ask about the weather.
  [
    /^(?:please )?(?:write|compose|draft|invent)\b.*\b(?:poem|haiku|limerick|story|tale|essay|e-?mail|letter|speech|song|lyrics|joke|riddle|article|blog|post|text)\b/,
    'texts',
    'tryWrite',
  ],
  [
    matchWords`
      translat\w*|in (?:german|french|spanish|italian|portuguese|russian|chinese|japanese|latin|english)
      (?:german|french|spanish|italian|japanese) (?:word|for)|how do you say
      mean in (?:german|french|spanish|english)`,
    'translations',
  ],
  [
    matchWords`
      sum up|summari[sz]e|summary|rewrite|rephrase|paraphrase|proofread|shorten|correct (?:this|the|my)
      improve (?:this|the|my)|fix (?:the|my) (?:grammar|spelling|text|sentence)|spell ?check|tl;?dr
      bullet points|make (?:this|it) (?:shorter|better|sound|more)`,
    'summaries',
    'tryRead',
  ],
  [
    matchWords`
      draw|paint|sketch|generate an? image
      (?:picture|image|photo|drawing|logo|video|song file|sound|audio) (?:of|for|with)
      make (?:me )?(?:a|an) (?:picture|image|photo|logo|video)|sing
      play (?:some |a |the )?(?:music|song|video)|speak aloud|read aloud
      look at this (?:picture|image|photo)`,
    'pictures',
  ],
  [
    matchWords`
      weather|forecast|rain(?:ing)?|temperature outside|news|headlines|stock|share price|price of|bitcoin
      exchange rate|google|internet|online|website|web ?page|browse|search the web|wikipedia|youtube
      https?|www|score|who won|traffic|flights?|near me|nearby`,
    'internet',
  ],
  [
    /^(?:please )?(?:send|call|phone|text|dm|mail|email|tweet|post|order|buy|book|reserve|pay|turn|switch|set an? (?:alarm|timer)|wake me)\b/,
    'outside',
  ],
  [
    matchWords`
      write|compose|draft|create|make|give me|tell me|invent|come up with|generate|think of|continue
      finish)\b.*\b(?:poem|haiku|limerick|story|tale|essay|e-?mail|letter|speech|song|lyrics|joke|riddle
      article|blog|post|novel|text|paragraph|sentence|slogan|tagline|cv|resume|cover letter|review|report
      plan|list of|names?|ideas?|recipe|menu|script for|toast|birthday card|message|caption|title
      press release|description|dialogue|quiz)\b|^(?:poem|joke|haiku|story|tell me a|a joke|a poem
      another joke|another one`,
    'texts',
    'tryWrite',
  ],
  [
    matchWords`
      code|function|program|python|javascript|typescript|java|rust|c\+\+|html|css|sql|regex
      regular expression|algorithm|script|class|unit tests?|debug|compile|refactor|api|loop|recursion|app
      bash|stack trace|syntax|variable`,
    'code',
    'tryRun',
  ],
  [
    matchWords`
      should i|shall i|recommend|suggest|advice|advise|your opinion|what do you think|which is better
      what is better|is it (?:good|bad|better|safe|healthy|worth)|best way|best|tips
      how (?:can|do|should|could) i|what (?:should|can|could) i|help me (?:decide|choose|with)
      pros and cons|do you (?:think|believe|agree)|i feel
      i am (?:sad|bored|lonely|depressed|stressed|tired|worried|afraid)`,
    'advice',
    'tryAsk',
  ],
  [
    matchWords`
      play|game|chess|tic tac toe|pretend|role ?play|let us (?:talk|chat|play)|chat with me|talk to me
      entertain|guess|would you rather|roll a (?:die|dice)|flip a coin|sing`,
    'games',
    'tryAsk',
  ],
  [
    /\b(?:integral|derivative|differentiate|integrate|equation|solve|prove|theorem|probability|logarithm|sine?|cosine?|tangent|matrix|factori[sz]e|prime|binary|hex|hexadecimal|roman numerals?|calculate|how much is|random number)\b|[a-z] ?= ?\d|\d ?[a-z] ?[+=-]/,
    'hardSum',
  ],
  [
    /^(?:what|who|whom|whose|when|where|why|which|how|is|are|was|were|does|do|did|can|could|has|have|will|would|explain|define|describe|tell me (?:about|more|why|how|what)|name|compare|what's)\b|\b(?:capital of|president of|meaning of|definition of|difference between|history of|who (?:is|was|invented|wrote|discovered)|explain)\b/,
    'knowledge',
    'trySearch',
  ],
]

/** The tool that each suggestion needs. */
const NEEDS: Partial<Record<Second, string>> = {
  tryRead: 'read_file',
  tryWrite: 'write_file',
  trySearch: 'search_files',
  tryRun: 'terminal',
}

/** First words of requests to make or do something, even if they name something of the user's. */
const MAKES = new Set(
  (
    'write compose draft create make invent translate summarise summarize rewrite correct draw paint send buy book explain should help ' +
    'remember forget save note list read show find search open run delete remove replace add put move copy rename give'
  ).split(' '),
)
const ADVICE = /^(?:how (?:can|do|should|could) i|can i|should i)\b/
const asksToMake = (plain: string): boolean => MAKES.has(plain.split(' ', 1)[0] ?? '') || ADVICE.test(plain)

/** A statement about the user that asks for nothing. */
const STATES = /^(?:i|my|we|our|i am|i have|i like|i live|i work|call me)\b.{3,}/

/** The reply if the model wants no tool and nothing is known: why not, and what can be done instead. */
export function sayFallback(question: string, known: Known): string {
  const own = withoutForeignGreeting(question)
  const foreign = answerForeign(own)
  if (foreign !== undefined) return foreign
  const plain = readPlainQuestion(own)
  const isOfSelf = !asksToMake(plain) && asksOfSelf(plain)
  const told = isOfSelf ? answerLoosely(plain, known) : undefined
  if (told !== undefined) return told
  const isQuestion = question.trim().endsWith('?')
  const kind = KINDS.find(([pattern]) => pattern.test(plain))
  if (isOfSelf && (kind === undefined || kind[1] === 'knowledge')) return saySentence('nothingSaved')
  if (kind) return joinReason(kind[1], secondFor(kind[2], known))
  if (STATES.test(plain) && !isQuestion && known.tools.includes('memory')) return saySentence('noted')
  if (isQuestion) return joinReason('knowledge', secondFor('trySearch', known))
  return joinReason('unclear', known.tools.length === 0 ? 'noTools' : 'tryAsk')
}

function secondFor(second: Second | undefined, { tools }: Known): Second {
  const needed = second && NEEDS[second]
  if (second === undefined || (needed !== undefined && !tools.includes(needed))) return 'larger'
  return second
}

/**
 * Whether a text is a fixed sentence of this folder, whatever was filled in.
 *
 * @internal `eval:small` finds nonsense with it.
 */
export const isFixedSentence = (text: string): boolean => fitsTable(text)
