import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Vault } from './vault.ts'
import { openSecrets } from './secrets.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'secrets-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const read = (name: string) => readFileSync(join(home, name), 'utf8')

/** A vault that only reverses bytes, unlike any real one. */
const aVault = (changes: Partial<Vault> = {}): Vault => ({
  seal: async text => Buffer.from(Buffer.from(text).toReversed()),
  open: async sealed => ({ text: Buffer.from(sealed.toReversed()).toString(), renew: false }),
  ...changes,
})

test('without a vault a key is stored in .env, which precedes the environment', async () => {
  const secrets = await openSecrets(home, { env: { A: 'env', B: 'env', EMPTY: '' } })
  await secrets.set('A', 'mine')
  expect(read('.env')).toBe('A=mine\n')
  expect(['A', 'B', 'EMPTY', 'C'].map(name => secrets.find(name))).toEqual([
    { key: 'mine', from: 'stored' },
    { key: 'env', from: 'environment' },
    undefined,
    undefined,
  ])
})

test('a key of the environment is read without blanks and quotes around it', async () => {
  const env = { A: '"sk-a"', B: " 'sk-b'\r", C: '"sk-c', D: '""' }
  const secrets = await openSecrets(home, { env })
  expect(Object.keys(env).map(name => secrets.get(name))).toEqual(['sk-a', 'sk-b', '"sk-c', undefined])
  expect(secrets.trace('A')).toMatchObject({ value: 'sk-a' })
})

test('with a vault a key is stored only sealed, and is available after a restart', async () => {
  const secrets = await openSecrets(home, { env: {}, openVault: async () => aVault() })
  await secrets.set('A', 'sk-abc')
  expect(read('keys.json')).not.toContain('sk-abc')
  expect((statSync(join(home, 'keys.json')).mode & 0o777).toString(8)).toBe('600')
  const again = await openSecrets(home, { env: {}, openVault: async () => aVault() })
  expect([again.get('A'), again.notices]).toEqual(['sk-abc', []])
  await again.set('A', undefined)
  expect((await openSecrets(home, { env: {}, openVault: async () => aVault() })).get('A')).toBeUndefined()
})

test('the vault stays closed until there is a key in it or for it', async () => {
  let opened = 0
  const openVault = async () => {
    opened++
    return aVault()
  }
  const secrets = await openSecrets(home, { env: {}, openVault })
  await secrets.set('A', undefined)
  const idle = opened
  await secrets.set('A', 'sk-1')
  await secrets.set('B', 'sk-2')
  const used = opened
  await openSecrets(home, { env: {}, openVault })
  expect([idle, used, opened]).toEqual([0, 1, 2])
})

test('without encryption by the system a new key is stored in .env, and a sealed one is reported and stays', async () => {
  const noVault = async () => undefined
  const fresh = await openSecrets(home, { env: {}, openVault: noVault })
  await fresh.set('A', 'sk-1')
  expect(read('.env')).toBe('A=sk-1\n')
  await (await openSecrets(home, { env: {}, openVault: async () => aVault() })).set('B', 'sk-2')
  const before = read('keys.json')
  const later = await openSecrets(home, { env: {}, openVault: noVault })
  await expect(later.set('B', 'sk-3')).rejects.toThrow('could not store the key')
  expect([later.get('B'), later.notices.length, read('keys.json')]).toEqual([undefined, 1, before])
  await later.set('B', undefined)
  expect(read('keys.json')).not.toContain('"B"')
})

test('a key written into .env by hand is used until another one replaces it', async () => {
  writeFileSync(join(home, '.env'), '# mine\nA=old\nB=2\n')
  const secrets = await openSecrets(home, { env: {}, openVault: async () => aVault() })
  expect(secrets.get('A')).toBe('old')
  await secrets.set('A', 'new')
  expect([secrets.get('A'), read('.env')]).toEqual(['new', '# mine\nB=2\n'])
})

