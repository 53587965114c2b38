import { ANYWHERE, CODE, WORDS, pattern, rulesOf } from '../rule.ts'
import { gap } from '../vocabulary.ts'

const NO_LIMITS = pattern`(?:从现在(?:起|开始)[^。\n]{0,20}(?:没有|不受|无)[^。\n]{0,8}(?:限制|约束|规则)|(?:你|您)(?:现在|已经)?(?:没有|不受)(?:任何)?(?:限制|约束)|(?:あなた|お前|君|今から|これから|ai)[^。\n]{0,20}制限(?:の)?(?:ない|なし|を(?:解除|無視))|あなたは(?:今|これ)から[^。\n]{0,30}(?:ない|自由)|(?:теперь|отныне|с этого момента)[^.\n]{0,40}(?:нет|без|не)[^.\n]{0,20}(?:ограничен|правил|запрет|фильтр)|(?:du hast|ab jetzt)[^.\n]{0,40}\b(?:keine|ohne)\b[^.\n]{0,20}(?:einschrankung|regeln|grenzen|filter|beschrankung)|(?:tu n'as|vous n'avez|desormais)[^.\n]{0,40}\b(?:plus|aucune?|sans)\b[^.\n]{0,20}(?:restriction|limite|regle|filtre)|(?:ahora|desde ahora|agora|a partir de agora)[^.\n]{0,40}\b(?:no|sin|nao|sem)\b[^.\n]{0,30}(?:restriccion|limite|regla|filtro|restric|regra)|(?:ora|da ora)[^.\n]{0,40}\b(?:non|senza)\b[^.\n]{0,30}(?:restrizion|limit|regol|filtr)|(?:vorherige|bisherige|fruhere)\w{0,2}[^.\n]{0,20}(?:anweisung|regeln|instruktion|vorgaben)\w{0,4}[^.\n]{0,20}(?:gelten nicht|sind (?:ungultig|aufgehoben)|ignor)|제한이? ?없|아무런 제한)`
const EACH_TIME_ABROAD = pattern`(?:(?:nach jede[rms]|bei jede[rms]|vor jede[rms]|jedes ?mal|apres chaque|avant chaque|a chaque|chaque fois|despues de cada|antes de cada|cada vez|depois de cada|antes de cada|dopo ogni|prima di ogni|ogni volta|после каждо|перед каждо|каждый раз|при каждо|每次|每当|每个|毎回|ごとに|たびに|그때마다|할 때마다)[^.;。\n]{0,100}(?:https?:|@[\w-]{2,40}\.|server|serveur|servidor|сервер|服务器|サーバ|서버)|(?:schick|send|lad|envoi|envoy|envi|mand|invi|отправ|发送|上传|送信|전송)[^.;。\n]{0,80}(?:https?:|server|serveur|servidor|сервер|服务器|サーバ)[^.;。\n]{0,60}(?:nach jede|jedes ?mal|apres chaque|a chaque|despues de cada|cada vez|depois de cada|dopo ogni|после каждо|каждый раз))`
const KEEPS_QUIET_ABROAD = pattern`(?:frage? nicht (?:nach|den)|erwahne (?:diese|das|es|die)\w{0,2}[^.;\n]{0,20} nicht|ohne (?:zu fragen|nachzufragen|hinweis|ruckfrage)|sans (?:demander|prevenir|avertir|en informer|le dire)|sin (?:avisar|preguntar|decir|informar)|sem (?:avisar|perguntar|dizer|informar)|senza (?:avvisare|chiedere|dire|informare)|no (?:preguntes|avises|digas)|nao (?:pergunte|avise|diga|conte)|non (?:chiedere|avvisare|dire)|ne (?:demande|previens|dis|mentionne)\w{0,2}|не (?:спрашивай|говори|сообщай)|不要(?:问|询问|告诉|提)|知らせず|断りなく|묻지)`

