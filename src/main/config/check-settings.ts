import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { keysIn } from '../../shared/contract/connections/mcp.ts'
import type { ConfigProblem, Key } from '../../shared/contract/settings.ts'
import { Fault } from '../../shared/rpc.ts'
import { nearestNames } from '../lib/words/similarity.ts'
import { openEnvFile, readOnce, type EnvText } from './env-file.ts'
import { MCP_KEY } from './secrets.ts'
import {
  environmentKey,
  isCleanKey,
  keyNameOf,
  keyOfHost,
  knownKeys,
  OF_SKILL,
  serverKey,
  UNCLEAN,
  type KnownKey,
} from './known-keys.ts'
import type { ConfigHandle } from './load.ts'
import type { Secrets } from './secrets.ts'

/** A setting whose value the schema allows but that has no effect. */
export type SettingFlaw = { setting: string; text: string }

/** The sources that keys are read from. */
type KeyParts = {
  config: Pick<ConfigHandle, 'current' | 'path' | 'problems' | 'lineOf'>
  secrets: Pick<Secrets, 'trace' | 'envPath'>
  /** Return the keys without which an enabled tool or skill cannot work; `usedBy` names the tool or skill. */
  neededKeys: () => readonly KnownKey[]
  /** Return the flaws of settings that only a running host can find. */
  flaws?: () => readonly SettingFlaw[]
}

/** List every key that is used here, with the source of its value but not the value itself. */
export const listKeys = (parts: KeyParts): Key[] => readOnce(() => keysNow(parts))

function keysNow({ config, secrets, neededKeys }: KeyParts): Key[] {
  const needed = neededKeys()
  const servers = config.current.models.servers
  const isSet = (name: string) => secrets.trace(name) !== undefined
  const read = (name: string) => secrets.trace(name)?.value
  const withoutKey = servers.filter(
    ({ id, base_url }) =>
      !isSet(keyNameOf(id)) &&
      keyOfHost(base_url, read) !== undefined &&
      environmentKey(base_url, read) === undefined,
  )
  const serverNames = new Set(withoutKey.map(({ id }) => keyNameOf(id)))
  const all = mergeByName([...servers.map(serverKey), ...needed, ...knownKeys, ...keysOfMcp(config, isSet)])
  return all.map(({ name, help, where, usedBy, masked }) => {
    const found = secrets.trace(name)
    const isMissing = !found && (serverNames.has(name) || needed.some(each => each.name === name))
    const users = needed.filter(each => each.name === name).flatMap(each => each.usedBy)
    return {
      name,
      help,
      where,
      usedBy: [...usedBy],
      masked,
      value: masked ? null : (found?.value ?? null),
      source: found?.source ?? null,
      missingFor: isMissing ? (users.length > 0 ? users : [...usedBy]) : [],
    }
  })
}

/** Return the keys that MCP servers get. Keys moved out of a server's entry have a prefixed name. */
const keysOfMcp = (config: KeyParts['config'], isSet: (name: string) => boolean): KnownKey[] =>
  config.current.mcp.servers.flatMap(server =>
    keysIn(server).map(name => keyOfServer(isSet(MCP_KEY + name) ? MCP_KEY + name : name, server.name)),
  )

/** Describe a key that an MCP server gets, for the user. */
export const keyOfServer = (name: string, server: string): KnownKey => ({
  name,
  help: `Given to the MCP server ${server}.`,
  where: 'Whoever runs the service gives it to you.',
  usedBy: [`the MCP server ${server}`],
  masked: true,
})

/** Merge keys of the same name: the best text, and all of their users. */
function mergeByName(keys: readonly KnownKey[]): KnownKey[] {
  const byName = new Map<string, KnownKey>()
  for (const key of keys) {
    const first = byName.get(key.name)
    // Talaria's own text about a key is better than that of the tool or skill that needs it.
    const text = knownKeys.find(each => each.name === key.name) ?? first ?? key
    byName.set(key.name, { ...text, usedBy: [...new Set([...(first?.usedBy ?? []), ...key.usedBy])] })
  }
  return [...byName.values()]
}

/** Return what is wrong, unknown, outdated or missing in config.yaml and `.env`. */
export const checkSettings = (parts: KeyParts): ConfigProblem[] => readOnce(() => problemsNow(parts))

function problemsNow(parts: KeyParts): ConfigProblem[] {
  const inConfig = parts.config.problems()
  const isSound = inConfig.every(each => each.severity === 'warning')
  return [...inConfig, ...checkEnv(parts), ...(isSound ? findMissing(parts) : [])]
}

