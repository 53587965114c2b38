import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Review } from '../../../shared/contract/learned/learning.ts'
import type { Message } from '../../../shared/contract/chats/messages.ts'
import { structuredStrategy } from '../../agent/strategies/structured.ts'
import { presentAsText } from '../../../../testing/agent/messages.ts'
import { scriptedEngine, type Script } from '../../../../testing/models/scripted.ts'
import { createRegistry } from '../../tools/registry/registry.ts'
import { defineTool } from '../../tools/registry/tool.ts'
import { NOTHING } from '../../../../testing/learning/a-learning.ts'
import { runReviewTurn } from './review-turn.ts'

const SOMETHING = JSON.stringify({ worth: true, facts: ['Uses pnpm.'], procedure: 'Deploying.' })
const keepText = (text: string) => [{ call: { name: 'keep', arguments: { text } } }]
const KEEP = keepText('Uses pnpm.')

type Given = {
  replies: Script['replies']
  kinds?: Review['kinds']
  rules?: string[]
  budgetTokens?: number
  maxSteps?: number
  strategy?: 'text' | 'structured'
  isDecided?: true
  contextTokens?: number
  messages?: Message[]
  onKeep?: (stop: AbortController) => void
}
async function aReviewOf(given: Given) {
  const {
    kinds = ['memory', 'skills'],
    rules = [],
    budgetTokens = 20_000,
    maxSteps = 8,
    strategy = 'structured',
    contextTokens = 8_192,
  } = given
  const kept: string[] = []
  const reported: unknown[] = []
  const stop = new AbortController()
  const engine = scriptedEngine({ replies: given.replies, strategy, contextTokens })
  const keep = defineTool({
    name: 'keep',
    says: 'Keep something.',
    input: z.object({ text: z.string() }),
    toolset: 'memory',
    risk: 'write',
    intent: async ({ text }) => ({
      title: text,
      detail: text,
      risk: 'write',
      inWorkspace: true,
      undoable: true,
      folder: '/desk',
    }),
    async run({ text }) {
      kept.push(text)
      given.onKeep?.(stop)
      return { ok: true, text: 'Kept.' }
    },
  })
  const messages: Message[] = given.messages ?? [
    { role: 'user', id: 1, sessionId: 's', at: 1, text: 'I use pnpm.' },
    {
      role: 'assistant',
      id: 2,
      sessionId: 's',
      at: 1,
      text: 'All right.',
      reasoning: '',
      calls: [],
      interrupted: false,
      model: 'm',
    },
  ]
  const looked = await runReviewTurn(
    {
      messages,
      turn: {
        sessionId: 's',
        workspace: '/desk',
        home: '/home',
        engine,
        strategy: strategy === 'text' ? presentAsText({ ...engine, contextTokens }) : structuredStrategy,
        system: 'You are a test.',
        registry: createRegistry([]),
        tools: [],
        contextTokens,
        maxIterations: 99,
        ...(given.isDecided && { isDecided: true }),
      },
    },
    {
      kinds,
      rules: rules.map(text => ({ text })),
      registry: createRegistry([keep]),
      budgetTokens,
      maxSteps,
      cap: async (_call, result) => result,
      now: () => 1,
      report: error => void reported.push(error),
    },
    stop.signal,
  )
  expect(reported).toEqual([])
  return {
    looked,
    kept,
    prompts: engine.prompts,
    lastText: (n: number) => engine.prompts[n]!.messages.at(-1)!.text,
  }
}

test('if nothing is worth keeping, the review asks one question, constrained to JSON, after the whole conversation', async () => {
  const { looked, prompts } = await aReviewOf({ replies: [NOTHING] })
  expect(looked.end).toBe('nothing')
  expect(prompts).toHaveLength(1)
  expect(prompts[0]).toMatchObject({ sessionId: 's', tools: [], priority: 'background', maxTokens: 320 })
  expect(prompts[0]!.constraints).toHaveLength(1)
  expect(prompts[0]!.messages.slice(0, -1).map(each => each.text)).toEqual([
    'You are a test.',
    'I use pnpm.',
    'All right.',
  ])
})

test('findings lead to a review after the same messages, with only its own tools', async () => {
  const { looked, kept, prompts, lastText } = await aReviewOf({
    replies: [SOMETHING, KEEP, 'I kept one thing.'],
  })
  expect(looked).toMatchObject({ end: 'done', text: 'I kept one thing.' })
  expect(kept).toEqual(['Uses pnpm.'])
  expect(prompts).toHaveLength(3)
  expect(prompts.slice(1).map(prompt => prompt.tools.map(each => each.name))).toEqual([['keep'], ['keep']])
  for (const prompt of prompts) {
    expect(prompt.priority).toBe('background')
    expect(prompt.messages.slice(0, 3)).toEqual(prompts[0]!.messages.slice(0, 3))
  }
  expect(lastText(1)).toContain('A first look noticed: “Uses pnpm.”; “Deploying.”')
})

