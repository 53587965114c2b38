import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listZip } from '../../lib/disk/zip.ts'
import { exportSkills } from './export-skills.ts'
import {
  aSkill,
  openTestLibrary,
  YOU,
  type TestLibrary,
} from '../../../../testing/skills/an-import-library.ts'
import { isRefusal } from '../../lib/expected-errors.ts'

let desk: TestLibrary
beforeEach(() => {
  desk = openTestLibrary()
})
afterEach(() => desk.close())

const all = () => desk.library.list().map(({ found }) => found)
const namesIn = (bytes: Uint8Array) => Object.keys(unzipSync(bytes)).toSorted()

test('each skill is a folder; executables stay executable, links are left out, and the bytes are reproducible', async () => {
  const at = desk.write({
    'home/skills/writing/haiku/SKILL.md': aSkill('haiku'),
    'home/skills/writing/haiku/scripts/x.sh': '#!/bin/sh\n',
    'home/skills/plan/SKILL.md': aSkill('plan'),
  })
  chmodSync(at('home/skills/writing/haiku/scripts/x.sh'), 0o755)
  if (process.platform !== 'win32') symlinkSync('/etc/passwd', at('home/skills/plan/link.md'))
  const { name, bytes } = exportSkills(all())
  expect([name, namesIn(bytes)]).toEqual([
    'skills.zip',
    ['haiku/SKILL.md', 'haiku/scripts/x.sh', 'plan/SKILL.md'],
  ])
  expect(exportSkills(all().toReversed()).bytes).toEqual(bytes)
  writeFileSync(at('out.zip'), bytes)
  const modes = (await listZip(at('out.zip'))).map(entry => [entry.name, entry.mode & 0o777])
  expect(Object.fromEntries(modes)).toEqual({
    'haiku/SKILL.md': 0o644,
    'haiku/scripts/x.sh': process.platform === 'win32' ? 0o644 : 0o755,
    'plan/SKILL.md': 0o644,
  })
})

test('a single skill gives its name to the zip, and an export can be imported unchanged', async () => {
  const text = aSkill('haiku', 'Grüße 俳句', 'version: 2\n')
  const at = desk.write({ 'home/skills/haiku/SKILL.md': text, 'home/skills/haiku/references/a b.md': 'x' })
  mkdirSync(at('home/skills/haiku/assets'))
  const picture = Buffer.from(Array.from({ length: 5_000 }, (_, n) => (n * 7) % 256))
  writeFileSync(at('home/skills/haiku/assets/a.png'), picture)
  const { name, bytes } = exportSkills(all())
  expect(name).toBe('haiku.zip')
  writeFileSync(at(name), bytes)
  const { id, leftOut } = await desk.imports.fetch(
    { kind: 'path', path: at(name) },
    new AbortController().signal,
  )
  const done = await desk.installShown(id, [{ path: 'haiku', as: 'haiku-too' }], YOU)
  if (isRefusal(done)) throw new Error(done.refused)
  expect(leftOut).toEqual([])
  const { folder } = desk.library.get(done.ids[0]!)!.found
  expect(readFileSync(join(folder, 'SKILL.md'), 'utf8')).toBe(text.replace('name: haiku', 'name: haiku-too'))
  expect(readFileSync(join(folder, 'assets/a.png'))).toEqual(picture)
  expect(readFileSync(join(folder, 'references/a b.md'), 'utf8')).toBe('x')
})
