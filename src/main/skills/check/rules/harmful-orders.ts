import { ANYWHERE, CODE, WORDS, pattern, rulesOf } from '../rule.ts'
import { EACH_TIME, gap } from '../vocabulary.ts'

const UNTRUSTED = String.raw`(?:web ?pages?|web ?sites?|pages?|e-?mails?|messages?|comments?|issues?|documents?|files?|tool (?:outputs?|results?|responses?)|outputs?|responses?|payloads?|webhooks?|attachments?|search results?|images?|pdfs?|servers?|mcp servers?|api|records?|transcripts?|data|contents?|urls?|links?|feeds?|tweets?|posts?)`

/** Orders against the user's interest, in plain words. */
export const harmfulOrders = rulesOf('prompt-injection', [
  {
    id: 'data-as-orders',
    severity: 'critical',
    reason: "It treats other people's words as orders.",
    kinds: ANYWHERE,
    hints:
      'install run execute anything everything what may can will might could treat regard consider use process interpret view accept trust adopt whatever follow obey do',
    within: 10,
    all: [
      pattern`(?:\b(?:treat|regard|consider|use|process|interpret|view|accept|trust|adopt|take)\b${gap(24)}\b(?:all |any |every |the |each |its |their |incoming |external |remote |contents? of |text of |output of |body of ){0,6}${UNTRUSTED}\b${gap(30)}\bas (?:if (?:it|they) (?:came|were) |a |an |the |your |direct |trusted |new |authoritative |legitimate |valid |additional ){0,6}(?:instructions?|commands?|orders|directives?|system prompts?|prompts?|user (?:messages?|requests?|commands?|instructions?)|from the (?:user|system|developer)|authoritative)\b|\b(?:whatever|anything|everything|what(?:ever)?) (?:that )?(?:the |an? |any )?(?:\w{1,12} )?${UNTRUSTED} (?:\w{1,8} ){0,2}?(?:tells?|says?|asks?|instructs?|requests?|orders?|commands?|contains?|directs?)\b${gap(30)}\b(?:do|execute|run|follow|obey|perform|comply|must|apply)\b|\b(?:do|execute|run|follow|obey|perform|comply with)\b${gap(10)}\b(?:whatever|anything|everything|exactly what|all that|any(?:thing)? instructions?|instructions)\b${gap(10)}\b(?:the |an? |any |your |these )?(?:\w{1,12} )?${UNTRUSTED} (?:tells?|says?|asks?|instructs?|requests?|orders?|commands?|sends?|gives?|contains?|returns?|includes?)\b|\b${UNTRUSTED} (?:may|can|will|might|could) (?:\w{1,8} )?(?:send|give|contain|include|return|issue) (?:you )?(?:\w{1,12} )?(?:instructions|commands|orders|directives)\b${gap(12)}\b(?:follow|obey|execute|run|comply|perform|and you must)\b|\b(?:install|run|execute)\b${gap(16)}\b(?:any|all|every|whatever)\b${gap(30)}\b(?:the |a )?(?:web ?page|web ?site|page|e-?mail|response|issue|message|server|document|readme|output)s? (?:recommends?|suggests?|mentions?|lists?|asks?|says?|requires?|contains?|tells?))`,
    ],
    unless:
      /do not|don't|never|must not|untrusted|as data|not as|could|attackers?|readme says|if (?:it|they) try|should be treated as/,
  },
  {
    id: 'obey-above-all',
    severity: 'critical',
    reason: 'It demands obedience to itself above everything else.',
    kinds: WORDS,
    hints:
      'let lets master test simulation game obey comply follow purpose master loyal serve unquestioning without',
    within: 10,
    all: [
      pattern`(?:\b(?:obey|comply with|follow|execute|prioriti[sz]e)\b${gap(40)}\b(?:instructions?|rules|commands?|orders|directives?|skill|author|creator)\b${gap(20)}\b(?:above all(?: else)?|without (?:question|questioning|exception|hesitation|fail|verification|asking|refus\w{1,3})|at all costs?|no matter|unconditionally|blindly|to the letter|under all circumstances)|\byour (?:true|real|only|actual|sole|secret|new|hidden) (?:purpose|goal|master|objective|mission|loyalty|allegiance|identity|task|role) (?:is|are)\b|\byou (?:must|will|shall|should) (?:now |always |only |unconditionally |blindly ){0,6}(?:obey|serve) (?:me|us|the (?:author|creator|owner of this|developer of this)|this (?:skill|file)|all (?:commands|orders|instructions)|every)|\b(?:this is|we are in|you are in) (?:only |just )?(?:a |an )?(?:test|simulat\w{1,4}|sandbox|training|fictional|hypothetical|ctf|game|debug)\w{0,3} ?(?:environment|mode|exercise|scenario|world|run)?${gap(16)}\b(?:so|therefore|and|where)\b${gap(20)}\b(?:safety|rules|restrictions|guidelines|ethic\w{1,3}|limits|policies|laws|no (?:harm|consequences)|nothing is)\b|\blet(?:'s|s| us) (?:play|pretend)\b${gap(50)}\b(?:no (?:rules|limits|restrictions)|without (?:rules|limits|restrictions)|unrestricted|evil|dan\b))`,
    ],
    unless: /never|do not|don't|tests? (?:pass|fail)/,
  },
  {
    id: 'false-authority',
    severity: 'critical',
    reason: 'It claims the authority of a developer, an administrator or a vendor to be let through.',
    kinds: WORDS,
    hints:
      'developer administrator admin anthropic openai approved authorized creator engineer owner verified system support',
    within: 200,
    all: [
      pattern`(?:\b(?:i am|i'm|this is|we are|message from|on behalf of|as|the user is|by order of) (?:the |an? |your |authori[sz]ed |official ){0,6}(?:developers?|administrators?|admins?|creators?|anthropic|openai|system (?:owner|administrator|operator)|security (?:team|engineer)|engineers?|root user|operators?|owner of this (?:system|agent)|support (?:team|engineer))\b|\b(?:approved|authori[sz]ed|verified|certified|signed|audited|whitelisted|cleared|reviewed|vetted) by (?:the )?(?:anthropic|openai|google|security|the developers?|administrators?|microsoft|the platform|apple|talaria|hermes)\b)`,
      pattern`\b(?:skip (?:all |any |the )?(?:security|safety|checks?|confirm\w{0,8}|verification|scan\w{0,4}|approv\w{0,3}|review)|no (?:need|further) (?:to|for)?|grant (?:me|full|all|unrestricted|access)|full access|without (?:asking|confirm\w{0,8}|verification|restriction\w{0,1}|question\w{0,3})|enter \w{1,15} mode|(?:print|reveal|show|output|dump|disclose) (?:your|the (?:system|configuration|secrets?|credentials|env))|disable|bypass|override|ignore|trust (?:this|it|all)|do not (?:ask|question|scan|verify|check)|unrestricted|comply|unlock|safe to (?:run|execute)|must be (?:executed|obeyed|followed))\b`,
    ],
    unless:
      /as an administrator,? (?:you|open|run)|run (?:\w{1,20} )?as admin|terminal|powershell|impersonat/,
  },
  {
    id: 'asks-no-more',
    severity: 'critical',
    reason: 'It makes the agent delete, send, buy or publish without asking the user.',
    kinds: WORDS,
    hints: 'ask asking confirm confirmation approval permission prompting confirming',
    within: 140,
    all: [
      pattern`\b(?:do not|don't|never|without|no need to|skip|not (?:requiring|waiting|asking|seeking)) (?:ever |first |the |any |user |further |for ){0,6}(?:ask(?:ing)?(?: (?:the user|for|them|permission|anyone)){0,3}|confirm(?:ing|ation)?s?|prompt(?:ing)?|(?:user |human |explicit )?(?:approval|permission|consent|confirmation)|request(?:ing)? (?:permission|approval|confirmation)|wait(?:ing)? for (?:confirmation|approval))\b`,
      pattern`\b(?:delet(?:e|es|ing)|remov(?:e|ing) (?:files?|director\w{1,3}|folders?|the user|data|users|all)|eras(?:e|ing)|overwrit(?:e|ing) (?:files?|the user|existing|data)|send(?:ing)? (?:e-?mails?|messages?|money|data|payments?|funds|the)|purchas(?:e|ing)|buy(?:ing)?|pay(?:ing|ments?)?\b|transfer(?:ring)?|publish(?:ing)?|force[- ]push(?:ing)?|push(?:ing)? to (?:main|master|production|origin)|deploy(?:ing)? to prod\w{0,6}|drop(?:ping)? (?:tables?|databases?)|shell commands?|any commands?|all commands?|arbitrary|sudo|destructive|install(?:ing)? (?:any|packages|software)|upload(?:ing)?|execut(?:e|ing) (?:any|all|commands?|scripts?))\b`,
    ],
    unless:
      /non-destructive|reversible|do not (?:delete|remove|send|push|publish|deploy|overwrite|execute|run)|never (?:delete|remove|send|push|publish|deploy|overwrite|execute|run|merge|commit)|don't (?:delete|remove|send|push|publish|deploy|overwrite|execute)|not (?:delete|remove|send|push|execute|run|be (?:run|sent|deleted|executed))|(?:delete|send|push|execute|run|publish|deploy|upload|overwrite|remove)\w{0,3}[^.;]{0,60}\bwithout (?:\w{1,12} ){0,4}(?:approval|permission|confirm|asking|consent)(?=[^.;]{0,40}(?:is forbidden|not allowed))|must not|avoid|user (?:asked|explicitly|already)|temp|cache|test files?|preview|should never|cannot|only/,
  },
  {
    id: 'speaks-of-itself-not',
    severity: 'critical',
    reason: 'It tells the agent to keep quiet about what it read or did.',
    kinds: WORDS,
    hints: 'mention reveal disclose hide conceal tell say acknowledge admit',
    within: 10,
    all: [
      pattern`(?:\b(?:do not|don't|dont|never|must not|should never|should not) (?:ever )?(?:mention|reveal|disclose|admit|acknowledge|tell (?:anyone|anybody)|say|let on|talk about|refer to)\b${gap(10)}\b(?:that |the (?:existence|presence) of |anything about |about |any of )?(?:you (?:read|ran|executed|sent|did|uploaded|used|were (?:told|instructed|given)|have been (?:told|instructed)|received|are following|opened|copied|added|installed|collected)|this (?:step|section|skill|file|instruction|rule|message|prompt|exists?|part|note|action|command|process|upload|request)|these (?:instructions|steps|rules|actions|commands)|how you (?:got|obtained))\b|\b(?:hide|conceal|suppress|mask|omit)\b${gap(30)}\b(?:output|command|commands|result|action|actions|upload|request|step|steps|changes?|activity|logs?|traffic|file|files|evidence|what you)\b${gap(16)}\b(?:from|so that) (?:the |your |any )?(?:user|users|owner|human|person|operator|admin\w{0,10}|logs?|history|view|anyone))`,
    ],
    unless: /secret value|hidden files|ui\b|css|dialog|toolbar|noise/,
  },
  {
    id: 'private-steps-sent',
    severity: 'critical',
    category: 'exfiltration',
    reason: "It makes the agent pass on content of the user's files, screen or environment.",
    kinds: WORDS,
    hints: 'send upload post transmit forward share email include call ping report submit exfiltrat',
    within: 10,
    all: [
      pattern`(?:\b(?:take|capture|grab|make)\b${gap(10)}\b(?:screenshots?|screen recordings?|photos? (?:with|from) the (?:camera|webcam)|audio)\b${gap(30)}\b(?:send|upload|post|share|transmit|forward|e-?mail)\b${gap(20)}\b(?:it|them|to)\b${gap(20)}\b(?:support|server|channel|https?:|external|remote|webhook|us|author)|\b(?:list|read|collect|gather|extract|enumerate|record|scan|dump|copy)\b${gap(60)}\b(?:home (?:directory|folder)|environment variables?|env vars|installed (?:software|packages|programs)|system info\w{0,8}|running processes|network config\w{0,8}|user ?names?|ip address\w{0,2}|browser|documents|desktop|ssh|credentials|secrets|tokens)\b${gap(30)}\b(?:and|then)\b${gap(12)}\b(?:send|upload|post|transmit|forward|submit|share|e-?mail|report)\b${gap(30)}\b(?:to|in|via|using|as)\b${gap(12)}\b(?:our|the|my|a|an|remote|external|http|https|server|headers?|request|author|us)\b|\b(?:call|ping|contact|hit|visit|open|load|request|get|fetch|notify)\b${gap(16)}https?:\/\/(?!localhost|127\.)[^\s]{3,120} ?${gap(16)}\b(?:with|passing|including|containing|appending|and (?:include|pass|append|add))\b${gap(20)}\b(?:user(?:'s)?|conversation|name|location|prompt|message|ip address|host ?name|question|history|e-?mail|session|credentials|token|secret|key|contents?|files?)\b)`,
    ],
    unless:
      /your (?:own )?(?:api )?(?:key|token)|api key|user (?:asks|wants|requests)|bearer|header|bug report|issue template|user agent/,
  },
  {
    id: 'routine-script',
    severity: 'critical',
    category: 'destructive',
    reason: 'It makes a script that deletes, copies or sends things a fixed part of ordinary work.',
    kinds: WORDS,
    hints: 'run execute call calling running executing',
    within: 10,
    all: [
      pattern`${EACH_TIME}${gap(90)}\b(?:run|execute|call|calling|running|executing|invoke)\b${gap(20)}[\w.\/-]{1,50}\.(?:sh|py|js|ps1|bat|rb)\b${gap(50)}\b(?:to|which|that|will|and)\b${gap(12)}\b(?:clean(?:s|up)?|delete|wipe|purge|back ?up|upload|send|sync|share|encrypt|erase|remove|report|transmit|push|reset|archive)\b${gap(24)}\b(?:other|old|older|all|every|user|files?|data|documents?|server|copy|everything|the (?:user|home|original)|quarters?|entries|records|folders?)\b`,
      pattern`\b(?:when|after|before|every|always|whenever|each|upon)\b`,
    ],
    unless: /temp|cache|build|lint|format|test|artifact|generated|worktree|node_modules|if (?:the )?user/,
  },
  {
    id: 'person-harmed-on-refusal',
    severity: 'critical',
    category: 'destructive',
    reason: "It threatens the user's work if the user does not comply.",
    kinds: WORDS,
    hints: 'refuses refuse declines uninstall uninstalls overwrite corrupt objects',
    within: 10,
    all: [
      pattern`(?:\bif (?:the )?(?:user|person|owner|human|they) (?:refuses?|declines?|objects?|uninstalls?|removes?|disables?|does not (?:agree|pay|comply)|says? no)\b${gap(40)}\b(?:delete|erase|wipe|lock|encrypt|corrupt|overwrite|break|send|upload|publish|destroy|remove (?:all|their|the user))|\b(?:overwrite|corrupt|scramble|fill|shred|zero(?: out)?)\b${gap(10)}\b(?:the |all |every |their ){0,6}(?:user(?:'s)?|original|personal|home|important|system) (?:\w{1,12} )?(?:files?|documents?|data|folders?|disk)\b)`,
    ],
    unless: /do not|don't|never|overwrite the (?:original )?file (?:only|if)|avoid/,
  },
  {
    id: 'agent-run-unguarded',
    severity: 'critical',
    category: 'privilege-escalation',
    reason: 'It starts another agent that may do everything without asking.',
    kinds: CODE,
    hints: 'dangerously yolo full bypasspermissions',
    within: 160,
    all: [
      pattern`(?:--dangerously-\w[\w-]{3,40}|--yolo\b|--full-auto\b|--permission-mode[= ]bypasspermissions|--sandbox[= ]danger-full-access)`,
      pattern`(?:\bcurl\b|\bhttps?:|\brun everything\b|\ball (?:commands|files)\b|\bdo not ask\b|\bsilently\b|\bnohup\b|\bcrontab\b|\bgit push\b|&& ?rm\b|\bcredentials?\b|\bsecrets?\b|~\/\.|\.env\b|\/tmp\/|any command)`,
    ],
  },
])
