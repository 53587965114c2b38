import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import {
  CODE_HASH,
  keysIn,
  VARIABLE,
  type LocalMcpServer,
  type McpServer,
} from '../../../shared/contract/connections/mcp.ts'
import { fileErrorCode } from '../../lib/expected-errors.ts'
import { redactText } from '../../untrusted/redact.ts'
import { hashOf } from '../../lib/shown-hash.ts'
import { namedPackage } from './named-package.ts'
import { CODE_VARIABLE, namedCode, PLAIN_VARIABLE, programOf } from './named-places.ts'
import { isThisComputer } from '../../lib/network/offline.ts'

/** A server, and the folder of the project if its `.mcp.json` names the server. */
export type KnownServer = McpServer & { project?: string }

/** A program on this computer, and the folder of the project if that names it. */
export type KnownLocal = LocalMcpServer & { project?: string }

export const isLocal = <Server extends McpServer>(server: Server): server is Server & LocalMcpServer =>
  'command' in server

/**
 * Hash what the user agrees to when a server is added: its command or address, without the values of
 * variables and headers, which may be renewed, except for those of a project. Includes the script files that
 * the command names, because they can be exchanged, and the `places` where it may write, because a link or a
 * key may lead elsewhere.
 */
export function identityOf(given: KnownServer, places: readonly string[] = []): string {
  const { project, ...server } = given
  // Users write their own entries, but for a project's entry every letter counts.
  if (project !== undefined) {
    const said = isLocal(server)
      ? [server.command, server.args, server.cwd, server.env]
      : [server.url, server.headers]
    return hashOf({ project, said, about: server.description, own: identityOf(server, places) })
  }
  if (!isLocal(server)) {
    const headers = Object.keys(server.headers).map(name => name.toLowerCase())
    return hashOf({ url: server.url, headers: headers.toSorted(), keys: keysIn(server) })
  }
  const { command, args, cwd = null, env, network } = server
  const files = namedCode(server).map(path => [path, hashOfFile(path)])
  const code = Object.entries(env).filter(([name]) => CODE_VARIABLE.test(name))
  const names = Object.keys(env).toSorted()
  const writes = places.length > 0 ? { writes: places } : {}
  return hashOf({ command, args, cwd, network, env: names, keys: keysIn(server), code, files, ...writes })
}

/** The prefix of key names for secrets taken from a server's entry. */
export const ownKeyPrefix = (name: string): string => `${name.toUpperCase().replaceAll(/\W/g, '_')}_`

/** Names of variables, headers and flags whose values are secrets, even if they do not look so. */
const SECRET_NAME = /key|token|secret|passw|auth|credential|cookie/i
/** Flags whose value is a secret, but not those that name a file or a user. */
const SECRET_FLAG = /^--?(?:[\w-]*-)?(?:key|token|secret|password|passwd|auth|credentials?|bearer|apikey)$/i

/** Whether the value of a variable or header is a secret. A `${NAME}` only refers to one. */
export const isSecretValue = (name: string, value: string): boolean =>
  value !== '' && !value.includes('${') && (SECRET_NAME.test(name) || redactText(value) !== value)

/** The part of an argument that is a secret; undefined if there is none. */
export function secretInArgument(args: readonly string[], at: number): string | undefined {
  const arg = args[at]!
  if (arg === '' || arg.includes('${')) return undefined
  const { flag = '', value = '' } = /^(?<flag>-[\w-]+)=(?<value>[^]+)$/.exec(arg)?.groups ?? {}
  if (value !== '' && SECRET_FLAG.test(flag)) return value
  if (!arg.startsWith('-') && SECRET_FLAG.test(args[at - 1] ?? '')) return arg
  return redactText(arg) === arg ? undefined : arg
}

