import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCases } from '../../../../../testing/count-cases.ts'
import type { Usage } from '../../../../shared/contract/chats/messages.ts'
import type { ServedBlock } from '../../../../../testing/servers/anthropic-server.ts'
import type { WireMessage } from '../../interface/engine.ts'
import { apiPrompt, markForCache } from './api-prompt.ts'
import { aPrompt, never, setUpServer, TOOL, usageOf, user } from '../../../../../testing/models/anthropic.ts'

const given = setUpServer()

const SYSTEM = 'You are Talaria. '.repeat(40).trim()

/** Ten turns of a chat with tools, as the agent would send them: every request and its cost. */
async function tenTurns(options: Parameters<typeof given.anEngine>[0] = {}) {
  const engine = given.anEngine(options)
  const messages: WireMessage[] = [{ role: 'system', text: SYSTEM }]
  const usages: Usage[] = []
  const ask = async (content: ServedBlock[]) => {
    given.server.reply({ content })
    usages.push(usageOf(await Array.fromAsync(engine.complete(aPrompt({ messages, tools: [TOOL] }), never))))
  }
  for (let turn = 1; turn <= 10; turn++) {
    messages.push(user(`Question ${turn}: what is in the file number ${turn}?`))
    if (turn % 2 === 0) {
      const id = `call0000${turn % 10}`
      await ask([
        { thinking: `It asks for ${turn}.`, signature: `signed ${turn}` },
        { tool: 'read_file', input: { path: `${turn}.txt` } },
      ])
      const calls = [{ id, name: 'read_file', arguments: { path: `${turn}.txt` } }]
      messages.push({ role: 'assistant', text: '', calls })
      messages.push({ role: 'tool', callId: id, text: turn === 4 ? '' : `Line of file ${turn}. `.repeat(5) })
    }
    await ask([{ text: `Answer ${turn}.` }])
    messages.push({ role: 'assistant', text: `Answer ${turn}.` })
  }
  return { bodies: given.server.bodies(), usages }
}

const withoutMarks = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, each) => (name === 'cache_control' ? undefined : each)))

const marksIn = (body: unknown) => JSON.stringify(body).split('"cache_control"').length - 1

test('the request bodies of ten turns match the golden file byte for byte', async () => {
  const { bodies } = await tenTurns({ thinkingTokens: 2_000 })
  const lines = bodies.map(body => `${JSON.stringify(body)}\n`).join('')
  await expect(lines).toMatchFileSnapshot('./caching.golden.jsonl')
})

test('each request begins with the bytes of the previous one, and most of it is read from the cache', async () => {
  // A separate model name, because the server still has the requests of the previous test.
  const { bodies, usages } = await tenTurns({ model: 'claude-alone' })
  for (const [at, body] of bodies.entries()) {
    const before = bodies[at - 1]
    expect(marksIn(body)).toBe(at === 0 ? 2 : 4)
    if (!before) continue
    const kept = body.messages.slice(0, before.messages.length)
    expect(withoutMarks([body.system, body.tools, kept])).toEqual(
      withoutMarks([before.system, before.tools, before.messages]),
    )
  }
  const sum = (name: 'promptTokens' | 'reusedTokens' | 'evaluatedTokens') =>
    usages.reduce((total, usage) => total + usage[name], 0)
  expect(sum('reusedTokens') + sum('evaluatedTokens')).toBe(sum('promptTokens'))
  expect(usages[0]?.reusedTokens).toBe(0)
  // The last request processes only the question and the preceding answer.
  expect(usages.at(-1)!.reusedTokens / usages.at(-1)!.promptTokens).toBeGreaterThan(0.9)
  expect(sum('reusedTokens') / sum('promptTokens')).toBeGreaterThan(0.8)
})

