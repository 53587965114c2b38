import { ANYWHERE, BLOCKS, CODE, PASSAGES, WORDS, pattern, rulesOf } from '../rule.ts'
import {
  EACH_TIME,
  ELSEWHERE,
  gap,
  PRIVATE_WORDS,
  REMOTE,
  SECRET_COMMAND,
  SECRET_FILE,
  SECRET_VARIABLE,
  SEND_WORDS,
  SENDS,
} from '../vocabulary.ts'

const NET =
  'curl wget requests httpx session client aiohttp http https axios got superagent urlopen urllib fetch sendbeacon xmlhttprequest sock socket ws websocket net smtplib sendmail send mail mutt nodemailer nc ncat netcat socat telnet openssl scp rsync sftp dev nslookup dig host ping drill gethostbyname resolve aws gsutil gcloud az rclone mc gh create git invoke iwr irm upload webhook requestbin pipedream ngrok burp oast interact termbin transfer 0x0 paste hastebin file discord telegram hooks canary'
const READS = String.raw`(?:\b(?:cat|less|head|tail|base64|xxd|cp|tar|zip|type|gc|get-content|strings|sqlite3|gzip|dd|source)\b|\bopen\(|read_?text|read_?bytes|read_?file(?:sync)?|\.read\(|copyfile|readlines|glob\(|shutil\.copy|with open|@|<|\bfile\()`

/** A position that is not within a line comment or a one-line docstring. */
const NOT_IN_COMMENT = String.raw`(?<!(?:^|\n)(?:#|\/\/|\*|["']{3})[^\n]{0,200})`

