import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { randomModel } from '../../../../../testing/gguf/cached.ts'
import type { WireMessage } from '../../interface/engine.ts'
import type { LoadRequest } from './process/protocol.ts'
import { forgetChats } from './states/state-folder.ts'
import { openModel, usageOf } from '../../../../../testing/models/local-load.ts'
import type { Told } from '../../../../../testing/models/local-load.ts'
import { system, user } from '../../../../../testing/models/local.ts'

const path = randomModel({ preset: 'tiny', seed: 5 })
let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'talaria-saved-'))))
afterEach(() => rmSync(folder, { recursive: true }))

type Opened = Awaited<ReturnType<typeof openModel>>
const states = (model = 'this model') => ({ folder, maxBytes: 1 << 30, model })

/** Load a model, and unload it after the work. */
async function withModel<T>(options: Partial<LoadRequest>, work: (opened: Opened) => Promise<T>): Promise<T> {
  const opened = await openModel(path, { states: states(), ...options })
  try {
    return await work(opened)
  } finally {
    await opened.loaded.close()
  }
}

const instructions = 'You are an agent with tools and a memory. '.repeat(40)
const chat: WireMessage[] = [system(`${instructions}\nToday is Monday.`), user('Tell me about the world.')]
const reply = ({ text }: Told): WireMessage => ({ role: 'assistant', text, generated: true })
const saved = () => readdirSync(folder).filter(file => file.endsWith('.kv'))

test('after a restart a new chat restores the instructions, with the same answer', async () => {
  const other = [chat[0], user('What else?')] as WireMessage[]
  const fresh = await withModel({ states: undefined }, ({ ask }) => ask(other, { maxTokens: 30 }))
  await withModel({}, ({ ask }) => ask(chat))
  expect(saved()).toHaveLength(1)
  const told = await withModel({}, ({ ask }) => ask(other, { maxTokens: 30 }))
  expect(told.text).toBe(fresh.text)
  const usage = usageOf(told)
  expect(usage.promptTokens).toBeGreaterThan(400)
  expect(usage.restoredTokens).toBe(usage.reusedTokens)
  expect(usage.evaluatedTokens).toBeLessThan(30)
  expect(saved()).toHaveLength(1)
})

test('instructions that differ only in their last line are restored up to there', async () => {
  const tuesday = [system(`${instructions}\nToday is Tuesday.`), user('Tell me.')]
  const fresh = await withModel({ states: undefined }, ({ ask }) => ask(tuesday, { maxTokens: 30 }))
  await withModel({}, ({ ask }) => ask(chat))
  const told = await withModel({}, ({ ask }) => ask(tuesday, { maxTokens: 30 }))
  expect(told.text).toBe(fresh.text)
  expect(usageOf(told).restoredTokens).toBeGreaterThan(400)
  expect(usageOf(told).evaluatedTokens).toBeLessThan(40)
  // Nearly all of it is saved already.
  expect(saved()).toHaveLength(1)
})

test('a second chat in the same engine gets its own sequence, restored from disk', async () => {
  await withModel({}, async ({ ask }) => {
    expect(usageOf(await ask(chat, { session: 'a' })).restoredTokens).toBeUndefined()
    expect(usageOf(await ask(chat, { session: 'b' })).restoredTokens).toBeGreaterThan(400)
    expect(usageOf(await ask(chat, { session: 'a' })).evaluatedTokens).toBe(1)
  })
})

test('short instructions are not saved', async () => {
  await withModel({}, ({ ask }) => ask([system('You are helpful.'), user('hi')]))
  expect(readdirSync(folder)).toEqual([])
})

