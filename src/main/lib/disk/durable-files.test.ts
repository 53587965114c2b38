import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { renamePatiently, writeAtomic } from './durable-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'write-atomic-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const failing = (times: number, code: string) => {
  let calls = 0
  return {
    rename: () => {
      calls += 1
      if (calls <= times) throw Object.assign(new Error(code), { code })
    },
    calls: () => calls,
  }
}

test('new content replaces the old, and no other file is left in the folder', () => {
  const path = join(folder, 'a.txt')
  writeAtomic(path, 'old')
  writeAtomic(path, Buffer.from('new'))
  expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['new', ['a.txt']])
})

test('a mode can be set, and later writes keep it', () => {
  const path = join(folder, '.env')
  writeAtomic(path, 'A=1', { mode: 0o600 })
  writeAtomic(path, 'A=2')
  expect([modeOf(path), readFileSync(path, 'utf8')]).toEqual(['600', 'A=2'])
})

test('a file behind a symbolic link is replaced, and the link stays', () => {
  const real = join(folder, 'real.yaml')
  const link = join(folder, 'link.yaml')
  writeFileSync(real, 'old')
  symlinkSync(real, link)
  writeAtomic(link, 'new')
  expect([readFileSync(real, 'utf8'), readdirSync(folder).toSorted()]).toEqual([
    'new',
    ['link.yaml', 'real.yaml'],
  ])
})

test('a failed write leaves the target unchanged and no temporary file', () => {
  const path = join(folder, 'taken')
  mkdirSync(join(path, 'full'), { recursive: true })
  expect(() => writeAtomic(path, 'text')).toThrow(/EISDIR|ENOTEMPTY|EEXIST|EPERM/)
  expect([existsSync(join(path, 'full')), readdirSync(folder)]).toEqual([true, ['taken']])
})

test('on Windows a rename that fails briefly is retried', () => {
  const busy = failing(3, 'EBUSY')
  renamePatiently(busy.rename, 'win32')
  expect(busy.calls()).toBe(4)
})

test.for([
  ['linux', 'EPERM'],
  ['win32', 'ENOSPC'],
] as const)('on %s %s is not retried', ([platform, code]) => {
  const refused = failing(1, code)
  expect(() => renamePatiently(refused.rename, platform)).toThrow(code)
  expect(refused.calls()).toBe(1)
})
