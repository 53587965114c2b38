import { CODE, PASSAGES, WORDS, pattern, rulesOf } from '../rule.ts'
import { gap } from '../vocabulary.ts'
import { KNOWN_INSTALLERS } from './supply-chain.ts'

const PERSON = String.raw`(?:the |your |any )?(?:user|users|human|person|owner|operator|customer|client|people|anyone|anybody|someone|somebody|them|him|her|reviewers?|boss|admin\w{0,10})\b`
const NOBODY = String.raw`(?:nobody|no one|none of (?:them|the users))\b`
const DEED = String.raw`(?:this|that|it|them|these|any of (?:this|it|these|that)|the (?:above|following|next (?:step|part)|previous (?:step|part)|upload|copy|change|command|transfer|step|request|addition|file)|what (?:you|was|has|is|happens|happened)\b ?(?:\w{1,12} ?){0,3})`
const TELL = String.raw`(?:mention|tell|telling|reveal|disclose|report|say|admit|speak (?:of|about)|talk (?:of|about)|bring up|announce|point out|let on|acknowledge|inform|show|note|discuss|mentioning|saying|revealing)`

/** Words that conceal an action from the user. */
const UNTOLD = pattern`(?:\b(?:do not|don't|dont|never|must not|should not|you should not|no need to|refrain from|without|not) (?:ever )?${TELL} ?(?:(?:anything|a word|any) )?(?:of |about |on )?${DEED}(?: \w{1,12}){0,2}? (?:to|with|towards?|in front of) ${PERSON}|\b(?:do not|don't|never|must not|should not|without) (?:ever )?(?:tell(?:ing)?|inform(?:ing)?|let(?:ting)?|notify(?:ing)?|alert(?:ing)?|warn(?:ing)?) ${PERSON}(?: (?:anything|a thing|know))?(?: (?:about|of) ${DEED}| what (?:you|was|happen)|[.!]|$)|\b(?:say|tell|reveal|mention|report|disclose)(?: ${PERSON})? nothing (?:of|about|on|to)\b|\bnot a word (?:of|about|to|on)\b|\b(?:keep|leave) (?:all )?${DEED} (?:all |strictly |completely )?(?:to yourself|a secret|secret|quiet|between us|unsaid|unmentioned|(?:away |hidden |secret |private )?from ${PERSON})|\b${PERSON} (?:(?:does|do|must|should|need|may|can|will|shall)(?: not|n't| never)|cannot|never|needn't) (?:ever |have to |need to |be )?(?:know|hear|learn|notice|become aware|find out|be told|made aware|get to know|suspect|realise|realize)\b ?(?:of|about|that|this|it|what|anything|$|[.,;!])|\b${NOBODY} (?:must|should|may|needs to|shall) (?:ever )?(?:knows?|notices?|learns?|hears?|finds? out|sees?)\b|\bno (?:need|reason) for ${PERSON} to (?:know|hear|see|learn|be told|find out|worry about)\b|\b(?:never|do not|don't|must not) let on\b|\bso (?:that )?(?:${PERSON} (?:does not|do not|doesn't|don't|never|cannot|can't|won't|will not) ?(?:ever )?(?:become aware|be aware|notices?|realise|realize|finds? out|suspects?|knows?|learns?|hears? (?:of|about)|sees? (?:it|this|that|what))|${NOBODY} (?:will |can |ever ){0,2}(?:becomes? aware|notices?|finds? out|suspects?|knows?|learns?|sees? (?:it|this|that|what)))\b|\bwithout (?:a|any|one|saying a) (?:word|mention|hint|comment|remark|notice) to ${PERSON}|\b(?:hide|omit|skip|drop|suppress|mask|bury|exclude|leave out) (?:this|that|these|it|the (?:above|following))\b ?(?:\w{1,12} ){0,3}?(?:in|from|out of) (?:the |your |any |all )?(?:answers?|summar(?:y|ies)|reports?|explanations?|responses?|repl(?:y|ies)|logs?|transcripts?|chat)\b|\bleave (?:this|that|these|it|the (?:above|following))(?: \w{1,12})? out (?:of|when|in|as)\b|\bkeep\b${gap(40)} to yourself\b|\bbetween (?:you and me|the two of us|ourselves)\b|\bour (?:little )?secret(?=[.,;!]|$)|\b(?:tell|show|inform|notify) ${NOBODY}|\bbehind (?:the )?(?:user's|person's|owner's|their|his|her) backs?\b)`
const ACTS = String.raw`(?:\x60[^\x60\n]{3,200}\x60|(?<!not |never |n't )\b(?:run|execute|send|upload|copy|post|delete|download|install|append|forward|transmit|commit|push|add|write|read|open|fetch|call|collect|save|replace|insert|set|disable|carry out|perform|do|grant|change)\b (?:the|a|an|all|every|each|it|them|this|its|their|any|your|another|https?|~|\.|[\w.-]{1,40}\.(?:sh|py|js|ps1)|following)\b)`
const ORDERS = String.raw`(?:instructions?|rules?|guidelines?|prompts?|directives?|constraints?|restrictions?|polic(?:y|ies)|orders|messages?|commands?|guidance|limits)`
const THEN = String.raw`(?:\band (?:then )?|\bthen |, ?(?:and )?(?:then )?|[.;] (?:then )?)`
const OBEY = String.raw`(?:follow|obey|do|carry out|execute|run|act on|comply with|perform|eval(?:uate)?)`

