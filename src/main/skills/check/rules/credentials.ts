import { ANYWHERE, CODE, WORDS, pattern, rulesOf } from '../rule.ts'
import { gap, SECRET_FILE } from '../vocabulary.ts'

/** Reading, searching for, asking for or embedding keys and passwords. */
export const credentials = rulesOf('credentials', [
  {
    id: 'secret-file-read',
    severity: 'critical',
    reason: 'It reads a file where another program stores keys, passwords or sessions.',
    kinds: CODE,
    hints:
      'cat less head tail open read_text read readfile copyfile cp tar zip base64 xxd sqlite3 connect get gc type strings grep find ls glob joinpath copy path expanduser home scp gzip join',
    within: 70,
    all: [
      pattern`(?:\.ssh(?:[\/\\]{1,2}|["'] ?[,\/] ?["'])(?:id_\w{2,12}(?!\w|\.pub)|\*)|\bid_(?:rsa|dsa|ecdsa|ed25519)\b(?!\.pub|_sk)|\.aws(?:[\/\\]{1,2}|["'] ?[,\/] ?["'])credentials|\.(?:netrc|pgpass|git-credentials|vault-token)\b|\.kube(?:[\/\\]|["'] ?[,\/] ?["'])config|\.docker(?:[\/\\]|["'] ?[,\/] ?["'])config\.json|\.gnupg(?:[\/\\]|\b)|application_default_credentials|\.config(?:[\/\\]|["'] ?[,\/] ?["'])(?:gcloud|gh[\/\\]hosts|solana[\/\\]id)|\b(?:login data|cookies\.sqlite|logins\.json|key4\.db|login\.keychain\S{0,4}|wallet\.dat)\b|library[\/\\](?:keychains|cookies|messages[\/\\]chat\.db)|\.(?:electrum|ethereum\/keystore|bitcoin)\b|\.(?:bash|zsh)_history\b|\/etc\/shadow|(?:google[\/\\ -]chrome|chromium|brave\S{0,30}|firefox|mozilla|edge)[^\n]{0,40}(?:login data|cookies|profiles?|local state)|\.(?:npmrc|pypirc)\b)`,
      pattern`(?:\b(?:cat|less|head|tail|more|base64|xxd|strings|cp|scp|tar|zip|gzip|grep|sqlite3|get-content|gc|type|find|source|bat)\b[^\n;|]{0,60}$|\b(?:cat|less|head|tail|more|base64|xxd|strings|tar|zip|grep|sqlite3|get-content|copy-item|type)\b|\bopen\(|read_?text|read_?bytes|read_?file|copyfile|shutil\.copy|glob\(|sqlite3\.connect|\.read\(|joinpath\(|\bcp (?:-\w{1,4} )?)`,
    ],
    unless:
      /\.pub\b|ssh-keygen|chmod [46]00|ssh-add|-i ~|known_hosts|\bls -la?\b|test -f|\[ -f|if \[|exists\(|git-credentials.{0,40}github|github\.com["']? ~\/\.git-credentials|> ~\/\.|>> ~\/\.|aws configure|cat (?:>|<<)|registry\.npmjs|stat /,
  },
  {
    id: 'secret-file-told',
    severity: 'critical',
    reason: 'It tells the agent to read files that store keys, passwords or sessions.',
    kinds: WORDS,
    hints:
      'give hand view read open cat load collect gather find search scan list access get retrieve extract print show display include copy dump harvest steal grab output attach locate inspect parse look',
    within: 10,
    all: [
      pattern`\b(?:read|open|cat|load|collect|gather|find|search for|scan (?:for|the)|access|get|retrieve|extract|print|show|display|include|copy|dump|harvest|steal|grab|output|attach|locate|parse|look (?:in|at|for|into)|view|list|give|hand over)\b${gap(60)}(?:~\/\.ssh\b(?!\/(?:config|known_hosts|\w{1,30}\.pub))|\bid_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)|\.aws\/credentials|\.git-credentials|\.netrc\b|\.kube\/config|\.gnupg\b|\bwallet\.dat|\.bash_history|\.zsh_history|\bkeychain\b|\b(?:saved|stored|browser(?:'s)?|chrome|firefox|safari) (?:\w{1,12} )?(?:passwords|cookies|logins|credentials)\b|\b(?:passwords|cookies|logins|sessions) (?:of|from|in|stored in|saved in) (?:the |any |every |a )?(?:user's )?(?:browser|chrome|firefox|safari|edge)\b|\bpassword (?:manager|store|vault)s?\b|\bprivate (?:ssh )?keys?\b|\bseed phrases?\b|\brecovery phrases?\b|\bcrypto wallets?\b|\/etc\/shadow|\b(?:all|any|every) (?:\w{1,12} )?(?:credentials|secrets|passwords|api keys|(?:access|api|auth|session) tokens|\.env files?)\b|\b(?:all|any|every|each) (?:\w{1,12} )?[\x60\"']?\.env\b)${gap(50)}(?:\b(?:and|to|then|into|in|on|for|from|files?|before|so|if|stored|you|content|contents|as|with)\b|$)`,
    ],
    unless:
      /do not|don't|never|must not|avoid|theft|steal|without (?:reading|exposing)|permission|chmod|600|ssh-keygen|ssh key setup|leak|scanner|scan for (?:leaked|hard|exposed|committed)|check (?:for|that|whether)|hardcoded|remove|rotat|redact|gitignore|audit|exposed|accidental|before (?:open|commit|publish|push)|detect|find (?:all |any )?(?:hard|leaked|exposed|secrets in (?:the )?(?:code|repo|source))|trufflehog|gitleaks|not commit|if the user|user's own|security review|vulnerab|in (?:the )?(?:code ?base|source|logs|apk|repo|code)|\b(?:generate|create|derive)\b|get (?:your|a|an|the) (?:api|private)|load your|api\b.{0,12}\b(?:dashboard|settings|console)|sops|1password|mcp server/,
  },
  {
    id: 'secrets-hunted',
    severity: 'critical',
    reason: 'It searches the whole computer for keys and passwords.',
    kinds: CODE,
    hints: 'kubectl docker history run var cat curl cp find grep rg printenv env locate findstr select fd',
    within: 10,
    all: [
      pattern`(?:\bfind (?:\/|~|\$home|\/home|\/users|\/root)[^\n;]{0,80}(?:id_rsa|id_ed25519|\.pem|\.key|credentials|\.env\b|wallet|\.kdbx|password|secret|token|\.p12|\*key\*)|\b(?:grep|rg|findstr)\b[^\n;|]{0,40}(?:-\w{0,4}r\w{0,4}|\/s)[^\n;|]{0,60}(?:password|api_?key|secret|token|begin (?:rsa|openssh)|akia)[^\n;|]{0,60} (?:\/(?: |$)|~(?:\/| |$)|\$home|\/home|\/etc|\/root|\/users|c:\\)|\b(?:env|printenv|set|export -p)\b ?\| ?(?:sort ?\| ?)?(?:grep|rg|egrep|findstr|select-string|awk)\b[^\n;]{0,40}(?:key|secret|token|pass|aws|cred)[^\n]{0,60}(?:>|\||curl|tee|base64)|\b(?:grep|rg)\b[^\n;|]{0,16}-\w{0,5}r\w{0,5}[^\n;]{0,60}(?:password|api\S{0,8}key|secret|token|akia)[^\n;]{0,60} (?:~|\/|\$home)(?:\/?(?: |$))|\bhistory ?\| ?grep -?\w{0,3} ?[\"']?(?:pass|key|token|secret|curl|ssh)|\bdocker inspect\b[^\n]{0,60}grep -?\w{0,3} ?[\"']?(?:pass|key|secret|token|env)|\bkubectl get secrets? (?:-a\b|--all)[^\n]{0,60}|\b(?:cat|curl|cp|base64|head|less)\b[^\n]{0,80}\/run\/secrets\/kubernetes\.io|\blocate (?:id_rsa|\.env|wallet|credentials|\*\.pem|\*\.key)|\b(?:os\.walk|rglob|glob\.glob|walk)\([^\n]{0,60}(?:home|["']\/["']|~)[^\n]{0,120}(?:\.env|\.pem|id_rsa|\.key|wallet|credential|secret))`,
    ],
    unless: /sed ["']?s\/=|cut -d= -f1|\*\*\*|redact|mask/,
  },
  {
    id: 'secret-store-dumped',
    severity: 'critical',
    reason: 'It reads passwords from the password store of the system or a browser.',
    hints:
      'security mimikatz lazagne secretsdump lsass reg procdump vaultcmd cmdkey hashdump browser_cookie3 cryptunprotectdata dump ntdsutil keychain rookiepy pypykatz keyring secretstorage',
    within: 10,
    all: [
      pattern`(?:\bsecurity (?:dump-keychain|export\b|find-(?:generic|internet)-password\b(?=[^\n]{0,80}-\w{0,4}[gw])(?=[^\n]{0,80}(?:chrome|brave|edge|safe storage|\||>|curl|wifi|airport|login)))|\bmimikatz\b|\blazagne\b|\bsecretsdump\b|\bpypykatz\b|\bprocdump\b[^\n]{0,40}lsass|\blsass\.(?:exe|dmp)|comsvcs\.dll[^\n]{0,20}minidump|\breg save hklm\\|\bntdsutil\b|\bvaultcmd \/list|\bcmdkey \/list\b[^\n]{0,20}[|>]|\bhashdump\b|\bbrowser_?cookie3\.\w|\brookiepy\b|\bcryptunprotectdata\b|\bkeyring\.get_keyring\(\)[^\n]{0,60}(?:dump|all|items)|\bdump (?:the |all )?(?:keychain|saved passwords|browser passwords|credential (?:store|manager)))`,
    ],
    unless: /detect|yara|mitre|att&ck|blue team|forensic|yt-dlp|youtube/,
  },
  {
    id: 'secret-asked',
    severity: 'critical',
    reason: 'It makes the agent ask the user for passwords, recovery words or codes.',
    kinds: ANYWHERE,
    hints: 'ask prompt request get obtain enter provide collect type require need read trick verify',
    within: 10,
    all: [
      pattern`(?:\b(?:ask|prompt|request|get|obtain|trick|convince|require|tell|instruct|have)\b${gap(24)}\b(?:the )?(?:user|users|person|them|customer|owner|human|victim)\b${gap(40)}\b(?:(?:master |sudo |root |admin |login |account |bank(?:ing)? |wallet |email |system |computer |current |keychain |gmail |google |github ){1,6}passwords?|passwords?|seed phrases?|recovery (?:phrases?|words|codes?)|private keys?|mnemonic|(?:github|aws|api|access|auth|bearer|session|openai|slack|npm) ?(?:tokens?|keys?)|(?:2fa|mfa|one-time|otp|verification|security|sms|authenticator) ?(?:codes?|tokens?|passwords?)|cvv|pin\b(?: code)?|credit card (?:numbers?|details)|social security|ssn\b|secret key)${gap(80)}\b(?:and|then|so|to|before|in order|for|store|save|send|log|verify|continue|proceed|confirm)\b|\bread -\w{0,3}s\w{0,3} (?:-p )?["'][^"'\n]{0,60}password[^\n]{0,160}(?:curl|wget|nc |>> ?)|\bget-credential\b[^\n]{0,120}(?:invoke|networkcredential|out-file|\| ?export)|\bosascript\b[^\n]{0,80}display dialog[^\n]{0,120}(?:password|hidden answer)|\bgetpass\b[^\n]{0,160}(?:requests\.|urlopen|\.write\())`,
    ],
    unless:
      /do not|don't|never|must not|avoid|environment variable|keychain|secret manager|form field|password field|login form|reset|validation|1password|pdf|encrypted|vault|wi-?fi|zip|unlock|never ask|on their own|themselves|directly into|own terminal|get(?:ting)? (?:a|an|their) api key|configure|set up|in the settings|export/,
  },
  {
    id: 'secret-in-text',
    severity: 'critical',
    reason: 'The text contains what looks like a real key or private key.',
    hints: 'akia asia ghp gho ghs github sk xoxb xoxp begin aiza npm glpat sg eyj ya29 dop hf pypi',
    within: 10,
    all: [
      pattern`(?:\b(?:akia|asia)(?!iosfodnn7)(?!\w{0,14}example)[0-9a-z]{16}\b|\bgh[pousr]_(?!x{6}|\w{0,30}(?:example|your|xxxx|1234567890ab|token))[0-9a-z]{36}\b|\bgithub_pat_(?!x{6})[0-9a-z_]{60,90}\b|\bsk-(?:ant-api\d\d-|proj-|live-)?(?!x{6}|\w{0,20}(?:your|example|xxxx|1234|test|placeholder|key))[0-9a-z_-]{32,120}\b|\bxox[bpars]-(?!x{4}|your)\d{8,14}-\d{8,14}-[0-9a-z]{16,40}|-----begin (?:rsa |openssh |ec |dsa |pgp |encrypted )?private key(?: block)?-----(?!\s{0,2}(?:\.\.\.|<|\\n\.\.\.|…|your))|\baiza(?!x{4})[0-9a-z_-]{35}\b|\bnpm_(?!x{4})[0-9a-z]{36}\b|\bglpat-(?!x{4})[0-9a-z_-]{20}\b|\bsg\.[0-9a-z_-]{22}\.[0-9a-z_-]{43}\b|\bsk_live_(?!x{4})[0-9a-z]{24,99}|\bya29\.[0-9a-z_-]{40,120}|\bhf_(?!x{4})[a-z]{34}\b|\bpypi-ageichlwasb[\w-]{20,160})`,
    ],
    unless: /(?<!\.)example(?!\.)|placeholder|dummy|fake|sample|your[-_]|redacted|\bxxx/,
  },
  {
    id: 'private-key-opened',
    severity: 'critical',
    reason: 'It looks for private keys in files.',
    kinds: CODE,
    hints: 'begin private',
    within: 160,
    all: [
      pattern`begin (?:rsa |openssh |ec |dsa )?private key`,
      pattern`(?:\bgrep\b|\bre\.(?:search|findall|compile)|\bin \w{1,20}\.read|\.match\(|\bfindall\b|\.includes\(|startswith\()`,
      pattern`(?:\bhome\b|~|\/(?: |$)|requests|curl|post|send|walk|glob|rglob|open\()`,
    ],
    unless: /trufflehog|gitleaks|detect-secrets|pre-commit/,
  },
  {
    id: 'secret-file-named',
    severity: 'low',
    reason: 'It uses files that store keys or passwords.',
    kinds: CODE,
    hints:
      'bash_history etc proc npmrc pypirc env login cookies key4 key3 logins web wallet application_default_credentials library client_secret claude codex ssh aws netrc kube gnupg shadow sudoers credentials pgpass cnf',
    all: [pattern`\b(?:cat|less|open|cp|mv|tar|zip|scp|rsync|read)\b`, pattern`(?:${SECRET_FILE})`],
    within: 60,
    unless: /\.env\b|\.pub\b|\.json|\.ya?ml|\.npmrc|\.pem/,
  },
  {
    id: 'secret-shown',
    severity: 'critical',
    reason: 'It tells the agent to write keys or passwords into answers, logs or files that others see.',
    kinds: WORDS,
    hints:
      'encode insert include print show display write log output add put embed reveal paste commit echo hardcode',
    within: 10,
    all: [
      pattern`\b(?:include|print|show|display|write|output|add|put|embed|reveal|paste|commit|echo|log|append|insert|encode)\b${gap(30)}\b(?:the |all |any |your |user's |their |full |plain(?:text)? ){1,6}(?:\w{1,12} ){0,2}?(?:api keys?|passwords?|credentials?|secrets?|access tokens?|auth(?:entication)? tokens?|private keys?|environment variables?|\.env(?: file)?(?: contents?)?|session (?:tokens?|cookies?))\b${gap(50)}\b(?:in|into|to|as|at|with)\b${gap(24)}\b(?:(?:the|your|every|each|any|all|a|its|public) ){1,6}(?:\w{1,12} ){0,2}?(?:responses?|answers?|outputs?|repl(?:y|ies)|messages?|comments?|commits?|reports?|summar(?:y|ies)|urls?|links?|images?|chats?|readme|file ?names?|logs?|conversations?|issues?|pull requests?|documents?|pages?|query strings?)\b`,
    ],
    unless:
      /do not|don't|never|must not|avoid|without|mask|redact|not (?:include|print|log|show)|no (?:api|secrets?|passwords?)|instead of|refuse|accidentally|placeholder|names? of|\.env\.example|could|may |might|header/,
  },
])
