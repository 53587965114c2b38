import { expect, test } from 'vitest'
import { createTextStrategy } from '../agent/strategies/text.ts'
import { fallbackFormat } from '../models/formats/format-table.ts'
import type { Prompt } from '../models/interface/engine.ts'
import { scriptedEngine, type Script, type Step } from '../../../testing/models/scripted.ts'
import { coreTools } from '../tools/tool-lists.ts'
import { createRegistry } from '../tools/registry/registry.ts'
import { tryCall, type Trial, shortTexts } from './try-call.ts'

const listFiles: Trial = { tool: 'list_files', also: ['terminal'], question: 'Which files are here?' }
const call = (name: string, args: Record<string, unknown>): Step => ({ call: { name, arguments: args } })
const never = new AbortController().signal

const OPENING = '<tool_call>\n'

async function tried(replies: Script['replies'], signal = never, opening = OPENING) {
  const engine = scriptedEngine({ replies })
  const registry = createRegistry(coreTools({ timeout_s: 30 }))
  let answers = 0
  const outcome = await tryCall(
    {
      engine,
      strategy: createTextStrategy({ format: fallbackFormat, toolRole: false, edition: 'compact' }),
      system: 'You have tools.',
      registry,
      tools: registry.specs(),
      opening: opening === '' ? undefined : opening,
      sessionId: 'doctor',
      onUsage: () => answers++,
    },
    listFiles,
    signal,
  )
  return { outcome, answers, prompts: engine.prompts }
}

test('a model that calls unaided is asked once, as in a chat', async () => {
  const { outcome, answers, prompts } = await tried([['Let me see. ', call('list_files', { path: '.' })]])
  expect(outcome).toEqual({
    tool: 'list_files',
    question: 'Which files are here?',
    how: 'by itself',
    call: { name: 'list_files', arguments: { path: '.' } },
    alone: null,
    problem: null,
  })
  expect([answers, prompts[0]?.begin, prompts[0]?.messages.map(message => message.text)]).toEqual([
    1,
    undefined,
    ['You have tools.', 'Which files are here?'],
  ])
})

test('another suitable tool counts too', async () => {
  const { outcome } = await tried([[call('terminal', { command: 'ls' })]])
  expect(outcome).toMatchObject({
    how: 'by itself',
    call: { name: 'terminal', arguments: { command: 'ls' } },
  })
})

test('a mistake that the product repairs is not a problem', async () => {
  const { outcome } = await tried([[call('list_files', { path: '.', depth: '2' })]])
  expect(outcome).toMatchObject({ how: 'by itself', call: { arguments: { path: '.', depth: 2 } } })
})

test('for a model that only talks, a call is started with that tool only and short texts', async () => {
  const replies = (prompt: Prompt) => (prompt.begin ? [call('list_files', { depth: 2 })] : 'I cannot look.')
  const { outcome, prompts } = await tried(replies)
  expect(outcome).toMatchObject({
    how: 'begun for it',
    call: { name: 'list_files', arguments: { depth: 2 } },
    alone: 'it talked instead',
    problem: null,
  })
  expect(prompts.map(prompt => prompt.begin)).toEqual([undefined, '<tool_call>\n'])
})

test('where no call can be begun, the model is told which tool to use, and may think about it', async () => {
  const replies = (prompt: Prompt) =>
    /Use the tool list_files/.test(prompt.messages.at(-1)!.text) ? [call('list_files', {})] : 'I cannot look.'
  const { outcome, prompts } = await tried(replies, never, '')
  expect(outcome).toMatchObject({ how: 'begun for it', call: { name: 'list_files', arguments: {} } })
  expect(prompts.map(({ begin }) => begin)).toEqual([undefined, undefined])
})

test.for<[string, Step[], string]>([
  ['is silent', [' '], 'it said nothing'],
  ['talks without an end', ['And then, and then', { stop: 'length' }], 'it talked, and did not end'],
  [
    'does not end its call',
    ['<tool_call>\n{"name": "list_files", "arguments": {"path": "aaa', { stop: 'length' }],
    'its call did not end',
  ],
  ['calls another tool', [call('write_file', { path: 'a', content: '' })], 'it called write_file instead'],
  ['leaves out what is needed', [call('terminal', {})], 'its call is not valid: '],
  [
    'gives only the name of the tool',
    [call('list_files', { path: 'List_Files ' })],
    'its call is not valid: it says only list_files where the arguments belong',
  ],
])('a model that %s, aided or not, gets the reason', async ([, steps, reason]) => {
  const { outcome } = await tried([steps, steps])
  expect(outcome).toMatchObject({
    how: 'not',
    call: null,
    alone: expect.stringContaining(reason),
    problem: expect.any(String),
  })
})

test('an unfinished call that was started is reported as unfinished, even if it looks like text', async () => {
  const { outcome } = await tried(['No.', ['```tool_code\nlist_files(', { stop: 'length' }]])
  expect(outcome).toMatchObject({ how: 'not', alone: 'it talked instead', problem: 'its call did not end' })
})

test('a model cut off in its thoughts gets more tokens', async () => {
  const thoughts: Step[] = ['<think>\nFirst I ', { stop: 'length' }]
  const { outcome, prompts } = await tried([thoughts, ['<think>\nI see.</think>', call('list_files', {})]])
  expect(outcome).toMatchObject({ how: 'by itself', call: { name: 'list_files', arguments: {} } })
  const [short = 0, long = 0] = prompts.map(prompt => prompt.maxTokens)
  expect([prompts.length, long > short]).toEqual([2, true])
})

test('an engine failure is passed on, and a stop ends without an event', async () => {
  const failure = { code: 'engine_gone', text: 'It stopped.', fix: 'Try again.' } as const
  expect((await tried([[{ fail: failure }]])).outcome).toMatchObject(failure)
  const stopping = new AbortController()
  const hanging = (): Step[] => {
    setImmediate(() => stopping.abort())
    return [{ hang: true }]
  }
  expect((await tried(hanging, stopping.signal)).outcome).toBe(undefined)
})

test('every free text in the schema gets a length limit, at any depth, unless it has a smaller one', () => {
  const schema = {
    type: 'object',
    properties: {
      path: { type: 'string' },
      command: { type: 'string', minLength: 1, maxLength: 40_000 },
      code: { type: 'string', maxLength: 3 },
      list: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
    },
    required: ['path'],
  }
  expect(shortTexts(schema)).toEqual({
    type: 'object',
    properties: {
      path: { type: 'string', maxLength: 60 },
      command: { type: 'string', minLength: 1, maxLength: 60 },
      code: { type: 'string', maxLength: 3 },
      list: { type: 'array', items: { anyOf: [{ type: 'string', maxLength: 60 }, { type: 'integer' }] } },
    },
    required: ['path'],
  })
})

test('a text that is an enum is left unchanged', () => {
  const schema = { type: 'string', enum: ['a', 'b'] }
  expect([shortTexts(schema), shortTexts({ type: 'string', const: 'c' })]).toEqual([
    schema,
    { type: 'string', const: 'c' },
  ])
})
