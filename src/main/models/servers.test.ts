import { beforeEach, expect, test } from 'vitest'
import { Model, type ModelOptions } from '../../shared/contract/models/model.ts'
import { Fault } from '../../shared/rpc.ts'
import { createServers, type ServerSources } from './servers.ts'
import { sendsPastReasoning, type ServerEntry } from './server-entry.ts'

let settings: { servers: ServerEntry[] }
let keys: Record<string, string | undefined>
let options: Record<string, ModelOptions>
let sent: { url: string; key: string | null; body: any }[]
beforeEach(() => {
  settings = { servers: [] }
  keys = {}
  options = {}
  sent = []
})

const never = new AbortController().signal
const question = { sessionId: 's', messages: [{ role: 'user' as const, text: 'Hi' }], tools: [] }

/** Servers in a small configuration. Requests to them are recorded and get a list of models or “Yes.” */
function someServers(changes: Partial<ServerSources> = {}) {
  return createServers({
    config: {
      get current() {
        return { models: settings }
      },
      set(_, value) {
        settings.servers = value
      },
    },
    secrets: {
      get: name => keys[name],
      set: async (name, value) => {
        keys[name] = value
      },
    },
    fetchFor: () => async (input, init) => {
      const headers = new Headers(init?.headers)
      const body = init?.body ? JSON.parse(init.body as string) : undefined
      const url = input as string
      sent.push({ url, key: headers.get('x-api-key') ?? headers.get('authorization'), body })
      if (!body) return Response.json({ data: [{ id: 'large' }, { id: 'a-mini-model' }] })
      return Response.json({
        choices: [{ message: { content: 'Yes.' }, finish_reason: 'stop' }],
        content: [{ type: 'text', text: 'Yes.' }],
      })
    },
    optionsFor: id => options[id] ?? {},
    report: error => expect.fail(String(error)),
    ...changes,
  })
}

const aServer = { name: 'Work', baseUrl: 'https://llm.example.org', model: 'm', apiKey: 'k1' }

test('a server is stored without its key, which is stored separately', async () => {
  const typed = { name: 'Büro 2', baseUrl: 'https://llm.example.org/', model: ' gpt-4o ', apiKey: ' sk-1 ' }
  const added = await someServers().add(typed)
  expect(Model.parse(added)).toEqual(added)
  expect(added).toMatchObject({
    id: 'server:buro-2',
    name: 'Büro 2',
    kind: 'server',
    detail: 'gpt-4o · llm.example.org',
    server: {
      serverId: 'buro-2',
      protocol: 'openai',
      baseUrl: 'https://llm.example.org/v1',
      model: 'gpt-4o',
      nearby: false,
      key: 'stored',
      startTimeoutS: null,
      contextTokens: null,
    },
  })
  expect([settings.servers, keys]).toEqual([
    [{ id: 'buro-2', name: 'Büro 2', base_url: 'https://llm.example.org/v1', model: 'gpt-4o' }],
    { TALARIA_SERVER_BURO_2_KEY: 'sk-1' },
  ])
  expect(JSON.stringify(added)).not.toContain('sk-1')
})

test('the list shows where each key comes from, and which servers are on this computer', async () => {
  const servers = someServers()
  keys['OPENAI_API_KEY'] = 'sk-env'
  await servers.add({ name: 'A', baseUrl: 'https://api.openai.com', model: 'gpt', apiKey: '' })
  await servers.add({ name: 'B', baseUrl: 'https://api.openai.com', model: 'gpt-2', apiKey: 'own' })
  await servers.add({ name: 'C', baseUrl: 'http://localhost:11434', model: 'm', apiKey: '' })
  const shown = servers.list().map(({ server }) => [server?.key, server?.nearby])
  expect(shown).toEqual([
    ['environment', false],
    ['stored', false],
    ['none', true],
  ])
})

test('adding the same server again updates its name and key, and another protocol is another server', async () => {
  const servers = someServers()
  await servers.add(aServer)
  await servers.add({ ...aServer, name: 'Office', apiKey: 'k2' })
  await servers.add({ ...aServer, name: 'Office', protocol: 'anthropic' })
  expect([settings.servers.map(({ id, name }) => [id, name]), keys['TALARIA_SERVER_WORK_KEY']]).toEqual([
    [
      ['work', 'Office'],
      ['office', 'Office'],
    ],
    'k2',
  ])
})

test('the time that a server has to begin an answer is set, kept and taken away', async () => {
  const servers = someServers()
  const { id } = await servers.add({ ...aServer, startTimeoutS: 3_600 })
  const waits = () => [settings.servers[0]?.start_timeout_s, servers.list()[0]?.server?.startTimeoutS]
  expect(waits()).toEqual([3_600, 3_600])
  await servers.add({ ...aServer, id, name: 'Office' })
  await servers.add({ ...aServer, id, model: 'other' })
  expect(waits()).toEqual([3_600, 3_600])
  await servers.add({ ...aServer, id, model: 'other', startTimeoutS: null })
  expect(waits()).toEqual([undefined, null])
  expect(settings.servers[0]).not.toHaveProperty('start_timeout_s')
})

