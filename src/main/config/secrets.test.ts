import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Vault } from '../app/host-types.ts'
import { openSecrets } from './secrets.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'secrets-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const read = (name: string) => readFileSync(join(home, name), 'utf8')

/** A vault that only turns bytes round, as no real one does. */
const aVault = (changes: Partial<Vault> = {}): Vault => ({
  seal: async text => Buffer.from(Buffer.from(text).toReversed()),
  open: async sealed => ({ text: Buffer.from(sealed.toReversed()).toString(), renew: false }),
  ...changes,
})

test('without a vault a key is kept in .env, and one there goes before one in the environment', async () => {
  const secrets = await openSecrets(home, { env: { A: 'env', B: 'env', EMPTY: '' } })
  await secrets.set('A', 'mine')
  expect([secrets.kept, read('.env')]).toEqual(['file', 'A=mine\n'])
  expect(['A', 'B', 'EMPTY', 'C'].map(name => secrets.find(name))).toEqual([
    { key: 'mine', from: 'stored' },
    { key: 'env', from: 'environment' },
    undefined,
    undefined,
  ])
})

test('with a vault a key is on the disk only as the vault gave it, and is there after a restart', async () => {
  const secrets = await openSecrets(home, { env: {}, vault: aVault() })
  await secrets.set('A', 'sk-abc')
  expect(secrets.kept).toBe('system')
  expect(read('keys.json')).not.toContain('sk-abc')
  expect((statSync(join(home, 'keys.json')).mode & 0o777).toString(8)).toBe('600')
  const again = await openSecrets(home, { env: {}, vault: aVault() })
  expect([again.get('A'), again.notices]).toEqual(['sk-abc', []])
  await again.set('A', undefined)
  expect((await openSecrets(home, { env: {}, vault: aVault() })).get('A')).toBeUndefined()
})

test('a key that a person wrote into .env counts, until another one takes its place', async () => {
  writeFileSync(join(home, '.env'), '# mine\nA=old\nB=2\n')
  const secrets = await openSecrets(home, { env: {}, vault: aVault() })
  expect(secrets.get('A')).toBe('old')
  await secrets.set('A', 'new')
  expect([secrets.get('A'), read('.env')]).toEqual(['new', '# mine\nB=2\n'])
})

test('a key that the system does not give back is told of and stays in the file', async () => {
  const secrets = await openSecrets(home, { env: {}, vault: aVault() })
  await secrets.set('A', 'sk-1')
  await secrets.set('B', 'sk-2')
  const before = read('keys.json')
  const forgetful = aVault({ open: async () => Promise.reject(new Error('no keychain: sk-1')) })
  const again = await openSecrets(home, { env: { A: 'env' }, vault: forgetful })
  expect([again.get('A'), again.notices.length, read('keys.json')]).toEqual(['env', 2, before])
  expect(JSON.stringify(again.notices)).not.toContain('sk-1')
})

test('what the vault wants to be sealed anew is sealed anew at once', async () => {
  await (await openSecrets(home, { env: {}, vault: aVault() })).set('A', 'sk-1')
  const vault = aVault({
    open: async () => ({ text: 'sk-1', renew: true }),
    seal: async () => Buffer.from('newer'),
  })
  await openSecrets(home, { env: {}, vault })
  expect(JSON.parse(read('keys.json'))).toEqual({
    version: 1,
    keys: { A: Buffer.from('newer').toString('base64') },
  })
})

test('a key that cannot be kept leaves the old one', async () => {
  const secrets = await openSecrets(home, { env: {}, vault: aVault() })
  await secrets.set('A', 'old')
  const failing = await openSecrets(home, {
    env: {},
    vault: aVault({ seal: async () => Promise.reject(new Error('locked')) }),
  })
  await expect(failing.set('A', 'new')).rejects.toThrow('did not take the key')
  await expect(failing.set('A B', 'x')).rejects.toThrow('cannot be the name')
  expect(failing.get('A')).toBe('old')
})

test('a file of keys that is damaged is told of, and other keys go on', async () => {
  writeFileSync(join(home, 'keys.json'), '{"version":1,"keys":')
  const secrets = await openSecrets(home, { env: { A: 'env' }, vault: aVault() })
  expect([secrets.get('A'), secrets.notices.map(each => each.level)]).toEqual(['env', ['warning']])
})

test('keys do not show when the object is printed', async () => {
  writeFileSync(join(home, '.env'), 'A=SECRET\n')
  const secrets = await openSecrets(home, { env: { B: 'SECRET' }, vault: aVault() })
  await secrets.set('C', 'SECRET')
  expect(inspect(secrets, { depth: 9, showHidden: true }) + JSON.stringify(secrets)).not.toContain('SECRET')
  chmodSync(join(home, '.env'), 0o600)
})
