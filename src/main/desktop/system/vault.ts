import { safeStorage } from 'electron'
import type { OpenVault } from '../../app/host-types.ts'

/**
 * The system’s own encryption, where it exists: Keychain, DPAPI, or a desktop wallet. On Linux without a wallet
 * Electron encrypts with a fixed key, so there is no vault then. Call it after `ready`.
 */
export const openVault: OpenVault = async () => {
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
