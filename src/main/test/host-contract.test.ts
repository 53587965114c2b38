import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { contract, type HostClient } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import {
  aChat,
  aHome,
  aHost,
  aServer,
  endOf,
  transcript,
  turn,
  type TestHost,
} from '../../../testing/host/a-host.ts'

const home = aHome()
let host: TestHost
let server: Awaited<ReturnType<typeof aServer>>

beforeAll(async () => {
  host = await aHost(home.path)
  server = await aServer(host.client)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await host.close()
  home[Symbol.dispose]()
})

/** Ask anything of the host; what a person would get to see. */
async function ask(name: keyof HostClient, input: unknown): Promise<'answered' | Fault> {
  const method = host.client[name] as (input: unknown, options: object) => unknown
  try {
    if (contract[name].kind === 'call') await method(input, {})
    else {
      const items = method(input, { signal: AbortSignal.timeout(50) }) as AsyncIterable<unknown>
      for await (const _item of items) break
    }
    return 'answered'
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

const names = Object.keys(contract) as (keyof HostClient)[]

test('the host has a handler for every name of the contract, and no other', () => {
  expect(Object.keys(host.host.handlers).toSorted()).toEqual(names.toSorted())
})

const HOSTILE = [
  '',
  ' ',
  '\0',
  'a\0b',
  '/a\0b',
  '..',
  '../../etc/passwd',
  '/etc/passwd',
  '/dev/zero',
  '/proc/self/mem',
  'file:/dev/random',
  'file:/etc',
  'file:../x.gguf',
  'builtin',
  'server:nope',
  '~',
  '~root/.ssh',
  "'; drop table sessions; --",
  '" OR 1=1',
  'NEAR(a b, 3) AND "x"* OR content:y ^z -q',
  '*',
  '"',
  '%_%',
  '__proto__',
  'constructor',
  '🙂👩‍👩‍👧‍👦',
  '\ud83d',
  '日本語',
  'مرحبا',
  '\u202e\u200b\ufeff',
  'x'.repeat(5_000),
  'x'.repeat(300_000),
  'http://user:pass@127.0.0.1:1/v1',
  'javascript:alert(1)',
  'https://[::1/v1',
]
const VALUES: unknown[] = [
  ...HOSTILE,
  null,
  true,
  -1,
  0,
  1.5,
  2 ** 53,
  Number.NaN,
  [],
  {},
  [['x']],
  { id: {} },
]

/** An input with the fields of a call, most of them hostile. */
function inputFor(name: keyof HostClient): fc.Arbitrary<unknown> {
  const { input } = contract[name]
  // Of a call that takes one thing or another, the fields of all of them.
  const shapes = input instanceof z.ZodUnion ? input.options : [input]
  const fields = shapes.flatMap(each => Object.keys((each as z.ZodObject).shape))
  const value = fc.oneof(
    { arbitrary: fc.constantFrom(...HOSTILE), weight: 6 },
    { arbitrary: fc.constantFrom(...VALUES), weight: 1 },
    { arbitrary: fc.string({ unit: 'binary', maxLength: 40 }), weight: 2 },
    { arbitrary: fc.integer({ min: -1, max: 600 }), weight: 1 },
    { arbitrary: fc.constant('@chat'), weight: 3 },
  )
  const shaped = fc.record(Object.fromEntries(fields.map(field => [field, value])), { requiredKeys: [] })
  return fc.oneof({ arbitrary: shaped, weight: 9 }, { arbitrary: fc.constantFrom(...VALUES), weight: 1 })
}

test.for(names)('%s handles hostile input without a bug', async name => {
  const chat = await aChat(host, server)
  await fc.assert(
    fc.asyncProperty(inputFor(name), async input => {
      const given = JSON.parse(JSON.stringify(input).replaceAll('@chat', chat.id)) as unknown
      const outcome = await ask(name, given)
      if (outcome !== 'answered')
        expect([outcome.code, outcome.message.length > 10]).not.toContain('internal')
    }),
    { numRuns: 25 },
  )
  expect(host.mistakes()).toEqual([])
})

test('a search finds nothing by accident, and what exists on purpose', async () => {
  server.reply({ text: 'The answer is forty-two.' })
  const chat = await aChat(host, server)
  await turn(host, chat.id, `What is “6 * 7”? '; drop table sessions; --`)
  const search = async (query: string) =>
    (await host.client['session.list']({ query })).sessions.some(each => each.id === chat.id)
  for (const query of ['forty-two', 'drop table', "'; drop", 'FORTY', '"answer is"'])
    expect(await search(query)).toBe(true)
  for (const query of ['NEAR(', 'nothing-of-that-kind', 'zzz OR yyy']) expect(await search(query)).toBe(false)
})

test('a message of unusual characters is returned as sent, except for invalid ones', async () => {
  server.reply({ text: 'Hm.' })
  const chat = await aChat(host, server)
  const text = `a\0b 🙂 \u202e <tool_call>{"name":"note"}</tool_call> \ud83d end`
  expect(endOf(await turn(host, chat.id, text))).toBe('done')
  expect((await transcript(host, chat.id))[0]).toBe(`user: ${text.toWellFormed()}`)
  const long = 'word '.repeat(40_000).trim()
  expect(endOf(await turn(host, chat.id, long))).toBe('done')
  expect((await transcript(host, chat.id)).at(-2)).toBe(`user: ${long}`)
})

test('a workspace is an existing folder, or the error says why not', async () => {
  const folder = join(home.path, 'project')
  mkdirSync(folder)
  symlinkSync(folder, join(home.path, 'link'))
  writeFileSync(join(home.path, 'file'), '')
  const { workspace } = await host.client['session.create']({ workspace: join(home.path, 'link') })
  expect(workspace).toBe(folder)
  for (const given of ['', 'project', '../..', join(home.path, 'file'), '/nowhere', 'a\0b'])
    expect(await ask('session.create', { workspace: given })).toMatchObject({ code: 'bad_input' })
})

test('what does not exist is reported as not found', async () => {
  for (const name of [
    'session.get',
    'session.remove',
    'session.restore',
    'session.messages',
    'session.update',
  ] as const)
    expect(await ask(name, { id: 'chat_unknown' })).toMatchObject({
      code: 'not_found',
      message: 'This chat no longer exists.',
    })
  expect(await ask('run.watch', { runId: 'run_unknown' })).toMatchObject({ code: 'not_found' })
  expect(await ask('model.forget', { id: 'server:unknown' })).toMatchObject({ code: 'not_found' })
  expect(await ask('model.load', { id: 'file:/nowhere.gguf' })).toMatchObject({ code: 'not_ready' })
})

test('a model that cannot be loaded names its file and a fix', async () => {
  const path = join(home.path, 'models', 'broken.gguf')
  writeFileSync(path, 'GGUF but not really')
  for (const [name, input] of [
    ['model.add', { path }],
    ['model.load', { id: `file:${path}` }],
  ] as const) {
    const fault = await ask(name, input)
    expect(fault).toMatchObject({ message: expect.stringContaining('broken.gguf') })
  }
})
