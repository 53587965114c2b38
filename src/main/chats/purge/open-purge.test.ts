import { describe, expect, test } from 'vitest'
import { aChat, aStore, user } from '../../../../testing/db/a-store.ts'
import { wordsIn } from '../../../../testing/purge/plant-chat.ts'
import { until } from '../../../../testing/until.ts'
import type { Store } from '../../db/store.ts'
import type { Unremoved } from '../../lib/removal/unremoved.ts'
import { openPurge } from './open-purge.ts'

const DAY = 86_400_000
const START = 1_800_000_000_000

/** A store with a manual clock, and a deleted chat with one word. */
function aDeletedChat(word = 'secretword') {
  const time = { now: START }
  const store = aStore(() => time.now)
  const { id } = aChat(store)
  store.messages.append(user(id, word))
  store.sessions.remove(id)
  return { store, time, id, [Symbol.dispose]: store[Symbol.dispose] }
}

type Busy = { busy: boolean }

/** Start to remove what is due, as Talaria does at its start. */
function begin(
  store: Store,
  time: { now: number },
  busy: Busy = { busy: false },
  files?: (path: string) => Unremoved[],
) {
  const steps: string[] = []
  const purge = openPurge({
    store: store.purge,
    pages: store.pages,
    graceDays: () => 30,
    isBusy: () => busy.busy,
    isInUse: () => false,
    endChat: async () => {},
    filesOf: async id => [`files of ${id}`],
    removeFile: async path => {
      steps.push(path)
      return files?.(path) ?? []
    },
    removeTraces: async () => [],
    cleanCopies: async (chats, all) => {
      steps.push(`copies of ${chats.length}${all ? ', all' : ''}`)
      return []
    },
    explain: () => ({ path: 'state.db', why: 'it was said to' }),
    onChange: () => {},
    now: () => time.now,
    report: error => {
      throw error
    },
    waitMs: 1,
  })
  return { ...purge, steps, [Symbol.asyncDispose]: purge.close }
}

const left = async (store: Store & { home: string }) => Object.keys(await wordsIn(store.home, ['secretword']))

describe('a deleted chat', () => {
  test('takes its sub-agents along after its days, and one restored before brings them back', async () => {
    using made = aDeletedChat()
    const { store, time, id } = made
    const agentOf = (parentId: string) =>
      aChat(store, { origin: 'sub_agent', originId: 'call_1', parentId }).id
    store.sessions.restore(id)
    const other = aChat(store).id
    const [gone, back] = [agentOf(id), agentOf(other)]
    store.messages.append(user(gone, 'secretword'))
    for (const each of [id, other]) store.sessions.remove(each)
    await using purge = begin(store, time)
    expect(
      purge
        .list()
        .chats.map(each => each.id)
        .toSorted(),
    ).toEqual([id, other].toSorted())
    time.now += 29.5 * DAY
    purge.check()
    await purge.idle()
    store.sessions.restore(other)
    expect([gone, back].map(each => store.sessions.get(each)?.id)).toEqual([undefined, back])
    time.now += DAY
    purge.check()
    await purge.idle()
    expect(purge.list()).toMatchObject({ chats: [], removing: 0 })
    expect(purge.steps).toEqual(expect.arrayContaining([`files of ${id}`, `files of ${gone}`]))
    expect(await left(store)).toEqual([])
    expect(store.sessions.get(back)?.parentId).toBe(other)
  })

  test('stays for its days and then goes by itself', async () => {
    using made = aDeletedChat()
    const { store, time, id } = made
    await using purge = begin(store, time)
    expect(purge.list().chats).toMatchObject([{ id, daysLeft: 30 }])
    time.now += 29.5 * DAY
    purge.check()
    await purge.idle()
    expect(purge.list().chats).toMatchObject([{ id, daysLeft: 1 }])
    time.now += DAY
    purge.check()
    await purge.idle()
    expect(purge.list()).toEqual({ chats: [], days: 30, removing: 0, unremoved: [], paused: false })
    expect([await left(store), purge.steps]).toEqual([[], [`files of ${id}`, 'copies of 1']])
  })

  test('stays after a leap of the clock until a later start confirms it', async () => {
    using made = aDeletedChat()
    const { store, time, id } = made
    await using first = begin(store, time)
    await first.close()
    time.now += 60 * DAY
    await using second = begin(store, time)
    await second.idle()
    expect(second.list()).toMatchObject({ paused: true, chats: [{ id, daysLeft: 0 }] })
    await second.close()
    time.now += DAY
    await using third = begin(store, time)
    await third.idle()
    expect(third.list()).toMatchObject({ paused: false, chats: [] })
  })

  test('gets its days again when a leap of the clock was a mistake', async () => {
    using made = aDeletedChat()
    const { store, time } = made
    await using first = begin(store, time)
    await first.close()
    time.now += 400 * DAY
    await using second = begin(store, time)
    const another = aChat(store).id
    store.sessions.remove(another)
    await second.close()
    time.now = START + DAY
    await using third = begin(store, time)
    await third.idle()
    expect(third.list().chats.map(({ daysLeft }) => daysLeft)).toEqual([30, 29])
  })

  test('goes at once when a person asks, also after a leap of the clock and while an answer is written', async () => {
    using made = aDeletedChat()
    const { store, time, id } = made
    await using first = begin(store, time)
    await first.close()
    time.now += 60 * DAY
    await using purge = begin(store, time, { busy: true })
    purge.remove([id])
    await purge.idle()
    expect([purge.list().chats, await left(store)]).toEqual([[], []])
  })

  test('whose files cannot be removed holds nothing back, and is tried again on request and each hour', async () => {
    using made = aDeletedChat()
    const { store, time, id } = made
    const other = aChat(store).id
    store.messages.append(user(other, 'secretword'))
    store.sessions.remove(other)
    const stays = new Map([[`files of ${id}`, [{ path: 'stuck', why: 'it is protected' }]]])
    await using purge = begin(store, time, undefined, path => stays.get(path) ?? [])
    purge.remove([id, other])
    await purge.idle()
    const stuck = {
      chats: [],
      removing: 0,
      unremoved: [{ id, deletedAt: START, files: stays.get(`files of ${id}`) }],
    }
    expect(purge.list()).toMatchObject(stuck)
    expect([await left(store), store.purge.pending()]).toEqual([[], []])
    for (const again of [() => purge.remove([id]), () => purge.check()]) {
      purge.steps.length = 0
      again()
      await purge.idle()
      expect([purge.list(), purge.steps]).toMatchObject([stuck, [`files of ${id}`]])
    }
    stays.clear()
    purge.check()
    await purge.idle()
    expect([purge.list(), store.purge.files()]).toMatchObject([{ removing: 0, unremoved: [] }, []])
  })

  test('waits for the end of an answer when nobody asked', async () => {
    using made = aDeletedChat()
    const { store, time } = made
    const busy = { busy: true }
    await using first = begin(store, time, busy)
    time.now += 30 * DAY
    first.check()
    expect(first.list()).toMatchObject({ chats: [], removing: 1 })
    await until(async () => (await left(store)).length === 1)
    busy.busy = false
    await first.idle()
    expect(await left(store)).toEqual([])
  })
})
