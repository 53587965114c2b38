import fc from 'fast-check'
import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { isWithoutProxy } from './no-proxy.ts'

test.for([
  ['http://localhost:11434/', ''],
  ['http://127.3.2.1/', ''],
  ['http://[::1]:8080/', ''],
  ['http://[::ffff:127.0.0.1]/', ''],
  ['http://app.localhost/', ''],
  ['http://0.0.0.0:1234/', ''],
  [`http://${hostname()}:11434/`, ''],
  ['https://example.com/', '*'],
  ['https://example.com/', 'example.com'],
  ['https://example.com/', 'EXAMPLE.com.'],
  ['https://api.example.com/', 'example.com'],
  ['https://api.example.com/', '.example.com'],
  ['https://example.com/', '.example.com'],
  ['https://api.example.com/', '*.example.com'],
  ['https://api.example.com/', 'other.test, example.com'],
  ['https://api.example.com/', 'other.test example.com'],
  ['https://api.example.com:8443/', 'example.com:8443'],
  ['https://api.example.com/', 'example.com:443'],
  ['http://api.example.com/', 'example.com:80'],
  ['https://api.example.com/', 'https://api.example.com/'],
  ['http://10.1.2.3/', '10.0.0.0/8'],
  ['http://10.1.2.3/', '10.1.2.3'],
  ['http://10.1.2.3:9000/', '10.1.2.3:9000'],
  ['http://192.168.4.5/', '192.168.*'],
  ['http://[fd00::12]/', 'fd00::/8'],
  ['http://[fd00::12]/', 'fd00:0:0:0::12'],
  ['http://[fd00::12]:8080/', '[fd00::12]:8080'],
  ['http://intranet/', '<local>'],
  ['https://bücher.example/', 'xn--bcher-kva.example'],
  ['https://bücher.example/', 'bücher.example'],
] as const)('%s is reached directly with NO_PROXY=“%s”', ([url, list]) => {
  expect(isWithoutProxy(new URL(url), [list])).toBe(true)
})

test.for([
  ['https://example.com/', ''],
  ['https://notexample.com/', 'example.com'],
  ['https://example.com.evil.test/', 'example.com'],
  ['https://example.com/', 'api.example.com'],
  ['https://example.com/', 'example.com:8443'],
  ['http://11.1.2.3/', '10.0.0.0/8'],
  ['http://10.1.2.3/', '10.0.0.0/99'],
  ['http://10.1.2.30/', '10.1.2.3'],
  ['http://2.3.example/', '3'],
  ['http://intranet.example/', '<local>'],
  ['http://localhost.example.com/', ''],
  ['http://127.0.0.1.example.com/', ''],
  ['http://192.168.4.5/', 'fd00::/8'],
] as const)('%s takes the proxy with NO_PROXY=“%s”', ([url, list]) => {
  expect(isWithoutProxy(new URL(url), [list])).toBe(false)
})

test('no list makes it fail', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.webUrl(), (list, url) => {
      expect(typeof isWithoutProxy(new URL(url), [list])).toBe('boolean')
    }),
  )
})
