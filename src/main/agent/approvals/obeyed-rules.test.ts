import { describe, expect, test } from 'vitest'
import { OBEYED_FILES, type PermissionRule } from '../../../shared/contract/runs/permissions.ts'
import {
  aCommand,
  allow,
  aRule,
  CONFINED,
  decideUnder,
  FOLDER,
  LOOSE,
  MODES,
  verdict,
} from '../../../../testing/agent/a-rule.ts'
import type { Intent } from '../../tools/registry/tool.ts'
import { decideCall } from './decide.ts'
import { grantFor } from './grants.ts'

const lift = (given: Partial<PermissionRule> = {}) => aRule({ tool: OBEYED_FILES, ...given })
const inChat = (command: string) => aCommand(command, { workspace: FOLDER })
const aFile = (name: string, by: string): Intent => ({
  title: 'Write',
  detail: '',
  risk: 'write',
  inWorkspace: true,
  folder: FOLDER,
  path: `${FOLDER}/${name}`,
  obeyed: { tier: 1, by },
})
const CONFIG = inChat('git push -u origin main')
const CLIENTS = aFile('.mcp.json', 'MCP clients')
const modes = (intent: Intent, rules: readonly PermissionRule[] = []) =>
  MODES.map(mode => verdict(intent, rules, mode))

describe('without a rule', () => {
  test.for([
    ['a command that configures git', CONFIG],
    ['what clients obey', CLIENTS],
    ['what direnv obeys, which may hold keys', aFile('.envrc', 'direnv')],
    ['a hook of git', aFile('.git/hooks/pre-commit', 'git')],
  ] as const)('%s asks in every mode, and is denied where nobody is there', ([, intent]) => {
    expect(modes(intent)).toEqual(['ask', 'ask', 'ask', 'deny'])
    expect(MODES.map(mode => verdict(intent, [], mode, LOOSE))).toEqual(['ask', 'ask', 'ask', 'deny'])
  })

  test('the question says who obeys it', () => {
    expect(decideUnder(CLIENTS, [], 'full')).toMatchObject({
      reason: 'MCP clients obey this file without being asked.',
      inEveryMode: true,
    })
    expect(decideUnder(CONFIG, [], 'full')).toMatchObject({
      obeyed: 'git',
      reason:
        'It may change what git obeys without being asked: it writes the configuration of the repository.',
    })
    expect(decideUnder(CLIENTS, [], 'none')).toMatchObject({
      reason: expect.stringContaining('It asks in every mode, with --approve all too.') as string,
    })
  })

  test('a rule that allows the call does not help it, and the question says so', () => {
    expect(decideUnder(CONFIG, [allow('git push -u origin main')])).toMatchObject({
      verdict: 'ask',
      reason: expect.stringContaining('does not cover files that programs obey') as string,
      folderRules: [{ tool: OBEYED_FILES, folder: FOLDER }],
    })
    const write = aRule({ tool: 'write' })
    expect(decideUnder(CLIENTS, [write])).toMatchObject({
      verdict: 'ask',
      folderRules: [{ tool: OBEYED_FILES, folder: FOLDER }],
    })
  })

  test('“always in this folder” offers both rules, and with full access the one that is missing', () => {
    const tools = (intent: Intent, mode: 'ask' | 'full') => {
      const found = decideUnder(intent, [], mode)
      return found.verdict === 'ask' ? found.folderRules?.map(({ tool }) => tool) : found.verdict
    }
    expect(tools(CONFIG, 'ask')).toEqual(['terminal', OBEYED_FILES])
    expect(tools(CONFIG, 'full')).toEqual([OBEYED_FILES])
    expect(tools(CLIENTS, 'ask')).toEqual(['write', OBEYED_FILES])
    expect(tools(CLIENTS, 'full')).toEqual([OBEYED_FILES])
  })

  test('a grant of the chat or of a schedule covers it only if it was given for that', () => {
    const access = (grant: string | undefined) =>
      decideCall({
        tool: 'terminal',
        intent: CONFIG,
        mode: 'none',
        grants: [grant ?? ''],
        rights: CONFINED,
        userHome: '/home/ada',
        platform: 'linux',
      })
    expect(access(grantFor('terminal', CONFIG, 'confined')).verdict).toBe('deny')
    for (const obeyed of ['git', 'all'] as const)
      expect(access(grantFor('terminal', CONFIG, 'confined', obeyed))).toMatchObject({
        verdict: 'allow',
        access: { profile: 'work', obeyed: 'git' },
      })
    expect(grantFor('terminal', CONFIG, 'confined', 'git')).toBe(
      'terminal with what git obeys in "/home/ada/notes": git push -u origin main',
    )
    expect(grantFor('write_file', CLIENTS)).toBe('change "/home/ada/notes/.mcp.json", which MCP clients obey')
  })
})

describe('the rule that lets it', () => {
  test('lets what full access, an allow rule or a grant lets run change such files, and allows nothing by itself', () => {
    expect(modes(CONFIG, [lift()])).toEqual(['ask', 'ask', 'allow', 'deny'])
    expect(modes(CLIENTS, [lift()])).toEqual(['ask', 'ask', 'allow', 'deny'])
    expect(decideUnder(CONFIG, [lift(), allow('git push -u origin main')])).toMatchObject({
      verdict: 'allow',
      access: { profile: 'work', obeyed: 'all' },
    })
    expect(decideUnder(inChat('npm test'), [lift()], 'full')).toMatchObject({ access: { obeyed: 'all' } })
    expect(verdict(CLIENTS, [lift(), aRule({ tool: 'write' })])).toBe('allow')
  })

  test('holds in its folder and below', () => {
    expect(verdict(CONFIG, [lift({ folder: '/home/ada' })], 'full')).toBe('allow')
    expect(verdict(CONFIG, [lift({ folder: `${FOLDER}/sub` })], 'full')).toBe('ask')
    expect(verdict(CONFIG, [lift({ folder: '/home/adamant' })], 'full')).toBe('ask')
    expect(verdict(CLIENTS, [lift({ folder: `${FOLDER}/sub` })], 'full')).toBe('ask')
  })

  test('as “never” and “ask” it is about all calls that would, whatever else allows them', () => {
    const never = lift({ effect: 'never', folder: null })
    expect(modes(CONFIG, [never, lift()])).toEqual(['deny', 'deny', 'deny', 'deny'])
    expect(modes(CLIENTS, [never])).toEqual(['deny', 'deny', 'deny', 'deny'])
    expect(verdict('npm test', [never], 'full')).toBe('allow')
    expect(verdict(CLIENTS, [lift({ effect: 'ask' }), lift()], 'full')).toBe('ask')
    expect(verdict(CLIENTS, [lift({ effect: 'ask', folder: '/srv' }), lift()], 'full')).toBe('allow')
  })
})
