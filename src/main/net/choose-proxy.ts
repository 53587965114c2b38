import { isRefusal } from '../lib/expected-errors.ts'
import { ProxyError, readProxyAddress, type ProxyAddress } from '../lib/network/proxy-address.ts'
import { isWithoutProxy } from './no-proxy.ts'

/** The proxy settings: an address, `off`, or empty for the environment variables. */
export type ProxySettings = { proxy: string; no_proxy: string }

/** A proxy and where its address comes from, for messages. */
export type ChosenProxy = ProxyAddress & { from: string }

/**
 * Choose the proxy for an address: from the settings, or from HTTP_PROXY, HTTPS_PROXY and ALL_PROXY, with
 * lower-case names first as usual. Undefined if there is none, and always for this computer. Throws a
 * ProxyError for an address that cannot be used.
 */
export function chooseProxy(
  url: URL,
  settings: ProxySettings,
  environment: NodeJS.ProcessEnv,
): ChosenProxy | undefined {
  const given = settings.proxy.trim()
  if (given.toLowerCase() === 'off') return undefined
  const found = given === '' ? variableFor(url.protocol, environment) : { from: 'network.proxy', text: given }
  if (found === undefined || found.text.trim() === '') return undefined
  const lists = [settings.no_proxy, environment['no_proxy'] ?? environment['NO_PROXY'] ?? '']
  if (isWithoutProxy(url, lists)) return undefined
  const address = readProxyAddress(found.text)
  if (!isRefusal(address)) return { ...address, from: found.from }
  throw new ProxyError(
    `The proxy in ${found.from} cannot be used: ${address.refused}.`,
    `Correct it, or set ${found.from === 'network.proxy' ? 'it' : 'the setting network.proxy'} to “off” for no proxy.`,
  )
}

/** The variables that make programs started by Talaria, such as git, use the same proxy. */
export function proxyVariables(settings: ProxySettings, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const given = settings.proxy.trim()
  const isOff = given.toLowerCase() === 'off'
  const lists = [settings.no_proxy, environment['no_proxy'] ?? environment['NO_PROXY'] ?? '', THIS_COMPUTER]
  const direct = isOff ? '*' : lists.filter(list => list.trim() !== '').join(',')
  const proxy = given === '' || isOff ? {} : { http_proxy: given, https_proxy: given, all_proxy: given }
  return { ...proxy, no_proxy: direct, NO_PROXY: direct }
}
const THIS_COMPUTER = 'localhost,127.0.0.1,::1'

function variableFor(
  protocol: string,
  environment: NodeJS.ProcessEnv,
): { from: string; text: string } | undefined {
  // A web server puts a header of any visitor into HTTP_PROXY (“httpoxy”).
  const isServed = environment['REQUEST_METHOD'] !== undefined
  const names =
    protocol === 'https:'
      ? ['https_proxy', 'HTTPS_PROXY']
      : ['http_proxy', ...(isServed ? [] : ['HTTP_PROXY'])]
  for (const from of [...names, 'all_proxy', 'ALL_PROXY']) {
    const text = environment[from]
    if (text !== undefined) return { from, text }
  }
  return undefined
}