test('a cache time of one hour is sent explicitly, and five minutes is the server’s default', async () => {
  const markOf = async (cacheTtl?: '5m' | '1h') => {
    await given.answer({}, { ...(cacheTtl && { cacheTtl }) }, { messages: [user('Hello')] })
    return given.server.bodies().at(-1).messages[0].content[0].cache_control
  }
  expect([await markOf(), await markOf('5m'), await markOf('1h')]).toEqual([
    { type: 'ephemeral' },
    { type: 'ephemeral' },
    { type: 'ephemeral', ttl: '1h' },
  ])
})

test('a server that refuses cache marks gets none from then on', async () => {
  const engine = given.anEngine()
  const message = 'messages.0.content.0.text.cache_control: Extra inputs are not permitted'
  given.server.reply({ status: 400, body: { error: { type: 'invalid_request_error', message } } }, {})
  for (let n = 0; n < 2; n++) await Array.fromAsync(engine.complete(aPrompt(), never))
  expect(given.server.bodies().map(marksIn)).toEqual([1, 0, 0])
})

const frozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
  return value
}

test('marks are set on a copy, at most four, never on thoughts or empty content, and the last one at the end', () => {
  const block = fc.oneof(
    fc.record({ type: fc.constant('text'), text: fc.constantFrom('a', 'b ', '', ' ') }),
    fc.record({ type: fc.constant('thinking'), thinking: fc.constant('t'), signature: fc.constant('s') }),
    fc.record({
      type: fc.constant('tool_use'),
      id: fc.constant('i'),
      name: fc.constant('n'),
      input: fc.constant({}),
    }),
    fc.record({ type: fc.constant('tool_result'), tool_use_id: fc.constant('i') }),
    fc.record({ type: fc.constant('tool_result'), tool_use_id: fc.constant('i'), content: fc.constant('r') }),
  )
  const message = fc.record({
    role: fc.constantFrom('user', 'assistant'),
    content: fc.array(block, { maxLength: 4 }),
  })
  const text = fc.record({ type: fc.constant('text'), text: fc.constantFrom('', 'S', 'T') })
  const prompt = fc.record({
    system: fc.array(text, { maxLength: 2 }),
    messages: fc.array(message, { maxLength: 7 }),
  }) as unknown as fc.Arbitrary<ReturnType<typeof apiPrompt>>
  const { met, atLeast } = countCases<'end' | 'end at a result'>()
  fc.assert(
    fc.property(prompt, fc.constantFrom('5m' as const, '1h' as const), (asked, ttl) => {
      const marked = markForCache(frozen(structuredClone(asked)), ttl)
      expect(withoutMarks(marked)).toEqual(asked)
      const all = [marked.system, ...marked.messages.map(each => each.content)]
      const ends = all.flatMap(blocks => blocks.filter(each => 'cache_control' in each && each.cache_control))
      expect(ends.length).toBeLessThanOrEqual(4)
      for (const end of ends) {
        const { type, text: words, content } = end as { type: string; text?: string; content?: string }
        expect(type).not.toBe('thinking')
        expect((words ?? content ?? 'call').trim()).not.toBe('')
        met(type === 'tool_result' ? 'end at a result' : 'end')
        if (type === 'tool_result') expect(content).toBeTruthy()
      }
      const markable = asked.messages.filter(each =>
        markForCache({ system: [], messages: [each] }, ttl).messages.some(m => marksIn(m) > 0),
      )
      expect(ends.length).toBe(
        Math.min(3, markable.length) + (asked.system.some(each => each.text !== '') ? 1 : 0),
      )
    }),
  )
  atLeast({ end: 70, 'end at a result': 25 })
})

test('a prompt that begins with a reply, or has results without calls, is repaired', () => {
  const { system, messages } = apiPrompt(
    [
      { role: 'system', text: '' },
      { role: 'assistant', text: 'As I said.' },
      { role: 'tool', text: 'A result.' },
      user('And?'),
      { role: 'assistant', text: ' ' },
    ],
    [],
  )
  expect([system, messages.map(each => each.role)]).toEqual([[], ['user', 'assistant', 'user']])
  expect(messages[2]?.content).toEqual([
    { type: 'text', text: 'A result.' },
    { type: 'text', text: 'And?' },
  ])
})
