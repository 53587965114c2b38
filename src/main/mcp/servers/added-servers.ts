import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { keysIn, McpServer, VARIABLE } from '../../../shared/contract/connections/mcp.ts'
import { parseJson, type Refusal } from '../../lib/expected-errors.ts'
import { depthOf, DEEPEST_SCHEMA } from '../../json-schema/judge-schema.ts'
import { isRecord } from '../../lib/json-fields.ts'
import { PLAIN_VARIABLE } from './named-places.ts'
import {
  isLocal,
  isSecretValue,
  ownKeyPrefix,
  replaceInAddress,
  secretInArgument,
  withDefaults,
} from './known-servers.ts'

/**
 * Replace the secrets of a server by `${NAME}`. Also returns the secrets by the names under which the vault
 * stores them. `taken` are the names that other servers use.
 */
export function takeSecrets(
  server: McpServer,
  taken: readonly string[] = [],
): { server: McpServer; secrets: Map<string, string> } {
  const secrets = new Map<string, string>()
  const used = new Set([...taken, ...keysIn(server)])
  function keep(value: string, name: string): string {
    const wanted = ownKeyPrefix(server.name) + name.toUpperCase().replaceAll(/\W/g, '_')
    let called = wanted
    for (let number = 2; used.has(called); number++) called = `${wanted}_${number}`
    used.add(called)
    secrets.set(called, value)
    return `\${${called}}`
  }
  const valuesOf = (values: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        isSecretValue(name, value) ? keep(value, name) : value,
      ]),
    )
  if (!isLocal(server)) {
    const url = replaceInAddress(server.url, (secret, name) => keep(secret, `address_${name}`))
    return { server: { ...server, url, headers: valuesOf(server.headers) }, secrets }
  }
  const env = valuesOf(server.env)
  const args = server.args.map((arg, at) => {
    const secret = secretInArgument(server.args, at)
    return secret === undefined ? arg : arg.replace(secret, () => keep(secret, `argument_${at}`))
  })
  return { server: { ...server, env, args }, secrets }
}

/** Secrets to redact in a server's output: the keys that it gets, and secrets in its own entry. */
export function secretValues(server: McpServer, keyOf: (name: string) => string | undefined): string[] {
  const keys = keysIn(server).flatMap(name => {
    const value = keyOf(name) ?? ''
    return PLAIN_VARIABLE.test(name) || (isAbsolute(value) && existsSync(value)) ? [] : [value]
  })
  const values = isLocal(server)
    ? [...Object.entries(server.env), ['', server.args.join(' ')]]
    : Object.entries(server.headers)
  const defaults = values.flatMap(([outer = '', text = '']) =>
    [...text.matchAll(VARIABLE)].flatMap(({ groups: { name = '', otherwise = '' } = {} }) =>
      isSecretValue(outer, otherwise) || isSecretValue(name, otherwise) ? [otherwise] : [],
    ),
  )
  return [...keys, ...defaults, ...takeSecrets(server).secrets.values()].filter(value => value !== '')
}

/** A server found in a pasted text, or why it cannot be used. */
export type PastedServer = { name: string; server: McpServer } | { name: string; problem: string }

/**
 * Read the servers in the JSON that makers of servers print: `mcpServers` or `servers` with entries by name,
 * just the entries, or a single one. Comments, trailing commas and fields of other programs are ignored. The
 * file of a project may have no servers, and variables in its addresses.
 */