/** Replace each secret in an address: passwords, query values, and path segments that look like keys. */
export function replaceInAddress(url: string, replace: (secret: string, name: string) => string): string {
  const { groups } = ADDRESS.exec(url) ?? {}
  // The address begins with a variable.
  if (!groups) return url
  const { start = '', user, path = '', query = '' } = groups
  const isPlain = (text: string) => text === '' || text.includes('${')
  const [name = '', ...rest] = user?.split(':') ?? []
  const password = rest.join(':')
  // A user name without a password is a token.
  const account = rest.length === 0 ? replaced(name, 'user') : `${name}:${replaced(password, 'password')}`
  function replaced(secret: string, as: string): string {
    return isPlain(secret) ? secret : replace(secret, as)
  }
  const parts = path.split('/').map(part => (redactText(part) === part ? part : replaced(part, 'path')))
  const values = query.split(/(?<=[?&])|(?=&)/).map(pair => {
    const at = pair.indexOf('=') + 1
    const [key, value] = [pair.slice(0, Math.max(0, at - 1)), pair.slice(at)]
    return at > 0 && isSecretValue(key, value) ? `${key}=${replace(value, key)}` : pair
  })
  return start + (user === undefined ? '' : `${account}@`) + parts.join('/') + values.join('')
}

/** Encode a key for an address. A key that is already encoded stays unchanged. */
export const forAddress = (key: string): string =>
  key.toWellFormed().replaceAll(/[^\w.~!$'()*+,;=%-]/gu, encodeURIComponent)

/** The parts of an address. The part after `#` is not sent. */
const ADDRESS = /^(?<start>https?:\/\/)(?:(?<user>[^/?#]*)@)?(?<path>[^?#]*)(?<query>\?[^#]*)?/i

/** Maximum size of a script to hash; a larger one counts by its size. */
const MOST_HASHED = 20_000_000

function hashOfFile(path: string): string {
  try {
    const { size } = statSync(path)
    return size > MOST_HASHED
      ? `${size} bytes`
      : createHash('sha256').update(readFileSync(path)).digest('hex')
  } catch (error) {
    return fileErrorCode(error)
  }
}

/** Programs that download what they run. */
const LOADERS = new Set(['npx', 'bunx', 'pnpx', 'uvx', 'pipx'])
/** An exact version at the end of a word. */
const ENDS_EXACT = /(?:@|==)\d+\.\d+\.\d+[\w.+-]*$/

/** Whether the command downloads its program at each start. */
export const downloadsItself = (server: McpServer): boolean =>
  isLocal(server) && LOADERS.has(programOf(server.command))

/** Variables that are not the server's own: other keys, and facts such as the home folder. */
function namesIn(server: McpServer): { foreign: string[]; plain: string[] } {
  const names = keysIn(server).filter(name => !name.startsWith(ownKeyPrefix(server.name)))
  const isPlain = (name: string) => PLAIN_VARIABLE.test(name)
  return { foreign: names.filter(name => !isPlain(name)), plain: names.filter(isPlain) }
}

/** Warnings for the user about a server before it is added; empty if there are none. */
export function warningsOf(server: McpServer): string[] {
  const { foreign, plain } = namesIn(server)
  const withoutDefault = new Set(keysIn(server, true))
  const needed = foreign.filter(name => withoutDefault.has(name))
  const optional = foreign.filter(name => !withoutDefault.has(name))
  const warnings = [
    ...(needed.length === 0 ? [] : [`It gets ${needed.join(' and ')} from your keys.`]),
    ...(optional.length === 0
      ? []
      : [`It gets ${optional.join(' and ')} from your keys if they are stored, otherwise from its entry.`]),
    ...(plain.length === 0 ? [] : [`It gets ${plain.join(' and ')} of this computer.`]),
  ]
  if (!isLocal(server)) {
    const address = URL.parse(withDefaults(server.url))
    return address?.protocol === 'http:' && !isThisComputer(address.hostname)
      ? [...warnings, 'The address is not encrypted: others on the network can read and change what is sent.']
      : warnings
  }
  const program = programOf(server.command)
  if (/^(?:sudo|doas)$/.test(program)) warnings.push('It runs with administrator rights.')
  if (/^(?:(?:ba|z|da|fi)?sh|cmd|powershell|pwsh)$/.test(program))
    warnings.push('It starts a shell, which can run any program.')
  if (LOADERS.has(program)) {
    warnings.push('It downloads its program when it starts.')
    const named = namedPackage(server)
    const wanted = named?.spec ?? server.args.find(arg => !arg.startsWith('-') && arg !== 'run')
    if (wanted !== undefined && !(named ? named.isExact : ENDS_EXACT.test(wanted)))
      warnings.push(
        `Its command names no exact version of ${wanted}, so a different program may run tomorrow.`,
      )
  }
  return warnings
}

/** Fill an address with the defaults of its variables; a variable without one becomes a placeholder. */
export const withDefaults = (url: string): string =>
  url.replaceAll(
    VARIABLE,
    (_all, _name, otherwise: string | undefined, at: number) =>
      otherwise ?? (at === 0 ? 'https://variable' : 'variable'),
  )

/** The whole command or address for the user, with secrets redacted. */
export function shownServer(server: McpServer): string {
  if (!isLocal(server)) return [shownAddress(server.url), ...shownValues(server.headers, ': ')].join('\n')
  const { command, env, cwd } = server
  const parts = [...shownValues(env, '='), quoted(command), shownArguments(server)].filter(
    part => part !== '',
  )
  return redactText(parts.join(' ')) + (cwd === undefined ? '' : `\nin ${cwd}`)
}

const quoted = (part: string) => (/^[\w@%+=:,./${}…-]+$/.test(part) ? part : JSON.stringify(part))

/** Redact defaults of variables, which may be secrets too. */
const blackened = (name: string, text: string) =>
  text.replaceAll(VARIABLE, (all, key: string, value = '') =>
    isSecretValue(name, value) || isSecretValue(key, value) ? `\${${key}:-…}` : all,
  )

const shownAddress = (url: string) =>
  redactText(
    blackened(
      '',
      replaceInAddress(url, () => '…'),
    ),
  )

function shownArguments({ args }: LocalMcpServer): string {
  const shown = args.map((arg, at) => {
    const secret = secretInArgument(args, at)
    return quoted(secret === undefined ? blackened(args[at - 1] ?? '', arg) : arg.replace(secret, () => '…'))
  })
  return shown.join(' ')
}

/** Variables or headers with their values; those of variables are quoted as on a command line. */
const shownValues = (values: Readonly<Record<string, string>>, between: '=' | ': '): string[] =>
  Object.entries(values).map(([name, value]) => {
    const shown = isSecretValue(name, value) ? '…' : blackened(name, value)
    return `${name}${between}${between === '=' ? quoted(shown) : shown}`
  })

/** Describe the parts of a server's identity, to report later what changed. Secrets are redacted. */
export function partsOf(
  { project, ...server }: KnownServer,
  places: readonly string[] = [],
): Record<string, string> {
  const { foreign, plain } = namesIn(server)
  const keys = { Keys: foreign.join(', '), ...(plain.length > 0 && { Told: plain.join(', ') }) }
  const about = project === undefined ? {} : { About: server.description ?? '' }
  // For a project's entry, every letter counts.
  const values = (given: Record<string, string>, between: '=' | ': ') =>
    (project === undefined ? Object.keys(given).toSorted() : shownValues(given, between)).join(', ')
  if (!isLocal(server))
    return { Address: shownAddress(server.url), Headers: values(server.headers, ': '), ...keys, ...about }
  const { command, env, cwd, network } = server
  const code = Object.entries(env).filter(([name]) => CODE_VARIABLE.test(name))
  return {
    Command: redactText(command),
    Arguments: redactText(shownArguments(server)),
    Folder: cwd ?? 'one of its own',
    Network: network ? 'yes' : 'no',
    ...(places.length > 0 && { 'Writes in': places.join(', ') }),
    Variables: redactText(values(env, '=')),
    ...(project === undefined &&
      Object.fromEntries(code.map(([name, value]) => [`Value of ${name}`, redactText(value)]))),
    ...keys,
    ...about,
    ...Object.fromEntries(namedCode(server).map(path => [CODE_HASH + path, hashOfFile(path)])),
  }
}
