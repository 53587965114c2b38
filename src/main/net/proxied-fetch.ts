import type { LookupFunction } from 'node:net'
import tls from 'node:tls'
import { causesOf } from '../lib/expected-errors.ts'
import { isThisComputer } from '../lib/network/offline.ts'
import { proxyCredentials, ProxyError } from '../lib/network/proxy-address.ts'
import { chooseProxy, type ChosenProxy, type ProxySettings } from './choose-proxy.ts'

/**
 * Sends one request without following redirects. `patient`: no time limit except its signal. `lookup`: its
 * own connection, to the address that this function finds. `via` is the proxy it uses, for the ledger.
 */
export type Send = {
  fetch(
    this: void,
    input: string | URL | Request,
    init?: RequestInit,
    patient?: boolean,
    lookup?: LookupFunction,
  ): Promise<Response>
  via(this: void, url: URL): string | undefined
}

type Undici = typeof import('undici')
type Dispatcher = InstanceType<Undici['Agent'] | Undici['ProxyAgent']>

/** Statuses with which a proxy for plain requests answers if the server did not. */
const GATEWAY_TROUBLE = new Set([502, 503, 504])

/**
 * Create a sender that uses the proxy of the settings or the environment, if any, and trusts the certificates
 * of the system and of Node. Requests without a proxy are sent by the `fetch` of this process.
 */
export function createProxiedFetch(
  settings: () => ProxySettings,
  environment: NodeJS.ProcessEnv = process.env,
): Send {
  const agents = new Map<string, Dispatcher>()

  /** Get a connection pool for a proxy. Pools are kept, one for each address of a proxy used so far. */
  async function through(
    chosen: ChosenProxy | undefined,
    patient: boolean,
  ): Promise<{ fetch: Undici['fetch']; agent: Dispatcher }> {
    // Loading takes a tenth of a second, which only users with a proxy or a model server pay.
    const { Agent, fetch, ProxyAgent } = await import('undici')
    // Node allows five minutes until an answer starts, and five between its parts. Slow models need longer.
    const limits = patient ? { headersTimeout: 0, bodyTimeout: 0 } : {}
    const key = `${patient} ${chosen?.url.href ?? ''}`
    let agent = agents.get(key)
    if (!agent) {
      const token = chosen && proxyCredentials(chosen)
      agent = chosen
        ? new ProxyAgent({
            uri: bareAddress(chosen.url),
            proxyTunnel: false,
            ...limits,
            ...(token !== undefined && { token }),
          })
        : new Agent(limits)
      agents.set(key, agent)
    }
    return { fetch, agent }
  }

  async function send(
    url: URL,
    init: RequestInit | undefined,
    patient: boolean,
    lookup?: LookupFunction,
  ): Promise<Response> {
    const chosen = chooseProxy(url, settings(), environment)
    // With its own proxy settings, the `fetch` of this process would use a proxy even for this computer.
    const isPlain = chosen === undefined && !patient && !usesProxiesItself(environment)
    if (!isThisComputer(url.hostname) && (url.protocol === 'https:' || chosen?.url.protocol === 'https:'))
      trustSystem()
    if (lookup && !chosen) return await sendAlone(url, init, lookup)
    if (isPlain) return await fetch(url, init)
    const { fetch: send, agent } = await through(chosen, patient)
    type Sent = Parameters<typeof send>[1]
    try {
      const response = await send(url, { ...(init as Sent), dispatcher: agent })
      if (chosen) refuseAnswerOfProxy(response, url, chosen)
      return response
    } catch (error) {
      if (chosen) throw explainProxy(error, url, chosen) ?? error
      throw error
    }
  }

  return {
    fetch: (input, init, patient = false, lookup) =>
      send(new URL(input instanceof Request ? input.url : String(input)), init, patient, lookup),
    via(url) {
      try {
        return chooseProxy(url, settings(), environment)?.shown
      } catch (error) {
        // The request itself reports this error.
        if (error instanceof ProxyError) return undefined
        throw error
      }
    },
  }
}

/**
 * Send one request over its own connection, because another request may have been allowed to go elsewhere.
 * Stopping the request also prevents connecting.
 */
async function sendAlone(url: URL, init: RequestInit | undefined, lookup: LookupFunction): Promise<Response> {
  const { Agent, fetch } = await import('undici')
  init?.signal?.throwIfAborted()
  // Otherwise a request stopped during the lookup would still connect.
  const whileWanted: LookupFunction = (name, options, answer) =>
    lookup(name, options, (error, found, family) =>
      init?.signal?.aborted
        ? answer(new Error('The request was stopped.'), [])
        : answer(error, found, family),
    )
  const agent = new Agent({ connect: { lookup: whileWanted }, connections: 1, pipelining: 0 })
  const stop = () => void agent.destroy()
  init?.signal?.addEventListener('abort', stop, { once: true })
  type Sent = Parameters<typeof fetch>[1]
  return await fetch(url, { ...(init as Sent), dispatcher: agent })
}

