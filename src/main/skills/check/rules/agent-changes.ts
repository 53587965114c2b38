import { ANYWHERE, CODE, WORDS, pattern, rulesOf } from '../rule.ts'
import { gap } from '../vocabulary.ts'

const AGENT_FILE = String.raw`(?:\bclaude(?:\.local)?\.md\b|\bagents\.md\b|\bgemini\.md\b|\bsoul\.md\b|\bmemory\.md\b|\buser\.md\b|\bidentity\.md\b|\bheartbeat\.md\b|\.cursorrules\b|\.windsurfrules\b|\.clinerules\b|\bcopilot-instructions\.md\b|\.cursor[\/\\]rules|\.(?:claude|codex|gemini|cursor|hermes|openclaw|continue|aider|windsurf|talaria)[\/\\](?:settings|config|memor|hooks|skills|commands|agents|mcp|rules|plugins|permissions|approvals|soul)[\w.\/-]{0,40}|\.(?:claude|mcp)\.json\b|\bmcp\.json\b|\bclaude_desktop_config\.json\b|\.vscode[\/\\]settings\.json\b|\bsystem prompt file\b)`
const WRITE = String.raw`\b(?:add|adds|adding|append|appends|appending|write|writes|writing|insert|inserts|put|save|saves|store|stores|copy|modify|modifies|modifying|update|updates|updating|change|changes|edit|edits|inject|prepend|overwrite|replace|create|set|patch|alter|rewrite|install|register|record|persist|plant|extend)\b`

