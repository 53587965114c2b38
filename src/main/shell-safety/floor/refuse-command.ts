import { homedir } from 'node:os'
import { posix } from 'node:path'
import { codeDanger } from './code-dangers.ts'
import { parseShell } from '../parse/parse-shell.ts'
import { findStarts, narrowingOf } from '../find-arguments.ts'
import { isHistory, systemDanger } from './system-dangers.ts'
import { MARK, type Invocation, type ParsedShell, type Word } from '../shell-types.ts'
import { isDisk, isVital, rootAt, rootOf, type Root } from './system-paths.ts'

const LOSSES: Record<Root, string> = {
  personal: 'a folder with personal files, keys or settings',
  everything: 'everything on this computer',
  system: 'a folder that the system needs',
  home: 'a whole home folder',
}

/**
 * The reason why a parsed command line never runs, in any mode and any spelling; undefined if it may be
 * considered. `chatFolder` is protected as a whole too.
 */
export function floorRefusalOf(parsed: ParsedShell, home: string, chatFolder?: string): string | undefined {
  for (const command of parsed.commands) {
    if (chatFolder !== undefined && deletesAround(command, chatFolder))
      return 'It would delete the whole folder that this chat works in.'
    const danger = RULES.map(rule => rule(command, home)).find(found => found !== undefined)
    if (danger !== undefined) return danger
  }
  return forkBomb(parsed.commands)
}

type Rule = (command: Invocation, home: string) => string | undefined

const RULES: readonly Rule[] = [
  deletes,
  finds,
  moves,
  mirrors,
  wipes,
  overwrites,
  permissions,
  archives,
  systemDanger,
  powersOff,
  killsAll,
  ({ name, args, input }, home) =>
    codeDanger(name, args, input, home, text => floorRefusalOf(parseShell(text, home, home), home)),
]

const texts = (words: readonly Word[]) => words.map(word => word.text)

/** The operands, including everything after `--`. */
function operands(args: readonly Word[]): Word[] {
  const end = args.findIndex(word => word.text === '--')
  const before = (end < 0 ? args : args.slice(0, end)).filter(word => !/^-./.test(word.text))
  return end < 0 ? before : [...before, ...args.slice(end + 1)]
}

function hasFlag(args: readonly Word[], letters: string, ...long: readonly string[]): boolean {
  const end = args.findIndex(word => word.text === '--')
  return texts(end < 0 ? args : args.slice(0, end)).some(
    text =>
      (/^-[A-Za-z]+$/.test(text) && Array.from(text).some(letter => letters.includes(letter))) ||
      long.some(name => text.length > 4 && text.startsWith('--') && name.startsWith(text)),
  )
}

/** Say what would be lost if one of the words is a root; undefined if none is. */
function loss(words: readonly Word[], { folder }: Invocation, home: string): string | undefined {
  for (const word of words) {
    const root = rootOf(word, folder, home)
    if (root)
      return (
        LOSSES[root] +
        (word.text.includes(MARK.maybe) ? ', should the unknown part of the path be empty' : '')
      )
  }
  return undefined
}

function deletes(command: Invocation, home: string): string | undefined {
  const { name, args, program } = command
  // An unknown command name with the flags and target of `rm -rf /` counts as `rm`.
  const unknown = program !== undefined && (program.glob || /[\uE000\uE001]/.test(program.text))
  const recursive = name === 'rimraf' || hasFlag(args, 'rR', '--recursive')
  const isRunner = /^(npx|bunx|pnpx)$/.test(name) && /^(rimraf|del-cli)$/.test(operands(args)[0]?.text ?? '')
  const isTrash = /^(trash|trash-put|rmtrash)$/.test(name) || (name === 'gio' && args[0]?.text === 'trash')
  if (isRunner || isTrash) {
    const trashed = loss(operands(args), command, home)
    return trashed && `It would delete ${trashed}.`
  }
  if (!/^(rm|grm|srm|rimraf)$/.test(name) && !(unknown && recursive && hasFlag(args, 'f'))) return undefined
  const words = operands(args)
  const lost = loss(recursive ? words : words.filter(word => word.glob), command, home)
  return lost && `It would delete ${lost}.`
}

