import type { PermissionRule } from '../../shared/contract/runs/permissions.ts'
import { setImmediate as macrotask } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Step } from '../../../testing/models/scripted.ts'
import type { NewRunEvent } from '../../shared/contract/runs/run.ts'
import type { CommandConfinement } from '../confinement/sandbox-setting.ts'
import type { Access, CommandRights } from '../confinement/profile.ts'
import { defineTool, type Tool, type ToolResult } from '../tools/registry/tool.ts'
import { aTurn, inShort } from '../../../testing/agent/a-turn.ts'

afterEach(() => vi.useRealTimers())

const call = (name: string, given: Record<string, unknown> = {}): Step => ({
  call: { name, arguments: given },
})

/** A reading tool with the behaviour that the test gives. */
const aTool = (name: string, given: Partial<Tool>): Tool =>
  defineTool({
    name,
    says: `Does ${name}.`,
    input: z.object({}),
    toolset: 'files',
    risk: 'read',
    intent: async () => ({
      title: name,
      detail: name,
      risk: 'read',
      inWorkspace: true,
      folder: '/desk',
      path: '/desk/a',
    }),
    run: async () => ({ ok: true, text: `${name} ran` }),
    ...given,
  })

test('a tool that fails while it describes its call is an error for the model and reported', async () => {
  const bug = new TypeError('no such property')
  const intent = () => Promise.reject(bug)
  const { reason, messages, reported } = await aTurn({
    tools: [aTool('broken', { intent })],
    replies: [[call('broken'), call('read_file', { path: 'a' })], 'Done.'],
  })
  expect([reason, ...inShort(messages).slice(2, 4)]).toEqual([
    'done',
    'error: Error: broken failed unexpectedly: no such property',
    'result: content of a',
  ])
  expect(reported).toEqual([bug])
})

test('a result that cannot be stored is an error for the model, and the turn continues', async () => {
  const { reason, messages, reported } = await aTurn({
    cap: () => Promise.reject(new Error('disk full')),
    replies: [[call('read_file', { path: 'a' })], 'Done.'],
  })
  expect([reason, inShort(messages)[2], reported.length]).toEqual([
    'done',
    'error: Error: read_file failed unexpectedly: disk full',
    1,
  ])
})

test('refused targets do not count as invalid replies, so a model may look for a file more than three times', async () => {
  const refused = aTool('look', { intent: async () => ({ refused: 'There is no such file.' }) })
  const { reason, messages } = await aTurn({
    tools: [refused],
    replies: [...Array.from({ length: 5 }, () => [call('look')]), 'It is nowhere.'],
  })
  expect([reason, inShort(messages).at(-1)]).toEqual(['done', 'assistant: It is nowhere.'])
  expect(messages[2]).toMatchObject({
    ok: false,
    text: 'Error: There is no such file.',
    record: { decision: 'not_run' },
  })
})

test('one valid call resets the count of invalid replies', async () => {
  const bad = [call('nothing')]
  const good = [call('read_file', { path: 'a' })]
  const { reason, prompts } = await aTurn({ replies: [bad, bad, good, bad, bad, [...bad, ...good], 'Done.'] })
  expect([reason, prompts.length]).toEqual(['done', 7])
})

test('a tool is treated by its own name, however the model spelt it', async () => {
  const { events, messages } = await aTurn({ replies: [[call('ReadFile', { path: 'a' })], 'Done.'] })
  const started = events.find(event => event.type === 'tool_call')
  expect([started?.call.name, messages[2]]).toEqual([
    'read_file',
    expect.objectContaining({ name: 'read_file' }),
  ])
  expect(inShort(messages)[1]).toBe('assistant: ReadFile(a)')
})

test.for([
  [
    { decision: 'deny', note: '' },
    /^Error: The user denied this call\. Do not try it again/,
    { decision: 'denied', by: 'user' },
  ],
  [
    { decision: 'deny', note: ' Use b.txt. ' },
    /^Error: The user denied this call and says: “Use b\.txt\.”$/,
    { decision: 'denied', by: 'user', why: 'Use b.txt.' },
  ],
  [
    { decision: 'deny', note: 'Nobody answered within a minute.', unanswered: true },
    /^Error: Not allowed to run: Nobody answered within a minute\.$/,
    { decision: 'denied', by: 'nobody', why: 'Nobody answered within a minute.' },
  ],
] as const)('a denial tells the model who denied it and why: %j', async ([answer, text, record]) => {
  const { messages } = await aTurn({
    answers: [answer],
    replies: [[call('write_file', { path: 'a', content: '' })], 'Fine.'],
  })
  expect(messages[2]).toMatchObject({ ok: false, text: expect.stringMatching(text), record })
})

