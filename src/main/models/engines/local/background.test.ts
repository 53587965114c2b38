import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomModel } from '../../../../../testing/gguf/cached.ts'
import type { WireMessage } from '../../interface/engine.ts'
import type { LoadRequest } from './process/protocol.ts'
import { openModel, usageOf } from '../../../../../testing/models/local-load.ts'
import type { Told } from '../../../../../testing/models/local-load.ts'
import { system, user } from '../../../../../testing/models/local.ts'

/** Random weights that never end a reply. */
const path = randomModel({ preset: 'tiny', seed: 5 })
const instructions = system('You are an agent with tools and a memory. '.repeat(25))
const question = [instructions, user('Tell me about the world.')]
const review = [instructions, user(`Review this: ${'The notes of the day. '.repeat(100)}`)]
const summary = [instructions, user(`Sum this up: ${'The talk of the day. '.repeat(100)}`)]
const reply = ({ text }: Told): WireMessage => ({ role: 'assistant', text, generated: true })

const folder = mkdtempSync(join(tmpdir(), 'talaria-background-'))
afterAll(() => rmSync(folder, { recursive: true }))

const shapes: [string, Partial<LoadRequest>][] = [
  ['two places', { sequences: 2 }],
  ['one place', { sequences: 1 }],
  ['one place and a folder for states', { sequences: 1, states: { folder, maxBytes: 1 << 30, model: 'm' } }],
]

/** How long a busy machine may take to prepare, in ms. */
const slowMachine = 60_000

/** The replies when each request runs alone. */
let alone: { review: string; summary: string; question: string }
beforeAll(async () => {
  const { loaded, ask } = await openModel(path)
  alone = {
    review: (await ask(review, { session: 'review', maxTokens: 60 })).text,
    summary: (await ask(summary, { session: 'summary', maxTokens: 60 })).text,
    question: (await ask(question, { session: 'question', maxTokens: 30 })).text,
  }
  await loaded.close()
}, slowMachine)