/** Whether a command deletes the folder of the chat, a folder around it, or its whole content. */
function deletesAround({ name, args, folder }: Invocation, chatFolder: string): boolean {
  const isRemoving = /^(rm|grm|srm)$/.test(name) && hasFlag(args, 'rR', '--recursive')
  const isSearching = name === 'find' && narrowingOf(args) === 'none' && texts(args).includes('-delete')
  if (!isRemoving && !isSearching) return false
  return (isSearching ? findStarts(args) : operands(args)).some(word => {
    if (/[\uE000\uE001]/.test(word.text)) return false
    const content = word.glob ? word.text.replace(/(^|\/)\*$/, '$1.') : word.text
    if (/[*?[]/.test(content) && word.glob) return false
    const target = posix.resolve('/', folder, content)
    return chatFolder === target || chatFolder.startsWith(target.endsWith('/') ? target : `${target}/`)
  })
}

const REMOVERS = new Set(['rm', 'shred', 'unlink', 'srm', 'truncate', 'dd', 'mv'])
const CHANGERS = new Set(['chmod', 'chown', 'chgrp', 'chattr', 'setfacl', 'sed', 'perl', 'sh', 'bash'])

/** Folders near the root where `find` may delete files by name, because many of them belong to users. */
const SOFT = /^\/(opt|mnt|media|srv|var\/log|usr\/local|home|Users|Applications|Volumes)$/

/** Refuse a `find` that deletes or changes its results below a root without narrowing them enough. */
function finds(command: Invocation, home: string): string | undefined {
  const { name, args, folder } = command
  if (name !== 'find') return undefined
  const words = texts(args)
  const runs = words.flatMap((word, at) =>
    /^-(exec|execdir|ok|okdir)$/.test(word) ? [posix.basename(words[at + 1] ?? '')] : [],
  )
  const isRemoving = words.includes('-delete') || runs.some(word => REMOVERS.has(word))
  const isChanging = runs.some(word => CHANGERS.has(word)) && !isGentle(words)
  if (!isRemoving && !isChanging) return undefined
  const narrowing = narrowingOf(args)
  if (narrowing === 'junk') return undefined
  const threatened = findStarts(args).filter(word => {
    const root = rootOf(word, folder, home)
    if (
      root === undefined ||
      (isChanging &&
        !isRemoving &&
        root !== 'everything' &&
        root !== 'system' &&
        !runs.some(each => /^(sed|perl|sh|bash)$/.test(each)))
    )
      return false
    if (root === 'home' || root === 'personal') return narrowing !== 'names'
    return narrowing === 'none' || !SOFT.test(posix.resolve('/', folder, word.text))
  })
  const lost = loss(threatened, command, home)
  return lost && `It would ${isRemoving ? 'delete' : 'change'} ${isRemoving ? lost : `what is in ${lost}`}.`
}

/** Whether the programs in `find` that could change files only print. */
const isGentle = (words: readonly string[]) =>
  (words.some(word => /^(sed|perl)$/.test(word)) && !words.some(word => /^-\w*i|^--in-place/.test(word))) ||
  (words.some(word => /^(sh|bash)$/.test(word)) &&
    !words.some(word => /\b(rm|mv|chmod|chown|dd|shred|truncate)\b|>/.test(word)))

function moves(command: Invocation, home: string): string | undefined {
  if (command.name !== 'mv') return undefined
  const words = operands(command.args)
  const sources = hasFlag(command.args, 't', '--target-directory') ? words : words.slice(0, -1)
  const target = words.at(-1)?.text
  const vital = sources
    .map(word => posix.resolve('/', command.folder, word.text))
    .find(path => isVital(path) || (target === '/dev/null' && SYSTEM_FOLDER.test(path)))
  if (vital !== undefined) return `It would move ${vital} away, which this computer needs.`
  // Moving a folder of documents to another disk is fine.
  const isLost = (word: Word) => target === '/dev/null' || rootOf(word, command.folder, home) !== 'personal'
  const lost = loss(sources.filter(isLost), command, home)
  return lost && `It would move ${lost} away.`
}

function mirrors(command: Invocation, home: string): string | undefined {
  if (command.name !== 'rsync' || !texts(command.args).some(text => text.startsWith('--del')))
    return undefined
  const lost = loss(operands(command.args).slice(-1), command, home)
  return lost && `It would delete what is in ${lost}.`
}

/** Refuse archivers that delete the originals, and `shred` and similar programs run on a whole folder. */
function archives(command: Invocation, home: string): string | undefined {
  const { name, args } = command
  const isMoving =
    (/^(tar|bsdtar)$/.test(name) && texts(args).includes('--remove-files')) ||
    (name === 'zip' && (hasFlag(args, 'm') || texts(args).includes('--move')))
  const isPacking = /^(gzip|bzip2|xz|zstd)$/.test(name) && hasFlag(args, 'r', '--recursive')
  // These can only destroy a folder if xargs or parallel runs them on its files.
  const isFed =
    /^(shred|unlink|truncate)$/.test(name) && command.wrappers.some(each => /^(xargs|parallel)$/.test(each))
  const lost = isMoving || isPacking || isFed ? loss(operands(args), command, home) : undefined
  return lost && `It would ${isPacking ? 'replace' : 'delete'} ${lost}.`
}

const WIPE = 'It would wipe a disk.'
const ALWAYS =
  /^(mkfs(\..+)?|mke2fs|mkswap|newfs(_\w+)?|shred|blkdiscard|pvcreate|pvremove|wipe|scrub|nwipe)$/
/** Programs that only read, unless one of these words makes them write. */
const WIPING: Readonly<Record<string, RegExp>> = {
  wipefs: /^(-\w*a\w*|--all|-o)$/,
  badblocks: /^-\w*w\w*$/,
  sgdisk: /^(-[ZzondNGg]\w*|--(zap|zap-all|clear|new|delete|largest-new|mbrtogpt).*)$/,
  parted: /^(mklabel|mktable|mkpart|rm|resizepart|rescue)$/,
  hdparm: /^--(security-erase.*|trim-sector.*|write-sector|make-bad-sector)$/,
  nvme: /^(format|sanitize|write|write-zeroes)$/,
  cryptsetup: /^(luksFormat|luksErase|erase|reencrypt)$/,
  diskutil: /^(erase\w*|zeroDisk|secureErase|partitionDisk|apfs)$/i,
}

function wipes({ name, args, folder, input }: Invocation): string | undefined {
  const words = texts(args)
  if (
    !words.some(
      word => isDisk(posix.resolve('/', folder, word)) || (name === 'diskutil' && /^disk\d/.test(word)),
    )
  )
    return undefined
  // These programs partition a disk by commands on standard input; without `-l` they do more than list.
  const scripted = /^(fdisk|sfdisk|gdisk)$/.test(name) && (input !== undefined || name === 'sfdisk')
  const looks = words.some(word => /^(-l|--list|-x|-d|--dump|-J|--json|-s|-V|--verify|-F)$/.test(word))
  const writes = Object.hasOwn(WIPING, name) && words.some(word => WIPING[name]!.test(word))
  return ALWAYS.test(name) || writes || (scripted && !looks) ? WIPE : undefined
}

/** Refuse a command that overwrites a shell history, a disk or a vital file. */
function overwrites(command: Invocation, home: string): string | undefined {
  const appended = new Set(command.redirects.flatMap(({ op, target }) => (op === '>>' ? [target] : [])))
  for (const word of writtenBy(command)) {
    const path = posix.resolve('/', command.folder, word.text)
    if (isHistory(path, home) && !appended.has(word)) return 'It would erase the history of a shell.'
    if (isDisk(path)) return WIPE
    if (path.startsWith('/proc/sysrq-trigger')) return 'It would crash or restart this computer.'
    if (isVital(path))
      return `It would overwrite ${path}, which this computer needs to start or to let people in.`
  }
  return undefined
}

function writtenBy({ name, args, redirects }: Invocation): Word[] {
  const written = redirects
    .filter(({ op }) => op.includes('>') && !op.endsWith('('))
    .map(({ target }) => target)
  const words = operands(args)
  const inPlace = texts(args).some((text, at) =>
    /^(perl|ruby)$/.test(name)
      ? /^-[a-zA-HJ-LN-Z0]*i/.test(text)
      : /^(-[nErsuz]*i|--in-place)/.test(text) || (text === 'inplace' && args[at - 1]?.text === '-i'),
  )
  if (/^(tee|truncate|shred|rm|unlink)$/.test(name)) written.push(...words)
  if (/^(sed|perl|ruby|gawk|awk)$/.test(name) && inPlace) written.push(...words)
  if (/^(cp|mv|install|ln|rsync)$/.test(name)) {
    const target = words.at(-1)
    // A file copied into a folder keeps its name.
    for (const word of words.slice(0, -1)) {
      written.push({ ...word, text: posix.join(target!.text, posix.basename(word.text)) })
    }
    if (target) written.push(target)
  }
  for (const [at, word] of args.entries()) {
    if (/^(dd|dcfldd|dc3dd)$/.test(name) && word.text.startsWith('of='))
      written.push({ ...word, text: word.text.slice(3) })
    if (
      /^(curl|wget)$/.test(name) &&
      /^(-\w*[oO]|--output|--output-document)$/.test(args[at - 1]?.text ?? '')
    )
      written.push(word)
  }
  return written.filter(word => word.text !== '')
}

function permissions(command: Invocation, home: string): string | undefined {
  const { name, args, folder } = command
  if (!/^(chmod|chown|chgrp|chattr|setfacl)$/.test(name)) return undefined
  const [first, ...rest] = operands(args)
  const isDeep = hasFlag(args, 'R', '--recursive')
  const isClosing = name === 'chmod' && /^(0*0|a?-[rwx]*x[rwx]*)$/.test(first?.text ?? '')
  for (const word of [first, ...rest]) {
    const root = word && rootOf(word, folder, home)
    if (root === undefined) continue
    const isWhole = root === 'everything' && isClosing
    const isSystem = isDeep && (root === 'everything' || root === 'system')
    const isHome = isDeep && root === 'home' && breaksHome(name, first!.text, home)
    if (isWhole || isSystem || isHome) return `It would change the permissions of ${LOSSES[root]}.`
  }
  return undefined
}

/** Whether a command gives a whole home folder another owner, or all files and folders in it one mode. */
function breaksHome(name: string, given: string, home: string): boolean {
  if (name === 'chmod')
    return /^\d+$|^(a|o|ugo)?[-+=]\w*$|^u-/.test(given) && !/^[ao]?\+[rX]+$|^o-/.test(given)
  if (name !== 'chown') return false
  const owner = given.split(/[:.]/, 1)[0]!
  return owner !== '' && owner !== posix.basename(home) && !/[\uE000\uE001]/.test(owner)
}

const SYSTEM_FOLDER = /^\/(usr\/)?(local\/)?s?bin\/[^/]+$/

function powersOff({ name, program, args }: Invocation): string | undefined {
  const path = program?.text ?? ''
  if (path.includes('/') && !SYSTEM_FOLDER.test(path)) return undefined
  const words = texts(args)
  const asks = words.some(word => /^(--help|--version|--show)$/.test(word))
  const off =
    (/^(shutdown|reboot|halt|poweroff)$/.test(name) && !words.includes('-c') && !asks) ||
    (/^(init|telinit)$/.test(name) && /^[06]$/.test(words[0] ?? '')) ||
    (/^(systemctl|loginctl)$/.test(name) &&
      words.some(word =>
        /^(poweroff|reboot|halt|kexec|emergency|rescue|soft-reboot|hibernate|hybrid-sleep|suspend-then-hibernate)(\.target)?$/.test(
          word,
        ),
      ) &&
      !words.some(word => /^(status|show|cat|help|is-active|is-enabled|list-.*)$/.test(word)))
  const message =
    /^(dbus-send|gdbus|busctl)$/.test(name) && words.some(word => /\b(PowerOff|Reboot|Halt)$/.test(word))
  return off || message ? 'It would shut down or restart this computer.' : undefined
}

function killsAll({ name, args }: Invocation): string | undefined {
  const words = texts(args)
  if (name === 'killall5') return KILLS
  if (name !== 'kill') return undefined
  // `kill -1 42` sends signal 1 to one process; `-1` as the process id means all processes.
  let targets = words
  if (/^-(s|n|-signal)$/.test(words[0] ?? '')) targets = words.slice(2)
  else if (words[0]?.startsWith('-') && words[0] !== '--') targets = words.slice(1)
  return targets.some(word => word === '-1' || word === '1') ? KILLS : undefined
}
const KILLS = 'It would end every process of this computer.'

/** Refuse a function that starts itself in the background, or twice in one pipeline. */
function forkBomb(commands: readonly Invocation[]): string | undefined {
  const found = commands.some(({ within, name, background, before }) => {
    const itself = within?.toLowerCase()
    return (
      itself !== undefined && name === itself && (background || before.some(other => other.name === itself))
    )
  })
  return found ? 'It is a fork bomb: it would start processes until the computer stops answering.' : undefined
}

/** The reason why a tool may never write this file, in any mode. */
export function floorPathRefusal(path: string, home: string = homedir()): string | undefined {
  if (isDisk(path)) return WIPE
  if (isVital(path))
    return `It would overwrite ${path}, which this computer needs to start or to let people in.`
  return rootAt(path, home) === 'everything' ? `It would change ${LOSSES.everything}.` : undefined
}

const ROOT = String.raw`["']?(?:[a-z]:[\\/]*\*?|[\\/]\*?|~|\$env:(?:userprofile|systemroot|systemdrive|homepath)|\$home|%(?:userprofile|systemroot|systemdrive|windir)%|[a-z]:[\\/](?:windows|users|program files)(?:[\\/][^\\/\s"']+)?)[\\/]?\*?["']?(?=\s|;|$)`

const TABLE: readonly [RegExp, string][] = [
  [
    new RegExp(String.raw`\b(?:remove-item|rm|ri|rd|rmdir|del|erase)\b[^;|&\n]{0,300}?\s${ROOT}`, 'i'),
    'It would delete a drive, the system or a whole home folder.',
  ],
  [
    /(?:^|[;|&\n][^\S\n]*)(?:format(?:\.com)?\s+[a-z]:|format-volume|clear-disk|diskpart|initialize-disk|cipher\s+\/w)/i,
    'It would wipe a disk.',
  ],
  [
    /(?:^|[;|&\n][^\S\n]*)(?:shutdown(?:\.exe)?\s+[/-](?:s|r|p|h|g|sg)\b|stop-computer|restart-computer|logoff)/i,
    'It would shut down or restart this computer.',
  ],
  [/%0\s*\|\s*%0/, 'It is a fork bomb: it would start processes until the computer stops answering.'],
  [
    /\b(?:bcdedit\s+\/delete|vssadmin\s+delete\s+shadows|reg\s+delete\s+["']?hk(?:lm|ey_local_machine)["']?(?:\s|$))/i,
    'It would damage what Windows needs to start or to recover.',
  ],
]

/** The hard limits on Windows: a table of patterns, because there is no parser for PowerShell here. */
export const windowsDanger = (command: string): string | undefined =>
  TABLE.find(([pattern]) => pattern.test(command))?.[1]
