import type { Known } from './known.ts'
import { cleanMarks } from './plain-question.ts'
import { fillSentence, listRequests, saySentence, REQUESTS, REQUESTS_WITHOUT_TOOL } from './sentence-table.ts'

type Tools = Pick<Known, 'tools'>

/** Short messages that are no request, with what is said to each. The first that fits counts. */
const SAYINGS: readonly [RegExp, (known: Tools) => string][] = [
  [/^good morning$|^morning$/, () => saySentence('morning')],
  [/^good (?:evening|afternoon)$|^evening$/, () => saySentence('evening')],
  [/^(?:good ?night|sleep well|nighty night)$/, () => saySentence('night')],
  [
    /^(?:hi|hello|hey|hey you|hiya|howdy|yo|greetings|hello again|hi again|heya|hullo|good day|sup|hi all|hello world|g'day)$/,
    () => saySentence('hello'),
  ],
  [/^(?:nice|pleased|glad|good) to meet you(?: too)?$/, () => saySentence('hello')],
  [
    /^(?:bye|goodbye|good bye|bye bye|see you(?: (?:later|soon|tomorrow|around))?|see ya|cya|later|farewell|take care|have a (?:nice|good|great) (?:day|evening|weekend|night|one)|that is all(?: for (?:now|today))?|that will be all|until (?:later|tomorrow|next time)|i (?:have|need) to go(?: now)?|i am (?:off|done)(?: now)?|talk (?:to you )?later|ttyl)$/,
    () => saySentence('bye'),
  ],
  [
    /^(?:(?:many |ok |okay |great |cool |perfect )?thanks?(?: (?:you|a lot|so much|very much|a bunch|a million|again|for (?:that|this|the help|your help|everything|all)))*|thank you.*(?:much|lot|help|kind|again)|cheers|much appreciated|appreciate it|i appreciate (?:it|that|your help)|ta)$/,
    () => saySentence('welcome'),
  ],
  [
    /^(?:how (?:are|is) (?:you|it going|things|everything|life|your day)(?: (?:doing|today|feeling|going|now))*|how do you (?:do|feel)|what is up|wassup|whatsup|how have you been|are you (?:ok|okay|fine|ready|well|good|alright|there|awake|online|alive|working|still there|busy)(?: today| now)?|you (?:ok|there)|how goes it|hows it going|how you doing)$/,
    () => saySentence('fine'),
  ],
  [
    /^(?:are you listening|can you (?:hear|read|see) me|do you (?:hear|read|understand) me|anybody (?:there|here|home)|anyone there|is (?:anybody|anyone|somebody) there|test|testing|test test|ping|do you understand)$/,
    () => saySentence('here'),
  ],
  [
    /^(?:who|what) (?:are|r) you(?: (?:exactly|really|actually))?$|^who is (?:this|there|talaria)$|^(?:introduce|describe) yourself$|^tell me (?:about|something about) (?:yourself|you)$|^(?:what|which) (?:kind of |sort of |ai |language )*(?:model|ai|program|assistant|bot|llm)(?: (?:are you|is this|do you use|am i talking to|are you using|is it|do i talk to))+$|^are you (?:chatgpt|gpt|gpt-?4|claude|gemini|siri|alexa|llama|copilot|talaria|a model|a language model|an llm)$|^what is (?:talaria|this)$|^who am i (?:talking|speaking|writing) (?:to|with)$/,
    () => saySentence('who'),
  ],
  [
    /^what is your name$|^(?:do you have|have you got) a name$|^what (?:should|can|shall|do) i call you$|^how (?:are you|should i be) called$|^your name$/,
    () => saySentence('myName'),
  ],
  [
    /^(?:are you|is this|am i (?:talking|speaking|writing) to)(?: an?| really| actually| the)* (?:(?:real |human |living |actual )?(?:person|human|human being|man|woman|robot|bot|machine|computer|program|ai|chatbot|artificial intelligence|somebody|someone)|real|alive|human|sentient|conscious)(?: or (?:a |an )?\w+(?: being)?)?$/,
    () => saySentence('person'),
  ],
  [
    /^how old are you$|^where (?:do you (?:live|come from)|are you(?: from)?)$|^(?:do|can) you (?:have (?:feelings|emotions|friends|a family|a body|parents|a soul|dreams)|feel(?: pain| anything| things)?|dream|sleep|eat|think|love me|like me|get tired|hate me)$|^are you (?:happy|sad|tired|angry|bored|hungry|married|male|female|a boy|a girl|in love)$|^when (?:were you born|is your birthday)$|^what do you (?:feel|dream about|like|look like)$|^i (?:love|like|hate) you$|^do you like .{1,30}$|^what is your favou?rite .{1,30}$/,
    () => saySentence('feelings'),
  ],
  [
    /^(?:is|are) (?:my|the|this|our|what i write) ?(?:data|chat|chats|conversation|messages|text|texts|input)? ?(?:private|safe|secret|sent anywhere|sent (?:somewhere|away)|local|stored online|uploaded|shared)$|^(?:do|does|are|can) (?:you|this|it) (?:run |work |running |works? )?(?:offline|locally|local|on (?:my|this) (?:computer|machine|laptop)|without (?:the )?internet)$|^where do you run$|^do you (?:need|use) (?:the |an )?internet(?: connection)?$|^do you (?:send|share|upload) (?:my|any) (?:data|chats?|messages|texts?|files)(?: (?:anywhere|away|somewhere|with anyone))?$|^who (?:can|else can) (?:read|see) (?:this|my (?:chats|messages|data))$|^are you (?:spying|watching|listening)(?: on me| to me| me)?$/,
    () => saySentence('local'),
  ],
  [
    /^who (?:made|built|created|trained|wrote|programmed|developed|invented|owns) you$|^where (?:were you made|were you trained|do you come from)$|^how were you (?:made|trained|built)$|^who is your (?:maker|creator|developer|owner|boss)$/,
    () => saySentence('maker'),
  ],
  [
    /^(?:what|which) (?:all |else |things |stuff |kind of things |sort of things )*(?:can|could|do) you (?:do|help(?: me)?(?: with)?|offer|know how to do|understand)(?: (?:for me|here|with|now|today|for us|exactly|all|best))*$|^what (?:are you (?:good (?:for|at)|able to do|capable of|for)|are your (?:abilities|skills|capabilities|functions|features|limits|options)|tools do you have|tools are (?:there|on|available)|do you do|is possible(?: here)?|should i (?:say|type|ask|write|do)|can (?:i|we) (?:ask|do|say|type|write)(?: (?:you|here|with you|now))*|commands do you (?:know|understand))$|^which tools (?:do you have|can you use|are (?:there|on|available))$|^how (?:can|could|do|does|would) (?:you (?:help|assist)(?: me| us)?|i (?:use|start|begin|talk to|work with)(?: (?:you|this|it|talaria))?|(?:this|it|talaria) work|you work)$|^(?:help|help me|i need (?:some )?help|\?+|\/?help|man|instructions|show (?:me )?(?:the )?help|how do i start|i do not know what to (?:do|say|ask|type)|give me (?:some )?examples|examples|can you help(?: me| us)?(?: with something| out)?|what now|what next|what can this do|menu)$/,
    sayAbilities,
  ],
  [
    /^(?:yes|no|yep|yeah|yup|nope|nah|sure|y|n|yes please|no thanks|no thank you|of course|absolutely|maybe|not really|go ahead|do it|please do|not now|never mind|nevermind|forget it|cancel)$/,
    ({ tools }) => saySentence(tools.includes('list_files') ? 'noQuestion' : 'noQuestionBare'),
  ],
  [
    /^(?:ok|okay|k|kk|fine|alright|all right|got it|i see|understood|right|good|great|cool|nice|perfect|awesome|super|excellent|wonderful|amazing|well done|good job|nice work|great job|good (?:boy|girl|bot|work)|interesting|hm+|aha|ah|oh|wow|lol|haha+|hehe|so|well|very good|sounds good|that is (?:fine|all right|ok|okay|good|great|nice|right|correct|it)|correct|exactly|true|agreed|no problem|np|you are welcome|it works|that works|works|done|ready|wait|just a (?:moment|second|minute)|one moment|nothing|i am (?:back|here|ready)|welcome|never|stop|enough)$/,
    () => saySentence('allRight'),
  ],
  [
    /^(?:sorry|i am sorry|my bad|oops|excuse me|pardon|i apologi[sz]e|apologies|my mistake)$/,
    () => saySentence('noTrouble'),
  ],
  [
    /^(?:(?:that|this|it|you) (?:is|was|are|were) (?:wrong|not right|incorrect|bad|useless|stupid|dumb|nonsense|rubbish|terrible|not helpful|no good|not what i (?:asked|meant|wanted)|silly|annoying|horrible|the worst|an idiot)|wrong|bad (?:bot|answer|job)|you (?:do not|did not) (?:understand|get it|help)(?: me)?|(?:that|this|it) (?:did not|does not|do not) (?:help|work)|useless|stupid|idiot|nonsense|i hate this|not helpful|no,? that is wrong|that is not what i (?:asked|meant|wanted)|shut up|i am (?:angry|frustrated|annoyed)(?: with you)?|what(?: the)? (?:hell|heck))$/,
    () => saySentence('sorry'),
  ],
  [
    /^(?:i am (?:fine|good|ok|okay|well|great|happy|doing (?:well|fine|good))(?: (?:thanks|thank you|too|today))*|(?:fine|good|great|well),? (?:and )?(?:thanks|thank you)|i am (?:very |so |really )?happy(?: today)?|you are (?:great|good|nice|kind|the best|smart|clever|awesome|amazing|funny|cool|helpful|so helpful)|i like (?:this|it)|i love (?:this|it))$/,
    () => saySentence('glad'),
  ],
]

/** Questions whether something can be done at all, with the tool and an example; null for what always works. */
const ABILITIES: readonly [RegExp, string][] = [
  [/^(?:are you able to|can you|do you|could you) (?:read|open|see|show) (?:my |text )?files$/, 'read_file'],
  [
    /^(?:are you able to|can you|could you) (?:write|create|make|save) (?:new )?(?:text )?files$/,
    'write_file',
  ],
  [/^(?:are you able to|can you|could you) (?:edit|change|modify) (?:my |text )?files$/, 'patch_file'],
  [
    /^(?:are you able to|can you|could you) (?:run|execute|use|start) (?:shell )?(?:commands|programs|the terminal|a terminal)$/,
    'terminal',
  ],
  [/^(?:are you able to|can you|could you) search (?:my |in |through |the )*files$/, 'search_files'],
  [
    /^(?:are you able to|can you|do you|could you|will you) (?:remember|save|learn|keep) (?:things|stuff|facts|anything|something|what i (?:say|tell you|told you)|me)$|^(?:do you have|have you got) (?:a )?memory$/,
    'memory',
  ],
]

/** The answer to a greeting, thanks, a word of agreement, or a question about this model itself; undefined for requests. */
export function answerSocial(text: string, known: Tools): string | undefined {
  const parts = cleanMarks(text)
    .split(/\s*[.!?;:]+\s+|\s*[.!?;:]+$|\s*,\s*(?:and |but )?/)
    .filter(part => part !== '')
  if (parts.length === 0 || parts.length > 4)
    return /^\s*\?+\s*$/.test(text) ? sayAbilities(known) : undefined
  const answers = parts.map(part => answerPart(trimNames(part), known))
  if (answers.includes(undefined)) return undefined
  // “Hi, how are you?” is answered by its last part, “hello there” by its only one.
  return answers.at(-1)
}

const trimNames = (part: string) =>
  part
    .replace(/^(?:hi|hello|hey) (?=good |how |what |who |are |thanks|nice)/, '')
    .replace(
      /^(?:ok|okay|so|well|and|but|great|cool|oh|please|no|yes) (?=who |what |how |are |thanks|thank |bye|good)/,
      '',
    )
    .replace(/^(?:can|could|would) you (?:please )?(?:tell|show) me (?=who|what|how|which)/, '')
    .replace(/^(?:tell|show) me (?=who |what |how |which )/, '')
    .replace(/^(what|who) (you) (are|can do)$/, (_, w: string, y: string, v: string) =>
      v === 'are' ? `${w} are ${y}` : `${w} can ${y} do`,
    )
    .replace(
      /(?<=.) (?:there|talaria|friend|buddy|mate|my friend|everyone|everybody|assistant|computer|bot|robot|dear|man|sir|then|please)$/,
      '',
    )

function answerPart(part: string, known: Tools): string | undefined {
  const ability = ABILITIES.find(([pattern]) => pattern.test(part))?.[1]
  if (ability !== undefined) return sayAbility(ability, known)
  return SAYINGS.find(([pattern]) => pattern.test(part))?.[1](known)
}

function sayAbility(tool: string, { tools }: Tools): string {
  const [request] = REQUESTS[tool] ?? []
  if (!tools.includes(tool) || request === undefined) return saySentence('abilityOff')
  return fillSentence('abilityYes', { own: request.slice(1, -1) })
}

/** What the tools that are on can do, as requests to type. */
function sayAbilities({ tools }: Tools): string {
  const requests = Object.entries(REQUESTS).flatMap(([tool, examples]) =>
    tools.includes(tool) ? examples : [],
  )
  return listRequests(requests.length > 0 ? 'able' : 'ableBare', [...requests, ...REQUESTS_WITHOUT_TOOL])
}
