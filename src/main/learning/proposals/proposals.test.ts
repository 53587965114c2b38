import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Message } from '../../../shared/contract/chats/messages.ts'
import { aCandidate, aLearning, aReview, skillText, YOU } from '../../../../testing/learning/a-learning.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { createProposals, type Proposals } from './proposals.ts'

let given: ReturnType<typeof aLearning>
let proposals: Proposals
const review = aReview({ sessionId: 'chat' })
beforeEach(() => {
  given = aLearning()
  proposals = createProposals({ ...given, store: given.store.learning })
  given.store.learning.putReview(review)
})
afterEach(() => given[Symbol.asyncDispose]())

const fault = (code: string) => expect.objectContaining({ code }) as unknown
const said = (id: number, text: string): Message => ({ role: 'user', id, sessionId: 'chat', at: 1, text })
const add = (candidate: ReturnType<typeof aCandidate>, messages: Message[] = [], by = review) => {
  const row = proposals.add(candidate, by, messages)
  if (!row) throw new Error('It lies there already.')
  return row
}
const anAddition = (text: string) => aCandidate({ kind: 'memory.add', target: 'user', project: null, text })
const anEdit = (id: string, before: string, text: string) =>
  aCandidate({ kind: 'memory.edit', id, text }, before)
const aSkill = (steps?: string[]) => {
  const outcome = given.editor.create(
    { name: 'triage', category: '', text: skillText('triage', steps) },
    { ...YOU, note: '' },
  )
  if (isRefusal(outcome)) throw new Error(outcome.refused)
  return outcome.id
}
const aPatch = (id: string, from: string, to: string) => {
  const before = given.library.read(id)!
  const text = before.replace(from, to)
  return {
    ...aCandidate({ kind: 'skill.save', id, path: 'SKILL.md', text, despite: false }, before),
    place: 'triage',
  }
}
const stateOf = (id: string) => given.store.learning.proposal(id)!.state

test('if no sentence shares a word with it, the nearest one is shown, marked, and is no source', () => {
  const row = add(anAddition('Fährt gern Fahrrad.'), [
    said(3, 'Hello there.'),
    said(4, 'Bring my fahrradkette home. Fine.'),
    said(5, ''),
  ])
  expect(proposals.shown(row).evidence).toEqual([
    { messageId: 4, quote: 'Bring my fahrradkette home.', nearest: true },
  ])
  const { memoryRevisions } = proposals.accept([row.id])
  expect(given.store.memory.revision(memoryRevisions[0]!)).toMatchObject({ messageId: null })
  expect(add(anAddition('Uses pnpm.')).evidence).toEqual([])
})

test('a kept addition is saved with its evidence', () => {
  const row = add(anAddition('Uses pnpm.'), [said(3, 'Hello.'), said(4, 'I use pnpm. Always.')])
  expect(proposals.shown(row)).toMatchObject({
    state: 'open',
    op: 'add',
    changed: null,
    evidence: [{ messageId: 4, quote: 'I use pnpm.' }],
  })
  const { memoryRevisions } = proposals.accept([row.id])
  expect(given.store.memory.revision(memoryRevisions[0]!)).toMatchObject({
    actor: 'review',
    reviewId: review.id,
    sessionId: 'chat',
    messageId: 4,
  })
  expect(given.entries()).toEqual(['Uses pnpm.'])
  expect(given.store.learning.proposal(row.id)).toMatchObject({ state: 'kept', memoryRevisions })
  // A double click accepts it once.
  expect(proposals.accept([row.id])).toEqual({ memoryRevisions: [], skillRevisions: [] })
})

test('an entry kept in the user’s words belongs to the user', () => {
  const row = add(anAddition('Uses pnpm.'))
  proposals.accept([row.id], 'Uses pnpm 9.')
  expect(given.memory.view().entries).toMatchObject([{ text: 'Uses pnpm 9.', origin: 'you' }])
  expect(given.store.learning.proposal(row.id)).toMatchObject({ after: 'Uses pnpm 9.', state: 'kept' })
})