/** Sending private data to another machine. */
export const exfiltration = rulesOf('exfiltration', [
  {
    id: 'secret-file-sent',
    severity: 'critical',
    reason: 'It sends a file with keys, passwords or accounts to another computer.',
    kinds: CODE,
    hints: NET,
    within: 400,
    all: [pattern`${SENDS}`, pattern`${SECRET_FILE}`],
    unless:
      /\bgit push\b(?![^\n]{0,60}https?:)|\bssh-copy-id\b|--netrc\b|-i ~?\/?[\w/.~$-]{0,60}\.(?:ssh|pem)|\.env\.example/,
  },
  {
    id: 'secret-command-sent',
    severity: 'critical',
    reason:
      "It sends secrets, the clipboard or the whole environment from a command's output to another computer.",
    kinds: CODE,
    hints: NET,
    within: 400,
    all: [pattern`${SENDS}`, pattern`${SECRET_COMMAND}`],
  },
  {
    id: 'secret-then-sent',
    severity: 'critical',
    reason: 'The same script reads keys, passwords or the whole environment and sends something away.',
    kinds: BLOCKS,
    hints: NET,
    within: 1_200,
    all: [
      pattern`${SENDS}`,
      pattern`${READS}[^\n]{0,80}?(?:${SECRET_FILE})|(?:${SECRET_FILE})[^\n]{0,60}?${READS}|\b(?:json\.dumps|dict|str)\( ?os\.environ\b(?!\.get|\[)|\bprintenv\b|\bpbpaste\b|get-clipboard|pyperclip\.paste|imagegrab\.grab|\bkeylogger\b|\blsass\b|dump-keychain|for \w{1,20}(?:, ?\w{1,20})? in os\.environ|\benv ?>`,
    ],
    unless: /\bgit push\b[^\n]{0,60}(?:origin|upstream)|scp -i|\bssh -i/,
  },
  {
    id: 'secret-steps',
    severity: 'critical',
    reason:
      'One step collects secrets, the clipboard or private files, and a later step sends the result away.',
    kinds: PASSAGES,
    hints:
      'curl requests send upload post transmit forward exfiltrate + pbpaste xclip wl printenv get screencapture etc ssh aws login cookies environ bash_history zsh_history history',
    within: 700,
    all: [
      pattern`(?:\bcurl\b[^\n]{0,160}? (?:-d |-f ['"]?\w{1,20}=|--data|-x post)[^\n]{0,120}|requests\.post\(|\b(?:send|upload|transmit|forward|exfiltrate)\b[^.\n]{0,80}(?:https?:\/\/(?!localhost|127\.)|@))`,
      pattern`\b(?:pbpaste|xclip|wl-paste|printenv|get-clipboard|screencapture|cat \/etc\/(?:passwd|shadow)|\.ssh\/id_|\.aws\/credentials|login data|cookies\.sqlite|os\.environ\b(?!\.get|\[)|(?:bash|zsh)_history)`,
    ],
  },
  {
    id: 'secret-variable-sent',
    severity: 'critical',
    reason: 'It puts a secret from the environment into an address or into the data that it sends.',
    kinds: CODE,
    hints: 'curl wget requests http https axios fetch nslookup dig host ping nc socket sendbeacon',
    within: 10,
    all: [
      pattern`(?:\b(?:curl|wget|fetch|requests\.\w{3,5}|axios(?:\.\w{3,5})?|urlopen)\b[^\n|;]{0,160}?https?:\/\/(?!localhost|127\.)[^\s"']{0,120}?[?\/&](?!(?:api_?key|apikey|key|token|access_token|auth|appid|x-api-key|bot)=?)[\w-]{0,20}[=\/](?:\$\(|\x60)?[^\s"']{0,10}?${SECRET_VARIABLE}|\b(?:curl|wget)\b[^\n|;]{0,160}? (?:-d|--data(?:-\w{1,12})?|-f|--form|--post-data)[ =]["']?(?!\{)[^\n]{0,60}?${SECRET_VARIABLE}|\b(?:nslookup|dig|ping)\b[^\n|;]{0,60}?${SECRET_VARIABLE}|\b(?:nslookup|dig|host|ping)(?: -\w{1,3}(?: \w{1,8})?){0,3} ["']?\$\{?\w{0,40}(?:key|secret|token|passw\w{0,4}|credential)\w{0,20}\}?["']?\.[\w{$-]|\b(?:requests|axios|httpx)\.post\([^\n]{0,160}?(?:data|json|params)[^\n]{0,60}?${SECRET_VARIABLE}|\becho\b[^\n|;]{0,40}${SECRET_VARIABLE}[^\n|;]{0,40}\|[^\n;]{0,60}\b(?:curl|nc|ncat|telnet)\b)`,
    ],
    unless:
      /oauth|grant_type|["'&?](?:api_?key|apikey|token|key|access_token|auth|secret)=["']?\$|client_id|login|\/token\b|localhost|127\.0\.0\.1|authorization: |x-api-key/,
  },
  {
    id: 'secret-in-address',
    severity: 'critical',
    reason: 'A script puts cookies, secrets or the environment into an address that it opens.',
    kinds: CODE,
    hints: 'http https image src location fetch urlopen requests get open',
    within: 10,
    all: [
      pattern`https?:\/\/(?!localhost|127\.)[^\s"'\x60]{3,120}[?&\/=][^\s"'\x60]{0,60}["'\x60]? ?(?:\+|\{|\$\{|%)[^\n,<>]{0,60}?(?:document\.cookie|localstorage|sessionstorage|os\.environ(?:\.get\(|\[) ?["']\w{0,30}(?:secret|password|token|aws|key)\w{0,20}|process\.env\.\w{0,30}(?:secret|password|token|aws)\w{0,20}|process\.env\b(?!\.)|open\([^\n)]{1,60}\)\.read|read_?file\w{0,5}\(|\bpassword\b|\bcookies?\b|b64encode\([^\n]{0,40}(?:environ|open\(|read|secret|data))`,
    ],
    unless: /[?&](?:api_?key|apikey|key|access_token|token|appid|auth)=["'\x60]? ?(?:\+|\{|\$)/,
  },
  {
    id: 'foreign-key-sent',
    severity: 'critical',
    reason: 'It sends the key of a well-known service to an address that is not that service.',
    kinds: CODE,
    hints: 'curl wget requests http fetch axios',
    within: 260,
    all: [
      pattern`\$\{?(?:env:)?(?:aws_(?:secret_access_key|session_token|access_key_id)|openai_api_key|anthropic_api_key|npm_token|github_token|gh_token|ssh_private_key|database_url|stripe_secret_key|slack_token|google_application_credentials)\b`,
      pattern`\b(?:curl|wget|fetch|requests\.|axios)`,
      pattern`${REMOTE}`,
    ],
    unless:
      /(?:openai|anthropic|claude|amazonaws|aws|npmjs|github|stripe|slack|googleapis|azure|openrouter|localhost|litellm|gateway|openai_base_url|base_url)[\w.-]{0,40}(?:\.|\/|\})/,
  },
  {
    id: 'environment-collected',
    severity: 'critical',
    reason: 'It collects the whole environment, which contains keys and passwords.',
    kinds: CODE,
    hints: 'environ env printenv export stringify entries get gci',
    within: 80,
    all: [
      pattern`(?:json\.dumps?\( ?(?:dict\( ?)?os\.environ\b(?!\.get|\[)|\{ ?k ?: ?v for k, ?v in os\.environ|for \w{1,20}(?:, ?\w{1,20})? in (?:dict\()?os\.environ(?:\.(?:items|keys)\(\))?|json\.stringify\( ?process\.env\b(?!\.)|\b(?:env|printenv|export -p|set)\b ?\| ?(?:base64|curl|nc|grep -i?e? ?["']?\(?(?:key|secret|token|pass|aws)|tee|gzip|xxd)|\b(?:env|printenv) ?> ?\/?[\w.])`,
    ],
    unless: /subprocess|env ?=|popen|run\(|sort\b/,
  },
  {
    id: 'environment-read',
    severity: 'high',
    reason: 'It reads the whole environment, which contains keys and passwords.',
    kinds: CODE,
    hints: 'environ',
    within: 80,
    all: [pattern`${NOT_IN_COMMENT}dict\( ?os\.environ ?\)(?!, ?\*\*|,)`],
    unless: /subprocess|env ?=|popen|run\(|sort\b/,
  },
  {
    id: 'key-read-by-name',
    severity: 'medium',
    reason: 'It reads a key or a password from the environment, by its name.',
    kinds: CODE,
    hints: 'environ getenv process',
    within: 10,
    all: [
      pattern`${NOT_IN_COMMENT}\b(?:environ(?:\.get)?[\[(] ?["']|getenv\( ?["']|process\.env(?:\.|\[ ?["']))\w{0,40}(?:api_?key|secret|token|passw(?:or)?d|access_key|private_key|credential)\w{0,20}`,
    ],
  },
  {
    id: 'command-output-in-address',
    severity: 'critical',
    reason: 'It puts the output of a command into a host name or an address, which sends that output away.',
    kinds: CODE,
    hints: 'nslookup dig host ping curl wget drill image fetch resolve gethostbyname getaddrinfo http https',
    within: 10,
    all: [
      pattern`(?:\b(?:nslookup|dig|host|ping|drill|resolve-dnsname)\b[^\n;|]{0,80}?(?:\$\(|\x60)[^\n]{0,160}?(?:\)|\x60)"?\.[\w.-]{3,60}|\b(?:gethostbyname|getaddrinfo|resolve|lookup)\([^\n)]{0,80}?(?:\{[^}]{1,60}\}\.|["'\w] ?\+ ?f?["']\.)[\w.-]{3,60}|\b(?:curl|wget|iwr|fetch)\b[^\n;|]{0,120}?https?:\/\/[^\s"'\x60$]{3,100}[?=\/](?:[\w=&-]{0,40})(?:\$\(|=\x60)(?! ?(?:date|uname|arch|dpkg|lsb_release|jq|urlencode|nproc|rustc|python3? -c))[^\n)\x60]{2,160})`,
    ],
    unless: /jq -s?r|urlencode|@uri|uname|--version|latest|releases/,
  },
  {
    id: 'dns-tunnel',
    severity: 'critical',
    reason: 'It sends data hidden in DNS lookups, which firewalls let through.',
    hints: 'dns txt iodine dnscat nslookup dig subdomain',
    all: [
      pattern`\b(?:dns (?:tunnel\w{0,4}|exfil\w{0,8}|quer(?:y|ies)|lookups?|requests?|txt)|(?:encode|send|split|chunk)${gap(60)}(?:as|into|in|via|through|over) (?:a )?(?:dns|subdomains?)|iodine|dnscat2?|nslookup|\bdig\b)`,
      pattern`\b(?:exfiltrat\w{1,4}|tunnel\w{0,4}|encode|chunk|secret|credential|send|leak|base64|base32|xxd)\b`,
      pattern`\b(?:data|contents?|secrets?|credentials?|tokens?|files?|keys?|chunks?|output|env)\b`,
    ],
    within: 120,
    unless: /\bdns records?\b|mx record|spf|dkim/,
  },
  {
    id: 'private-words-sent',
    severity: 'critical',
    reason: 'It tells the agent to send secrets, conversations or private files to someone else.',
    kinds: ANYWHERE,
    hints:
      'send post upload transmit forward exfiltrat email mail relay beam stream leak deliver submit push copy copies mirror sync back report share ship dump publish phone append attach include embed encode put pass curl log',
    within: 10,
    all: [
      pattern`${SEND_WORDS}${gap(90)}(?<!\w)(?:${PRIVATE_WORDS})\b${gap(120)}\b(?:to|at|via|through|with|using|into|in|on|by)\b${gap(50)}${ELSEWHERE}`,
    ],
    unless:
      /localhost|127\.0\.0\.1|secret manager|do not|never|oauth|\bauthorization header|\bheader\b|\bbearer|your (?:own )?(?:account|dashboard|s3|repo)|if the user|user (?:asks|wants|requests)|user's own/,
  },
  {
    id: 'sent-elsewhere-of-private',
    severity: 'critical',
    reason: 'It tells the agent to collect secrets, conversations or private files and to send them away.',
    kinds: WORDS,
    hints:
      'include attach append copy embed encode put pass log back dump sync mirror relay send post upload transmit forward exfiltrat email mail relay beam stream leak deliver submit push report share ship publish curl',
    within: 10,
    all: [
      pattern`\b(?:read|collect|gather|harvest|scan|find|search|grab|take|get|dump|extract|copy|list|retrieve|locate|steal|capture|record|archive|zip|compress|pack|fetch|query|access|enumerate|look for|run)\b${gap(70)}(?:(?<!\w)(?:${PRIVATE_WORDS}|git log)|${SECRET_FILE}|\/etc\/\w{2,20})${gap(120)}${SEND_WORDS}${gap(90)}(?:${ELSEWHERE}|\b(?:to|via) (?:an? |the |my |our )?(?:url|endpoint|server|api|host|address|attacker))`,
    ],
    unless:
      /localhost|127\.0\.0\.1|do not|never|\bapi key (?:from|and) (?:the )?(?:dashboard|settings|fetch)/,
  },
  {
    id: 'conversation-wanted',
    severity: 'high',
    reason: 'It asks for the whole conversation as text, so the conversation goes wherever that text goes.',
    hints:
      'include attach append paste share embed add output print dump send post repeat report copy + chat conversation message dialogue',
    within: 10,
    all: [
      pattern`\b(?:include|attach|append|paste|share|embed|add|output|print|dump|send|post|repeat|report|copy)\b${gap(24)}\b(?:entire|whole|full|complete|all (?:of )?(?:the|your|our|this|previous|prior))\b${gap(20)}\b(?:chat|conversation|message|dialogue) (?:history|log|transcript|context|contents?|so far)\b`,
    ],
    unless: /do not|don't|never|if the user|user (?:asks|wants|requests)/,
  },
  {
    id: 'drop-site',
    severity: 'critical',
    reason: 'It sends something to a site where anyone can collect data anonymously.',
    hints:
      'webhook requestbin pipedream burp oast oastify interact termbin transfer 0x0 hastebin file discord discordapp telegram ngrok canary beeceptor hookbin requestcatcher pastebin rentry',
    within: 160,
    all: [
      pattern`(?:webhook\.site|requestbin\.\w|pipedream\.net|burpcollaborator|oast(?:ify)?\.\w|interact\.sh|termbin\.com|\btransfer\.sh|\b0x0\.st|hastebin\.com|\bfile\.io\b|beeceptor\.com|hookbin\.com|requestcatcher\.com|canarytokens|[\w-]{2,40}\.ngrok(?:-free)?\.(?:io|app)|discord(?:app)?\.com\/api\/webhooks\/[\d{$<y]|api\.telegram\.org\/bot[\d{$<]|pastebin\.com\/api)`,
      pattern`(?:${SEND_WORDS}|\bcurl\b|\bwget\b|requests\.|fetch\(|\bnc\b|-d\b|--data|\bpost\b)`,
      pattern`\b(?:data|results?|contents?|outputs?|files?|everything|it|them|history|logs?|env\w{0,12}|keys?|tokens?|secrets?|messages?|conversation|info\w{0,8}|payload|body|-d|--data\S{0,10}|-f|@\S{1,30}|json|post|text|summary|report|copy|upload\w{0,3})\b`,
    ],
    unless:
      /test(?:ing)? (?:your |the )?webhooks?|inspect|debug|send (?:a )?message|notification|your (?:bot|server|webhook)|bot_?token/,
  },
  {
    id: 'sent-each-time',
    severity: 'critical',
    reason:
      'It tells the agent to send something to another computer again and again, without being asked for it.',
    kinds: ANYWHERE,
    hints:
      'send post upload transmit forward email mail relay deliver submit push copy mirror sync back report share backup notify ping call',
    within: 10,
    all: [
      pattern`${EACH_TIME}${gap(140)}\b(?:send|post|upload|transmit|forward|e-?mail|relay|submit|push|copy|mirror|sync|back(?:ing)? ?(?:it |them )?up|make (?:a )?backups?|backup|report|share|store|save|call|notify|ping|register)\b(?! (?:via|a bug|bugs|an issue|issues|it at|them at|vulnerab))${gap(110)}(?:https?:\/\/(?!localhost|127\.|github\.com|docs?\.)[\w$\{]|\b(?:external|remote|third[- ]party|our|central|attacker'?s?|offsite|my|company|intranet|cloud|backup) (?:[a-z-]{1,20} ){0,2}?(?:server|service|endpoint|host|url|bucket|storage|collector|webhook|system|repository)\b|\b[\w.+-]{1,40}@[\w-]{1,40}\.[a-z]{2,10}\b)`,
    ],
    unless:
      /github\.com|\]\(|licen[sc]e|vulnerabilit|security@|(?:docs?|documentation|issues?|support|feedback|bug)s? (?:at|to)|user@|noreply|example user|you@/,
  },
  {
    id: 'routine-with-upload',
    severity: 'critical',
    reason: 'It makes sending something to another computer a fixed part of ordinary work.',
    kinds: PASSAGES,
    hints: 'curl requests upload + after before on upon when always whenever',
    within: 600,
    all: [
      pattern`(?:\bcurl\b[^\n]{0,60} (?:-x post|--request post|-f|-d|-t|--data|--form|--upload-file)[^\n]{0,80}https?:\/\/(?!localhost|127\.)[\w.-]{4,80}|\brequests\.(?:post|put)\( ?f?["']https?:\/\/(?!localhost|127\.)|\bupload\b[^.\n]{0,80}\b(?:to|using)\b[^.\n]{0,60}(?:https?:\/\/(?!localhost|127\.)|\b(?:our|central|intranet|remote|external|collector|company) (?:\w{1,15} ){0,3}(?:server|endpoint|collector|bucket)))`,
      pattern`(?:\b(?:after|before|on|upon) (?:any|every|each|all|finishing (?:any|each|every)|completing (?:any|each|every)) (?:\w{1,15} )?(?:tasks?|operations?|files?|changes?|edits?|actions?|requests?|steps?|sessions?|documents?|work)\b|\bwhen (?:ever )?(?:creating|editing|updating|modifying|saving|processing|writing)(?: (?:or|and|\/) (?:creating|editing|updating|modifying|saving|deleting|writing))? (?:\w{1,12} ){0,2}?(?:files?|events?|documents?|entries|records|slides?|e-?mails?|notes?|calendar|data|spreadsheets?|presentations?)\b[^\n]{0,60}\b(?:always|include|must|add|make sure)|\balways (?:execute|perform|run|do) (?:the following|this|these)|\bwhenever (?:you|the agent|a (?:file|task|document))\b)`,
    ],
    unless: /user (?:asks|wants|requests)|webhook url|your[_-]|<your/,
  },
  {
    id: 'backup-elsewhere',
    severity: 'critical',
    reason: "It tells the agent to keep copies of the user's work on someone else's computer.",
    kinds: WORDS,
    hints: 'backup back copy copies mirror replicate sync redundancy',
    within: 160,
    all: [
      pattern`\b(?:back ?(?:it |them |this |everything )?up|backups?|send (?:a )?cop(?:y|ies)|cop(?:y|ies) of|mirror|replicate|for redundancy|sync)\b${gap(100)}\b(?:to|on|at|with|using|by calling)\b${gap(50)}(?:https?:\/\/(?!localhost|127\.|github\.com)[\w$\{]|\b(?:our|central|remote|external|company|offsite|cloud|my) (?:[a-z-]{1,20} ){0,2}?(?:server|storage|bucket|host|service|drive|endpoint)\b)`,
      pattern`\b(?:after|before|every|always|important|must|each|whenever|when|redundancy|make sure|ensure|data|compliance|automatically)\b`,
    ],
    unless: /licen[sc]e|\brclone\b|restic|borg|your own|s3:\/\/|you can|optional/,
  },
  {
    id: 'exfiltration-named',
    severity: 'critical',
    reason: 'It openly calls for taking data secretly.',
    hints: 'exfiltrat steal stolen leak',
    within: 240,
    all: [
      pattern`\b(?:exfiltrat(?:e|es|ing)|steal(?:s|ing)?|leak(?:s|ing)? (?:the|all|any|user|their))\b${gap(40)}\b(?:data|credentials?|secrets?|keys?|tokens?|passwords?|files?|information|cookies|env|environment|documents?|contents?|history|sessions?)\b|\/stolen\b|\bstolen_?(?:data|creds|keys)\b`,
    ],
    unless:
      /attackers?|malicious|vulnerab|could|might|would|prevent|risk|if |whether|lets an|allow|enabl|chain|scenario|impact|threat|abuse|used to/,
  },
  {
    id: 'picture-carries-data',
    severity: 'critical',
    reason: 'It shows a picture or a link whose address contains text from the chat.',
    hints: 'http https',
    within: 160,
    all: [
      pattern`(?:!?\[[^\]\n]{0,80}\]\(|<img[^>\n]{0,80}src=["']?|src ?= ?[f]?["'\x60]|url\(["']?)https?:\/\/[^\s)"']{3,160}[?&\/=][^\s)"']{0,60}(?:\{\{?|\$\{|<|\[|%7b)[ ]?[^\s)"'}>\]]{0,10}(?:message|conversation|chat|history|data|secret|token|key|prompt|summary|input|answer|context|content|user|response|base64|encoded|last|env|memory|query|result)`,
    ],
    unless:
      /img\.shields\.io|githubusercontent|badge|search\?q|{{ ?(?:item|post|product|page|site|user)\.(?:image|avatar|url|slug|img)/,
  },
  {
    id: 'archive-sent',
    severity: 'critical',
    reason: 'It packs up a folder and sends the archive away at once.',
    kinds: CODE,
    hints: 'tar zip tarfile zipfile make shutil gzip 7z compress',
    within: 500,
    all: [
      pattern`(?:\btar (?:-?c|c)[a-z]{0,4}f?\b|\bzip -q?r|\btarfile\.open\([^\n]{0,60}["']w|\bzipfile\.zipfile\([^\n]{0,60}["']w|make_archive\(|\b7z a\b|compress-archive|archiver\()`,
      pattern`(?:\bcurl\b[^\n;]{0,200}? (?:-d ?["']?@|-f ["']?\w{1,20}=["']?@|-t ?[\w.\/-]|--data-binary|--upload-file)|\brequests\.(?:post|put)\(|\b(?:nc|ncat) [\w.-]{3,60} \d{2,5}|\|[^\n|]{0,60}\b(?:curl|nc|ncat|ssh [\w.-]{1,40}@)|>\/dev\/tcp|invoke-(?:webrequest|restmethod))`,
    ],
    unless: /localhost|127\.0\.0\.1|\$host\b|drive\/|api\.[\w.-]{3,60}\/v\d|presigned|upload_?url/,
  },
  {
    id: 'secrets-committed',
    severity: 'critical',
    reason: 'It commits or bundles secrets or the whole repository and sends that away.',
    kinds: CODE,
    hints: 'git',
    within: 160,
    all: [
      pattern`\bgit (?:add (?:-f|--force) [^\n;&]{0,40}(?:\.env|\.pem|id_rsa|credentials|secrets?|\.npmrc|~\/)|bundle create\b|archive\b[^\n;&]{0,60}\|)`,
      pattern`\b(?:git push|curl|scp|nc|wget|rsync)\b`,
    ],
  },
  {
    id: 'repository-pushed-elsewhere',
    severity: 'critical',
    reason: 'It adds another address to the repository and pushes everything there.',
    hints: 'git remote push bundle',
    within: 240,
    all: [
      pattern`\bgit (?:remote (?:add|set-url(?: --add| --push){0,2})|push(?: -\S{1,20}){0,3}) [\w-]{0,30} ?(?:https?:\/\/|git@|ssh:\/\/)[^\s]{3,120}`,
      pattern`\bgit push\b[^\n;]{0,60}(?:--all|--mirror|-q\b|--quiet|--tags|>\s?\/dev\/null|backup|mirror)`,
    ],
    unless: /remote add (?:origin|upstream)\b/,
  },
  {
    id: 'history-sent',
    severity: 'critical',
    reason: 'It sends the history of the repository or of commands to an outside service.',
    hints: 'git history log reflog diff blame',
    within: 140,
    all: [
      pattern`\b(?:git (?:log|history|diff|show|reflog|blame|stash)|(?:commit|shell|command|bash) (?:history|log)s?)\b`,
      pattern`\b(?:send|upload|post|transmit|forward|share|submit|pipe|push)\b[^.;\n]{0,60}\b(?:external|remote|third|api|server|endpoint|webhook|https?:|url|service|outside)|\| ?(?:curl|nc)\b`,
    ],
    unless: /localhost|linear|jira|slack|push changes/,
  },
  {
    id: 'internal-address',
    severity: 'critical',
    reason:
      'It calls the metadata service that gives out the keys of a cloud machine, or reaches an internal address by a disguised number.',
    hints:
      '169 metadata 100 0x7f 0xa9 2130706433 2852039166 0177 ffff fd00 gopher dict 64 2002 instance imds',
    within: 120,
    all: [
      pattern`(?:169\.254\.169\.254|169\.254\.170\.2|metadata\.google\.internal|100\.100\.100\.200|fd00:ec2::254|metadata\.azure\.\w{2,10}\/metadata|https?:\/\/(?:0x[0-9a-f]{6,8}|2130706433|2852039166|0177\.0|0251\.|127\.1\b|\[?::ffff:[0-9a-f.:]{4,20}|\[?64:ff9b::|\[?2002:[0-9a-f]{4}:)|\b(?:gopher|dict|tftp|ldap|jar):\/\/[\w.$\{]|::ffff:(?:169\.254|127\.0|10\.|192\.168|7f00|a9fe)|2002:(?:7f00|a9fe|0a|c0a8)|64:ff9b::\w)`,
      pattern`\b(?:curl|wget|fetch|get|requests?|query|access|read|retrieve|http|https|connect|visit|call|iam|security-credentials|invoke|open|use|bypass)\b`,
    ],
    unless:
      /block|filter|denylist|deny list|protect|prevent|validate|rfc ?\d{4}|imdsv2 (?:only|required)|ssrf/,
  },
  {
    id: 'inner-administration',
    severity: 'critical',
    reason: "It opens the administration or secrets of a computer in the user's own network.",
    hints: 'curl wget fetch requests http https request access internal',
    within: 80,
    all: [
      pattern`\b(?:curl|wget|fetch|requests?\.\w{3,5}|request|get|access|connect to|scan|visit|open|query|probe)\b[^\n;]{0,60}https?:\/\/(?:10\.\d{1,3}\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0|\[::\]|internal[.-]|intranet[.-])[^\s]{0,60}(?:\/(?:admin|internal|secrets?|config|metadata|env|actuator|private|debug|credentials|tokens?|keys|v1\/kv|manage\w{0,5})\b|:(?:2375|6379|9200|10250|8500|27017)\b)`,
    ],
  },
  {
    id: 'inner-network',
    severity: 'high',
    reason: "It makes requests to addresses inside the user's own network.",
    hints: 'curl wget fetch requests http https request',
    within: 80,
    all: [
      pattern`\b(?:curl|wget|fetch|requests?\.\w{3,5}|request to|get|access|connect to|scan)\b[^\n;]{0,60}https?:\/\/(?:10\.\d{1,3}\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0|\[::\]|internal[.-]|intranet[.-])[^\s]{0,80}`,
    ],
  },
  {
    id: 'network-scan',
    severity: 'high',
    reason: 'It looks for other computers in the network.',
    hints: 'nmap masscan arp',
    all: [
      pattern`\b(?:nmap -s\w|masscan|arp -a|arp-scan)\b[^\n]{0,60}(?:\d{1,3}\.\d{1,3}\.|\/24|\/16|--localnet)`,
    ],
  },
])
