import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Fault } from '../../../shared/rpc.ts'
import { isThisComputer } from '../../lib/network/offline.ts'

/** What the settings say of the hub. @internal Tests make hubs of their own. */
export type HubSettings = {
  /** A mirror’s address, `off`, or nothing for `HF_ENDPOINT`. */
  hub_mirror: string
  /** Whether the token that the hub’s own programs keep may be read. */
  hub_token_file: boolean
}

/** The hub that most model files come from: its mirror, its token, and what is the same file there. */
export type Hub = {
  /** The address that is asked in place of one of the hub. Throws a Fault for a mirror that is no address. */
  route(this: void, address: string): string
  /** The mirror’s host and where it was named, as the ledger says it; empty without one or for other addresses. */
  describeRoute(this: void, address: string): string
  /** Equal for two addresses of the same file: other queries, signatures and the mirror make no difference. */
  identify(this: void, address: string): string
  /** The token for a request to this address: only the hub gets it, or its mirror on this computer. */
  tokenFor(this: void, url: URL): string | undefined
  /** What a person can do about a file of the hub that is not given; undefined for other addresses. */
  adviseAccess(this: void, address: string): string | undefined
}

type Parts = {
  settings: () => HubSettings
  /** Reads a key by name, stored or from the environment. */
  read: (name: string) => string | undefined
  env?: NodeJS.ProcessEnv
  /** The person’s own folder. */
  home?: string
}

const HUB = 'https://huggingface.co'
const HUB_HOSTS = /^(www\.)?(huggingface\.co|hf\.co)$/
const TOKEN_NAMES = ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN']
const LICENCE = 'Accept the licence on the page of the model'
const BROWSER = 'Or download the file in your browser, then drop it on this window.'

/** Whether an address is one of the hub itself. */
export const isHubAddress = (address: string): boolean => HUB_HOSTS.test(URL.parse(address)?.hostname ?? '')

/** Open the hub as the settings and the environment describe it. */
export function createHub({ settings, read, env = process.env, home = homedir() }: Parts): Hub {
  /** The mirror in use, and the name of what names it. */
  function mirror(): { base: URL; from: string } | undefined {
    const given = settings().hub_mirror.trim()
    if (given.toLowerCase() === 'off') return undefined
    const from = given === '' ? 'HF_ENDPOINT' : 'network.hub_mirror'
    const text = given === '' ? (read('HF_ENDPOINT')?.trim() ?? '') : given
    if (text === '') return undefined
    const base = URL.parse(text)
    if (!base || !/^https?:$/.test(base.protocol) || base.username !== '' || base.password !== '')
      throw new Fault(
        'bad_input',
        `${from} is not the address of a mirror. It must start with https:// or http://, without a name and a password.`,
      )
    return HUB_HOSTS.test(base.hostname) ? undefined : { base, from }
  }
  const mirrorFor = (address: string) => (isHubAddress(address) ? mirror() : undefined)
  /** The path of a file on the hub; undefined for an address elsewhere. */
  function hubPath(url: URL): string | undefined {
    if (HUB_HOSTS.test(url.hostname)) return url.pathname
    const base = attempt(mirror)?.base
    const folder = base?.pathname.replace(/\/$/, '') ?? ''
    return base?.host === url.host && url.pathname.startsWith(`${folder}/`)
      ? url.pathname.slice(folder.length)
      : undefined
  }
  function token(): string | undefined {
    const named = TOKEN_NAMES.map(name => cleanToken(read(name))).find(each => each !== undefined)
    return named ?? (settings().hub_token_file ? cleanToken(readTokenFile(env, home)) : undefined)
  }

  return {
    route(address) {
      const found = mirrorFor(address)
      if (!found) return address
      const { pathname, search } = new URL(address)
      return `${found.base.origin}${found.base.pathname.replace(/\/$/, '')}${pathname}${search}`
    },
    describeRoute(address) {
      const found = mirrorFor(address)
      return found ? `, through the mirror ${found.base.host} of ${found.from}` : ''
    },
    identify(address) {
      const url = URL.parse(address)
      // An entry of an older list may have none.
      if (!url) return address
      const path = hubPath(url)
      const query = [...url.searchParams]
        .filter(([name]) => !SAYS_NOTHING.test(name))
        .map(pair => pair.join('='))
        .toSorted()
        .join('&')
      const place = path === undefined ? url.host + url.pathname : `hub:${asFile(path)}`
      return query === '' ? decode(place) : `${decode(place)}?${query}`
    },
    tokenFor(url) {
      if (url.origin === HUB) return token()
      const base = attempt(mirror)?.base
      // What stays on this computer goes to nobody else; any other mirror is a stranger.
      return base?.origin === url.origin && isThisComputer(url.hostname) ? token() : undefined
    },
    adviseAccess(address) {
      const url = URL.parse(address)
      if (!url || hubPath(url) === undefined) return undefined
      const base = attempt(mirror)?.base
      if (base && !isThisComputer(base.hostname))
        return `The mirror ${base.host} gets no token. Set network.hub_mirror to “off” to ask the hub itself. ${BROWSER}`
      if (token() !== undefined)
        return `${LICENCE} with the account that your token belongs to, and check that the token may read such models. ${BROWSER}`
      const stored = readTokenFile(env, home) !== undefined && !settings().hub_token_file
      const take = stored
        ? ', or switch on network.hub_token_file to use the one that its own programs keep'
        : ''
      return `${LICENCE}, make a token on huggingface.co/settings/tokens and set it as HF_TOKEN under Settings, Keys, or in the environment${take}. ${BROWSER}`
    },
  }
}

/** What addresses carry beside the name of a file: how it is sent, who asks, signatures and their times. */
const SAYS_NOTHING =
  /^(download|dl|raw|utm_\w+|x-amz-.+|x-goog-.+|x-oss-.+|ossaccesskeyid|awsaccesskeyid|key-pair-id|signature|policy|expires|expiry|sig|se|sp|sv|sr|st|spr|token|access_token|auth_key|response-content-(type|disposition))$/i

/** Whether an address holds a signature, which runs out. */
export const isSigned = (address: string): boolean =>
  [...new URL(address).searchParams.keys()].some(name =>
    /^(x-(amz|goog|oss)-signature|signature|sig|expires|auth_key|token|access_token)$/i.test(name),
  )

/** The path of a file whose web page was copied. */
const asFile = (path: string): string => path.replace(/^(\/[^/]+\/[^/]+)\/blob\//, '$1/resolve/')

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

/** A mirror that is no address is said where a file of the hub is asked for, and nowhere else. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

/** A token as a header takes it: nothing that a line break or a blank could be smuggled in with. */
function cleanToken(text: string | undefined): string | undefined {
  const bare = text?.trim().replace(/^(["'])(.*)\1$/, '$2') ?? ''
  return /^[\x21-\x7e]{8,500}$/.test(bare) ? bare : undefined
}

/** What the hub’s own programs keep, in the place that their variables name. */
function readTokenFile(env: NodeJS.ProcessEnv, home: string): string | undefined {
  const cache = env['XDG_CACHE_HOME'] || join(home, '.cache')
  const path = env['HF_TOKEN_PATH'] || join(env['HF_HOME'] || join(cache, 'huggingface'), 'token')
  try {
    return readFileSync(path.replace(/^~(?=[/\\])/, home), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
