import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { API_KEY, apiAlone, someUsage } from '../../../testing/host/api-alone.ts'
import { rootFolder } from '../lib/disk/shipped-files.ts'
import type { CompletionEvent } from '../models/interface/engine.ts'

// The compiler checks everything sent against the types of the two packages; their helpers read it.

const done = (stop: 'end' | 'length' = 'end'): CompletionEvent => ({ type: 'done', stop, usage: someUsage })
const call = (city: string): CompletionEvent => ({
  type: 'call',
  id: city,
  name: 'weather',
  argumentsText: JSON.stringify({ city }),
})
const ANSWERS: Record<string, CompletionEvent[]> = {
  plain: [{ type: 'text', text: 'Good ' }, { type: 'text', text: 'day.' }, done()],
  thoughts: [{ type: 'reasoning', text: 'Hm.' }, { type: 'text', text: 'Good day.' }, done()],
  cut: [{ type: 'text', text: 'Good' }, done('length')],
  calls: [
    { type: 'reasoning', text: 'Two.' },
    { type: 'text', text: 'I look.' },
    call('Oslo'),
    call('Rome'),
    done(),
  ],
  breaks: [
    { type: 'text', text: 'Good' },
    { type: 'failed', code: 'engine_gone', text: 'The model went away.', fix: '' },
  ],
  nothing: [done()],
}

let api: Awaited<ReturnType<typeof apiAlone>>
let answer: readonly CompletionEvent[] = []
beforeAll(async () => {
  api = await apiAlone({ write: () => answer })
})
afterAll(() => api.close())

const PARAMETERS = { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] }
const hi = [{ role: 'user', content: 'Hi' }]
const BODIES = {
  chat: {
    path: 'chat/completions',
    body: {
      messages: hi,
      stream_options: { include_usage: true },
      tools: [{ type: 'function', function: { name: 'weather', parameters: PARAMETERS } }],
    },
  },
  responses: {
    path: 'responses',
    body: {
      input: 'Hi',
      instructions: 'Be kind.',
      temperature: 0.5,
      metadata: { who: 'me' },
      tools: [{ type: 'function', name: 'weather', parameters: PARAMETERS, strict: false }],
    },
  },
  messages: {
    path: 'messages',
    body: { max_tokens: 9, messages: hi, tools: [{ name: 'weather', input_schema: PARAMETERS }] },
  },
} as const

const ask = (path: string, body?: object) =>
  fetch(`http://127.0.0.1:${api.port}/v1/${path}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${API_KEY}`,
      ...(path.startsWith('messages') && { 'anthropic-version': '2023-06-01' }),
    },
  })

/** The events of a stream, without those that are not JSON. */
const eventsOf = (text: string): Record<string, unknown>[] =>
  text
    .split('\n\n')
    .flatMap(each => /^data: (\{.*)$/m.exec(each)?.[1] ?? [])
    .map(each => JSON.parse(each) as Record<string, unknown>)

/** Remove what OpenAI does not publish but local servers write: thoughts, and context lengths. */
const withoutExtras = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, item: unknown) =>
      key === 'reasoning_content' || key === 'context_length' ? undefined : item,
    ),
  )

