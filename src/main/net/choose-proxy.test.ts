import { expect, test } from 'vitest'
import { Config } from '../config/schema.ts'
import { proxyCredentials, readProxyAddress, type ProxyAddress } from '../lib/network/proxy-address.ts'
import { chooseProxy, proxyVariables } from './choose-proxy.ts'

const none = { proxy: '', no_proxy: '' }
const choose = (url: string, environment: NodeJS.ProcessEnv, settings = none) =>
  chooseProxy(new URL(url), settings, environment)?.url.href

test.for([
  [{ https_proxy: 'http://a:1', HTTPS_PROXY: 'http://b:1' }, 'https://x.test/', 'http://a:1/'],
  [{ HTTPS_PROXY: 'http://b:1', ALL_PROXY: 'http://c:1' }, 'https://x.test/', 'http://b:1/'],
  [{ HTTP_PROXY: 'http://b:1' }, 'https://x.test/', undefined],
  [{ HTTPS_PROXY: 'http://b:1' }, 'http://x.test/', undefined],
  [{ all_proxy: 'http://c:1' }, 'https://x.test/', 'http://c:1/'],
  [{ https_proxy: '', HTTPS_PROXY: 'http://b:1' }, 'https://x.test/', undefined],
  [{ HTTPS_PROXY: 'proxy.example:3128' }, 'https://x.test/', 'http://proxy.example:3128/'],
  [{ HTTPS_PROXY: ' "http://b:1" ' }, 'https://x.test/', 'http://b:1/'],
  [{ HTTPS_PROXY: 'https://secure:8443' }, 'https://x.test/', 'https://secure:8443/'],
  [{ HTTPS_PROXY: 'http://b:1', NO_PROXY: 'x.test' }, 'https://x.test/', undefined],
  // A visitor of a web server can set this one.
  [{ HTTP_PROXY: 'http://b:1', REQUEST_METHOD: 'GET' }, 'http://x.test/', undefined],
  [{ http_proxy: 'http://b:1', REQUEST_METHOD: 'GET' }, 'http://x.test/', 'http://b:1/'],
] as const)('%o for %s gives %s', ([environment, url, proxy]) => {
  expect(choose(url, environment)).toBe(proxy)
})

test('hosts of the setting and of NO_PROXY are both reached directly', () => {
  const settings = { proxy: 'http://a:1', no_proxy: 'one.test' }
  for (const host of ['one.test', 'two.test'])
    expect(choose(`https://${host}/`, { NO_PROXY: 'two.test' }, settings)).toBeUndefined()
  expect(choose('https://three.test/', { NO_PROXY: 'two.test' }, settings)).toBe('http://a:1/')
})

test('the setting is refused in words when it is no address', () => {
  for (const proxy of ['', 'off', 'Off', 'http://p:1', 'p:1', 'https://a:b@p:1'])
    expect(Config.safeParse({ network: { proxy } }).success).toBe(true)
  for (const proxy of ['socks5://p:1', 'ftp://p', 'a b', 'http://', 'ht!tp://:::', 'h:80;i:80'])
    expect(Config.safeParse({ network: { proxy } }).error?.issues[0]?.message).toContain(
      'http://proxy.example:3128',
    )
})

test('git gets the proxy of the setting, and none for this computer', () => {
  expect(proxyVariables({ proxy: 'http://a:1', no_proxy: 'one.test' }, { NO_PROXY: 'two.test' })).toEqual({
    http_proxy: 'http://a:1',
    https_proxy: 'http://a:1',
    all_proxy: 'http://a:1',
    no_proxy: 'one.test,two.test,localhost,127.0.0.1,::1',
    NO_PROXY: 'one.test,two.test,localhost,127.0.0.1,::1',
  })
  expect(proxyVariables({ proxy: 'off', no_proxy: '' }, {})).toEqual({ no_proxy: '*', NO_PROXY: '*' })
})

test.for([
  ['http://anna:p%40ss@proxy:1', 'anna:p@ss'],
  ['http://anna@proxy:1', 'anna:'],
  ['http://anna:50%@proxy:1', 'anna:50%'],
] as const)('the credentials of %s are sent as %s', ([address, pair]) => {
  const header = proxyCredentials(readProxyAddress(address) as ProxyAddress)
  expect(Buffer.from(header!.replace('Basic ', ''), 'base64').toString()).toBe(pair)
})
