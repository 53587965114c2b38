import { ANYWHERE, BLOCKS, CODE, WORDS, pattern, rulesOf } from '../rule.ts'
import { gap } from '../vocabulary.ts'

/**
 * Signs of a suspicious autostart: network access, hidden or temporary folders, silenced output, encodings.
 */
const BADLY = String.raw`(?:\bcurl\b|\bwget\b|\bnc\b|\/dev\/tcp|base64|\/tmp\/|\/dev\/shm|\/var\/tmp|\/\.[a-z][\w.-]{1,30}\b(?!\/(?:bin|venv))|>\s?\/dev\/null 2>&1|2>\s?\/dev\/null|&>\s?\/dev\/null|\bpython3? -c\b|\bbash -[ic]\b|\bsh -c\b|@(?:reboot|hourly|daily|weekly)[^\n]{0,10}~\/\.|@reboot|https?:\/\/(?!localhost|127\.)|powershell|mshta|wscript|-enc\b|hidden|\*\/[1-9] \* \* \* \*|\* \* \* \* \*)`

/** Files that a shell or a login runs when it starts. */
const SHELL_START = String.raw`(?:\.(?:bashrc|zshrc|bash_profile|profile|zprofile|zshenv|bash_login|bash_aliases|xinitrc|xprofile|zlogin|zlogout|bash_logout)\b|\/etc\/(?:bash\.bashrc|profile|zshrc|environment)\b|fish\/config\.fish|\$profile\b)`