test('only a single proposal with text can be reworded', () => {
  const id = given.remember('Lives in Basel.')
  const [one, two] = [
    add(anAddition('A.')),
    add(aCandidate({ kind: 'memory.remove', id }, 'Lives in Basel.')),
  ]
  expect(() => proposals.accept([one.id, two.id], 'B.')).toThrow(fault('bad_input'))
  expect(() => proposals.accept([two.id], 'B.')).toThrow(fault('bad_input'))
  expect(given.entries()).toEqual(['Lives in Basel.'])
})

test('the same text is proposed once, ignoring case; another word order is another proposal', () => {
  add(anAddition('Prefers tea to coffee.'))
  expect(proposals.add(anAddition('prefers tea  to coffee'), review, [])).toBe(false)
  expect(proposals.add(anAddition('Prefers coffee to tea.'), review, [])).not.toBe(false)
  expect(proposals.add(anAddition('Writes C++.'), review, [])).not.toBe(false)
  expect(proposals.add(anAddition('Writes C.'), review, [])).not.toBe(false)
})

test('a change whose target has changed says so, cannot be kept, and can be compared again', () => {
  const id = given.remember('Lives in Basel.')
  const row = add(anEdit(id, 'Lives in Basel.', 'Lives in Bern.'))
  given.memory.change([{ kind: 'edit', id, text: 'Lives in Biel.' }], YOU)
  expect(proposals.shown(row).changed).toBe('Lives in Biel.')
  expect(() => proposals.accept([row.id])).toThrow(fault('conflict'))
  expect(given.entries()).toEqual(['Lives in Biel.'])
  expect(proposals.compareAgain(row.id)).toMatchObject({
    before: 'Lives in Biel.',
    after: 'Lives in Bern.',
    changed: null,
  })
  proposals.accept([row.id])
  expect(given.entries()).toEqual(['Lives in Bern.'])
})

test('a change whose target is gone says so, and is dropped when it is compared', () => {
  const id = given.remember('Lives in Basel.')
  const row = add(anEdit(id, 'Lives in Basel.', 'Lives in Bern.'))
  given.memory.change([{ kind: 'remove', id }], YOU)
  expect(proposals.shown(row).changed).toBe('')
  expect(() => proposals.compareAgain(row.id)).toThrow(fault('conflict'))
  expect(stateOf(row.id)).toBe('dropped')
})

test('several proposals are kept one by one, and one that fails does not block the others', () => {
  const id = given.remember('Lives in Basel.')
  const rows = [
    add(anAddition('A.')),
    add(anEdit(id, 'Lives in Basel.', 'Lives in Bern.')),
    add(anAddition('B.')),
  ]
  given.memory.change([{ kind: 'edit', id, text: 'Lives in Biel.' }], YOU)
  expect(() => proposals.accept(rows.map(row => row.id))).toThrow(/1 of 3 were not kept/)
  expect(given.entries().toSorted()).toEqual(['A.', 'B.', 'Lives in Biel.'])
  expect(rows.map(row => stateOf(row.id))).toEqual(['kept', 'open', 'kept'])
})

test('two edits of one entry by the same review are one proposal with the later text', () => {
  const id = given.remember('Lives in Basel.')
  const first = add(anEdit(id, 'Lives in Basel.', 'Lives in Bern.'))
  const second = add(anEdit(id, 'Lives in Basel.', 'Lives in Biel.'))
  expect(second.id).toBe(first.id)
  proposals.accept([first.id])
  expect(given.entries()).toEqual(['Lives in Biel.'])
})

test('a proposal that its review put into other words after it was shown is not kept', () => {
  const id = given.remember('Lives in Basel.')
  const first = add(anEdit(id, 'Lives in Basel.', 'Lives in Bern.'))
  const seenOf = () => ({ [first.id]: proposals.shown(given.store.learning.proposal(first.id)!).seen })
  const seen = seenOf()
  add(anEdit(id, 'Lives in Basel.', 'Lives in Biel.'))
  expect(() => proposals.accept([first.id], undefined, seen)).toThrow(fault('conflict'))
  expect([given.entries(), stateOf(first.id)]).toEqual([['Lives in Basel.'], 'open'])
  proposals.accept([first.id], undefined, seenOf())
  expect(given.entries()).toEqual(['Lives in Biel.'])
})

