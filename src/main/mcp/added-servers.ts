import { keysIn, McpServer } from '../../shared/contract/mcp.ts'
import { parseJson, type Refusal } from '../lib/expected-errors.ts'
import { isRecord } from './judge-tools.ts'
import { isLocal, isSecretValue, ownKeyPrefix, secretInArgument } from './servers.ts'

/**
 * The server with its secrets replaced by `${NAME}`, and these secrets by the names under which the vault keeps them.
 * `taken` are the names that other servers use.
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
  if (!isLocal(server)) return { server: { ...server, headers: valuesOf(server.headers) }, secrets }
  const env = valuesOf(server.env)
  const args = server.args.map((arg, at) => {
    const secret = secretInArgument(server.args, at)
    return secret === undefined ? arg : arg.replace(secret, () => keep(secret, `argument_${at}`))
  })
  return { server: { ...server, env, args }, secrets }
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
