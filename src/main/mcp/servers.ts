import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import type { LocalMcpServer, McpServer } from '../../shared/contract/mcp.ts'
import { fileErrorCode } from '../lib/expected-errors.ts'
import { redactText } from '../lib/redact.ts'
import { isThisComputer } from '../lib/offline.ts'

export const isLocal = (server: McpServer): server is LocalMcpServer => 'command' in server

/**
 * A hash of what the person agrees to when a server is added: what runs or is asked, without the values of variables and
 * headers, which may be renewed. Files of scripts that the command names are part of it, because they can be exchanged.
 */
export function identityOf(server: McpServer): string {
  if (!isLocal(server)) {
    const headers = Object.keys(server.headers).map(name => name.toLowerCase())
    return hashOf({ url: server.url, headers: headers.toSorted() })
  }
  const { command, args, cwd = null, env, network } = server
  const files = namedFiles(server).map(path => [path, hashOfFile(path)])
  return hashOf({ command, args, cwd, network, env: Object.keys(env).toSorted(), files })
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

/** Programs that get their code from a file that an argument names. */
const RUNNERS = /^(?:node|nodejs|bun|deno|python[\d.]*|ruby|perl|php|sh|bash|zsh|java)$/i
const CODE = /\.(?:[cm]?[jt]s|py|rb|pl|php|sh|jar)$/i
/** Files of code are far smaller; a larger one is told apart by its size. */
const MOST_HASHED = 20_000_000

function namedFiles({ command, args, cwd = '/' }: LocalMcpServer): string[] {
  const scripts = RUNNERS.test(programOf(command)) ? args.filter(arg => CODE.test(arg)) : []
  return [...(isAbsolute(command) ? [command] : []), ...scripts].map(path => resolve(cwd, path))
}

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

const programOf = (command: string): string =>
  command.replace(/^.*[/\\]/, '').replace(/\.(?:exe|cmd|bat)$/i, '')

/** Programs that download what they run. */
const LOADERS = new Set(['npx', 'bunx', 'pnpx', 'uvx', 'pipx'])
/** An exact version, as npm and Python packages name it. */
const EXACT = /(?:@|==)\d+\.\d+\.\d+[\w.+-]*$/

/** Whether the command fetches its program when it starts. */
export const downloadsItself = (server: McpServer): boolean =>
  isLocal(server) && LOADERS.has(programOf(server.command))

/** What a person should know of a server before it is added; empty if there is nothing to say. */
export function warningsOf(server: McpServer): string[] {
  if (!isLocal(server)) {
    const { protocol, hostname } = new URL(server.url)
    return protocol === 'http:' && !isThisComputer(hostname)
      ? ['The address is not encrypted: others in the network can read and change what is sent.']
      : []
  }
  const program = programOf(server.command)
  const warnings: string[] = []
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
  if (!isLocal(server)) {
    const headers = Object.keys(server.headers).map(name => `${name}: …`)
    return [redactText(server.url), ...headers].join('\n')
  }
  const { command, args, env, cwd } = server
  const parts = [
    ...Object.keys(env).map(name => `${name}=…`),
    ...[command, ...args].map(part => (/^[\w@%+=:,./-]+$/.test(part) ? part : JSON.stringify(part))),
  ]
  return redactText(parts.join(' ')) + (cwd === undefined ? '' : `\nin ${cwd}`)
}
