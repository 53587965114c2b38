import { posix } from 'node:path'
import { typedCommand } from '../../../shared/words/permission-words.ts'
import { isWithin } from '../../confinement/profile.ts'
import { onlyReadsConfined } from '../../shell-safety/reads/confined-reads.ts'
import { readsOf } from '../../shell-safety/reads/plain-commands.ts'
import type { Invocation, ParsedShell } from '../../shell-safety/shell-types.ts'
import type { Intent } from '../../tools/registry/tool.ts'
import { mayNameKeys, runsDownloaded } from './risks.ts'
import { findRunner } from './program-starters.ts'

/** One simple command of a command line, with short reasons for what it does. */
export type CommandPart = { command: string; reasons: readonly string[] }

/** Maximum number of parts on a card, and characters of each. */
const MAX_PARTS = 12
const MAX_CHARS = 160

/** Describe each simple command of a command line for the user. */
export function describeParts(
  parsed: ParsedShell,
  { folder }: Pick<Intent, 'folder'>,
): readonly CommandPart[] {
  return parsed.commands
    .filter(({ program }) => program !== undefined)
    .slice(0, MAX_PARTS)
    .map(command => ({ command: textOf(command), reasons: reasonsFor(command, folder) }))
}

function textOf({ wrappers, program, args }: Invocation): string {
  const words = [...wrappers, program!.text, ...args.map(word => word.text)]
  const text = typedCommand(words.map(word => word.replace(/[\uE000-\uE008]/g, '…')))
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text
}

/** The reasons of a simple command, the most important first. Never empty. */
function reasonsFor(command: Invocation, folder: string): readonly string[] {
  const found = new Set<string>()
  const words = command.args.map(word => word.text)
  const subcommand = words.find((word, at) => !word.startsWith('-') && !/^-[cC]$/.test(words[at - 1] ?? ''))
  const table = Object.hasOwn(BY_SUBCOMMAND, command.name) ? BY_SUBCOMMAND[command.name]! : []
  for (const [pattern, ...reasons] of table)
    if (pattern.test(` ${subcommand ?? ''} ${words.join(' ')} `)) for (const each of reasons) found.add(each)
  for (const [reason, names] of BY_NAME) if (names.has(command.name)) found.add(reason)
  for (const [reason, applies] of BY_SHAPE) if (applies(command, words, folder)) found.add(reason)
  // This says more than “It starts another program”.
  if (runsDownloaded(command)) {
    found.delete(REASONS.programs)
    found.add(REASONS.downloaded)
  }
  if (found.size === 0) found.add(reasonToRead(command))
  return ORDER.filter(reason => found.has(reason))
}

/**
 * The reason for a command that has no other reason. What git starts depends on its repository, so git never
 * counts as known to only read.
 */
function reasonToRead(command: Invocation): string {
  if (!onlyReadsConfined('', { commands: [command], simple: true, unparsed: undefined }))
    return REASONS.unknown
  const isKnown = command.name !== 'git' && readsOf(command.name, command.args) !== undefined
  return isKnown ? REASONS.reads : REASONS.meant
}

const REASONS = {
  admin: 'runs with administrator rights',
  keys: 'names a file that may hold keys or passwords',
  history: 'rewrites history',
  downloaded: 'runs what was downloaded',
  discards: 'discards changes that are not committed',
  deletes: 'deletes files',
  outsideWrite: 'changes files outside the folder',
  sends: 'sends something to another computer',
  network: 'reaches the network',
  installs: 'installs programs',
  system: 'changes settings of the system',
  settings: 'changes what git runs later',
  access: 'changes who may open files',
  ends: 'ends processes',
  writes: 'changes files here',
  programs: 'starts another program',
  project: 'runs code of this folder',
  stays: 'keeps running in the background',
  outsideRead: 'reads outside the folder',
  reads: 'only reads',
  meant: 'is meant to read',
  unknown: 'does what its program does; Talaria does not know it',
} as const
const ORDER: readonly string[] = Object.values(REASONS)

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Reasons that apply to a program whatever its arguments are. */
const BY_NAME: readonly (readonly [string, ReadonlySet<string>])[] = [
  [REASONS.deletes, names('rm rmdir unlink shred srm rimraf trash')],
  [
    REASONS.writes,
    names(
      'cp mv touch mkdir ln tee install truncate patch unzip gunzip gzip bunzip2 xz unxz zip dd split csplit mkfifo mktemp prettier eslint oxfmt black ruff gofmt rustfmt clang-format convert ffmpeg',
    ),
  ],
  [
    REASONS.network,
    names(
      'curl wget fetch http https aria2c nc ncat netcat ftp sftp ssh mosh scp ping dig nslookup host whois traceroute telnet socat lynx w3m yt-dlp gh glab aws gcloud az kubectl helm terraform npx bunx uvx pipx',
    ),
  ],
  [REASONS.sends, names('scp sftp ftp sendmail mail mailx')],
  [
    REASONS.installs,
    names('apt apt-get aptitude dnf yum pacman zypper apk snap flatpak brew port choco winget dpkg rpm gem'),
  ],
  [REASONS.access, names('chmod chown chgrp setfacl chattr')],
  [REASONS.ends, names('kill pkill killall xkill')],
  [
    REASONS.system,
    names(
      'systemctl service launchctl sysctl mount umount crontab at batch useradd userdel usermod passwd groupadd chsh hostnamectl timedatectl iptables ufw nmcli modprobe update-alternatives defaults',
    ),
  ],
  [
    REASONS.project,
    names(
      'make cmake ninja gradle gradlew mvn ant rake tox nox pytest jest vitest mocha playwright tsc webpack vite rollup',
    ),
  ],
  [REASONS.stays, names('nohup setsid tmux screen')],
]

