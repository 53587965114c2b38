import { describe, expect, test } from 'vitest'
import { aChat, assistant, aStore, user } from '../../../../testing/db/a-store.ts'
import { judgeTitle } from './judge-title.ts'
import { openTitles, type TitledBy } from './open-titles.ts'

const ASKED = 'How do I bake bread without yeast?'
const LONG = 'A very long title about baking bread without any yeast in an old oven at home'

test.for([
  ['Baking bread without yeast', 'Baking bread without yeast'],
  ['Title: “Soda bread.”\n', 'Soda bread'],
  ['## **Soda bread**', 'Soda bread'],
  [LONG, 'A very long title about baking bread without any yeast in…'],
  ['', undefined],
  ['   \n', undefined],
  ['Soda bread\nA second line', undefined],
  [ASKED, undefined],
  ['How do I bake bread', undefined],
  ['<think>bread</think>', undefined],
  ['Soda\u202ebread', undefined],
  ['123 !?', undefined],
  ['bread '.repeat(80), undefined],
] as const)('what a model wrote as %j is the title %j', ([written, title]) => {
  expect(judgeTitle(written, ASKED)).toBe(title)
})

/** A store with a chat, and a scripted model that writes titles for it. */
type How = { by?: TitledBy; modelId?: string }
function aTitler(written = 'Soda bread', { by = 'local', modelId = 'file:/a.gguf' }: How = {}) {
  const store = aStore()
  const { id } = aChat(store, { modelId })
  store.messages.append(user(id, ASKED))
  store.messages.append(assistant(id, 'With baking soda.'))
  const asked: string[] = []
  const state = { isBusy: false, now: 0 }
  const titles = openTitles({
    sessions: store.sessions,
    messages: store.messages,
    titledBy: () => by,
    async ask(model, { user: text }) {
      asked.push(`${model}: ${text}`)
      return { text: written }
    },
    isBusy: () => state.isBusy,
    idleMs: () => 1_000,
    now: () => state.now,
    report(error) {
      throw error
    },
  })
  titles.observe(id, 'turn_end')
  const quiet = async () => {
    state.now += 1_000
    await titles.look()
  }
  return { store, id, titles, asked, state, quiet, title: () => store.sessions.get(id)?.title }
}

describe('the title of a chat', () => {
  test('is the first line until its model has written one in idle time', async () => {
    const { store, asked, state, titles, quiet, title } = aTitler()
    using _ = store
    await titles.look()
    state.isBusy = true
    await quiet()
    expect([title(), asked]).toEqual([ASKED, []])
    state.isBusy = false
    await quiet()
    expect([title(), asked.length]).toEqual(['Soda bread', 1])
    expect(asked[0]).toContain(ASKED)
    expect(asked[0]).toContain('With baking soda.')
    await titles.close()
  })

  test('is asked for once, also where nonsense came back', async () => {
    const { store, id, asked, titles, quiet, title } = aTitler('One\nTwo')
    using _ = store
    await quiet()
    titles.observe(id, 'turn_end')
    await quiet()
    expect([title(), asked.length]).toEqual([ASKED, 1])
    await titles.close()
  })

  test('is never that of a model where the person gave one', async () => {
    const { store, id, asked, titles, quiet, title } = aTitler()
    using _ = store
    store.sessions.update(id, { title: 'Mine' })
    await quiet()
    expect([title(), asked]).toEqual(['Mine', []])
    await titles.close()
  })

  test('given by the person replaces that of the model for good', async () => {
    const { store, id, titles, quiet, title } = aTitler()
    using _ = store
    await quiet()
    store.sessions.update(id, { title: 'Mine' })
    store.sessions.giveTitle(id, 'Another')
    expect(title()).toBe('Mine')
    await titles.close()
  })

  test.for([
    ['local', 'server:a', 0],
    ['local', 'mixture:a', 0],
    ['all', 'server:a', 1],
    ['off', 'file:/a.gguf', 0],
  ] as const)('with the setting %s, a chat of %s asks %i times', async ([by, modelId, times]) => {
    const { store, asked, titles, quiet } = aTitler('Soda bread', { by, modelId })
    using _ = store
    await quiet()
    expect(asked).toHaveLength(times)
    await titles.close()
  })

  test('is the first line alone in a temporary chat', async () => {
    const { store, titles, asked, quiet } = aTitler()
    using _ = store
    const { id } = aChat(store, { modelId: 'file:/a.gguf', temporary: true })
    store.messages.append(user(id, ASKED))
    store.messages.append(assistant(id, 'With baking soda.'))
    await quiet()
    titles.observe(id, 'turn_end')
    await quiet()
    expect([store.sessions.get(id)?.title, asked.length]).toEqual([ASKED, 1])
    await titles.close()
  })
})
