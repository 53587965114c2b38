import { safeStorage } from 'electron'
import type { Vault } from '../host-types.ts'

/**
 * The system’s own encryption, where it has any: Keychain, DPAPI, or a wallet of the desktop. On Linux without a wallet
 * Electron would only pretend, so there is none then. Only after the application is ready.
 */
export async function openVault(): Promise<Vault | undefined> {
  if (!(await safeStorage.isAsyncEncryptionAvailable())) return undefined
  if (process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text')
    return undefined
  return {
    seal: text => safeStorage.encryptStringAsync(text),
    async open(sealed) {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(sealed)
      return { text: result, renew: shouldReEncrypt }
    },
  }
}
