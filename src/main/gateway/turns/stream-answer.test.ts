import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aStore } from '../../../../testing/db/a-store.ts'
import { openOutbox } from '../messages/open-outbox.ts'
import type { Part, Place, Platform, SendResult } from '../platform.ts'
import { streamAnswer } from './stream-answer.ts'

// An answer on its way to a messenger, with a manual clock.

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const place: Place = { key: '7', kind: 'private', title: 'Ada', chatId: '7' }
const LONGEST = 4_096

/** A messenger that accepts one message a second per place, and asks to wait if one comes sooner. */
function aSlowMessenger(faults: (n: number) => SendResult | undefined = () => undefined) {
  const shown = new Map<string, string>()
  let freeAt = 0
  let waits = 0
  let calls = 0
  function act(id: string, { payload }: Part): Promise<SendResult> {
    const early = freeAt - Date.now()
    if (early > 0) {
      waits++
      return Promise.resolve({ kind: 'wait', ms: early + 500 })
    }
    freeAt = Date.now() + 1_000
    const fault = faults(++calls)
    if (fault) return Promise.resolve(fault)
    shown.set(id, payload)
    return Promise.resolve({ kind: 'sent', messageId: id })
  }
  const platform: Pick<Platform, 'name' | 'title' | 'limits' | 'compose' | 'send' | 'edit'> = {
    name: 'slow',
    title: 'Slow',
    limits: { editMs: 1_000, fetchBytes: 1, sendBytes: 1 },
    compose: text =>
      Array.from({ length: Math.ceil(text.length / LONGEST) }, (_, n) => {
        const payload = text.slice(n * LONGEST, (n + 1) * LONGEST)
        return { payload, plain: payload }
      }),
    send: (_place, part) => act(String(shown.size + 1), part),
    edit: (_place, id, part) => act(id, part),
  }
  return {
    platform: platform as Platform,
    text: () => [...shown.values()].join(''),
    parts: () => shown.size,
    waits: () => waits,
    calls: () => calls,
  }
}

function aStream(messenger: ReturnType<typeof aSlowMessenger>) {
  const store = aStore()
  const chat = { modelId: 'm', workspace: '/', approval: 'ask', origin: 'messenger' } as const
  const session = store.sessions.create(chat)
  const errors: unknown[] = []
  const outbox = openOutbox({
    store: store.gateway,
    now: Date.now,
    changed: () => undefined,
    report: error => errors.push(error),
  })
  outbox.attach(messenger.platform)
  const given = { store: store.gateway, outbox, platform: messenger.platform, place }
  const stream = streamAnswer({ ...given, sessionId: session.id, runId: 'run_1' })
  return { store, outbox, stream, errors }
}

test('a thousand fragments, one a second, end as the text that is stored', async () => {
  const messenger = aSlowMessenger()
  const { stream, store, errors } = aStream(messenger)
  let text = ''
  for (let n = 0; n < 1_000; n++) {
    const fragment = `fragment ${n}, `
    text += fragment
    stream.add(fragment)
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(text.startsWith(messenger.text())).toBe(true)
  stream.finish({ id: 5, text })
  await vi.advanceTimersByTimeAsync(120_000)
  expect(messenger.text()).toBe(text)
  expect(messenger.parts()).toBe(Math.ceil(text.length / LONGEST))
  expect(messenger.calls()).toBeLessThan(1_100)
  expect(store.gateway.openOutbox()).toEqual([])
  expect(errors).toEqual([])
})

test('what was not looked at, and who said it, stands below the answer', async () => {
  const messenger = aSlowMessenger()
  const { stream } = aStream(messenger)
  stream.finish({
    id: 5,
    text: 'It lists your notes.',
    byTalaria: true,
    offer: { why: 'not_looked', choices: [{ tool: 'read_file', label: 'Read notes.txt' }] },
  })
  await vi.advanceTimersByTimeAsync(5_000)
  const [said, by, nothing, ...how] = messenger.text().split('\n\n')
  expect([said, by, nothing]).toEqual([
    'It lists your notes.',
    '_Said by Talaria, by rules, not by the model._',
    '_Nothing was looked at for this answer._',
  ])
  expect(how.join('')).toContain('`Read notes.txt`')
})

test('the beginning of a key is never shown', async () => {
  const seen: string[] = []
  const messenger = aSlowMessenger()
  const { stream } = aStream(messenger)
  const key = `sk-proj-${'Ab1'.repeat(12)}`
  for (const letter of `The key is ${key} as you know.`) {
    stream.add(letter)
    await vi.advanceTimersByTimeAsync(1_500)
    seen.push(messenger.text())
  }
  expect(seen.filter(text => text.includes('sk-'))).toEqual([])
  expect(seen.at(-1)).toContain('[redacted] as you')
})

test('waits, broken edits and void beginnings change nothing about how it ends', async () => {
  const faults: Record<number, SendResult> = {
    2: { kind: 'not_sent', why: 'No connection.' },
    4: { kind: 'unsure', why: 'It broke off.' },
    7: { kind: 'wait', ms: 30_000 },
  }
  const messenger = aSlowMessenger(n => faults[n])
  const { stream, store } = aStream(messenger)
  for (let n = 0; n < 60; n++) {
    stream.add(`wrong ${n} `)
    await vi.advanceTimersByTimeAsync(700)
  }
  stream.reset()
  const text = 'The answer that counts.'
  stream.add(text)
  await vi.advanceTimersByTimeAsync(5_000)
  stream.finish({ id: 6, text })
  await vi.advanceTimersByTimeAsync(300_000)
  expect(messenger.text()).toBe(text)
  expect(store.gateway.openOutbox()).toEqual([])
})
