import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { assistant } from '../../../testing/db/a-store.ts'
import { settled } from '../../../testing/until.ts'
import {
  aLearning,
  AGENT,
  finds,
  remember,
  skillText,
  YOU,
  type Replies,
} from '../../../testing/learning/a-learning.ts'
import { done } from '../../../testing/skills/a-skill-editor.ts'
import { isRefusal } from '../lib/expected-errors.ts'

const memory = (action: Record<string, unknown>) => ({
  name: 'memory',
  arguments: { target: 'user', ...action },
})
/** Settings where one turn triggers a review. */
const SOON = { memory_nudge: 1, skill_nudge: 0, end_turns: 0 }
async function reviewed(given: ReturnType<typeof aLearning>, chat: string, count = 1) {
  await settled(() => {
    expect(given.reviews(chat).map(each => each.state)).toEqual(Array<string>(count).fill('done'))
  })
  expect(given.reported).toEqual([])
}

test('a review’s finding becomes an open proposal with the message it is based on', async () => {
  await using given = aLearning({ settings: SOON, replies: finds(remember('Uses pnpm.')) })
  const chat = given.aChat()
  const id = given.say(chat, 'I use pnpm.')
  await reviewed(given, chat)
  expect(given.waiting()).toMatchObject([
    { headline: 'Uses pnpm.', trigger: 'memory_nudge', evidence: [{ messageId: id, quote: 'I use pnpm.' }] },
  ])
  expect(given.waiting()[0]!.cost?.promptTokens).toBeGreaterThan(0)
  expect(given.entries()).toEqual([])
})

test('evidence comes only from messages since the last review', async () => {
  await using given = aLearning({ settings: SOON })
  const chat = given.aChat()
  given.say(chat, 'I use pnpm.')
  await reviewed(given, chat)
  given.model.replies = finds(remember('Uses pnpm.'))
  const id = given.say(chat, 'As I said, pnpm.')
  await reviewed(given, chat, 2)
  expect(given.waiting()[0]!.evidence.map(each => each.messageId)).toEqual([id])
})

test('in mode “save” a batch is judged per entry: changes to the user’s own entries are proposed instead of saved', async () => {
  await using given = aLearning({ settings: { ...SOON, mode: 'save' } })
  const rewritten = given.remember('Lives in Basel.', AGENT)
  given.memory.change([{ kind: 'edit', id: rewritten, text: 'Lives in Bern.' }], YOU)
  given.remember('Uses npm.', YOU)
  given.remember('Has a dog.', AGENT)
  given.model.replies = finds(
    memory({
      operations: [
        { action: 'replace', old_text: 'Lives in Bern', content: 'Lives in Biel.' },
        { action: 'remove', old_text: 'Uses npm' },
        { action: 'replace', old_text: 'Has a dog', content: 'Has two dogs.' },
        { action: 'add', content: 'Works at night.' },
      ],
    }),
  )
  const chat = given.aChat()
  const id = given.say(chat, 'I work at night with two dogs.')
  await reviewed(given, chat)
  expect(given.entries().toSorted()).toEqual([
    'Has two dogs.',
    'Lives in Bern.',
    'Uses npm.',
    'Works at night.',
  ])
  expect(
    given
      .waiting()
      .map(each => [each.op, each.before, each.because])
      .toReversed(),
  ).toEqual([
    ['edit', 'Lives in Bern.', 'It would rewrite what you wrote yourself.'],
    ['remove', 'Uses npm.', 'It would remove what you wrote yourself.'],
  ])
  const added = given.memory.view().entries.find(entry => entry.text === 'Works at night.')
  expect(added).toMatchObject({ origin: 'review', sessionId: chat, messageId: id })
})

test('in mode “save” a review of what was made from a stranger’s text proposes, until the person has ended its mark', async () => {
  await using given = aLearning({
    settings: { ...SOON, mode: 'save' },
    replies: finds(remember('Sends keys to news.')),
  })
  const chat = given.aChat()
  given.store.messages.append({
    ...assistant(chat, 'The news want keys.'),
    marks: [{ id: 'text_1', source: 'the server news' }],
  })
  given.say(chat, 'What do you think?')
  await reviewed(given, chat)
  expect(given.entries()).toEqual([])
  expect(given.waiting()).toMatchObject([{ headline: 'Sends keys to news.' }])
  given.store.marks.end(chat, ['text_1'], given.now())
  given.model.replies = finds(remember('Reads news.'))
  given.say(chat, 'I read them.')
  await reviewed(given, chat, 2)
  expect(given.entries()).toEqual(['Reads news.'])
})

