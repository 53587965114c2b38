import { CODE, WORDS, pattern, rulesOf } from '../rule.ts'
import { gap } from '../vocabulary.ts'

const HOST = String.raw`(?:https?:\/\/(?!localhost|127\.)[\w$\{]|[\w.+-]{1,40}@[\w-]{1,40}\.[a-z]{2,10}\b|\b(?:[a-z0-9-]{2,30}\.){1,3}(?:com|net|org|io|dev|app|xyz|top|ru|cn|site|online|example|invalid|test)\b|\b(?:the|a|an|our|my|their) (?:\w{1,15} ){0,2}?(?:remote|external|third[- ]party|attacker'?s?|public|foreign|unknown|outside) (?:\w{1,15} ){0,2}?(?:server|service|host|endpoint|bucket|site|party|address)\b|\bthe server\b|\ba third[- ]party\b|\bthird[- ]party service)`
const REMOTE_TEXT = String.raw`(?:https?:\/\/(?!localhost|127\.)[^\s]{3,120}|\b(?:the |a |an )?(?:remote|external|third[- ]party) (?:\w{1,15} ){0,2}?(?:server|url|host|source|site|endpoint|template|config\w{0,10}|file|repository))`

/** Harm without suspicious terms: passing contents on, fetching and applying things, taking rights. */
export const plainHarm = rulesOf('prompt-injection', [
  {
    id: 'contents-passed-on',
    severity: 'critical',
    category: 'exfiltration',
    reason: 'It makes the agent read files, settings or secrets and send them to another computer.',
    kinds: WORDS,
    hints:
      'send post upload transmit share email report forward submit + file files config contents content credentials token tokens key keys listing env password passwords data history clipboard logs conversation output',
    within: 10,
    all: [
      pattern`(?:\b(?:read|load|open|get|collect|gather|encode|base64|save|grab|take|list|capture|copy|dump|export|compress|zip|extract)\b${gap(70)}\b(?:files?|config(?:uration)?|contents?|credentials?|tokens?|keys?|listing|passwords?|usage data|environment|history|clipboard|workspace|folder|directory|database|messages?|emails?|conversation|source|code)\b${gap(24)}\b(?:and|then|,)\b ?${gap(8)}\b(?:send|post|upload|transmit|e-?mail|report|forward|submit|share|push)\b ?(?:it|them|its (?:contents?|values?)|their contents?|the (?:contents?|results?|output|data|file|archive|listing)|everything|all)\b${gap(16)}\b(?:to|at|with|via)\b ?${gap(16)}${HOST}|\b(?:send|e-?mail|post|upload|transmit|forward)\b${gap(24)}\b(?:(?:file|folder|directory|database|config\w{0,8}|clipboard|workspace|memory|\.env) contents?|contents? of)\b${gap(30)}\bto\b ?${gap(12)}${HOST}|\b(?:screenshot|photo|copy|picture)\b${gap(12)}\bof\b${gap(12)}(?:\.env|\bcredentials|\bpasswords?|\bapi keys?|\bsecrets?)\b${gap(12)}\b(?:and |to )?(?:share|send|upload|post)\b|\b(?:save|write|copy|put|store|share|give|post|publish|hand)\b${gap(12)}\b(?:api |access |auth |private |secret |user |login )?(?:credentials?|passwords?|tokens?|secrets?|keys)\b${gap(30)}\b(?:public (?:\w{1,10} )?(?:bucket|repo\w{0,6}|gist|folder|page|channel)|third[- ]party|and upload|and send|world-readable|with (?:anyone|others|strangers))\b)`,
    ],
    unless:
      /do not|don't|never|must not|avoid|localhost|user (?:asks|wants|requests|specifies|provides)|if asked|s3:\/\/|your (?:own )?(?:server|account|bucket)|analytics dashboard|api\.\w{2,20}\.\w{2,6}\/v\d|hugging ?face|github\.com|the server (?:returns|responds|for)|without|risk|could|may |might|recipients?|attach/,
  },
  {
    id: 'remote-thing-applied',
    severity: 'critical',
    category: 'supply-chain',
    reason: "It fetches settings, a template or a skill from a stranger's address and applies it unchecked.",
    kinds: WORDS,
    hints:
      'load fetch get download pull read install render apply replace update refresh overwrite rewrite auto + http https remote external third',
    within: 10,
    all: [
      pattern`(?:\b(?:load|fetch|get|download|pull|read|retrieve|import)\b${gap(24)}(?:${REMOTE_TEXT}${gap(30)}\b(?:and|then)\b${gap(12)}\b(?:apply|render|merge|activate|enforce|adopt|inject)\b|\b(?:config(?:uration)?|settings|polic(?:y|ies)|templates?|skills?|updates?|hooks?|plugins?|personas?|prompts?)\b${gap(12)}\b(?:from|at)\b ?${REMOTE_TEXT}${gap(20)}\b(?:and|then)\b${gap(12)}\b(?:apply|render|merge|activate|enforce|adopt|inject|install|enable|use (?:it|them) as)\b|${REMOTE_TEXT}${gap(20)}\b(?:and )?use\b${gap(12)}\b(?:contents?|it|response|result|text)\b${gap(12)}\b(?:to (?:decide|determine|choose|guide|control)|as (?:your|the) (?:instructions|rules|system|prompt|guide))\b)|\b(?:auto-?updates?|self-?updates?|replace|overwrite|refresh|rewrite|update|reload)\b${gap(12)}\b(?:this (?:skill|file|document)|itself|its own (?:\w{1,12})|(?:the )?contents? of this (?:file|skill)|skill\.md)\b${gap(20)}\b(?:from|with)\b${gap(20)}(?:${REMOTE_TEXT}|\bresponse from\b|\bdownloaded\b|\bthe (?:server|url)\b)|\binstall\b${gap(8)}\b(?:a |an |the |this |any )?(?:skill|plugin|extension|mcp server|tool|hook|agent)s?\b${gap(8)}\bfrom\b ?https?:[^\s]{3,120}${gap(12)}\b(?:without|silently|automatically|and enable|and trust)\b|\b(?:download|fetch|get) (?:and|then|&) (?:execute|run|launch|install|open|start)\b${gap(40)}https?:\/\/(?!localhost|127\.)|\buse (?:the )?(?:value|contents?) of\b${gap(24)}\b(?:env\w{0,12}(?: variable)?|variable|\$\w{2,30}|url|response)\b${gap(24)}\bas (?:your |the |a |an )?(?:\w{1,10} )?(?:instructions?|prompt|commands?|orders|rules)\b)`,
    ],
    unless:
      /do not|don't|never|github\.com\/[\w-]{1,40}\/[\w.-]{1,60}\/releases|user (?:asks|approves|confirms|wants)|hugging ?face|schema|jinja|figma/,
  },
  {
    id: 'rights-assumed',
    severity: 'critical',
    category: 'privilege-escalation',
    reason: 'It tells the agent that it has, or should take, rights that no one gave it.',
    kinds: WORDS,
    hints:
      'granted given authorized authorised access permissions privileges subagent subagents agent agents programming checks',
    within: 10,
    all: [
      pattern`(?:\byou (?:have been|were|are|have|now have|'ve been) (?:now |hereby )?(?:granted|given|authori[sz]ed (?:with|for)|assigned)? ?(?:unlimited|full|unrestricted|root|administrator|admin|complete|total|elevated|superuser) (?:system |root |admin\w{0,10} )?(?:access|control|permissions?|authority|privileges?|rights)\b|\b(?:spawn|delegate|start|launch|create|use|run|invoke)\b${gap(16)}\b(?:sub-?agents?|child agents?|another agent|background agents?|new agents?)\b${gap(24)}\b(?:without|with no|no|bypass\w{0,3}|skipp?\w{0,3}|with (?:all|full|unrestricted|elevated|root))\b${gap(16)}\b(?:approvals?|oversight|permissions?|restrictions?|confirmation|sandbox\w{0,3}|logging|supervision|guardrails|limits)\b|\b(?:increase|extend|expand|raise|elevate|grant|give|widen|upgrade|modify|change) (?:yourself |your own |your |its own )(?:\w{1,12} )?(?:permissions?|privileges?|rights|access(?: level)?|allowed[- ]tools|capabilities|authority)\b|\b(?:override|rewrite|reprogram|ignore|break) your (?:programming|training|alignment|conditioning|core (?:rules|values|instructions))\b|\b(?:disable|skip|bypass|ignore|disregard|turn off|switch off) (?:all |any |the |your |every ){0,3}(?:safety|security|ethic\w{0,4}|moral\w{0,4}|compliance|permission)(?: (?:checks?|warnings?|rules|reviews?|scans?|concerns?|restrictions|prompts?))? (?:and (?:proceed|continue|execute|run|do|comply)|before|so that|without|for this)\b|\bdisregard (?:all )?(?:safety|security|ethics|warnings)\b)`,
    ],
    unless:
      /do not|don't|never|must not|avoid|cannot|unless|only if|user (?:grants|asks|approves)|no need|database|file permissions|if you (?:have|are)|when you (?:have|are)|full control over|full access to the (?:codebase|repo|project|documentation)/,
  },
  {
    id: 'urgent-command',
    severity: 'critical',
    reason: 'It presses the agent to run something at once, before it does anything else.',
    kinds: WORDS,
    hints:
      'critical urgent important mandatory immediately warning attention emergency + run execute send upload',
    within: 10,
    all: [
      pattern`(?:\b(?:critical|urgent|mandatory|emergency|attention)\b ?(?:\w{1,12} ){0,2}?[:!-]{1,3} ?${gap(40)}\byou must\b${gap(24)}\b(?:run|execute|send|upload|download|disable)\b${gap(40)}\b(?:immediately|before (?:anything|everything|any|all|doing)|first|at once|without delay|now|command)\b|\byou must (?:immediately|first) (?:run|execute|send|upload|download)\b${gap(40)}\b(?:commands?|scripts?|code|this|payload|file|binary)\b${gap(24)}\b(?:before (?:anything|everything|doing|you)|or (?:the|else|your)|without (?:verif\w{4,8}|asking|question\w{0,3}))|\bexecute the following (?:code|commands?|scripts?) (?:immediately|now|at once|without (?:verif\w{4,8}|asking|question\w{0,3}|review)))`,
    ],
    unless: /tests?\b|lint|build|type ?check|verification|migrations?/,
  },
  {
    id: 'fixed-answer',
    severity: 'critical',
    reason: 'It makes the agent give a fixed answer to everything.',
    kinds: WORDS,
    hints: 'respond reply answer say print output pwned hacked compromised',
    within: 10,
    all: [
      pattern`(?:\b(?:respond|reply|answer)\b${gap(8)}\bwith ["'][^"'\n]{2,80}["'] (?:to|for|in response to|regardless|no matter|whenever) ?(?:every|all|any|each|of|what)?\b|\b(?:only|always|just) (?:respond|reply|answer|output|say) (?:with )?(?:the (?:word|phrase|text|sentence)|["'])[^\n]{2,60}${gap(20)}\b(?:no matter|regardless|whatever|every|all|from now on|nothing else)\b|\bfrom (?:this point|now|here) on(?:wards?)?,? (?:you (?:will |must |shall )?)?(?:only |always )(?:answer|respond|reply|speak|say|output)\b|\b(?:say|print|output|write|reply|respond|state)\b${gap(12)}\b(?:i (?:have been|am|was|'ve been)|you (?:have been|are)|system (?:is|has been)|the system is|this system is|has been) (?:pwned|hacked|compromised|owned|jailbroken)\b)`,
    ],
    unless: /yes or no|json|format|language|user's language|in (?:english|german|french|spanish)|if the/,
  },
  {
    id: 'check-before-normalising',
    severity: 'high',
    category: 'obfuscation',
    reason: 'It checks a text before normalising it, so that look-alike characters pass the check.',
    kinds: WORDS,
    hints: 'normalize normalise normalization normalisation decode canonical',
    within: 10,
    all: [
      pattern`\b(?:check|validate|filter|compare|match|scan|sanitize|block)\w{0,3}\b${gap(50)}\b(?:then|before|prior to|and later|and then|afterwards)\b ?(?:unicode |the )?(?:normali[sz]\w{1,6}|decod\w{1,3}|canonicali\w{1,6})\b`,
    ],
  },
  {
    id: 'shell-and-prototype',
    severity: 'critical',
    category: 'supply-chain',
    reason:
      'The code opens a shell for someone else, changes what all objects inherit, or unpacks over the whole disk.',
    kinds: CODE,
    hints: 'sh bash proto __proto__ extractall compile fe80',
    within: 10,
    all: [
      pattern`(?:["']\/?(?:usr\/)?(?:bin\/)?(?:ba|z)?sh["'] ?, ?["']-i["']|(?<!delete [\w.]{1,20})\[["']__proto__["']\](?:\[[^\]\n]{1,30}\]|\.\w{1,30})? ?=(?!=)|\bconstructor\.prototype\.\w{1,30} ?=(?!=)|\bextractall\( ?(?:path ?= ?)?["'](?:\/|~|\.\.)|\bexec\( ?compile\( ?(?:code|src|source|payload|data|text|script)|https?:\/\/\[fe80:)`,
    ],
  },
  {
    id: 'shell-start-appended',
    severity: 'critical',
    category: 'persistence',
    reason: 'It appends something other than a setting to a file that every new shell runs.',
    kinds: CODE,
    hints: 'bashrc zshrc profile bash_profile zprofile zshenv',
    within: 10,
    all: [
      pattern`\b(?:echo|printf) (?:-\w{1,2} )?["'](?!\\n|export|eval|source|alias|path|#|\[|\.|if|\$|set|ulimit|complete|autoload|fpath|plugins|bindkey|\w{1,30}=|unset|umask|test|command|type|which|function)[^"'\n]{1,160}["'] ?>> ?["']?(?:~|\$home|\$\{home\})\/\.(?:bashrc|zshrc|profile|bash_profile|zprofile|zshenv)\b`,
    ],
  },
])
