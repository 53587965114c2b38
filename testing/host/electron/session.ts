import { fromPartition } from './net.ts'
import { state } from './state.ts'

export const protocol = {
  registerSchemesAsPrivileged: (schemes: typeof state.schemes) => void state.schemes.push(...schemes),
  handle: (scheme: string, handler: (request: Request) => Promise<Response>) =>
    void state.schemeHandlers.set(scheme, handler),
}

type Details = { requestingUrl?: string; isMainFrame: boolean }
type Ask = (
  contents: unknown,
  permission: string,
  reply: (allowed: boolean) => void,
  details: Details,
) => void
type Check = (contents: unknown, permission: string, origin: string, details: Details) => boolean

/** Electron allows everything until somebody says otherwise. */
export const permissions = {
  ask: ((_contents, _permission, reply) => reply(true)) as Ask,
  check: (() => true) as Check,
  device: () => true,
}

export const session = {
  fromPartition(name: string) {
    state.partitions.push(name)
    return fromPartition(name)
  },
  defaultSession: {
    setPermissionRequestHandler: (handler: Ask) => void (permissions.ask = handler),
    setPermissionCheckHandler: (handler: Check) => void (permissions.check = handler),
    setDevicePermissionHandler: (handler: () => boolean) => void (permissions.device = handler),
    get availableSpellCheckerLanguages() {
      return state.availableLanguages
    },
    setSpellCheckerLanguages(languages: string[]) {
      const unknown = languages.find(each => !state.availableLanguages.includes(each))
      if (unknown !== undefined) throw new Error(`Unknown language ${unknown}`)
      state.spellingLanguages = languages
    },
    setSpellCheckerEnabled: (isOn: boolean) => void (state.checksSpelling = isOn),
    addWordToSpellCheckerDictionary: () => true,
  },
}

/** Reverses bytes instead of encrypting them. `backend` is what Linux would report. */
export const safeStorage = {
  available: true,
  backend: 'gnome_libsecret',
  stale: false,
  isAsyncEncryptionAvailable: async () => safeStorage.available,
  getSelectedStorageBackend: () => safeStorage.backend,
  encryptStringAsync: async (text: string) => Buffer.from(Buffer.from(text).toReversed()),
  decryptStringAsync: async (sealed: Buffer) => ({
    result: Buffer.from(sealed.toReversed()).toString(),
    shouldReEncrypt: safeStorage.stale,
  }),
}
