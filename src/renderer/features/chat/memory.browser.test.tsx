import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Fault } from '../../../shared/rpc.ts'
import type { FakeHost } from '../../test/fake-host.ts'
import type { FakeRun } from '../../test/fake-run.ts'
import { aHistory } from '../../test/messages.ts'
import { button, openWindow, say, showApp, transcript } from '../../test/show-app.tsx'

const chips = () => transcript().getByRole('list', { name: 'Changed in memory' })
const card = () => transcript().getByRole('region', { name: /^The answer says that something was saved/ })

/** Let the agent save something in a turn, as the host tells of it. */
function save(host: FakeHost, run: FakeRun, sessionId: string, text: string) {
  const { id } = host.notebook.add({ text, origin: 'agent', sessionId, messageId: run.from })
  const revisions = host.notebook.revisions().filter(revision => revision.entryId === id)
  run.emit({ type: 'memory', revisions: [...revisions] })
  return id
}

async function aTurn(prepare?: (host: FakeHost) => string | void) {
  const host = await showApp(prepare)
  await say('I use pnpm, always.')
  const run = await host.nextRun()
  const sessionId = [...host.sessions.keys()].at(-1)!
  return { host, run, sessionId }
}

test('what was saved is a chip under its turn, with the way back and the way there', async () => {
  const { host, run, sessionId } = await aTurn()
  const entryId = save(host, run, sessionId, 'Prefers pnpm.')
  await expect.element(chips().getByText('Saved: Prefers pnpm.')).toBeVisible()
  run.reply({ text: 'I will keep that in mind.' })
  run.end()
  await button('Undo: Prefers pnpm.').click()
  await expect.element(chips().getByText('Undone: Prefers pnpm.')).toBeVisible()
  expect(host.notebook.entries().filter(entry => entry.archivedAt === null)).toEqual([])
  await button('Redo: Prefers pnpm.').click()
  await expect.element(chips().getByText('Saved: Prefers pnpm.')).toBeVisible()
  expect(host.notebook.entries()[0]).toMatchObject({ text: 'Prefers pnpm.', archivedAt: null })
  await button('View in memory: Prefers pnpm.').click()
  expect(location.hash).toBe(`#chat=${sessionId}&page=memory&entry=${entryId}`)
})

test('the chips are there again when the chat is opened later, with what was undone elsewhere', async () => {
  const host = await showApp(host => {
    const { id } = host.addSession({ id: 'c1', title: 'Tools' }, aHistory(2))
    host.notebook.add({ text: 'Prefers pnpm.', origin: 'agent', sessionId: 'c1', messageId: 1 })
    host.notebook.add({ text: 'Lives in Bergen.', origin: 'agent', sessionId: 'c1', messageId: 3 })
    return id
  })
  await expect.element(chips().first().getByText('Saved: Prefers pnpm.')).toBeVisible()
  await expect.element(chips().nth(1).getByText('Saved: Lives in Bergen.')).toBeVisible()
  await host.link.client['memory.undo']({ revisionIds: [2] })
  await expect.element(chips().nth(1).getByText('Undone: Lives in Bergen.')).toBeVisible()
})

test('a correction and a removal say so', async () => {
  const { run, sessionId } = await aTurn()
  const revision = {
    entryId: 'n1',
    target: 'user',
    project: null,
    actor: 'agent',
    sessionId,
    messageId: run.from,
    reviewId: null,
    at: 0,
    undoes: null,
    undoneBy: null,
  } as const
  run.emit({
    type: 'memory',
    revisions: [
      { ...revision, id: 1, op: 'edit', before: 'Uses npm.', after: 'Uses pnpm.' },
      { ...revision, id: 2, op: 'remove', before: 'Uses yarn.', after: null },
    ],
  })
  await expect.element(chips().getByText('Corrected: Uses pnpm.')).toBeVisible()
  await expect.element(chips().getByTitle('Uses npm. → Uses pnpm.')).toBeVisible()
  await expect.element(chips().getByText('Removed: Uses yarn.')).toBeVisible()
  await expect.element(page.getByTestId('announcer')).toMatchTextContent('Removed: Uses yarn.')
})

test('an undo that is refused says why', async () => {
  const { host, run, sessionId } = await aTurn()
  save(host, run, sessionId, 'Prefers pnpm.')
  host.failNext('memory.undo', new Fault('bad_input', 'This entry is locked.'))
  await button('Undo: Prefers pnpm.').click()
  await expect.element(page.getByText('This entry is locked.')).toBeVisible()
  await expect.element(chips().getByText('Saved: Prefers pnpm.')).toBeVisible()
})

/** An answer that claims to have saved something. */
async function aClaim() {
  const turn = await aTurn()
  turn.run.reply({ text: 'Sure, I saved that to memory.' })
  const messageId = turn.run.last()
  turn.run.emit({
    type: 'unsaved_claim',
    messageId,
    quote: 'I saved that to memory.',
    text: 'The user uses pnpm, always.',
    target: 'user',
  })
  turn.run.end()
  await expect.element(card()).toBeVisible()
  return { ...turn, messageId }
}

test('an empty claim can be made true, in the person’s own words', async () => {
  const { host, sessionId, messageId } = await aClaim()
  await expect.element(card().getByText('“I saved that to memory.”')).toBeVisible()
  const field = card().getByRole('textbox', { name: 'What to save' })
  await expect.element(field).toHaveValue('The user uses pnpm, always.')
  await field.fill('Prefers pnpm.')
  await card().getByText('Notes').click()
  host.failNext('memory.add', new Fault('bad_input', 'Not saved: this would take 700 of 600 characters.'))
  await button('Save it now').click()
  await expect.element(card().getByRole('alert')).toMatchTextContent('Not saved: this would take 700')
  await button('Save it now').click()
  await expect.element(chips().getByText('Saved: Prefers pnpm.')).toBeVisible()
  await expect.element(card()).not.toBeInTheDocument()
  expect(host.asked.findLast(each => each.name === 'memory.add')?.input).toEqual({
    target: 'memory',
    text: 'Prefers pnpm.',
    source: { sessionId, messageId },
  })
})

/** Reload the window, which then hears of the last run again. */
async function reload(host: FakeHost, sessionId: string, lastRunId: string) {
  host.sessions.set(sessionId, { ...host.sessions.get(sessionId)!, lastRunId })
  await openWindow(host)
  await expect.element(transcript().getByText('Sure, I saved that to memory.')).toBeVisible()
}

test('an empty claim is there again after a reload, unless it was waved away', async () => {
  const { host, run, sessionId } = await aClaim()
  await reload(host, sessionId, run.id)
  await expect.element(card()).toBeVisible()
  await button('Dismiss').click()
  await expect.element(card()).not.toBeInTheDocument()
  const watched = () => host.asked.filter(each => each.name === 'run.watch').length
  const before = watched()
  await reload(host, sessionId, run.id)
  await expect.poll(watched).toBe(before + 1)
  await expect.element(card()).not.toBeInTheDocument()
  expect(host.asked.some(each => each.name === 'memory.add')).toBe(false)
})

test('an empty claim of something that memory holds already only says so', async () => {
  const { host } = await aClaim()
  host.notebook.add({ text: 'The user uses pnpm, always.' })
  await button('Save it now').click()
  await expect.element(page.getByText('Memory holds this already.')).toBeVisible()
  await expect.element(card()).not.toBeInTheDocument()
})
