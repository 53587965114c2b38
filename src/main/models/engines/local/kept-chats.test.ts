import { existsSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { randomModel, recurrentModel, scriptedModel } from '../../../../../testing/gguf/cached.ts'
import { hostings, model, openEngines, reply, system, user } from '../../../../../testing/models/local.ts'
import { until } from '../../../../../testing/until.ts'
import type { ModelOptions } from '../../../../shared/contract/models/model.ts'
import type { WireMessage } from '../../interface/engine.ts'
import { nameKept } from './name-kept.ts'

/** Random weights write tokens that the text of the reply alone would not give. */
const path = randomModel({ preset: 'tiny', seed: 5 })
const other = scriptedModel({ reply: 'Another model.' })

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'talaria-kept-'))))
afterEach(() => rmSync(folder, { recursive: true }))

type Open = ReturnType<typeof openEngines>

/** Run `work` with engines that share a folder of saved states, then close them. */
async function withEngines<T>(
  work: (open: Open) => Promise<T>,
  how: { hosting?: (typeof hostings)[number]; settings?: Parameters<typeof openEngines>[1] } = {},
): Promise<T> {
  const { settings, ...more } = how.settings ?? {}
  const open = openEngines(how.hosting ?? 'inline', {
    cacheFolder: folder,
    settings: { state_cache_gib: 1, ...settings },
    ...more,
  })
  try {
    return await work(open)
  } finally {
    await open.engines.close()
  }
}

/** A chat that grows by a question and its answer. */
function chatOf(session: string, instructions = `Chat ${session}.`) {
  const messages: WireMessage[] = [system(instructions)]
  return async (open: Open, question: string, model = path) => {
    messages.push(user(question))
    const answer = await open.ask(model, messages, { session, maxTokens: 12 })
    if (!answer.usage) throw new Error(`No answer: ${JSON.stringify(answer)}`)
    messages.push(reply(answer))
    const { promptTokens, outputTokens } = answer.usage
    /** What the chat has read by then: all but the last token of the reply. */
    return { ...answer.usage, text: answer.text, held: promptTokens + outputTokens - 1 }
  }
}

const histories = () =>
  existsSync(join(folder, 'states'))
    ? readdirSync(join(folder, 'states')).filter(file => /-chat-.*\.kv$/.test(file))
    : []
const historyPath = () => join(folder, 'states', histories()[0] ?? 'none')

test.for(hostings)('in hosting %s a chat goes on after an unload with its new tokens only', async hosting => {
  await withEngines(
    async open => {
      const chat = chatOf('a')
      const first = await chat(open, 'Tell me about the world.')
      await open.engines.unload()
      expect(histories()).toHaveLength(1)
      const second = await chat(open, 'And then?')
      expect([second.restoredTokens, second.reusedTokens]).toEqual([first.held, first.held])
      await open.engines.unload()
      // The older one is obsolete.
      expect(histories()).toHaveLength(1)
      expect((await chat(open, 'And now?')).restoredTokens).toBe(second.held)
    },
    { hosting },
  )
})

test('answers are the same as without an unload', async () => {
  const ask = (open: Open, chat: ReturnType<typeof chatOf>) => chat(open, 'Go on.')
  const whole = await withEngines(async open => {
    const chat = chatOf('whole')
    return [await ask(open, chat), await ask(open, chat), await ask(open, chat)].map(({ text }) => text)
  })
  const chat = chatOf('whole')
  const parts: string[] = []
  for (let at = 0; at < 3; at++) parts.push(await withEngines(async open => (await ask(open, chat)).text))
  expect(parts).toEqual(whole)
})

test('an idle model keeps what was read, and so does one that makes room for another', async () => {
  await withEngines(async open => {
    const chat = chatOf('a')
    const first = await chat(open, 'Tell me.')
    open.settings.idle_unload_minutes = 1e-4
    await open.engines.load({ id: path, name: path, path })
    await until(() => open.engines.state.phase === 'stopped')
    open.settings.idle_unload_minutes = 0
    const second = await chat(open, 'More.')
    expect(second.restoredTokens).toBe(first.held)
    await chatOf('b')(open, 'Hello.', other)
    expect((await chat(open, 'And more.')).restoredTokens).toBe(second.held)
  })
})

test('every chat that a model holds is kept', async () => {
  const chats = ['a', 'b', 'c'].map(name => chatOf(name))
  const three = { settings: { optionsFor: () => ({ chats: 3 }) } }
  const held = await withEngines(async open => {
    const read: number[] = []
    for (const chat of chats) read.push((await chat(open, 'Tell me.')).held)
    return read
  }, three)
  expect(histories()).toHaveLength(3)
  await withEngines(async open => {
    for (const [at, chat] of chats.entries())
      expect((await chat(open, 'More.')).restoredTokens).toBe(held[at])
  }, three)
})

test('a deleted chat leaves nothing, and the others stay', async () => {
  const [kept, deleted] = [chatOf('kept'), chatOf('deleted')]
  await withEngines(async open => {
    await kept(open, 'Tell me.')
    await deleted(open, 'Tell me.')
  })
  expect(histories()).toHaveLength(2)
  await withEngines(async open => {
    // Not loaded, or loaded with the chat in memory: nothing of the chat may be saved again.
    await open.engines.forget('deleted')
    expect(histories()).toHaveLength(1)
    expect((await deleted(open, 'More.')).restoredTokens).toBeUndefined()
    expect((await kept(open, 'More.')).restoredTokens).toBeGreaterThan(0)
    await open.engines.forget('deleted')
  })
  expect(histories()).toHaveLength(1)
})

