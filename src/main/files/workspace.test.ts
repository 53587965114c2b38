import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Fault } from '../../shared/rpc.ts'
import { defaultWorkspace, resolveAsked, resolveWorkspace } from './workspace.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-workspace-')))
})
afterEach(() => rmSync(folder, { recursive: true }))

const bad = (sentence: unknown) => ({ name: 'Fault', code: 'bad_input', message: sentence })

test('a folder is named by its real path', async () => {
  mkdirSync(join(folder, 'a'))
  symlinkSync('a', join(folder, 'link'))
  expect(await resolveWorkspace(join(folder, 'link', '..', 'link', '.'))).toBe(join(folder, 'a'))
  expect(await resolveWorkspace('~')).toBe(realpathSync(homedir()))
  expect(await resolveWorkspace(relative(process.cwd(), folder))).toBe(folder)
})

test.for([
  ['', 'Name a folder.'],
  ['  ', 'Name a folder.'],
  ['/a\0b', expect.stringContaining('null character')],
  ['/no/such/folder', 'There is no folder /no/such/folder.'],
  ['~/no/such/folder', `There is no folder ${join(homedir(), 'no/such/folder')}.`],
  ['~nobody-of-that-name', expect.stringMatching(/^There is no folder .*~nobody/)],
  [`/${'x'.repeat(4_000)}`, expect.stringMatching(/^There is no folder/)],
] as const)('%j is refused with a sentence', async ([given, sentence]) => {
  await expect(resolveWorkspace(given)).rejects.toEqual(expect.objectContaining(bad(sentence)))
})

test('a file and a circular link are not folders', async () => {
  writeFileSync(join(folder, 'file'), '')
  symlinkSync('circle', join(folder, 'circle'))
  const file = join(folder, 'file')
  await expect(resolveWorkspace(file)).rejects.toMatchObject(bad(`${file} is a file, not a folder.`))
  await expect(resolveWorkspace(join(file, 'x'))).rejects.toMatchObject(bad(`There is no folder ${file}/x.`))
  await expect(resolveWorkspace(join(folder, 'circle'))).rejects.toBeInstanceOf(Fault)
})

test('a remote client must name an absolute path', async () => {
  expect(await resolveAsked(folder)).toBe(folder)
  expect(await resolveAsked('~')).toBe(realpathSync(homedir()))
  for (const given of ['src', '.', '..', './src', '~x'])
    await expect(resolveAsked(given)).rejects.toMatchObject(bad(expect.stringContaining('the whole path')))
  await expect(resolveAsked('')).rejects.toMatchObject(bad('Name a folder.'))
})

test('by default new chats work in a folder of Talaria’s own, with a file that explains it', async () => {
  const own = join(folder, 'workspace')
  expect(await defaultWorkspace(folder, undefined)).toBe(own)
  expect(readFileSync(join(own, 'welcome.md'), 'utf8')).toMatch(/^# Welcome/)
  rmSync(join(own, 'welcome.md'))
  expect(await defaultWorkspace(folder, undefined)).toBe(own)
  expect(() => readFileSync(join(own, 'welcome.md'))).toThrow()
  expect(await defaultWorkspace(own, folder)).toBe(folder)
  await expect(defaultWorkspace(folder, folder)).rejects.toMatchObject(
    bad(expect.stringContaining('belongs to Talaria itself')),
  )
})