/** Reasons that depend on arguments, as in `git push`. The text is the subcommand, then all words. */
const BY_SUBCOMMAND: Readonly<Record<string, readonly (readonly [RegExp, ...string[]])[]>> = {
  git: [
    [/^ (fetch|pull|clone|ls-remote|remote update|submodule update) /, REASONS.network],
    [/^ (push|send-email) /, REASONS.network, REASONS.sends],
    [/^ push .* (-f|--force\S*|--mirror|--delete|-d|\+\S+|:\S+) /, REASONS.history],
    [/^ (rebase|filter-branch|filter-repo|replace) /, REASONS.history],
    [/^ commit .* --amend/, REASONS.history],
    [/^ reflog .* (expire|delete) /, REASONS.history],
    [/^ (gc|prune) .*prune/, REASONS.history],
    [/^ reset .* --hard /, REASONS.discards, REASONS.history],
    [/^ reset /, REASONS.writes],
    [/^ (branch|tag) .* (-d|-D|--delete) /, REASONS.deletes],
    [/^ stash .* (drop|clear) /, REASONS.discards],
    [/^ (restore|clean) /, REASONS.discards],
    [/^ checkout .* (--|-f|--force|\.) /, REASONS.discards],
    [/^ (clean|rm) /, REASONS.deletes],
    [
      /^ (add|commit|merge|checkout|switch|restore|apply|am|cherry-pick|revert|rebase|pull|mv|rm|init|clone|stash|tag|branch|worktree|clean|submodule) /,
      REASONS.writes,
    ],
    [/^ (config|remote (add|remove|rm|rename|set-url)|submodule) /, REASONS.settings],
    [/^ (bisect|difftool|mergetool) /, REASONS.programs],
  ],
  npm: [
    [/^ (install|i|ci|add|update|upgrade|up|audit|view|info|outdated|search|create|init) /, REASONS.network],
    [/^ (install|i|ci|add|update|upgrade|up|uninstall|remove|rm|dedupe|prune|version|pkg) /, REASONS.writes],
    [/^ (install|i|ci|add|update|upgrade|up) /, REASONS.installs, REASONS.project],
    [/^ (publish|unpublish|deprecate|dist-tag|access|owner) /, REASONS.network, REASONS.sends],
    [/^ (run|run-script|test|t|tst|start|stop|restart|rebuild|exec|x) /, REASONS.project],
  ],
  pip: [
    [/^ (install|download|wheel|search|index) /, REASONS.network],
    [/^ install /, REASONS.installs],
    [/^ uninstall /, REASONS.deletes],
  ],
  cargo: [
    [/^ (install|publish|fetch|update|add|search|login) /, REASONS.network],
    [/^ publish /, REASONS.sends],
    [/^ install /, REASONS.installs],
    [/^ (build|b|test|t|run|r|bench|check|c|doc|fix|clippy) /, REASONS.project, REASONS.writes],
    [/^ (fmt|add|remove|new|init|clean|update) /, REASONS.writes],
  ],
  go: [
    [/^ (get|install|mod) /, REASONS.network, REASONS.writes],
    [/^ install /, REASONS.installs],
    [/^ (build|test|run|generate|vet) /, REASONS.project],
    [/^ (build|fmt|generate) /, REASONS.writes],
  ],
  docker: [
    [/^ (pull|build|run|compose|login) /, REASONS.network],
    [/^ push /, REASONS.network, REASONS.sends],
    [/^ (run|exec|compose|start|build) /, REASONS.programs],
    [/^ (rm|rmi|prune|system|volume|image) /, REASONS.deletes],
  ],
  sed: [[/ (-i|--in-place)\S* /, REASONS.writes]],
  perl: [[/ -\w*i/, REASONS.writes]],
  find: [
    [/ -delete /, REASONS.deletes],
    [/ -(exec|execdir|ok|okdir) /, REASONS.programs],
    [/ -f(print\w*|ls) /, REASONS.writes],
  ],
  tar: [
    [/ -?\w*x\w* | --(extract|get) /, REASONS.writes],
    [/ -?\w*[cru]\w* | --(create|append|update) /, REASONS.writes],
  ],
  rsync: [
    [/ [\w.@-]+:/, REASONS.network, REASONS.sends],
    [/ --del/, REASONS.deletes],
    [/./, REASONS.writes],
  ],
  curl: [
    [/ (-o|-O|--output|--remote-name|-J)\S* /, REASONS.writes],
    [/ (-d|--data\S*|-F|--form\S*|-T|--upload-file|--json)\S* | -X *(POST|PUT|PATCH|DELETE) /, REASONS.sends],
  ],
  wget: [
    [/./, REASONS.writes],
    [/ --post/, REASONS.sends],
  ],
}
for (const [name, like] of Object.entries({
  pnpm: 'npm',
  yarn: 'npm',
  bun: 'npm',
  pip3: 'pip',
  uv: 'pip',
  poetry: 'pip',
  podman: 'docker',
  bsdtar: 'tar',
  gsed: 'sed',
}))
  (BY_SUBCOMMAND as Record<string, (typeof BY_SUBCOMMAND)[string]>)[name] = BY_SUBCOMMAND[like]!