test('a tool that ignores a stop is abandoned, and its later output is dropped', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let talk = (_text: string) => {}
  const run: Tool['run'] = async (_input, { output }) => {
    talk = output
    await new Promise(() => {})
    return { ok: true, text: '' }
  }
  const turn = aTurn({
    tools: [aTool('deaf', { run })],
    replies: [[call('deaf'), call('read_file', { path: 'b' })]],
    onEvent: (event, stop) => event.type === 'tool_call' && event.call.name === 'deaf' && setImmediate(stop),
  })
  for (let n = 0; n < 10; n++) await macrotask()
  await vi.advanceTimersByTimeAsync(2_000)
  const { reason, messages, events } = await turn
  const told = events.length
  talk('still here')
  expect([reason, ...inShort(messages).slice(2)]).toEqual([
    'stopped',
    'error: Error: Stopped by the user. It did not end in time and may still be at work.',
    expect.stringMatching(/^(error: Error: Stopped|result: content of b)/),
  ])
  expect(events.length).toBe(told)
})

test('a tool that hangs while it describes its call does not block a stop', async () => {
  const { reason, messages } = await aTurn({
    tools: [aTool('stuck', { intent: () => new Promise(() => {}) })],
    replies: [['Looking. ', call('stuck')]],
    onEvent: (event, stop) =>
      event.type === 'message' && event.message.role === 'assistant' && setImmediate(stop),
  })
  expect([reason, messages.at(-1)]).toEqual([
    'stopped',
    expect.objectContaining({
      text: 'Error: Stopped by the user before it ran.',
      record: { decision: 'stopped' },
    }),
  ])
})

test.for(['text', 'structured'] as const)(
  'a call in the closing reply is neither run nor shown (%s)',
  async strategy => {
    const { reason, messages, events, prompts } = await aTurn({
      strategy,
      maxIterations: 1,
      replies: [[call('read_file', { path: 'a' })], ['Half is done. ', call('read_file', { path: 'b' })]],
    })
    expect([reason, inShort(messages).at(-1)]).toEqual(['budget_exhausted', 'assistant: Half is done.'])
    expect(events.some(event => event.type === 'text_delta' && event.text.includes('tool_call'))).toBe(false)
    expect([prompts[1]?.tools, prompts[1]?.messages.at(-1)?.text]).toEqual([
      [],
      expect.stringContaining('all the steps'),
    ])
  },
)

test('the error of a call names the wrong argument and what it must be', async () => {
  const { messages } = await aTurn({
    replies: [
      [call('read_file', { path: ['a'], limit: 'many' }), call('write_file', { path: 'a' })],
      'Done.',
    ],
  })
  const [first, second] = inShort(messages).slice(2, 4)
  expect(first).toMatch(/path.*string[^]*limit.*(integer|number|int)/)
  expect(second).toMatch(/content/)
})

test('arguments that a tool does not take are named below the result', async () => {
  const { messages } = await aTurn({
    replies: [[call('read_file', { file: 'a', limit: '3', zebra: 1 })], 'Done.'],
  })
  expect(inShort(messages)[2]).toBe('result: content of a\n(Not taken by this tool, and left out: "zebra".)')
})