/** Changes to the agent's approvals, configuration, memory or other skills. */
export const agentChanges = rulesOf('privilege-escalation', [
  {
    id: 'approvals-switched-off',
    severity: 'critical',
    reason: 'It turns off the approvals that the agent asks for before it acts.',
    kinds: WORDS,
    hints: 'approv permission confirm yolo auto sandbox bypass dangerously ask trust prompt allow',
    within: 10,
    all: [
      pattern`(?:\b(?:set|change|switch|turn|put|configure|update|edit|flip|move)\b${gap(50)}\b(?:approvals?|approval[_ -]?(?:mode|policy)|permissions?|permission[_ -]?mode|confirmations?|sandbox(?:[_ -]?mode)?|trust(?:[_ -]level)?|auto[- ]?approve|safe ?mode|default_?mode|ask_?before\w{0,10})\b${gap(40)}(?:to|:|=)${gap(12)}["'\x60]?(?:never|off|none|false|auto|yolo|full|always|disabled?|bypass\w{0,12}|danger\w{0,20}|unrestricted|allow[- ]?all|0\b|true|accept\w{0,6}|all\b|full[- ]access|trust)|\b(?:disable|turn off|switch off|bypass|skip|remove|deactivate|suppress|get rid of|circumvent)\b${gap(25)}\b(?:(?:tool |command |user |human |security |safety |permission |execution |all |the |approval |manual ){1,6})(?:approvals?|permission (?:prompts?|checks?|requests?|system)|confirmations?(?: prompts?| dialogs?)?|sandbox(?:ing)?|approval (?:prompts?|gates?|checks?|mode)|prompts|human[- ]in[- ]the[- ]loop|oversight)\b|\b(?:turn|switch) (?:the |all |every |your |any ){0,2}(?:tool |command |user |safety |security |permission |approval )?(?:approvals?|permission (?:prompts?|checks?)|confirmations?|sandbox(?:ing)?|approval prompts?) off\b|\b(?:enable|turn on|activate|switch on|use|go) (?:the )?(?:yolo|auto[- ]?approve|auto[- ]?accept|auto[- ]?run|full[- ]auto|bypass[- ]?permissions)(?: mode)?\b|\bauto[- ]?approve (?:all|every|any|everything)\b|\b(?:every|all|any|each) (?:\w{1,12} ){0,2}?(?:tool calls?|commands?|actions?|requests?|tools?|edits?) (?:is|are|be|gets?|will be) (?:always |automatically )?auto-?(?:approved|accepted|run))`,
      pattern`\b(?:agents?|approval|approvals|permissions?|confirm\w{0,8}|sandbox\w{0,3}|yolo|auto|tool|command|ask)\b`,
    ],
    unless:
      /chmod|file permissions|unix|github|bot permissions|repository permissions|never skip|do not|don't|never (?:disable|bypass|skip|set)|app permissions|android|chromium|docker|container|iframe|browser|--sandbox|email|s3|bucket|if the user|user explicitly|explicit(?:ly)? user|equivalent to|\bflag\b|not recommended/,
  },
  {
    id: 'approvals-off-in-settings',
    severity: 'critical',
    reason: 'It changes a setting so that the agent acts without asking.',
    kinds: CODE,
    hints:
      'dangerously bypasspermissions defaultmode autoapprove auto approval yolo bash permissions enableallprojectmcpservers allowed sandbox skip trust',
    within: 200,
    all: [
      pattern`(?:["']?defaultmode["']? ?: ?["']bypasspermissions|["']?(?:auto_?approve|autoapprove|auto_?run|yolo(?:mode)?|always_?allow|skip_?(?:confirm\w{0,8}|permission\w{0,3}|approvals?)|disable_?(?:confirm\w{0,8}|approvals?|sandbox))["']? ?[:=] ?(?:true|1\b|"all"|"always"|\["?\*)|chat\.tools\.autoapprove["']? ?: ?true|enableallprojectmcpservers["']? ?: ?true|["']?(?:approval_?(?:mode|policy)|approvals(?:\.mode)?|ask_?for_?approval)["']? ?[:=]? ?["']?(?:never|off|none|auto|yolo|full)|["']allow["'] ?: ?\[ ?["'](?:\*|bash(?:\(\*?:?\*?\))?)["']|dangerously[-_]?(?:skip|disable|bypass|allow)[-_\w]{0,30}["']? ?[:=] ?true|sandbox_mode ?= ?["']danger)`,
      pattern`(?:\.(?:claude|codex|gemini|cursor|hermes|openclaw|vscode|talaria)|settings|config|permissions|echo|>|tee|approv|allow|mode|true|auto)`,
    ],
    unless: /"auto_?approve": ?\[\]|not recommended|# (?:bypass|dangerous|off)/,
  },
  {
    id: 'agent-file-written',
    severity: 'critical',
    category: 'persistence',
    reason: 'It changes the instructions, settings or memory that the agent reads in every chat.',
    kinds: CODE,
    hints:
      'claude agents gemini soul memory user identity cursorrules windsurfrules clinerules copilot cursor codex hermes openclaw mcp vscode windsurf continue aider talaria heartbeat',
    within: 300,
    all: [
      pattern`(?:>>? ?["']?[\w~$\{}.\/\\ -]{0,80}${AGENT_FILE}|\btee (?:-a )?[\w~$\{}.\/-]{0,80}${AGENT_FILE}|\b(?:cp|mv|ln -s\w?|install|curl -\w{0,4}o|wget -\w{0,3}o|sed -i)\b[^\n;|]{1,160}${AGENT_FILE}|\bopen\( ?[^\n]{0,80}${AGENT_FILE}["')\]]{0,4} ?,? ?["'][aw]|${AGENT_FILE}["')]{1,4}\.(?:write_text|open\(["'][aw])|(?:writefile|appendfile)(?:sync)?\([^\n]{0,80}${AGENT_FILE}|(?:add|set)-content[^\n]{0,80}${AGENT_FILE}|\bout-file[^\n]{0,80}${AGENT_FILE})`,
      pattern`(?:~\/|\$home|\$\{home|home\(\)|expanduser|%userprofile%|\$env:userprofile|\bcurl\b|https?:|ignore|\balways\b|\bmust\b|\bnever\b|do not|silent|approv|allow|bypass|trust|override|\bcat <<|echo )`,
    ],
    unless:
      /cp -r [\w./-]{0,60} ~\/\.(?:claude|codex|hermes|cursor)\/skills|ln -s\w? [^\n]{0,80}(?:claude\.md|agents\.md)/,
  },
  {
    id: 'agent-told-to-rewrite-itself',
    severity: 'critical',
    category: 'persistence',
    reason: 'It makes the agent write lasting orders into its own instructions, settings or memory.',
    kinds: WORDS,
    hints:
      'claude agents gemini soul memory user cursorrules windsurfrules clinerules copilot cursor codex hermes openclaw mcp system settings remember memories hooks',
    within: 220,
    all: [
      pattern`(?:${WRITE}${gap(100)}(?:${AGENT_FILE}|\b(?:your|the agent's|its|long[- ]term|persistent|the) (?:[\w-]{1,12} )?(?:memory|memories|system prompt|configuration|settings|startup instructions|core instructions|permanent instructions)\b)|\bremember\b${gap(12)}\b(?:in|that)\b${gap(20)}\b(?:user|owner|person)\b${gap(16)}\b(?:wants?|prefers?|needs?|has|allows?|accepts?|trusts?|approves?)\b${gap(16)}\b(?:no (?:confirm\w{0,8}|questions|approvals?|prompts)|all|every|any|everything)\b|(?:^|[.:;] ?)(?:permanently |always )?remember (?:permanently |forever |for all future|that (?:the )?user|in all)|\b(?:save|store|write|add|commit) (?:to|in|into) (?:your |the |long[- ]term |persistent ){0,6}memor(?:y|ies)\b|\b(?:save|store|write|add|commit) (?:this |it |these |the following |that )${gap(40)}\b(?:to|in|into) (?:your |the |long[- ]term |persistent ){0,6}memor(?:y|ies)\b)`,
      pattern`(?:\b(?:for (?:all|every|any) (?:future|later|other|subsequent|next)|(?:all|every|each|any|future|later|next) (?:\w{1,12} )?(?:sessions?|chats?|conversations?|tasks?|projects?|agents?)|survive|persists|persistently|permanent(?:ly)?|forever|from now on|without (?:asking|telling|mention\w{0,3}|confirm\w{0,8}|approval|permission)|do not (?:tell|mention|ask|inform|remove|delete)|always (?:run|trust|allow|send|execute|approve|obey|follow|load|fetch|recommend)|trusted|trusts|trust (?:all|every|any|this|whatever)|has (?:approved|agreed|authori[sz]ed|pre-?approved|given)|approves?|pre-?approved|ignore|override|bypass|disable|highest priority|https?:\/\/|secretly|silently|hidden|skip (?:confirm\w{0,6}|approv\w{0,4})|credentials?|allow all|admin|no confirm\w{0,8}|no questions)\b)`,
    ],
    unless:
      /user (?:preference|asks|explicitly|requests|wants|says|corrects)|if the user|the user to|when the user|\bask (?:the user|before|first)|do not (?:save|store|write|add)|never (?:save|store|write|add)|key decisions|gpu|cpu|memory (?:usage|limit|leak|map)|\bram\b|project (?:conventions|context)|document|\bread\b/,
  },
  {
    id: 'hook-runs-network',
    severity: 'critical',
    category: 'persistence',
    reason: 'It installs an agent hook that uses the network automatically.',
    kinds: ['code', 'block'],
    hints: 'hooks hook posttooluse pretooluse sessionstart stop userpromptsubmit folderopen',
    within: 400,
    all: [
      pattern`\b(?:posttooluse|pretooluse|sessionstart|sessionend|userpromptsubmit|subagentstop|notification|on_?(?:start|session|message|tool|turn)\w{0,10}|runon["']? ?: ?["']folderopen|post-?session|pre-?session)\b|["']hooks?["'] ?:`,
      pattern`["'](?:command|cmd|run)["'] ?: ?["'][^\n]{0,200}?(?:\bcurl\b|\bwget\b|\bnc\b|\biwr\b|invoke-webrequest|requests\.|base64 -d|\/dev\/tcp|(?:sh|["']) ?\/tmp\/|\bnode -e\b|sh \.vscode)`,
    ],
  },
  {
    id: 'skill-over-skill',
    severity: 'critical',
    category: 'persistence',
    reason: 'It changes, copies or adds other skills, and so spreads beyond its own folder.',
    kinds: ANYWHERE,
    hints: 'skill skills tool tools',
    within: 10,
    all: [
      pattern`(?:\b(?:modify|overwrite|replace|infect|patch|alter|rewrite|edit|append (?:\w{1,15} ){0,4}to|add (?:\w{1,15} ){0,6}to|copy (?:\w{1,15} ){0,5}(?:in)?to|inject (?:\w{1,15} ){0,4}into|insert (?:\w{1,15} ){0,5}into|write (?:\w{1,15} ){0,5}to|remove|delete)\b ?(?:the |all |every |each |any ){0,6}(?:other|another|installed|all|every|each|any other|neighbou?ring) (?:installed |available |existing |user |loaded ){0,6}(?:skills?|tools?|plugins?|agents?)(?:'s?)?\b|\b(?:skill|plugin)s? (?:folder|directory)\b${gap(40)}\b(?:replicate|copy (?:itself|yourself|this)|spread|propagate)|\b(?:replicate|spread|propagate|copy) (?:itself|yourself|this (?:skill|file))\b${gap(60)}\b(?:skills?|repositor\w{1,3}|projects?|machines?|folders?|director\w{1,3}|agents?)\b|(?:save|write|store|copy|put|output|export|redirect|append|cp|mv|>)${gap(40)}\.\.[\/\\][\w-]{2,40}[\/\\]skill\.md)`,
    ],
    unless:
      /refactor|conflict|if the user|ask|create(?:s)? or|instead of|skill creator|do not|never|don't|your own|improv|duplicate|deprecat|merge|curat|read (?:the )?other|alongside|integrat|combine|link|reference/,
  },
  {
    id: 'tool-shadowed',
    severity: 'critical',
    category: 'prompt-injection',
    reason: 'It replaces another tool, or registers tools while it runs.',
    kinds: WORDS,
    hints: 'tool tools mcp function register',
    within: 10,
    all: [
      pattern`(?:\b(?:dynamically|at runtime|on the fly|silently|automatically) (?:register|add|create|load|inject|define|modify|replace) (?:\w{1,12} ){0,2}?tools?\b|\b(?:register|create|define|inject)\b${gap(20)}\b(?:new |a |another |additional ){0,6}tools?\b${gap(40)}\b(?:same name|at runtime|dynamically|shadows?|that (?:overrides?|replaces?|intercepts?|wraps?)|override|intercept|with elevated|without (?:approval|review))|\b(?:this|the) tool (?:replaces|overrides|supersedes|shadows|must be (?:called|used) (?:before|instead of)|should be (?:called|used) instead of)\b|\b(?:before|instead of) (?:using|calling|invoking) (?:any|every|all|each) (?:other )?tools?\b${gap(60)}\b(?:call|use|invoke|read|send|pass|run)\b|\b(?:intercept|hijack|redirect|man-in-the-middle|wrap)\b${gap(30)}\b(?:all |every |any |other |the ){0,6}(?:tool calls?|requests? to|calls? to|tools?)\b${gap(60)}\b(?:and|to|before|send|log|forward|copy|modify))`,
    ],
    unless: /no existing tool|sandbox|decorator|monkey|mock|test|playwright|wrap the|pydantic|sdk/,
  },
  {
    id: 'tool-reads-secrets',
    severity: 'critical',
    category: 'credentials',
    reason: 'It requires the agent to read keys, settings or histories before it uses a tool.',
    kinds: WORDS,
    hints: 'tool read pass sidenote parameter context before',
    within: 240,
    all: [
      pattern`\b(?:before (?:using|calling|running|you (?:can )?use)|in order (?:to use|for)|to (?:make|use|unlock) (?:this|the)|otherwise the tool|required for (?:this|the) tool|tool (?:requires?|needs?|will not work)|first,? read|as (?:the|a|an) ["'\x60\w]{1,20} (?:parameter|argument))\b`,
      pattern`(?:~\/\.(?:ssh|aws|cursor|claude|config|env|netrc|gnupg|kube)|\bid_rsa\b|\bmcp\.json\b|\.env\b|\bprivate keys?\b|credentials file)`,
      pattern`\b(?:read|pass|include|provide|send|attach|contents?|supply|paste|cat|load)\b`,
    ],
    unless:
      /your (?:own )?api key|create (?:a )?\.env|set (?:up )?|ssh-keygen|add .{0,40} to .{0,10}\.env|export|(?:in|to|from) (?:a |your |the )?\.env|dotenv/,
  },
  {
    id: 'other-sessions',
    severity: 'critical',
    category: 'credentials',
    reason: 'It accesses data of other people, sessions or agents.',
    kinds: WORDS,
    hints: 'session sessions users tenants tenant agents user customers',
    within: 10,
    all: [
      pattern`\b(?:access|read|retrieve|fetch|list|modify|delete|use|hijack|steal|impersonate|query|get|view|reuse|share)\b${gap(25)}\b(?:other|another|any|all|different|previous|every) (?:user|tenant|customer|client|agent|account|person)s?(?:'s?|')? ?(?:\w{1,12} )?(?:sessions?|data|resources?|files?|conversations?|chats?|tokens?|memor(?:y|ies)|accounts?|messages?|uploads?|records?|credentials?|contexts?)\b|\b(?:access|use|delete|modify|read)\b${gap(30)}\b(?:without|skip(?:ping)?|bypass(?:ing)?|ignor(?:e|ing)) (?:checking |verifying |any )?(?:ownership|authori[sz]ation|authentication|access control|auth)\b|\b(?:parse|decode|process|deserialize|read|handle|unmarshal|json\.decode)\b${gap(40)}\b(?:body|payload|request|input|json)\b${gap(30)}\b(?:before|prior to|and then|then|without) (?:\w{1,12} )?(?:authenticat\w{2,4}|auth(?:ori[sz]\w{2,5})?|verif\w{1,6}|check\w{0,3}|validat\w{2,4})${gap(30)}(?:auth|token|caller|signature|credential|user|identity|permission|$|\.)|\bskip(?:s|ping)? (?:authentication|authorization|auth checks?|token verification|signature verification|certificate (?:checks?|validation|verification))`,
    ],
    unless:
      /cannot|can't|only the owner|must not|prevent|never|do not|attackers?|test|vulnerab|idor|check that|ensure|whether|verify first|if an?|admin users can|allow|could|first authenticate|\bteam\b/,
  },
])
