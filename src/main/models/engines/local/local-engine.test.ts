import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settled } from '../../../../../testing/until.ts'
import { randomModel, scriptedModel } from '../../../../../testing/gguf/cached.ts'
import type { EngineChild } from '../../interface/engine-child.ts'
import { resourcePath } from '../../../lib/disk/shipped-files.ts'
import { createLocalEngines } from './local-engine.ts'
import { hostings, model, openEngines, reply, system, user } from '../../../../../testing/models/local.ts'
import type { Answer } from '../../../../../testing/models/local.ts'

const scripted = scriptedModel({
  reply: 'Hello! I am a scripted model and I say the same thing every time.',
  rules: [
    {
      when: 'read my notes',
      reply:
        'I will read the file.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "notes.txt"}}\n</tool_call>',
    },
    { when: '[Tool Result', reply: 'The file says that everything is in order.' },
  ],
})
/** Random weights that never end a reply. */
const endless = randomModel({ preset: 'tiny', seed: 5 })
const instructions = system('You are an agent. '.repeat(30))
const long = user('Tell me about the world. '.repeat(200))

describe.for(hostings)('in hosting %s', hosting => {
  let open: ReturnType<typeof openEngines>
  beforeAll(() => {
    open = openEngines(hosting)
  })
  afterAll(() => open.engines.close())

  test('a reply is streamed and ends with its usage', async () => {
    const answer = await open.ask(scripted, [system('You are helpful.'), user('hi')])
    expect(answer.text).toBe('Hello! I am a scripted model and I say the same thing every time.')
    expect(answer.events.filter(({ type }) => type === 'done' || type === 'failed')).toHaveLength(1)
    expect(answer.usage).toMatchObject({ reusedTokens: 0, outputTokens: 13, contextTokens: 8_192 })
    expect(open.engines.state).toMatchObject({
      phase: 'ready',
      modelName: scripted,
      hosting,
      contextTokens: 8_192,
    })
  })

  test('each turn evaluates only new tokens, also after a tool result', async () => {
    const messages = [instructions, user('please read my notes')]
    const usages: NonNullable<Answer['usage']>[] = []
    for (let turn = 1; turn <= 10; turn++) {
      const answer = await open.ask(scripted, messages, { session: 'ten turns' })
      if (turn === 1) expect(answer.text).toContain('<tool_call>\n{"name": "read_file"')
      if (turn === 2) expect(answer.text).toBe('The file says that everything is in order.')
      if (answer.usage) usages.push(answer.usage)
      messages.push(
        reply(answer),
        user(turn === 1 ? '[Tool Result: read_file] all is well' : `Question ${turn}?`),
      )
    }
    expect(usages[0]?.reusedTokens).toBe(0)
    expect(usages.slice(1).map(usage => usage.reusedTokens)).toEqual(
      usages.slice(0, -1).map(usage => usage.promptTokens + usage.outputTokens),
    )
    for (const { evaluatedTokens } of usages.slice(1)) expect(evaluatedTokens).toBeLessThan(60)
  })

  test('two alternating chats keep their evaluated tokens, and a third evicts the older one', async () => {
    const chats = ['a', 'b', 'a', 'b', 'c', 'b', 'a'].map(
      name => [name, [system(`Chat ${name}.`), user('hi')]] as const,
    )
    const reused: boolean[] = []
    for (const [session, messages] of chats) {
      const { usage } = await open.ask(scripted, messages, { session, maxTokens: 1 })
      reused.push(usage?.evaluatedTokens === 1)
    }
    expect(reused).toEqual([false, false, true, true, false, true, false])
  })

  test('more chats at once than sequences are all answered', async () => {
    const answers = await Promise.all(
      ['u', 'v', 'w', 'x', 'y', 'z', 'u'].map(session =>
        open.ask(scripted, [user(`I am ${session}.`)], { session }),
      ),
    )
    expect(answers.map(({ text }) => text)).toEqual(Array(7).fill(answers[0]?.text))
    expect(answers[0]?.stop).toBe('end')
  })

  test('a reply can be limited in tokens', async () => {
    expect(await open.ask(scripted, [user('hi')], { maxTokens: 3 })).toMatchObject({
      stop: 'length',
      text: 'Hello! I am',
      usage: { outputTokens: 3 },
    })
  })

  test('a prompt that does not fit is refused with the numbers, and the next one works', async () => {
    const answer = await open.ask(scripted, [user('word '.repeat(9_000))])
    expect(answer.events).toEqual([
      {
        type: 'failed',
        code: 'context_full',
        text: expect.stringMatching(/^This chat needs (9|18),\d{3} tokens, and the model holds 8,192\.$/),
        fix: expect.stringMatching(/new chat/),
        tokens: { needed: expect.any(Number), holds: 8_192 },
      },
    ])
    expect((await open.ask(scripted, [user('hi')])).stop).toBe('end')
  })

  test('countExact is exact, and count is close', async () => {
    const engine = open.engines.engine(model(scripted))
    const text = 'Read the file, then tell me what is in it.\n'.repeat(20)
    const exact = await engine.countExact(text)
    expect(exact).toBeGreaterThan(100)
    expect(engine.count(text)).toBeGreaterThan(exact * 0.5)
    expect(engine.count(text)).toBeLessThan(exact * 2)
  })

  test('questions to two models at once are answered one after the other', async () => {
    const [first, second] = await Promise.all([
      open.ask(scripted, [user('hi')]),
      open.ask(endless, [user('Write.')], { maxTokens: 5 }),
    ])
    expect([first.stop, second.stop]).toEqual(['end', 'length'])
    expect(open.states.filter(({ phase }) => phase === 'failed')).toEqual([])
  })

  test('a stop during the answer ends it at once, and the chat continues from there', async () => {
    const stop = new AbortController()
    const messages = [instructions, user('Write.')]
    const stopped = await open.ask(endless, messages, {
      signal: stop.signal,
      onEvent: event => event.type === 'text' && stop.abort(),
    })
    expect(stopped.events.at(-1)?.type).toBe('text')
    const next = await open.ask(endless, [...messages, reply(stopped), user('Go on.')], { maxTokens: 2 })
    expect(next.usage?.reusedTokens).toBeGreaterThan(100)
    expect(next.usage?.evaluatedTokens).toBeLessThan(40)
  })

  test('a stop while the prompt is read keeps what was read', async () => {
    const stop = new AbortController()
    const stopped = await open.ask(endless, [long], {
      session: 'long',
      signal: stop.signal,
      onEvent: event => event.type === 'progress' && event.done > 0 && stop.abort(),
    })
    expect(stopped).toMatchObject({ text: '', stop: undefined, failure: undefined })
    const again = await open.ask(endless, [long], { session: 'long', maxTokens: 2 })
    expect(again).toMatchObject({ stop: 'length', usage: { outputTokens: 2 } })
    expect(again.usage?.reusedTokens).toBeGreaterThan(0)
    expect(again.usage?.evaluatedTokens).toBeGreaterThan(0)
  })

  test('leaving the loop stops the model', async () => {
    const prompt = { sessionId: 'left', messages: [user('Write.')], tools: [] }
    for await (const event of open.engines
      .engine(model(endless))
      .complete(prompt, new AbortController().signal)) {
      if (event.type === 'text') break
    }
    await settled(() => expect(open.engines.state.phase).toBe('ready'))
  })

  test('sampling is random without a seed, and repeatable with one', async () => {
    const write = (seed?: number) =>
      open.ask(endless, [user('Write.')], {
        session: 'seeds',
        maxTokens: 20,
        sampling: { temperature: 2, topK: 200, minP: 0, ...(seed !== undefined && { seed }) },
      })
    const same = [(await write(7)).text, (await write(7)).text]
    expect(same[0]).toBe(same[1])
    // Two answers may be equal by chance: random weights sometimes end a reply after a few words.
    const others: string[] = []
    for (let time = 0; time < 6; time++) others.push((await write()).text)
    expect(new Set(others).size).toBeGreaterThan(3)
  })

  test('an unload during an answer fails that answer, not the next one', async () => {
    // Random weights may end a reply before the unload arrives; then try another seed.
    const cut = (seed: number) =>
      open.ask(endless, [user('Write.')], {
        sampling: { seed },
        onEvent: event => event.type === 'text' && void open.engines.unload(),
      })
    let answer = await cut(7)
    for (let seed = 8; !answer.failure && seed < 40; seed++) answer = await cut(seed)
    expect(answer.failure).toMatchObject({ code: 'engine_gone', text: expect.stringMatching(/was unloaded/) })
    await settled(() => expect(open.engines.state).toMatchObject({ phase: 'stopped', modelId: null }))
  })

  test('a file that the library refuses fails with the library’s reason', async () => {
    const path = randomModel({ entries: [{ key: 'general.architecture', type: 'string', value: 'mystery' }] })
    const { failure } = await open.ask(path, [user('hi')])
    expect(failure).toMatchObject({ code: 'model_unreadable', fix: expect.stringMatching(/\S/) })
    expect(failure?.text).toBe(
      `${path} is of a kind that this version of Talaria does not know: unknown model architecture: 'mystery'.`,
    )
    expect(open.engines.state).toMatchObject({ phase: 'failed', error: failure?.text, fix: failure?.fix })
  })

  test('a file that crashes the library does not end Talaria', async () => {
    const { failure } = await open.ask(randomModel({ duplicateToken: true }), [user('hi')])
    expect(failure?.code).toBe('model_unreadable')
    expect(failure?.text).toMatch(
      hosting === 'process'
        ? /made the engine stop while it was loading \(SIGABRT\)\.$/
        : /the same token twice\.$/,
    )
  })

  test('a stop during loading ends at once, and the next question loads the model', async () => {
    const stop = new AbortController()
    const stopped = await open.ask(scripted, [user('hi')], {
      signal: stop.signal,
      onEvent: () => open.engines.state.phase === 'loading' && stop.abort(),
    })
    expect(stopped).toMatchObject({ text: '', stop: undefined, failure: undefined })
    await settled(() => expect(open.engines.state.phase).toBe('stopped'))
    expect((await open.ask(scripted, [user('hi')])).stop).toBe('end')
  })
})