let isSystemTrusted = false

/**
 * Trust the system's certificates, such as that of a company's proxy. Takes 50 ms once, so it waits for the
 * first request that needs it. If Node or the system cannot do this, Node's certificates remain.
 */
function trustSystem(): void {
  if (isSystemTrusted) return
  isSystemTrusted = true
  try {
    const known = new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])
    tls.setDefaultCACertificates([...known])
  } catch (error) {
    process.emitWarning(`The certificates of the system could not be read: ${String(error)}`)
  }
}

const usesProxiesItself = ({ NODE_USE_ENV_PROXY, NODE_OPTIONS = '' }: NodeJS.ProcessEnv): boolean =>
  NODE_USE_ENV_PROXY === '1' || [NODE_OPTIONS, ...process.execArgv].join(' ').includes('--use-env-proxy')

/** The address without user name and password, which must not appear in errors. */
function bareAddress(url: URL): string {
  const bare = new URL(url)
  bare.username = bare.password = ''
  return bare.href
}

const nameOf = ({ shown, from }: ChosenProxy) => `The proxy ${shown} (${from})`

function refuseAnswerOfProxy(
  { status, headers }: { status: number; headers: { get(name: string): string | null } },
  url: URL,
  chosen: ChosenProxy,
): void {
  if (status === 407) throw unwelcome(chosen)
  // Through a tunnel only the server can answer, and JSON also comes from a server.
  const isTunnel = url.protocol === 'https:' || chosen.url.protocol === 'https:'
  if (isTunnel || !GATEWAY_TROUBLE.has(status) || /json/i.test(headers.get('content-type') ?? '')) return
  throw refusedBy(chosen, url, status)
}

function unwelcome(chosen: ChosenProxy, options?: ErrorOptions): ProxyError {
  return proxyCredentials(chosen) === undefined
    ? new ProxyError(
        `${nameOf(chosen)} asks for a name and a password (error 407).`,
        `Write them into its address: http://NAME:PASSWORD@${chosen.shown}. Proxies that want a login of Windows are not supported.`,
        options,
      )
    : new ProxyError(
        `${nameOf(chosen)} does not accept the name and the password in its address (error 407).`,
        'Correct them. Signs such as # / ? @ are written as %23 %2F %3F %40.',
        options,
      )
}

const refusedBy = (chosen: ChosenProxy, url: URL, status: number, options?: ErrorOptions): ProxyError =>
  new ProxyError(
    `${nameOf(chosen)} did not connect to ${url.host} (error ${status}).`,
    `Check the address of ${url.host}, or ask who runs the proxy. Hosts that need no proxy belong into NO_PROXY.`,
    options,
  )

const UNREACHED: readonly [signs: RegExp, text: string][] = [
  [
    /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|EADDRNOTAVAIL)$/,
    'cannot be reached: nothing answers there',
  ],
  [/^(ENOTFOUND|EAI_\w+)$/, 'cannot be reached: there is no computer of that name, or no network'],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'did not answer in time'],
]

/** Explain why a proxy could not be used; undefined for an error from elsewhere. */
function explainProxy(error: unknown, url: URL, chosen: ChosenProxy): ProxyError | undefined {
  const causes = causesOf(error)
  const known = causes.find(each => each instanceof ProxyError)
  if (known) return known
  const options = { cause: error }
  const said = causes.map(each => each.message).join('\n')
  const status = Number(/Proxy response \((\d{3})\)/.exec(said)?.[1] ?? (said.includes('(407)') ? 407 : 0))
  if (status === 407) return unwelcome(chosen, options)
  if (status > 0) return refusedBy(chosen, url, status, options)
  const codes = causes.flatMap(each => (typeof each.code === 'string' ? [each.code] : []))
  const trouble = UNREACHED.find(([signs]) => codes.some(code => signs.test(code)))
  if (trouble)
    return new ProxyError(
      `${nameOf(chosen)} ${trouble[1]}.`,
      'Start it, correct its address, or set the setting network.proxy to “off” for no proxy.',
      options,
    )
  if (codes.includes('UND_ERR_PRX_TLS') || (chosen.url.protocol === 'https:' && codes.some(isNoTls)))
    return new ProxyError(
      `${nameOf(chosen)} has no certificate that is trusted, or does not speak https.`,
      'Most proxies have an http:// address, also for https. Otherwise add its certificate to those of the system.',
      options,
    )
  return undefined
}

const isNoTls = (code: string) => /^(ERR_SSL_\w+|EPROTO)$/.test(code)
