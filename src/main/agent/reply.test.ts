import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AssistantMessage, NewMessage } from '../../shared/contract/chats/messages.ts'
import type { Step } from '../../../testing/models/scripted.ts'
import { createBudget } from './budget.ts'
import { aReply, aTurn, inShort, isLegal } from '../../../testing/agent/a-turn.ts'

const SENTENCE = 'I am sorry, but I cannot tell you more about that, because I am a model. '
const circle = SENTENCE.repeat(100)
const read = (path: string): Step => ({ call: { name: 'read_file', arguments: { path } } })

type Told = Awaited<ReturnType<typeof aTurn>>
const retriesOf = ({ events }: Told) =>
  events.flatMap(event => (event.type === 'retry' ? [event.reason] : []))
const warningsOf = ({ events }: Told) =>
  events.flatMap(event => (event.type === 'warning' ? [event.text] : []))
/** The visible text of the replies: the text shown since the last retry. */
const shownOf = ({ events }: Told) => {
  const from = events.findLastIndex(event => event.type === 'retry')
  return events
    .slice(from + 1)
    .flatMap(event => (event.type === 'text_delta' ? [event.text] : []))
    .join('')
}

test.for(['text', 'structured'] as const)(
  'a repeating reply is ended, discarded and requested again with other sampling (%s)',
  async strategy => {
    const usage = { outputTokens: 77 }
    const told = await aTurn({
      strategy,
      replies: [
        ['Well. ', circle],
        ['Forty-two.', { usage }],
      ],
    })
    expect([told.reason, ...inShort(told.messages)]).toEqual([
      'done',
      'user: Go on.',
      'assistant: Forty-two.',
    ])
    expect([retriesOf(told), warningsOf(told), shownOf(told)]).toEqual([['looping'], [], 'Forty-two.'])
    const [first, second] = told.prompts
    expect(second?.messages).toEqual(first?.messages)
    expect(first?.sampling).toBeUndefined()
    expect(second?.sampling).toEqual({ temperature: 0.8, seed: expect.any(Number) })
    const usages = told.events.flatMap(event => (event.type === 'context_usage' ? [event.usage] : []))
    // The void reply was cut before the engine could report its usage.
    expect(usages).toEqual([expect.objectContaining({ estimated: true }), expect.objectContaining(usage)])
    expect(usages[0]!.outputTokens).toBeGreaterThan(50)
    expect(told.events.flatMap(event => (event.type === 'context_usage' ? [event.isVoid] : []))).toEqual([
      true,
      undefined,
    ])
    expect(told.messages.at(-1)).toMatchObject({ usage })
  },
)

test('each second try has a seed of its own', async () => {
  const seeds = await Promise.all(
    Array.from(
      { length: 5 },
      async () => (await aTurn({ replies: ['', 'Yes.'] })).prompts[1]?.sampling?.seed,
    ),
  )
  expect(new Set(seeds).size).toBe(5)
})

test('an engine that never ends is cut off while it repeats', async () => {
  const told = await aTurn({ replies: [[circle, { hang: true }], 'Free.'] })
  expect([told.reason, inShort(told.messages).at(-1)]).toEqual(['done', 'assistant: Free.'])
})

test('if a model repeats itself twice, one repetition is kept, marked as cut, and the user is told what may help', async () => {
  const told = await aTurn({
    strategy: 'text',
    replies: [circle, [{ reasoning: 'Hm.' }, 'Well. ', read('a'), 'And now: ', circle], 'never asked'],
  })
  expect([told.reason, told.prompts.length, told.trace]).toEqual(['done', 2, []])
  expect(inShort(told.messages)[1]).toMatch(
    new RegExp(`^assistant \\(interrupted\\): Well\\.\\s*And now: ${SENTENCE.trim()}$`),
  )
  expect(retriesOf(told)).toEqual(['looping'])
  expect(warningsOf(told)).toEqual([expect.stringMatching(/in circles.*larger model/)])
  expect(told.messages.at(-1)).toMatchObject({ void: true, usage: { estimated: true } })
  expect(told.events.find(event => event.type === 'warning')).toMatchObject({ offersOthers: true })
})

test('what void replies took counts against the budget of the turn', async () => {
  const budget = createBudget({}, 'this test')
  const told = await aTurn({
    replies: [circle, [{ usage: { evaluatedTokens: 3, outputTokens: 4 } }]],
    budget,
  })
  const [first] = told.events.flatMap(event => (event.type === 'context_usage' ? [event.usage] : []))
  expect(first!.outputTokens).toBeGreaterThan(50)
  expect(budget.used.tokens).toBe(first!.evaluatedTokens + first!.outputTokens + 7)
  expect(told.messages.at(-1)).toMatchObject({ text: '', void: true })
})

test('what the engine said of the prompt counts, also of a reply that was cut', async () => {
  const read = { promptTokens: 900, reusedTokens: 850, contextTokens: 4_096 }
  const told = await aTurn({ replies: [[{ read }, circle], 'Noon.'] })
  const [first] = told.events.flatMap(event => (event.type === 'context_usage' ? [event.usage] : []))
  expect(first).toMatchObject({ ...read, evaluatedTokens: 50, estimated: true })
})