test('a changed server keeps its id, and its key as long as the host is the same', async () => {
  const servers = someServers()
  const { id } = await servers.add(aServer)
  settings.servers = settings.servers.map(each => ({ ...each, context_tokens: 9_000 }))
  const change = (changes: object) => servers.add({ ...aServer, apiKey: '', ...changes, id })
  await change({ name: 'Office' })
  expect([settings.servers, keys['TALARIA_SERVER_WORK_KEY']]).toEqual([
    [
      {
        id: 'work',
        name: 'Office',
        base_url: 'https://llm.example.org/v1',
        model: 'm',
        context_tokens: 9_000,
      },
    ],
    'k1',
  ])
  expect(await change({ model: 'larger' })).toMatchObject({ id, server: { model: 'larger', key: 'stored' } })
  expect(settings.servers[0]).not.toHaveProperty('context_tokens')
  expect(await change({ protocol: 'anthropic' })).toMatchObject({ server: { protocol: 'anthropic' } })
  const moved = await change({ baseUrl: 'https://elsewhere.example.org' })
  expect([moved.server?.key, keys['TALARIA_SERVER_WORK_KEY']]).toEqual(['none', undefined])
})

test('a server cannot be changed into another one, and a missing one cannot be changed', async () => {
  const servers = someServers()
  await servers.add(aServer)
  const { id } = await servers.add({ ...aServer, name: 'Second', model: 'm2' })
  const before = structuredClone(settings.servers)
  await expect(async () => servers.add({ ...aServer, id })).rejects.toThrow('“Work” is the same model')
  await expect(async () => servers.add({ ...aServer, id: 'server:gone' })).rejects.toThrow(
    'no longer in the list',
  )
  expect(settings.servers).toEqual(before)
})

test('a key with a space is refused before anything is stored or sent', async () => {
  const typed = { ...aServer, protocol: 'openai' as const, apiKey: 'sk 1' }
  const problem = 'The key contains a space or another character that keys do not have. Copy it again.'
  await expect(someServers().add(typed)).rejects.toThrow(problem)
  await expect(someServers().tryServer(typed, never)).rejects.toThrow(problem)
  expect([settings.servers, keys, sent]).toEqual([[], {}, []])
})

test('a server whose key cannot be stored is not added', async () => {
  const secrets = {
    get: () => undefined,
    set: async () => {
      throw new Fault('bad_input', 'A key is one line of text.')
    },
  }
  await expect(someServers({ secrets }).add(aServer)).rejects.toThrow('A key is one line of text.')
  expect(settings.servers).toEqual([])
})

test('a server’s engine is reused until its key, settings or options change', async () => {
  const servers = someServers()
  const { id } = await servers.add(aServer)
  const engines = [servers.engineFor(id), servers.engineFor(id)]
  await servers.add({ ...aServer, apiKey: 'k2' })
  engines.push(servers.engineFor(id))
  options[id] = { temperature: 0.3 }
  engines.push(servers.engineFor(id))
  expect(engines.map(engine => engines.indexOf(engine))).toEqual([0, 0, 2, 3])
  expect(servers.engineFor('server:none')).toBeUndefined()
})

test('each protocol is used at its own address, with the server’s key', async () => {
  const servers = someServers()
  const claude = {
    name: 'Claude',
    baseUrl: 'https://api.anthropic.com/v1',
    model: 'claude-x',
    protocol: 'anthropic',
  } as const
  keys['ANTHROPIC_API_KEY'] = 'sk-ant'
  for (const { id } of [await servers.add(aServer), await servers.add({ ...claude, apiKey: '' })])
    await Array.fromAsync(servers.engineFor(id)!.complete(question, never))
  expect(sent.map(({ url, key }) => [url, key])).toEqual([
    ['https://llm.example.org/v1/chat/completions', 'Bearer k1'],
    ['https://api.anthropic.com/v1/messages', 'sk-ant'],
  ])
})

test('a model’s options apply, unless the request sets others', async () => {
  const servers = someServers()
  const { id } = await servers.add(aServer)
  options[id] = { temperature: 0.3, topK: 5, strategy: 'structured', contextTokens: 4_000, format: 'llama3' }
  const engine = servers.engineFor(id)!
  expect(await engine.profile()).toMatchObject({
    strategy: 'structured',
    contextTokens: 4_000,
    format: 'llama3',
  })
  await Array.fromAsync(engine.complete(question, never))
  await Array.fromAsync(engine.complete({ ...question, sampling: { temperature: 0 } }, never))
  expect(sent.map(({ body }) => [body.temperature, body.top_k])).toEqual([
    [0.3, 5],
    [0, 5],
  ])
  expect(servers.list()[0]).toMatchObject({ contextTokens: 4_000, options: { temperature: 0.3 } })
})