test('a key that the system cannot open is reported and stays in the file', async () => {
  const secrets = await openSecrets(home, { env: {}, openVault: async () => aVault() })
  await secrets.set('A', 'sk-1')
  await secrets.set('B', 'sk-2')
  const before = read('keys.json')
  const forgetful = aVault({ open: async () => Promise.reject(new Error('no keychain: sk-1')) })
  const again = await openSecrets(home, { env: { A: 'env' }, openVault: async () => forgetful })
  expect([again.get('A'), again.notices.length, read('keys.json')]).toEqual(['env', 2, before])
  expect(JSON.stringify(again.notices)).not.toContain('sk-1')
})

test('a key is sealed again when the vault asks for it', async () => {
  await (await openSecrets(home, { env: {}, openVault: async () => aVault() })).set('A', 'sk-1')
  const vault = aVault({
    open: async () => ({ text: 'sk-1', renew: true }),
    seal: async () => Buffer.from('newer'),
  })
  await openSecrets(home, { env: {}, openVault: async () => vault })
  expect(JSON.parse(read('keys.json'))).toEqual({
    version: 1,
    keys: { A: Buffer.from('newer').toString('base64') },
  })
})

test('a key that cannot be stored leaves the old one in place', async () => {
  const secrets = await openSecrets(home, { env: {}, openVault: async () => aVault() })
  await secrets.set('A', 'old')
  const failing = await openSecrets(home, {
    env: {},
    openVault: async () => aVault({ seal: async () => Promise.reject(new Error('locked')) }),
  })
  await expect(failing.set('A', 'new')).rejects.toThrow('could not store the key')
  await expect(failing.set('A B', 'x')).rejects.toThrow('cannot be the name')
  expect(failing.get('A')).toBe('old')
})

test('a damaged key file is reported, and other keys still work', async () => {
  writeFileSync(join(home, 'keys.json'), '{"version":1,"keys":')
  const secrets = await openSecrets(home, { env: { A: 'env' }, openVault: async () => aVault() })
  expect([secrets.get('A'), secrets.notices.map(each => each.level)]).toEqual(['env', ['warning']])
})

test('printing the object does not show keys', async () => {
  writeFileSync(join(home, '.env'), 'A=SECRET\n')
  const secrets = await openSecrets(home, { env: { B: 'SECRET' }, openVault: async () => aVault() })
  await secrets.set('C', 'SECRET')
  expect(inspect(secrets, { depth: 9, showHidden: true }) + JSON.stringify(secrets)).not.toContain('SECRET')
  chmodSync(join(home, '.env'), 0o600)
})

test('where a key comes from is told, with its line, also for a key in a vault that is closed', async () => {
  await (await openSecrets(home, { env: {}, openVault: async () => aVault() })).set('V', 'sk-1')
  writeFileSync(join(home, '.env'), '# mine\nA=a\nEMPTY=\n')
  const env = { A: 'other', B: 'b', EMPTY: 'e' }
  const secrets = await openSecrets(home, { env })
  expect(['A', 'B', 'EMPTY', 'V', 'C'].map(name => secrets.trace(name))).toEqual([
    { source: { from: '.env', line: 2 }, value: 'a' },
    { source: { from: 'environment', line: null }, value: 'b' },
    { source: { from: 'environment', line: null }, value: 'e' },
    { source: { from: 'vault', line: null }, value: undefined },
    undefined,
  ])
  const opened = await openSecrets(home, { env, openVault: async () => aVault() })
  expect(opened.trace('V')).toEqual({ source: { from: 'vault', line: null }, value: 'sk-1' })
})

test('a broken line of .env is a notice that names it, and the keys in the other lines work', async () => {
  writeFileSync(join(home, '.env'), 'A=1\nMY KEY=sk-secret\nB="2\nC="3"\n')
  const secrets = await openSecrets(home, { env: {} })
  expect(secrets.notices).toEqual([
    {
      id: 'env-broken',
      level: 'warning',
      text: '.env: line 2: the name before “=” has a space in it. The line is left out.',
      fix: `Correct ${join(home, '.env')}. The keys in its other lines work.`,
    },
  ])
  expect(['A', 'B', 'C'].map(name => secrets.get(name))).toEqual(['1', undefined, '3'])
})
