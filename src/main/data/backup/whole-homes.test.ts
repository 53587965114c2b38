import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aBackupJob, addChat, lastOf, putFiles } from '../../../../testing/data/a-home.ts'
import { aFolder, aStore, open } from '../../../../testing/db/a-store.ts'
import { makeVersion1 } from '../../../../testing/db/version-1.ts'
import { openBackup } from './read-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

const never = new AbortController().signal

test('every file of a home is restored byte for byte, or the backup says that it left it out', async () => {
  const name = fc.oneof(
    fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter(text => !/[/\0]/.test(text) && !/^\.{1,2}$/.test(text)),
    fc.constantFrom('.env', 'id_rsa', 'a:b', 'back\\slash', 'line\nbreak', 'notes.md', '.hidden'),
  )
  const folder = fc.constantFrom(
    'workspace',
    'skills',
    'memories',
    'archive/skills',
    'logs',
    'cache',
    'elsewhere',
  )
  // Names that differ only in case are the same on some systems.
  const files = fc.uniqueArray(fc.tuple(folder, name, fc.string({ unit: 'binary', maxLength: 200 })), {
    maxLength: 8,
    selector: ([where, what]) => `${where}/${what}`.normalize('NFC').toLowerCase(),
  })
  await fc.assert(
    fc.asyncProperty(files, fc.boolean(), async (given, keys) => {
      using home = aStore()
      using elsewhere = aFolder()
      const texts = Object.fromEntries(given.map(([where, what, text]) => [`${where}/${what}`, text]))
      putFiles(home.home, texts)
      const path = join(elsewhere.path, 'backup.zip')
      const restored = join(elsewhere.path, 'new')
      const done = await lastOf(writeBackup(aBackupJob(home, path, { wanted: { keys, files: true } }), never))
      await lastOf(restoreBackup({ path, folder: restored }, never))
      const { manifest } = await openBackup(path)
      expect(done).toMatchObject({ leftOut: manifest.leftOut })
      // Nobody would miss a cache.
      const isListed = (file: string) =>
        file.startsWith('cache/') ||
        manifest.leftOut.some(each => file === each.path || file.startsWith(`${each.path}/`))
      for (const file of Object.keys(texts)) {
        const bytes = readFileSync(join(home.home, file))
        if (!isListed(file)) expect(readFileSync(join(restored, file)).equals(bytes)).toBe(true)
      }
    }),
    { numRuns: 12 },
  )
})

test('a backup of an older Talaria is restored, and brought up to date at its first start', async () => {
  using old = aFolder()
  using elsewhere = aFolder()
  makeVersion1(old.path)
  const path = join(elsewhere.path, 'backup.zip')
  const home = { home: old.path, path: join(old.path, 'state.db') }
  await lastOf(writeBackup(aBackupJob(home, path), never))
  expect((await openBackup(path)).manifest.database).toBe(1)
  const folder = join(elsewhere.path, 'new')
  await lastOf(restoreBackup({ path, folder }, never))
  const { store, notices } = open(folder)
  expect(notices).toEqual([])
  addChat(store, 'It goes on')
  expect(store.sessions.list({ query: '', limit: 9, offset: 0 }).sessions.length).toBeGreaterThan(0)
  store.close()
})