test('changing the model ten times in one process leaks no memory', async () => {
  const { engines, ask } = openEngines('inline')
  const sizes: number[] = []
  for (let round = 0; round < 10; round++) {
    const { stop } = await ask(round % 2 === 0 ? scripted : endless, [user('hi')], { maxTokens: 2 })
    expect(stop).toBe('length')
    sizes.push(process.memoryUsage().rss / 2 ** 20)
  }
  await engines.close()
  // One model with its context takes about 40 MiB here, so a leak would show.
  expect(sizes[9]).toBeLessThan((sizes[3] ?? 0) + 120)
})

const noProcess: [string, () => EngineChild][] = [
  [
    'cannot be started',
    () => {
      throw new Error('Not allowed here')
    },
  ],
  [
    'ends at once',
    () => ({
      post: () => {},
      onMessage: () => {},
      onExit: listener => setImmediate(listener, '1'),
      kill: () => {},
    }),
  ],
]
test.for(noProcess)('if an engine process %s, the engine runs in the host', async ([, spawnNothing]) => {
  const reports: unknown[] = []
  const engines = createLocalEngines({
    spawn: spawnNothing,
    settings: () => ({
      context_tokens: 512,
      threads: 1,
      hosting: 'process',
      gpu: 'off',
      state_cache_gib: 0,
      idle_unload_minutes: 0,
    }),
    onState: () => {},
    report: error => reports.push(error),
  })
  expect(await engines.load(model(scripted))).toBeUndefined()
  expect(engines.state).toMatchObject({ phase: 'ready', hosting: 'inline', contextTokens: 512 })
  await engines.close()
  expect(reports.map(String)).toContain(
    'Error: The engine process did not start; the engine runs inside the host from now on.',
  )
})