test('nothing of a temporary chat is kept, all of one that was kept since, until it is forgotten', async () => {
  const id = 'temp_0123456789abcdefg'
  await withEngines(async open => {
    let isKept = false
    const asked: string[] = []
    const engines = nameKept(open.engines, each => (asked.push(each), isKept))
    const messages: WireMessage[] = [system('A chat.'), user('Tell me about the world.')]
    const ask = async () => {
      const answer = engines.engine(model(path))
      const prompt = { sessionId: id, messages, tools: [], sampling: { temperature: 0 }, maxTokens: 12 }
      const { signal } = new AbortController()
      for await (const event of answer.complete(prompt, signal))
        if (event.type === 'failed') throw new Error(event.text)
    }
    await ask()
    await open.engines.unload()
    expect([histories(), asked]).toEqual([[], [id]])
    isKept = true
    await ask()
    await open.engines.unload()
    expect(histories()).toHaveLength(1)
    await engines.forget(id)
    expect(histories()).toEqual([])
  })
})

test('a chat that is deleted while its model leaves is not left on disk', async () => {
  await withEngines(async open => {
    await chatOf('a')(open, 'Tell me.')
    const leaving = open.engines.unload()
    await open.engines.forget('a')
    expect(histories()).toEqual([])
    await leaving
  })
  expect(histories()).toEqual([])
})

test('when all is forgotten nothing that was read before is saved', async () => {
  const chat = chatOf('a')
  await withEngines(async open => {
    await chat(open, 'Tell me.')
    await open.engines.forget()
  })
  expect(histories()).toEqual([])
})

const damages: [string, () => void, Parameters<typeof openEngines>[1]?][] = [
  ['that is cut in half', () => truncateSync(historyPath(), 9_000)],
  ['of garbage', () => writeFileSync(historyPath(), 'garbage')],
  ['with a note that is cut', () => truncateSync(historyPath().replace(/kv$/, 'json'), 300)],
  ['without its note', () => rmSync(historyPath().replace(/kv$/, 'json'))],
  ['of another context size', () => {}, { settings: { context_tokens: 2_048 } }],
  ['of another number of chats', () => {}, { optionsFor: () => ({ chats: 3 }) }],
]
test.for(damages)('a state %s is not used', async ([, damage, settings]) => {
  const chat = chatOf('a')
  await withEngines(open => chat(open, 'Tell me.'))
  damage()
  await withEngines(async open => {
    const usage = await chat(open, 'More.')
    expect(usage.restoredTokens).toBeUndefined()
    expect(usage.text).not.toBe('')
  }, settings && { settings })
})

test('an engine that is killed while it saves leaves nothing that is used', async () => {
  const chat = chatOf('a')
  await withEngines(
    async open => {
      await chat(open, 'Tell me.')
      const leaving = open.engines.unload()
      open.children.at(-1)?.kill()
      await leaving
    },
    { hosting: 'process' },
  )
  await withEngines(async open => expect((await chat(open, 'More.')).text).not.toBe(''))
})

test('what cannot be saved is no failure, and is read again', async () => {
  writeFileSync(join(folder, 'states'), '')
  const chat = chatOf('a')
  await withEngines(async open => {
    await chat(open, 'Tell me.')
    await open.engines.unload()
    expect(open.reports.map(String)).toEqual([expect.stringMatching(/could not be saved/)])
    const second = await chat(open, 'More.')
    expect(second.restoredTokens).toBeUndefined()
  })
})

test('an answer that is being written when the model is unloaded fails as before, and what was read is kept', async () => {
  await withEngines(async open => {
    const messages = [system('Chat a.'), user('Tell me about the world. '.repeat(20))]
    let unloading: Promise<void> | undefined
    const answer = await open.ask(path, messages, {
      session: 'a',
      onEvent: ({ type }) => void (type === 'text' && (unloading ??= open.engines.unload())),
    })
    expect(answer.failure?.text).toMatch(/unloaded/)
    await unloading
    expect((await open.ask(path, messages, { session: 'a', maxTokens: 1 })).usage?.evaluatedTokens).toBe(1)
  })
})

test('a chat read in eight bits goes on in eight, and what was read in sixteen is of no use to it', async () => {
  // Its heads are large enough for eight bits.
  const wide = randomModel({ preset: 'base', type: 'Q8_0' })
  const options: ModelOptions = { contextBits: 8 }
  const eight = { settings: { optionsFor: () => options } }
  await withEngines(open => chatOf('a')(open, 'Tell me.', wide))
  const chat = chatOf('a')
  const first = await withEngines(async open => {
    const answer = await chat(open, 'Tell me.', wide)
    expect(open.engines.state.notice).toBeNull()
    return answer
  }, eight)
  expect(first.restoredTokens).toBeUndefined()
  expect(first.text).not.toBe('')
  // The chat has left one state, although it was read in both precisions.
  expect(histories()).toHaveLength(1)
  await withEngines(async open => {
    expect((await chat(open, 'More.', wide)).restoredTokens).toBe(first.held)
  }, eight)
})

test('a recurrent model goes on from the whole of what it has read, and reads a chat that was changed anew', async () => {
  const model = recurrentModel()
  const chat = chatOf('a')
  await withEngines(async open => {
    const first = await chat(open, 'Tell me about the world.', model)
    await open.engines.unload()
    const second = await chat(open, 'And then?', model)
    expect([second.restoredTokens, second.reusedTokens]).toEqual([first.held, first.held])
    await open.engines.unload()
    // A state cannot be cut back, so a state with different content is useless.
    const other = chatOf('a')
    const changed = await other(open, 'Tell me about the sea.', model)
    expect(changed.restoredTokens).toBeUndefined()
    expect(changed.reusedTokens).toBe(0)
  })
})
