import { afterEach, expect, test } from 'vitest'
import { startOpenAiServer, type OpenAiServer } from '../../../../../testing/servers/openai-server.ts'
import { createOpenAiEngine, type OpenAiModel } from './openai-engine.ts'

let server: OpenAiServer | undefined
afterEach(() => server?.close())

async function profileOf(
  options: Parameters<typeof startOpenAiServer>[0],
  changes: Partial<OpenAiModel> = {},
) {
  server = await startOpenAiServer(options)
  const settings = {
    modelId: 'server:x',
    name: 'X',
    baseUrl: server.baseUrl,
    model: 'some:7b',
    apiKey: '',
    fetchFor: () => fetch,
  }
  return createOpenAiEngine({ ...settings, ...changes }, () => undefined).profile()
}

/** The profile of a model with an unknown name, except its window. */
const unknown = { strategy: 'text', format: 'hermes', toolRole: false }

const listed = (fields: object) => ({
  models: [
    { id: 'other', max_model_len: 999 },
    { id: 'some:7b', ...fields },
  ],
})

const ollama = (capabilities: string[]) => ({
  pages: { '/api/ps': { models: [] }, '/api/show': { capabilities } },
})
const studio = (capabilities: string[]) => ({
  pages: { '/api/v0/models': { data: [{ id: 'some:7b', loaded_context_length: 4_096, capabilities }] } },
})

test.for([
  ['vLLM tells the window', listed({ max_model_len: 32_768 }), 32_768],
  ['OpenRouter tells the window', listed({ context_length: 200_000 }), 200_000],
  [
    'LM Studio tells the window',
    { pages: { '/api/v0/models': { data: [{ id: 'some:7b', loaded_context_length: 4_096 }] } } },
    4_096,
  ],
  [
    'llama-server tells the window',
    { pages: { '/props': { default_generation_settings: { n_ctx: 16_384 } } } },
    16_384,
  ],
  [
    'Ollama tells the window of a loaded model',
    { pages: { '/api/ps': { models: [{ model: 'some:7b', context_length: 65_536 }] } } },
    65_536,
  ],
  ['Ollama has not loaded the model', { pages: { '/api/ps': { models: [] } } }, 4_096],
  ['nobody tells', {}, 8_192],
] satisfies [string, Parameters<typeof startOpenAiServer>[0], number][])(
  'when %s, the profile contains it',
  async ([, options, contextTokens]) => {
    expect(await profileOf(options)).toEqual({ ...unknown, contextTokens })
  },
)

test.for([
  ['OpenRouter says that it takes tools', listed({ supported_parameters: ['tools', 'seed'] }), 'structured'],
  ['OpenRouter says that it takes none', listed({ supported_parameters: ['seed'] }), 'text'],
  ['Ollama says that it takes tools', ollama(['completion', 'tools']), 'structured'],
  ['Ollama says that it takes none', ollama(['completion']), 'text'],
  ['LM Studio says that it was trained for tools', studio(['tool_use']), 'structured'],
  ['LM Studio says nothing of tools', studio([]), 'text'],
] satisfies [string, Parameters<typeof startOpenAiServer>[0], string][])(
  'when %s, the model’s name does not matter',
  async ([, options, strategy]) => {
    expect(await profileOf(options)).toMatchObject({ strategy })
  },
)

test('the server’s word on tools overrides the model’s name, and the configuration overrides both', async () => {
  const told = { models: [{ id: 'qwen3:8b', max_model_len: 4_096, supported_parameters: [] }] }
  expect(await profileOf(told, { model: 'qwen3:8b' })).toMatchObject({ strategy: 'text' })
  await server!.close()
  const chosen = { model: 'qwen3:8b', strategy: 'structured' as const }
  expect(await profileOf(told, chosen)).toMatchObject({ strategy: 'structured' })
})

test('configured values are not requested from the server', async () => {
  const profile = await profileOf({}, { contextTokens: 1_000, strategy: 'structured' })
  expect(profile).toEqual({ ...unknown, strategy: 'structured', contextTokens: 1_000 })
  expect(server!.requests).toEqual([])
})

test('a hosted model is known by its name', async () => {
  expect(await profileOf({}, { model: 'openai/gpt-4o-mini' })).toEqual({
    ...unknown,
    strategy: 'structured',
    contextTokens: 128_000,
    sees: true,
  })
})

test.for([
  ['OpenRouter', listed({ architecture: { input_modalities: ['text', 'image'] } }), true],
  ['OpenRouter of a text model', listed({ architecture: { input_modalities: ['text'] } }), false],
  ['Mistral', listed({ capabilities: { vision: true } }), true],
  ['Ollama', ollama(['completion', 'vision']), true],
  ['Ollama of a text model', ollama(['completion']), false],
  ['LM Studio', { pages: { '/api/v0/models': { data: [{ id: 'some:7b', type: 'vlm' }] } } }, true],
  ['llama-server with --mmproj', { pages: { '/props': { modalities: { vision: true } } } }, true],
  ['llama-server without', { pages: { '/props': { modalities: { vision: false } } } }, false],
  ['one that says nothing', {}, undefined],
] satisfies [string, Parameters<typeof startOpenAiServer>[0], boolean | undefined][])(
  '%s tells whether the model sees',
  async ([, options, sees]) => {
    const profile = await profileOf(options)
    expect('sees' in profile ? profile.sees : undefined).toBe(sees)
  },
)

test.each<[string, boolean | undefined]>([
  ['gpt-5', true],
  ['o3-mini', false],
  ['o4-mini', true],
  ['gpt-3.5-turbo', false],
  ['anthropic/claude-sonnet-4-5', true],
  ['gemini-2.5-flash', true],
  ['deepseek-chat', false],
  ['some:7b', undefined],
])('%s is known to see, or not, by its name', async (model, sees) => {
  const profile = await profileOf({}, { model, contextTokens: 1_000 })
  expect('sees' in profile ? profile.sees : undefined).toBe(sees)
})

test('a model family whose calls are text uses its own format', async () => {
  const model = 'gemma3:4b'
  const told = { models: [{ id: model, max_model_len: 8_192 }] }
  expect(await profileOf(told, { model })).toMatchObject({ strategy: 'text', format: 'gemma3' })
})

test('a server that is down leaves the defaults, and is asked again next time', async () => {
  server = await startOpenAiServer()
  const { baseUrl } = server
  await server.close()
  const settings = {
    modelId: 'server:x',
    name: 'X',
    baseUrl,
    model: 'some:7b',
    apiKey: '',
    fetchFor: () => fetch,
  }
  const engine = createOpenAiEngine(settings, () => undefined)
  const before = await engine.profile()
  server = await startOpenAiServer({
    ...listed({ max_model_len: 32_768 }),
    port: Number(new URL(baseUrl).port),
  })
  expect([before, await engine.profile()]).toEqual([
    { ...unknown, contextTokens: 8_192 },
    { ...unknown, contextTokens: 32_768 },
  ])
})
