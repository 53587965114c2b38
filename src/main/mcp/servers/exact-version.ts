import { homedir } from 'node:os'
import { join } from 'node:path'
import type { LocalMcpServer } from '../../../shared/contract/connections/mcp.ts'
import {
  causesOf,
  isRefusal,
  namesIn,
  parseJson,
  readIfThere,
  type Refusal,
} from '../../lib/expected-errors.ts'
import { OfflineError } from '../../lib/network/offline.ts'
import { ProxyError } from '../../lib/network/proxy-address.ts'
import { isRecord } from '../../lib/json-fields.ts'
import { EXACT, namedPackage, type NamedPackage } from './named-package.ts'
import { programOf } from './named-places.ts'

/** An exact version of a server's package, and its source: the npx cache, or the newest one. */
export type FoundVersion = { version: string; from: 'cache' | 'registry'; server: LocalMcpServer }

type Sources = {
  /** The host's only way to the network. */
  fetch: typeof fetch
  /** The npm cache for confined programs; undefined if programs are not confined. */
  confinedCache: string | undefined
  env?: NodeJS.ProcessEnv
  userHome?: string
}

/**
 * Find the exact version that a server's command means: the one in the cache of npx, which it would run, or
 * else the one that the registry names for the tag. The server's own version is not asked, because it may
 * differ from that of the package.
 */
export async function findVersion(server: LocalMcpServer, sources: Sources): Promise<FoundVersion | Refusal> {
  const named = namedPackage(server)
  if (!named)
    return {
      refused: 'Talaria cannot tell which package its command downloads. Enter the version by hand.',
    }
  if (named.isExact) return { refused: 'Its command already names an exact version.' }
  const cached =
    named.from === 'npm' && programOf(server.command) === 'npx'
      ? cachedVersion(named, npmCache(server, sources))
      : undefined
  const version = cached ?? (await askRegistry(server, named, sources))
  if (isRefusal(version)) return version
  const args = server.args.map((arg, at) => (at === named.at ? named.withVersion(version) : arg))
  return { version, from: cached === undefined ? 'registry' : 'cache', server: { ...server, args } }
}

/** The version in the cache of npx, whose `package.json` files say which words they were downloaded for. */
function cachedVersion({ name, spec }: NamedPackage, cache: string): string | undefined {
  const versions = namesIn(join(cache, '_npx')).flatMap(id => {
    const folder = join(cache, '_npx', id)
    const about = readRecord(join(folder, 'package.json'))['_npx']
    const packages = isRecord(about) && Array.isArray(about['packages']) ? about['packages'] : []
    if (packages.length !== 1 || packages[0] !== spec) return []
    const { version } = readRecord(join(folder, 'node_modules', name, 'package.json'))
    return typeof version === 'string' && EXACT.npm.test(version) ? [version] : []
  })
  // With two versions, either could be meant.
  return new Set(versions).size === 1 ? versions[0] : undefined
}

/** The folder where npm stores downloads for a server, according to its documentation. */
function npmCache(
  server: LocalMcpServer,
  { confinedCache, env = process.env, userHome = homedir() }: Sources,
): string {
  const own = server.env['npm_config_cache'] ?? confinedCache ?? env['npm_config_cache']
  if (own !== undefined) return own
  const local = env['LOCALAPPDATA']
  return process.platform === 'win32' && local !== undefined
    ? join(local, 'npm-cache')
    : join(userHome, '.npm')
}

function readRecord(path: string): Record<string, unknown> {
  const read = parseJson(readIfThere(path))
  return isRecord(read) ? read : {}
}

const TAG = /^[a-z][\w.-]*$/i
const PATIENCE_MS = 20_000
const MOST_BYTES = 30_000_000

async function askRegistry(
  server: LocalMcpServer,
  named: NamedPackage,
  sources: Sources,
): Promise<string | Refusal> {
  const { from, name, wanted } = named
  const isNpm = from === 'npm'
  if (wanted !== '' && !(isNpm ? TAG.test(wanted) : wanted === 'latest'))
    return {
      refused: `Its command names the range ${wanted}, which several versions match. Enter one by hand.`,
    }
  const registry = isNpm ? npmRegistry(server, name, sources) : pythonIndex(server, sources)
  if (isRefusal(registry)) return registry
  const path = isNpm ? `${name.replace('/', '%2f')}/${wanted || 'latest'}` : `${name}/json`
  try {
    const answer = await sources.fetch(`${registry.replace(/(?<!\/)\/+$/, '')}/${path}`, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    if (!answer.ok) {
      await answer.body?.cancel()
      return {
        refused: `The registry does not know ${name}${wanted === '' ? '' : `@${wanted}`}: it answered ${answer.status}.`,
      }
    }
    const body = parseJson(await readAtMost(answer))
    const about = isNpm ? body : isRecord(body) ? body['info'] : undefined
    const version = isRecord(about) ? about['version'] : undefined
    return typeof version === 'string' && EXACT[from].test(version)
      ? version
      : { refused: `The registry does not say which version ${name} has.` }
  } catch (error) {
    const causes = causesOf(error)
    const offline = causes.find(each => each instanceof OfflineError || each instanceof ProxyError)
    return {
      refused:
        offline?.message ?? `The registry could not be asked: ${causes.at(-1)?.message ?? String(error)}`,
    }
  }
}

async function readAtMost(answer: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body ?? []) {
    size += part.byteLength
    if (size > MOST_BYTES) throw new Error('its answer is too long.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const PUBLIC = { npm: 'https://registry.npmjs.org', python: 'https://pypi.org/pypi' }

/** The registry that npm would use: of the scope, a variable, the user's `.npmrc`, or the public one. */
function npmRegistry(
  server: LocalMcpServer,
  name: string,
  { env = process.env, userHome = homedir() }: Sources,
): string | Refusal {
  if (server.args.some(arg => arg.startsWith('--registry')))
    return { refused: 'Its command names its own registry. Enter the version by hand.' }
  const settings = new Map(
    readIfThere(join(userHome, '.npmrc'))
      .split('\n')
      .flatMap(line => {
        const [, key, value] = /^\s*((?:@[\w.~-]+:)?registry)\s*=\s*"?([^\s"]+)/.exec(line) ?? []
        return key !== undefined && value !== undefined ? [[key, value] as const] : []
      }),
  )
  const scope = name.startsWith('@')
    ? settings.get(`${name.slice(0, name.indexOf('/'))}:registry`)
    : undefined
  const given = [server.env, env].flatMap(
    each => each['npm_config_registry'] ?? each['NPM_CONFIG_REGISTRY'] ?? [],
  )
  const registry = scope ?? given[0] ?? settings.get('registry') ?? PUBLIC.npm
  return URL.canParse(registry) ? registry : { refused: `The registry ${registry} is not an address.` }
}

/** The Python index. Only the public one lists versions in a form that all programs read. */
function pythonIndex(server: LocalMcpServer, { env = process.env }: Sources): string | Refusal {
  const names = /^(?:UV|PIP)_(?:DEFAULT_|EXTRA_)?INDEX(?:_URL)?$/
  const isOwn =
    Object.keys({ ...env, ...server.env }).some(each => names.test(each)) ||
    server.args.some(arg => /^(?:--(?:default-|extra-)?index|-i$)/.test(arg))
  return isOwn
    ? { refused: 'It uses its own index of Python packages. Enter the version by hand.' }
    : PUBLIC.python
}