test('the review of a chat with a decider, whose prompt tells of no tools, is told of its own behind its question', async () => {
  const call = '<tool_call>\n{"name": "keep", "arguments": {"text": "Uses pnpm."}}\n</tool_call>'
  const { kept, prompts } = await aReviewOf({
    replies: [SOMETHING, call, 'I kept one thing.'],
    strategy: 'text',
    isDecided: true,
  })
  expect(kept).toEqual(['Uses pnpm.'])
  const [first, asked, after] = prompts.map(({ messages }) => messages)
  expect(asked!.slice(0, 3)).toEqual(first!.slice(0, 3))
  expect(asked!.at(-1)!.text).toMatch(/\n\n## Tools\n[^]*\bkeep\b/)
  expect(asked!.at(-1)!.markup).toHaveLength(2)
  expect(after!.slice(0, asked!.length)).toEqual(asked)
})

test('a tool outside the review’s set cannot run', async () => {
  const call = [{ call: { name: 'terminal', arguments: { command: 'ls' } } }]
  const { looked, kept, prompts } = await aReviewOf({ replies: [SOMETHING, call, 'Nothing to save.'] })
  expect(looked.end).toBe('done')
  expect(kept).toEqual([])
  expect(prompts[2]!.messages.at(-1)!.text).toMatch(/terminal/)
})

test('a review ends after eight steps with a closing reply without tools', async () => {
  const { looked, kept, prompts } = await aReviewOf({
    replies: prompt =>
      prompt.messages.at(-1)!.text.includes('all the steps')
        ? 'Done.'
        : prompt.tools.length > 0
          ? [{ call: { name: 'keep', arguments: { text: `Uses pnpm, ${prompt.messages.length}.` } } }]
          : SOMETHING,
  })
  expect(looked.end).toBe('done')
  expect(kept).toHaveLength(8)
  expect(prompts).toHaveLength(1 + 8 + 1)
})

test.for([
  ['words around the JSON', `Sure: ${SOMETHING} There you are.`, 2],
  ['no JSON at all', 'Perhaps.', 2],
  ['JSON that breaks off', '{"worth": true, "facts": ["Uses', 2],
  ['worth, but nothing named', '{"worth": true, "facts": [], "procedure": ""}', 2],
  ['a plain no', 'Nothing to save.', 1],
  ['facts, though it is not worth it', '{"worth": false, "facts": ["Hm."], "procedure": ""}', 1],
] as const)('number of requests after a first reply with %s', async ([, answer, questions]) => {
  const { prompts } = await aReviewOf({ replies: [answer, 'Nothing to save.'] })
  expect(prompts).toHaveLength(questions)
})

test('only the requested kinds are reviewed', async () => {
  const facts = JSON.stringify({ worth: true, facts: ['Uses pnpm.'], procedure: '' })
  expect((await aReviewOf({ replies: [facts], kinds: ['skills'] })).looked.end).toBe('nothing')
  const { lastText } = await aReviewOf({ replies: [SOMETHING, 'Nothing to save.'], kinds: ['memory'] })
  expect(lastText(1)).toContain('noticed: “Uses pnpm.”')
  expect(lastText(1)).not.toMatch(/Deploying|skills_list/)
})

test('the user’s rules are part of both requests', async () => {
  const { lastText } = await aReviewOf({
    replies: [SOMETHING, 'Nothing to save.'],
    rules: ['Nothing about health.'],
  })
  for (const n of [0, 1]) expect(lastText(n)).toContain('- Nothing about health.')
})

test('the cost counts tokens read and written, not those reused', async () => {
  const usage = { usage: { promptTokens: 1_000, reusedTokens: 900, outputTokens: 10 } }
  const { looked } = await aReviewOf({
    replies: [
      [SOMETHING, usage],
      ['Nothing to save.', usage],
    ],
    budgetTokens: 500,
  })
  expect(looked).toMatchObject({
    end: 'done',
    cost: { promptTokens: 2_000, reusedTokens: 1_800, outputTokens: 20 },
  })
})

test('a review ends at its token budget, even after the first request', async () => {
  const usage = { usage: { promptTokens: 900, reusedTokens: 0, outputTokens: 10 } }
  const reply = [...KEEP, usage]
  const second = await aReviewOf({ replies: [[SOMETHING, usage], reply, reply, reply], budgetTokens: 1_500 })
  expect(second.looked.end).toBe('over_budget')
  expect(second.prompts).toHaveLength(2)
  const first = await aReviewOf({ replies: [[SOMETHING, usage]], budgetTokens: 500 })
  expect([first.looked.end, first.prompts.length]).toEqual(['over_budget', 1])
})

test('a stop ends the review at once, and entries saved so far stay', async () => {
  const { looked, kept, prompts } = await aReviewOf({
    replies: [SOMETHING, KEEP, KEEP, KEEP],
    onKeep: stop => stop.abort(),
  })
  expect(looked.end).toBe('stopped')
  expect([kept.length, prompts.length]).toEqual([1, 2])
})

test('a model failure at any step is reported', async () => {
  const fail = [{ fail: { code: 'unreachable' as const, text: 'Nobody answers.', fix: '' } }]
  expect((await aReviewOf({ replies: [fail] })).looked).toMatchObject({
    end: 'failed',
    text: 'Nobody answers.',
    code: 'unreachable',
  })
  expect((await aReviewOf({ replies: [SOMETHING, fail] })).looked).toMatchObject({
    end: 'failed',
    text: 'Nobody answers.',
  })
})

test('a server that refuses tools as data is reported, so that the next attempt describes them in text', async () => {
  const fail = [{ fail: { code: 'tools_unsupported' as const, text: 'No tools.', fix: '' } }]
  expect((await aReviewOf({ replies: [SOMETHING, fail] })).looked).toMatchObject({
    end: 'failed',
    code: 'tools_unsupported',
  })
})

test('of a conversation longer than the window, the newest part is reviewed', async () => {
  const messages: Message[] = Array.from({ length: 60 }, (_, n) => ({
    role: 'user',
    id: n + 1,
    sessionId: 's',
    at: 1,
    text: `${n} ${'word '.repeat(100)}`,
  }))
  const { looked, prompts } = await aReviewOf({
    replies: [SOMETHING, 'Nothing to save.'],
    messages,
    contextTokens: 4_096,
  })
  expect(looked.end).toBe('done')
  for (const prompt of prompts) {
    const text = prompt.messages.map(each => each.text).join('\n')
    expect(text).toContain('59 word')
    expect(text).not.toContain('\n0 word')
  }
})

test('a prompt too long for the real window is sent again with less', async () => {
  const full = [{ fail: { code: 'context_full' as const, text: 'Full.', fix: '' } }]
  const messages: Message[] = Array.from({ length: 8 }, (_, n) => ({
    role: 'user',
    id: n + 1,
    sessionId: 's',
    at: 1,
    text: `${n} ${'word '.repeat(100)}`,
  }))
  const { looked, prompts } = await aReviewOf({ replies: [full, NOTHING], messages })
  expect(looked.end).toBe('nothing')
  const sizes = prompts.map(prompt => prompt.messages.reduce((sum, each) => sum + each.text.length, 0))
  expect(sizes[1]).toBeLessThan(sizes[0]!)
})

test('a review works the same with tools described in text', async () => {
  const { looked, kept } = await aReviewOf({ replies: [SOMETHING, KEEP, 'Done.'], strategy: 'text' })
  expect(looked.end).toBe('done')
  expect(kept).toEqual(['Uses pnpm.'])
})

test('a review takes the set number of steps, and its last answer has no tools', async () => {
  const { kept, looked } = await aReviewOf({
    replies: [SOMETHING, ...Array.from({ length: 3 }, (_, n) => keepText(`Fact ${n}.`)), 'Done.'],
    maxSteps: 2,
  })
  expect([kept, looked.end]).toEqual([['Fact 0.', 'Fact 1.'], 'done'])
})

const circle = 'I am going to try to figure that out for you, and then I will tell you all about it. '
const story = Array.from(
  { length: 900 },
  (_, n) => `Then ${(n * 7919).toString(36)} met the ${(n * 31).toString(36)}. `,
).join('')

test.for([
  ['goes in circles twice', [circle.repeat(60), circle.repeat(60)]],
  ['says nothing twice', ['', '']],
  ['never comes to an end', [[story, { hang: true }]]],
] as const)('a review that %s is void, and what it took is counted', async ([, said]) => {
  const { looked } = await aReviewOf({ replies: [SOMETHING, ...said] })
  expect(looked).toMatchObject({ end: 'done', text: '', isVoid: true })
  if (said[0] !== '') expect(looked.cost.outputTokens).toBeGreaterThan(50)
  expect(looked.cost.outputTokens).toBeLessThan(1_200)
})

test('a review that kept something is not void, however it ended', async () => {
  const { looked, kept } = await aReviewOf({ replies: [SOMETHING, KEEP, '', ''] })
  expect([looked.end, looked.isVoid, kept]).toEqual(['done', undefined, ['Uses pnpm.']])
})
