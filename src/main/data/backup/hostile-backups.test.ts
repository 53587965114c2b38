import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aZip, type Packed } from '../../../../testing/a-zip.ts'
import { aBackupJob, aHome, lastOf } from '../../../../testing/data/a-home.ts'
import { aFolder } from '../../../../testing/db/a-store.ts'
import { VERSION } from '../../db/file/migrate.ts'
import { nameFlaw, DATABASE, FORMAT, MANIFEST, type Manifest } from './manifest.ts'
import { openBackup } from './read-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

const never = new AbortController().signal

const aManifest = (files: readonly Packed[], given: Partial<Manifest> = {}): string =>
  JSON.stringify({
    talaria: 'backup',
    format: FORMAT,
    version: '1.0.0',
    database: VERSION,
    kind: 'manual',
    createdAt: 0,
    home: '/home/ann/.talaria',
    hasKeys: false,
    chats: [],
    files: files.map(({ name, content, claims }) => ({
      name,
      bytes: claims ?? Buffer.byteLength(content as string),
    })),
    leftOut: [],
    ...given,
  })

/** A zip with a manifest that matches it. */
const aBackup = (files: readonly Packed[], given?: Partial<Manifest>): Buffer =>
  aZip([...files, { name: MANIFEST, content: aManifest(files, given) }])

const database: Packed = { name: DATABASE, content: 'no database' }

/** Restore a file with these bytes; return the refusal, and what is left next to the folder. */
async function refusal(bytes: Buffer): Promise<{ refused: string; left: string[] }> {
  using folder = aFolder()
  const path = join(folder.path, 'backup.zip')
  writeFileSync(path, bytes)
  const restoring = lastOf(restoreBackup({ path, folder: join(folder.path, 'new') }, never))
  const refused = await restoring.then(
    () => 'nothing',
    (error: Error) => `${error.name}: ${error.message}`,
  )
  return { refused, left: readdirSync(folder.path) }
}

const cases: readonly (readonly [string, Buffer, string])[] = [
  ['text', Buffer.from('not a zip at all'), 'is no zip, or only a part of one'],
  ['an empty file', Buffer.alloc(0), 'is no zip, or only a part of one'],
  ['a zip of something else', aZip([{ name: 'photo.jpg', content: 'x' }]), 'is not a backup of Talaria'],
  ['a list that is no JSON', aZip([{ name: MANIFEST, content: '{' }]), 'is not a backup of Talaria'],
  [
    'a list without its fields',
    aZip([{ name: MANIFEST, content: `{"talaria":"backup","format":1,"database":1}` }]),
    'its list of contents cannot be read',
  ],
  ['a newer format', aBackup([database], { format: FORMAT + 1 }), 'made by a newer Talaria'],
  ['a newer database', aBackup([database], { database: VERSION + 1 }), 'made by a newer Talaria'],
  [
    'a path that leads out',
    aBackup([database, { name: '../evil', content: 'x' }]),
    'its name leads elsewhere',
  ],
  [
    'a path that leads out below',
    aBackup([database, { name: 'skills/../../evil', content: 'x' }]),
    'its name leads elsewhere',
  ],
  [
    'an absolute path',
    aBackup([database, { name: '/etc/passwd', content: 'x' }]),
    'its name leads elsewhere',
  ],
  [
    'a path of Windows',
    aBackup([database, { name: 'skills\\..\\evil', content: 'x' }]),
    'its name has a “\\” or a “:”',
  ],
  ['a drive', aBackup([database, { name: 'C:evil', content: 'x' }]), 'its name has a “\\” or a “:”'],
  [
    'a null in a name',
    aBackup([database, { name: 'skills/a\0b', content: 'x' }]),
    'characters that are not text',
  ],
  ['a folder', aBackup([database, { name: 'skills/', content: '' }]), 'its name leads elsewhere'],
  [
    'a file that no backup has',
    aBackup([database, { name: '.lock', content: 'x' }]),
    'it does not belong in a backup',
  ],
  [
    'the log of a database',
    aBackup([database, { name: 'state.db-wal', content: 'x' }]),
    'it does not belong in a backup',
  ],
  [
    'a foreign folder',
    aBackup([database, { name: 'startup/run.sh', content: 'x' }]),
    'it does not belong in a backup',
  ],
  [
    'a file twice',
    aBackup([database, { name: 'SOUL.md', content: 'a' }, { name: 'SOUL.md', content: 'b' }]),
    'it contains a file twice',
  ],
  ['no database', aBackup([{ name: 'SOUL.md', content: 'x' }]), 'it contains no chats'],
  [
    'a file that is not listed',
    aZip([database, { name: 'SOUL.md', content: 'x' }, { name: MANIFEST, content: aManifest([database]) }]),
    'is not what its list of contents says',
  ],
  [
    'a listed file that is missing',
    aZip([database, { name: MANIFEST, content: aManifest([database, { name: 'SOUL.md', content: 'x' }]) }]),
    'is missing',
  ],
  ['a locked file', aBackup([{ ...database, flags: 1 }]), 'locked with a password'],
  [
    'a bomb that says its size',
    aBackup([database, { name: 'workspace/zeros', content: Buffer.alloc(200_000_000) }]),
    'far larger than a backup can be',
  ],
  [
    'a bomb that lies about its size',
    aBackup([database, { name: 'workspace/zeros', content: Buffer.alloc(2_000_000), claims: 10 }]),
    'is damaged',
  ],
  [
    'a database that is none',
    aBackup([database]),
    'The database in backup.zip cannot be used: it is not a database',
  ],
]

