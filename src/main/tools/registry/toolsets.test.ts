import { describe, expect, test } from 'vitest'
import {
  knowToolsets,
  offText,
  stateOfTool,
  unknownSwitches,
  type SwitchLevel,
  type ToolsetEntry,
} from './toolsets.ts'

const entry = (name: string, fromTokens = 0): ToolsetEntry => ({ name, title: name, says: '', fromTokens })
const TOOLS = [
  { name: 'read', toolset: 'files' },
  { name: 'write', toolset: 'files' },
  { name: 'run', toolset: 'terminal' },
  { name: 'fetch', toolset: 'web' },
]
const OWN = {
  looking: { says: '', includes: [], tools: ['read'] },
  coding: { says: '', includes: ['looking', 'terminal'], tools: ['write'] },
}
const { known } = knowToolsets([entry('files'), entry('terminal'), entry('web', 16_384)], OWN, TOOLS)
const everything = (switches: SwitchLevel['switches']): SwitchLevel => ({ level: 'everything', switches })
const chat = (switches: SwitchLevel['switches']): SwitchLevel => ({ level: 'chat', switches })

/** The tools that are on. */
const on = (levels: SwitchLevel[], contextTokens = 32_768) =>
  TOOLS.filter(tool => stateOfTool(tool, known, levels, contextTokens).on).map(each => each.name)

describe('the tools of a chat', () => {
  test('a toolset has the tools of what it includes', () => {
    expect([...known.values()].map(each => [each.name, each.tools.join(' ')])).toEqual([
      ['files', 'read write'],
      ['terminal', 'run'],
      ['web', 'fetch'],
      ['looking', 'read'],
      ['coding', 'read write run'],
    ])
  })

  test('without a switch the window decides', () => {
    expect(on([], 8_192)).toEqual(['read', 'write', 'run'])
    expect(on([], 16_384)).toEqual(['read', 'write', 'run', 'fetch'])
    expect(on([everything({ web: true })], 2_048)).toContain('fetch')
  })

  test.each<[string, SwitchLevel[], string[]]>([
    ['the chat beats everything', [chat({ terminal: true }), everything({ terminal: false })], ['run']],
    ['what includes a toolset switches it too', [everything({ coding: false })], ['fetch']],
    [
      'at one level the smaller toolset wins',
      [everything({ coding: false, looking: true })],
      ['read', 'fetch'],
    ],
    [
      'a larger one does not undo it',
      [everything({ coding: true, terminal: false })],
      ['read', 'write', 'fetch'],
    ],
    ['one toolset and no others', [chat({ '*': false, files: true })], ['read', 'write']],
    ['a toolset that is gone says nothing', [chat({ gone: false, web: false })], ['read', 'write', 'run']],
  ])('%s', (_title, levels, expected) => {
    const found = on(levels)
    expect(expected.length === 1 ? found.filter(each => expected.includes(each)) : found).toEqual(expected)
  })

  test('the text for a tool that is off names the switch and how to turn it', () => {
    const levels = [{ level: 'folder' as const, folder: '/work', switches: { coding: false } }]
    const state = stateOfTool(TOOLS[2]!, known, levels, 0)
    expect(offText('run', state, 'chat_1')).toMatch(
      /^run is switched off for the folder \/work, with the toolset “coding”\. .* talaria tools enable coding --chat chat_1$/,
    )
  })
})

test('what is wrong with toolsets of the user is said, and the rest of them works', () => {
  const own = {
    files: { says: '', includes: [], tools: ['run'] },
    odd: { says: '', includes: ['termnal', 'files'], tools: ['raed'] },
    empty: { says: '', includes: [], tools: [] },
  }
  const { known, problems } = knowToolsets([entry('files'), entry('terminal')], own, TOOLS)
  expect(problems.map(each => each.text)).toEqual([
    '“files” is a toolset of Talaria. Give yours another name.',
    'The toolset “odd” includes “termnal”, which does not exist. Did you mean “terminal”?',
    'The toolset “odd” has the tool “raed”, which does not exist. Did you mean “read”?',
    'The toolset “empty” has no tools.',
  ])
  expect(known.get('odd')?.tools).toEqual(['read', 'write'])
  expect(known.get('files')?.isOwn).toBe(false)
  const switches = {
    everything: { '*': false, odd: true, emty: true },
    folders: { '/work': { files: true, fils: false } },
  }
  expect(unknownSwitches(known, switches)).toEqual([
    {
      setting: 'toolsets.everything',
      text: 'toolsets.everything names “emty”, which is no toolset. Did you mean “empty”?',
    },
    {
      setting: 'toolsets.folders',
      text: 'toolsets.folders names “fils”, which is no toolset. Did you mean “files”?',
    },
  ])
})