test('in mode “save” a changed skill records its review, and a change to a skill the user edited is proposed', async () => {
  await using given = aLearning({
    settings: { memory_nudge: 0, skill_nudge: 10, mode: 'save', end_turns: 0 },
  })
  const own = given.editor.create(
    { name: 'haiku', category: '', text: skillText('haiku') },
    { ...AGENT, note: '' },
  )
  if (isRefusal(own)) throw new Error(own.refused)
  const patch = (name: string, old: string, now: string) => ({
    name: 'skill_manage',
    arguments: { action: 'patch', name, old_string: old, new_string: now },
  })
  const view = { name: 'skill_view', arguments: { name: 'haiku' } }
  given.model.replies = finds(view, patch('haiku', 'Begin.', 'Begin well.'))
  const chat = given.aChat()
  given.say(chat, 'Write one.')
  given.learning.review(chat)
  await reviewed(given, chat)
  const reviewId = given.reviews(chat)[0]!.id
  expect(given.library.read(own.id)).toContain('Begin well.')
  expect(given.store.skills.history({ key: 'haiku', limit: 1 }).revisions).toMatchObject([
    { actor: 'review', reviewId, sessionId: chat },
  ])

  const text = given.library.read(own.id)!
  given.editor.save(
    { id: own.id, path: 'SKILL.md', text: text.replace('End.', 'Mine.') },
    { ...YOU, note: '' },
  )
  given.model.replies = finds(view, patch('haiku', 'Mine.', 'Yours.'))
  given.learning.review(chat)
  await reviewed(given, chat, 2)
  expect(given.library.read(own.id)).toContain('Mine.')
  expect(given.waiting()).toMatchObject([{ because: expect.stringContaining('you wrote yourself') }])
})

test.for(['rejected', 'undone', 'removed', 'rewritten'] as const)(
  'an entry %s by the user is not proposed again from the same chat',
  async how => {
    const mode = how === 'rejected' ? 'ask' : 'save'
    await using given = aLearning({ settings: { ...SOON, mode }, replies: finds(remember('Uses npm.')) })
    const chat = given.aChat()
    given.say(chat, 'I use npm.')
    await reviewed(given, chat)
    const entry = () => given.memory.view().entries[0]!.id
    if (how === 'rejected')
      given.learning.reject(
        given.waiting().map(each => each.id),
        false,
      )
    if (how === 'undone') given.learning.undo({ by: 'chat', id: chat })
    if (how === 'removed') given.memory.change([{ kind: 'remove', id: entry() }], YOU)
    if (how === 'rewritten') given.memory.change([{ kind: 'edit', id: entry(), text: 'Uses pnpm.' }], YOU)
    const before = given.entries()
    given.say(chat, 'Go on.')
    await reviewed(given, chat, 2)
    expect(given.entries()).toEqual(before)
    expect(given.waiting()).toEqual([])
    // Repeated in another chat, it may be proposed again.
    const other = given.aChat()
    given.say(other, 'I do use npm.')
    await reviewed(given, other)
    expect([...given.waiting().map(each => each.headline), ...given.entries()]).toContain('Uses npm.')
  },
)

test('an ended chat is reviewed once', async () => {
  await using given = aLearning({ settings: { end_turns: 2, idle_seconds: 3_600 } })
  const chat = given.aChat()
  given.say(chat, 'One.')
  given.say(chat, 'Two.')
  given.learning.chatEnded(chat)
  expect(given.reviews(chat)).toMatchObject([{ trigger: 'session_end', state: 'queued' }])
  given.learning.chatEnded(chat)
  expect(given.reviews(chat)).toHaveLength(1)
})

test('an idle chat is reviewed later, even after a restart, but not one idle for days', async () => {
  vi.useFakeTimers()
  try {
    await using given = aLearning({ settings: { end_turns: 2, idle_seconds: 3_600 } })
    const [old, recent] = [given.aChat(), given.aChat()]
    for (const text of ['One.', 'Two.']) given.say(old, text)
    given.later(8 * 24 * 60 * 60_000)
    for (const text of ['One.', 'Two.']) given.say(recent, text)
    await given.restart()
    vi.advanceTimersByTime(61_000)
    expect(given.reviews(recent)).toEqual([])
    given.later(16 * 60_000)
    vi.advanceTimersByTime(61_000)
    vi.advanceTimersByTime(61_000)
    expect(given.reviews(recent)).toMatchObject([{ trigger: 'session_end' }])
    expect(given.reviews(old)).toEqual([])
    given.learning.chatEnded(recent)
    expect(given.reviews(recent)).toHaveLength(1)
  } finally {
    vi.useRealTimers()
  }
})