export function readPasted(text: string, { isProject = false } = {}): PastedServer[] | Refusal {
  const plain = withoutComments(text).trim()
  const given = parseJson(plain.replace(/^"[^"]+"\s*:[^]*$/, '{$&}'))
  if (!isRecord(given)) return { refused: whyNoJson(plain) }
  if (depthOf(given, 0) > DEEPEST_SCHEMA)
    return { refused: `This JSON is nested deeper than ${DEEPEST_SCHEMA} levels.` }
  const entries =
    given['mcpServers'] ??
    given['servers'] ??
    ('command' in given || 'url' in given ? { [nameFor(given)]: given } : given)
  if (isProject && isRecord(entries) && Object.keys(entries).length === 0) return []
  if (!isRecord(entries) || Object.keys(entries).length === 0)
    return { refused: 'There is no server in this text.' }
  return Object.entries(entries).map(([given, entry]) => {
    const name = nameFrom(given)
    if (/\p{C}/u.test(given)) return { name: given, problem: 'Its name has invisible characters.' }
    if (!isRecord(entry)) return { name: given, problem: 'It is not an object.' }
    const { command, args, env, cwd, url, headers, description } = withKeyNames(entry)
    const about = typeof description === 'string' ? { description: description.slice(0, 120) } : {}
    const address = isProject && typeof url === 'string' ? withDefaults(url) : url
    const wanted = command === undefined ? { url: address, headers } : { command, args, env, cwd }
    const read = McpServer.safeParse({ name, ...about, ...wanted })
    if (!read.success) return { name: given, problem: problemOf({ ...entry, url: address }) }
    const server = isLocal(read.data) ? read.data : { ...read.data, url: String(url) }
    return { name, server }
  })
}

/** Make a valid server name from a given one. */
export const nameFrom = (given: string): string =>
  given
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 32)

/** Match a quoted text or a comment, and a quoted text or a trailing comma. Both take linear time. */
const COMMENTS = /"(?:\\.|[^"\\])*"?|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g
const LAST_COMMAS = /"(?:\\.|[^"\\])*"?|,(?=\s*[}\]])/g

const withoutComments = (text: string): string =>
  [COMMENTS, LAST_COMMAS].reduce(
    (left, tokens) => left.replaceAll(tokens, token => (token.startsWith('"') ? token : ' ')),
    text,
  )

function whyNoJson(text: string): string {
  if (!/^[{"]/.test(text))
    return 'This is not a JSON object. Paste everything from { to }, with the braces, or fill in the form for a program.'
  try {
    JSON.parse(text)
    return 'This is not a JSON object. Paste everything from { to }, with the braces.'
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const at = /\(?line (\d+) column (\d+)\)?/.exec(error.message)
    const where = at ? ` It is in line ${at[1]}, at character ${at[2]}.` : ' The end is missing.'
    return `This JSON has a mistake.${where} Look for a missing comma, quote or brace there.`
  }
}

/** Turn `${input:NAME}` or `${env:NAME}` of other programs into a key of that name. */
const withKeyNames = (entry: Record<string, unknown>): Record<string, unknown> =>
  parseJson(
    JSON.stringify(entry).replaceAll(
      /\$\{(?:input|env):([\w-]+)\}/g,
      (_all, name: string) => `\${${name.replaceAll('-', '_')}}`,
    ),
  ) as Record<string, unknown>

/** Maximum length of a package name. */
const LONGEST_NAME = 300

/** The last part of what a single server runs or calls, such as `server-files`. */
function nameFor({ name, command, args, url }: Record<string, unknown>): string {
  if (typeof name === 'string') return name
  if (typeof url === 'string') return URL.parse(url)?.hostname.split('.').at(-2) ?? 'server'
  const words = [command, ...(Array.isArray(args) ? args : [])].filter(word => typeof word === 'string')
  const own = words
    .map(word => /([A-Za-z][\w-]+)(?:@[\w.^~-]+)?$/.exec(word.slice(-LONGEST_NAME))?.[1])
    .find(word => word?.startsWith('server-') || word?.includes('mcp'))
  return own ?? 'server'
}

function problemOf({ command, args, url, env, headers }: Record<string, unknown>): string {
  if (command === undefined && url === undefined) return 'It has neither a command nor an address (url).'
  if (command !== undefined && typeof command !== 'string') return 'Its command is not text.'
  if (args !== undefined && !(Array.isArray(args) && args.every(arg => typeof arg === 'string')))
    return 'Its arguments (args) are not a list of strings.'
  if (command === undefined && !(typeof url === 'string' && /^https?:$/.test(URL.parse(url)?.protocol ?? '')))
    return 'Its address (url) does not start with http:// or https://.'
  const values = command === undefined ? headers : env
  if (
    values !== undefined &&
    !(isRecord(values) && Object.values(values).every(each => typeof each === 'string'))
  )
    return command === undefined
      ? 'Its headers are not an object with string values.'
      : 'Its variables (env) are not an object with string values.'
  return 'Its name or one of its values cannot be used.'
}