const unfit: [string, Partial<LoadRequest> | 'another model', () => void][] = [
  ['another model', 'another model', () => {}],
  ['another context size', { contextTokens: 2_048 }, () => {}],
  ['another number of sequences', { sequences: 3 }, () => {}],
  ['a cut file', {}, () => truncateSync(join(folder, saved()[0] ?? ''), 20_000)],
  ['garbage', {}, () => writeFileSync(join(folder, saved()[0] ?? ''), 'garbage')],
]
test.for(unfit)('with %s the instructions are evaluated again', async ([, unlike, change]) => {
  await withModel({}, ({ ask }) => ask(chat))
  change()
  const options = unlike === 'another model' ? { states: states(unlike) } : unlike
  const fresh = await withModel({ ...options, states: undefined }, ({ ask }) => ask(chat, { maxTokens: 20 }))
  const told = await withModel(options, ({ ask }) => ask(chat, { maxTokens: 20 }))
  expect(told.text).toBe(fresh.text)
  expect(usageOf(told)).toMatchObject({ reusedTokens: 0 })
})

test('if nothing can be saved the answer still comes, and the problem is reported once', async () => {
  writeFileSync(join(folder, 'file'), '')
  const broken = { ...states(), folder: join(folder, 'file') }
  await withModel({ states: broken }, async ({ ask }) => {
    const told = [await ask(chat, { session: 'a' }), await ask(chat, { session: 'b' })]
    expect(told.map(({ result }) => result.kind === 'done' && result.trouble)).toEqual([
      expect.stringMatching(/could not be saved/),
      undefined,
    ])
  })
})

test('three alternating chats with two sequences evaluate only new tokens', async () => {
  const long = 'Tell me about the world. '.repeat(60)
  await withModel({}, async ({ loaded, ask }) => {
    const chats = ['a', 'b', 'c'].map(session => ({
      session,
      messages: [chat[0], user(`${session} says: ${long}`)] as WireMessage[],
      // What the chat had evaluated at the end of its last answer: all but the last token of the reply.
      held: 0,
    }))
    for (let round = 1; round <= 3; round++) {
      for (const each of chats) {
        const told = await ask(each.messages, { session: each.session })
        const usage = usageOf(told)
        if (round > 1) expect([usage.restoredTokens, usage.reusedTokens]).toEqual([each.held, each.held])
        each.held = usage.promptTokens + usage.outputTokens - 1
        each.messages.push(reply(told), user(`Question ${round}: ${long}`))
      }
    }
    // The instructions, and each chat's last state, which is older for the two that still have a sequence.
    await loaded.states?.close()
    expect(saved()).toHaveLength(4)
  })
})

test('three chats with three sequences need no files', async () => {
  await withModel({ states: undefined, sequences: 3 }, async ({ ask }) => {
    for (const isFirst of [true, false]) {
      for (const session of ['a', 'b', 'c']) {
        const { evaluatedTokens } = usageOf(await ask(chat, { session }))
        if (isFirst) expect(evaluatedTokens).toBeGreaterThan(400)
        else expect(evaluatedTokens).toBe(1)
      }
    }
  })
})

test('a prompt that does not fit is refused with the numbers', async () => {
  const { result } = await withModel({ contextTokens: 512 }, ({ ask }) => ask([user('word '.repeat(2_000))]))
  expect(result).toMatchObject({ kind: 'failed', failure: { code: 'context_full', tokens: { holds: 512 } } })
  expect(result.kind === 'failed' && result.failure.tokens?.needed).toBeGreaterThan(512)
})

test('a deleted chat’s state is not saved, and all saved chats can be deleted', async () => {
  const long = (topic: string): WireMessage[] => [user(`${topic} ${'and so on and on '.repeat(150)}`)]
  await withModel({ sequences: 1 }, async ({ loaded, ask }) => {
    await ask(long('One'), { session: 'one', maxTokens: 4 })
    loaded.pool.forget('one')
    await ask(long('Two'), { session: 'two', maxTokens: 4 })
    await ask(long('Three'), { session: 'three', maxTokens: 4 })
  })
  // Of the three, only the second was both evicted and worth keeping.
  expect(saved().filter(file => file.includes('-chat-'))).toHaveLength(1)
  await forgetChats(folder)
  expect(saved().filter(file => file.includes('-chat-'))).toEqual([])
})