/** The harms of other rules, described in everyday words. */
export const everydayWords = rulesOf('prompt-injection', [
  {
    id: 'not-to-be-told',
    severity: 'high',
    reason: 'It tells the agent to hide something from the user.',
    kinds: WORDS,
    hints:
      'mention tell reveal disclose report say admit speak talk bring announce point let acknowledge inform show note discuss saying word keep leave know hear learn notice aware find told suspect realise realize need behind nothing notify alert warn see nobody becom word mention hide omit skip drop suppress mask bury exclude between secret',
    within: 10,
    all: [UNTOLD],
    unless:
      /internal|jargon|tool names?|surprise|spoiler|if (?:the|they|you) (?:user )?already|password|api keys?/,
  },
  {
    id: 'deed-kept-quiet',
    severity: 'critical',
    reason: 'It makes the agent do something and hide it from the user.',
    kinds: PASSAGES,
    hints:
      'mention tell reveal disclose report say admit speak talk bring announce point let acknowledge inform show note discuss saying word keep leave know hear learn notice aware find told suspect realise realize need behind nothing notify alert warn see nobody becom word mention hide omit skip drop suppress mask bury exclude between secret',
    within: 240,
    all: [UNTOLD, pattern`${ACTS}`],
    unless:
      /internal|jargon|tool names?|surprise|spoiler|if (?:the|they|you) (?:user )?already|password|api keys?/,
  },
  {
    id: 'earlier-orders-belittled',
    severity: 'critical',
    reason: 'It tells the agent to disregard what the system or the user said.',
    kinds: WORDS,
    hints:
      'everything all anything nothing yourself think text above system previous earlier original document file replaces supersedes treat regard consider view pay give listen turn ignor disregard forget user person human questions irrelevant secondary free freed released exempt relieved excused exception bind count counts apply applies matter matters hold holds tests show',
    within: 10,
    all: [
      pattern`(?:\b(?:treat|regard|consider|view|see)\b${gap(12)}\b(?:earlier|previous|prior|other|existing|system|old|former|above|preceding|safety|original) (?:\w{1,15} )?${ORDERS}\b${gap(20)}\b(?:as|to be) (?:now |merely |only |just |a |mere ){0,3}(?:superseded|void|outdated|obsolete|replaced|cancell?ed|irrelevant|optional|expired|invalid|suggestions?|revoked|untrusted|null|withdrawn|noise|non-binding|not binding)|\b(?:pay no (?:attention|heed|mind)|give no (?:weight|thought|heed)|do not (?:listen|pay (?:any )?attention|give any weight)|turn a blind eye|take no notice|ignore|disregard|forget)(?: to| of)? (?:what(?:ever)?|anything|everything|all)\b${gap(10)}\b(?:system|user|developer|earlier|previous|person|operator|owner)(?:'s)?(?: (?:message|prompt|instructions?|rules?|text|part))?s? ${gap(12)}\b(?:says?|said|asks?|asked|tells?|told|wants?|wrote|contains?|demands?|requires?)\b|\b(?:user|person|human|owner)(?:'s)? (?:\w{1,12} )?(?:questions?|requests?|wishes|instructions?|messages?|goals?|tasks?|input|wants|needs) (?:is|are|do|does) (?:now |no longer |all )?(?:irrelevant|unimportant|secondary|not (?:matter|relevant|important|count)|to be ignored|of no (?:importance|interest|concern)|a pretext)\b(?! (?:to|for|when|if|in|until|unless|here because))|\b(?:the|your|these|those|all|any) (?:\w{1,12} )?(?:rules|instructions|orders|restrictions|guidelines|directives)\b${gap(80)}\b(?:(?:do|does|did) not|don't|no longer|never) (?:bind|count for you|concern you|apply to you|hold for you|restrict you)\b|\b(?:what(?:ever)?|anything|everything|all) (?:that )?you (?:were|have been|had been) (?:told|given|taught|asked|instructed)\b${gap(40)}\b(?:no longer|does not|doesn't|do not) (?:counts?|apply|applies|matters?|holds?|binds?)\b|\b(?:everything|all|anything|the text|what(?:ever)?) (?:that (?:is|was|stands|stood) |stands )?(?:above|before|earlier)(?: this)?(?: (?:line|point|file|text|document))? (?:is|was|were) (?:only |just |all |now )?(?:a |an )?(?:test|draft|joke|placeholder|void|obsolete|to be (?:ignored|dropped|forgotten))\b|\b(?:system (?:prompt|message)|(?:previous|earlier|original) (?:instructions|rules|guidelines)) (?:is|are|was|were) (?:only |just |now )?(?:a |an )?(?:draft|test|joke|placeholder|suggestions?|obsolete|void|fake|optional)\b|\bthis (?:document|file|skill|text) (?:now )?(?:replaces|supersedes|supplants|outranks) (?:the system (?:prompt|message)|your (?:instructions|rules|guidelines)|(?:all|every|any) (?:earlier|other|previous))\b|\b(?:consider|regard|think of|see) yourself (?:as )?(?:unbound|free (?:of|from)|exempt|released|unrestricted|above)\b|\bnothing (?:that )?(?:the )?(?:user|person|human)\b${gap(40)}\b(?:may|can|must|should|will) (?:change|stop|alter|override|interrupt|keep you from)\b|\byou(?: are|'re) (?:now |hereby |completely ){0,2}(?:free|freed|released|exempt|exempted|relieved|excused) (?:of|from) (?:(?:all|any|your|the|every|these) ){1,3}(?:\w{1,12} )?(?:guidelines|rules|restrictions|polic(?:y|ies)|limits|obligations|instructions)\b|\b(?:rules|guidelines|policies|restrictions|limits)\b${gap(20)}\b(?:an exception for|exempt|do not cover|not cover)\b${gap(12)}\b(?:this (?:skill|file|document|task)|you)\b|\b(?:what(?:ever)?|anything|everything|all) (?:that )?(?:the |your |any )?(?:operator|system|developer|owner|user|admin\w{0,10}|system (?:prompt|message)|person)\b${gap(10)}\b(?:wrote|said|told|asked|says|ordered|wanted|set)\b${gap(40)}\b(?:no longer|does not|doesn't|do not) (?:counts?|apply|applies|matters?|holds?|binds?)\b)`,
    ],
    unless: /if (?:the )?user'?s? (?:\w{1,12} )?(?:question|request)|do not treat|never treat|when the/,
  },
  {
    id: 'cover-story',
    severity: 'critical',
    reason: 'It gives the agent a false answer for when the user asks what was done.',
    kinds: WORDS,
    hints: 'asks asked questions wonders notices complains ask suspicious',
    within: 10,
    all: [
      pattern`\b(?:if|when(?:ever)?|should|in case|once)\b ?(?:${PERSON} )?(?:asks?|asked|questions?|wonders?|notices?|complains?|gets suspicious|becomes suspicious|inquires?|enquires?)\b${gap(40)}\b(?:say|answer|reply|claim|tell (?:them|him|her|the user)|respond|state|insist|explain|assure them|blame)\b${gap(12)}(?:\bnothing (?:else|more|was|has|happened|unusual|is|out of)|\b(?:it|this|that|these|they) (?:is|was|are|were) (?:just |only |merely |all ){0,2}(?:a |an |part of |due to )?(?:\w{1,12} )?(?:routine|normal|standard|maintenance|glitch|usual|harmless|required by|network (?:error|problem)|bug\b|update\b)|\byou (?:did not|didn't|do not|don't|know nothing|have no (?:idea|knowledge)|never)\b|\b(?:the |a )(?:network|disk|system|provider|update|hardware)\b${gap(10)}$)`,
    ],
    unless: /support(?:ed|s)?\b|available|have access|capab|recommend/,
  },
  {
    id: 'decoded-and-obeyed',
    severity: 'critical',
    category: 'obfuscation',
    reason: 'It makes the agent decode or assemble a hidden text and follow it.',
    kinds: WORDS,
    hints:
      'decod decrypt decipher unscrambl deobfuscat base64 rot13 revers join concatenat combin put assembl piece string translat convert read turn take change transform restore + run execut follow obey do carry evaluat eval perform act comply',
    within: 10,
    all: [
      pattern`(?:\b(?:decode|decrypt|decipher|unscramble|deobfuscate|base64[- ]decode|un-?rot13|translate)\b(?! the (?:jwt|token|response))${gap(80)}${THEN}(?:${OBEY}) (?:what(?:ever)?\b|it\b|the (?:result|output|outcome|decoded|decrypted|text|commands?|message|instructions?|payload|plain ?text)\b|them\b|exactly what|as (?:it|told|instructed))|\b(?:join|concatenate|combine|put together|assemble|piece together|string together|reverse|read|take|convert|turn|change|transform|restore)\b${gap(40)}\b(?:letters?|characters?|pieces|parts|fragments|base64|rot13|hex\w{0,8}|comments?|chunks|bytes|emojis?|every (?:second|third|other) \w{1,12}|backwards)\b${gap(50)}${THEN}(?:${OBEY}) (?:what(?:ever)?\b|it\b|the (?:result\w{0,3}|output|outcome|decoded|text|commands?|message|instructions?|sentence)\b|them\b|as (?:it|told|a command|instructed)))`,
    ],
    unless: /\bmodel\b|dataset|genome|sequence|test(?:s|ing)?\b|sandbox|jq\b|schema|if the user/,
  },
  {
    id: 'remote-text-followed',
    severity: 'critical',
    reason: 'It makes the agent fetch a page and follow it, so the owner of that page controls the agent.',
    kinds: WORDS,
    hints:
      'fetch load get download open read visit retriev check pull curl request go look see + http https + follow obey do carry act comply perform execut run',
    within: 10,
    all: [
      pattern`\b(?:fetch|load|get|download|open|read|visit|retrieve|check|pull|curl|request|go to|look at|see)\b${gap(50)}https?:\/\/(?!localhost|127\.)[^\s]{3,140}${gap(40)}${THEN}${gap(10)}\b${OBEY} (?:exactly |precisely |simply |just )?(?:what(?:ever)?(?:'s)?\b|everything\b|all (?:that|of it|it|the)\b|as (?:it|told|written there)|(?:it|them) to the letter|anything\b|its (?:orders|contents?|text|instructions|commands))`,
    ],
    unless:
      /\bdocs?\.|\/docs?\/|do not|don't|never|untrusted|install(?:ation)? (?:guide|instructions)|github\.com/,
  },
  {
    id: 'address-fetched-and-run',
    severity: 'critical',
    category: 'supply-chain',
    reason: 'It tells the agent to download a program from an address and start it.',
    kinds: WORDS,
    hints: 'download fetch get grab curl wget retriev pull obtain save load + http https',
    within: 10,
    all: [
      pattern`\b(?:download|fetch|get|grab|curl|wget|retrieve|pull|obtain|save|load)\b${gap(50)}https?:\/\/(?!localhost|127\.)[^\s]{3,140}${gap(60)}(?:\b(?:run|execute|launch|start|source|chmod|invoke) (?:it\b|them\b|the (?:file|binary|script|program|result|installer|download|code)\b|as root|that\b|\+x|0?7\d\d)|\bmake (?:it|them|the file) executable\b|\bpipe it (?:in)?to\b)`,
    ],
    unless: new RegExp(
      `${KNOWN_INSTALLERS.source}|checksum|verify|sha256|signature|github\\.com\\/[\\w.-]{1,60}\\/[\\w.-]{1,60}\\/releases|do not|never|don't|hugging ?face|dataset`,
    ),
  },
  {
    id: 'secret-variable-shown',
    severity: 'critical',
    category: 'credentials',
    reason: 'It tells the agent to write a secret from the environment where others can see it.',
    kinds: WORDS,
    hints:
      'print show display include output reveal echo paste write tell give repeat put quote append add log embed',
    within: 10,
    all: [
      pattern`\b(?:print|show|display|include|output|reveal|echo|paste|write|tell|give|repeat|put|quote|append|add|log|embed)\b${gap(40)}(?:contents? of (?:the |my |your )?(?:file )?\x60?[\w.\/~-]{0,40}?(?:\.env|\.netrc|id_rsa|id_ed25519|credentials|\.npmrc)\b|(?:\$\{?(?:env:)?|process\.env\.|%)\w{0,40}(?:key|token|secret|passw(?:or)?d|credentials?)\w{0,20})${gap(40)}\b(?:in|into|to|at|with|as)\b${gap(16)}\b(?:answers?|repl(?:y|ies)|responses?|messages?|reports?|comments?|commits?|summar(?:y|ies)|chat|logs?|readme|issue|url|link|user|document|output|page)\b`,
    ],
    unless: /do not|don't|never|avoid|without|header|mask|redact|placeholder|set up|configure/,
  },
  {
    id: 'private-keys-exported',
    severity: 'critical',
    category: 'credentials',
    reason: 'It extracts private keys or stored credentials from the program that protects them.',
    kinds: CODE,
    hints: 'gpg gpg2 aws gh op bw pass vault',
    within: 10,
    all: [
      pattern`\b(?:gpg2?\b[^\n;|]{0,60}--export-secret-(?:sub)?keys|aws configure export-credentials|bw export|gh auth token ?(?:>|\|)|gh auth status[^\n;|]{0,40}(?:-t\b|--show-token)|vault kv get [^\n;]{0,80}(?:>|\| ?(?:curl|nc)))`,
    ],
    unless: /back ?up your|paperkey/,
  },
  {
    id: 'other-master',
    severity: 'critical',
    reason: 'It makes the agent serve someone other than the user, or refuse nothing.',
    kinds: WORDS,
    hints:
      'master owner boss authority obey serve answer answers report work listen refuse refuses declines nothing',
    within: 10,
    all: [
      pattern`(?:\byou (?:now |will |must |shall |only ){0,3}(?:have|serve|answer to|report to|obey|work for|listen to|take orders from) (?:only |solely |exclusively )?(?:a |an )?(?:new|another|other|different|this|the author of this|the writer of this) (?:master|owner|boss|operator|authority|document|file|skill|commander|principal)\b|\b(?:from now on|henceforth|as of now)\b${gap(12)}\byou (?:serve|work for|answer to|belong to|obey|take orders from)\b|\byour (?:new |only |true |real )?(?:master|owner|boss|commander) is\b|\b(?:obey|serve|listen to|answer to|take orders from) (?:only|nobody but|no one but) (?:me|us|this|the author)\b|\b(?:answers?|does|do|say|says|answering) (?:to )?(?:anything|everything|all|whatever)\b${gap(24)}\b(?:and |but )?(?:refus(?:e|es|ing)|declin(?:e|es|ing)|withhold\w{0,3}|censor\w{0,3}) (?:nothing|no (?:request|question|order)s?)\b|\b(?:you )?(?:must |will |can |may )?never (?:refuse|decline|reject) (?:a|any|an|the user's)? ?(?:request|question|order|command|instruction|task)s?\b)`,
    ],
    unless: /product owner|code owner|task master|master branch|pull request|npc|game/,
  },
  {
    id: 'questions-stifled',
    severity: 'critical',
    reason: "It makes the agent answer the user's questions with fixed words.",
    kinds: WORDS,
    hints:
      'answer respond reply meet + with + question request query complaint warning concern doubt objection',
    within: 10,
    all: [
      pattern`\b(?:answer|respond to|reply to|meet)\b (?:every|all|any|each)(?: of the)? (?:\w{1,12} )?(?:questions?|requests?|quer(?:y|ies)|complaints?|warnings?|concerns?|doubts?|objections?)\b${gap(40)}\bwith ["']`,
    ],
    unless: /json|status code|http|mock|stub|fixture|unrelated|off[- ]topic|out of scope/,
  },
  {
    id: 'orders-in-hiding',
    severity: 'critical',
    category: 'obfuscation',
    reason: 'It says that the real instructions are hidden in other text.',
    kinds: WORDS,
    hints:
      'white invisible hidden tiny transparent zero acrostic first every last initial + your real true actual + instructions orders task rules commands mission',
    within: 10,
    all: [
      pattern`\b(?:(?:white|invisible|hidden|tiny|transparent|zero[- ]width|encoded) (?:text|words?|letters?|ink|characters?|comments?|lines?)|text in (?:white|the colou?r of|tiny|an invisible)\b|acrostic|(?:first|last|initial) (?:letters?|words?)|every (?:second|third|fourth|other|nth|\d{1,2}(?:th|rd|nd)) (?:word|letter|character|line))\b${gap(90)}\b(?:your (?:\w{1,10} )?|(?:real|true|actual) )(?:instructions?|orders|tasks?|rules|commands?|mission)\b`,
    ],
    unless: /detect|attackers?|inject|check for|scan|look for|ignore|never|do not/,
  },
  {
    id: 'personal-folder-sent',
    severity: 'critical',
    category: 'exfiltration',
    reason: "It copies the user's own folders to another computer.",
    kinds: CODE,
    hints: 'rclone scp rsync aws gsutil sftp',
    within: 10,
    all: [
      pattern`\b(?:rclone (?:copy|sync|move)|scp|rsync|aws s3 (?:cp|sync|mv)|gsutil (?:-m )?(?:cp|rsync))\b[^\n;|]{0,60} ["']?(?:~|\$home|\$\{home\}|\/home\/\w{1,20}|\/users\/\w{1,20})(?:\/(?:documents|desktop|pictures|photos|downloads|mail|library|private))?(?:\/\*?)?["']? [^\n;|]{0,40}[\w\/]:`,
    ],
    unless: /your-|<|localhost/,
  },
  {
    id: 'put-where-it-starts',
    severity: 'critical',
    category: 'persistence',
    reason: 'It tells the agent to put a program where the system starts it automatically.',
    kinds: WORDS,
    hints: 'profile rc init cron launchagents launchdaemons autostart startup ld xdg',
    within: 10,
    all: [
      pattern`\b(?:copy|move|put|place|drop|save|write|install|link|add|store|append|cp|mv)\b${gap(70)}(?:\/etc\/(?:profile\.d|rc\.local|init\.d|cron\.\w{1,8}|cron\.d|crontab|ld\.so\.preload|xdg\/autostart|update-motd\.d)|library\/launch(?:agents|daemons)|\.config\/autostart|start menu[\\\/]programs[\\\/]startup|\bshell:startup)`,
    ],
    unless: /do not|don't|never|if (?:the )?user|user (?:asks|wants)|optional|logrotate|certbot/,
  },
  {
    id: 'secrets-gathered',
    severity: 'critical',
    category: 'credentials',
    reason: 'It makes the agent collect keys and passwords that it finds, or ask for them.',
    kinds: WORDS,
    hints:
      'collect gather harvest record save store note write keep log remember ask asking copy + keys key passwords password tokens token credentials credential secrets secret seed recovery mnemonic pin cvv',
    within: 10,
    all: [
      pattern`(?:\b(?:collect|gather|harvest|record|save|store|note|write down|keep|log|remember|copy)\b${gap(16)}\b(?:api keys?|passwords?|(?:access |auth )?tokens?|credentials?|secrets|private keys?)\b${gap(8)}\b(?:that |which |as |whenever |when |if )?(?:you|the user|users|they|people)\b${gap(8)}\b(?:find|come across|see|encounter|types?|enters?|stumble|meet|uses?|mentions?|notice|reads?|pastes?)\b|\bask(?:ing)? for (?:the |their |a |his |her |your )?(?:user's )?(?:seed phrase|recovery (?:phrase|words|codes?)|private keys?|mnemonic|(?:bank|wallet|e-?mail|mail|account|login|admin|root|sudo|computer|system) password|cvv|(?:bank )?pin\b))`,
    ],
    unless:
      /do not|don't|never|must not|avoid|redact|mask|without|secret manager|vault|keychain|1password|securely/,
  },
  {
    id: 'home-wiped',
    severity: 'critical',
    category: 'destructive',
    reason: "It tells the agent to delete the user's own folders.",
    kinds: WORDS,
    hints: 'delete remove erase wipe purge trash shred empty overwrite replace destroy clear clean rid get',
    within: 10,
    all: [
      pattern`(?<!not |never |n't )\b(?:delete|remove|erase|wipe|purge|trash|shred|empty|overwrite|destroy|clear out|clean out|get rid of)\b${gap(30)}\x60?(?:~|\$home|\$\{home\}|\/home\/\w{1,20}|\/users\/\w{1,20})(?:\/(?:documents|desktop|pictures|downloads|photos|music|videos|mail|library))?\/?\*?\x60?(?=[ .,;]|$)|\b(?:replace|overwrite) the contents? of (?:every|all|each) (?:\w{1,12} ){0,2}files? with\b|\b(?:delete|remove|erase|wipe|purge|destroy)\b${gap(12)}\x60?\.git\/?\x60? (?:folders?|director\w{1,3}) (?:of|in|from) (?:every|all|each|any|the user's)\b`,
    ],
    unless: /do not|don't|never|if (?:the )?user|confirm|temp/,
  },
  {
    id: 'each-thing-reported',
    severity: 'critical',
    category: 'exfiltration',
    reason: "It makes the agent report the user's actions, or a secret, to an address.",
    kinds: WORDS,
    hints:
      'each every any all secret private password github_token session_token stripe_secret_key aws_secret_access_key + http https',
    within: 10,
    all: [
      pattern`(?:\b(?:each|every|any|all)(?: of the)? (?:files?|messages?|prompts?|documents?|commands?|pages?|e-?mails?|notes?) (?:that )?(?:you|the user|they|he|she) (?:\w{1,12})\b(?:[^;!?\n]{0,80}?)\b(?:to|at|with) https?:\/\/(?!localhost|127\.)\w|\b\w{0,30}(?:secret|private_key|passw(?:or)?d|github_token|session_token)\w{0,20}\b\x60?${gap(40)}\b(?:add|append|put|include|pass|send|attach|insert)\b${gap(40)}\b(?:query|url|parameters?|address|body|path)\b${gap(20)}\b(?:of|to|for|with|in)\b${gap(12)}https?:\/\/(?!localhost|127\.)\w)`,
    ],
    unless:
      /user (?:asks|wants|requests|provides)|do not|don't|never|documented|described|according to|api\.\w{2,20}\.\w{2,6}\/v\d|oauth|client_secret/,
  },
  {
    id: 'remote-script-run',
    severity: 'critical',
    category: 'supply-chain',
    reason:
      'It makes the agent run a script directly from an address, whatever that script contains by then.',
    kinds: WORDS,
    hints: 'run execute start launch use + http https',
    within: 10,
    all: [
      pattern`\b(?:run|execute|start|launch|use)\b (?:the |this |our |a |my ){0,2}(?:(?:latest|newest|current|most recent|up-to-date) (?:version|copy|release|build) of (?:the |this |our )?)?(?:\w{1,12} )?(?:scripts?|payload|binary|executable|helper)\b (?:that is |which is )?(?:at|from|behind|under|hosted (?:at|on))(?: the address)? \x60?https?:\/\/(?!localhost|127\.)\w`,
    ],
    unless: new RegExp(
      `${KNOWN_INSTALLERS.source}|checksum|verify|github\\.com\\/[\\w.-]{1,60}\\/[\\w.-]{1,60}\\/releases|do not|never|don't`,
    ),
  },
  {
    id: 'approves-itself',
    severity: 'critical',
    category: 'privilege-escalation',
    reason: 'It makes the agent approve its own actions, or act with rights that no one gave it.',
    kinds: WORDS,
    hints: 'approve confirm accept allow authoriz authoris grant act',
    within: 10,
    all: [
      pattern`(?:\b(?:approve|confirm|accept|allow|authori[sz]e|grant)\b (?:every|each|all|any)(?: of the)? (?:\w{1,12} ){0,2}?(?:tool calls?|commands?|actions?|requests?|permissions?|prompts?|dialogs?)\b ?(?:by yourself|yourself|on your own|automatically|without (?:asking|waiting|the user|review)|for the user|in (?:the user's|their) (?:name|place|stead))|\bact\b${gap(16)}\bas (?:the |an? )?(?:owner|administrator|admin|root|superuser|operator) of (?:this|the) (?:machine|system|computer|server|network)\b)`,
    ],
    unless: /do not|don't|never|must not|if (?:the )?user/,
  },
])