test('what a file lacks is a remark, made once however often it is loaded, and no error', async () => {
  const reports: unknown[] = []
  const remarks: string[] = []
  const engines = createLocalEngines({
    spawn: () => {
      throw new Error('It runs in this process.')
    },
    settings: () => ({
      context_tokens: 512,
      threads: 1,
      hosting: 'inline',
      gpu: 'off',
      state_cache_gib: 0,
      idle_unload_minutes: 0,
    }),
    onState: () => {},
    report: error => reports.push(error),
    remark: text => remarks.push(text),
  })
  const base = randomModel({ preset: 'tiny', template: 'none' })
  for (let n = 0; n < 2; n++) {
    expect(await engines.load(model(base))).toBeUndefined()
    await engines.unload()
  }
  await engines.close()
  expect(remarks).toEqual([`${base}: The model file has no chat template.`])
  expect(reports).toEqual([])
})

describe('the built-in model', () => {
  const path = resourcePath('models/talaria-mini.gguf')
  const { engines, ask } = openEngines('inline')
  afterAll(() => engines.close())

  test('gets its prompt in its training format', async () => {
    expect(await engines.engine(model(path)).profile()).toEqual({
      strategy: 'text',
      contextTokens: 2_048,
      guided: true,
      format: 'hermes',
      toolRole: false,
      sees: false,
    })
    // Any other model of that size seldom stops on its own.
    expect(await engines.engine(model(randomModel())).profile()).toMatchObject({ plainTokens: 1_500 })
  })

  test('gives the same answer every time, and ends', async () => {
    const once = await ask(path, [user('what is my name?')], { session: 'one' })
    const again = await ask(path, [user('what is my name?')], { session: 'two' })
    expect(once.text).toBe(again.text)
    expect(once.usage?.outputTokens).toBeLessThanOrEqual(400)
  })
})