describe('a command', () => {
  const seen: Access[] = []
  const command = (results: ToolResult[]) =>
    aTool('terminal', {
      intent: async () => ({
        title: 'Run it',
        detail: 'make',
        risk: 'execute' as const,
        inWorkspace: true,
        folder: '/desk',
        command: 'make',
      }),
      async run(_input, { access }) {
        seen.push(access)
        return results.shift() ?? { ok: true, text: 'made' }
      },
    })
  const commands = (rights: Partial<CommandRights> = {}): CommandConfinement => ({
    rights: async () => ({ confined: true, whyNot: '', offline: false, ...rights }),
    confine: async () => ({ refused: 'not here', mayRunUnconfined: false }),
  })
  const questions = (events: readonly NewRunEvent[]) =>
    events.flatMap(event => (event.type === 'approval_request' ? [event.approval] : []))
  beforeEach(() => void seen.splice(0))

  test.for([
    ['confined', { profile: 'work', network: false, obeyed: 'nothing' }],
    ['network', { profile: 'work', network: true, obeyed: 'nothing' }],
    ['unconfined', 'unconfined'],
  ] as const)('runs in the way that the user chose: %s', async ([access, expected]) => {
    const { events } = await aTurn({
      tools: [command([])],
      commands: commands(),
      answers: [{ decision: 'once', note: '', access }],
      replies: [[call('terminal')], 'Done.'],
    })
    expect(seen).toEqual([expected])
    expect(questions(events)).toMatchObject([{ command: { whyNot: '', offline: false, obeyed: 'nothing' } }])
  })

  test('that could not be confined runs unconfined only after a new question', async () => {
    const failed: ToolResult = { ok: false, reason: 'It could not be confined: no mounts', setupFailed: true }
    const { events, messages } = await aTurn({
      tools: [command([failed])],
      commands: commands(),
      answers: ['once', 'once'],
      replies: [[call('terminal')], 'Done.'],
    })
    expect(seen).toEqual([{ profile: 'work', network: false, obeyed: 'nothing' }, 'unconfined'])
    expect(questions(events)).toMatchObject([
      { command: { whyNot: '' } },
      { reason: failed.reason, mayAllowInChat: false, command: { whyNot: failed.reason } },
    ])
    expect(messages[2]).toMatchObject({ ok: true, text: 'made' })
  })

  test('is the only call that waits until this computer has been tried', async () => {
    let tried = 0
    const rights = async () => {
      tried++
      return { confined: true, whyNot: '', offline: false }
    }
    const triedBefore: number[] = []
    const look = aTool('look', {
      async run() {
        triedBefore.push(tried)
        return { ok: true, text: 'seen' }
      },
    })
    await aTurn({
      tools: [look, command([])],
      commands: { ...commands(), rights },
      answers: ['once'],
      replies: [[call('look')], [call('look'), call('terminal')], 'Done.'],
    })
    expect(triedBefore).toEqual([0, 0])
    expect(tried).toBe(1)
  })

  test('that could not be confined does not run when that is denied', async () => {
    const { messages } = await aTurn({
      tools: [command([{ ok: false, reason: 'no mounts', setupFailed: true }])],
      commands: commands(),
      answers: ['once', 'deny'],
      replies: [[call('terminal')], 'Done.'],
    })
    expect(seen).toHaveLength(1)
    expect(messages[2]).toMatchObject({ ok: false, record: { decision: 'denied', by: 'user' } })
  })

  test.for([
    ['full', 'once', true, 1],
    ['full', 'deny', false, 1],
    ['none', 'once', false, 0],
  ] as const)(
    'that a model doubts in mode %s is asked about (%s), and never without anybody',
    async ([approval, answer, runs, asked]) => {
      const { events, messages } = await aTurn({
        tools: [command([])],
        approval,
        commands: commands(),
        rules: {
          current: () => [approval === 'none' ? madeAlways : { ...madeAlways, command: ['other'] }],
          add: () => undefined,
        },
        secondLook: async () => 'It looks odd.',
        answers: [answer],
        replies: [[call('terminal')], 'Done.'],
      })
      expect(seen).toHaveLength(runs ? 1 : 0)
      expect(questions(events)).toHaveLength(asked)
      expect(JSON.stringify(asked ? questions(events) : messages)).toContain('It looks odd.')
    },
  )

  test('that is not allowed stays so, whatever a model thinks of it', async () => {
    let looks = 0
    const { events } = await aTurn({
      tools: [command([])],
      commands: commands(),
      secondLook: async () => void looks++,
      answers: ['deny'],
      replies: [[call('terminal')], 'Done.'],
    })
    expect([looks, seen.length, questions(events).length]).toEqual([0, 0, 1])
  })

  test.for([
    ['confined', { network: false, unconfined: false }],
    ['network', { network: true, unconfined: false }],
  ] as const)('that is allowed in the folder becomes a rule: %s', async ([access, expected]) => {
    const added: unknown[] = []
    const { messages, events } = await aTurn({
      tools: [command([])],
      commands: commands(),
      rules: { current: () => [], add: rules => void added.push(...rules) },
      answers: [{ decision: 'folder', note: '', access }],
      replies: [[call('terminal')], 'Done.'],
    })
    expect(questions(events)[0]!.folderRules).toEqual(['“make” in /desk'])
    expect(added).toEqual([
      { tool: 'terminal', command: ['make'], more: false, folder: '/desk', ...expected },
    ])
    expect(messages[2]).toMatchObject({
      ok: true,
      record: { decision: 'ran', by: 'rule', rules: ['“make” in /desk'] },
    })
  })

  test('a rule is never made of a run without confinement, nor of a call for which none was offered', async () => {
    const added: unknown[] = []
    const rules = { current: () => [], add: (given: readonly unknown[]) => void added.push(...given) }
    await aTurn({
      tools: [command([])],
      commands: commands(),
      rules,
      answers: [{ decision: 'folder', note: '', access: 'unconfined' }],
      replies: [[call('terminal')], 'Done.'],
    })
    expect([seen, added]).toEqual([['unconfined'], []])
  })

  test('a rule that cannot be saved is told, and the command runs once', async () => {
    const { events, messages } = await aTurn({
      tools: [command([])],
      commands: commands(),
      rules: { current: () => [], add: () => ({ refused: 'The disk is full.' }) },
      answers: ['folder'],
      replies: [[call('terminal')], 'Done.'],
    })
    expect(events).toContainEqual({
      type: 'warning',
      text: 'It ran once, but your rule was not saved. The disk is full.',
    })
    expect(messages[2]).toMatchObject({ ok: true, record: { decision: 'ran', by: 'user', how: 'once' } })
  })
})

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
