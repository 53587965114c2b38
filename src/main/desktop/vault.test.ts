import { beforeEach, expect, test } from 'vitest'
import { resetShim, safeStorage } from '../../../testing/host/electron-shim.ts'
import { openVault } from './desktop.ts'

beforeEach(resetShim)

test('what the system sealed it opens again, and says when it wants to seal it anew', async () => {
  const vault = (await openVault())!
  const sealed = await vault.seal('sk-1')
  expect(sealed.toString()).not.toContain('sk-1')
  expect(await vault.open(sealed)).toEqual({ text: 'sk-1', renew: false })
  safeStorage.stale = true
  expect(await vault.open(sealed)).toEqual({ text: 'sk-1', renew: true })
})

test('where the system cannot encrypt there is no vault', async () => {
  safeStorage.available = false
  expect(await openVault()).toBeUndefined()
})

test.runIf(process.platform === 'linux')(
  'a Linux desktop without a wallet, where Electron only pretends, has no vault',
  async () => {
    safeStorage.backend = 'basic_text'
    expect(await openVault()).toBeUndefined()
  },
)
