import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aHome } from '../../../testing/host/a-host.ts'
import { examineComputer, surroundingsHere, type Check, type Surroundings } from './examine-computer.ts'

// The terminal output of these checks is tested in cli/installation/app-commands.test.ts.

const stopped = AbortSignal.abort()

/** The checks by name, the last of each name. With a stopped signal, the engine is not tried. */
async function examine(home: string, signal = stopped, modelPath?: string): Promise<Map<string, Check>> {
  const checks = new Map<string, Check>()
  for await (const check of examineComputer(home, surroundingsHere(false), signal, modelPath))
    checks.set(check.name, check)
  return checks
}

test('an empty home has nothing wrong, and an examination that is stopped does not try the engine', async () => {
  using home = aHome()
  const checks = await examine(home.path)
  expect([...checks.values()].filter(({ state }) => state === 'bad')).toEqual([])
  expect(checks.get('Settings')).toMatchObject({ state: 'good' })
  expect(checks.get('Models')).toMatchObject({
    text: '0 linked files, 0 servers; new chats use the built-in demo model.',
  })
  expect(checks.get('Updates')?.text).toMatch(/looks for a newer version/)
  expect([checks.has('Local engine'), checks.has('Git')]).toEqual([false, false])
})

test('a home that cannot be used ends the examination with the reason', async () => {
  using home = aHome()
  const path = join(home.path, 'a-file')
  writeFileSync(path, 'in the way')
  const checks = await examine(path)
  expect([...checks.keys()]).toEqual(['System', 'Processor', 'Memory', 'Home folder'])
  expect(checks.get('Home folder')).toMatchObject({
    state: 'bad',
    text: expect.stringContaining('a file is in the way') as string,
  })
})

test('several wrong settings are counted, and one that is only unknown is a note', async () => {
  using home = aHome()
  const config = join(home.path, 'config.yaml')
  writeFileSync(config, 'ui:\n  theme: purple\n  send_with: pigeon\nupdates:\n  check_at_start: true\n')
  const wrong = await examine(home.path)
  expect(wrong.get('Settings')).toMatchObject({
    state: 'bad',
    text: expect.stringMatching(/ui\.theme is "purple".*\(line 2\) And 1 more\.$/) as string,
    fix: expect.stringContaining(config) as string,
  })
  expect(wrong.get('Updates')?.text).toContain('at every start')
  writeFileSync(config, 'ui:\n  thme: dark\n')
  expect((await examine(home.path)).get('Settings')).toMatchObject({ state: 'note' })
})

test('a file that is not a database is bad, and so is a folder in its place', async () => {
  using home = aHome()
  const path = join(home.path, 'state.db')
  writeFileSync(path, 'This is not a database.')
  expect((await examine(home.path)).get('Chats')).toMatchObject({
    state: 'bad',
    text: expect.stringContaining('it is not a database') as string,
  })
  using other = aHome()
  mkdirSync(join(other.path, 'state.db'))
  expect((await examine(other.path)).get('Chats')).toMatchObject({ state: 'bad' })
})

test('a model that cannot be loaded is named with a way on, and the rest is examined all the same', async () => {
  using home = aHome()
  const model = join(home.path, 'models', 'torn.gguf')
  mkdirSync(join(home.path, 'models'))
  writeFileSync(model, 'GGUF and nothing more')
  writeFileSync(join(home.path, 'config.yaml'), `models:\n  files: [${model}]\n  default: "file:${model}"\n`)
  const checks = await examine(home.path, new AbortController().signal, model)
  expect(checks.get('Models')).toMatchObject({
    state: 'note',
    text: expect.stringContaining('torn.gguf') as string,
  })
  expect(checks.get('Local engine')).toMatchObject({
    state: 'bad',
    text: expect.stringContaining('torn.gguf') as string,
  })
  expect(checks.get('Local engine')?.fix).not.toBe('')
  expect(checks.get('Window')).toMatchObject({ state: 'note' })
  expect(checks.get('Git')?.text).toMatch(/^git /)
})

/** The state and the text of a check on a computer that differs from this one. */
async function onComputer(name: string, computer: Partial<Surroundings>): Promise<string> {
  using home = aHome()
  const around = { ...surroundingsHere(false), platform: 'linux-x64', ...computer }
  for await (const check of examineComputer(home.path, around, stopped))
    if (check.name === name) return `${check.state}: ${check.text}`
  return ''
}

test('a computer that cannot run models, or only slowly, is told so', async () => {
  expect(await onComputer('System', { platform: 'freebsd-x64' })).toMatch(/^bad: freebsd-x64 is not a system/)
  expect(await onComputer('Processor', { processors: 'flags : sse4_2' })).toMatch(/^note: .*without AVX2/)
  expect(await onComputer('Processor', { processors: 'flags : avx2' })).toMatch(/^good: .*AVX2$/)
  expect(await onComputer('Processor', { platform: 'darwin-arm64', processors: '' })).toMatch(/^good/)
  expect(await onComputer('Memory', { freeMemory: 2 ** 30 })).toMatch(/^note: .*only very small models fit/)
  expect(await onComputer('Memory', { freeMemory: 2 ** 33 })).toMatch(/^good/)
})