test.for(cases)('%s is refused in words, and nothing is left', async ([, bytes, words]) => {
  const { refused, left } = await refusal(bytes)
  expect(refused).toMatch(/^Fault: /)
  expect(refused).toContain(words)
  expect(left).toEqual(['backup.zip'])
})

test('a link in a backup is refused', async () => {
  const bytes = aBackup([database, { name: 'skills/link', content: '/etc/passwd' }])
  // The creator of the entry is Unix, and its mode is that of a link.
  const at = bytes.lastIndexOf('skills/link') - 46
  bytes[at + 5] = 3
  bytes.writeUInt16LE(0o120777, at + 40)
  const { refused, left } = await refusal(bytes)
  expect(refused).toContain('is a link or a device')
  expect(left).toEqual(['backup.zip'])
})

test('a backup that was cut or changed anywhere is refused, or it restores the same', async () => {
  using home = aHome()
  using folder = aFolder()
  const path = join(folder.path, 'good.zip')
  await lastOf(writeBackup(aBackupJob(home, path), never))
  const whole = readFileSync(path)
  await fc.assert(
    fc.asyncProperty(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 0, max: 255 }),
      async (share, byte) => {
        const at = Math.floor(share * (whole.length - 1))
        const cut = await refusal(whole.subarray(0, at))
        expect(cut.refused).toMatch(/^Fault: /)
        expect(cut.left).toEqual(['backup.zip'])
        const changed = Buffer.from(whole)
        changed[at] = byte
        const { refused, left } = await refusal(changed)
        expect([['backup.zip'], ['backup.zip', 'new']]).toContainEqual(left)
        expect(refused).toMatch(left.length === 1 ? /^Fault: / : /^nothing$/)
      },
    ),
    { numRuns: 40 },
  )
})

test('no name that may be in a backup leads out of a folder', () => {
  const piece = fc.constantFrom(
    '..',
    '.',
    '',
    'skills',
    'workspace',
    'memories',
    'a b',
    'é',
    '\\',
    ':',
    '\0',
    '...',
    '~',
  )
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), pieces => {
      const name = pieces.join('/')
      if (nameFlaw(name) !== undefined) return
      expect(join('/home/new', name)).toBe(`/home/new/${name}`)
      expect(name).toMatch(/^(skills|workspace|memories)(\/|$)/)
    }),
  )
})

test.skipIf(process.platform === 'win32')('what is no file is said to be what it is', async () => {
  using folder = aFolder()
  const pipe = join(folder.path, 'backup.zip')
  execFileSync('mkfifo', [pipe])
  await expect(openBackup(pipe)).rejects.toThrow('is a pipe, not a backup')
  await expect(openBackup(folder.path)).rejects.toThrow('is a folder, not a backup')
  await expect(openBackup('/dev/null')).rejects.toThrow('is a device, not a backup')
})
