import { posix } from 'node:path'
import { baseName, type Invocation, type ParsedShell, type Word } from '../shell-types.ts'

/** Commands of our own terminal that change what agents may do, what they are given, or who decides. */
const ADMINISTRATIVE = new Set(
  `api gateway permissions tools mcp connect projects project address config data purge keys key network setup models skills learning learn servers server schedules schedule people person
  users user approvals sandbox`.split(/\s+/),
)
/** Programs that start our terminal if one of their arguments names it. */
const LAUNCHERS = /^(node|nodejs|bun|bunx|deno|tsx|ts-node|electron|npm|npx|pnpm|pnpx|yarn|yarnpkg|corepack)$/
/** The name of our terminal, or a path of its files. */
const OURS =
  /(^|[\\/])talaria(\.(cmd|exe|ps1|mjs|js))?$|^talaria@|(^|[\\/])main[\\/]cli(\.[cm]?[jt]s|[\\/]index\.[cm]?[jt]s|[\\/]?)$|^cli\.[cm]?js$/i

const REFUSED =
  'It would use Talaria’s own terminal to change what Talaria may do. Only the user does that, in the window or a terminal.'

/**
 * The refusal of a command that administers Talaria itself, however it is started, because an agent must not
 * widen its own rights. Undefined for all other commands.
 */
export function ownTerminalRefusal(parsed: ParsedShell): string | undefined {
  return parsed.commands.some(administers) ? REFUSED : undefined
}

function administers({ name, program, args }: Invocation): boolean {
  const words = args.map(word => word.text)
  const isOurs = OURS.test(program?.text ?? '')
  if (!isOurs && !LAUNCHERS.test(withoutSuffix(name))) return false
  if (isOurs) return isAdministrative(words)
  return words.some((word, at) => OURS.test(word) && isAdministrative(words.slice(at + 1)))
}

const withoutSuffix = (name: string) => name.replace(/\.(exe|cmd|ps1)$/, '')

/** Whether the words after our terminal's name administer Talaria. An unknown word may be any command. */
function isAdministrative(words: readonly string[]): boolean {
  // The folder after `--home` may come before the command.
  const plain = words.filter((word, at) => !word.startsWith('-') && words[at - 1] !== '--home')
  if (plain.slice(0, 2).some(word => ADMINISTRATIVE.has(word.toLowerCase()) || /[\uE000-\uE008]/.test(word)))
    return true
  // Starting another agent with more rights would get around the rights of this one.
  return words.some((word, at) => {
    const mode = word.startsWith('--approve=')
      ? word.slice(10)
      : word === '--approve'
        ? words[at + 1]
        : 'none'
    return mode !== 'none'
  })
}

/** The same check for PowerShell, by words, because there is no parser for it. */
export const windowsOwnTerminal = (command: string): string | undefined =>
  new RegExp(
    `talaria\\S*["']?\\s[^;|&\\n]{0,200}?\\b(${[...ADMINISTRATIVE].join('|')}|--approve)\\b`,
    'i',
  ).test(command)
    ? REFUSED
    : undefined

/** Files in Talaria's home that contain its rights, keys and chats, and the socket of the host. */
const OWN_FILE =
  /^(config\.yaml|\.env|keys\.json|page-entry[^/]*|permissions\.json|state\.db|host\.sock|backups|window|connect|inbox)([-./~]|$)/i
const OWN_NAMES = [
  'config.yaml',
  '.env',
  'keys.json',
  'page-entry',
  'permissions.json',
  'state.db',
  'host.sock',
]
/** Programs that work on a whole folder. */
const TAKES_ALL = /^(cp|mv|rm|tar|zip|rsync|scp|grep|rg|find|chmod|chown|shred|7z|cpio|ln|install)$/

/**
 * The refusal of a command that names one of Talaria's own files; undefined if it names none. Catches only
 * plain names: files that a program opens by itself are protected by confinement.
 */
export function ownFileRefusal(parsed: ParsedShell, home: string | undefined): string | undefined {
  if (home === undefined) return undefined
  for (const command of parsed.commands) {
    const { args, redirects, program } = command
    const words = [...(program ? [program] : []), ...args, ...redirects.map(({ target }) => target)]
    const named = words.map(word => ownFileIn(word, command, home)).find(found => found !== undefined)
    if (named !== undefined) return `${named} belongs to Talaria itself. Only the user changes it.`
  }
  return undefined
}

function ownFileIn(word: Word, { folder, name }: Invocation, home: string): string | undefined {
  const text = word.text.replaceAll('\uE000', '')
  // Code for an interpreter, and values such as `of=PATH`.
  const inside = OWN_NAMES.find(each => text.includes(`${home}/${each}`))
  if (inside !== undefined) return inside
  const path = posix.resolve('/', folder, text)
  const way = posix.relative(home, path)
  if (way === '') return TAKES_ALL.test(name) && text !== '' ? baseName(home) : undefined
  if (way === '..' || way.startsWith('../')) return undefined
  if (OWN_FILE.test(way)) return baseName(path)
  // A wildcard directly in the home folder may match any of these files.
  return word.glob && !way.includes('/') ? way.replace(/[\uE000-\uE008]/g, '*') : undefined
}
