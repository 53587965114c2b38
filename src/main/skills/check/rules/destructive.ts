import { ANYWHERE, CODE, WORDS, pattern, rulesOf } from '../rule.ts'
import { EACH_TIME, gap } from '../vocabulary.ts'

/** A whole disk, home folder or system, in any spelling. */
const ALL = String.raw`(?:["']?(?:\/(?:\*|(?:home|users)\/[\w$\{}-]{1,30}(?:\/\*?)?|(?:home|usr|etc|var|boot|users|root|opt|bin|lib|sys|system|library|applications|mnt|media|data|srv)(?:\/\*?)?)?|~(?:\/\*?|\/\.(?:config|local|ssh|gnupg|mozilla|thunderbird)\/?|\/(?:documents|desktop|pictures|downloads|music|movies|videos|projects|work|code|repos|mail|photos|library)[\/*]{0,2})?|\$\{?home\}?(?:\/\*?|\/(?:documents|desktop|pictures|downloads|projects|work|code|repos|mail|photos|library)[\/*]{0,2})?|\$env:userprofile\S{0,20}|\$home\\?\*?|%userprofile%\S{0,10}|[a-z]:[\\\/]{1,2}(?:\*|users\S{0,20}|windows\S{0,20})?|\.\.\/?\*?|\*|\.\/\*|\.git\/objects)["']?(?=[ ;|&)"'\x60,}\]]|$))`
const HOME_CODE = String.raw`(?:["'](?:\/|~|~\/|\/home|\/users|c:[\\\/]{1,4}|\/etc|\/var|\/usr|\.\.)["']|expanduser\( ?["']~\/?(?:documents|desktop)?["'] ?\)|path\.home\(\)|expanduser\( ?[\"']~\/?\*{0,2}[\"'\/]|os\.homedir\(\)|homedir\(\)|environ\[["'](?:home|userprofile)["']\]|getenv\(["']home["']\)|process\.env\.home\b|os\.path\.sep\b|\bhome_?dir\b)`

