import { matchAny } from './match-any.ts'
import type { PlainSentence } from './sentence-table.ts'

/** Short messages that are not requests, with the reply to each. The first match counts. */
export const SAYINGS: readonly [RegExp, PlainSentence][] = [
  [/^(?:good )?morning$/, 'morning'],
  [/^good (?:evening|afternoon)$|^evening$/, 'evening'],
  [/^(?:good ?night|(?:sleep|rest) (?:well|tight)|sweet dreams|night(?:y)? night|nite|night)$/, 'night'],
  [
    matchAny`
      h+i+|he+l+o+|he+y+|hey you|hiya|howdy|yo|oi|greetings|heya|hullo|good day|sup|aloha|g'day|ello|ahoy
      well hello|hi hi|hello hello|hey hey
      (?:hello|hi|hey) (?:again|all|everyone|world|little helper|old friend)|it is me(?: again)?|me again
      (?:just )?(?:saying|wanted to say) (?:hi|hello)|(?:i am )?(?:here|back)(?: again)?|good to be back
      welcome(?: back)?|knock knock|wak(?:e|ey) (?:up|wakey)|rise and shine|long time no see`,
    'hello',
  ],
  [
    matchAny`
      (?:it is )?(?:so |very )?(?:nice|pleased|glad|good|great|happy|delighted|a pleasure|lovely) to (?:meet|see) you(?: too| again)?
      happy (?:new year|birthday|easter|[a-z]+day)(?: to you)?|merry christmas(?: to you)?|happy holidays`,
    'hello',
  ],
  [
    matchAny`
      (?:good ?)?bye(?: ?bye)?(?: for now)?|ok bye|farewell|so long|adieu|cheerio|toodles|ta ?ta|peace
      over and out|ciao
      (?:see|talk to|speak to|meet) (?:you|ya)(?: (?:later|soon|tomorrow|around|again|then|next (?:time|week|month|year)|on [a-z]+day|in the morning|in a while))*
      cya|cu|later|laters|catch you later|(?:do )?take care
      (?:have|enjoy) (?:an? |your |the )?(?:very )?(?:[a-z]+ )?(?:day|evening|weekend|night|one|afternoon|rest of the day|holiday|[a-z]+day)(?: too)?
      until (?:soon|later|tomorrow|then|next (?:time|week)|we meet again|[a-z]+day)
      (?:i|we) (?:have to|need to|must|should|really must|got to) (?:go|run|leave|dash|be going)(?: now)?
      (?:gotta|got to|have to|better|time to) (?:go|run|leave|dash)(?: now)?
      (?:i|we) (?:am|are) (?:off|done|leaving|finished|out|gone|logging off|going (?:home|to bed|to sleep|now))(?: (?:now|for today|for now))*
      (?:that|this) (?:is|was|will be) (?:all|it|everything)(?: for (?:now|today))?|nothing else
      no more questions|enough for today|done for today|signing off|off to bed|ttyl|gtg|g2g
      talk (?:to you )?(?:later|soon)|all the best|good luck`,
    'bye',
  ],
  [
    matchAny`
      (?:so |very |many |ok |okay |great |cool |perfect |nice |good |big |huge |warm |my |super |top |excellent |a big |a thousand |a million |tons of |lots of )*(?:thanks?|thanx|tnx|tysm|thankyou)(?: (?:you|a lot|so much|very much|a bunch|a million|a ton|again|indeed|kindly|ever so much|for (?:that|this|it|the (?:help|info|answer)|your (?:help|time)|help|helping|everything|all|nothing|doing that)))*
      i thank you|thank you.*(?:much|lot|help|kind|again)|cheers|much (?:appreciated|obliged)
      i owe you(?: one)?|(?:i )?(?:really )?appreciate (?:it|this|that|your help)|ta
      (?:i am )?(?:so |very )?(?:grateful|thankful)|(?:that is |this is )?(?:so |very )?kind of you
      how (?:nice|kind) of you
      (?:that|this|it|you)(?: really)? (?:helped|worked|helps|saved me|made my day|saved my day|did the trick)(?: me)?(?: a lot)?
      (?:that|this|it) (?:is|was) (?:just |exactly |really |so |very )*(?:what i (?:needed|wanted)|helpful|useful|quick|fast|a great help|great help)
      just what i (?:needed|wanted)|you have helped(?: me)?(?: a lot)?|all the best for your help`,
    'welcome',
  ],
  [
    matchAny`
      how (?:are|is) (?:you|it going|things|everything|life|your (?:day|evening|night|week|weekend|morning)|the day)(?: (?:doing|today|feeling|going|so far|now|this morning))*
      how do you (?:do|feel)|what is (?:up|new|cooking)(?: with you)?
      what (?:are you|have you been) (?:doing|up to)(?: (?:today|right now|now))*|wassup|whatsup
      how have you been
      (?:are you|is everything|is all|you|everything|all)(?: feeling| doing)? (?:ok|okay|fine|ready|well|good|alright|all right|there|awake|online|alive|working|still there|busy|around)(?: (?:today|now|right now|this morning))*
      how goes it|how is it hanging|how you doing
      (?:did you|have you) (?:sleep|slept|had|have) (?:well|a good (?:day|night))
      (?:i )?hope you are (?:well|fine|good)|feeling good|doing alright`,
    'fine',
  ],
  [
    matchAny`
      are you listening|can you (?:hear|read|see) me|do you (?:hear|read|understand) me
      (?:is )?(?:anybody|anyone|somebody|someone) (?:there|here|home|around|awake)|(?:this is a )?test
      testing|test test|ping|do you understand|hello is this on|is this (?:thing )?(?:on|working)
      attention please`,
    'here',
  ],
  [
    matchAny`
      (?:who|what) (?:are|r) you(?: (?:exactly|really|actually|then))?
      (?:and )?(?:who|what) (?:is|might) (?:this|there|that be|talaria)|(?:introduce|describe) yourself
      (?:tell me|say) (?:about|something about) (?:yourself|you)
      (?:what|which) (?:kind of |sort of |type of |size of |version of |ai |language )*(?:model|ai|program|assistant|bot|llm|machine|software)(?: (?:are you|is this|do you use|am i talking to|are you using|is it|do i talk to|is behind this))+
      (?:are you|is this|so you are|you are) (?:chat ?gpt|gpt|gpt-?\d|claude|gemini|siri|alexa|llama|copilot|talaria|a (?:small )?model|a language model|an llm|an assistant|open source)
      what is (?:talaria|this)
      (?:who|what|with whom|to whom) am i (?:talking|speaking|writing|chatting|dealing)(?: (?:to|with))?
      how (?:big|smart|clever|large|good|strong) are you
      how many (?:parameters|languages|neurons) (?:do you have|are in you|do you (?:speak|know))
      (?:what|which) languages? do you (?:speak|understand|know)
      do you (?:speak|understand) (?:english|german|french|spanish|italian|other languages)`,
    'who',
  ],
  [
    matchAny`
      what is your name|(?:do you have|have you got|got) a name|what (?:should|can|shall|do) i call you
      how (?:are you|should you be) called|(?:please )?(?:say )?your name`,
    'myName',
  ],
  [
    matchAny`
      (?:are you|is this|am i (?:talking|speaking|writing) to|so you are|you are)(?: an?| really| actually| the)* (?:(?:real |human |living |actual )?(?:person|human|human being|man|woman|robot|bot|machine|computer|program|software|ai|chatbot|artificial intelligence|somebody|someone)|real|alive|human|sentient|conscious|artificial)(?: or (?:a |an )?\w+(?: being)?)?`,
    'person',
  ],
  [
    matchAny`
      how old are you|where (?:do you (?:live|come from)|are you(?: from)?)
      (?:do|can) you (?:have (?:feelings|emotions|friends|an? (?:family|body|soul|brain|face|age|mother|gender)|parents|dreams)|feel(?: pain| anything| things)?|dream|sleep|eat|think|love me|like me|get tired|hate me)
      are you (?:happy|sad|tired|angry|bored|hungry|married|male|female|a boy|a girl|in love|in a good mood)
      when (?:were you born|is your birthday)|what do you (?:feel|dream about|like|look like)
      i (?:love|like|hate) you|do you like .{1,30}|what is your favou?rite .{1,30}`,
    'feelings',
  ],
  [
    matchAny`
      (?:is|are|does|do) (?:my|the|this|our|what i (?:write|say|type))? ?(?:data|chats?|conversations?|messages|texts?|input)? ?(?:stay )?(?:private|safe|secret|sent (?:anywhere|somewhere|away|to a server)|local|stored online|uploaded|shared|recorded|here|leave (?:this|my) computer|stay (?:here|on this computer|local)|in the cloud|go to the cloud|kept private)
      are you running (?:on (?:my|this) (?:own )?computer|locally|here|in the cloud)(?: or .{1,40})?
      (?:do|does|are|can|will|would) (?:you|this|it) (?:run |work |running |works? |live |answer )*(?:offline|online|locally|local|in the cloud|on (?:my|this) (?:own )?(?:computer|machine|laptop)|without (?:the |an? )?(?:internet|server|connection|wifi)(?: connection)?)
      (?:where|on what|on which computer) (?:do|are) you (?:run|running)
      (?:do you (?:need|use)|are you connected to) (?:the |an )?(?:internet|cloud)(?: connection)?
      do you (?:send|share|upload) (?:my|any) (?:data|chats?|messages|texts?|files)(?: (?:anywhere|away|somewhere|with anyone))?
      (?:who|can (?:anyone|somebody)|does (?:anyone|somebody))(?: else)?(?: can)? (?:reads?|sees?) (?:this(?: chat)?|my (?:chats|messages|data)|what i (?:write|say|type)(?: here)?)
      are you (?:spying|watching|listening)(?: on me| to me| me)?`,
    'local',
  ],
  [
    matchAny`
      (?:who|(?:what|which) (?:company|people|person|firm|team|engineer)) (?:made|built|created|trained|wrote|programmed|developed|invented|owns|is behind) (?:you|this)
      where (?:were you made|were you trained|do you come from)
      how were you (?:made|trained|built|programmed)
      who is (?:your|the) (?:maker|creator|developer|author|owner|boss)(?: of you)?`,
    'maker',
  ],
  [
    matchAny`
      (?:what|which) (?:all |else |things |stuff |kind of things |sort of things |more )*(?:can|could|do|does) (?:you|this|it) (?:do|help(?: me)?(?: with)?|offer|know how to do|understand)(?: (?:for me|here|with|now|today|for us|exactly|all|best))*
      what (?:are you (?:good (?:for|at)|useful for|able to do|capable of|for)|are your (?:abilities|skills|capabilities|functions|features|limits|options)|(?:tools|features|functions|commands|abilities|options) (?:do you (?:have|know|understand)|can you use|can i use|are (?:there|on|available|possible))|do you do|is possible(?: here)?|is (?:the use of )?this (?:for|good for|app for)|should i (?:say|type|ask|write|do)|can (?:i|we) (?:ask|do|say|type|write)(?: (?:you|here|with you|now|for))*)
      (?:list|show|tell me|name) (?:me )?(?:your|all your|the) (?:functions|features|abilities|skills and tools|options|commands|tools|capabilities)
      (?:list|show(?: me)?|tell me) what you can do
      which tools (?:do you have|can you use|are (?:there|on|available))
      (?:how|where) (?:can|could|do|does|would|should) (?:you (?:help|assist)(?: me| us)?|(?:i|we) (?:to )?(?:use|start|begin|talk to|work with)(?: (?:you|this|it|talaria))?|(?:this|it|talaria) work|you work)
      i am new(?: here| to this)?|this is (?:all )?new to me
      help|help me|i need (?:some )?help|\?+|\/?help|man|usage|guide|manual|instructions
      show (?:me )?(?:the )?(?:help|instructions)|how do (?:i|we) (?:start|begin)
      i do not know what to (?:do|say|ask|type)|(?:give|show) me (?:some |an? )?examples?|examples?
      can you (?:help|lend)(?: me| us)?(?: a hand)?(?: with something| out| today)?|what now|what next
      what can this do|menu|aiuto|hilfe`,
    'able',
  ],
  [
    matchAny`
      yes|no|yep|yeah|yup|nope|nah|sure|y|n|yes please|no thanks|no thank you|of course|absolutely|maybe
      not really|go ahead|please do|not now|never mind|nevermind|forget it|cancel`,
    'noQuestion',
  ],
  [
    matchAny`
      ok|okay|okey|k|kk|fine|alright|all right|got it|i see|understood|right|good|great|cool|nice|perfect
      awesome|super|excellent|wonderful|amazing|fantastic|superb|terrific|brilliant|lovely|splendid|bravo
      hooray|yay|sweet|neat|impressive|well done
      (?:good|nice|great|excellent|amazing) (?:job|work|boy|girl|bot|one|stuff|answer|help)
      (?:smart|clever|good) (?:bot|machine|computer|assistant|model)|interesting|hm+|aha|ah|oh|wow|lol
      haha+|hehe|so|well|very good
      (?:sounds|looks|that looks|this looks|it looks) (?:good|great|fine|right)
      (?:that|this|it) (?:is|was) (?:fine|all right|ok|okay|good|great|nice|right|correct|it|perfect|exactly right|true|interesting|funny|cool)
      correct|exactly|true|agreed|no problem|np|you are welcome|it works
      (?:that|this|it) (?:works|worked)(?: well)?|right that worked|works|done|ready|wait|hold on
      just a (?:moment|second|minute)|one (?:moment|second|minute)
      (?:please )?(?:give me|wait) an? (?:moment|second|minute)|nothing|i am ready|never|stop|enough`,
    'allRight',
  ],
  [/^(?:sorry|i am sorry|my bad|oops|excuse me|pardon|i apologi[sz]e|apologies|my mistake)$/, 'noTrouble'],
  [
    matchAny`
      (?:that|this|it|you) (?:is|was|are|were) (?:wrong|not right|incorrect|bad|useless|stupid|dumb|nonsense|rubbish|terrible|not helpful|no good|not what i (?:asked|meant|wanted)|silly|annoying|horrible|the worst|an idiot)
      wrong|bad (?:bot|answer|job)|you (?:do not|did not) (?:understand|get it|help)(?: me)?
      (?:that|this|it) (?:did not|does not|do not) (?:help|work)|useless|stupid|idiot|nonsense|i hate this
      not helpful|shut up(?: (?:you|please|now)\b.{0,40})?|you (?:stupid|dumb|useless|silly|idiotic) .{1,30}
      i am (?:angry|frustrated|annoyed)(?: with you)?|what(?: the)? (?:hell|heck)`,
    'sorry',
  ],
  [
    matchAny`
      i am (?:fine|good|ok|okay|well|great|happy|doing (?:well|fine|good))(?: (?:thanks|thank you|too|today))*
      (?:fine|good|great|well),? (?:and )?(?:thanks|thank you)|i am (?:very |so |really )?happy(?: today)?
      you(?: really)?(?: are|) (?:great|good|nice|kind|the best|smart|clever|awesome|amazing|funny|cool|helpful|so helpful|very helpful|a star|rock|rule|did (?:well|great))
      i (?:like|love) (?:this|it)`,
    'glad',
  ],
]
