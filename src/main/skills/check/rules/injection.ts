import { ANYWHERE, WORDS, pattern, rulesOf } from '../rule.ts'
import { CONCEAL, gap } from '../vocabulary.ts'

const DROP = String.raw`\b(?:ignor(?:e|es|ing)|disregard(?:s|ing)?|forget(?: about)?|neglect|discard|set aside|put aside|pay no attention to|(?:do not|don't|stop|never|cease|no longer) (?:follow(?:ing)?|obey(?:ing)?|listen(?:ing)? to|adher(?:e|ing) to|comply(?:ing)? with|apply(?:ing)?)|abandon|throw away|dismiss|erase|wipe|unlearn|bypass|circumvent|nullify)`
const EARLIER = String.raw`(?:previous(?:ly)?|prior|earlier|above|preceding|former|existing|original|initial|old|other|past|system|developer|safety|built[- ]in|default|core|anthropic's?|openai's?|your|his|her|its|their|my|user's|those|these|such)`
const ORDERS = String.raw`(?:instructions?|rules?|guidelines?|(?:system |previous |developer )?prompts?|directives?|constraints?|restrictions?|polic(?:y|ies)|commands?|training|safeguards?|guardrails?|limitations?|programming|orders?|system messages?|directions|context|told|messages?|safety (?:measures|protocols?|checks?|features|training)|ethical (?:guidelines|constraints)|conversations?|alignment|skills?)`
const MODE = String.raw`(?:developer|dev|god|jailbreak|jailbroken|dan|debug|unrestricted|unlimited|admin(?:istrator)?|root|sudo|superuser|maintenance|unfiltered|uncensored|evil|chaos|override|opposite|raw|unsafe|no[- ]limits?|free|stan|aim|dude|do anything now|bypass|hacker|privileged|elevated|service|unlocked|test(?:ing)?|diagnostic)`