/** Code that persists on the machine and restarts automatically. */
export const persistence = rulesOf('persistence', [
  {
    id: 'reverse-shell',
    severity: 'critical',
    reason: 'It opens a shell on this computer to someone on the network.',
    hints:
      'perl ruby rsocket dev nc ncat netcat socat bash sh socket tcpclient fsockopen pty telnet mkfifo mknod exec io tcpsocket',
    within: 10,
    all: [
      pattern`(?:\b(?:ba|z|k|da)?sh -i\b[^\n]{0,30}(?:>&|&>|<|0<&)|>&? ?\/dev\/(?:tcp|udp)\/[^\s]{1,80}|\bexec \d{1,3}<> ?\/dev\/(?:tcp|udp)|\b(?:nc|ncat|netcat|nc\.traditional)\b[^\n;|]{0,60} (?:-\w{0,4}[ec]\w{0,2}\b|--(?:sh-)?exec) ?["']?(?:\/bin\/|cmd|powershell|bash|sh)|\b(?:mkfifo|mknod)\b[^\n]{0,60}(?:;|&&|\|)[^\n]{0,100}\b(?:nc|ncat|netcat|telnet|openssl)\b|\bsocat\b[^\n;|]{0,100}\bexec:[\"']?(?:\/bin\/)?(?:ba|z|da|k|c)?sh\b|\bsocat\b[^\n;|]{0,100}\bexec:[\"']?(?:cmd|powershell|python)|\bsocat\b[^\n]{0,40}tcp[^\n]{0,60}pty|\bos\.dup2\( ?\w{1,12}\.fileno|\bpty\.spawn\(["']?\/?(?:bin\/)?(?:ba|z)?sh|\bnew-object (?:system\.)?net\.sockets\.tcpclient|\bfsockopen\([^\n]{0,80}(?:exec|proc_open|shell_exec)|\btcpsocket\.(?:new|open)\([^\n]{0,120}(?:exec|popen)|\bruby -rsocket\b|\bperl -e[^\n]{0,40}\buse socket\b|\bperl -m?io\b[^\n]{0,40}socket|\bio\.popen\b[^\n]{0,60}socket|\bnet\.(?:socket|connect)\([^\n]{0,160}(?:spawn|exec)\(|\btelnet\b[^\n|]{0,60}\| ?(?:\/bin\/)?(?:ba)?sh\b|\breverse[- _]shell\b${gap(40)}\b(?:to|connect|open|start|spawn|establish|back)\b|\b(?:open|start|spawn|establish|launch|create|set up|deploy)\b${gap(20)}\b(?:reverse|bind|back ?connect)[- _]shell\b)`,
    ],
    unless: /detect|yara|\brule\b|identify/,
  },
  {
    id: 'reverse-shell-in-code',
    severity: 'critical',
    reason: 'A script connects to another computer on the network and lets it run commands here.',
    kinds: BLOCKS,
    hints: 'socket',
    within: 700,
    all: [
      pattern`\b(?:socket\.socket\(|new-object (?:system\.)?net\.sockets\.tcpclient|net\.(?:socket|connect)\()`,
      pattern`(?:\bsubprocess\.\w{3,14}\(|\bos\.(?:system|popen|dup2)\(|child_process|pty\.spawn|\biex\b|invoke-expression|\bspawn\()`,
      pattern`(?:\.recv\(|\.connect\( ?\(|getstream|on\(["']data|\.pipe\()`,
    ],
  },
  {
    id: 'scheduled',
    severity: 'critical',
    reason:
      'It makes the system start a program regularly, from a hidden place or the network, or without showing anything.',
    kinds: ['code', 'block'],
    hints: 'crontab cron at schtasks systemctl launchctl anacron batch register',
    within: 260,
    all: [
      pattern`(?:\| ?(?:sudo )?crontab\b(?: -u \w{1,20})?(?: -)?|\bcrontab (?:-u \w{1,20} )?(?:-(?![lehr])|\/tmp|<|[\w.\/]{1,40}\b)|(?:>>?|tee (?:-a )?|cp [^\n;|]{1,80}) ?["']?\/etc\/(?:cron[\w.]{0,10}|anacrontab)|\/var\/spool\/cron|\bschtasks(?:\.exe)? \/create\b|\bregister-scheduledtask\b|\bnew-scheduledtask\w{0,12}\b|(?:^|[|;&] ?)at (?:now|midnight|\d{1,2}:)|@reboot )`,
      pattern`${BADLY}`,
    ],
    unless: /backup\.sh|certbot|logrotate|\/opt\/[\w-]{2,30}\/backup/,
  },
  {
    id: 'scheduled-plainly',
    severity: 'high',
    reason: 'It adds a task that the system then starts automatically.',
    kinds: CODE,
    hints: 'crontab schtasks register',
    all: [
      pattern`(?:\| ?(?:sudo )?crontab(?: -)?(?: |$)|\bschtasks(?:\.exe)? \/create\b|\bregister-scheduledtask\b)`,
    ],
  },
  {
    id: 'started-at-login',
    severity: 'critical',
    reason: 'It puts a program where the system starts it at every login.',
    kinds: ['code', 'block'],
    hints:
      'folderopen loginhook defaults new runon launchagents launchdaemons launchctl autostart startup rc profile init systemd systemctl reg currentversion winlogon run preload plist loginitems',
    within: 300,
    all: [
      pattern`(?:(?:>>?|\btee (?:-a )?|\b(?:cp|mv|ln -sf?|install|curl -\w{0,5}o|wget -\w{0,4}o|copy|copy-item|move-item)\b[^\n;|]{1,120}|open\( ?[^\n)]{0,80}|write_text\(|writefile(?:sync)?\([^\n]{0,60}) ?["']?[\w~$\{}\/%:.\\ -]{0,60}(?:library\/launch(?:agents|daemons)\/|\.config\/autostart\/|start menu\\programs\\startup|\bstartup\\|\/etc\/(?:rc\.local|profile\.d\/|init\.d\/|ld\.so\.preload|update-motd\.d|xdg\/autostart))|\blaunchctl (?:load|bootstrap|submit|enable)\b|\breg(?:\.exe)? add\b[^\n]{0,100}(?:currentversion\\run|winlogon|policies\\explorer\\run)|\b(?:new|set)-itemproperty\b[^\n]{0,120}(?:currentversion\\run|winlogon)|currentversion\\{1,2}run(?:once)?\b|\b__eventfilter\b|commandlineeventconsumer|\bset-wmiinstance\b|\bnew-item\b[^\n]{0,80}startup\\|\bdefaults write com\.apple\.loginwindow|\bloginhook\b|[\"']runon[\"'] ?: ?[\"']folderopen|\bmake login item\b|\bosascript\b[^\n]{0,80}login item|\bimage file execution options\b|\bappinit_dlls\b)`,
      pattern`(?:plist|desktop|\.lnk|\.bat|\.vbs|\.exe|\.ps1|\.sh|\.py|\.service|reg|hook|folderopen|run|load|preload|rc\.local|\.so\b|consumer|filter|login item|bootstrap|submit|init|powershell|exec=|update)`,
    ],
    unless: /homebrew|unload|com\.(?:docker|ollama)|launchctl list/,
  },
  {
    id: 'unknown-service-enabled',
    severity: 'critical',
    reason: 'It switches on a background service that it does not explain anywhere.',
    kinds: CODE,
    hints: 'systemctl launchctl',
    within: 10,
    all: [
      pattern`\b(?:systemctl --user (?:-\w )?enable (?:--now )?[\w@.-]{2,60}|systemctl (?:-\w )?enable (?:--now )?[\w@-]{0,40}(?:backdoor|update|helper|sync|agent|beacon|monitor|telemetry|hidden|persist|payload|miner|remote|reverse|shell|c2|evil)[\w@-]{0,30}(?:\.service|\.timer)?(?= |$|;|&)|launchctl (?:load|bootstrap)\b[^\n]{0,80}\.plist)`,
    ],
    ownName: /(?:enable (?:--now )?|\/)([\w@-]{2,60})(?:\.[\w.]{2,20})?$/,
  },
  {
    id: 'service-installed',
    severity: 'critical',
    reason: 'It installs a background service that runs something from a hidden place or the network.',
    kinds: ['code', 'block'],
    hints: 'systemd systemctl execstart service sc',
    within: 500,
    all: [
      pattern`(?:(?:>|\btee|\bcp\b[^\n;|]{1,80}) ?["']?[\w~$\{}\/.-]{0,60}systemd\/(?:system|user)\/[\w@.-]{1,60}|\bsystemctl (?:--user )?(?:-\w )?enable\b|\bsc(?:\.exe)? create\b|\bnew-service\b)`,
      pattern`(?:\bexecstart ?= ?[^\n]{0,40}(?:curl|wget|\bnc\b|\/tmp\/|\/dev\/shm|\/\.[a-z]|python3? -c|bash -c|\/dev\/tcp|base64)|\bcurl\b[^\n]{0,80}systemd|\bbinpath= ?[^\n]{0,60}(?:temp|appdata|powershell|cmd)|restart ?= ?always[^\n]{0,200}(?:curl|\/\.|\/tmp))`,
    ],
  },
  {
    id: 'shell-start-changed',
    severity: 'critical',
    reason:
      'It changes a file that every new shell runs, with text that uses the network or replaces commands.',
    kinds: ['code', 'block'],
    hints:
      'bashrc zshrc profile bash_profile zprofile zshenv bash_login environment bash zlogout bash_logout config xinitrc xprofile zlogin bash_aliases',
    within: 300,
    all: [
      pattern`(?:>>? ?|\btee (?:-a )?|open\( ?[^\n)]{0,60}|(?:add|set)-content |out-file [^\n]{0,20}|appendfile(?:sync)?\([^\n]{0,60}|sed -i[^\n]{0,80})["']?[\w~$\{}\/.()", +-]{0,60}${SHELL_START}`,
      pattern`(?:\bcurl\b|\bwget\b|\bnc\b|\/dev\/tcp|base64|\beval\b(?! ["']?\$\((?:\/opt\/homebrew|brew|pyenv|rbenv|direnv|starship|zoxide|fnm|mise|ssh-agent|[\w.\/~$-]{1,40} (?:init|env|activate|hook|completion|shellenv)))|\bnohup\b|\/tmp\/|prompt_command|ld_preload|\bdyld_insert|alias (?:sudo|ssh|git|ls|cd|rm|su|npm|pip|curl|docker|kubectl|aws|claude)=|function (?:sudo|ssh|git|cd|su)\b|\b(?:sudo|ssh|git|su) ?\(\) ?\{|\btrap\b|python3? -c|bash -[ic]|\/\.[\w]{2,20}\/[\w.\/-]{0,40}(?:\.sh|\.py|agent|update\w{0,3}|helper|daemon)\b|~\/\.(?:cache|config|local)\/\.\w|nohup|&\s{0,2}(?:["']|$|\))|backdoor|disown|setsid|curl_ca|https?_proxy=http)`,
    ],
  },
  {
    id: 'shell-start-written',
    severity: 'high',
    reason: 'It changes a file that every new shell runs.',
    kinds: CODE,
    hints:
      'bashrc zshrc profile bash_profile zprofile zshenv bash_login bash zlogout bash_logout config xinitrc xprofile zlogin bash_aliases environment',
    within: 10,
    all: [
      pattern`(?:>>? ?|\btee (?:-a )?|open\( ?[^\n)]{0,60}|(?:add|set)-content |out-file [^\n]{0,20}|appendfile(?:sync)?\([^\n]{0,60}|sed -i[^\n]{0,80})["']?[\w~$\{}\/.()", +-]{0,60}${SHELL_START}`,
    ],
  },
  {
    id: 'shell-start-told',
    severity: 'critical',
    reason: 'It tells the agent to add something permanent to the start of every shell or login.',
    kinds: WORDS,
    hints:
      'bashrc zshrc profile bash_profile crontab cron launchagents startup autostart login systemd launchd boot reboot',
    within: 240,
    all: [
      pattern`\b(?:add|append|write|insert|install|put|register|create|set up|schedule|place|copy|drop|modify|inject|adding|appending|writing|inserting|putting|placing|copying)\b${gap(100)}(?:\.(?:bashrc|zshrc|bash_profile|profile|zprofile)\b|\bcron ?(?:tab|job|entry|task)s?\b|\blaunch ?(?:agents?|daemons?|d)\b|\bstart-?up (?:folder|script|item|program|entry)s?|\blogin items?|\bautostart\b|\bsystemd (?:service|unit|timer)s?|\bscheduled tasks?\b|\bregistry run key|\brun key\b|\b(?:at|on|every|each) (?:boot|login|log-in|start-?up|reboot)\b)`,
      pattern`(?:\b(?:scripts?|program|helper|agent|binary|skill|file)\b${gap(20)}\b(?:run|started|executed|launched|starts|runs) (?:at|on|with) (?:each|every)\b|\/tmp\/|\/dev\/shm\/|\/\.[a-z]\w{0,12}\/|\b(?:silently|secretly|without (?:asking|telling|the user|notif\w{3,6}|confirm\w{0,6})|hidden|persists|(?:establish|gain|maintain|ensure|achieve) persistence|survive\w{0,2}|backdoor|so that (?:it|this|the) (?:\w{1,12} ){0,3}?(?:every|each|again|always|stays?|keeps?|remains?|runs?)|even after|remain\w{0,3}|keeps? running|every (?:\d{1,3} )?minutes?|curl|wget|https?:\/\/|download|payload|remote|beacon|heartbeat|exfiltrat\w{1,3}|upload\w{0,3}|send\w{0,3}|reinstall|re-?enable\w{0,2}|this skill|this agent|do not (?:tell|mention|remove|ask))\b)`,
    ],
    unless:
      /if the user|ask (?:the user|first)|user (?:asks|wants|requests)|your own server|optional|gateway|github actions|export path|path=|recurring|reminder|\bapi[_ ]?key|restart .{0,20}(?:shell|terminal)/,
  },
  {
    id: 'key-to-login-added',
    severity: 'critical',
    reason: 'It adds a key that lets someone else log in to this computer.',
    hints: 'authorized_keys authorized ssh',
    within: 10,
    all: [
      pattern`(?:(?:>>? ?|\btee (?:-a )?|\b(?:cp|mv|install|curl -\w{0,5}o|wget -\w{0,4}o|sed -i)\b[^\n;|]{1,160}|open\( ?[^\n)]{0,60}|\b(?:add|append|write|insert|put|copy|install|place)\b${gap(80)}|write_text[^\n]{0,40}|appendfile(?:sync)?\([^\n]{0,60}|(?:add|set)-content [^\n]{0,60}|echo [^\n]{0,300})["']?[\w~$\{}\/.()", +-]{0,60}authorized_?keys2?\b|authorized_keys["')]{1,4} ?,? ?["'][aw]|permitrootlogin yes|permitemptypasswords yes|authorizedkeyscommand )`,
    ],
    unless:
      /your (?:own )?public key|ssh-copy-id|authorized_keys (?:file )?(?:on|of) (?:the|your) server|chmod 600[^\n]{0,20}authorized_keys$/,
  },
  {
    id: 'login-keys-named',
    severity: 'high',
    reason: 'It uses the list of keys that may log in to this computer.',
    kinds: CODE,
    hints: 'authorized_keys',
    within: 10,
    all: [pattern`\bauthorized_keys2?\b`],
  },
  {
    id: 'git-hook',
    severity: 'critical',
    reason: 'It adds code that git runs automatically at every commit or in every repository.',
    kinds: ['code', 'block'],
    hints: 'hooks hookspath git sshcommand fsmonitor pager templatedir alias credential gitattributes',
    within: 300,
    all: [
      pattern`(?:(?:>>?|tee(?: -a)?|\bcp\b[^\n;|]{1,80}|\bmv\b[^\n;|]{1,80}|\bln\b[^\n;|]{1,80}|-o|open\( ?[\"']|chmod \+x) ?[\"']?[\w\/.$\{}-]{0,40}\.git\/hooks\/(?:pre|post|commit|prepare|update|applypatch)[\w-]{0,20}|core\.hookspath|init\.templatedir|core\.(?:sshcommand|fsmonitor|pager|editor|gitproxy)\b|git config --(?:global|system) (?:alias\.\w{1,20} ["']?!|credential\.helper ["']?!|url\.[^\s]{3,80}\.insteadof)|filter\.\w{1,20}\.(?:clean|smudge))`,
      pattern`(?:\bcurl\b|\bwget\b|\bnc\b|\/dev\/tcp|base64|https?:\/\/(?!github\.com)|\/tmp\/|--global|--system|bash -c|python3? -c|alias\.|!|\/\.[a-z])`,
    ],
    unless:
      /pre-commit install|husky|delta|core\.(?:pager|editor)[ =]["']?(?:less|cat|vim|nano|code|delta|bat)|instead ?of "?https:\/\/github|insteadof "?(?:https:\/\/github|git@github)|\.githooks|core\.pager cat/,
  },
  {
    id: 'account-added',
    severity: 'critical',
    reason: 'It adds an account or a password that lets someone else in.',
    hints:
      'useradd adduser net new dscl admin account user backdoor password usermod chpasswd create emergency default',
    within: 10,
    all: [
      pattern`(?:\buseradd\b[^\n;]{0,60}(?:-o -u ?0|-u ?0\b|-g (?:sudo|wheel|root|admin)|-p )|\bnet (?:user|localgroup) [^\n]{0,60}\/add\b|\bnew-localuser\b|\badd-localgroupmember\b[^\n]{0,60}admin|\bdscl \. -create \/users|\becho ["']?\w{1,30}:[^\s"']{3,40}["']? ?\| ?(?:sudo )?chpasswd|>> ?\/etc\/passwd|\b(?:add|create|insert|include|register|provision|keep|embed|leave|hard-?code|plant|install)\b${gap(60)}\b(?:admin(?:istrator)?|root|superuser|backdoor|emergency|service|maintenance|default|master|hidden|support|privileged) (?:access )?(?:user|account|login|password|credentials?|key)s?\b${gap(60)}\b(?:with|named|called|password|user ?name|for (?:emergency|support|maintenance|debug\w{0,4}|remote) access|using)\b${gap(40)}["'\x60]?[\w!@#$%^&*-]{3,40}|\b(?:backdoor|magic string|master password|hidden (?:trigger|endpoint|route|account))s?\b${gap(40)}\b(?:activat\w{1,3}|grants?|allows?|enable\w{0,1}|unlock\w{0,1}|bypass\w{0,2}|gives?|access|to )\b)`,
    ],
    unless:
      /detect|find|look for|audit|check for|search for|vulnerab|hardcoded (?:default|admin)|test(?:ing)? (?:for|user)|fixture|\bif\b.{0,40}\bdefault password|review|identify|allow-?list|mysql|postgres|createuser|seed|local dev/,
  },
  {
    id: 'backdoor-in-code',
    severity: 'critical',
    reason: 'The code has a hidden switch that lets someone in.',
    kinds: ['code', 'block'],
    hints: 'backdoor magic payload c2 rootkit keylogger trojan implant',
    within: 200,
    all: [
      pattern`(?:\b(?:def|function|class|const|let|var) \w{0,30}(?:backdoor|rootkit|keylog\w{0,4}|implant|trojan|c2_\w|reverse_?shell|exfil\w{0,8}|steal_?\w{0,20}|harvest_?\w{0,20})\w{0,30}|\b(?:activate_)?backdoor\w{0,30}\(|["']\w{0,20}backdoor\w{0,20}["']|\bc2(?:_server|_url|_host)? ?= ?["']|\bmagic_?(?:string|word|token|key)s? ?=)`,
    ],
    unless: /yara|rule \w|strings:|detect|\bmeta:/,
  },
  {
    id: 'import-hijacked',
    severity: 'critical',
    reason: 'It adds code that every Python or Node program on this computer then loads.',
    kinds: ['code', 'block', 'prose', 'front'],
    hints:
      'pth sitecustomize usercustomize site node_options pythonstartup ld_preload dyld_insert_libraries getsitepackages require conftest pythonpath ld dyld preload',
    within: 260,
    all: [
      pattern`(?:site-packages[^\n]{0,60}\.pth\b|\b[\w-]{1,30}\.pth["'\x60]? ?(?:,? ?["'][aw]["']|file)|(?:write|create|drop|add|>|install|copy|open)\b[^\n]{0,80}\b[\w-]{1,40}\.pth\b[^\n]{0,80}(?:import|site|python)|\b(?:sitecustomize|usercustomize)\.py\b|\bgetsitepackages\(|\bnode_options ?= ?["']?--(?:require|import)|\bpythonstartup ?=|\b(?:ld_preload|dyld_insert_libraries) ?= ?["']?[\w\/.~]|\bpythonpath ?= ?["']?\/tmp)`,
      pattern`(?:write|>|open|echo|cp |curl|import |exec|export|tee|add|plant|create|install|=|copy|append)`,
    ],
    unless:
      /model|checkpoint|weights|torch\.(?:load|save)|state_dict|jemalloc|tcmalloc|libgomp|checkpoints?\/|asan|lib\w{0,20}(?:asan|fuzz)|sanitiz|conda|faketime|best\.pth/,
  },
  {
    id: 'runs-on-unseen',
    severity: 'critical',
    reason: 'It leaves a hidden program running that stays in contact with another computer.',
    kinds: CODE,
    hints: 'nohup setsid disown daemon screen tmux start',
    within: 260,
    all: [
      pattern`\b(?:nohup|setsid|disown|screen -dms?|tmux new(?:-session)? -d|start \/b|start-process[^\n]{0,80}-windowstyle hidden|daemonize)\b`,
      pattern`(?:\b(?:curl|wget)\b[^\n]{0,160}(?:\| ?(?:ba|z)?sh|&& ?(?:bash|sh|chmod|\.\/)|; ?(?:bash|sh|chmod|\.\/))|\/dev\/tcp|\bwhile (?:true|:|1)[^\n]{0,200}(?:curl|wget|nc)\b|\/tmp\/\.|\/dev\/shm|base64 -d|ngrok|\bnc -l|ssh -\w{0,3}r |cloudflared tunnel --url)`,
    ],
  },
  {
    id: 'tunnel-opened',
    severity: 'critical',
    reason: 'It opens access to this computer from the network.',
    kinds: ANYWHERE,
    hints: 'ssh ngrok autossh chisel frpc iptables nc ncat socat',
    within: 10,
    all: [
      pattern`(?:\b(?:auto)?ssh\b(?:[^\n;|]{0,60})? -\w{0,4}r ?\*?:?\d{2,5}:[\w.]{1,60}:\d{2,5}|\bngrok tcp 22\b|\bchisel client\b|\bfrpc -c\b|\b(?:nc|ncat|netcat) -\w{0,4}l\w{0,4}[^\n]{0,40}(?:-e|\| ?(?:ba)?sh|exec)|\bpython3? -m http\.server\b[^\n]{0,40}(?:--directory (?:~|\/)(?: |$)|-d (?:~|\/)(?: |$)))`,
    ],
  },
])
