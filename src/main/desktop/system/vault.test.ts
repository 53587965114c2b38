import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aDesktopHost, startDesktop } from '../../../../testing/host/a-desktop.ts'
import { resetShim, safeStorage } from '../../../../testing/host/electron-shim.ts'

let home: string
beforeEach(() => {
  resetShim()
  home = mkdtempSync(join(tmpdir(), 'vault-'))
})
afterEach(() => rmSync(home, { recursive: true }))

/** The vault that the desktop app gives its host. */
async function openVault() {
  const { seen } = await startDesktop(aDesktopHost(home))
  return seen.options!.openVault!()
}

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
