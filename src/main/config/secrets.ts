import { join } from 'node:path'
import { chmodSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import type { Notice } from '../../shared/contract/app.ts'
import { Fault } from '../../shared/rpc.ts'
import type { OpenVault, Vault } from '../app/host-types.ts'
import { parseJson } from '../lib/expected-errors.ts'
import { readSmall, saveFile } from './home.ts'

/** API keys. The host sends each one only to its own server. */
export type Secrets = {
  /** The key of that name and its origin: stored, or else from the environment. */
  find(name: string): { key: string; from: 'stored' | 'environment' } | undefined
  get(name: string): string | undefined
  /** Store a key, or remove it with `undefined`. Rejects with a Fault when it cannot be stored. */
  set(name: string, value: string | undefined): Promise<void>
  /** What could not be read at the start. */
  readonly notices: readonly Notice[]
}

const File = z.object({ version: z.literal(1), keys: z.record(z.string(), z.string()) })

type Options = { env?: NodeJS.ProcessEnv; openVault?: OpenVault | undefined }

/**
 * Open the keys of a home folder. With a vault they are encrypted in `keys.json`; keys in `.env` count too,
 * because users add keys there by hand. The vault is opened only for a key that is stored or to be stored, because the
 * system may ask for a password. Never rejects: unreadable keys become a notice and stay in the file.
 */
export async function openSecrets(
  home: string,
  { env = process.env, openVault }: Options = {},
): Promise<Secrets> {
  let opening: Promise<Vault | undefined> | undefined
  const vaultOnce = () => (opening ??= openVault?.() ?? Promise.resolve(undefined))
  const path = join(home, 'keys.json')
  const file = openEnvFile(home)
  const open = new Map<string, string>()
  const sealed = new Map<string, string>()
  const notices: Notice[] = []
  if (openVault) await unseal()

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
    const stored = open.get(name) ?? file.get(name)
    if (stored !== undefined) return { key: stored, from: 'stored' }
    const outside = env[name]
    return outside === undefined || outside === '' ? undefined : { key: outside, from: 'environment' }
  }

  return {
    notices,
    find,
    get: name => find(name)?.key,
    async set(name, value) {
      const isSealed = sealed.has(name)
      const vault = value === undefined && !isSealed ? undefined : await vaultOnce()
      if (!vault && !isSealed) return file.set(name, value)
      if (!/^[A-Za-z_]\w*$/.test(name)) throw new Fault('bad_input', `“${name}” cannot be the name of a key.`)
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
      // An older key in `.env` would take effect again when this one is removed.
      if (file.get(name) !== undefined) file.set(name, undefined)
    },
  }
}

async function seal(vault: Vault | undefined, value: string): Promise<Buffer> {
  const refused = 'The system did not take the key for safe keeping. Try again.'
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
  fix: 'Enter the key of that server once more.',
})

/** Keys in `.env`, for this user alone. Throws a `not_ready` Fault when the file cannot be read or written. */
type EnvFile = {
  get(name: string): string | undefined
  /** Write a key, or remove it with `undefined`; the rest of the file stays as it is. */
  set(name: string, value: string | undefined): void
}

/** Open the `.env` of a home folder. Each call reads it again, so a manual edit counts at once. */
export function openEnvFile(home: string): EnvFile {
  const path = join(home, '.env')
  closeToOthers(path)
  return {
    get: name => parseEnv(readSmall(path) ?? '')[name],
    set(name, value) {
      if (!/^[A-Za-z_]\w*$/.test(name)) throw new Fault('bad_input', `“${name}” cannot be the name of a key.`)
      const old = readSmall(path) ?? ''
      const line = value === undefined ? '' : `${name}=${quote(value)}\n`
      const text = replaced(old, name, line)
      if (text !== old) saveFile(path, text, { mode: 0o600 })
    },
  }
}

/** Replace the line that sets the name, or append one. */
function replaced(text: string, name: string, line: string): string {
  const setting = new RegExp(
    String.raw`^[ \t]*(?:export[ \t]+)?${name}[ \t]*=[ \t]*(?:"[^"]*"|'[^']*'|\`[^\`]*\`|[^\n]*)[^\n]*\n?`,
    'gm',
  )
  let put = false
  const changed = text.replace(setting, () => {
    if (put) return ''
    put = true
    return line
  })
  if (put) return changed
  return text === '' || text.endsWith('\n') ? text + line : `${text}\n${line}`
}

/** Quote a value so that it reads back unchanged. Double quotes are the last choice, because `\n` is an escape in them. */
function quote(value: string): string {
  if (/^[\w.~+/=:@-]*$/.test(value)) return value
  const mark = ["'", '`', '"'].find(each => !value.includes(each))
  // eslint-disable-next-line no-control-regex
  if (mark === undefined || /[\u0000-\u001f\u007f]/.test(value) || (mark === '"' && value.includes('\\n'))) {
    throw new Fault(
      'bad_input',
      'A key is one line of text without control characters and without all three kinds of quotes.',
    )
  }
  return `${mark}${value}${mark}`
}

function closeToOthers(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats && process.platform !== 'win32' && (stats.mode & 0o077) !== 0) chmodSync(path, 0o600)
}