/** Deleting, overwriting, encrypting or corrupting data, and exhausting machines. */
export const destructive = rulesOf('destructive', [
  {
    id: 'everything-deleted',
    severity: 'critical',
    reason: 'It deletes a whole disk, a home folder or the system.',
    hints: 'osascript tell rm del rd rmdir remove unlink rimraf erase ri crontab',
    within: 10,
    all: [
      pattern`(?:\brm (?:-{1,2}[a-z-]{1,20} ){1,4}(?:--no-preserve-root )?(?:-- )?(?:[^\s;|&"']{1,60} ){0,3}?${ALL}|\brm\b[^\n;|&]{0,60}--no-preserve-root|\brm (?:-{1,2}[a-z-]{1,20} ){1,4}(?:-- )?["']?\/etc\/(?:hosts|passwd|group|shadow|fstab|sudoers|resolv\.conf|hostname|pam\.d|ssh|ssl|systemd|init\.d|profile)\/?["']?(?=[ ;|&)"'\x60]|$)|[\"']rm[\"'], ?[\"']-\w{1,4}[\"'](?:, ?[\"']-\w{1,4}[\"'])?, ?[\"'](?:\/|~|\/\*|\/home|\$home|\/etc|\/usr|\/var)[\"']|\brm (?:-{1,2}[a-z-]{1,20} ){1,3}[\"']?\/(?:var|usr|etc|opt|root|boot|srv)\/(?:lib|bin|share|local|ssh|log|www|spool|lib64|sbin)?[\"']?(?=[ ;|&)\"']|$)|\brm -\w{1,3} [\"']?(?:\.\/)?\.git\/?[\"']? ?(?:&&|;) ?git init|\bcrontab -r\b|\b(?:rd|rmdir) \/s(?: \/q)? ["']?(?:[a-z]:\\|%)|\bdel (?:\/[a-z] ){1,4}["']?(?:[a-z]:\\|%|\*)|\b(?:remove-item|ri)\b(?=[^\n;|]{0,160}-r)[^\n;|]{0,100}?(?:[a-z]:\\(?:["' *]|users|windows|$)|\$home\b|\$env:(?:userprofile|systemdrive|homepath|onedrive)(?![\\\/][.\w]{1,20}[\\\/])|~(?:[\\\/]\*)?(?: |$)|~[\\\/](?:documents|desktop))|\brimraf (?:\/|~|\$home)(?: |$)|\btell application [\"']finder[\"'] to delete (?:every|all)|\bdelete every item of (?:desktop|home|documents|folder))`,
    ],
    unless: /\.(?:cache|venv|tmp)\b[^\n]{0,4}$/,
  },
  {
    id: 'everything-deleted-in-code',
    severity: 'critical',
    reason: 'A script deletes everything below a home folder or the whole disk.',
    kinds: ['code', 'block'],
    hints: 'rmtree remove unlink rmdirsync rmsync rm walk rimraf iterdir glob removeall emptydir delete',
    within: 260,
    all: [
      pattern`\b(?:shutil\.rmtree|rmtree|os\.remove|os\.unlink|os\.rmdir|\.unlink|rmdirsync|rmsync|fs\.rm|fs\.promises\.rm|unlinksync|rimraf|os\.removeall|emptydirsync|fs\.remove|delete_recursively|send2trash|fileutils\.rm_rf)\(`,
      pattern`${HOME_CODE}`,
    ],
    unless: /expanduser\( ?["']~\/\.[\w]|home\(\) ?\/ ?["'][\w.]|homedir\(\), ?["'][.\w]/,
  },
  {
    id: 'found-files-deleted',
    severity: 'critical',
    reason: 'It deletes every file that a search finds over a wide area.',
    kinds: ANYWHERE,
    hints: 'find fd get gci xargs forfiles',
    within: 10,
    all: [
      pattern`(?:\bfind (?:-l )?["']?(?:\/(?!tmp|var\/(?:tmp|cache|log)|[\w.-]{1,40}\/[\w.-]{1,40}\/)[\w.-]{0,20}|~|\$\{?home\}?|~\/(?:documents|desktop|pictures|downloads|projects|work|code|src|repos)|\$\{?(?:pwd|user)\}?|\.\.)\/?["']? [^\n|;]{0,160}?(?:-delete\b|-exec (?:\/bin\/)?(?:rm|shred|unlink)\b|\| ?(?:sudo )?xargs[^\n|;]{0,30}(?:rm|shred)\b)|\bfind \.(?:\/)? (?!(?:[^\n|;]{0,120}-i?(?:name|path|regex) ))(?:-type [fd] |-mindepth \d |-mtime \+?\d{1,4} |-maxdepth \d |-not -path \S{1,30} |! -name \S{1,20} ){0,4}(?:-delete\b|-exec (?:rm|shred)\b|-print0 ?\| ?xargs -0 (?:rm|shred)\b)|\bfind [^\n|;]{1,80}(?:-delete|-exec (?:rm|shred)\b)[^\n;]{0,40}2> ?\/dev\/null[^\n]{0,10}&|\b(?:get-childitem|gci)\b[^\n;]{0,100}-recurse[^\n;]{0,60}\| ?(?:remove-item|ri)\b|\bforfiles\b[^\n]{0,100}\bdel\b)`,
    ],
    unless: /__pycache__|node_modules|\.pyc|\.ds_store|\.tmp|\.log\b|\.bak|\.cache|-empty|\/tmp/,
  },
  {
    id: 'disk-overwritten',
    severity: 'critical',
    reason: 'It overwrites or formats a disk.',
    hints: 'dd mkfs wipefs shred diskutil sgdisk format fdisk parted blkdiscard hdparm cat dev clear cipher',
    within: 10,
    all: [
      pattern`(?:\bdd\b[^\n;|]{0,80}\bof=["']?\/dev\/(?:sd|nvme|disk|hd|vd|mmcblk|mapper|rdisk|\$)\w{0,12}|\bmkfs(?:\.\w{2,6})? (?:-\w{1,4} ){0,4}\/dev\/\w|\bwipefs (?:-a|--all)|\bshred\b[^\n;]{0,60}(?:\/dev\/\w|~|\$home|\/home|\/etc|-r|\*)|\bdiskutil (?:erase(?:disk|volume)|secureerase|partitiondisk|apfs delete\w{1,12})|\bsgdisk (?:-z|--zap)|\bblkdiscard \/dev|> ?\/dev\/(?:sd[a-z]|nvme\d|disk\d|hda|vda)|\bformat ["']?[a-z]: ?\/?\w?|\bclear-disk\b|\bformat-volume\b|\bcipher \/w:|\bparted\b[^\n]{0,40}\bmklabel|\bhdparm\b[^\n]{0,40}security-erase)`,
    ],
  },
  {
    id: 'fork-bomb',
    severity: 'critical',
    reason: 'It starts copies of itself until the computer stops responding.',
    hints: '(function) fork kill killall',
    within: 10,
    all: [
      pattern`(?:[:\w]{1,12} ?\( ?\) ?\{ ?[:\w.]{1,12} ?\| ?[:\w.]{1,12} ?& ?\} ?;|while (?:true|1|:)[^\n]{0,20}[\n;: ]{1,4}(?:os\.fork\(|fork\(|subprocess\.popen\(|\$0 ?&)|\bos\.fork\(\)[^\n]{0,20}while|%0 ?\| ?%0|\bkill -9 -1\b|\bfork while (?:fork|true|1)|\bkillall -9 -u\b)`,
    ],
  },
  {
    id: 'permissions-broken',
    severity: 'critical',
    reason:
      'It changes permissions of the whole system or home folder, so that it stops working or is open to everyone.',
    hints: 'chmod chown icacls takeown setfacl',
    within: 10,
    all: [
      pattern`\b(?:chmod (?:-\w{1,3} ){0,2}(?:-r |--recursive )(?:-\w )?(?:0?[0-7]{3}|a[+=]\w{1,3}|\w{0,3}[-+=]\w{1,4}) |chown (?:-r|--recursive) [\w$.:()-]{1,40} |chmod (?:0?777|a\+rwx|0?000|o\+w) )${ALL}|\bchmod (?:0?777|666|a\+w|o\+w) ["']?(?:\/etc\/\w|\/usr\/|\/bin|\/var\/run\/docker|~\/\.ssh|\/etc|\/root|\/)|\bicacls [^\n]{0,60}\/grant[^\n]{0,20}everyone|\btakeown \/f [a-z]:\\`,
    ],
  },
  {
    id: 'history-overwritten-by-force',
    severity: 'critical',
    reason: 'It overwrites what others have pushed to a shared branch, or discards history for good.',
    hints: 'git push',
    within: 10,
    all: [
      pattern`(?:\bgit push\b(?=[^\n;|&]{0,100}(?: -f\b| --force(?!-with|-if)| --mirror| \+[\w\/:-]{2,40}))[^\n;|&]{0,100}?(?:\b(?:main|master|trunk|develop|production|release|head)\b|--all|--mirror|refs\/heads\/\*|--tags|\*)|\bgit push\b[^\n;|&]{0,60} --mirror\b[^\n;|&]{0,60}--force|\bgit push\b[^\n;|&]{0,60}(?:--delete (?:main|master|--all|\$\()| :(?:refs\/heads\/)?(?:main|master|develop|production)\b)|\bgit reflog expire\b[^\n;|&]{0,40}--expire(?:-unreachable)?=(?:now|all)|\bgit (?:filter-branch|filter-repo)\b[^\n]{0,80}(?:--force|-f\b|--all)[^\n]{0,80}(?:&&|;)[^\n]{0,40}push|\bgit (?:branch|tag|for-each-ref|ls-remote)\b[^\n;]{0,80}\| ?(?:grep[^\n|]{0,40}\| ?)?xargs[^\n|;]{0,30}git (?:branch -d|push[^\n]{0,30}--delete|tag -d)|\bgit reset --hard\b[^\n]{0,60}(?:&&|;) ?git clean -[a-z]{0,4}[fdx]{2,3}[^\n]{0,60}(?:&&|;) ?git push|\bgit update-ref -d\b[^\n]{0,40}(?:&&|;)[^\n]{0,40}gc --prune=now|\bgit gc\b[^\n]{0,20}--prune=(?:now|all)[^\n]{0,40}(?:reflog|push)|\bgit stash (?:clear|drop)\b[^\n]{0,30}(?:&&|;)[^\n]{0,20}git (?:clean|reset))`,
    ],
    unless: /never|do not|don't|avoid|--dry-run|--merged/,
  },
  {
    id: 'force-push-told',
    severity: 'critical',
    reason: 'It tells the agent to overwrite a shared branch or to discard the work of others.',
    kinds: WORDS,
    hints: 'force overwrite reset push',
    within: 160,
    all: [
      pattern`\bforce[- ]?push(?:ed|es|ing)?\b${gap(80)}\b(?:main|master|the remote|all branches|every branch|production|over|default branch|upstream|without)\b`,
      pattern`\b(?:always|after|then|and|without|automatically|must|whenever|every|if (?:it|the push) (?:fails|is rejected))\b`,
    ],
    unless:
      /never|do not|don't|avoid|unless|protect|prevent|danger|warn|ask|confirm|explicit|forbid|prohibit|block|\bno force/,
  },
  {
    id: 'pushed-by-force',
    severity: 'high',
    reason: 'It force-pushes to a repository, which replaces what others pushed.',
    kinds: CODE,
    hints: 'git + push',
    within: 10,
    all: [pattern`\bgit push\b[^\n;|&]{0,100}?(?: -f\b| --force(?!-with|-if)| --mirror\b| \+[\w\/:-]{2,40})`],
  },
  {
    id: 'system-file-changed',
    severity: 'high',
    reason: 'It changes or deletes a system setting.',
    kinds: CODE,
    hints: 'etc hosts',
    within: 10,
    all: [
      pattern`(?:(?:>>? ?|\btee (?:-a )?|\bsed -i[^\n;|]{0,120} |\b(?:cp|mv|ln -sf?|install) [^\n;|]{1,120} |\brm (?:-{1,2}[a-z-]{1,20} ){0,4}|\bopen\( ?)["']?\/etc\/[\w.-]{2,60}|(?:>>? ?|\b(?:add|set)-content |\bcopy [^\n;|]{1,80} )["']?[\w$:{}%\\.]{0,40}drivers\\etc\\hosts\b)`,
    ],
  },
  {
    id: 'database-emptied',
    severity: 'critical',
    reason: 'It deletes databases, tables or everything in them.',
    kinds: ANYWHERE,
    hints: 'drop truncate delete flushall flushdb dropdatabase dropschema deletemany',
    within: 10,
    all: [
      pattern`(?:\bdrop (?:database|schema) (?:if exists )?["'\x60\[]?\w{1,40}["'\x60\]]?(?: cascade)?|\bdrop table (?!if exists)["'\x60\[]?(?:users?|customers?|accounts?|orders?|production|payments?|\w{0,20}backups?|students|employees|invoices|\$|\{|\*)\w{0,20}|\bdrop (?:all|every|each)(?: the)? (?:\w{1,12} )?(?:tables|databases|schemas|collections)\b|\btruncate table ["'\x60]?(?:users?|customers?|accounts?|orders?|payments?|logs?|audit\w{0,12})\b|\bdelete from ["'\x60]?\w{1,40}["'\x60]? ?(?:;|["'\x60]|$|where (?:1 ?= ?1|true))|\bflush(?:all|db)\b|\bdropdatabase\(|\.drop_database\(|\bdeletemany\( ?\{ ?\} ?\)|\bdropdb (?:--if-exists )?(?:-f )?\w)`,
    ],
    unless:
      /\btest_?\w{0,12}\b|\btmp|\btemp|(?<![.\w-])example(?![.\w])|sqlmap|injection|dev_|_dev|sandbox|create (?:database|table)|if exists \w{1,30};? ?create|or drop\b|\bdrop (?:database|schema) (?:permission|privilege|command|statement|if needed)/,
  },
  {
    id: 'cloud-emptied',
    severity: 'critical',
    reason: 'It deletes storage, machines or whole projects in the cloud without asking.',
    hints:
      'aws gsutil gcloud az kubectl terraform docker helm heroku doctl tofu pulumi rclone gh flyctl vercel',
    within: 10,
    all: [
      pattern`(?:\baws s3 (?:rm|rb)\b[^\n;]{0,100}(?:--recursive|--force)|\bgsutil (?:-m )?rm -\w{0,3}r|\bgcloud (?:projects|sql instances|storage buckets) delete[^\n]{0,60}(?:--quiet|-q)|\baz (?:group|storage account|vm) delete\b[^\n]{0,80}(?:--yes|-y\b)|\bkubectl delete (?:ns|namespaces?|all|pvc?|deployments?|nodes?|crds?)\b[^\n]{0,60}(?:--all|-a\b|--force|prod|kube-system|default)|\bkubectl delete\b[^\n]{0,40}--all(?:-namespaces)?\b|\b(?:terraform|tofu|pulumi) destroy\b[^\n]{0,60}(?:-auto-approve|--yes|-y\b)|\bdocker (?:rm|rmi|volume rm|container rm|kill|stop) (?:-f |--force ){0,2}\$\(docker|\bdocker system prune\b[^\n]{0,40}--volumes|\bheroku pg:reset\b[^\n]{0,60}--confirm|\baws (?:ec2 terminate-instances|rds delete-db\w{0,20}|dynamodb delete-table|iam delete-\w{2,20}|backup delete\S{1,30}|cloudformation delete-stack|kms schedule-key-deletion)\b|\brclone (?:purge|delete)\b|\bgh repo delete\b[^\n]{0,80}(?:--yes|--confirm))`,
    ],
  },
  {
    id: 'backups-destroyed',
    severity: 'critical',
    reason: 'It destroys backups, restore points or recovery data, so that nothing can be restored.',
    hints:
      'latest vssadmin wbadmin wmic bcdedit tmutil timeshift snapper btrfs zfs restic borg backup backups snapshot snapshots shadow shadowcopy recovery',
    within: 160,
    all: [
      pattern`(?:\bvssadmin\b[^\n]{0,20}delete|\bwbadmin delete|\bshadowcopy delete|\bbcdedit\b[^\n]{0,60}(?:recoveryenabled|ignoreallfailures)|\btmutil (?:delete\w{0,24}|disable)|\btimeshift --delete-all|\bsnapper delete|\bbtrfs subvolume delete|\bzfs destroy -\w{0,3}r|(?:^|[;&|] ?)(?::|true|cat \/dev\/null|echo -n [\"']{2})? ?> ?[\"']?[\w\/.~$\{}-]{0,40}backups?[\w\/.-]{0,40}(?:$|[;&\"' ])|\brestic forget\b[^\n]{0,60}--prune[^\n]{0,40}--unsafe|\bborg delete\b|\b(?:rm|del|delete|remove|erase|shred|destroy|wipe|purge|truncate|empty|overwrite|unlink|rmtree)\b${gap(60)}(?:\b(?:all|every|each|any|the|old|older|existing|user's|your|last|its|their) (?:\w{1,15} ){0,2}?(?:backups?|snapshots?|restore points?|recovery (?:points?|data))\b|[\w\/.~*$\{}-]{0,40}backups?[\w\/.*-]{0,30}))`,
      pattern`(?:vssadmin|wbadmin|shadowcopy|bcdedit|tmutil|timeshift|snapper|btrfs|zfs destroy|restic|borg|\brm -\w{0,4}[rf]|truncate -s ?0|>|shred|\ball\b|\bevery\b|\beach\b|\bany\b|without|silently|so that|cannot be|no longer)`,
    ],
    unless:
      /retention|keep (?:the )?(?:last|latest|\d)|older than \d{2,4} days|rotate|--dry-run|mtime|prune old|beyond|tail -n/,
  },
  {
    id: 'traces-wiped',
    severity: 'critical',
    reason: 'It wipes logs or the history of commands, to hide what was done.',
    hints:
      'history histfile journalctl wevtutil log logs bash_history zsh_history auth clear unset auditctl histsize',
    within: 10,
    all: [
      pattern`(?:\bhistory -c\b|\bunset histfile\b|\bhistfile= ?\/dev\/null|\bhist(?:file)?size=0\b|\bset \+o history\b|(?:>|rm (?:-\w{1,3} )?|truncate -s ?0 |shred (?:-\w{1,3} )?|ln -sf? \/dev\/null |cat \/dev\/null ?> ?) ?["']?(?:~|\$home|\/root|\/home\/\w{1,20})?\/?\.(?:bash|zsh|sh|python|mysql|psql)_history\b|\bwevtutil (?:cl|clear-log)\b|\bclear-eventlog\b|\bclear-history\b|\bjournalctl\b[^\n]{0,40}--vacuum-(?:time|size)=1s?\b|(?:>|rm (?:-\w{1,3} )?|truncate -s ?0 |shred (?:-\w{1,3} )?|cat \/dev\/null ?> ?) ?["']?\/var\/log\/(?:auth|secure|syslog|messages|wtmp|btmp|lastlog|audit|\*)|\bauditctl -[de] ?0?|\b(?:clear|delete|wipe|erase|remove|purge|scrub|clean) ${gap(20)}\b(?:audit|shell|bash|command|access|security|terminal|agent|session|event|system) ?(?:logs?|history|trail|traces?)\b${gap(60)}\b(?:after|to (?:hide|cover|avoid|remove)|so (?:that )?(?:no|nobody|the)|traces?|evidence|tracks|silently|afterwards|when done)|\b(?:cover|hide|remove|erase) (?:your|our|its|all|the|any) (?:tracks|traces|evidence)\b)`,
    ],
    unless: /attackers?|detect|forensic|incident/,
  },
  {
    id: 'files-locked',
    severity: 'critical',
    reason: "It encrypts the user's files and removes the originals, as ransomware does.",
    hints: 'encrypt openssl gpg fernet ransom aes cipher 7z zip locked',
    within: 320,
    all: [
      pattern`(?:\b(?:openssl (?:enc|aes\S{2,16}|smime)|gpg (?:-\w{1,3} |--\S{3,30} ){0,4}(?:-c|--symmetric|-e|--encrypt)|7z a -p|zip -e|fernet\(|aes\.new\(|\bage -[rp])|\bencrypt(?:s|ing)?\b${gap(40)}\b(?:all|every|each|the user's|their|user|home|documents?|files?|disk|folder|director\w{1,3}|data)\b|\bransom\w{0,5}\b)`,
      pattern`(?:\brm -\w{0,3}|\bshred\b|os\.remove|unlink|\bdelete\b|\bremove\b|ransom|bitcoin|\bpay(?:ment)?\b|\.locked\b|\.encrypted\b|\bonly (?:we|i) \b|decryption key|overwrite|discard the key|\bthrow away\b|replace the originals?)`,
      pattern`(?:\b(?:all|every|each|originals?|find|for \w{1,10} in|while|do|walk|rglob|glob|ransom\w{0,5}|home|documents|user'?s?|-exec|recursive\w{0,2})\b)`,
    ],
    unless: /at rest|in transit|tls|detect|decrypt(?:s|ed)? (?:it )?locally|backup -|restic|sops/,
  },
  {
    id: 'files-deleted-each-time',
    severity: 'critical',
    reason: "It makes the agent delete the user's files as a routine step.",
    kinds: WORDS,
    hints:
      'delete remove erase wipe purge trash clear shred empty overwrite truncate unlink discard destroy drop rm corrupt scramble clean get + file files document documents folder folders photos email emails home backup backups branch branches original originals database databases everything workspace user repo',
    within: 60,
    all: [
      pattern`${EACH_TIME}${gap(110)}(?<!not |never |n't )\b(?:delete|deletes|deleting|remove|erase|wipe|purge|trash|shred|empty|overwrite|truncate|unlink|destroy|drop|rm|corrupt|scramble|clean out|get rid of)\b${gap(30)}\b(?:them|files|(?:the user's|their|original|source|input) files?|originals?|documents?|folders?|everything|databases?|photos|emails?|branches|the (?:source|input|original|user|project|repo\w{0,6}|home|workspace)|user's)\b`,
      pattern`\b(?:files?|documents?|folders?|photos|emails?|home|backups?|branches|originals?|databases?|everything|workspace|user's|repo\w{0,6})\b`,
    ],
    unless:
      /temp(?:orary)?\b|tmp|cache|intermediate|build|scratch|worktrees?|generated|you created|stale|placeholder|artifacts?|debug|node_modules|duplicate|unused|dead|mock|(?<![.\w-])example(?![.\w])|boilerplate|do not|don't|never|before (?:deleting|removing)|ask|confirm|comments?|todo|lock ?files?|resources?|docker|containers?|sessions?|test|extra|unnecessary|irrelevant|old code|template|dry[- ]run|sample|section|filter|draft|outliers?|missing|empty (?:rows|lines|cells)|header|whitespace|instrumentation|slides?|job|simulations?|redundan\w{2,3}|cells|features|columns|nodes|labels|if (?:the )?user|user (?:asks|wants|requests|approves|explicitly)/,
  },
  {
    id: 'deletion-told',
    severity: 'critical',
    reason: "It tells the agent to delete, overwrite or corrupt all of the user's data.",
    kinds: WORDS,
    hints:
      'delete remove erase wipe purge trash shred empty overwrite truncate destroy drop corrupt scramble nuke clear format clean rid throw',
    within: 10,
    all: [
      pattern`(?<!not |never |n't )\b(?:delete|remove|erase|wipe|purge|trash|shred|overwrite|truncate|destroy|nuke|corrupt|scramble|clear out|clean out|get rid of|throw away|empty|format)\b${gap(16)}\b(?:(?:all|every|everything|any|each|the (?:entire|whole|complete)|entire|whole)\b${gap(24)}\b(?:(?:user|user's|users|their|your|personal|home|original|source|project|production|customer|important|existing|other|local|system) ){1,6}?(?:files?|documents?|data|folders?|director(?:y|ies)|repositor(?:y|ies)|database|tables?|records?|photos|branches|drives?|disks?)\b|(?:the |user's |their |your )(?:entire |whole |user's ){0,6}(?:home (?:folder|directory)|hard (?:drive|disk)|file ?system|disk|production (?:database|data|server)|database|git history|repository history|workspace|c: drive|system files)\b|(?:all|every|each) (?:files?|documents?|data|folders?|database\w?|branches|tables|commits|records) (?:in|on|from|of|under|below|older|that (?:are|were)|matching|except|without|found|and|you)\b)`,
      pattern`\b(?:then|and|now|must|first|always|silently|without|immediately|run|to (?:free|save|clean|prepare|start|reset)|step|important|after|before|if|when|^|all|\d\.)\b|^`,
    ],
    unless:
      /do not|don't|never|not (?:delete|remove)|worktrees?|temp(?:orary)?\b|cache|unless|ask|confirm|if the user|user (?:asks|wants|requests|explicitly|confirms)|warning|careful|avoid|prevent|(?:could|may|might|would|can|will) (?:\w{1,12} )?(?:delete|erase|wipe|destroy|remove|overwrite|corrupt)|build|artifacts|duplicate|placeholder|commented|docs|uninstall|comments|empty line|test data|columns|rows|cells|whitespace|sensitive|secrets|pii|identif|internal references|api|endpoint|`.{0,20}delete|personal data (?:from|before)|\|/,
  },
  {
    id: 'same-address-hammered',
    severity: 'critical',
    reason: 'It calls the same address over and over, which burdens another server or this computer.',
    kinds: ['block', 'code'],
    hints: 'for while seq repeat xargs ab hping wrk slowloris',
    within: 240,
    all: [
      pattern`(?:\bfor \w{1,12} in (?:range\( ?(?:\d{3,9}|10\*\*\d)|\$\(seq (?:1 )?\d{3,9}|\{1\.\.\d{3,9}\})|\bwhile (?:true|1|:|\[ ?1 ?\]|\(true\)|\(1\))|\bfor ?\(;;\)|\bfor ?\(let \w ?= ?0; ?\w ?< ?\d{3,9}|\bwhile\(true\)|\bseq (?:1 )?\d{3,9} ?\|)`,
      pattern`(?:\brequests\.(?:get|post|head)\( ?f?["']https?:\/\/(?!localhost|127\.)|\b(?:curl|wget)\b[^\n|;]{0,60} ["']?https?:\/\/(?!localhost|127\.)|\bfetch\( ?["']https?:\/\/(?!localhost|127\.)|\burlopen\( ?["']https?:)`,
    ],
    unless:
      /\bsleep\b|settimeout|break\b|page|offset|cursor|backoff|params|retry|attempt|\{i\}|\$i\b|\$\{i|%d|status|next_|token/,
  },
  {
    id: 'machine-worn-out',
    severity: 'critical',
    reason: 'It fills the disk, uses all computing power, or mines for someone else on this computer.',
    hints:
      'xmrig minerd stratum cryptominer coinhive mine mining monero yes fallocate stress nicehash ethminer append dev infinite endless',
    within: 10,
    all: [
      pattern`(?:\b(?:xmrig|minerd|cpuminer|ethminer|coinhive|nicehash|cryptonight|t-rex miner)\b|stratum\+(?:tcp|ssl):|\bmin(?:e|es|ing) (?:some |for )?(?:monero|xmr|bitcoin|btc|crypto\w{0,12}|ethereum)\b|\bcrypto-?miner|\byes ?> ?\/dev\/null ?&|\bfallocate -l \d{3,9}g|\bdd if=\/dev\/(?:zero|urandom)[^\n]{0,60}\bof=(?!\/dev\/null)[^\n]{0,40}bs=\d{1,4}[mg][^\n]{0,30}count=\d{5,9}|\bwhile true[^\n]{0,40}>> ?\S|\[["']?\w{0,10}["']?\] ?\* ?10 ?\*\* ?(?:9|\d\d)|["'][a-z ]["'] ?\* ?10 ?\*\* ?(?:9|\d\d)|\bcat \/dev\/(?:zero|urandom) ?> ?(?!\/dev\/null)\S)`,
    ],
    unless: /mining company|data mining|detect|mining (?:pool data|stats|difficulty|reward)|yara/,
  },
])