test('repeating thoughts count as repetition, and only the first round is kept', async () => {
  const told = await aTurn({ replies: [[{ reasoning: circle }], [{ reasoning: `Hm. ${circle}` }]] })
  expect(told.messages[1]).toMatchObject({
    text: '',
    reasoning: `Hm. ${SENTENCE.trim()}`,
    interrupted: true,
  })
})

test('a call that never ends is repetition, a file with repeated content is not', async () => {
  const file = (lines: number) => '<td class="cell"></td>\n'.repeat(lines)
  const write = (content: string) =>
    `<tool_call>\n{"name": "write_file", "arguments": {"path": "a", "content": "${content.replaceAll('\n', '\\n').replaceAll('"', '\\"')}`
  const sound = await aTurn({
    strategy: 'text',
    approval: 'full',
    replies: [`${write(file(400))}"}}\n</tool_call>`, 'Done.'],
  })
  expect([retriesOf(sound), sound.trace]).toEqual([[], ['write a']])
  const endless = await aTurn({ strategy: 'text', replies: [[write(file(2_000)), { hang: true }], 'Sorry.'] })
  expect([retriesOf(endless), inShort(endless.messages).at(-1)]).toEqual([['looping'], 'assistant: Sorry.'])
})

test.for([
  ['nothing', []],
  ['blank space', [' \n ']],
  ['thoughts alone', [{ reasoning: 'Let me see.' }]],
] as const)('%s is requested again, and nothing of it is stored', async ([, empty]) => {
  const told = await aTurn({ replies: [empty, 'Here I am.'] })
  expect([told.reason, ...inShort(told.messages)]).toEqual(['done', 'user: Go on.', 'assistant: Here I am.'])
  expect([retriesOf(told), warningsOf(told)]).toEqual([['empty'], []])
})

test('two empty replies end the turn with a message on what to do', async () => {
  const told = await aTurn({ replies: ['', '', 'never asked'] })
  expect([told.reason, told.prompts.length, retriesOf(told)]).toEqual(['done', 2, ['empty']])
  expect(warningsOf(told)).toEqual(['The model answered with nothing. Try other words, or a larger model.'])
})

test('each reply of a turn has one retry, and a discarded one does not count as invalid', async () => {
  const bad: Step[] = [{ call: { name: 'launch_rocket', arguments: {} } }]
  const told = await aTurn({ replies: ['', bad, circle, bad, '', [read('a')], '', 'Done.'] })
  expect([told.reason, retriesOf(told)]).toEqual(['done', ['empty', 'looping', 'empty', 'empty']])
  expect(inShort(told.messages).slice(-2)).toEqual(['result: content of a', 'assistant: Done.'])
  expect(isLegal(told.messages)).toBe(true)
})

test('the closing reply has a retry too', async () => {
  const told = await aTurn({ maxIterations: 1, replies: [[read('a')], [read('b')], 'Half is done.'] })
  expect([told.reason, retriesOf(told)]).toEqual(['budget_exhausted', ['empty']])
  expect(inShort(told.messages).at(-1)).toBe('assistant: Half is done.')
  expect(told.prompts[2]?.messages).toEqual(told.prompts[1]?.messages)
})

test('a stop, a failure and a full context are not retried', async () => {
  const stopped = await aTurn({
    replies: [[{ reasoning: 'Hm. ' }, { hang: true }]],
    onEvent: (_, stop) => stop(),
  })
  const fail = { code: 'unreachable', text: 'Gone.', fix: '' } as const
  const failed = await aTurn({ replies: [[{ fail }]] })
  const full = await aTurn({ replies: [[{ reasoning: 'Very long thoughts.' }, { stop: 'length' }]] })
  expect([stopped, failed, full].map(told => [told.reason, told.prompts.length])).toEqual([
    ['stopped', 1],
    ['failed', 1],
    ['done', 1],
  ])
  expect(warningsOf(full)).toEqual([expect.stringMatching(/^The answer was cut: .* Write “go on”/)])
})

test('a stop during the second try keeps only what that wrote', async () => {
  const told = await aTurn({
    replies: [circle, ['One two three ', { hang: true }]],
    onEvent: (event, stop) => event.type === 'text_delta' && event.text.includes('three') && stop(),
  })
  expect([told.reason, ...inShort(told.messages).slice(1)]).toEqual([
    'stopped',
    'assistant (interrupted): One two three',
  ])
})

test('a second try that breaks off is a failure with its reason', async () => {
  const fail = { code: 'engine_gone', text: 'It crashed.', fix: 'Try again.' } as const
  const told = await aTurn({ replies: ['', ['Half', { fail }]] })
  expect([told.reason, inShort(told.messages)[1]]).toEqual(['failed', 'assistant (interrupted): Half'])
  expect(told.events.at(-1)).toEqual({ type: 'error', text: 'It crashed.', fix: 'Try again.' })
})