const ELEVATES = names('sudo su doas pkexec run0 runuser')
const HARMLESS_TARGET = /^(\/dev\/(null|stdout|stderr|stdin|tty)|[012]|-)$/

/** Reasons that follow from the form of a command, for any program. */
const BY_SHAPE: readonly (readonly [
  string,
  (command: Invocation, words: readonly string[], folder: string) => boolean,
])[] = [
  [REASONS.admin, ({ name, wrappers }) => [name, ...wrappers].some(each => ELEVATES.has(each))],
  [REASONS.keys, command => pathsIn(command).some(path => mayNameKeys(command, path))],
  [REASONS.writes, command => writtenBy(command).length > 0],
  [
    REASONS.outsideWrite,
    (command, _words, folder) => writtenBy(command).some(path => isOutside(path, command, folder)),
  ],
  [
    REASONS.programs,
    ({ program, wrappers, args }) =>
      wrappers.some(each => each !== 'time' && each !== 'command') ||
      findRunner([program!.text, ...args.map(word => word.text)]) !== undefined,
  ],
  [
    REASONS.project,
    ({ program }) =>
      /^\.{0,2}\/(?!usr\/|bin\/|sbin\/|opt\/)/.test(program!.text) || /^[\w.-]+\//.test(program!.text),
  ],
  [
    REASONS.stays,
    ({ background, wrappers }) => background || wrappers.some(each => each === 'nohup' || each === 'setsid'),
  ],
  [
    REASONS.outsideRead,
    (command, _words, folder) =>
      pathsIn(command).some(path => isOutside(path, command, folder) && !HARMLESS_TARGET.test(path)),
  ],
]

/** The files that redirections write to. */
const writtenBy = ({ redirects }: Invocation): string[] =>
  redirects
    .filter(({ op, target }) => op.includes('>') && !op.endsWith('(') && !HARMLESS_TARGET.test(target.text))
    .map(({ target }) => target.text)

/** Words that may be paths, with the values of flags and assignments. */
const pathsIn = ({ args, redirects }: Invocation): string[] =>
  [...args, ...redirects.filter(({ op }) => !op.startsWith('<<')).map(({ target }) => target)]
    .map(({ text }) => text.replace(/^--?[\w-]+=|^[\w-]+=@?|^@/, ''))
    .filter(
      text =>
        text.length < 1_000 &&
        !/^[a-z][\w+.-]*:\/\//i.test(text) &&
        /^[^-]/.test(text) &&
        !text.includes('\n'),
    )

function isOutside(path: string, { folder: at }: Invocation, folder: string): boolean {
  if (!/^(\/|~)|(^|\/)\.\.(\/|$)/.test(path)) return false
  return path.startsWith('~') || !isWithin(folder, posix.resolve(at, path))
}