test('settings specific to Anthropic are sent in its requests', async () => {
  const entry = {
    id: 'c',
    name: 'C',
    protocol: 'anthropic',
    base_url: 'https://api.anthropic.com',
    model: 'claude-x',
  } as const
  settings.servers = [{ ...entry, cache_ttl: '1h', thinking_tokens: 2_000 }]
  await Array.fromAsync(someServers().engineFor('server:c')!.complete(question, never))
  expect(sent[0]?.body).toMatchObject({ thinking: { budget_tokens: 2_000 } })
  expect(JSON.stringify(sent[0]?.body)).toContain('"ttl":"1h"')
})

test.for([
  ['OpenRouter', 'https://openrouter.ai/api/v1', 'anthropic/claude-x', undefined, true],
  ['OpenRouter with another model', 'https://openrouter.ai/api/v1', 'openai/gpt-x', undefined, false],
  ['LiteLLM', 'http://gateway:4000', 'claude-x', undefined, true],
  ['an unknown server', 'https://llm.example.org/v1', 'claude-x', undefined, false],
  ['a server with the setting', 'https://llm.example.org/v1', 'our-model', true, true],
  ['a server without it', 'https://openrouter.ai/api/v1', 'anthropic/claude-x', false, false],
] as const)('marks for Anthropic’s cache at %s', async ([, base_url, model, set, marked]) => {
  keys = { LITELLM_BASE_URL: 'http://gateway:4000' }
  settings.servers = [{ id: 'c', name: 'C', base_url, model, cache_control: set, cache_ttl: '1h' }]
  await Array.fromAsync(someServers().engineFor('server:c')!.complete(question, never))
  const mark = '"cache_control":{"type":"ephemeral","ttl":"1h"}'
  expect(JSON.stringify(sent.at(-1)?.body).includes(mark)).toBe(marked)
})

test.for([
  ['https://api.z.ai/api/coding/paas/v4', 'glm-4.7', undefined, true],
  ['https://api.z.ai/api/paas/v4', 'glm-4.7', undefined, false],
  ['https://api.moonshot.ai/v1', 'kimi-k2-thinking', undefined, true],
  ['https://api.deepseek.com', 'deepseek-reasoner', undefined, false],
  ['https://llm.example.org/v1', 'our-model', true, true],
  ['https://api.moonshot.ai/v1', 'kimi-k2-thinking', false, false],
] as const)(
  'at %s, %s, set to %s, thoughts of earlier turns are sent back: %s',
  ([base_url, model, set, expected]) => {
    expect(sendsPastReasoning({ base_url, model, past_reasoning: set })).toBe(expected)
  },
)

test('forgetting a server removes its key too', async () => {
  const servers = someServers()
  const { id } = await servers.add(aServer)
  expect([await servers.forget(id), await servers.forget(id), servers.has(id)]).toEqual([true, false, false])
  expect([settings.servers, keys]).toEqual([[], { TALARIA_SERVER_WORK_KEY: undefined }])
})

test('a stored key is sent only to its own host', async () => {
  const servers = someServers()
  const { id } = await servers.add(aServer)
  keys['OPENAI_API_KEY'] = 'sk-env'
  const tryAt = async (baseUrl: string, apiKey = '') => {
    await servers.tryServer({ protocol: 'openai', baseUrl, apiKey, model: '', id })
    return sent.at(-1)?.key
  }
  expect([
    await tryAt('https://llm.example.org/v1'),
    await tryAt('https://llm.example.org/v1', 'typed'),
    await tryAt('https://elsewhere.example.org/v1'),
    await tryAt('https://api.openai.com/v1'),
  ]).toEqual(['Bearer k1', 'Bearer typed', null, 'Bearer sk-env'])
})

test('a server from the environment uses the named model, or a small one of its own', async () => {
  const servers = someServers()
  const ask = async () => {
    const engine = await servers.fromEnvironment()
    if (engine) await Array.fromAsync(engine.complete(question, never))
    const { url, key, body } = sent.at(-1) ?? {}
    return [engine?.modelId, url, key, body?.model]
  }
  expect((await ask())[0]).toBeUndefined()
  keys = { OPENAI_API_KEY: 'sk-o' }
  const openAi = await ask()
  keys = { ...keys, LITELLM_BASE_URL: 'http://gateway:4000', LITELLM_API_KEY: 'sk-l' }
  const gateway = await ask()
  expect([openAi, gateway]).toEqual([
    ['environment:openai', 'https://api.openai.com/v1/chat/completions', 'Bearer sk-o', 'gpt-5-mini'],
    ['environment:litellm', 'http://gateway:4000/v1/chat/completions', 'Bearer sk-l', 'a-mini-model'],
  ])
  const before = sent.length
  await ask()
  expect(sent.slice(before).map(({ url }) => url)).toEqual(['http://gateway:4000/v1/chat/completions'])
  keys = { LITELLM_BASE_URL: 'no address' }
  expect(await servers.fromEnvironment()).toBeUndefined()
})
