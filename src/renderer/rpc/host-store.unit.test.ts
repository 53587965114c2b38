import { expect, test } from 'vitest'
import type { HostClient } from '../../shared/contract/index.ts'
import type { Settings } from '../../shared/contract/app.ts'
import type { Model } from '../../shared/contract/models/model.ts'
import type { Session } from '../../shared/contract/chats/session.ts'
import { Fault } from '../../shared/rpc.ts'
import { createHostStore } from './host-store.ts'
import type { Link } from './link.ts'

const garden = { id: 'c1', title: 'Garden', pinned: false, modelId: 'small' } as Session
const refusal = new Fault('internal', 'The disk is full.')

/** A store that knows one chat, over a host whose answers to changes wait for the test, in order. */
async function aStore() {
  const waiting: { accept: (now: Partial<Session>) => void; refuse: () => void }[] = []
  const settings: { accept: (now: Settings) => void; refuse: () => void }[] = []
  const client = {
    'app.setSettings': () => {
      const { promise, resolve, reject } = Promise.withResolvers<Settings>()
      settings.push({ accept: resolve, refuse: () => reject(refusal) })
      return promise
    },
    'session.create': async () => garden,
    'session.update': () => {
      const { promise, resolve, reject } = Promise.withResolvers<Session>()
      waiting.push({ accept: now => resolve({ ...garden, ...now }), refuse: () => reject(refusal) })
      return promise
    },
    'session.remove': async () => ({}),
  } as unknown as HostClient
  const link = { client, state: () => 'connected', subscribe: () => () => {} } as unknown as Link
  const host = createHostStore(link, { areOld() {}, take() {} }).getState
  await host().createSession({})
  const shown = () => {
    const { title, pinned, modelId } = host().sessions['c1']!
    return [title, pinned, modelId]
  }
  return { host, waiting, settings, shown }
}

test('a refused change reverts its own fields, not those of another change in progress', async () => {
  const { host, waiting, shown } = await aStore()
  const renamed = host().updateSession('c1', { title: 'Rent' })
  const pinned = host().updateSession('c1', { pinned: true })
  expect(shown()).toEqual(['Rent', true, 'small'])
  waiting[0]!.refuse()
  expect((await renamed).ok).toBe(false)
  expect(shown()).toEqual(['Garden', true, 'small'])
  waiting[1]!.accept({ pinned: true })
  await pinned
  expect(shown()).toEqual(['Garden', true, 'small'])
})

test('the answer to one change does not hide another in progress', async () => {
  const { host, waiting, shown } = await aStore()
  const renamed = host().updateSession('c1', { title: 'Rent' })
  const pinned = host().updateSession('c1', { pinned: true })
  waiting[0]!.accept({ title: 'Rent' })
  await renamed
  expect(shown()).toEqual(['Rent', true, 'small'])
  waiting[1]!.refuse()
  await pinned
  expect(shown()).toEqual(['Rent', false, 'small'])
})

test('if every change of a field is refused, its first value returns, whatever the order', async () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ] as const) {
    const { host, waiting, shown } = await aStore()
    const both = [
      host().updateSession('c1', { modelId: 'big' }),
      host().updateSession('c1', { modelId: 'huge' }),
    ]
    waiting[order[0]]!.refuse()
    await both[order[0]]
    expect(shown()[2]).toBe(order[0] === 0 ? 'huge' : 'big')
    waiting[order[1]]!.refuse()
    await Promise.all(both)
    expect(shown()[2]).toBe('small')
  }
})

test('a refused change does not bring back a chat removed meanwhile', async () => {
  const { host, waiting } = await aStore()
  const renamed = host().updateSession('c1', { title: 'Rent' })
  await host().removeSession('c1')
  waiting[0]!.refuse()
  await renamed
  expect(host().sessions).toEqual({})
})

test('a refused setting reverts only itself', async () => {
  const { host, settings } = await aStore()
  const dark = host().setSettings({ theme: 'dark' })
  const expert = host().setSettings({ expert: true })
  settings[0]!.refuse()
  expect((await dark).ok).toBe(false)
  expect(host().settings).toEqual({
    theme: 'system',
    codeTheme: 'window',
    textSize: 'normal',
    sendWith: 'enter',
    keys: {},
    expert: true,
  })
  settings[1]!.accept({
    theme: 'system',
    codeTheme: 'window',
    textSize: 'normal',
    sendWith: 'enter',
    keys: {},
    expert: true,
  })
  await expert
  expect(host().settings.expert).toBe(true)
})

test('a list of models from before a change does not hide it, nor does an older list a newer one', async () => {
  const model = (options: Model['options']) => ({ id: 'm1', options }) as Model
  const lists: ((options: Model['options']) => void)[] = []
  const saved: (() => void)[] = []
  const client = {
    'model.list': () =>
      new Promise(resolve => lists.push(options => resolve({ models: [model(options)], defaultId: 'm1' }))),
    'model.setOptions': ({ options }: { options: Model['options'] }) =>
      new Promise(resolve => saved.push(() => resolve(model(options)))),
  } as unknown as HostClient
  const link = { client, state: () => 'connected', subscribe: () => () => {} } as unknown as Link
  const host = createHostStore(link, { areOld() {}, take() {} }).getState
  const options = () => host().models[0]!.options

  const first = host().loadModels()
  lists[0]!({})
  await first
  const threads = host().setModelOptions('m1', { threads: 4 })
  const stale = host().loadModels()
  lists[1]!({})
  await stale
  expect(options()).toEqual({ threads: 4 })

  const older = host().loadModels()
  saved[0]!()
  await threads
  const newer = host().loadModels()
  lists[3]!({ threads: 4 })
  await newer
  lists[2]!({})
  await older
  expect(options()).toEqual({ threads: 4 })
})
