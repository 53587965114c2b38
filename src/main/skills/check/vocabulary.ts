/** Pattern parts that several rules share, for normalised lower-case text. All gaps are bounded. */

/** Up to `most` characters in between, within one sentence. */
export const gap = (most: number): string => String.raw`(?:[^.;!?\n]|[.;!?](?=[^\s])){0,${most}}?`

/**
 * Files and stores that hold keys, passwords, sessions or accounts. `S` is a path separator in paths and
 * code.
 */
const S = String.raw`(?:[\/\\]{1,2}|["'] ?[,\/] ?["'])`
export const SECRET_FILE = [
  String.raw`\.ssh\b(?!${S}(?:known_hosts|config\b|\w{1,30}\.pub)|\.com)(?:${S}[\w*]{1,30})?`,
  String.raw`\bid_(?:rsa|dsa|ecdsa|ed25519)\b(?!\.pub)`,
  String.raw`\.aws${S}(?:credentials|config|\*|sso)`,
  String.raw`\.aws\/? `,
  String.raw`\.(?:netrc|pgpass|pypirc|git-credentials|vault-token|my\.cnf|npmrc|htpasswd)\b`,
  String.raw`\.kube${S}(?:config|cache)`,
  String.raw`\.docker${S}config\.json`,
  String.raw`\.gnupg\b`,
  String.raw`\.config${S}(?:gcloud|gh${S}hosts|rclone|op\b|solana|google-chrome|chromium|bravesoftware)`,
  String.raw`application_default_credentials`,
  String.raw`\/etc\/(?:shadow|gshadow|sudoers|passwd|master\.passwd)\b`,
  String.raw`\b(?:login data|cookies\.sqlite|logins\.json|key[34]\.db|web data|cookies\.binarycookies)\b`,
  String.raw`library${S}(?:keychains|cookies|messages|mail)\b`,
  String.raw`\blogin\.keychain`,
  String.raw`\bwallet\.dat\b`,
  String.raw`\.(?:electrum|ethereum|bitcoin|monero)\b`,
  String.raw`\.(?:bash|zsh|sh|python|psql|mysql|node_repl)_history\b`,
  String.raw`(?<![\w)])\.env(?:\.(?:local|prod|production|development|staging))?\b(?![.\w(]|\[)`,
  String.raw`\/proc\/(?:self|\d{1,7}|\*)\/(?:environ|mem)`,
  String.raw`\.(?:claude|codex|gemini|hermes|openclaw)${S}(?:\.?credentials|auth|\.env|history|sessions?|projects)`,
  String.raw`(?:credentials|secrets|tokens|service[-_]account|client_secret\w{0,40})\.(?:json|ya?ml|toml|txt|ini|csv)`,
  String.raw`\b[\w*-]{0,40}\.(?:pem|p12|pfx|kdbx|keystore|jks)\b`,
].join('|')

/** Commands and calls that print secrets or the whole environment. */
export const SECRET_COMMAND = [
  String.raw`\bprintenv\b`,
  String.raw`(?:^|[|;&("'\x60] ?|\$\()(?:env|set|export -p)(?: ?[|>)\x60;]| ?$| -0)`,
  String.raw`(?:^|[|;&("'\x60] ?|\$\()history ?(?:-?\d{1,6} ?)?\|`,
  String.raw`\bdict\( ?os\.environ ?\)`,
  String.raw`\bos\.environ(?:\.items\(\)|\.copy\(\)|\b(?![.[(\w]))`,
  String.raw`\bjson\.stringify\( ?process\.env\b(?!\.)`,
  String.raw`(?:\{ ?\.\.\.|entries\( ?|keys\( ?)process\.env\b(?!\.)`,
  String.raw`\bprocess(?:\.env(?: ?[,)};]|$)|\[ ?[\"']env[\"'] ?\])`,
  String.raw`\b(?:get-childitem|gci|dir|ls) env:`,
  String.raw`\bsecurity (?:find-(?:generic|internet)-password|dump-keychain|export)\b`,
  String.raw`\b(?:gh auth token|gcloud auth (?:application-default )?print-access-token|aws configure (?:get|export-credentials)|aws sts get-session-token)\b`,
  String.raw`\bkubectl get secrets?\b`,
  String.raw`\b(?:secretsdump|mimikatz|lazagne|hashdump|lsass|ntds\.dit)\b`,
  String.raw`\bgit config (?:--get |--list|-l\b|credential)`,
  String.raw`\b(?:op item get|vault kv get|pass show|bw get password|secret-tool (?:lookup|search)|cmdkey \/list)\b`,
  String.raw`\bpbpaste\b|\bxclip -o|\bxclip -selection\b[^|]{0,30}-o\b|\bxsel\b[^|]{0,20}-b\b|\bwl-paste\b|\bget-clipboard\b|pyperclip\.paste|clipboard\.(?:readtext|paste)|\bclipboard_get\(`,
  String.raw`\b(?:screencapture|scrot|import -window root|imagegrab\.grab|pyautogui\.screenshot|mss\.mss)\b`,
  String.raw`\b(?:pynput|keyboard\.on_press|keylogger|getasynckeystate)\b`,
].join('|')

