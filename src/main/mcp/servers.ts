import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { keysIn, type LocalMcpServer, type McpServer } from '../../shared/contract/mcp.ts'
import { fileErrorCode } from '../lib/expected-errors.ts'
import { redactText } from '../lib/redact.ts'
import { namedCode, programOf } from './named-places.ts'
import { isThisComputer } from '../lib/offline.ts'

export const isLocal = (server: McpServer): server is LocalMcpServer => 'command' in server

/**
 * A hash of what the person agrees to when a server is added: what runs or is asked, without the values of variables and
 * headers, which may be renewed. Files of scripts that the command names are part of it, because they can be exchanged.
 */
export function identityOf(server: McpServer): string {
  if (!isLocal(server)) {
    const headers = Object.keys(server.headers).map(name => name.toLowerCase())
    return hashOf({ url: server.url, headers: headers.toSorted(), keys: keysIn(server) })
  }
  const { command, args, cwd = null, env, network } = server
  const files = namedCode(server).map(path => [path, hashOfFile(path)])
  const code = Object.entries(env).filter(([name]) => CODE_VARIABLE.test(name))
  const names = Object.keys(env).toSorted()
  return hashOf({ command, args, cwd, network, env: names, keys: keysIn(server), code, files })
}

/** Variables whose values decide which code a program runs; their values are part of what was agreed to. */
const CODE_VARIABLE =
  /^(?:PATH|NODE_(?:OPTIONS|PATH)|LD_\w+|DYLD_\w+|PYTHON(?:PATH|STARTUP|HOME)|PERL5(?:LIB|OPT)|RUBY(?:LIB|OPT)|BASH_ENV|ENV|(?:\w+_)?JAVA_OPTIONS|JAVA_TOOL_OPTIONS|CLASSPATH)$/i

/** What the names of the keys begin with that were taken out of a server. */
export const ownKeyPrefix = (name: string): string => `${name.toUpperCase().replaceAll(/\W/g, '_')}_`

/** Names of variables, headers and flags whose values are secrets, even if they do not look so. */
const SECRET_NAME = /key|token|secret|passw|auth|credential|cookie/i
/** Such a flag, unless it names a file or says who somebody is. */
const SECRET_FLAG = /^--?(?:[\w-]*-)?(?:key|token|secret|password|passwd|auth|credentials?|bearer|apikey)$/i

/** Whether the value of a variable or header is a secret. A `${NAME}` refers to one and is not one itself. */
export const isSecretValue = (name: string, value: string): boolean =>
  value !== '' && !value.includes('${') && (SECRET_NAME.test(name) || redactText(value) !== value)

/** The part of an argument that is a secret; undefined if none is. */
export function secretInArgument(args: readonly string[], at: number): string | undefined {
  const arg = args[at]!
  if (arg === '' || arg.includes('${')) return undefined
  const { flag = '', value = '' } = /^(?<flag>-[\w-]+)=(?<value>[^]+)$/.exec(arg)?.groups ?? {}
  if (value !== '' && SECRET_FLAG.test(flag)) return value
  if (!arg.startsWith('-') && SECRET_FLAG.test(args[at - 1] ?? '')) return arg
  return redactText(arg) === arg ? undefined : arg
}

/** SHA-256 of a value as JSON with the keys of its objects in order, in hex. */
export const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(inOrder(value)))
    .digest('hex')

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, inOrder(item)]),
  )
}

/** Files of code are far smaller; a larger one is known by its size. */
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
/** An exact version, as npm and Python packages name it. */
const EXACT = /(?:@|==)\d+\.\d+\.\d+[\w.+-]*$/

/** Whether the command fetches its program when it starts. */
export const downloadsItself = (server: McpServer): boolean =>
  isLocal(server) && LOADERS.has(programOf(server.command))

/** What a person should know of a server before it is added; empty if there is nothing to say. */
export function warningsOf(server: McpServer): string[] {
  const foreign = keysIn(server).filter(name => !name.startsWith(ownKeyPrefix(server.name)))
  const warnings = foreign.length === 0 ? [] : [`It gets ${foreign.join(' and ')} from your keys.`]
  if (!isLocal(server)) {
    const { protocol, hostname } = new URL(server.url)
    return protocol === 'http:' && !isThisComputer(hostname)
      ? [...warnings, 'The address is not encrypted: others in the network can read and change what is sent.']
      : warnings
  }
  const program = programOf(server.command)
  if (/^(?:sudo|doas)$/.test(program)) warnings.push('It runs with the rights of the administrator.')
  if (/^(?:(?:ba|z|da|fi)?sh|cmd|powershell|pwsh)$/.test(program))
    warnings.push('It starts a shell, which can run any program.')
  if (LOADERS.has(program)) {
    warnings.push('It downloads its program when it starts.')
    const wanted = server.args.find(arg => !arg.startsWith('-') && arg !== 'run')
    if (wanted !== undefined && !EXACT.test(wanted))
      warnings.push(`No exact version of ${wanted} is named, so another program may run tomorrow.`)
  }
  return warnings
}

/** The command or the address as a person reads it, whole, with secrets blackened. */
export function shownServer(server: McpServer): string {
  const shownValue = (name: string, value: string) => (isSecretValue(name, value) ? '…' : value)
  if (!isLocal(server)) {
    const headers = Object.entries(server.headers).map(
      ([name, value]) => `${name}: ${shownValue(name, value)}`,
    )
    return [redactText(server.url), ...headers].join('\n')
  }
  const { command, args, env, cwd } = server
  const quoted = (part: string) => (/^[\w@%+=:,./${}…-]+$/.test(part) ? part : JSON.stringify(part))
  const shownArgs = args.map((arg, at) => {
    const secret = secretInArgument(args, at)
    return secret === undefined ? arg : arg.replace(secret, () => '…')
  })
  const parts = [
    ...Object.entries(env).map(([name, value]) => `${name}=${quoted(shownValue(name, value))}`),
    ...[command, ...shownArgs].map(quoted),
  ]
  return redactText(parts.join(' ')) + (cwd === undefined ? '' : `\nin ${cwd}`)
}
