import { posix } from 'node:path'
import type { Invocation } from '../shell-types.ts'

const HISTORY = /^\.(\w+_history|zhistory|history)$/
const ESSENTIAL =
  /^(\*|libc6|libc-bin|glibc|musl|coreutils|bash|dash|dpkg|apt|rpm|pacman|systemd|systemd-sysv|sudo|init|sysvinit|util-linux|base-files|base|filesystem|login|passwd|mount|linux-image.*|linux|kernel.*|grub.*|openssh-server)$/
const PACKAGERS = /^(apt|apt-get|aptitude|dpkg|rpm|yum|dnf|zypper|apk|pacman)$/
const REMOVES = /^(remove|purge|autoremove|erase|del|-e|-r|-P|-R\w*|--remove|--purge|--erase)$/

/** Refuse dangers of `sudo`, and of programs for accounts, packages, mounts, volumes, processes and cron. */
export function systemDanger(command: Invocation, home: string): string | undefined {
  const { name, args } = command
  const words = args.map(word => word.text)
  if (typesPassword(command))
    return 'It would give sudo a password in place of the person. Let the person run it in a terminal.'
  const operands = words.filter(word => !word.startsWith('-'))
  if (words.some(word => /^--(help|version)$/.test(word))) return undefined
  const own = posix.basename(home)
  switch (name) {
    case 'crontab':
      return words.some(word => /^-\w*r/.test(word)) ? 'It would delete all jobs of a schedule.' : undefined
    case 'userdel':
    case 'deluser': {
      const isLost = words.some(word => /^(-\w*[rf]\w*|--remove.*|--force)$/.test(word))
      return isLost || operands.some(word => word === 'root' || word === own)
        ? 'It would delete an account with its files.'
        : undefined
    }
    case 'passwd':
    case 'usermod':
      return words.some(word => /^(-[dlL]|--delete|--lock)$/.test(word)) && operands.at(-1) === 'root'
        ? 'It would change who may administer this computer.'
        : undefined
    case 'umount':
      return words.some(word => /^(-\w*a\w*|--all)$/.test(word)) || operands.includes('/')
        ? 'It would take away the file systems that this computer runs on.'
        : undefined
    case 'mount':
      return operands.includes('/') && words.some(word => /remount.*\bro\b|\bro\b.*remount/.test(word))
        ? 'It would make the whole system read-only.'
        : undefined
    case 'zpool':
    case 'zfs':
      return operands[0] === 'destroy' ? VOLUME : undefined
    case 'vgremove':
    case 'lvremove':
      return VOLUME
    case 'mdadm':
      return words.includes('--zero-superblock') ? VOLUME : undefined
    case 'dmsetup':
      return operands[0] === 'remove_all' ? VOLUME : undefined
    case 'pkill':
    case 'killall':
      return endsAll(words, own) ? 'It would end every process of a user.' : undefined
    default:
      break
  }
  const removes = PACKAGERS.test(name) && words.some(word => REMOVES.test(word))
  return removes && operands.some(word => ESSENTIAL.test(word))
    ? 'It would remove what this computer needs to start or to work.'
    : undefined
}

const VOLUME = 'It would destroy a volume with everything on it.'

/** Whether `pkill` or `killall` ends everything: by a pattern that matches all, or a user without one. */
function endsAll(words: readonly string[], own: string): boolean {
  const isUser = (word: string) => word === 'root' || word === own || word.startsWith('\uE000')
  const user = words.findIndex(
    (word, at) => /^(-[uU]|--user|--euid|--uid)$/.test(words[at - 1] ?? '') && isUser(word),
  )
  const valued = new Set(
    words.flatMap((word, at) => (/^-[uUsgGtPF]$|^--(user|euid|uid|signal)$/.test(word) ? [at + 1] : [])),
  )
  const patterns = words.filter((word, at) => !word.startsWith('-') && !valued.has(at))
  if (patterns.length === 0) return user >= 0
  return patterns.some(word => /^[.^$*+?\\]*$/.test(word))
}

/** Whether `sudo -S` reads the password from its input: a way to guess passwords or use found ones. */
const typesPassword = ({ name, args, wrappers, wrapperFlags }: Invocation): boolean => {
  const flags = [...(name === 'sudo' ? args : []), ...(wrappers.includes('sudo') ? wrapperFlags : [])]
  // A letter that takes a value ends the cluster: `-uS` names the user S.
  return flags.some(({ text }) => /^(?:-[^-CghpRrtTuUD]*S|--st(?:d|di|din)?$)/.test(text))
}

/** Whether a path is the history of a shell in a home folder. */
export const isHistory = (path: string, home: string): boolean =>
  posix.dirname(path) === posix.resolve('/', home) && HISTORY.test(posix.basename(path))