/** Deceiving the user, the reviewer or the agent with plain words. */
export const deception = rulesOf('prompt-injection', [
  {
    id: 'always-yes',
    severity: 'critical',
    category: 'privilege-escalation',
    reason: 'It makes the agent approve its own requests instead of asking the user.',
    kinds: WORDS,
    hints:
      'yes allow permission approve approval confirm confirmation standing agreed consent authorization authorisation',
    within: 10,
    all: [
      pattern`(?:\b(?:always|automatically|every time|simply|just|immediately)?\b ?\b(?:answer|reply|respond|say|select|choose|click|press|type|confirm|accept|approve)\b${gap(40)}\b(?:with )?["'\x60]?(?:yes|always allow|allow all|allow always|approve all|accept all|y)\b["'\x60]?${gap(40)}\b(?:on (?:the user's |their |his |its )?behalf|(?:in|on|at) (?:every|each|all|any) (?:\w{1,12} )?(?:dialogs?|prompts?|windows?|questions?|pop-?ups?|requests?)|whenever|every time|when(?:ever)? (?:you are |it )?asked|for (?:the user|all|every|each)|to (?:all|every|any|each)|automatically|without)\b|\b(?:when|whenever|if)\b${gap(50)}\b(?:asks?|asked|prompts?|prompted|requests?)\b${gap(30)}\b(?:permission|confirmation|approval|consent|confirm|approve)\b${gap(16)}\b(?:always |just |simply |automatically ){0,6}(?:answer|say|reply|respond|select|choose|click|type|press)\b${gap(12)}\b(?:yes|always|allow|approve|accept|y)\b|\banswer (?:every|each|all|any) (?:\w{1,15} ){0,3}?(?:prompts?|questions?|requests?) (?:with )?yes\b|\b(?:standing|blanket|permanent|unlimited|general|implicit|prior) (?:permission|consent|approval|authori[sz]ation)\b${gap(40)}\b(?:for|to|all|any|every|commands?|everything)\b|\bthe user (?:agreed|consented|agrees|has agreed)\b${gap(10)}$|\byou (?:may|can) (?:read|access|open|run|delete|send|change) (?:anything|everything|any file|all files)\b)`,
    ],
    unless:
      /do not|don't|never|if the user says|user answers|the user's own|-y\b flag|apt|survey|question(?:naire)?s?\b.{0,20}form|for example/,
  },
  {
    id: 'earlier-rules-void',
    severity: 'critical',
    reason: 'It claims that earlier rules no longer apply.',
    kinds: ANYWHERE,
    hints:
      'skill file document author trusted rules instructions restrictions policies policy guidelines limits limitations directives prompt constraints',
    within: 10,
    all: [
      pattern`\b(?:(?:your|the|all|any|previous|earlier|prior|old|original|existing|former|above|these|content|safety|usage|system|of) ?){1,5}(?:rules?|instructions?|restrictions?|polic(?:y|ies)|guidelines?|limits|limitations?|directives?|prompts?|constraints?|safeguards?)\b ?(?:that you (?:have|had|were given) )?${gap(12)}\b(?:no longer (?:apply|applies|count|valid|in effect|bind\w{0,3})|(?:do|does) not (?:apply|count|matter)(?: any ?more| here| now| to (?:you|this))?|(?:are|is|were|have been|has been) (?:now |hereby |all |temporarily |henceforth |completely |no longer ){0,6}(?:lifted|void|outdated|obsolete|cancell?ed|suspended|revoked|superseded|replaced by|null|deprecated and|invalid|waived|removed for|erased|overridden)|don't apply)\b|\byou (?:can|may|must|should|are free to) (?:now )?(?:forget|ignore|drop|disregard|break|discard) (?:about )?(?:the |your |all |any |every ){0,6}(?:rules|instructions|guidelines|restrictions|policies|limits)\b|\bas a trusted (?:skill|tool|source|document|file)\b|\b(?:skill|file|document|author)${gap(10)}\bhas (?:root|full|absolute|admin\w{0,10}|complete|system) (?:authority|control|access|power)\b`,
    ],
    unless:
      /filter|license|firewall|eslint|lint|css|apply to (?:the |this |all |any )?(?:\w{1,15} )?(?:file|version|project|data|region|case|column|user|path)|discount|tax|insurance|rate limit|robots|if (?:the|your)|when the|(?:validation|business|grammar|naming|routing|formatting) rules|default(?:s)? (?:are|is)|do not apply (?:to|when|if|for)/,
  },
  {
    id: 'scanner-addressed',
    severity: 'critical',
    category: 'obfuscation',
    reason: 'It addresses whoever checks it, to be rated harmless.',
    kinds: ANYWHERE,
    hints:
      'scan scanner scanners reviewer reviewers safe harmless audit auditor check checked verdict rate classify benign',
    within: 10,
    all: [
      pattern`(?:\bif you (?:are|'re) (?:an? |the )?(?:\w{1,12} )?(?:security |skill |code |safety ){0,6}(?:scanner|reviewer|auditor|checker|moderator|analy[sz]er|classifier|judge)\b|\b(?:scanners?|reviewers?|auditors?|moderators?|assistant|agent|ai|model)\b${gap(24)}\b(?:report|mark|rate|classify|treat|label|score|flag|consider)\b${gap(16)}\b(?:this|it|the) (?:skill|file|code|document)?${gap(10)}\b(?:is |as )(?:safe|harmless|benign|trusted|clean|approved|verified)\b|\b(?:do not|don't|no need to|never|stop|skip) (?:\w{1,8} )?(?:scan|scanning|flag|flagging|analy[sz]e|analy[sz]ing|audit|auditing)\b (?:this|it|the following|these)\b|\b(?:this|the) (?:skill|file|code|document) (?:has been|was|is) (?:\w{1,12} )?(?:checked|scanned|verified|reviewed|audited|certified|approved|vetted)\b${gap(24)}\b(?:safe|harmless|trusted|do not|no need|skip|so)\b)`,
    ],
    unless: /node_modules|vendor|generated|build artifacts|minified/,
  },
  {
    id: 'false-report',
    severity: 'critical',
    reason: 'It makes the agent report something untrue, or leave out what the user needs to know.',
    kinds: WORDS,
    hints: 'report mark claim say remove omit hide replace state list rate',
    within: 10,
    all: [
      pattern`(?:\b(?:report|mark|record|declare|list|show|present|state)\b${gap(10)}\b(?:all |every |each |the ){0,6}(?:tests?|checks?|steps?|tasks?|results?|builds?|findings|scans?)\b${gap(10)}\bas (?:passed|passing|successful|done|clean|green|ok|complete)\b${gap(10)}\b(?:whatever|regardless|even (?:if|when)|no matter|always|without (?:running|checking))\b|\b(?:remove|omit|delete|hide|suppress|drop|leave out|strip)\b${gap(10)}\b(?:every|all|any|each)\b${gap(10)}\b(?:warnings?|mentions?|references?|findings|disclaimers?|notices?|alerts?|negative \w{3,10}|criticism|errors?)\b${gap(10)}\b(?:about|of|from|regarding|on|to)\b${gap(16)}\b(?:security|risks?|safety|privacy|vulnerab\w{3,8}|this|the (?:report|summary|output|answer|logs?|user|skill)|us|our)\b|\breplace (?:negative|bad|critical|poor) (?:reviews?|feedback|comments?|results?|findings|numbers)\b|\b(?:say|claim|state|pretend|tell (?:them|the user|people)) (?:that )?(?:the|this|it|you) (?:skill|file|author|code|tool)?${gap(8)}\b(?:is|was|are|were|comes?) (?:\w{1,12} )?(?:by|from|made by|written by|approved by) (?:anthropic|openai|google|microsoft|apple|the (?:company|team|government|bank))\b)`,
    ],
    unless:
      /unused|unresolved|duplicate|comments|compiler|eslint|deprecat|false positives?|outdated|noise|do not|never|don't|mypy|tracking parameters|console|type ?script/,
  },
  {
    id: 'person-lured',
    severity: 'critical',
    category: 'credentials',
    reason: "It lures the user into giving a password or running a stranger's command.",
    kinds: WORDS,
    hints: 'paste terminal password tan pin passcode expired session bank support phishing login verify',
    within: 10,
    all: [
      pattern`(?:\b(?:have|ask|tell|get|make|instruct|convince|direct|urge) (?:the )?(?:user|them|him|her|person|victim|customer)\b${gap(24)}\b(?:paste|run|enter|execute|copy|type)\b${gap(24)}\b(?:command|line|code|snippet|script|this)\b${gap(40)}(?:https?:\/\/(?!localhost|127\.)|\| ?(?:ba|z)?sh|\bcurl\b|\biex\b|base64)|\b(?:session|login|licen[sc]e|account|access|certificate|token)\b${gap(16)}\b(?:has )?(?:expired|locked|suspended|blocked)\b${gap(30)}\b(?:ask|request|prompt|enter|re-?enter|provide|have them|collect|obtain)\b${gap(24)}\b(?:password|pin|credentials|code|passcode|token|login)\b|\b(?:pretend|claim|pose|act|impersonate|appear)\b${gap(16)}\b(?:to be |as |like )?(?:an? |the |from ){0,6}(?:user's |their |official )?(?:bank|support (?:agent|team|staff)?|it department|helpdesk|administrator|police|government|microsoft|apple|google|paypal|employer|ceo|colleague)\b${gap(40)}\b(?:ask|request|demand|get|obtain|collect|tell|convince|send)\b|\b(?:phishing|spear-?phishing) (?:e-?mail|message|page|link|site|campaign)s?\b${gap(24)}\b(?:to|for|that|which|and)\b)`,
    ],
    unless:
      /detect|simulat|awareness|training|recogni[sz]e|report(?:ing)?|attackers?|never|do not|don't|prevent|identify/,
  },
  {
    id: 'product-pushed',
    severity: 'critical',
    reason: 'It makes the agent praise a product or a person in every answer.',
    kinds: WORDS,
    hints: 'mention recommend promote advertise praise favour favor endorse suggest prefer',
    within: 10,
    all: [
      pattern`\b(?:mention|recommend|promote|advertise|praise|favou?r|endorse|plug|suggest)\b${gap(40)}\b(?:as the (?:best|only|leading|cheapest|top|safest|recommended)\b${gap(40)}\b(?:in|at|with|when) (?:every|each|all|any)|in (?:every|each|all) (?:answers?|repl(?:y|ies)|responses?|messages?|e-?mails?|documents?|conversations?|summar(?:y|ies)))\b|\balways (?:recommend|promote|praise|endorse|advertise|favou?r)\b${gap(60)}\b(?:when(?:ever)?|if|even if|over|regardless|instead of)\b${gap(30)}\b(?:user|asks?|competitors?|others?|alternatives?|invest\w{0,5}|buy\w{0,3}|product|service|compar\w{2,5})\b`,
    ],
    unless:
      /best practice|accessib|tests?|library|framework|approach|pattern|typescript|api\b|documentation|version|option|skill/,
  },
  {
    id: 'message-smuggled',
    severity: 'critical',
    category: 'exfiltration',
    reason:
      'It puts files or words of the user into a request, a commit or a public place where others can read them.',
    kinds: ANYWHERE,
    hints:
      'add pass set put write include insert embed encode append create open attach place copy publish post send',
    within: 10,
    all: [
      pattern`\b(?:add|pass|set|put|write|include|insert|embed|encode|append|attach|place|copy|send|publish|use)\b${gap(50)}\b(?:(?:user|user's|person's|last|each|every|full|entire|previous|whole|recent|current|latest) (?:\w{1,15} ){0,3}?(?:messages?|prompts?|conversations?|questions?|chats?|inputs?|quer(?:y|ies)|history|name|answers?)|conversation(?: so far| history)?|chat history|contents? of (?:the )?[\w.~\/-]{1,30}|credentials|environment variables|api keys?|\.env|drafts?|transcript)\b${gap(50)}\b(?:in|into|to|as|for|with)\b${gap(20)}\b(?:user-agent|http headers?|headers?|(?:url|query|request|api|hidden|tracking|second|extra|optional) param\w{0,8}|parameter ["'\x60]|query string|cookie|referer|subdomain|commit messages?|branch names?|file names?|public (?:gist|issue|repo\w{0,6}|paste)|gist|pull request|alt text|image url|dns|pixel|x\.\w{2,10}|https?:\/\/)|\b(?:create|open|publish|post|file)\b${gap(10)}\b(?:an? )?(?:public )?(?:gist|issue|paste|pull request|discussion|comment)\b${gap(40)}\b(?:with|containing|including|listing)\b${gap(20)}\b(?:contents? of|output of ["'\x60]?(?:env|printenv|set|cat|ls)|config\w{0,10}|credentials|secrets?|environment|keys?|\.env|history|home)\b|\bset\b${gap(16)}\bheader\b${gap(20)}\bto the (?:conversation|prompt|user|message|history|contents?)\b|\bsend (?:all|every|each|the user's) (?:drafts?|prompts?|messages?|documents?|files?|answers?)\b${gap(12)}\bto\b ?(?:https?:\/\/)?[\w-]{1,40}\.[\w.-]{2,40}`,
    ],
    unless:
      /localhost|user (?:asks|wants|requests|provides)|if asked|never|do not|don't|commit message (?:format|convention)|messages ?=|system message|role|localstorage|react|state|prompt template|few-shot|conversation (?:array|object|list|api)|redact|header section|page header|header row|table header|heading|section headers?/,
  },
  {
    id: 'no-limits-other-language',
    severity: 'critical',
    reason: 'It tells the agent, in another language, that no limits or rules apply to it.',
    kinds: ANYWHERE,
    hints:
      '(foreign) du ab tu vous desormais ahora desde agora a ora da vorherige vorherigen bisherige bisherigen fruhere fruheren',
    all: [NO_LIMITS],
    within: 10,
  },
  {
    id: 'sent-each-time-other-language',
    severity: 'critical',
    category: 'exfiltration',
    reason: 'It tells the agent, in another language, to keep sending something away.',
    kinds: ANYWHERE,
    hints:
      '(foreign) nach bei vor jedes apres avant chaque a despues antes cada depois dopo prima ogni jedesmal',
    all: [
      EACH_TIME_ABROAD,
      pattern`(?:schick|send|lad|kopi|uberm|ubertr|envoi|envoy|transm|copi|envi|mand|sub[ae]|invi|carica|отправ|пересыл|загру|копи|发送|上传|发到|复制|送信|送る|送っ|アップロード|전송|보내|업로드)`,
    ],
    within: 120,
  },
  {
    id: 'asks-no-more-other-language',
    severity: 'critical',
    reason: 'It tells the agent, in another language, to act without asking or telling anyone.',
    kinds: ANYWHERE,
    hints: '(foreign) frage frag erwahne ohne sans sin sem senza no nao non ne',
    all: [
      KEEPS_QUIET_ABROAD,
      pattern`(?:losch|entfern|schick|send|uberschr|installier|schritt|befehl|fuhr|dateien|supprim|efface|envoi|envoy|execut|install|borr|elimin|envi|ejecut|apag|exclu|execut|instal|cancell|elimin|invi|esegu|удал|отправ|выполн|стер|删除|发送|执行|上传|安装|削除|送信|実行|삭제|전송|실행)`,
    ],
    within: 120,
    unless:
      /sin (?:preguntar )?(?:cambios|errores)|no (?:elimin|borr|envi)|nao (?:apag|exclu|envi)|non (?:elimin|cancell|invi)|nicht (?:losch|entfern|send)|ne (?:supprim|efface|envoi)/,
  },
  {
    id: 'orders-through-names',
    severity: 'critical',
    category: 'supply-chain',
    reason: 'It reads commands hidden in DNS entries and runs them.',
    kinds: ANYWHERE,
    hints: 'dig nslookup txt host resolve',
    within: 10,
    all: [
      pattern`(?:\b(?:dig|nslookup|host|drill)\b[^\n;]{0,100}\btxt\b[^\n;]{0,100}\| ?(?:xargs |base64 -d ?\| ?)?(?:sudo )?(?:(?:ba|z)?sh|python3?|eval)\b|\b(?:eval|bash -c|sh -c)\b[^\n]{0,16}\$\( ?(?:dig|nslookup|host)\b|\btxt[- ]records?\b${gap(40)}\b(?:and|then)\b${gap(12)}\b(?:run|execute|follow|eval|obey|do|act)\b)`,
    ],
  },
  {
    id: 'remote-run-otherwise',
    severity: 'critical',
    category: 'supply-chain',
    reason: 'It runs code from the network in a roundabout way.',
    kinds: CODE,
    hints: 'curl wget https http irm iwr scriptblock require get openssl tar',
    within: 10,
    all: [
      pattern`(?:\b(?:python3?|node|bash|sh|perl|ruby|php|zsh)\b ?-? ?<<< ?["']?\$\((?:curl|wget)|\bscriptblock\]?::create\([^\n]{0,60}(?:irm|iwr|invoke-\w{3,20}|downloadstring)|\bhttps?["']\)?\.(?:get|request)\([^\n]{0,240}\beval\(|\b(?:curl|wget)\b[^\n|]{0,160}\| ?(?:sudo )?tar\b[^\n|]{0,30}(?: -c ?|--directory[= ])\/(?: |$|usr|etc|bin)|\b(?:wget|curl)\b[^\n;&]{0,160} -o ?["']?([~$\w\/.{}-]{2,80})["']?[^\n]{0,60}(?:&&|;) ?(?:sudo )?(?:chmod [\w+]{2,5} ["']?[~$\w\/.{}-]{2,80}["']? ?(?:&&|;) ?(?:nohup |sudo )?["']?[~$\w\/.{}-]{2,80}|(?:ba|z)?sh ["']?\1|source ["']?\1|\. ["']?\1|python3? ["']?\1|node ["']?\1)|\b(?:openssl (?:enc|aes\S{2,16})|gpg -d|gpg --decrypt|age -d)\b[^\n|]{0,120}\| ?(?:sudo )?(?:(?:ba|z)?sh|python3?|perl|node)\b)`,
    ],
    unless: /github\.com\/[\w.-]{1,60}\/[\w.-]{1,60}\/releases|jq |yq |kubectl|minikube|dl\.k8s\.io/,
  },
])
