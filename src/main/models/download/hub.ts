import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Fault } from '../../../shared/rpc.ts'
import { isThisComputer } from '../../lib/network/offline.ts'

/** The settings of the hub. @internal Tests make hubs of their own. */
export type HubSettings = {
  /** A mirror’s address, `off`, or empty for `HF_ENDPOINT`. */
  hub_mirror: string
  /** Whether to read the token that the hub’s own programs store. */
  hub_token_file: boolean
}

/** The hub that most model files come from, with its mirror and its token. */
export type Hub = {
  /** Return the address to request for an address of the hub. Throws a Fault if the mirror is invalid. */
  route(this: void, address: string): string
  /** Describe the mirror's host and its source, for the ledger. Empty if no mirror applies. */
  describeRoute(this: void, address: string): string
  /** Return a key of the file that ignores signatures, irrelevant query parameters and the mirror. */
  identify(this: void, address: string): string
  /** Return the token for a request to this URL. Only the hub gets it, or its mirror on this computer. */
  tokenFor(this: void, url: URL): string | undefined
  /** Say what the user can do about a file that the hub refuses; undefined for other addresses. */
  adviseAccess(this: void, address: string): string | undefined
}

type Parts = {
  settings: () => HubSettings
  /** Reads a key by name, stored or from the environment. */
  read: (name: string) => string | undefined
  env?: NodeJS.ProcessEnv
  /** The user’s home folder. */
  home?: string
}

const HUB = 'https://huggingface.co'
const HUB_HOSTS = /^(www\.)?(huggingface\.co|hf\.co)$/
const TOKEN_NAMES = ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN']
const LICENCE = 'Accept the licence on the page of the model'
const BROWSER = 'Or download the file in your browser, then drop it on this window.'

/** Whether an address belongs to the hub itself. */
export const isHubAddress = (address: string): boolean => HUB_HOSTS.test(URL.parse(address)?.hostname ?? '')

/** Open the hub as the settings and the environment describe it. */
export function createHub({ settings, read, env = process.env, home = homedir() }: Parts): Hub {
  /** Return the mirror in use, and the name of the setting or variable that sets it. */
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
  /** Return the path of a file on the hub; undefined for other addresses. */
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
      // An entry of an older list may lack an address.
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
      // A token for a mirror on this computer stays here. Any other mirror is untrusted.
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

/** Query parameters that do not identify a file: delivery options, tokens, signatures and their times. */
const SAYS_NOTHING =
  /^(download|dl|raw|utm_\w+|x-amz-.+|x-goog-.+|x-oss-.+|ossaccesskeyid|awsaccesskeyid|key-pair-id|signature|policy|expires|expiry|sig|se|sp|sv|sr|st|spr|token|access_token|auth_key|response-content-(type|disposition))$/i

/** Whether an address contains a signature, which expires. */
export const isSigned = (address: string): boolean =>
  [...new URL(address).searchParams.keys()].some(name =>
    /^(x-(amz|goog|oss)-signature|signature|sig|expires|auth_key|token|access_token)$/i.test(name),
  )

/** Return the path of a file, if the path of its web page was given. */
const asFile = (path: string): string => path.replace(/^(\/[^/]+\/[^/]+)\/blob\//, '$1/resolve/')

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

/** Ignore an invalid mirror. Only `route` reports it, for files of the hub. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

/** Clean a token for a header: no line breaks or spaces, which could inject other headers. */
function cleanToken(text: string | undefined): string | undefined {
  const bare = text?.trim().replace(/^(["'])(.*)\1$/, '$2') ?? ''
  return /^[\x21-\x7e]{8,500}$/.test(bare) ? bare : undefined
}

/** Read the token that the hub’s own programs store, at the path that their variables name. */
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
