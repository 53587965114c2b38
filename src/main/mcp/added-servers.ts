import { McpServer } from '../../shared/contract/mcp.ts'
import { parseJson, type Refusal } from '../lib/expected-errors.ts'
import { redactText } from '../lib/redact.ts'
import { isRecord } from './judge-tools.ts'
import { isLocal } from './servers.ts'

/** Names of variables and headers whose values are secrets, whatever they look like. */
const SECRET_NAME = /key|token|secret|passw|auth|credential|cookie/i

/** The server with its secrets replaced by `${NAME}`, and these secrets by the names under which the vault keeps them. */
export function takeSecrets(server: McpServer): { server: McpServer; secrets: Map<string, string> } {
  const secrets = new Map<string, string>()
  function without(value: string, name: string): string {
    const isSecret = SECRET_NAME.test(name) || redactText(value) !== value
    if (!isSecret || value.includes('${') || value === '') return value
    const called = `${server.name}_${name}`.toUpperCase().replaceAll(/\W/g, '_')
    secrets.set(called, value)
    return `\${${called}}`
  }
  const valuesOf = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, without(value, name)]))
  const kept = isLocal(server)
    ? {
        ...server,
        env: valuesOf(server.env),
        args: server.args.map((arg, at) => (redactText(arg) === arg ? arg : without(arg, `argument_${at}`))),
      }
    : { ...server, headers: valuesOf(server.headers) }
  return { server: kept, secrets }
}

/** A server as it was found in a pasted text, or why it cannot be used. */
export type PastedServer = { name: string; server: McpServer } | { name: string; problem: string }

/**
 * The servers in the JSON that makers of servers print: `mcpServers` or `servers` with entries by name, the entries alone, or a
 * single one. Fields of other programs are left out.
 */
export function readPasted(text: string): PastedServer[] | Refusal {
  const given = parseJson(text.trim().replace(/^"\w+"\s*:[^]*$/, '{$&}'))
  if (!isRecord(given))
    return { refused: 'This is no JSON object. Paste what stands between { and }, with the braces.' }
  const entries =
    given['mcpServers'] ??
    given['servers'] ??
    ('command' in given || 'url' in given ? { server: given } : given)
  if (!isRecord(entries) || Object.keys(entries).length === 0)
    return { refused: 'There is no server in this text.' }
  return Object.entries(entries).map(([given, entry]) => {
    const name = given
      .toLowerCase()
      .replaceAll(/[^a-z0-9_-]+/g, '-')
      .replace(/^[-_]+/, '')
      .slice(0, 32)
    if (!isRecord(entry)) return { name: given, problem: 'It is no object.' }
    const { command, args, env, cwd, url, headers, description } = entry
    const about = typeof description === 'string' ? { description: description.slice(0, 120) } : {}
    const wanted = command === undefined ? { url, headers } : { command, args, env, cwd }
    const read = McpServer.safeParse({ name, ...about, ...wanted })
    return read.success
      ? { name, server: read.data }
      : { name: given, problem: 'It needs a command or an address (url), and texts as arguments and values.' }
  })
}