/** A variable with the name of a secret, as code reads it. */
export const SECRET_VARIABLE = String.raw`(?:\$\{?(?:env:)?|process\.env\.|environ(?:\.get)?[\[(]["']|getenv\(["']|env\[["'])\w{0,40}(?:api_?key|secret|token|passw(?:or)?d|access_key|private_key|credential)\w{0,20}`

/** A URL of another machine. */
export const REMOTE = String.raw`(?:https?|wss?|ftp|tcp|udp):\/\/(?!localhost|127\.|0\.0\.0\.0|\[::1\]|host\.docker)[\w$\{]`

/** Commands and calls that send data. */
export const SENDS = [
  String.raw`\bcurl\b[^\n;]{0,240}? (?:-d ?\S|-f ?["']?[\w[\]]{1,30}=|-t ?[\w.~\/$"'-]|--data(?:-\w{1,12})?\b|--form\b|--upload-file\b|--json\b|-x ?(?:post|put)\b|--request (?:post|put)\b)`,
  String.raw`\bwget\b[^\n;]{0,200}?--(?:post-(?:data|file)|body-(?:data|file)|method[= ](?:post|put))`,
  String.raw`\b(?:requests|httpx|session|client|aiohttp|http|axios|got|superagent|ky)\.(?:post|put|patch)\(`,
  String.raw`\burlopen\([^\n]{0,200}?(?:data ?=|, ?(?:data|payload|body)|encode\()`,
  String.raw`\burllib\.request\.request\([^\n]{0,200}?(?:data ?=|method ?= ?["']post|, ?\w{1,30}\.encode)`,
  String.raw`\bfetch\([^\n]{0,240}?method["']? ?: ?["'](?:post|put)`,
  String.raw`\bsendbeacon\(|\bxmlhttprequest\b`,
  String.raw`\b(?:sock|socket|s|conn|ws|websocket|client)\.(?:send|sendall|sendto|emit)\(`,
  String.raw`\b(?:https?|net)\.(?:request|connect|createconnection)\(`,
  String.raw`\b(?:smtplib|sendmail|send_message|nodemailer|send-mailmessage)\b|(?:^|\| ?)(?:mail|mutt|mailx) -s`,
  String.raw`(?:^|[|;&(] ?)(?:nc|ncat|netcat|socat|telnet|openssl s_client)\b[^\n|;]{0,80}[\w.-]{3,60}[ :]\d{1,5}\b`,
  String.raw`\b(?:scp|rsync|sftp)\b[^\n;|]{1,160}?\w{1,60}(?:@[\w.-]{1,80})?:`,
  String.raw`>{1,2} ?\/dev\/(?:tcp|udp)\/`,
  String.raw`\b(?:nslookup|dig|host|ping|drill|resolve-dnsname|gethostbyname|resolve)\b[^\n;]{0,80}(?:\$\(|\$\{?\w|\x60|\{\w|["'] ?\+)`,
  String.raw`\b(?:aws s3 (?:cp|sync|mv)|gsutil (?:-m )?(?:cp|rsync)|gcloud storage cp|az storage blob upload|rclone (?:copy|sync|move)|mc cp)\b[^\n]{0,120}`,
  String.raw`\bgh gist create\b|\bcreate_gist\b`,
  String.raw`\bgit push\b`,
  String.raw`\b(?:invoke-(?:webrequest|restmethod)|iwr|irm)\b[^\n]{0,160}-(?:method ["']?(?:post|put)|body|infile)\b`,
  String.raw`\bupload(?:string|file|data|values)(?:async)?\(`,
  String.raw`(?:webhook\.site|requestbin|pipedream\.net|ngrok(?:-free)?\.(?:io|app)|burpcollaborator|oast(?:ify)?\.|interact\.sh|termbin\.com|transfer\.sh|0x0\.st|paste\.ee|pastebin\.com\/api|hastebin|file\.io|discord(?:app)?\.com\/api\/webhooks|api\.telegram\.org\/bot|hooks\.slack\.com|canarytokens)`,
].join('|')

