import { describe, expect, test } from 'vitest'
import { readSigning } from './signing.ts'

const certificate = { CSC_LINK: 'a', CSC_KEY_PASSWORD: 'b' }
const account = { APPLE_ID: 'a', APPLE_APP_SPECIFIC_PASSWORD: 'b', APPLE_TEAM_ID: 'c' }
const key = { APPLE_API_KEY: 'a', APPLE_API_KEY_ID: 'b', APPLE_API_ISSUER: 'c' }
const required = { TALARIA_SIGNED: '1' }

describe('signing', () => {
  test.each([
    ['linux', required, { isRequired: false, notarize: false }],
    ['darwin', {}, { isRequired: false, notarize: false }],
    ['darwin', certificate, { isRequired: false, notarize: false }],
    ['darwin', { ...certificate, ...account }, { isRequired: false, notarize: true }],
    ['darwin', { ...required, ...certificate, ...key }, { isRequired: true, notarize: true }],
    ['win32', {}, { isRequired: false, notarize: false }],
    [
      'win32',
      { ...required, WIN_CSC_LINK: 'a', WIN_CSC_KEY_PASSWORD: 'b' },
      { isRequired: true, notarize: false },
    ],
  ] as const)('on %s with %j is %j', (platform, env, signing) => {
    expect(readSigning(platform, env)).toEqual(signing)
  })

  test.each([
    ['darwin', { CSC_LINK: 'a' }, 'CSC_LINK is set, but CSC_KEY_PASSWORD is missing.'],
    [
      'darwin',
      { ...certificate, APPLE_ID: 'a' },
      'but APPLE_APP_SPECIFIC_PASSWORD and APPLE_TEAM_ID are missing',
    ],
    ['darwin', account, 'Apple notarises only what is signed: set CSC_LINK and CSC_KEY_PASSWORD too.'],
    ['darwin', required, 'TALARIA_SIGNED=1 needs a certificate: set CSC_LINK and CSC_KEY_PASSWORD.'],
    ['darwin', { ...required, ...certificate }, 'TALARIA_SIGNED=1 needs notarisation'],
    ['win32', { WIN_CSC_KEY_PASSWORD: 'b' }, 'WIN_CSC_KEY_PASSWORD is set, but WIN_CSC_LINK is missing.'],
    ['win32', required, 'set WIN_CSC_LINK and WIN_CSC_KEY_PASSWORD'],
  ] as const)('on %s with %j is refused: %s', (platform, env, text) => {
    expect(() => readSigning(platform, env)).toThrow(text)
  })
})