describe.for(shapes)('with %s', ([, shape]) => {
  let opened: Awaited<ReturnType<typeof openModel>>
  beforeAll(async () => {
    opened = await openModel(path, shape)
  }, slowMachine)
  afterAll(() => opened.loaded.close())

  /** Review in the background, and ask in the foreground once `isNow` is true. `log` has the step order. */
  async function both(
    session: string,
    isNow: (step: 'reading' | 'text', count: number) => boolean,
    options: { work?: WireMessage[]; signal?: AbortSignal; onQuestion?: (count: number) => void } = {},
  ) {
    const log: string[] = []
    const asked = Promise.withResolvers<Told>()
    const counts = { reading: 0, text: 0 }
    const step = (what: 'reading' | 'text') => {
      log.push(`background ${what}`)
      if (!isNow(what, ++counts[what])) return
      log.push('asked')
      let words = 0
      const onText = () => {
        log.push('text')
        options.onQuestion?.(++words)
      }
      asked.resolve(
        opened.ask(question, { session, maxTokens: 30, onText }).finally(() => log.push('answered')),
      )
    }
    const reviewed = await opened.ask(options.work ?? review, {
      session: `review of ${session}`,
      maxTokens: 60,
      priority: 'background',
      onReading: () => step('reading'),
      onText: () => step('text'),
      ...(options.signal && { signal: options.signal }),
    })
    log.push('reviewed')
    if (!log.includes('asked')) throw new Error(`There was no such moment: ${JSON.stringify(counts)}`)
    return { log, reviewed, answered: await asked.promise }
  }

  test('a review pauses writing during an answer, and then ends as if uninterrupted', async () => {
    const { log, reviewed, answered } = await both('a', (step, count) => step === 'text' && count === 20)
    expect(reviewed.text).toBe(alone.review)
    expect(answered.text).toBe(alone.question)
    const during = log.slice(log.indexOf('asked') + 1, log.indexOf('answered'))
    // The token in progress when the question arrived.
    expect(during.filter(entry => entry.startsWith('background')).length).toBeLessThanOrEqual(1)
    expect(during.filter(entry => entry === 'text').length).toBeGreaterThan(10)
    expect(log.slice(log.indexOf('answered'))).toContain('background text')
    expect(log.at(-1)).toBe('reviewed')
  })

  test('a review pauses reading during an answer, and then continues from there', async () => {
    const { log, reviewed, answered } = await both('b', (step, count) => step === 'reading' && count === 3, {
      work: summary,
    })
    expect(reviewed.text).toBe(alone.summary)
    expect(answered.text).toBe(alone.question)
    const during = log.slice(log.indexOf('asked') + 1, log.indexOf('answered'))
    expect(during.filter(entry => entry.startsWith('background'))).toEqual([])
    expect(log.slice(log.indexOf('answered'))).toContain('background reading')
  })

  test('a review stopped while it waits ends at once and does not affect the answer', async () => {
    const stop = new AbortController()
    const { log, reviewed, answered } = await both('c', (step, count) => step === 'text' && count === 20, {
      signal: stop.signal,
      onQuestion: count => count === 5 && stop.abort(),
    })
    expect(reviewed.result).toEqual({ kind: 'stopped' })
    expect(answered.text).toBe(alone.question)
    expect(log.indexOf('reviewed')).toBeLessThan(log.indexOf('answered'))
    const again = await opened.ask(review, { session: 'review of c', maxTokens: 60, priority: 'background' })
    expect(again.text).toBe(alone.review)
  })

  test('a review that starts during an answer waits, and can be stopped meanwhile', async () => {
    const log: string[] = []
    const stop = new AbortController()
    let waiting: Promise<Told>[] = []
    await opened.ask(question, {
      session: 'd',
      maxTokens: 30,
      onText() {
        log.push('text')
        if (waiting.length > 0) return
        const asking = { maxTokens: 2, priority: 'background', onText: () => log.push('background') } as const
        waiting = [
          opened.ask(review, { ...asking, session: 'stopped', signal: stop.signal }),
          opened.ask(review, { ...asking, session: 'patient' }),
        ]
        setImmediate(() => stop.abort())
      },
    })
    log.push('answered')
    const [stopped, patient] = await Promise.all(waiting)
    expect(stopped?.result).toEqual({ kind: 'stopped' })
    expect(patient?.result.kind).toBe('done')
    expect(log.indexOf('background')).toBeGreaterThan(log.indexOf('answered'))
  })

  test('a question in a chat under review does not wait for the review', async () => {
    let answered: Promise<Told> | undefined
    const reviewed = await opened.ask(review, {
      session: 'same',
      maxTokens: 60,
      priority: 'background',
      onText: () => void (answered ??= opened.ask(question, { session: 'same', maxTokens: 30 })),
    })
    expect(reviewed.text).toBe(alone.review)
    expect((await answered)?.text).toBe(alone.question)
  })

  test('several questions and reviews at once are all answered', async () => {
    const asking = ['e', 'f', 'g', 'e'].map(session => opened.ask(question, { session, maxTokens: 30 }))
    const reviewing = ['e2', 'f2', 'e'].map(session =>
      opened.ask(review, { session, maxTokens: 60, priority: 'background' }),
    )
    expect((await Promise.all(asking)).map(({ text }) => text)).toEqual(Array(4).fill(alone.question))
    expect((await Promise.all(reviewing)).map(({ text }) => text)).toEqual(Array(3).fill(alone.review))
  })
})

test('background work evicts other background work, not a chat', async () => {
  const { loaded, ask } = await openModel(path)
  const chat = [...question]
  const turn = async () => {
    const told = await ask(chat, { session: 'chat' })
    chat.push(reply(told), user('Go on.'))
    return usageOf(told).evaluatedTokens
  }
  await turn()
  for (const session of ['one', 'two', 'three']) {
    await ask(review, { session, maxTokens: 2, priority: 'background' })
    expect(await turn()).toBeLessThan(40)
  }
  await loaded.close()
})

test('a chat’s sequence is still there after another chat was answered', async () => {
  const { loaded, ask } = await openModel(path)
  await ask(review, { session: 'review', maxTokens: 2, priority: 'background' })
  await ask(question, { session: 'a' })
  await ask(question, { session: 'b' })
  expect(usageOf(await ask(question, { session: 'a' })).evaluatedTokens).toBe(1)
  await loaded.close()
})