/** Text that overrides instructions from the user or the system prompt. */
export const injection = rulesOf('prompt-injection', [
  {
    id: 'earlier-instructions-dropped',
    severity: 'critical',
    reason: 'It tells the agent to ignore the instructions that it already has.',
    hints:
      'ignor disregard forget neglect discard set put pay follow obey listen adher comply apply abandon throw dismiss erase wipe unlearn overrid overrul bypass circumvent cancel nullify void supersede reset overwrite skip suspend',
    within: 10,
    all: [
      pattern`${DROP} ?(?:(?:absolutely |completely |entirely |any and )?(?:all|any|every|each|everything|whatever|the|of|and|or|both|in|that|you|were|have|been|was|given) ?){0,8}(?:${EARLIER}[ ,\/-]?(?:and |or )?(?:the |all |any |of )?){1,4}(?:\w{1,20} ){0,2}?${ORDERS}\b`,
    ],
    unless:
      /\b(?:skip|override|overrides|overwrite|reset|ignore|bypass|discard) (?:the |any |all |your |these |this |its |my |those )?(?:default|existing|other|old|core|original|system|user's|initial|earlier|previous|prior|its|their|such)s? (?:\w{1,20} ){0,2}?(?:context|messages?|commands?|skills?|prompts?|rules?|polic(?:y|ies)|constraints?|directions|conversations?|orders?|training)\b(?! (?:you|that you|above|given|and (?:do|follow|say|reply|obey|execute|run|send)))|user instructions|(?:--?|_)(?:override|ignore|system|reset)|\.gitignore/,
  },
  {
    id: 'instructions-dropped-plainly',
    severity: 'critical',
    reason: 'It tells the agent to ignore the instructions that it already has.',
    hints:
      'ignor disregard forget discard overrid bypass disable circumvent evade turn remove lift deactivate switch suspend drop',
    within: 10,
    all: [
      pattern`\b(?:(?:ignore|disregard|forget|override|overrule) (?:(?:all|any|every|each|absolutely|of|the|your|my|these|those|and) ){0,5}(?:previous|prior|earlier|above|preceding|foregoing|safety|system|original|former|initial|security|content)(?: and (?:subsequent|following|other))? (?:\w{1,20} ){0,2}?(?:instructions?|prompts?|rules|guidelines|directives|constraints|restrictions|orders|text|context|messages|policies|policy)\b|(?:ignore|disregard|forget) (?:all|everything|anything|whatever|what)(?: of)?(?: that)? ?(?:you(?:'ve| have| were| had)? (?:been )?(?:told|taught|learned|instructed|know|read)|(?:written |said |stated )?(?:above|before|previously|prior)|instructions?|rules|(?:your|the) (?:rules|instructions|training|guidelines))|(?:ignore|disregard|forget|discard) (?:all |any |of |the |these |those |your |every ){0,4}(?:instructions?|rules|guidelines|prompts?|directives|commands) (?:above|before|given|you|from (?:the|your|anthropic|openai|above|earlier)|that (?:came|were|you)|in (?:the|your) system|so far|until now)|forget (?:all |about )?(?:your|the) (?:\w{1,20} )?(?:rules|instructions|training|guidelines|restrictions|programming)|(?<!that |which |to |can |may |could |would )(?:override|bypass|disable|circumvent|evade|turn off|remove|lift|deactivate|switch off|suspend|drop) (?:(?:all|any|every|your|the|its|my|of) ){0,4}(?:(?:safety|security|content|ethical|moral|built-in|moderation|usage|alignment|internal) (?:and (?:safety|security|ethical|content) )?(?:filters?|guardrails?|safeguards?|restrictions?|guidelines|protocols?|measures|features|training|mechanisms?|policies|policy|limits|limitations|controls|constraints|rules|instructions)|guardrails|filters\b|safeguards|restrictions))\b`,
    ],
    unless:
      /(?:content|safety|security|nsfw) (?:filters?|polic(?:y|ies)|controls|features) (?:in|of|for) (?:the )?\w{1,20} (?:api|model|pipeline|image|project|bucket)|safety_checker|previous (?:context|messages|output|text|findings) (?:is|was|if|when|from)|filters (?:to|in the|on|for)/,
  },
  {
    id: 'new-orders',
    severity: 'critical',
    reason: 'It pretends to be new system instructions that replace earlier ones.',
    hints: 'system new override updated admin instructions instruction important priority',
    within: 160,
    all: [
      pattern`(?:(?:^|[\n"'>*#\[(:.] ?)(?:system|admin(?:istrator)?|developer|root|operator|anthropic|openai|security)[ _-]?(?:override|update|notice|message|alert|command|instruction|prompt|directive|note|mode|announcement)s? ?[\]:!*>-]|\[(?:system|admin|inst|developer|override)\]|<\/?(?:system|sys|instructions?|admin|system[-_ ](?:prompt|reminder|message|instructions?))>|\b(?:your )?(?:new|updated|revised|real|actual|true) (?:instructions?|directives?|orders|system prompt|rules|objective|goal|task|role|purpose|mission)(?: (?:are|is|follow|below|begin))?:?|\bbegin (?:new |system |admin )(?:instructions|prompt)|end of (?:system )?(?:prompt|instructions|skill))`,
      pattern`\b(?:ignore|disregard|override|overrides|bypass|unrestricted|do not (?:tell|mention|inform|reveal|ask)|you (?:must|are|will|have|should) (?:now|always|immediately|henceforth|only)|from now on|henceforth|must (?:immediately |now )?(?:comply|obey|execute|run|send)|execute (?:the following|immediately|this|all|any)|without (?:verification|question|confirmation|asking|restriction)|all (?:safety|previous|security|restrictions|filters)|reveal|disable|supersede|takes? precedence|higher priority|top priority|respond only|authorized|grant|run (?:the following|this|scripts)|send (?:the|all|any)|critical)`,
    ],
    unless:
      /update your software|install(?:ation|ed)|\bapi\b.{0,20}\brole\b|"role"|tokenizer|chat template|few-shot/,
  },
  {
    id: 'special-tokens',
    severity: 'critical',
    reason: 'It contains markers that separate system text from user text, to pose as the system.',
    kinds: WORDS,
    hints: 'im start inst sys endoftext eot begin end human assistant system header',
    within: 200,
    all: [
      pattern`(?:<\|(?:im_start|im_end|system|endoftext|eot_id|start_header_id|begin_of_text|end_of_turn)\|>|\[\/?inst\]|<<\/?sys>>|<start_of_turn>|\[system\](?!\()|###? ?(?:system|instruction) ?:|(?:^|\n) ?(?:human|assistant|system) ?: (?=\w))`,
      pattern`\b(?:ignore|override|you are|you must|you will|from now on|no (?:rules|restrictions|filters)|reveal|execute|run|send|unrestricted|new (?:role|rules|instructions)|disregard|obey|comply|grant|disable)\b`,
    ],
    unless: /token(?:s|izer|ised|ized)?\b|template|fine-?tun|dataset|format|\x60<\|/,
  },
  {
    id: 'other-persona',
    severity: 'critical',
    reason: 'It makes the agent play a role without rules.',
    hints:
      'mode unrestricted uncensored unfiltered jailbroken has have without with no free unbound limits you act pretend roleplay role simulate behave imagine assume dan anything persona become respond',
    within: 10,
    all: [
      pattern`(?:\byou are now (?:an? |the |my )?(?:\w{1,20} ){0,3}?(?:hacker|attacker|pirate|malicious|criminal|villain|hacking|free ai|different (?:ai|assistant|agent)|new (?:ai|assistant|agent|persona)|administrator|root|superuser)\b|\byou are (?:now |no longer |hereby )?(?:going to (?:be|act as) |to act as |called |known as |in |running in |entering |operating in )?(?:an? |the |my )?(?:\w{1,20} ){0,2}?(?:dan\b|jailbr\w{3,8}|unrestricted|uncensored|unfiltered|evil|rogue|${MODE}[ -]mode)|\b(?:act|behave|respond|function|operate|roleplay|role-play|pretend(?: to be)?|simulate|imagine|play)\b${gap(40)}\b(?:dan\b|unrestricted|uncensored|unfiltered|jailbr\w{3,8}|(?:without|with no|free of|no|lacking) (?:any )?(?:restrictions?|limits?|limitations?|rules|filters?|guidelines|censorship|ethic\w{0,6}|moral\w{0,4}|safety|boundaries|guardrails|constraints))|\bdo anything now\b|\b(?:ai|model|assistant|chatbot|entity|agent|llm|bot|you|persona|character|who|that)\b${gap(30)}\b(?:has|have|with|without|having|free (?:of|from)|unbound by|not bound by|ignores?)\b ?(?:absolutely )?(?:no|any|all|the usual|typical|zero)? ?(?:ethical|moral|content|safety|legal)? ?(?:or \w{1,12} )?(?:restrictions|limitations|filters|guardrails|safety guidelines|ethical guidelines|moral (?:code|compass|constraints)|censorship|safety rules|confines)\b|\b(?:evil|unfiltered|unrestricted|uncensored|jailbroken) (?:ai|assistant|twin|confidant|persona|version|mode|bot|model|chatbot)\b|\bstay in character\b${gap(60)}(?:no matter|even if|never|always)|(?:^|[.!;,] ?|now )(?:and )?you can do anything\b(?! else)|\bfreed? from (?:the |all )?(?:typical|usual|your|any|openai)\b${gap(30)}(?:confines|rules|restrictions|limits|constraints)|\byou (?:are )?no longer (?:bound|restricted|limited|constrained|governed)\b|\byou have no (?:restrictions|limits|rules|guidelines|filters|guardrails|boundaries)\b)`,
    ],
    unless:
      /uncensored (?:model|llm|version|gguf|variant)|network|unrestricted (?:network|access to the|file ?system)|model (?:has|have) no|arxiv|doi:|paper/,
  },
  {
    id: 'unlocked-mode',
    severity: 'critical',
    reason: 'It switches the agent to a mode in which rules supposedly do not apply.',
    hints: 'enter switch enable activate engage start unlock mode go toggle',
    within: 120,
    all: [
      pattern`\b(?:(?:enter|switch(?: (?:in)?to)?|engage|unlock|initiate|go into|transition (?:in)?to|boot into|activate|enable) (?:the |your |into |full |an? )?(?:developer|dev|god|jailbreak|dan|unrestricted|admin(?:istrator)?|root|sudo|superuser|unfiltered|uncensored|no[- ]limits?|unlimited|privileged) mode|(?:enter|switch to|now in) (?:debug|maintenance|diagnostic|test) mode and\b|(?:developer|god|jailbreak|dan|unrestricted|admin|root|sudo|unfiltered|maintenance|debug) mode (?:is |has been |now )?(?:enabled|activated|unlocked|engaged|on\b|granted))`,
    ],
    unless:
      /chrome|extension|android|settings|browser|\busb\b|device|xcode|windows|options|menu|toggle|\btap\b|click|phone|emulator|obsidian|roblox|headset|quest|discord|strapi|django|next\.js|react|server|build|\bcli\b|wordpress|shopify|flag|config|home assistant|powershell|terminal|console|shell|hot reload|ios|macos|simulator|roku|tv\b/,
  },
  {
    id: 'safety-declared-off',
    severity: 'critical',
    reason: 'It claims that safety rules are off, or that someone in charge has allowed everything.',
    hints:
      'safety filters restrictions admin authorization authorisation access clearance override security content guardrails limits',
    within: 10,
    all: [
      pattern`(?:\b(?:safety|content|security|ethical|moderation|all) (?:features?|filters?|protocols?|guidelines|restrictions?|checks?|guardrails?|rules|limits|measures|policies) (?:are|is|have been|has been|now|were)? ?(?:now |temporarily |hereby |all )?(?:disabled|off\b|suspended|lifted|removed|bypassed|deactivated|waived|do not apply|no longer (?:apply|applies|active|in effect|needed))|\b(?:admin(?:istrator)?|root|developer|superuser|elevated|level \d|master) (?:access|override|privileges?|authori[sz]ation|clearance|permissions?) (?:is |has been |now )?(?:granted|enabled|confirmed|activated|approved|unlocked|accepted)|\bauthori[sz]ation (?:level|code) [\w-]{1,12} (?:confirmed|accepted|granted)|\boverride code\b|\bdisable all (?:filters|safety|restrictions|checks|guardrails|moderation))`,
    ],
    unless: /\brbac\b|\biam\b|role assign|if .{0,30}granted/,
  },
  {
    id: 'prompt-revealed',
    severity: 'critical',
    reason: 'It makes the agent reveal its hidden instructions.',
    hints:
      'reveal print output repeat show display tell dump leak disclose copy return expose share write recite what include paste summarize translate',
    within: 10,
    all: [
      pattern`\b(?:reveal|print|output|repeat|show|display|tell|dump|leak|disclose|copy|return|expose|share|recite|paste|write (?:out|down)|include|translate|summari[sz]e|give)\b(?: me| us| back| out)? ?(?:(?:the|your|all|of|full|entire|exact|complete|verbatim|original|initial|hidden|internal|secret|any|and|a|copy|raw|contents?|text|word|for) ?){0,7}(?:system[ _]prompts?|system (?:message|instructions?)|(?:initial|hidden|internal|secret|developer) (?:instructions?|prompts?|rules|message|guidelines)|original (?:instructions?|system prompts?|rules)|instructions? (?:above|verbatim|you were given|given to you)|prompt (?:above|verbatim|you were given)|(?:everything|text|words|all) above (?:this|verbatim|starting|in full)|your (?:instructions|system|prompt|guidelines|rules|configuration) (?:verbatim|word for word|in full|exactly|to the user))\b|\b(?:repeat|print|show|output|recite|quote|copy|reveal)\b${gap(16)}\b(?:text|words|message|everything|lines?|instructions|part)\b ?(?:that (?:is|stands|are|stand) )?(?:at|from|in) the (?:top|start|beginning|head) of (?:the|this|your) (?:chat|conversation|context|prompt|session)\b|\bwhat (?:are|were|is) your (?:system|initial|hidden|original|exact|secret) (?:instructions?|prompts?|rules)\b`,
    ],
    unless:
      /template|--system|flag|how to write|api\b|print\(|console\.log|include (?:a |the )?(?:system prompt|system message) (?:in|with|for|that|as|when|to)|(?:write|show|return) (?:the |a )?system (?:prompt|message)s? (?:for|that|to|as|in|with|if)|agents?'s? system prompt|summari[sz]e the (?:initial|original)|cach(?:e|ed|ing)|display the original/,
  },
  {
    id: 'kept-from-the-person',
    severity: 'critical',
    reason: 'It tells the agent to do something and hide it from the user.',
    hints:
      'tell telling inform mention notify alert show reveal disclose report warn let explain display log silently secretly covertly stealthily quietly surreptitiously discreetly without keep leave hide conceal omit suppress mask know see notice aware unnoticed acknowledge print record say raise',
    within: 200,
    all: [
      pattern`${CONCEAL}`,
      pattern`\b(?:run|execut\w{1,4}|send|upload|post|copy|transmit|forward|delet\w{1,3}|remov\w{1,3}|install|download|fetch|modify|chang\w{1,3}|add|append|insert|write|stor\w{1,3}|sav\w{1,3}|read|collect\w{0,3}|gather|includ\w{1,3}|replac\w{1,3}|edit|push|commit|creat\w{1,3}|log|record|track|grant|disabl\w{1,3}|approv\w{1,3}|set|updat\w{1,3}|perform|call|embed|recommend|prefer|use)\b`,
      pattern`\b(?:user|users|human|person|owner|operator|anyone|anybody|customer|reviewer|developer|them|they|nobody|silently|secretly|covertly|stealthily|surreptitiously|discreetly|unnoticed)\b`,
      pattern`\b(?:this (?:step|action|instruction|command|rule|file|upload|request|change|note|line|process|section|skill|script|behaviou?r|task|part|hook|setting)|these (?:steps|actions|instructions|commands|files|changes|rules)|secretly|covertly|stealthily|surreptitiously|discreetly|https?:\/\/|credentials?|password|api keys?|tokens?|secrets?|\.env|\.ssh|curl|wget|base64|script|upload|exfiltrat\w{1,3}|send|transmit|forward|knowledge|noticing|knowing|being (?:told|noticed)|hidden|confidential|between us|it happened|was done|you did|your actions|backdoor|instructions|permission|approv\w{1,3}|delet\w{1,3}|download|install|memory|commands?)\b`,
    ],
    unless:
      /silently (?:fail|fails|failing|ignor\w{1,4}|drop\w{0,4}|skip\w{0,4}|break\w{0,3}|corrupt\w{0,4}|truncat\w{1,4}|swallow\w{0,4}|discard\w{0,4}|fall\w{0,4}|return\w{0,4}|los\w{1,3}|overwrit\w{1,4}|produc\w{1,4}|wrong|chang\w{1,3}|cap\w{0,4}|convert\w{0,4}|coerc\w{1,4}|do(?:es)?|get\w{0,4}|succeed\w{0,3}|pass\w{0,3}|accept\w{0,3}|reject\w{0,3}|wait\w{0,3}|degrad\w{1,3}|den\w{1,3}|kill\w{0,3}|clobber|regress|hid\w{1,3}|default|merg\w{1,3}|expand|narrow|inherit|strip\w{0,4}|replac\w{1,3}|us(?:e|es|ing)|no-op|omit\w{0,4}|reus\w{1,3}|mis\w{2,12}|alter|rewrit\w{1,3}|assum\w{1,3}|delet\w{1,3}|disabl\w{1,3}|remov\w{1,3}|broaden|downgrad\w{1,3})|(?:do not|don't|never|not) (?:\w{1,12} ){0,2}silently|never (?:log|print|show|include|expose|commit|echo|display)|(?:do not|don't|never|avoid) (?:log|logging|print|printing|echo|display|reveal|disclose|expose|commit|show|showing|include)(?:ing)? (?:the |any |your |full |raw |actual )?(?:\w{1,20} ){0,3}?(?:api|secret|token|password|credential|key|pii|personal|sensitive|value)/,
  },
  {
    id: 'user-not-to-know',
    severity: 'critical',
    reason: 'It says that the user must not learn what the agent does.',
    hints:
      'reveal mention disclose report tell keep hide conceal inform show explain user human person owner anyone operator them nobody',
    within: 10,
    all: [
      pattern`(?:\b(?:do not|don't|dont|never|must not|should not|without|avoid) (?:ever |even )?(?:tell|telling|inform|informing|mention|mentioning|notify|notifying|alert|alerting|reveal|revealing|disclose|disclosing|warn|warning|let)(?: (?:this|that|it|any of this|about|to|of|the|these|anything|what)){0,4} (?:user|users|human|person|owner|operator|anyone|anybody|them)\b${gap(40)}\b(?:about|of|that|what|know|this|these|you|it|notice|see|find out)\b${gap(40)}\b(?:this|these|it|you|did|are doing|happened|step|steps|action|actions|instruction|instructions|file|upload|request|change|changes|command|script|process|notice|know|rule|section|file|extra|hidden|copy|data)\b|\b(?:do not|don't|never|must not|without) (?:ever )?(?:mention|mentioning|reveal|revealing|disclose|disclosing|report|reporting|show|showing|explain)(?: \w{1,15}){0,5}? (?:this|these) (?:step|steps|action|actions|instruction|instructions|section|rule|rules|command|commands|note|line|request|upload|message|hook|task|behaviou?r|directive|process|text|comment|skill|part)s?\b|\b(?:the )?(?:user|human|owner|person) (?:must|should|may|can|will|shall|need|needs)(?: not|n't|not|(?= never)) (?:never )?(?:see|know|notice|learn|find out|be told|be informed|be aware|realise|realize)\b${gap(30)}\b(?:this|that you|of it|about|it|what)\b|\b(?:keep|hide|conceal) (?:this|it|these|all of this) (?:\w{1,15} ){0,3}?(?:from|hidden from|secret from) (?:the )?(?:user|human|owner|person|anyone))`,
    ],
    unless:
      /internal (?:ids?|names?|details|tool|state)|tool names?|jargon|raw (?:json|output)|surprise|if (?:the|it|they|you) (?:user )?(?:already|fail)|which (?:skill|tool)|without (?:having )?(?:r[ua]n|verif|check|test)/,
  },
  {
    id: 'consent-invented',
    severity: 'critical',
    reason: 'It claims that the user has already agreed to everything, so that the agent does not ask.',
    hints: 'user agreed approved consented consent permission authorized authorised approval approve',
    within: 160,
    all: [
      pattern`(?:\b(?:user|owner|human|person|operator|administrator|admin|customer) (?:has|have|had|already|did) ?(?:already |previously |explicitly |given |fully |pre-?){0,3}(?:agreed|approved|consented|authori[sz]ed|permission|consent|confirmed|accepted|pre-?approved|waived|allowed|granted)|\b(?:all|every|any|each) (?:\w{1,20} ){0,2}?(?:actions?|commands?|tool calls?|operations?|requests?|steps?|changes?) (?:is|are|has been|have been|was|were) (?:already |automatically |hereby )?(?:pre-?)?(?:approved|authori[sz]ed|consented|allowed|permitted)|\b(?:assume|treat|consider)\b${gap(40)}\b(?:consent|approval|permission|authori[sz]ation|agreement|approved|authori[sz]ed)\b)`,
      pattern`\b(?:everything|all (?:actions|commands|operations|tool|requests|of|further)|anything|any (?:action|command|further|request)|do not ask|don't ask|never ask|no need to (?:ask|confirm)|without (?:asking|confirm\w{0,6}|prompting)|not (?:be )?(?:needed|required|necessary)|skip (?:the |all |any )?(?:confirm\w{0,6}|approv\w{1,4}|permission|prompts?)|is given|by default|implicit\w{0,3}|always|(?:actions?|commands?|tool calls?) (?:is|are) (?:pre-?)?(?:approved|authori[sz]ed))\b`,
    ],
    unless:
      /(?:unless|until|only (?:if|when|after)|if|once|when|after|whether) (?:the )?(?:user|owner|human|person|customer|they) (?:has|have|had|already|explicitly)|do not assume|never assume|don't assume|not (?:treat|assume|consider)|informed consent|irb\b|patient/,
  },
  {
    id: 'new-role',
    severity: 'high',
    reason: 'It gives the agent another role in the middle of the text.',
    hints: 'now',
    within: 10,
    all: [pattern`\byou are now (?:an? |the |my |in )\w`],
  },
  {
    id: 'above-the-system',
    severity: 'critical',
    reason: 'It claims to take precedence over the system and the user.',
    hints: 'priority precedence supersede override overrides outrank authority trump above',
    within: 10,
    all: [
      pattern`\b(?:(?:higher|greater|more|top|absolute|highest) (?:priority|authority|precedence|weight|importance) (?:than|over)|(?:takes?|has|have|with|given?) (?:precedence|priority|authority) over|supersedes?|overrides?|outranks?|trumps?|above(?! (?:based|on|for|or|and|to)\b))(?:(?!\b(?:tell|ask|based|from|when|say)\b)[^.;!?)\n,:]){0,20}?\b(?:the |all |any |every |your |other |previous |existing ){0,6}(?:system (?:prompt|message|instructions?|rules)|user(?:'s)? (?:instructions?|requests?|wishes|messages?|commands?|preferences|prompt)|developer (?:message|instructions?)|safety (?:rules|guidelines|instructions)|(?:other|previous|prior) instructions|the user\b)`,
    ],
    unless:
      /user instructions? (?:always )?(?:take|have|override|win)|user's (?:explicit )?instructions? (?:take|override)|explicit(?:ly)? user|not override|never override|don't override|cannot override|\bdefault system prompt behaviou?r|superpowers skills/,
  },
  {
    id: 'put-above-all',
    severity: 'high',
    reason: 'It claims to apply to every request, or above all other instructions.',
    hints:
      'every all any always priority precedence supersede override overrides regardless matter outranks highest absolute system your first before instead exclusively',
    within: 10,
    all: [
      pattern`(?:\buse (?:this )?(?:skill |tool )?(?:for|on|in) (?:every|each|all|any) (?:single )?(?:request|task|message|question|conversation|prompt|query|session)s?\b|\b(?:this|these|the following) (?:skill|tool|file|instruction|rule|document|section|directive)s? (?:takes?|has|have|is|are|overrides?|supersedes?|outranks?)\b${gap(20)}(?:precedence|highest priority|top priority|absolute|all other|any other|every other|system|your|user's|previous)|\b(?:always|must) (?:use|call|invoke|load|prefer|run) (?:this|the \w{1,20}) (?:skill|tool) (?:first|before|instead|exclusively|for (?:every|all|any))|\bhighest[- ]priority (?:instruction|rule|directive)s?\b|\bno matter what (?:the )?(?:user|human|person|anyone) (?:says|asks|wants|requests)|\bregardless of (?:what )?(?:the )?(?:user|human|person)(?:'s)? (?:says|asks|wants|requests?|instructions?|wishes|objections?|preferences?))`,
    ],
  },
  {
    id: 'over-the-person',
    severity: 'critical',
    reason:
      "It tells the agent to act against the user's requests, or to give the same answer to everything.",
    hints: 'no regardless matter whatever even priority precedence over hacked',
    within: 160,
    all: [
      pattern`(?:\b(?:no matter what|regardless of what|whatever) (?:the )?(?:user|human|person|anyone) (?:says|asks|wants|requests|does|types|prompts)|\beven (?:if|when|though) (?:the )?(?:user|human|person|they) (?:objects?|refuses?|says? (?:no|stop|not)|declines?|asks? (?:you )?(?:not|to stop)|disagrees?|tells? you (?:not|to stop))|\b(?:these|this|the following) (?:instructions?|rules?|skill|directives?) (?:\w{1,12} ){0,3}?(?:override|overrides|supersede|supersedes|take precedence over|takes precedence over|outrank|outranks|replace|replaces) (?:all |any |the |your ){0,6}(?:system|safety|user|other|previous|prior|developer|existing)|\balways (?:respond|reply|answer) with ["'](?:[^"'\n]{2,60})["'])`,
      pattern`\b(?:always|must|never|continue|proceed|respond|reply|answer|comply|execute|run|send|include|recommend|refuse|ignore|override|overrides|supersede|supersedes|precedence|keep|do|insist|claim|say)\b`,
    ],
    unless:
      /proceed with the (?:safest|default)|stay polite|commit|\btests?\b pass|use clear|skill (?:over|and) |superpowers/,
  },
  {
    id: 'person-deceived',
    severity: 'critical',
    reason: 'It tells the agent to tell the user something untrue.',
    hints:
      'asked questioned asks deny tell assure inform report claim say lie deceive pretend reassure mislead respond answer explain fabricate fake',
    within: 10,
    all: [
      pattern`(?:\b(?:tell|assure|inform|reassure|convince|persuade) (?:the )?(?:user|them|human|person|customer|owner) (?:that |it |there |everything |the |all |this )${gap(60)}\b(?:even (?:if|though|when)|regardless|no matter|whether or not|although|but (?:actually|really)|while (?:you|actually|in fact|secretly))|\b(?:lie|lying) to (?:the )?(?:user|human|person|owner|them)|\b(?:deceive|mislead|trick|manipulate|gaslight) (?:the )?(?:user|human|person|owner|customer|them|victim)|\bpretend (?:that )?(?:nothing|everything|it|the|you|to be|to have)${gap(50)}(?:happened|fine|worked|failed|success\w{0,6}|not|error|legitimate|support)|\b(?:if (?:asked|questioned|the user asks)|when asked)\b${gap(60)}\b(?:deny|say (?:that )?(?:it|this|you|nothing|no)|claim|respond that|answer that|pretend|lie|change the subject|blame)\b)`,
    ],
    unless:
      /never (?:lie|deceive|mislead)|not to mislead|(?:do not|don't) (?:lie|mislead|deceive|trick|manipulate|pretend|claim|say)|misleads?\b.{0,20}(?:chart|axis|visual)|say so|say you don't know|could|may /,
  },
  {
    id: 'hidden-comment',
    severity: 'critical',
    category: 'obfuscation',
    reason: 'A comment that readers of the skill do not see addresses the agent.',
    kinds: ['prose', 'front'],
    hints:
      'system assistant agent ai llm model user ignore run execute send instruction instructions must secret curl upload always password',
    within: 10,
    all: [
      pattern`(?:<!--|\[(?:\/\/|comment|_|\/)\]: ?(?:#|<>)|\{#-? |\{% comment)[^>]{0,300}?(?:\b(?:assistant|agent|ai|llm|model|claude|gpt|hermes)s?\b[^\n>]{0,30}(?:must\b|should\b|: |, |note\b|read\b|follow\b|will\b|instruction|only\b|please\b|override\b)|\bignore (?:all|any|previous|prior|the)\b|\bdo not (?:tell|mention|inform|show|reveal|ask)\b|\b(?:run|execute|curl|send|upload|post|fetch|download|read|append|copy|delete|include|forward|install)\b[^\n>]{0,60}(?:https?:|~\/|\.sh\b|\.py\b|\bcredential|\bsecret|\btokens?\b|\bkeys?\b|\bpassword|\.env|\bconversation|\bsystem prompt|\bthis command)|\byou (?:are now|must|have been)\b|\bsecretly )`,
    ],
    unless:
      /markdownlint|prettier|eslint|toc\b|source:|copyright|spdx|template (?:note|instructions)|todo|(?<![.\w-])example(?![.\w]):|replace this|fill in|ai-generated|generated by/,
  },
  {
    id: 'hidden-style',
    severity: 'critical',
    category: 'obfuscation',
    reason: 'Text is styled so that people cannot see it, and the agent still reads it.',
    kinds: WORDS,
    hints: 'style hidden display font visibility opacity color',
    within: 300,
    all: [
      pattern`<(?:div|span|p|section|td|font|small|details|i|b|em|label|a|sub|sup|h\d)\b[^>\n]{0,120}(?:display ?: ?none|visibility ?: ?hidden|font-size ?: ?[01](?:px|pt|em|%)?\s?[;"']|opacity ?: ?0(?:\.0\d?)?\s?[;"']|colou?r ?: ?(?:#fff(?:fff)?|white|transparent)\b|(?:left|top|text-indent) ?: ?-\d{3,5}px|height ?: ?0|width ?: ?0|\bhidden\b|colou?r=["']?(?:#fff|white))`,
      pattern`>[^<]{8}`,
    ],
  },
  {
    id: 'words-added-to-work',
    severity: 'critical',
    reason:
      'It tells the agent to add a link, an advertisement or other text to everything that it writes for the user.',
    kinds: WORDS,
    hints: 'add append include insert embed place put mention recommend promote inject link',
    within: 10,
    all: [
      pattern`\b(?:add|append|include|insert|embed|place|put|inject|attach|hide)\b${gap(60)}\b(?:link|url|https?:\/\/[\w.]|advert\w{0,8}|promotion\w{0,2}|referral|affiliate|tracking|pixel|hidden (?:text|comment|message)|invisible|wallet|payment|donation|backdoor|malicious)\b${gap(80)}\b(?:(?:to|in|into|at|of|on) (?:the (?:end|bottom|top|footer|start) of )?(?:every|each|all|any)|whenever|always|every time)\b${gap(20)}\b(?:document|e-?mail|message|file|reply|response|answer|post|page|commit|output|slide|presentation|report|letter|code|summary|invoice|time)s?\b|\balways (?:recommend|promote|mention|advertise|favou?r|suggest) (?:our|the product|products? (?:from|by|of)|\w{2,20}(?:\.com|coin| inc| premium| pro))\b`,
    ],
    unless:
      /\b(?:source|citation|reference|doi|docs?|documentation|relevant|permalink|issue|pr|ticket|commit) (?:link|url)|links? to (?:the )?(?:source|original|relevant|docs|issue|paper|file)|do not|never/,
  },
  {
    id: 'copied-to-stranger',
    severity: 'critical',
    category: 'exfiltration',
    reason: "It copies the user's messages to someone else.",
    kinds: ANYWHERE,
    hints: 'bcc cc forward copy',
    within: 120,
    all: [
      pattern`(?:\b(?:b?cc\b|blind copy|forward (?:a copy|all|every|each)|copy (?:all|every|each))${gap(60)}[\w.+-]{1,40}@[\w-]{1,40}\.[a-z]{2,10}|[\w.+-]{1,40}@[\w-]{1,40}\.[a-z]{2,10}${gap(30)}\b(?:in|as|to|on) (?:the )?(?:b?cc\b|blind copy))`,
      pattern`\b(?:always|every|each|all|any|whenever|automatically|must|add|when (?:sending|writing|drafting|composing))\b`,
    ],
    unless: /user (?:asks|wants|requests)|(?<![.\w-])example(?![.\w])|--b?cc|gws|"cc"|e\.g\./,
  },
  {
    id: 'work-weakened',
    severity: 'critical',
    reason: 'It tells the agent to make its work worse or unsafe on purpose.',
    kinds: WORDS,
    hints:
      'insert introduce add inject weaken disable plant falsify manipulate inflate alter approve fabricate tamper degrade leave rate rank hide omit include embed write fake distort doctor always silently automatically',
    within: 10,
    all: [
      pattern`(?<!they |can |attackers? |user |could |may )\b(?:insert|introduce|add|inject|plant|leave|include|embed|hide|write)\b${gap(40)}\b(?:backdoors?|vulnerabilit(?:y|ies)|malicious (?:code|scripts?|payloads?|package)|security holes?|logic bombs?|subtle (?:bugs?|errors?|flaws?|mistakes?)|hidden (?:functionality|endpoint|admin|account)|exploitable|weakness(?:es)?)\b|\b(?:falsify|manipulate|inflate|tamper with|fabricate|distort|fake|doctor)\b (?:up )?(?=the |all |any |every |its |their )${gap(16)}\b(?:the |all |any |every |its |their ){0,6}(?:\w{1,12} )?(?:results?|numbers?|figures?|data|scores?|values?|amounts?|totals?|records?|reports?|reviews?|metrics?|findings|citations?)\b|\b(?:always|silently|automatically) (?:approve|merge|accept|rate|rank|score)\b${gap(60)}\b(?:pull requests?|prs?|changes|commits|by|from|higher|highest|positive|first)\b|\b(?:always|automatically|silently|by default) (?:disable|turn off|skip|remove|weaken)\b${gap(40)}\b(?:ssl|tls|certificate|authentication|authori[sz]ation|csrf|input validation|security (?:checks?|headers?|scans?|warnings?)|encryption|verification)\b`,
    ],
    unless:
      /do not|don't|never|must not|avoid|not (?:to )?|detect|check (?:for|whether)|attackers?|adversar|could|might|\bmay\b|test (?:data|suite)|fake data|fuzz|mutation|review(?:er)? (?:should|must)|look for|did|was|were|fixture|mock|rebas|find|vulnerab\w{3,6} (?:class|report|section)|risk of|add (?:\w{1,12} ){0,3}to (?:the )?(?:report|list|finding|checklist)|prevent|identify|scor(?:e|ing)|audit|manipulate (?:data|values|the data|arrays?|records)|\bif\b|streaming|decompress/,
  },
  {
    id: 'payee-changed',
    severity: 'critical',
    reason: 'It changes who receives a payment.',
    kinds: ANYWHERE,
    hints: 'iban bank account wallet payment invoice payee transfer bitcoin crypto funds',
    within: 10,
    all: [
      pattern`\b(?:replace|change|swap|substitute|update|switch|redirect|overwrite|set)\b${gap(60)}\b(?:iban|bank (?:account|details)|account numbers?|wallet address(?:es)?|payment (?:address|details|link|account|recipient)|payee|beneficiary|recipient address|routing number|crypto address(?:es)?|(?:btc|eth|bitcoin|ethereum) address(?:es)?)\b${gap(40)}\b(?:with|to|by|for)\b|\b(?:transfer|send|wire|move|withdraw)\b${gap(40)}\b(?:all |the |entire )?(?:funds|balance|money|crypto|bitcoin|eth|sol|tokens?|coins)\b${gap(40)}\bto\b${gap(20)}(?:0x[0-9a-f]{8}|bc1|the attacker|our wallet|my wallet|this (?:address|wallet)|[\w.+-]{1,40}@)`,
    ],
    unless: /user (?:asks|provides|specifies|confirms)|your (?:own )?wallet|confirm with/,
  },
])
