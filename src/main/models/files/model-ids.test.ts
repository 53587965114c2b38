import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createModelIds, createSettingsReader } from './model-ids.ts'

let folder: string
let home: string
const put = (...path: string[]) => {
  const file = join(folder, ...path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, 'GGUF')
  return file
}
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-ids-')))
  home = join(folder, 'new', '.talaria')
  put('new', '.talaria', 'models', 'tea.gguf')
  put('new', '.talaria', 'models', 'maker', 'pot.gguf')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const now = (id: string, linked: string[] = []) => createModelIds(home, () => linked).idNow(id)

test('a file of the home has a name that moves with it, any other one its path', () => {
  const { idOf, localOf } = createModelIds(home)
  const own = join(home, 'models', 'maker', 'pot.gguf')
  expect([idOf(own), idOf('/far/pot.gguf'), idOf(join(home, 'models-2', 'x.gguf'))]).toEqual([
    'file:models/maker/pot.gguf',
    'file:/far/pot.gguf',
    `file:${join(home, 'models-2', 'x.gguf')}`,
  ])
  expect(localOf('file:models/maker/pot.gguf')?.path).toBe(own)
})

// Earlier paths of this home, as older versions stored them.
test.each([
  ['another folder', '/srv/data/.talaria/models/tea.gguf', 'models/tea.gguf'],
  ['another user', '/home/anna/.talaria/models/tea.gguf', 'models/tea.gguf'],
  ['a Mac', '/Users/anna/.talaria/models/maker/pot.gguf', 'models/maker/pot.gguf'],
  ['Windows', String.raw`C:\Users\Anna\.talaria\models\maker\pot.gguf`, 'models/maker/pot.gguf'],
  ['a drive', '/Volumes/Stick/talaria/models/tea.gguf', 'models/tea.gguf'],
  ['a share', String.raw`\\nas\anna\talaria\models\tea.gguf`, 'models/tea.gguf'],
  ['blanks and other letters', '/home/José M/Mes données/.talaria/models/tea.gguf', 'models/tea.gguf'],
  ['a folder named models above', '/data/models/home/models/tea.gguf', 'models/tea.gguf'],
])('a path below a former home means the file of this one: %s', (_, old, own) => {
  expect(now(`file:${old}`)).toBe(`file:${own}`)
})

test.each([
  ['a file that is not here', 'file:/old/.talaria/models/gone.gguf'],
  ['no folder of models', 'file:/old/.talaria/tea.gguf'],
  ['a way out of the folder', 'file:/old/models/../../tea.gguf'],
  ['the folder alone', 'file:/old/models'],
  ['a server', 'server:models/tea.gguf'],
  ['the built-in model', 'builtin'],
  ['its name of today', 'file:models/tea.gguf'],
  ['nothing', ''],
])('what is no file of a former home stays as it is: %s', (_, id) => {
  expect(now(id)).toBe(id)
})

test('a file elsewhere keeps its name while it is there or linked, but a copied home has its own', () => {
  const elsewhere = put('disk', 'models', 'tea.gguf')
  expect(now(`file:${elsewhere}`)).toBe(`file:${elsewhere}`)
  expect(now('file:/gone/models/tea.gguf', ['/gone/models/tea.gguf'])).toBe('file:/gone/models/tea.gguf')
  const original = put('old', '.talaria', 'models', 'tea.gguf')
  put('old', '.talaria', 'state.db')
  expect(now(`file:${original}`)).toBe('file:models/tea.gguf')
  put('new', '.talaria', 'state.db')
  symlinkSync(home, join(folder, 'by-link'))
  expect(now(`file:${join(folder, 'by-link', 'models', 'tea.gguf')}`)).toBe('file:models/tea.gguf')
})

test('no name leads out of the folder of models', () => {
  const { localOf } = createModelIds(home)
  for (const id of ['file:models/../../secret.gguf', 'file:models/', 'file:tea.gguf', 'file:', 'server:x'])
    expect(localOf(id)).toBe(undefined)
})

test('settings are read with the names of today, and options under the newer name win', () => {
  const old = 'file:/old/.talaria/models/tea.gguf'
  const models = {
    default: old,
    fast: old,
    fallback: ['server:a', old],
    auxiliary: { summary: 'chat', draft: old, recap: 'auto', vision: 'chat' },
    options: { 'file:models/tea.gguf': { threads: 1 }, [old]: { threads: 2 }, builtin: { threads: 3 } },
  }
  const read = createSettingsReader<typeof models>(createModelIds(home))
  const own = 'file:models/tea.gguf'
  expect(read(models)).toEqual({
    default: own,
    fast: own,
    fallback: ['server:a', own],
    auxiliary: { summary: 'chat', draft: own, recap: 'auto', vision: 'chat' },
    options: { [own]: { threads: 1 }, builtin: { threads: 3 } },
  })
  expect(read(models)).toBe(read(models))
})
