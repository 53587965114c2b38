import { join } from 'node:path'
import { z } from 'zod'
import type { Notice } from '../../shared/contract/app.ts'
import type { Source } from '../../shared/contract/settings.ts'
import { Fault } from '../../shared/rpc.ts'
import type { OpenVault, Vault } from './vault.ts'
import { parseJson } from '../lib/expected-errors.ts'
import { checkKeyName, openEnvFile, readEnv, readOnce, type EnvText } from './env-file.ts'
import { readSmall, saveFile } from './home.ts'

/** API keys. The host sends each one only to its own server. */
export type Secrets = {
  /** Return the key of this name with its origin: stored, or else from the environment. */
  find(name: string): { key: string; from: 'stored' | 'environment' } | undefined
  get(name: string): string | undefined
  /**
   * Return where a key comes from, even if a file cannot be read. `value` is undefined for a key in a vault
   * that only the desktop app opens.
   */
  trace(name: string): { source: Source; value: string | undefined } | undefined
  /** Run synchronous work that reads many keys, parsing `.env` only once. */
  readOnce?<T>(work: () => T): T
  readonly envPath: string
  /** Store a key, or remove it with `undefined`. Rejects with a Fault if it cannot be stored. */
  set(name: string, value: string | undefined): Promise<void>
  /** Notices about what could not be read at the start. */
  readonly notices: readonly Notice[]
}

/** The prefix of keys that were moved out of MCP server entries. */
export const MCP_KEY = 'MCP_'

const File = z.object({ version: z.literal(1), keys: z.record(z.string(), z.string()) })

type Options = { env?: NodeJS.ProcessEnv; openVault?: OpenVault | undefined }

/**
 * Open the keys of a home folder. With a vault they are encrypted in `keys.json`; keys in `.env` count too,
 * because users add keys there by hand. The vault is opened only to read or store a key, because the system
 * may ask for a password. Never rejects: unreadable keys become a notice and stay in the file.
 */
export async function openSecrets(
  home: string,
  { env = process.env, openVault }: Options = {},
): Promise<Secrets> {
  let opening: Promise<Vault | undefined> | undefined
  const vaultOnce = () => (opening ??= openVault?.() ?? Promise.resolve(undefined))
  const path = join(home, 'keys.json')
  const envPath = join(home, '.env')
  const file = openEnvFile(envPath)
  const open = new Map<string, string>()
  const sealed = new Map<string, string>()
  const notices: Notice[] = []
  if (openVault) await unseal()
  const [broken] = readEnvFile().broken
  if (broken)
    notices.push({
      id: 'env-broken',
      level: 'warning',
      text: `.env: line ${broken.line}: ${broken.text}. The line is left out.`,
      fix: `Correct ${envPath}. The keys in its other lines work.`,
    })

  async function unseal(): Promise<void> {
    const raw = File.safeParse(parseJson(readOr(path, notices) ?? '{"version":1,"keys":{}}'))
    if (!raw.success) {
      notices.push(unreadable(path, 'it is damaged'))
      return
    }
    const keys = Object.entries(raw.data.keys)
    const vault = keys.length === 0 ? undefined : await vaultOnce()
    let renewed = false
    for (const [name, text] of keys) {
      sealed.set(name, text)
      try {
        if (!vault) throw new Error('There is no vault.')
        const { text: key, renew } = await vault.open(Buffer.from(text, 'base64'))
        open.set(name, key)
        if (!renew) continue
        sealed.set(name, (await vault.seal(key)).toString('base64'))
        renewed = true
      } catch {
        // Do not quote the system's error: its text may hold parts of a key.
        notices.push(unreadable(path, `the system does not give ${name} back`))
      }
    }
    try {
      if (renewed) write()
    } catch (error) {
      // The old ciphertext still works, and the next start tries again.
      if (!(error instanceof Fault)) throw error
    }
  }

  function write(): void {
    const text = JSON.stringify({ version: 1, keys: Object.fromEntries(sealed) }, null, 2)
    saveFile(path, `${text}\n`, { mode: 0o600 })
  }

  function find(name: string): ReturnType<Secrets['find']> {
    const stored = open.get(name) || file.get(name)
    if (stored) return { key: stored, from: 'stored' }
    const outside = bareKey(env[name])
    return outside === '' ? undefined : { key: outside, from: 'environment' }
  }

  /** Return whether a name is in the vault's file, without opening the vault. */
  function isInVault(name: string): boolean {
    if (openVault) return sealed.has(name)
    const raw = File.safeParse(parseJson(readOr(path, []) ?? ''))
    return raw.success && Object.hasOwn(raw.data.keys, name)
  }

  function readEnvFile(): EnvText {
    try {
      return file.read()
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      return readEnv('')
    }
  }

  function trace(name: string): ReturnType<Secrets['trace']> {
    const from = (from: Source['from'], value: string | undefined, line: number | null = null) => ({
      source: { from, line },
      value,
    })
    if (open.has(name)) return from('vault', open.get(name))
    const { values, lines } = readEnvFile()
    if (values[name]) return from('.env', values[name], lines.get(name) ?? null)
    const outside = bareKey(env[name])
    if (outside !== '') return from('environment', outside)
    return isInVault(name) ? from('vault', undefined) : undefined
  }

  return {
    notices,
    find,
    trace,
    readOnce,
    envPath,
    get: name => find(name)?.key,
    async set(name, value) {
      const isSealed = sealed.has(name)
      const vault = value === undefined && !isSealed ? undefined : await vaultOnce()
      if (!vault && !isSealed) return file.set(name, value)
      checkKeyName(name)
      const [wasSealed, wasOpen] = [sealed.get(name), open.get(name)]
      if (value === undefined) {
        sealed.delete(name)
        open.delete(name)
      } else {
        sealed.set(name, (await seal(vault, value)).toString('base64'))
        open.set(name, value)
      }
      try {
        write()
      } catch (error) {
        restore(sealed, name, wasSealed)
        restore(open, name, wasOpen)
        throw error
      }
      // An older key in `.env` would take effect again once this one is removed.
      if (file.get(name) !== undefined) file.set(name, undefined)
    },
  }
}

async function seal(vault: Vault | undefined, value: string): Promise<Buffer> {
  const refused = 'The system could not store the key. Try again.'
  if (!vault) throw new Fault('not_ready', refused)
  return vault.seal(value).catch(() => {
    throw new Fault('not_ready', refused)
  })
}

function restore(map: Map<string, string>, name: string, value: string | undefined): void {
  if (value === undefined) map.delete(name)
  else map.set(name, value)
}

function readOr(path: string, notices: Notice[]): string | undefined {
  try {
    return readSmall(path)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    notices.push(unreadable(path, 'it cannot be opened'))
    return undefined
  }
}

const unreadable = (path: string, why: string): Notice => ({
  id: `keys-${why}`,
  level: 'warning',
  text: `A key in ${path} cannot be read: ${why}.`,
  fix: 'Enter the key of that server again.',
})

/** Strip spaces and quotes around a variable, left by `docker --env-file` and some shells; keys have none. */
const bareKey = (value = ''): string => value.trim().replace(/^(["'])(.*)\1$/, '$2')