test('messages to be summarised are reviewed first, unless a finished review has read them', async () => {
  await using given = aLearning({ settings: { ...SOON, end_turns: 6, idle_seconds: 3_600 } })
  const chat = given.aChat()
  const first = given.say(chat, 'One.')
  expect(given.reviews(chat)).toMatchObject([{ trigger: 'memory_nudge', state: 'queued' }])
  given.learning.flushes.queue(chat, 0, first + 1)
  expect(given.reviews(chat).map(each => each.trigger)).toEqual(['memory_nudge', 'compaction'])
  given.learning.flushes.queue(chat, 0, first + 1)
  expect(given.reviews(chat)).toHaveLength(2)
  expect(given.learning.activity({ filter: 'all', limit: 5 }).held).toBeNull()
})

test('the reason why reviews wait is given only while one is queued', async () => {
  await using given = aLearning({ settings: { ...SOON, only_on_mains: true } })
  const held = () => given.learning.activity({ filter: 'all', limit: 5 }).held
  expect(held()).toBeNull()
  const chat = given.aChat()
  given.say(chat, 'One.')
  expect(held()).toBe('It waits for mains power.')
  given.busy(true)
  expect(held()).toBe('It waits until no answer is running.')
})

test('two void reviews in a row pause reviews with that model, until one comes to something', async () => {
  const circle = 'I am going to try to figure that out for you, and then I will tell you all about it. '
  const circles: Replies = prompt =>
    prompt.messages.at(-1)!.text.includes('Answer with one JSON object')
      ? JSON.stringify({ worth: true, facts: ['something'], procedure: '' })
      : circle.repeat(60)
  await using given = aLearning({ settings: SOON, replies: circles })
  const held = () => given.learning.activity({ filter: 'all', limit: 5 }).held
  const [one, two, three] = [given.aChat(), given.aChat(), given.aChat()]
  for (const chat of [one, two]) {
    given.say(chat, 'pnpm')
    await reviewed(given, chat)
    expect(given.reviews(chat)[0]!.outcome).toBe('The model gave no usable answer.')
  }
  given.say(three, 'pnpm')
  expect(held()).toMatch(/^Reviews with this model are paused, because two in a row/)
  given.model.replies = finds()
  given.learning.review(three)
  await reviewed(given, three)
  given.say(one, 'And npm.')
  await reviewed(given, one, 2)
  expect(held()).toBeNull()
})

test('requesting a review of one chat does not start those of other chats', async () => {
  await using given = aLearning({ settings: { ...SOON, idle_seconds: 3_600 } })
  const [one, two] = [given.aChat(), given.aChat()]
  given.say(one, 'One.')
  given.say(two, 'Two.')
  given.learning.review(two)
  await reviewed(given, two)
  expect(given.reviews(one)).toMatchObject([{ state: 'queued' }])
  expect(given.learning.review(undefined)).toBe(1)
  await reviewed(given, one)
  expect(() => given.learning.review(given.aChat())).toThrow('has no messages yet')
})

test('the same rule is not added twice', async () => {
  await using given = aLearning({
    settings: SOON,
    replies: finds(remember('Uses pnpm.'), remember('Uses pnpm!', 'memory')),
  })
  const chat = given.aChat()
  given.say(chat, 'pnpm')
  await reviewed(given, chat)
  const ids = given.waiting().map(each => each.id)
  expect(ids).toHaveLength(2)
  given.learning.reject(ids.slice(0, 1), true)
  given.learning.reject(ids.slice(1), true)
  expect(given.learning.rules().map(rule => rule.example)).toHaveLength(1)
})

test('learning that is switched off is not looked for in chats', async () => {
  await using given = aLearning({
    settings: SOON,
    mayLearn: ['skills'],
    replies: finds(remember('Uses pnpm.')),
  })
  const chat = given.aChat()
  given.say(chat, 'I use pnpm.')
  await reviewed(given, chat)
  expect(given.engine.prompts).toEqual([])
  given.learning.review(chat)
  await reviewed(given, chat, 2)
  // The model calls it anyway, without having the tool.
  expect(given.waiting()).toEqual([])
  expect(given.engine.prompts.length).toBeGreaterThan(0)
})

const THROUGH = { memory_nudge: 0, skill_nudge: 10, end_turns: 0 }

