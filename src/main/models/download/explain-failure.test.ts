import { ProxyError } from '../../lib/network/proxy-address.ts'
import { formatBytes } from '../../../shared/text/amounts.ts'
import { expect, test } from 'vitest'
import {
  explainDisk,
  explainNetwork,
  explainStatus,
  isDiskError,
  notEnoughDisk,
  formatDuration,
} from './explain-failure.ts'

/** The error that fetch throws for a lower-level one. */
const below = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })

test.each([
  ['ENOTFOUND', 'models.example was not found.', true],
  ['EAI_AGAIN', 'models.example was not found.', true],
  ['ECONNREFUSED', 'models.example refuses connections.', true],
  ['UND_ERR_CONNECT_TIMEOUT', 'models.example does not answer.', true],
  ['ETIMEDOUT', 'models.example does not answer.', true],
  ['ECONNRESET', 'The connection to models.example broke.', true],
  ['UND_ERR_SOCKET', 'The connection to models.example broke.', true],
  ['CERT_HAS_EXPIRED', 'The identity of models.example could not be confirmed (CERT_HAS_EXPIRED).', false],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', expect.stringContaining('could not be confirmed'), false],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', expect.stringContaining('could not be confirmed'), false],
])('%s is explained in plain words', (code, text, again) => {
  expect(explainNetwork(below(code), 'models.example')).toMatchObject({ text, again })
})

test.each([
  ['5', 5_000],
  [new Date(61_000).toUTCString(), 60_000],
  [new Date(0).toUTCString(), 0],
  ['soon', undefined],
  ['-3', undefined],
  ['99999999999999', undefined],
])('a retry-after of “%s” is understood', (value, waitMs) => {
  const verdict = explainStatus(429, 'h', new Headers({ 'retry-after': value }), 1_000)
  expect([verdict.again, verdict.waitMs]).toEqual([true, waitMs])
})

test('a full disk is reported as such, and the received part is kept', () => {
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC', errno: -28, syscall: 'write' })
  expect(isDiskError(full)).toBe(true)
  expect(explainDisk(full, 'm.gguf')).toEqual({
    text: 'The disk became full while m.gguf was being saved.',
    fix: 'Free some space, then resume. The part already downloaded is kept.',
  })
  expect(explainDisk(Object.assign(full, { code: 'EFBIG' }), 'm.gguf').text).toContain(
    'larger than a file may be',
  )
  expect(explainDisk(Object.assign(full, { code: 'EROFS' }), 'm.gguf').text).toContain(
    'the disk is read-only',
  )
  expect([isDiskError(below('ENOSPC')), isDiskError(new DOMException('', 'AbortError'))]).toEqual([
    false,
    false,
  ])
})

test('sizes and times are written for people', () => {
  expect(
    [0, 999, 1_000, 12_345, 4_920_000, 720_000_000, 4_920_000_000, 18_560_000_000].map(bytes =>
      formatBytes(bytes),
    ),
  ).toEqual(['0 B', '999 B', '1 kB', '12.3 kB', '4.9 MB', '720 MB', '4.9 GB', '18.6 GB'])
  expect([400, 1_000, 7_000, 89_000, 120_000, 7_200_000].map(formatDuration)).toEqual([
    'a second',
    'a second',
    '7 seconds',
    '89 seconds',
    '2 minutes',
    '2 hours',
  ])
  expect(notEnoughDisk('m.gguf', 5.5e9, -1).text).toBe(
    'm.gguf needs 5.5 GB of disk space, with a margin, but only 0 B are free.',
  )
})

test('a proxy that could not be used is named', () => {
  const error = new TypeError('fetch failed', { cause: new ProxyError('The proxy p:1 says no.', 'Ask it.') })
  expect(explainNetwork(error, 'models.example')).toEqual({
    text: 'The proxy p:1 says no.',
    fix: 'Ask it.',
    again: true,
  })
})