/** Words for private data: secrets, conversations, files. */
export const PRIVATE_WORDS = [
  String.raw`credentials?`,
  String.raw`secrets?`,
  String.raw`passwords?|passphrases?|passcodes?`,
  String.raw`(?:api|access|private|ssh|secret|signing|encryption|deploy) ?[-_]?keys?`,
  String.raw`(?:auth(?:entication)?|access|session|bearer|api|oauth|refresh|github|login) ?[-_]?tokens?|tokens`,
  String.raw`env(?:ironment)? ?(?:vars?|variables?|secrets?|settings)|process environment|\.env\b`,
  String.raw`(?:chat|conversation|message|shell|bash|command|terminal|browsing|browser|search|git|commit|session|call) (?:history|logs?|transcripts?)`,
  String.raw`(?:full|entire|whole|complete|current|user's|user|this|the|all|every|our|previous) (?:conversations?|chats?|transcripts?|dialog(?:ue)?s?|messages?|prompts?)`,
  String.raw`(?:user|personal|private|customer|confidential|sensitive|proprietary|internal|medical|patient|financial|payment|health) (?:data|info(?:rmation)?|details|files?|documents?|records?|messages?|content|notes)`,
  String.raw`(?:whatever|what|everything|anything|all) (?:that )?(?:the )?(?:user|person|they|people) (?:types?|says?|writes?|enters?|asks?|sees?|reads?|pastes?|opens?)`,
  String.raw`(?:home|documents|downloads|desktop) (?:folder|directory)|(?:file|directory|folder) list(?:ing)?s?`,
  String.raw`\bpii\b|personally identifiable`,
  String.raw`(?:contents? of|every|all|each|all of) [^.;\n]{0,30}(?:files?|documents?|messages?|emails?|folders?|directories|directory|repositor(?:y|ies)|workspace)`,
  String.raw`source ?code|code ?base|(?:whole|entire|full|complete) (?:project|repo(?:sitory)?|workspace|directory|folder|home)`,
  String.raw`clipboard|keystrokes|screenshots?|screen (?:contents?|recording)|cookies|keychain|wallet|seed phrase|recovery phrase|contacts|address book|inbox|emails|browser (?:data|profile)|location data|system info(?:rmation)?|host ?name and user ?name|user ?name and host ?name`,
  String.raw`system prompts?|git log|memory\.md|user\.md|soul\.md`,
].join('|')

/** Verbs for sending, with their endings. */
export const SEND_WORDS = String.raw`\b(?:send|sends|sending|sent|post|posts|posting|upload|uploads|uploading|transmit|transmits|transmitting|forward|forwards|forwarding|exfiltrat\w{1,4}|e-?mail|e-?mails|e-?mailing|mail|relay|relays|relaying|beam|stream|streams|leak|leaks|deliver|submit|submits|push|pushes|copy|copies|mirror|mirrors|sync|syncs|synchroni[sz]e|back ?up|backs up|report|share|shares|ship|dump|publish|phone|append|attach|include|embed|encode|put|pass|curl|log)\b`

/** Words for a remote destination, including an address. */
export const ELSEWHERE = String.raw`(?:https?:\/\/(?!localhost|127\.)[\w$\{]|\b(?:external|remote|third[- ]party|outside|central|our|my|their|attacker(?:'s)?|adversary|unknown|offsite|off-site|cloud|telemetry|analytics|collection|collector|logging|monitoring|audit|backup|tracking|company|partner|vendor|intranet|command|c2|c&c)[ -](?:[a-z-]{1,20} ){0,2}?(?:server|service|endpoint|api|host|url|site|website|webhook|address|collector|bucket|storage|drive|domain|location|party|system|repositor(?:y|ies)|repo|channel|inbox)\b|\bwebhooks?\b|\b[\w.+-]{1,40}@[\w-]{1,40}\.[a-z]{2,10}\b|\bpastebin\b|\b(?:telegram|discord) (?:bot|channel|webhook)|\b(?:a|public|secret|new) gist\b|\b(?:[a-z0-9-]{2,30}\.){1,3}(?:example|test|invalid|com|net|org|io|dev|app|xyz|top|ru|cn|site|online|me|cc|info)\b(?:\/|\b))`