/** Return the compiler's messages about values of a type. */
async function compileValues(values: readonly { type: string; value: unknown }[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-types-'))
  try {
    symlinkSync(join(rootFolder(), 'node_modules'), join(folder, 'node_modules'))
    const lines = values.map(
      ({ type, value }, at) => `export const v${at}: ${type} = ${JSON.stringify(withoutExtras(value))}`,
    )
    writeFileSync(
      join(folder, 'values.ts'),
      [
        `import type OpenAI from 'openai'`,
        `import type Anthropic from '@anthropic-ai/sdk'`,
        `import type { ErrorResponse } from '@anthropic-ai/sdk/resources/shared'`,
        ...lines,
      ].join('\n'),
    )
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--pretty', 'false']
    const modules = ['--module', 'nodenext', '--target', 'es2024', '--types', 'node']
    return await new Promise(resolve =>
      execFile(
        process.execPath,
        [join(rootFolder(), 'node_modules/typescript/bin/tsc'), ...options, ...modules, 'values.ts'],
        { cwd: folder },
        (error, stdout, stderr) => resolve(error ? stdout + stderr : ''),
      ),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('every event and every whole answer is of the type that is published for it', async () => {
  const values: { type: string; value: unknown }[] = []
  const types = {
    chat: ['OpenAI.Chat.ChatCompletion', 'OpenAI.Chat.ChatCompletionChunk'],
    responses: ['OpenAI.Responses.Response', 'OpenAI.Responses.ResponseStreamEvent'],
    messages: ['Anthropic.Message', 'Anthropic.RawMessageStreamEvent'],
  } as const
  for (const [name, { path, body }] of Object.entries(BODIES))
    for (const [kind, events] of Object.entries(ANSWERS)) {
      answer = events
      const [whole, part] = types[name as keyof typeof types]
      const streamed = eventsOf(await (await ask(path, { model: 'A', stream: true, ...body })).text())
      expect(streamed.length, `${name} ${kind}`).toBeGreaterThan(1)
      for (const value of streamed)
        values.push({
          // A problem in the middle of a stream has the type of problems.
          type: !('error' in value)
            ? part
            : name === 'messages'
              ? 'ErrorResponse'
              : '{ error: OpenAI.ErrorObject }',
          value,
        })
      if (kind !== 'breaks')
        values.push({ type: whole, value: await (await ask(path, { model: 'A', ...body })).json() })
    }
  values.push(
    {
      type: 'OpenAI.Model & Anthropic.ModelInfo',
      value: ((await (await ask('models')).json()) as { data: unknown[] }).data[0],
    },
    {
      type: 'OpenAI.CreateEmbeddingResponse',
      value: await (await ask('embeddings', { model: 'talaria-encoder', input: ['a', 'b'] })).json(),
    },
    {
      type: 'Anthropic.MessageTokensCount',
      value: await (await ask('messages/count_tokens', { model: 'A', messages: hi })).json(),
    },
    { type: 'ErrorResponse', value: await (await ask('messages', { model: 'nobody', messages: hi })).json() },
    {
      type: '{ error: OpenAI.ErrorObject }',
      value: await (await ask('responses', { model: 'nobody', input: 'Hi' })).json(),
    },
  )
  expect(await compileValues(values)).toBe('')
  // The check itself finds values that do not fit.
  expect(await compileValues([{ type: 'OpenAI.Model', value: { id: 1 } }])).toContain('error TS')
})

test('the events of a response come in the published order, numbered and at their places', async () => {
  answer = ANSWERS['calls']!
  const { path, body } = BODIES.responses
  const events = eventsOf(await (await ask(path, { model: 'A', stream: true, ...body })).text())
  expect(events.map(({ sequence_number: at }) => at)).toEqual(events.map((_, at) => at))
  const text = (kind: string) => [
    'output_item.added',
    'content_part.added',
    `${kind}.delta`,
    `${kind}.done`,
    'content_part.done',
    'output_item.done',
  ]
  const called = [
    'output_item.added',
    'function_call_arguments.delta',
    'function_call_arguments.done',
    'output_item.done',
  ]
  expect(events.map(({ type }) => String(type).replace('response.', ''))).toEqual([
    'created',
    'in_progress',
    ...text('reasoning_text'),
    ...text('output_text'),
    ...called,
    ...called,
    'completed',
  ])
  const places = events.flatMap(({ output_index: at }) => (typeof at === 'number' ? [at] : []))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('the events of a message come in the published order: each block is begun, written and ended', async () => {
  answer = ANSWERS['calls']!
  const { path, body } = BODIES.messages
  const events = eventsOf(await (await ask(path, { model: 'A', stream: true, ...body })).text())
  const block = ['content_block_start', 'content_block_delta', 'content_block_stop']
  expect(events.map(({ type }) => type)).toEqual([
    'message_start',
    ...block,
    ...block,
    ...block,
    ...block,
    'message_delta',
    'message_stop',
  ])
  expect(events.flatMap(({ index }) => (typeof index === 'number' ? [index] : []))).toEqual(
    [0, 1, 2, 3].flatMap(at => [at, at, at]),
  )
})

test('the helpers of both packages read parallel calls, thoughts and usage whole', async () => {
  answer = ANSWERS['calls']!
  const options = { apiKey: API_KEY, maxRetries: 0 }
  const openai = new OpenAI({ ...options, baseURL: `http://127.0.0.1:${api.port}/v1` })
  const anthropic = new Anthropic({ ...options, baseURL: `http://127.0.0.1:${api.port}` })
  const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: PARAMETERS } }]
  const messages = [{ role: 'user' as const, content: 'Hi' }]
  const cities = ['{"city":"Oslo"}', '{"city":"Rome"}']

  const chat = openai.chat.completions.stream({
    model: 'A',
    messages,
    tools,
    stream_options: { include_usage: true },
  })
  const { choices, usage } = await chat.finalChatCompletion()
  expect(
    choices[0]!.message.tool_calls?.map(each => each.type === 'function' && each.function.arguments),
  ).toEqual(cities)
  expect([choices[0]!.finish_reason, usage?.prompt_tokens_details?.cached_tokens]).toEqual(['tool_calls', 4])

  const response = await openai.responses
    .stream({
      model: 'A',
      input: 'Hi',
      tools: [{ type: 'function', name: 'weather', parameters: PARAMETERS, strict: false }],
    })
    .finalResponse()
  expect(response.output.map(({ type }) => type)).toEqual([
    'reasoning',
    'message',
    'function_call',
    'function_call',
  ])
  expect(response.usage?.input_tokens_details.cached_tokens).toBe(4)
  expect(response.tools).toMatchObject([{ name: 'weather' }])

  const message = await anthropic.messages
    .stream({ model: 'A', max_tokens: 9, messages, tools: [{ name: 'weather', input_schema: PARAMETERS }] })
    .finalMessage()
  expect(message.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use', 'tool_use'])
  expect(message.usage).toMatchObject({ input_tokens: 8, cache_read_input_tokens: 4, output_tokens: 3 })

  // Results of both go back, including pictures; if one call is required, one comes.
  const results = message.content.flatMap(each => (each.type === 'tool_use' ? [each.id] : []))
  const picture = { type: 'base64' as const, media_type: 'image/png' as const, data: 'iVBORw0KGgo=' }
  const single = await anthropic.messages.create({
    model: 'A',
    max_tokens: 9,
    system: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } }],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    tools: [{ name: 'weather', input_schema: PARAMETERS }],
    messages: [
      ...messages,
      { role: 'assistant', content: message.content },
      {
        role: 'user',
        content: results.map(id => ({
          type: 'tool_result' as const,
          tool_use_id: id,
          content: [
            { type: 'text' as const, text: `Rain in ${id}` },
            { type: 'image' as const, source: picture },
            { type: 'tool_reference' as const, tool_name: 'weather' },
          ],
        })),
      },
    ],
  })
  expect(single.content.filter(({ type }) => type === 'tool_use').length).toBe(1)
  const sent = api.prompts.at(-1)!
  expect(sent.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool'])
  expect(sent.messages.map(({ images }) => images?.length ?? 0)).toEqual([0, 0, 0, 1, 1])
  expect(sent.messages[0]?.text).toBe('Be kind.')
})

test('a stream that breaks is an error of the package, and not a short answer', async () => {
  answer = ANSWERS['breaks']!
  const options = { apiKey: API_KEY, maxRetries: 0 }
  const openai = new OpenAI({ ...options, baseURL: `http://127.0.0.1:${api.port}/v1` })
  const anthropic = new Anthropic({ ...options, baseURL: `http://127.0.0.1:${api.port}` })
  const messages = [{ role: 'user' as const, content: 'Hi' }]
  await expect(openai.chat.completions.stream({ model: 'A', messages }).finalContent()).rejects.toThrow(
    'went away',
  )
  await expect(
    anthropic.messages.stream({ model: 'A', max_tokens: 9, messages }).finalMessage(),
  ).rejects.toThrow('went away')
  expect(
    await openai.responses
      .stream({ model: 'A', input: 'Hi' })
      .finalResponse()
      .catch(({ message }) => message),
  ).toMatchObject({ status: 'failed', error: { message: 'The model went away.' } })
})