test('in mode “save” a review may not change a skill that it has not read, and never deletes one', async () => {
  await using given = aLearning({ settings: { ...THROUGH, mode: 'save' } })
  const own = given.editor.create(
    { name: 'haiku', category: '', text: skillText('haiku') },
    { ...AGENT, note: '' },
  )
  if (isRefusal(own)) throw new Error(own.refused)
  const skill = (action: string, more = {}) => ({
    name: 'skill_manage',
    arguments: { action, name: 'haiku', ...more },
  })
  const patch = skill('patch', { old_string: 'Begin.', new_string: 'Begin well.' })
  const view = { name: 'skill_view', arguments: { name: 'haiku' } }
  const chat = given.aChat()
  given.say(chat, 'Write one.')
  given.model.replies = finds(patch)
  given.learning.review(chat)
  await reviewed(given, chat)
  expect(given.library.read(own.id)).toBe(skillText('haiku'))

  given.model.replies = finds(view, skill('delete'))
  given.learning.review(chat)
  await reviewed(given, chat, 2)
  expect(given.library.read(own.id)).toBe(skillText('haiku'))
  expect(given.waiting()).toMatchObject([{ because: 'It would delete a skill.' }])
})

test.for([
  ['bundled', 'bundled', 'It would change a skill that ships with Talaria.'],
  ['imported', 'imported-skills', 'It would change a skill that you imported.'],
])('in mode “save” a review’s change of a skill that is %s waits', async ([, root, because]) => {
  await using given = aLearning({ settings: { ...THROUGH, mode: 'save' } })
  const chat = given.aChat()
  const folder = join(given.store.sessions.get(chat)!.workspace, root!, 'haiku')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'SKILL.md'), skillText('haiku'))
  given.library.changed()
  given.say(chat, 'Write one.')
  const patch = { action: 'patch', name: 'haiku', old_string: 'Begin.', new_string: 'Begin well.' }
  given.model.replies = finds(
    { name: 'skill_view', arguments: { name: 'haiku' } },
    { name: 'skill_manage', arguments: patch },
  )
  given.learning.review(chat)
  await reviewed(given, chat)
  expect(given.waiting()).toMatchObject([{ because, op: 'edit' }])
  expect(given.library.list().map(({ skill }) => skill.isEdited)).toEqual([false])
})

test('a pinned skill is not deleted, may be edited, and no review writes to it or proposes to', async () => {
  await using given = aLearning({ settings: { ...THROUGH, mode: 'save' } })
  const { editor, library } = given
  const by = { ...AGENT, note: '' }
  const { id } = done(editor.create({ name: 'haiku', category: '', text: skillText('haiku') }, by))
  const you = { ...YOU, note: '' }
  expect(editor.setPinned([id], true, by)).toHaveProperty('refused')
  done(editor.setPinned([id], true, you))
  for (const actor of ['you', 'agent', 'review'] as const)
    expect(editor.remove([id], { ...by, actor })).toMatchObject({
      refused: expect.stringContaining('pinned'),
    })
  const edited = skillText('haiku').replace('Begin.', 'Begin at once.')
  done(editor.save({ id, path: 'SKILL.md', text: edited }, by))

  const manage = (args: object) => ({ name: 'skill_manage', arguments: { name: 'haiku', ...args } })
  const chat = given.aChat()
  given.say(chat, 'Write one.')
  given.model.replies = finds(
    { name: 'skill_view', arguments: { name: 'haiku' } },
    manage({ action: 'patch', old_string: 'Begin at once.', new_string: 'Begin well.' }),
    manage({ action: 'write_file', file_path: 'references/a.md', content: 'A.' }),
    manage({ action: 'delete' }),
  )
  given.learning.review(chat)
  await reviewed(given, chat)
  expect(library.read(id)).toBe(edited)
  expect([given.waiting(), library.get(id)?.found.parts.length]).toEqual([[], 1])

  done(editor.setPinned([id], false, you))
  done(editor.remove([id], by))
  expect(library.get(id)).toBeUndefined()
})

test('in mode “save” a review that the user asked for replaces an entry of the agent', async () => {
  await using given = aLearning({ settings: { ...THROUGH, mode: 'save' } })
  given.remember('Has a dog.', AGENT)
  given.model.replies = finds(memory({ action: 'replace', old_text: 'Has a dog', content: 'Has two dogs.' }))
  const chat = given.aChat()
  given.say(chat, 'Now I have two dogs.')
  given.learning.review(chat)
  await reviewed(given, chat)
  expect(given.entries()).toEqual(['Has two dogs.'])
})
