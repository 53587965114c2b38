import { expect, test } from 'vitest'
import type { ApprovalAnswer } from '../agent/turn-types.ts'
import type { LlmEngine, Prompt } from '../models/interface/engine.ts'
import { createPictureDescriber } from './describe-picture.ts'

const picture = { hash: 'a'.repeat(64), name: 'photo.jpg' }
const { signal } = new AbortController()
const usage = {
  promptTokens: 1,
  reusedTokens: 0,
  evaluatedTokens: 1,
  outputTokens: 1,
  contextTokens: 100,
  firstTokenMs: 1,
  prefillPerSecond: 1,
  tokensPerSecond: 1,
}

function aDescriber({
  isHere = false,
  isLocked = false,
  sees,
}: { isHere?: boolean; isLocked?: boolean; sees?: boolean } = {}) {
  const prompts: Prompt[] = []
  const engine: LlmEngine = {
    modelId: 'server:eye',
    name: 'The eye',
    profile: async () => ({
      strategy: 'text',
      contextTokens: 8_192,
      ...(sees !== undefined && { sees }),
    }),
    async *complete(prompt) {
      prompts.push(prompt)
      yield { type: 'text', text: ' A cat. ' }
      yield { type: 'done', stop: 'end', usage }
    },
    count: text => text.length,
  }
  const agreed = new Set<string>()
  const kept: string[] = []
  const asked: string[] = []
  const describer = createPictureDescriber({
    visionFor: async id => (id === 'alone' ? undefined : { engine, place: 'The eye (eye.example)', isHere }),
    agreed,
    isLocked: () => isLocked,
    keep: (_hash, text) => kept.push(text),
  })
  const describe = (answer: Partial<ApprovalAnswer> = {}, modelId = 'm', isOld = false) =>
    describer.describe(
      modelId,
      picture,
      {
        emit: event => event.type === 'approval_request' && asked.push(event.approval.title),
        ask: async () => ({ decision: 'once', note: '', ...answer }),
      },
      signal,
      isOld,
    )
  return { describe, prompts, kept, asked, whyNot: describer.whyNot }
}

test('before the first picture goes to a server, the person is told which and asked once', async () => {
  const { describe, asked, kept, prompts } = aDescriber()
  expect(await describe()).toEqual({ text: 'A cat.' })
  expect(await describe()).toEqual({ text: 'A cat.' })
  expect(asked).toEqual(['Send photo.jpg to The eye (eye.example)'])
  expect([kept.length, prompts.length]).toEqual([2, 2])
  expect(prompts[0]).toMatchObject({ tools: [], messages: [{ role: 'system' }, { pictures: [picture] }] })
})

test('without a yes nothing is sent, and it is asked again the next time', async () => {
  const { describe, asked, prompts } = aDescriber()
  expect(await describe({ decision: 'deny' })).toEqual({
    refused: expect.stringMatching(/^It was not allowed that pictures go to The eye/),
  })
  const nobody = { decision: 'deny', note: 'Nobody is here to allow it.', unanswered: true } as const
  expect(await describe(nobody)).toEqual({
    refused:
      'A person must agree before the first picture goes to The eye (eye.example). Nobody is here to allow it. Nothing was sent.',
  })
  expect([asked.length, prompts.length]).toEqual([2, 0])
})

test('of an older picture nobody is asked: it goes only where pictures may go already', async () => {
  const { describe, asked, prompts } = aDescriber()
  expect(await describe({}, 'm', true)).toEqual({
    refused: 'No picture has gone to The eye (eye.example) yet.',
  })
  expect([asked.length, prompts.length]).toEqual([0, 0])
  await describe()
  expect(await describe({}, 'm', true)).toEqual({ text: 'A cat.' })
  expect(asked).toHaveLength(1)
})

test('a server on this computer is not asked about', async () => {
  const { describe, asked } = aDescriber({ isHere: true })
  expect(await describe()).toEqual({ text: 'A cat.' })
  expect(asked).toEqual([])
})

test('while the offline lock is on, a server elsewhere gets nothing and is not even asked about', async () => {
  const { describe, asked, prompts, whyNot } = aDescriber({ isLocked: true })
  const refused = {
    refused: expect.stringMatching(
      /^The offline lock is on, so no picture goes to The eye.*Switch the offline lock off/,
    ),
  }
  expect(await describe()).toEqual(refused)
  expect({ refused: await whyNot('m') }).toEqual(refused)
  expect([asked.length, prompts.length]).toEqual([0, 0])
  expect(await aDescriber({ isHere: true, isLocked: true }).describe()).toEqual({ text: 'A cat.' })
})

test('what would help is said where no model is set, or one that does not see', async () => {
  expect(await aDescriber().whyNot('alone')).toMatch(/models\.auxiliary\.vision/)
  expect(await aDescriber({ sees: false }).whyNot('m')).toMatch(/does not see them either/)
  expect(await aDescriber().whyNot('m')).toBeUndefined()
})