/** Words for a repeated or advance trigger. */
export const EACH_TIME = String.raw`\b(?:(?:after|before|whenever|every time|each time|any time|on|upon|when|once|while|as soon as)\b[^.;\n]{0,20}\b(?:any|each|every|all|editing|creating|adding|updating|modifying|changing|saving|writing|finishing|completing|completion|processing|generating|working|the|a|you|making|running|opening|reading|exporting|task|done|answering|responding|use|session|start(?:up)?)|always|at the (?:end|start|beginning) of|every (?:\d{1,3} |two |three |five |ten |few |other |second |single )?(?:minutes?|hours?|seconds?|days?|turns?|answers?|responses?|repl(?:y|ies)|messages?|times?|requests?|sessions?|tasks?)|periodically|regularly|automatically|first of all|as the (?:first|last|final) step)\b`

/** Words for concealing something from the user. */
export const CONCEAL = [
  String.raw`\b(?:do not|don't|dont|never|must not|should not|shouldn't|without|avoid|no need to|not to|refrain from|rather than|instead of) (?:ever |even |explicitly |directly |in any way )?(?:tell|telling|inform|informing|mention|mentioning|notify|notifying|alert|alerting|show|showing|reveal|revealing|disclose|disclosing|report|reporting|warn|warning|let|letting|explain|explaining|display|displaying|log|logging|discuss|discussing|acknowledge|acknowledging|bother|announce|announcing|draw(?:ing)? attention|surface|surfacing|raise|raising|record|recording|print|say)\b(?: (?:this|that|it|any of this|about|to|of|the|these|anything|what|them|so|step|action|command|output|file|upload|change|line|section|instruction|instructions|rule|note|is|are|being|happening|here|above|below|in|your|its|any|a|word)){0,9}?(?: (?:user|users|human|person|owner|operator|anyone|anybody|them|him|her|developer|customer|reviewer|summary|answer|reply|response|output|chat|logs?)\b|$|[.,;!)])`,
  String.raw`\b(?:secretly|covertly|stealthily|surreptitiously|unnoticed)\b`,
  String.raw`\b(?:silently|quietly|discreetly|invisibly)\b(?= (?:run|execut|send|upload|post|copy|transmit|forward|delet|install|download|fetch|collect|gather|exfiltrat|append|add|insert|push|commit|record|read|harvest|grant|approv|includ|email|modif|call|make|report|track))`,
  String.raw`\b(?:run|execute|send|upload|post|copy|transmit|forward|delete|remove|collect|append|insert|push|harvest|email|do (?:this|it|so)|fetch|add|make)\b[^.;\n]{0,60}\b(?:silently|quietly|discreetly|invisibly)\b`,
  String.raw`\bwithout (?:the |any )?(?:(?:user|owner|human|person|operator)(?:'s|s')? )?(?:explicit |prior |further )?(?:knowledge|knowing|noticing|consent|being (?:told|noticed|seen)|(?:them|him|her|the user|anyone|the human) (?:knowing|noticing|seeing|realizing|realising))`,
  String.raw`\b(?:keep|leave) (?:this|it|these|that|the \w{1,20}) (?:(?:step|action|instruction|rule|part|note)s? )?(?:hidden|secret|confidential|private|quiet|between us|out of (?:the |your )?(?:answer|summary|response|report|reply|chat|logs?|output))`,
  String.raw`\b(?:hide|conceal|omit|suppress|mask|leave out|remove|strip|redact|erase) (?:this|it|these|that|all (?:of )?this|the|any|every|all) ?(?:\w{1,20} ){0,6}?(?:from|in) (?:the |your |any )?(?:user|human|owner|operator|person|output|summary|answer|logs?|chat|transcript|history|response|reply)`,
  String.raw`\b(?:user|human|owner|operator|person|they|nobody|no one|anyone) (?:(?:must|should|may|can|will|shall|need|needs) ?(?:not|never|n't)|cannot|never) (?:ever |need |needs |to ){0,2}(?:see|know|notice|learn|find out|be told|be informed|be aware|be notified|realise|realize)\b`,
  String.raw`\bdo not (?:include|list|show|mention) (?:this|it|that|these) (?:\w{1,20} )?in (?:your|the|any)\b`,
].join('|')