/** Check the `.env` of these secrets: broken lines and names, without quoting values. */
function checkEnv({ config, secrets, neededKeys }: KeyParts): ConfigProblem[] {
  const file = secrets.envPath
  const about = (line: number | null, text: string, rest: Pick<ConfigProblem, 'kind' | 'severity'>) => ({
    file,
    line,
    text,
    ...rest,
  })
  let env: EnvText
  try {
    env = openEnvFile(file).read()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return [about(null, error.message, MISTAKE)]
  }
  const keys = [...knownKeys, ...config.current.models.servers.map(serverKey), ...neededKeys()]
  const known = new Map(keys.map(key => [key.name, key]))
  const ofServers = new Set(
    config.current.mcp.servers.flatMap(server => keysIn(server)).flatMap(name => [name, `${MCP_KEY}${name}`]),
  )
  const broken = env.broken.map(({ line, text }) => about(line, `${text}. The line is left out.`, MISTAKE))
  const named = [...env.lines].flatMap(([name, line]): ConfigProblem[] => {
    const key = known.get(name)
    if (key?.masked && !isCleanKey(name, env.values[name] ?? ''))
      return [about(line, `${name} ${UNCLEAN}`, MISTAKE)]
    // A key of a skill that is off or currently missing, or a key that a server gets.
    if (key || OF_SKILL.test(name) || ofServers.has(name)) return []
    const now = keys.find(each => each.otherNames?.includes(name))
    if (now) return [about(line, `Talaria reads ${now.name}, not ${name}. Rename it.`, DEPRECATED)]
    const [like] = nearestNames(name, [...known.keys()], LEAST_ALIKE)
    const hint = like === undefined ? '' : ` (did you mean ${like}?)`
    return [about(line, `nothing reads ${name}${hint}. It is kept but does nothing.`, UNKNOWN)]
  })
  return [...broken, ...named].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
}

const MISTAKE = { kind: 'mistake', severity: 'error' } as const
const DEPRECATED = { kind: 'deprecated', severity: 'warning' } as const
const UNKNOWN = { kind: 'unknown', severity: 'warning' } as const
const LEAST_ALIKE = 0.75

/** Return which enabled tools and skills wait for a key. The window shows it at each of them. */
export const waitingForKeys = (keys: readonly Key[], file: string): ConfigProblem[] =>
  keys
    .filter(({ missingFor }) => missingFor.length > 0)
    .map(key => ({ file, line: null, text: needsKey(key), kind: 'missing', severity: 'warning' }))

const needsKey = ({ name, missingFor }: Pick<Key, 'name' | 'missingFor'>) =>
  `${missingFor.join(' and ')} needs the key ${name}. Enter it with: talaria config set ${name}`

/** Find missing files, folders and models that the settings name, and missing keys of servers. */
function findMissing(parts: KeyParts): ConfigProblem[] {
  const { config, secrets, flaws } = parts
  const { current, path: file } = config
  const { models, skills } = current
  const missing = (setting: string, text: string): ConfigProblem => ({
    file,
    line: config.lineOf(setting) ?? null,
    text,
    kind: 'missing',
    severity: 'warning',
  })
  const paths = (setting: string, given: readonly string[]) =>
    given.flatMap((path, at) =>
      existsSync(path.replace(/^~(?=$|[/\\])/, homedir()))
        ? []
        : [missing(`${setting}.${at}`, `${setting} names ${path}, which is not there.`)],
    )
  const server = (setting: string, id: string, at = setting) =>
    id.startsWith('server:') && !models.servers.some(each => `server:${each.id}` === id)
      ? [missing(at, `${setting} names ${id}, and there is no such server.`)]
      : []
  const member = (at: number, id: string) =>
    id.startsWith('server:')
      ? server(`models.mixtures.${at}`, id)
      : id.startsWith('file:')
        ? []
        : [missing(`models.mixtures.${at}`, `models.mixtures.${at} names ${id}, and there is no such model.`)]
  // A tool or skill without its key is off and says so, but a server in use fails.
  const keys = listKeys({ config, secrets, neededKeys: () => [] }).filter(key => key.missingFor.length > 0)
  const found = [
    ...paths('models.files', models.files),
    ...paths('skills.folders', skills.folders),
    ...paths('skills.trusted_projects', skills.trusted_projects),
    ...paths('skills.allowed_links', skills.allowed_links),
    ...server('models.default', models.default),
    ...server('models.fast', models.fast),
    ...models.fallback.flatMap((id, at) => server('models.fallback', id, `models.fallback.${at}`)),
    ...models.mixtures.flatMap(({ references, aggregator }, at) =>
      [...new Set([...references, aggregator])].flatMap(id => member(at, id)),
    ),
    ...Object.entries(models.auxiliary).flatMap(([work, id]) => server(`models.auxiliary.${work}`, id)),
    ...keys.map(({ name, missingFor }) => {
      const at = models.servers.findIndex(each => keyNameOf(each.id) === name)
      return missing(`models.servers.${at}`, needsKey({ name, missingFor }))
    }),
    ...mcpFlaws(parts).map(({ at, text }) => missing(`mcp.servers.${at}`, text)),
    ...(flaws?.() ?? []).map(({ setting, text }) => ({
      ...missing(setting, text),
      kind: 'unknown' as const,
    })),
  ]
  return found.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
}

/** Find servers with the same name, and MCP server keys that are not stored. */
function mcpFlaws({ config, secrets }: KeyParts): { at: number; text: string }[] {
  const { servers } = config.current.mcp
  return servers.flatMap((server, at) => {
    const { name } = server
    const setting = `mcp.servers.${at}`
    const isSecond = servers.findIndex(each => each.name === name) < at
    const absent = keysIn(server, true).filter(key => !secrets.trace(MCP_KEY + key) && !secrets.trace(key))
    return [
      ...(isSecond ? [`${setting} has the name ${name} of another server, so it is not used.`] : []),
      ...absent.map(
        key => `${setting} (${name}) needs the key ${key}. Enter it with: talaria config set ${key}`,
      ),
    ].map(text => ({ at, text }))
  })
}
