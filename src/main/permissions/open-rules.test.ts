import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { OBEYED_FILES, type PermissionRule } from '../../shared/contract/runs/permissions.ts'
import { openRules, type NewRule } from './open-rules.ts'
import { readRules, writeRules } from './rules-file.ts'

const aRule = (given: Partial<NewRule> = {}): NewRule => ({
  effect: 'allow',
  tool: 'terminal',
  command: ['npm', 'test'],
  more: false,
  folder: '/home/ada',
  network: false,
  unconfined: false,
  by: 'settings',
  ...given,
})

function open(text?: string) {
  const home = mkdtempSync(join(tmpdir(), 'talaria-rules-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const path = join(home, 'permissions.json')
  if (text !== undefined) writeFileSync(path, text)
  const changes: { outside: boolean; notice: unknown }[] = []
  let now = 1_000
  const reopen = () => openRules({ home, now: () => ++now, onChange: change => changes.push(change) })
  return { path, changes, reopen, rules: reopen() }
}
const effects = (rules: readonly PermissionRule[]) => rules.map(rule => rule.effect)

test('rules survive a restart, in a file that only the user may open', () => {
  const { rules, reopen, path, changes } = open()
  expect(rules.current()).toEqual([])
  const added = rules.add([aRule(), aRule({ effect: 'never', command: ['git', 'push'], folder: null })])
  expect(added).toHaveLength(2)
  expect(reopen().current()).toEqual(rules.current())
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(changes).toEqual([{ outside: false, notice: undefined }])
})

test('a rule for the same thing replaces the older one', () => {
  const { rules } = open()
  rules.add([aRule()])
  rules.add([aRule({ network: true })])
  expect(rules.current()).toMatchObject([{ network: true }])
})

test('a rule is removed, and can be put back', () => {
  const { rules } = open()
  rules.add([aRule()])
  const [rule] = rules.current()
  expect(rules.remove(rule!.id)).toEqual(rule)
  expect(rules.current()).toEqual([])
  expect(() => rules.remove(rule!.id)).toThrow('This rule no longer exists.')
  rules.restore(rule!)
  expect(rules.current()).toEqual([rule])
})

test('what another program writes counts at once, and is told', () => {
  const { rules, path, changes } = open()
  rules.add([aRule()])
  const [rule] = rules.current()
  changes.length = 0
  writeFileSync(path, writeRules([{ ...rule!, effect: 'never', id: 'mine' }]))
  expect(effects(rules.current())).toEqual(['never'])
  expect(changes).toEqual([{ outside: true, notice: undefined }])
})

test.for([
  ['a rule with a mistake', (text: string) => text.replace('"effect":"allow"', '"effect":"alow"')],
  ['broken JSON', (text: string) => text.replace(/\]\}\n$/, '')],
  ['a newer version', (text: string) => text.replace('"version": 1', '"version": 4')],
  ['an unknown field', (text: string) => text.replace('"version": 1', '"version": 1, "x": 1')],
] as const)('with %s nothing is allowed, never and ask rules count, and nothing is written', ([, spoil]) => {
  const rule = (effect: PermissionRule['effect']): PermissionRule => ({
    ...aRule({ effect }),
    id: effect,
    at: 1,
  })
  const text = spoil(writeRules([rule('allow'), rule('never'), rule('ask')]))
  const { rules, path } = open(text)
  expect(effects(rules.current())).toEqual(['never', 'ask'])
  expect(rules.problem()).toContain(path)
  expect(rules.notices).toMatchObject([{ id: 'permissions-file', level: 'error' }])
  expect(rules.add([aRule()])).toMatchObject({ refused: expect.stringContaining(path) as string })
  expect(rules.remove('never')).toHaveProperty('refused')
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test('rules about files that programs obey, and about sites, are written for newer versions only, all others for older ones too', () => {
  const { rules, path, reopen } = open()
  rules.add([aRule()])
  const version = () => /"version": (\d+)/.exec(readFileSync(path, 'utf8'))?.[1]
  expect(version()).toBe('1')
  rules.add([{ ...aRule({ tool: OBEYED_FILES }), command: undefined }])
  expect(version()).toBe('2')
  expect(reopen().current()).toEqual(rules.current())
  rules.add([{ ...aRule({ tool: 'web_read', folder: null }), command: undefined, site: 'docs.example.org' }])
  expect(version()).toBe('3')
  expect(reopen().current()).toEqual(rules.current())
  rules.remove(rules.current()[2]!.id)
  rules.remove(rules.current()[1]!.id)
  expect(version()).toBe('1')
})

test('rules that make the file too long to be read again are not added', () => {
  const { rules, reopen } = open()
  rules.add([aRule({ effect: 'never' })])
  const long = Array.from({ length: 40 }, (_, at) => `${at}`.padEnd(1_000, 'x'))
  const many = Array.from({ length: 30 }, (_, at) => aRule({ command: [`${at}`, ...long.slice(1)] }))
  expect(rules.add(many)).toMatchObject({ refused: expect.stringContaining('would be too big') as string })
  expect(effects(reopen().current())).toEqual(['never'])
})

test('a long file with too many rules, or with a mistake, still forbids what its first ones do', () => {
  const never: PermissionRule = { ...aRule({ effect: 'never' }), id: 'never', at: 1 }
  const full = `{"version": 1, "rules": [${JSON.stringify(never)}${',{}'.repeat(300_000)}]}`
  expect(effects(readRules(full).rules)).toEqual(['never'])
  const broken = `${JSON.stringify(never)}\n${'{\n'.repeat(400_000)}`
  expect(effects(readRules(broken).rules)).toEqual(['never'])
})

test('a file that is not text allows nothing', () => {
  const { rules, path } = open()
  writeFileSync(path, Buffer.from([0xff, 0xfe, 0x00]))
  expect(rules.current()).toEqual([])
  expect(rules.problem()).toContain('cannot be read')
})

test('an empty list is a list', () => {
  expect(readRules(writeRules([]))).toEqual({ rules: [] })
  expect(readRules('').problem).toBeDefined()
})
