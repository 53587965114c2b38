import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { NewRunEvent } from '../../shared/contract/runs/run.ts'
import type { PermissionRule } from '../../shared/contract/runs/permissions.ts'
import type { Access } from '../confinement/profile.ts'
import { defineTool, type ToolResult } from '../tools/registry/tool.ts'
import { aTurn, inShort } from '../../../testing/agent/a-turn.ts'

const seen: Access[] = []
beforeEach(() => void seen.splice(0))

/** A terminal whose commands end with these results, one after the other. */
const command = (results: ToolResult[]) =>
  defineTool({
    name: 'terminal',
    says: 'Runs it.',
    input: z.object({}),
    toolset: 'terminal',
    risk: 'execute',
    intent: async () => ({
      title: 'Run it',
      detail: 'make',
      risk: 'execute',
      inWorkspace: true,
      folder: '/desk',
      command: 'make',
    }),
    async run(_input, { access }) {
      seen.push(access)
      return results.shift() ?? { ok: true, text: 'made' }
    },
  })
const commands = () => ({
  rights: async () => ({ confined: true, whyNot: '', offline: false }),
  confine: async () => ({ refused: 'not here', mayRunUnconfined: false }),
})
const questions = (events: readonly NewRunEvent[]) =>
  events.flatMap(event => (event.type === 'approval_request' ? [event.approval] : []))
const call = (name: string) => ({ call: { name, arguments: {} } })
const madeAlways: PermissionRule = {
  id: 'rule_1',
  effect: 'allow',
  tool: 'terminal',
  command: ['make'],
  more: false,
  folder: '/desk',
  network: false,
  unconfined: false,
  by: 'card',
  at: 0,
}

const aside = (placed: string[], refused?: string): ToolResult => ({
  ok: true,
  text: 'made',
  obeyed: [{ path: '.vscode/tasks.json', how: 'new', by: 'VS Code', tier: 1, kept: 'put aside' }],
  aside: [
    {
      name: '.vscode',
      by: 'VS Code',
      at: '/home/cache/aside/s/1/.vscode',
      isNew: true,
      files: [{ name: '.vscode/tasks.json', text: '{"a":1}' }],
      more: 0,
      place: () => (placed.push('.vscode'), refused === undefined ? undefined : { refused }),
    },
  ],
})
test.for([
  ['once', undefined, ['.vscode'], 'stands', 'The user allowed it: .vscode is in the folder now.'],
  [
    'once',
    'something is there',
    ['.vscode'],
    'put aside',
    '.vscode stays aside in /home/cache/aside/s/1/.vscode, because something is there.',
  ],
  [
    'deny',
    undefined,
    [],
    'put aside',
    'The user did not allow it. Do not make .vscode again in another way.',
  ],
] as const)(
  'that made what programs obey asks once afterwards: %s, %s',
  async ([answer, refused, places, kept, said]) => {
    const placed: string[] = []
    const { events, messages } = await aTurn({
      tools: [command([aside(placed, refused)])],
      commands: commands(),
      answers: ['once', answer],
      replies: [[call('terminal')], 'Done.'],
    })
    expect(questions(events)).toHaveLength(2)
    expect(questions(events)[1]).toMatchObject({
      title: 'Put .vscode into the folder',
      detail: '.vscode/tasks.json (VS Code obeys it)\n{"a":1}',
      reason: 'The command made this, and it was put aside. VS Code obeys it without being asked.',
      mayAllowInChat: false,
      inEveryMode: true,
    })
    expect(placed).toEqual(places)
    expect(messages[2]).toMatchObject({ ok: true, obeyed: [{ path: '.vscode/tasks.json', kept }] })
    expect(inShort(messages)[2]).toContain(said)
  },
)

test('that made several such things says who obeys which', async () => {
  const item = aside([]).aside![0]!
  const items = [item, { ...item, name: '.envrc', by: 'direnv' }]
  const { events } = await aTurn({
    tools: [command([{ ok: true, text: 'made', aside: items }])],
    commands: commands(),
    answers: ['once', 'deny'],
    replies: [[call('terminal')], 'Done.'],
  })
  expect(questions(events)[1]?.reason).toBe(
    'The command made these, and they were put aside. VS Code obeys .vscode; direnv obeys .envrc without being asked.',
  )
})

test('that made what programs obey is told where it lies when nobody is there', async () => {
  const { events, messages } = await aTurn({
    tools: [command([aside([])])],
    commands: commands(),
    approval: 'none',
    rules: { current: () => [madeAlways], add: () => undefined },
    replies: [[call('terminal')], 'Done.'],
  })
  expect(questions(events)).toEqual([])
  expect(inShort(messages)[2]).toContain('It lies in /home/cache/aside/s/1/.vscode.')
})

test.for([
  ['once', true, 'all'],
  ['deny', false, 'nothing'],
] as const)('that was kept from writing what programs obey may run again: %s', async ([answer, ok, last]) => {
  const { events, messages } = await aTurn({
    tools: [command([{ ok: false, reason: 'exit code 1', blocked: ['AGENTS.md'] }])],
    commands: commands(),
    answers: ['once', answer],
    replies: [[call('terminal')], 'Done.'],
  })
  expect(questions(events)[1]).toMatchObject({ command: { obeyed: 'all' }, mayAllowInChat: false })
  expect(seen.at(-1)).toEqual({ profile: 'work', network: false, obeyed: last })
  expect(messages[2]).toMatchObject({ ok })
})
