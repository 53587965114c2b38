import { expect, test } from 'vitest'
import { aScene, callDone, userSaid } from '../../../testing/builtin/a-scene.ts'
import type { Message } from '../../shared/contract/chats/messages.ts'
import { isFixedSentence } from './answers/fixed-sentences.ts'
import { createGuide } from './create-guide.ts'
import type { Scene } from './guide/guide-scene.ts'
import { GUIDE_SAYS, isGuideSentence } from './guide/guide-sentences.ts'

const { signal } = new AbortController()
const wrote = (name?: string, given: Record<string, unknown> = {}) => ({
  text: 'This is no remember I remember',
  calls: name === undefined ? [] : [{ call: { id: 'c', name, arguments: given } }],
  end: 'done' as const,
})

/** A guide whose tools return their names. */
const guideIn = (given: Partial<Scene> = {}, mayAsk = true) =>
  createGuide({
    registry: { get: () => undefined },
    scene: async () => aScene(given),
    mayAsk,
    report: error => {
      throw error
    },
  })

const asked = (answer: string, ok = true) =>
  callDone('ask_user', {}, ok ? `The user answers: ${answer}` : `Error: ${answer}`, ok)

test('a plain request is a call without the model, and its result is told', async () => {
  const guide = guideIn()
  const history: Message[] = [userSaid('read notes.txt')]
  const made = await guide.before(history, signal)
  expect(made?.calls).toMatchObject([{ call: { name: 'read_file', arguments: { path: 'notes.txt' } } }])
  history.push(...callDone('read_file', { path: 'notes.txt' }, 'notes.txt says hi'))
  expect(await guide.before(history, signal)).toMatchObject({
    text: expect.stringContaining('notes.txt says hi') as string,
    calls: [],
  })
})

test('the words of the model are never said', async () => {
  const history = [userSaid('tell me a joke')]
  const guide = guideIn()
  expect(await guide.before(history, signal)).toBeUndefined()
  const { text, calls } = await guide.after(history, wrote(), signal)
  expect(calls).toEqual([])
  expect(isFixedSentence(text)).toBe(true)
})

const MOVE = ['terminal', { command: 'mv notes.txt minutes.txt' }] as const
const unclear = () => [userSaid('give notes.txt the name minutes.txt')]

test('an unclear request is asked about, and the answer decides', async () => {
  for (const [answer, wanted] of [
    ['Run `mv notes.txt minutes.txt`', 'terminal'],
    ['yes', 'terminal'],
    ['no', GUIDE_SAYS.nothingDone()],
    ['read todo.md', 'read_file'],
    ['blue', GUIDE_SAYS.notUnderstood()],
  ] as const) {
    const guide = guideIn()
    const history: Message[] = unclear()
    await guide.before(history, signal)
    const question = await guide.after(history, wrote(...MOVE), signal)
    expect(question.calls[0]?.call).toMatchObject({ name: 'ask_user' })
    history.push(...asked(answer))
    const next = await guide.before(history, signal)
    expect(next?.calls[0]?.call.name ?? next?.text).toBe(wanted)
  }
})

test('where nobody answers, it says what it would do and how to say so', async () => {
  const guide = guideIn({}, false)
  const history = unclear()
  await guide.before(history, signal)
  const { text, calls } = await guide.after(history, wrote(...MOVE), signal)
  expect(calls).toEqual([])
  expect(text).toContain('write: run `mv notes.txt minutes.txt`')
  expect(isGuideSentence(text)).toBe(true)

  const asks = guideIn()
  const unanswered: Message[] = [...history]
  await asks.after(unanswered, wrote(...MOVE), signal)
  unanswered.push(...asked('Nobody is here to allow it.', false))
  expect((await asks.before(unanswered, signal))?.text).toBe(text)
})

test('adding to a file reads it and puts the text behind its end', async () => {
  const guide = guideIn()
  const history: Message[] = [userSaid('add "stamps" to todo.md')]
  await guide.before(history, signal)
  history.push(...callDone('read_file', { path: 'todo.md' }, 'todo.md, lines 1-2 of 2\n- milk\n- bank'))
  const next = await guide.before(history, signal)
  expect(next?.calls[0]?.call).toMatchObject({
    name: 'patch_file',
    arguments: { path: 'todo.md', old_string: '- milk\n- bank', new_string: '- milk\n- bank\nstamps' },
  })
})

test('what was found is opened when that was asked for, once', async () => {
  const guide = guideIn()
  const history: Message[] = [userSaid('find the file with the port and show it')]
  await guide.before(history, signal)
  history.push(...callDone('search_files', { pattern: 'port' }, 'config.ini:2: port = 8080\n[1 match]'))
  expect((await guide.before(history, signal))?.calls[0]?.call).toMatchObject({ name: 'read_file' })
  history.push(...callDone('read_file', { path: 'config.ini' }, 'port = 8080'))
  expect(await guide.before(history, signal)).toMatchObject({
    text: expect.stringContaining('port = 8080') as string,
    calls: [],
  })
})

test('without tools it makes no call, and says which one is off', async () => {
  const { known } = aScene()
  const silent = await guideIn({ known: { ...known, tools: [] } }).before(
    [userSaid('read notes.txt')],
    signal,
  )
  expect(silent).toMatchObject({ calls: [] })
  const less = await guideIn({ known: { ...known, tools: ['read_file'] } }).before(
    [userSaid('run date')],
    signal,
  )
  expect(less).toEqual({ text: GUIDE_SAYS.toolOff('run `date`'), calls: [] })
})

test('its sentences are known as such, and nothing else is', () => {
  expect(isGuideSentence(GUIDE_SAYS.notRemembered('my address'))).toBe(true)
  expect(isGuideSentence('This is no remember I remember')).toBe(false)
})

test('what is added after a question goes on with the rest of the chain', async () => {
  const guide = guideIn()
  const history: Message[] = [userSaid('write stamps to todo.md')]
  const question = await guide.before(history, signal)
  expect(question?.calls[0]?.call.name).toBe('ask_user')
  history.push(...asked('Add it at the end of todo.md'))
  expect((await guide.before(history, signal))?.calls[0]?.call).toMatchObject({ name: 'read_file' })
  history.push(...callDone('read_file', { path: 'todo.md' }, 'todo.md, lines 1-1 of 1\n- milk'))
  expect((await guide.before(history, signal))?.calls[0]?.call).toMatchObject({
    name: 'patch_file',
    arguments: { path: 'todo.md', old_string: '- milk', new_string: '- milk\nstamps' },
  })
  // The line is added once: the result of the change must not be taken for another file to add to.
  history.push(...callDone('patch_file', { path: 'todo.md' }, 'todo.md, changed\n- milk\n+stamps'))
  expect((await guide.before(history, signal))?.calls).toEqual([])
})
