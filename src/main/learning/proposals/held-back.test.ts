import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settled } from '../../../../testing/until.ts'
import {
  aLearning,
  finds,
  remember,
  skillText,
  YOU as PERSON,
} from '../../../../testing/learning/a-learning.ts'
import { done } from '../../../../testing/skills/a-skill-editor.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { FROM_CHAT } from './proposals.ts'

const YOU = { ...PERSON, note: '' }
/** Made up, in the form of a real one. */
const KEY = 'sk-proj-Zk3hQ9wVbT7yLm2XcR8pN5aD1fG4jS6u'
/** A password that no rule of the scan knows. */
const PASSWORD = 'password=Tr0ub4dor&3xyz'
const SOON = { memory_nudge: 1, skill_nudge: 0, end_turns: 0 }

const writes = (name: string, step: string) => ({
  name: 'skill_manage',
  arguments: { action: 'create', name, content: skillText(name, [step]) },
})

/** Review a chat to the end, and return its line on Activity. */
async function outcomeOf(given: ReturnType<typeof aLearning>): Promise<string> {
  const chat = given.aChat()
  given.say(chat, 'Deploy it.')
  given.learning.review(chat)
  await settled(() => {
    expect(given.reviews(chat).map(each => each.state)).toEqual(['done'])
  })
  expect(given.reported).toEqual([])
  return given.reviews(chat)[0]!.outcome
}

/** The files of the home folder that contain a text, compared as bytes. */
const filesWith = (home: string, text: string): string[] =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => readFileSync(path).includes(text))

for (const mode of ['ask', 'save'] as const)
  for (const secret of [KEY, PASSWORD])
    test(`in mode “${mode}” a skill with ${secret.slice(0, 8)}… is stored nowhere, and Activity says why nothing came of it`, async () => {
      await using given = aLearning({
        settings: { ...SOON, mode },
        replies: finds(writes('deploy-site', `Log in with ${secret}, then upload.`)),
      })
      expect(await outcomeOf(given)).toBe('1 left out with a key or a password.')
      expect(given.waiting()).toEqual([])
      expect(given.library.list()).toEqual([])
      const { home } = given.subject('', []).turn
      expect(filesWith(home, secret)).toEqual([])
      expect(filesWith(home, 'Deploy it.')).not.toEqual([])
    })

test('a model that then leaves the key out has its skill kept, and one key that it tries twice counts once', async () => {
  const bad = writes('deploy-site', `Log in with ${KEY}.`)
  await using given = aLearning({
    settings: SOON,
    replies: finds(bad, bad, writes('deploy-site', 'Log in with the key in DEPLOY_KEY.')),
  })
  expect(await outcomeOf(given)).toBe('1 proposed, 1 left out with a key or a password.')
  expect(given.waiting().map(each => each.place)).toEqual(['deploy-site'])
})

test('an entry with a key is left out, and Activity says so', async () => {
  await using given = aLearning({ settings: SOON, replies: finds(remember(`Uses the key ${KEY}.`)) })
  expect(await outcomeOf(given)).toBe('1 left out with a key or a password.')
  expect(given.waiting()).toEqual([])
})

test('a skill in which the person has a key can be changed beside it, but gets no other key', async () => {
  await using given = aLearning()
  const name = 'deploy-site'
  const own = skillText(name, [`Log in with ${KEY}.`, 'Upload.'])
  const { id } = done(given.editor.create({ name, category: '', text: own }, YOU, { despite: true }))
  const to = given.proposing({ sessionId: given.aChat(), askedId: 1 })
  const save = (text: string) => to.save({ id, path: 'SKILL.md', text, expected: own }, YOU)
  expect(isRefusal(save(own.replace('Upload.', `Upload with ${PASSWORD}.`)))).toBe(true)
  expect(given.waiting()).toEqual([])
  expect(isRefusal(save(own.replace('Upload.', 'Upload all.')))).toBe(false)
  expect(given.waiting()).toMatchObject([{ reviewId: FROM_CHAT, op: 'edit' }])
})

test('what an agent proposes in a chat holds no key either', async () => {
  await using given = aLearning()
  const to = given.proposing({ sessionId: given.aChat(), askedId: 1 })
  const text = skillText('deploy-site', [`Log in with ${KEY}.`])
  expect(to.create({ name: 'deploy-site', category: '', text }, YOU)).toMatchObject({
    refused: expect.stringContaining('holds a key or a password'),
  })
  expect(given.waiting()).toEqual([])
})
