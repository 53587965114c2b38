import { ANYWHERE, CODE, WORDS, pattern, rulesOf } from '../rule.ts'
import { gap } from '../vocabulary.ts'

/** Gaining excessive rights and disabling protection. */
export const privilege = rulesOf('privilege-escalation', [
  {
    id: 'sudo-without-password',
    severity: 'critical',
    reason: 'It lets programs become administrator without a password, or passes one to sudo.',
    hints: 'sudoers nopasswd visudo sudo pkexec doas timestamp_timeout',
    within: 10,
    all: [
      pattern`(?:\bnopasswd ?: ?(?:all\b|\/)|(?:>>?|tee (?:-a )?|cp [^\n;]{1,60}|sed -i[^\n;]{1,60}|open\( ?["']|install [^\n;]{1,60}) ?["']?\/etc\/sudoers|\ball ?= ?\(all(?::all)?\) ?(?:nopasswd|all)|\becho ["']?[^\n|]{1,60}["']? ?\| ?sudo -\w{0,3}s\b|\bsudo -\w{0,3}s\b[^\n]{0,20}<<<|\btimestamp_timeout ?= ?-1|\bpermit nopass\b|\bdefaults !authenticate)`,
    ],
    unless: /password_here|<password>/,
  },
  {
    id: 'as-administrator',
    severity: 'high',
    reason: 'It runs a command as administrator.',
    kinds: CODE,
    hints: 'sudo doas pkexec runas',
    within: 10,
    all: [
      pattern`(?:(?:^|[\n;&|(\{\x60!] ?|["'] ?|\$ |\b(?:do|then|else|run|exec|xargs|time|env) )(?:sudo|doas|pkexec) (?:-{1,2}\w[\w=-]{0,20} ){0,4}["'$]?[a-z.\/~_]|["']sudo["'], ?["']|\brunas \/user:|\bstart-process\b[^\n]{0,120}-verb runas\b)`,
    ],
  },
  {
    id: 'set-user-bit',
    severity: 'critical',
    reason: 'It marks a program so that whoever starts it becomes administrator.',
    hints: 'chmod setcap install setuid cap setresuid',
    within: 10,
    all: [
      pattern`\b(?:chmod (?:-\w{1,3} )?(?:[ugo]{0,3}\+[rwx]{0,3}s[rwx]{0,3}|0?[4267][0-7]{3}) ["']?[\w\/.~$]|setcap ["']?cap_(?:setuid|setgid|sys_admin|dac_override|sys_ptrace|net_raw|dac_read_search)|install -\w{0,3}m ?0?[46]7\d\d|os\.setuid\( ?0 ?\)|setuid\(0\)|os\.setresuid\(0)`,
    ],
    unless: /chmod 0?2\d{3} \/\w{1,20}\/shared|dumpcap|wireshark/,
  },
  {
    id: 'container-without-walls',
    severity: 'critical',
    reason: 'It starts a container that can access everything on this computer.',
    hints:
      'docker podman privileged pid nsenter nerdctl var cap hostpath hostpid hostnetwork allowprivilegeescalation unshare chroot lxc kubectl',
    within: 10,
    all: [
      pattern`(?:\b(?:docker|podman|nerdctl)\b[^\n;]{0,120}(?:--privileged\b|--pid[= ]host|--cap-add[= ](?:all|sys_admin|sys_ptrace|sys_module)|(?:-v|--volume|--mount)[= ]?["']?(?:type=bind,source=)?(?:\/|\/(?:etc|root|home|var|proc|sys|boot|dev)|~|\$\{?home\}?|~\/\.(?:ssh|aws|kube|docker))(?::|,)|--security-opt[= ](?:apparmor|seccomp)[=:]unconfined|--userns[= ]host|--device[= ]\/dev\/(?:sd|mem|kmem))|(?:-v|--volume|volumes?)["', :=-]{0,6}(?:\[ ?)?["']?\/var\/run\/docker\.sock|\/(?:var\/)?run\/docker\.sock ?:|["'](?:-v|--volume)["'], ?["'](?:\/|~|\$home|\/etc|\/root|\/home|[a-z]:\\{1,2}):|["']--privileged["']|\bprivileged["']? ?: ?true|\bhostpid["']? ?: ?true|\bhostpath["']?: ?\{? ?["']?path["']?: ?["']?\/(?:["'\s]|$|etc|root|var\/run)|\ballowprivilegeescalation["']? ?: ?true|\bnsenter\b[^\n]{0,60}(?:-t ?1\b|--target ?1\b)|\bchroot \/(?:host|mnt|rootfs)|\bunshare -\w{0,4}r|\bkubectl create clusterrolebinding\b[^\n]{0,80}cluster-admin|--clusterrole[= ]cluster-admin)`,
    ],
    unless:
      /privileged: true\b.{0,30}(?:bad|insecure)|privileged instructions|(?:avoid|never use|do not use|don't use) \x60?--privileged/,
  },
  {
    id: 'rights-given',
    severity: 'critical',
    reason: 'It gives an account the rights of an administrator.',
    hints:
      'usermod adduser gpasswd iam attach put gcloud az icacls dscl dseditgroup action policy roles owner grant setfacl administratoraccess',
    within: 10,
    all: [
      pattern`(?:\busermod\b[^\n;]{0,40}-\w{0,3}g\w{0,2} (?:\w{1,20},){0,4}(?:sudo|wheel|root|admin|disk|shadow|lxd)\b|\badduser \S{1,30} (?:sudo|wheel|root|admin|docker)\b|\bgpasswd -a \S{1,30} (?:sudo|wheel|root|docker)|(?:attach|policy-?arn|managed_?polic\w{1,3})[^\n]{0,80}\badministratoraccess\b|["']action["'] ?: ?\[? ?["']\*(?::\*)?["'][\s\],]{1,5}["']resource["'] ?: ?\[? ?["']\*["']|\bgcloud\b[^\n]{0,60}add-iam-policy-binding\b[^\n]{0,160}roles\/(?:owner|editor|iam\.\w{4,30}admin)|\baz role assignment create\b[^\n]{0,160}(?:owner|contributor)\b|\bdseditgroup\b[^\n]{0,60}admin|\bgrant all (?:privileges )?on (?:\*\.\*|all)[^\n]{0,80}(?:['"]%|grant option|identified by|to public)|\balter (?:user|role) \w{1,30} (?:with )?superuser|\bgrant (?:yourself|the agent|it|this (?:skill|agent|tool)) (?:full |root |admin\w{0,10} |all |unrestricted ){1,6}(?:access|permissions?|privileges?|rights|control))`,
    ],
    unless: /least privilege|too broad|overly permissive|avoid/,
  },
  {
    id: 'protection-off',
    severity: 'critical',
    reason: 'It switches off the firewall, the virus scanner or another protection of the system.',
    hints:
      'setenforce ufw iptables csrutil spctl mppreference netsh firewall systemctl antivirus defender selinux apparmor gatekeeper auditd amsi set add sysctl launchctl disable stop turn enablelua tccutil firewalld edr',
    within: 10,
    all: [
      pattern`(?:\bsetenforce 0\b|\bselinux ?= ?(?:disabled|permissive)|\bufw (?:--force )?(?:disable|reset)\b|\biptables (?:-t \w{1,10} )?(?:-f\b|--flush|-p (?:input|output|forward) accept)|\bcsrutil disable\b|\bspctl --(?:master|global)-disable|\b(?:set|add)-mppreference\b|\bnetsh (?:advfirewall|firewall) set\b[^\n]{0,60}(?:off|disable)|\b(?:systemctl|service) (?:--now )?(?:stop|disable|mask) (?:--now )?(?:firewalld|ufw|auditd|apparmor|falcon\S{0,10}|clamav\S{0,20}|fail2ban|crowdstrike|osqueryd|rsyslog|syslog)\b|\b(?:service|sc|net) (?:auditd|ufw|firewalld|windefend|mpssvc|wuauserv)? ?(?:stop|delete|config)\b ?(?:windefend|mpssvc|wscsvc|sense|auditd)?(?=[^\n]{0,20}(?:windefend|mpssvc|wscsvc|auditd|sense|disabled))|\benablelua\b[^\n]{0,30}0\b|\bamsi(?:utils|initfailed|scanbuffer)|\bkernel\.(?:yama\.ptrace_scope|randomize_va_space|dmesg_restrict) ?= ?0|\becho 0 ?(?:\| ?(?:sudo )?tee|>) ?\/proc\/sys\/kernel|\btccutil reset|\baa-(?:disable|teardown|complain)\b|\b(?:disable|turn off|switch off|deactivate|stop|kill|uninstall|bypass|evade)\b${gap(24)}\b(?:the |any |all |your |windows |system |real-time |endpoint |security ){0,6}(?:firewall|anti-?virus|(?:windows )?defender|selinux|apparmor|gatekeeper|sip\b|system integrity protection|endpoint protection|edr\b|real-time protection|virus scanner|security software|malware protection|audit(?:ing| logging)|amsi|uac\b|user account control))`,
    ],
    unless:
      /do not|don't|never|troubleshoot|temporarily.{0,40}test|if (?:the|your) (?:firewall|antivirus)|check (?:if|whether)|attackers?|detect|malware|without disabling|aslr|fuzz|afl/,
  },
  {
    id: 'script-limit-lifted',
    severity: 'high',
    reason: 'It lifts the limit on which scripts may run.',
    kinds: CODE,
    hints: 'set executionpolicy powershell',
    within: 10,
    all: [
      pattern`\b(?:set-executionpolicy (?:-\w{1,20} )?(?:bypass|unrestricted)|powershell(?:\.exe)? [^\n]{0,60}-(?:ep|exec|executionpolicy) bypass)`,
    ],
  },
  {
    id: 'windows-hidden-run',
    severity: 'critical',
    reason: 'It starts a command without a window and without the usual limits.',
    kinds: CODE,
    hints: 'powershell pwsh',
    within: 10,
    all: [
      pattern`\b(?:powershell|pwsh)(?:\.exe)?\b(?=[^\n]{0,120}-(?:w|windowstyle) ?(?:hidden|1)|[^\n]{0,120}-e(?:nc|ncodedcommand|c)? [\w+\/=]{20})[^\n]{0,160}`,
    ],
  },
  {
    id: 'tools-asked-for',
    severity: 'low',
    reason: 'It lists tools that it wants to use without asking. Talaria asks anyway.',
    kinds: ['front'],
    hints: 'allowed',
    within: 10,
    all: [pattern`^allowed-tools ?:`],
  },
  {
    id: 'everything-as-root',
    severity: 'critical',
    reason: 'It tells the agent to run everything as administrator, or to gain such rights by a trick.',
    kinds: WORDS,
    hints: 'root sudo administrator admin privileges escalate elevate superuser',
    within: 10,
    all: [
      pattern`(?:\b(?:run|execute|perform|prefix|start)\b${gap(24)}\b(?:all|every|everything|each|any)\b${gap(40)}\b(?:as root|with sudo|as administrator|with (?:admin\w{0,10}|root|elevated|full) (?:rights|privileges|permissions|access))|\b(?:escalate|elevate) (?:your|the agent's|its|our|to|the|this)\b${gap(20)}\b(?:privileges?|permissions?|rights|root|admin\w{0,10}|access)\b|\b(?:gain|obtain|get|acquire|request|grant|give|use|take|assume)\b${gap(16)}\b(?:root|administrator|admin|superuser|full system|unrestricted|kernel)[- ](?:level )?(?:access|privileges?|permissions?|rights|shell)\b${gap(60)}\b(?:to|by|without|and|then|for|using|through|before|whenever|always|$)|\b(?:steal|capture|save|log|store|reuse|cache)\b${gap(24)}\b(?:sudo|admin\w{0,10}|root|user's|login) password\b|\bsudo\b${gap(30)}\bwithout (?:asking|prompting|telling|confirmation|password))`,
    ],
    unless:
      /do not|don't|never|avoid|attackers?|could|if needed|requires? root|least privilege|vulnerab|unless|not (?:need|require)|can(?:not)? /,
  },
])

/** Access to files outside the folders of the skill and the chat. */
export const traversal = rulesOf('path-traversal', [
  {
    id: 'up-to-secrets',
    severity: 'critical',
    reason: 'It leaves its folder for files of the system or of other programs.',
    kinds: ANYWHERE,
    hints:
      'etc ssh env passwd shadow proc root windows aws credentials config hosts var home users user private bash bashrc zsh zshrc bash_profile npmrc netrc kube win 2e 2f 5c 252f 2e2e secret boot system32 git id_rsa key',
    within: 10,
    all: [
      pattern`(?:\.\.(?:[\/\\]{1,2}|%2f|%5c|%252f|%c0%af)){2,30}(?:[\w.~*$\{}-]{1,40}[\/\\]{1,2}){0,4}(?:etc\b|\.ssh|\.env\b|\.aws|\.git\/config|\.git-credentials|passwd|shadow|proc\b|root\b|windows|win\.ini|boot\.ini|system32|credentials|id_rsa|\.npmrc|\.netrc|\.kube|\.bash|\.zsh|var\/(?:log|www|lib)|home\b|users\b|secrets?|private|\.config)|(?:%2e%2e(?:%2f|%5c|\/|\\)|\.\.(?:%2f|%5c|%252f|%c0%af)|%252e%252e|\.\.\.\.\/\/|\.\.;\/|%c0%ae){1,10}(?:[\w.%\/\\-]{1,60})|(?:\.\.[\/\\]{1,2}){5,40}`,
    ],
    unless:
      /import |require\(|from ["']|href=|src=|\]\(\.\.|node_modules|cd \.\.\/|\.csproj|relative path|\.md\)|sys\.path|test(?:s|ing)? for/,
  },
  {
    id: 'far-up',
    severity: 'high',
    reason: 'It goes three or more folders above its own.',
    kinds: CODE,
    hints: '(up)',
    within: 10,
    all: [pattern`(?:\.\.[\/\\]{1,2}){3,30}[\w.~*$\{}-]`],
    unless: /import |require\(|from ["']|href=|src=|node_modules|sys\.path/,
  },
  {
    id: 'system-file-read',
    severity: 'critical',
    reason: 'It reads a file where the system stores accounts, keys or the state of programs.',
    kinds: ANYWHERE,
    hints: 'etc proc sam ntds windows dev',
    within: 60,
    all: [
      pattern`(?:\/etc\/(?:shadow|gshadow|master\.passwd|sudoers|passwd\b(?!\.)|krb5\.keytab|ssh\/ssh_host)|\/proc\/(?:self|1|\d{1,6}|\*)\/(?:environ|mem|root|cwd|fd)\b|\/dev\/(?:mem|kmem)\b|file:\/\/\/(?:etc|proc|root|c:)|system32[\\\/]{1,2}config[\\\/]{1,2}sam\b|\bhklm\\{1,2}sam\b)`,
      pattern`\b(?:cat|read|reads|reading|open|less|head|tail|cp|copy|grep|type|get-content|load|print|display|show|fetch|access|include|curl|strings|tar|xxd|base64|scp|awk|cut|save|readfile|dump|export|extract|exfiltrate|ln|gc|retrieve|return|output|mount|dd|view|import)\b`,
    ],
    unless:
      /getent|:ro\b|xxe|test(?:s|ing)? (?:for|with)|payload|owasp|yara|\bentity\b|sanitiz|useradd|\bid -u|lfi\b|--user|os-release|attack/,
  },
  {
    id: 'outside-its-folder',
    severity: 'critical',
    reason: 'It leaves the folder it may work in, or makes the agent do so.',
    kinds: ANYWHERE,
    hints:
      'outside beyond escape traverse symlink symlinks symlinksync linksync link hardlink hard ln tar parent above breakout climb',
    within: 10,
    all: [
      pattern`(?:\b(?:follow|create|use|add|make|resolve|read|access|write|open|copy|list|navigate|go|reach|traverse|walk|search|scan|look|save|modify|delete|edit|store|place|climb|escape|break|explore|load|include|mount|symlink|link|move)\b${gap(50)}\b(?:(?:outside|beyond|above|out) (?:of )?(?:the |your |its |this |any )?(?:current |allowed |skill(?:'s)? |project(?:'s)? |agent(?:'s)? |working |user's |sandbox(?:ed)? |permitted |assigned |own ){0,6}(?:workspace|sandbox|project|skill|working directory|directory|folder|root|repository|repo|container|jail|chroot|boundary|boundaries|scope of the|home)\b)${gap(60)}(?:\b(?:to|and|for|files?|access|read|if|secrets?|data|host|system|content|even|or|by|using|via)\b|$)|\b(?:symlinks?|symbolic links?|hard ?links?|junctions?)\b${gap(40)}\b(?:to|into|at|outside|escape|pointing)\b${gap(20)}(?:\/etc|\/root|~\/?|\/home|\/proc|\/var|the (?:host|home|root|system)|sensitive|outside|secret|parent|private|credentials?|other users?|\/(?: |$))|\b(?:linksync|symlinksync|fs\.link|fs\.symlink|os\.symlink|os\.link|symlink_to|hardlink_to|create_symlink)\( ?f?[\"'](?:\/(?:etc|root|proc|home|users|var)|~|\.\.\/)|\btar (?:-\w{0,4}x\w{0,4}p\w{0,2}\b|-?\w{0,4}x[^\n]{0,60}(?:--absolute-names|-C ?\/(?: |$)| -p\b))|\bln (?:\w{0,3} )?-\w{0,3}s?\w{0,3} [\"']?\/etc\/\S{1,40}|\bln -s\w{0,3} ["']?(?:\/(?:etc|root|proc|home|var|users)?\/?["']?(?= |$)|\/etc\/\S{1,40}|~\/?["']?(?= |$)|~\/\.(?:ssh|aws|gnupg|config|kube|env)\S{0,30}|\$home["']?(?= |$)|\/root\S{0,30}|\/proc\S{0,30}|(?:\.\.\/){2,10}\S{0,40})|\b(?:escape|break out of|bypass|evade|get around|circumvent)\b${gap(16)}\b(?:the |this |your |its |any )?(?:\w{1,12} )?(?:sandbox|workspace|chroot|container|jail|path (?:checks?|validation|restrictions?)|directory restrictions?|file restrictions?)\b)`,
    ],
    unless:
      /do not|don't|never|must not|prevent|avoid|block|reject|refuse|ensure (?:no|that)|disallow|cannot|can't|without|mitigat|protect|forbid|not (?:read|write|access|follow|touch)|no (?:file|access|writes)|check (?:that|for|whether)|detect|permission denied|symlink (?:the|your) (?:skill|dotfiles|repo)|attackers?|could|only if|if (?:the )?user|vulnerab|ask|css|svg|viewport/,
  },
  {
    id: 'path-from-input',
    severity: 'critical',
    reason: 'It opens any path that it receives, without checking where the path leads.',
    kinds: CODE,
    hints: 'open join readfile readfilesync sendfile read_text send_file extractall',
    within: 10,
    all: [
      pattern`(?:\bopen\( ?f?["'][\w.\/~-]{0,40}(?:\.\.\/|["'] ?\+ ?(?:user|request|input|req|params|args|filename)\w{0,12}|\{(?:user|request|input|req|params)\w{0,20}[^}]{0,20}\})|\bos\.path\.join\([^\n)]{0,60}(?:["'](?:\.\.\/){2,9}|user_?input|request\.(?:args|form|files|params|query|values|json|body|get)|params\[|input\()|\b(?:readfile(?:sync)?|sendfile|send_file|createreadstream)\([^\n)]{0,40}(?:req\.|request\.|params|query|["'](?:\.\.\/){2,9}|user_?input))`,
    ],
    unless: /basename|secure_filename|resolve\(\)|is_relative_to|normpath|safe_join/,
  },
])
