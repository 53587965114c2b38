import { beforeEach, expect, test } from 'vitest'
import { resetShim, safeStorage } from '../../../../testing/host/electron-shim.ts'
import { openVault } from '../desktop.ts'

beforeEach(resetShim)

test('a sealed value can be opened again, and the vault says when it must be sealed anew', async () => {
  const vault = (await openVault())!
  const sealed = await vault.seal('sk-1')
  expect(sealed.toString()).not.toContain('sk-1')
  expect(await vault.open(sealed)).toEqual({ text: 'sk-1', renew: false })
  safeStorage.stale = true
  expect(await vault.open(sealed)).toEqual({ text: 'sk-1', renew: true })
})

test('without encryption by the system there is no vault', async () => {
  safeStorage.available = false
  expect(await openVault()).toBeUndefined()
})

test.runIf(process.platform === 'linux')(
  'a Linux desktop without a wallet, where Electron’s encryption is not real, has no vault',
  async () => {
    safeStorage.backend = 'basic_text'
    expect(await openVault()).toBeUndefined()
  },
)