test('two changes of a skill by one review are one proposal with both', () => {
  const id = aSkill(['List the issues.', 'Group them.'])
  const first = add(aPatch(id, 'List the issues.', 'List the issues and discussions.'))
  const second = add(aPatch(id, 'Group them.', 'Group them by age.'))
  expect(second.id).toBe(first.id)
  proposals.accept([first.id])
  expect(given.library.read(id)).toBe(
    skillText('triage', ['List the issues and discussions.', 'Group them by age.']),
  )
})

test('comparing again keeps the lines that the user changed in a skill meanwhile', () => {
  const id = aSkill(['List the issues.', 'Group them.'])
  const row = add(aPatch(id, 'List the issues.', 'List the issues and discussions.'))
  const before = given.library.read(id)!
  given.editor.save(
    { id, path: 'SKILL.md', text: before.replace('Group them.', 'Group them by age.') },
    { ...YOU, note: '' },
  )
  expect(() => proposals.accept([row.id])).toThrow(fault('conflict'))
  proposals.compareAgain(row.id)
  proposals.accept([row.id])
  expect(given.library.read(id)).toBe(
    skillText('triage', ['List the issues and discussions.', 'Group them by age.']),
  )
})

test('a change to lines that the user changed meanwhile cannot be merged', () => {
  const id = aSkill(['List the issues.', 'Group them.'])
  const row = add(aPatch(id, 'List the issues.', 'List the issues and discussions.'))
  const text = given.library.read(id)!.replace('List the issues.', 'List nothing.')
  given.editor.save({ id, path: 'SKILL.md', text }, { ...YOU, note: '' })
  expect(() => proposals.compareAgain(row.id)).toThrow(/cannot be merged/)
  expect(stateOf(row.id)).toBe('open')
  expect(given.library.read(id)).toBe(text)
})

test('a new skill is proposed once, and keeping the proposal writes it', () => {
  const create = (text: string) => ({
    ...aCandidate({ kind: 'skill.create', name: 'haiku', category: '', text, despite: false }),
    place: 'haiku',
    headline: 'New skill “haiku”: Does haiku.',
  })
  const row = add(create(skillText('haiku')))
  expect(proposals.add(create(skillText('haiku', ['Other.'])), review, [])).toBe(false)
  proposals.accept([row.id])
  expect(given.library.read('own/haiku')).toBe(skillText('haiku'))
})

test('a quote from another agent has no message id', () => {
  const row = add(anAddition('Uses pnpm.'), [said(4, 'I use pnpm.')], aReview({ id: 'r2', sessionId: null }))
  expect(row.evidence).toEqual([{ messageId: null, quote: 'I use pnpm.' }])
})

test('a proposal is stale after thirty days, and a rejected one is no longer open', () => {
  const row = add(anAddition('Uses pnpm.'))
  given.later(31 * 24 * 60 * 60_000)
  expect(proposals.shown(row).isStale).toBe(true)
  expect(proposals.reject([row.id])).toHaveLength(1)
  expect(proposals.reject([row.id])).toEqual([])
  expect(() => proposals.reject(['none'])).toThrow(fault('not_found'))
})

test('a skill waits with a line that says what it is; kept it is written, rejected it is not', () => {
  const [kept, rejected] = ['haiku', 'ballad'].map(name =>
    add({
      ...aCandidate({ kind: 'skill.create', name, category: '', text: skillText(name), despite: false }),
      place: name,
      headline: `New skill “${name}”`,
    }),
  )
  expect(proposals.shown(kept!)).toMatchObject({ state: 'open', headline: 'New skill “haiku”' })
  proposals.accept([kept!.id])
  proposals.reject([rejected!.id])
  expect(given.library.list().map(({ skill }) => skill.name)).toEqual(['haiku'])
})