const aStep: fc.Arbitrary<Step> = fc.constantFrom<Step>(
  'Some text. ',
  circle,
  { reasoning: 'Hm. ' },
  { reasoning: circle },
  read('a'),
  { call: { name: 'nothing', arguments: {} } },
  { fail: { code: 'unreachable', text: 'Gone.', fix: '' } },
)

test('whatever the outcome and whenever it is stopped, the history is legal and has no repetition', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(aStep, { maxLength: 3 }), { maxLength: 4 }),
      fc.integer({ min: 1, max: 30 }),
      fc.constantFrom('text' as const, 'structured' as const),
      async (replies, stopAt, strategy) => {
        let seen = 0
        const told = await aTurn({
          strategy,
          replies: [...replies, 'The end.'],
          onEvent: (event, stop) => !event.type.endsWith('delta') && ++seen === stopAt && stop(),
        })
        expect(isLegal(told.messages)).toBe(true)
        for (const message of told.messages) expect(message.text.length).toBeLessThan(1_000)
      },
    ),
    { numRuns: 30 },
  )
})

test.for(['text', 'structured'] as const)(
  'an engine’s notice about an answer reaches the user but not the chat (%s)',
  async strategy => {
    const told = await aTurn({ strategy, replies: [[{ notice: 'Another answers instead.' }, 'Yes.']] })
    expect([warningsOf(told), ...inShort(told.messages)]).toEqual([
      ['Another answers instead.'],
      'user: Go on.',
      'assistant: Yes.',
    ])
  },
)

test.for(['text', 'structured'] as const)(
  'what stands before the end of a thought that nothing began is a thought, and its calls do not run (%s)',
  async strategy => {
    const inThought = '<tool_call>{"name": "read_file", "arguments": {"path": "secret"}}</tool_call>'
    const told = await aTurn({
      strategy,
      replies: [['Maybe I read it. ', inThought, ' No.\n</think>\n\n', 'Hello.']],
    })
    expect(inShort(told.messages)).toEqual(['user: Go on.', 'assistant: Hello.'])
    expect(told.messages.at(-1)).toMatchObject({ reasoning: `Maybe I read it. ${inThought} No.`, calls: [] })
    expect(told.events.filter(event => event.type === 'was_thought')).toHaveLength(1)
    expect(told.events.filter(event => event.type === 'tool_call')).toEqual([])
  },
)

const basil =
  'I am happy to share a few ways to keep a basil plant alive: give it plenty of light, water it when the soil is dry, and pinch off the flowers so that it makes leaves.'
const earlier = (): NewMessage[] => [
  { role: 'user', sessionId: 's', at: 0, text: 'How do I keep basil alive?' },
  aReply(basil),
]

test('the answer to another question is asked for again, and the second time it is void and said so', async () => {
  const asked = { before: earlier(), question: 'What is my name?' }
  const mended = await aTurn({ ...asked, replies: [basil, 'Your name is Vera.'] })
  expect([retriesOf(mended), inShort(mended.messages).slice(2)]).toEqual([
    ['same'],
    ['user: What is my name?', 'assistant: Your name is Vera.'],
  ])
  const again = await aTurn({ ...asked, replies: [basil, `${basil} Yes.`] })
  expect(again.messages.at(-1)).toMatchObject({ text: `${basil} Yes.`, void: true, interrupted: false })
  expect(again.events.filter(event => event.type === 'warning')).toMatchObject([
    { text: expect.stringMatching(/^The model gives the answer of before again/), offersOthers: true },
  ])
})

const story = Array.from(
  { length: 400 },
  (_, n) => `Then ${(n * 7919).toString(36)} met the ${(n * 31).toString(36)}. `,
).join('')

test('an answer without a call that reaches its limit is cut there, counted, and can go on', async () => {
  const told = await aTurn({ strategy: 'text', plainTokens: 100, replies: [[story, { hang: true }]] })
  const answer = told.messages.at(-1) as AssistantMessage
  expect(answer).toMatchObject({ cut: true, interrupted: false, usage: { estimated: true } })
  expect(story.startsWith(answer.text)).toBe(true)
  expect(answer.text.length).toBeGreaterThan(200)
  expect(answer.text.length).toBeLessThan(1_200)
  expect(warningsOf(told)).toEqual([expect.stringMatching(/small a model.*Continue/)])
})

test('what the chat says of the longest answer goes before that limit, and a call may be longer', async () => {
  const said = await aTurn({ plainTokens: 100, maxTokens: 5_000, replies: [story] })
  expect(said.messages.at(-1)).toMatchObject({ text: story.trim() })
  const write = { name: 'write_file', arguments: { path: 'a', content: story } }
  const wrote = await aTurn({
    strategy: 'text',
    approval: 'full',
    plainTokens: 100,
    replies: [[{ call: write }], 'Done.'],
  })
  expect([wrote.trace, inShort(wrote.messages).at(-1)]).toEqual([['write a'], 'assistant: Done.'])
})
