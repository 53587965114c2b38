import { existsSync, lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MAY_NOTHING } from '../../../shared/contract/connections/agents.ts'
import { aPerson, anEntry, someConnections } from '../../../../testing/other-agents/a-connection.ts'
import { until } from '../../../../testing/until.ts'
import { claudeCode } from './claude-code.ts'
import { opencode } from './opencode.ts'
import { pi } from './pi.ts'

const FOLDER = '.talaria/connect/claude-code'

test('a link in place of the snapshot or of a file of ours is replaced, and what it names stays', async () => {
  using person = aPerson()
  const { apply, changed, set } = someConnections(person, [claudeCode])
  await apply('connect')
  Object.assign(set, {
    allowed: true,
    may: { ...MAY_NOTHING, user: true },
    entries: [anEntry('Likes tea.', { target: 'user' })],
  })
  for (const name of ['snapshot.json', 'talaria/hook.mjs']) {
    const own = person.write(`private-${name.replaceAll('/', '-')}`, 'mine')
    rmSync(person.at(FOLDER, name))
    symlinkSync(own, person.at(FOLDER, name))
  }
  changed()
  await until(
    () =>
      existsSync(person.at(FOLDER, 'snapshot.json')) &&
      person.read(`${FOLDER}/snapshot.json`).includes('Likes tea.'),
  )
  for (const name of ['snapshot.json', 'talaria/hook.mjs']) {
    expect(person.read(`private-${name.replaceAll('/', '-')}`)).toBe('mine')
    expect(lstatSync(person.at(FOLDER, name)).isSymbolicLink()).toBe(false)
  }
  await apply('remove')
  // Nor is the key written through a link.
  person.write('key-of-mine', 'mine')
  mkdirSync(person.at(FOLDER), { recursive: true })
  symlinkSync(person.at('key-of-mine'), person.at(FOLDER, 'key'))
  await apply('connect')
  expect(person.read('key-of-mine')).toBe('mine')
  expect(person.read(`${FOLDER}/key`)).toMatch(/^talaria-key/)
  expect(set.errors).toEqual([])
})

test('a folder of ours that became a link to another one is not written through', async () => {
  using person = aPerson()
  const { apply, changed, set } = someConnections(person, [claudeCode])
  await apply('connect')
  mkdirSync(person.at('elsewhere'))
  rmSync(person.at(FOLDER, 'talaria'), { recursive: true })
  symlinkSync(person.at('elsewhere'), person.at(FOLDER, 'talaria'))
  changed()
  const script = person.at(FOLDER, 'talaria/hook.mjs')
  await until(() => existsSync(script) || existsSync(person.at('elsewhere/hook.mjs')))
  expect(existsSync(person.at('elsewhere/hook.mjs'))).toBe(false)
  await apply('remove')
  expect(person.has(FOLDER)).toBe(false)
  expect(person.has('elsewhere')).toBe(true)
  expect(set.errors).toEqual([])
})

test.for([claudeCode, pi, opencode])(
  'two windows that apply $program at once: one does it, the other is told',
  async connector => {
    using person = aPerson()
    const { plan, applySeen, state } = someConnections(person, [connector])
    const { seen } = await plan('connect')
    const both = await Promise.allSettled([applySeen('connect', seen), applySeen('connect', seen)])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect((await state()).state).toMatch(/connected|changed/)
    const gone = (await plan('remove')).seen
    const removed = await Promise.allSettled([applySeen('remove', gone), applySeen('remove', gone)])
    expect(removed.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect((await state()).state).toBe('off')
  },
)
