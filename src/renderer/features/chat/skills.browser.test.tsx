import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Fault } from '../../../shared/rpc.ts'
import type { FakeHost } from '../../test/fake-host.ts'
import { aSkillText } from '../../test/fake-skill.ts'
import type { FakeRun } from '../../test/fake-run.ts'
import { aReply, aResult, aUserMessage } from '../../test/messages.ts'
import { button, composer, openWindow, say, showApp, transcript } from '../../test/show-app.tsx'

const chips = () => transcript().getByRole('list', { name: 'Skills in this turn' })
const view = (name: string) => button(`View the skill ${name}`)
const viewing = { name: 'skill_view', arguments: { name: 'tidy-csv' } }

/** A chat whose turn the agent is in the middle of, as message 1 began it; its changes of skills belong there. */
async function aTurn(prepare: (host: FakeHost) => void = () => {}) {
  const host = await showApp(host => {
    prepare(host)
    return host.addSession({ id: 'c1', title: 'Prices' }, [
      aUserMessage({ id: 1, text: 'Clean up prices.csv' }),
    ]).id
  })
  await say('Go on')
  const run = await host.nextRun()
  return { host, run }
}

/** Tell the window of the newest change, as the run does. */
const tell = (host: FakeHost, run: FakeRun) =>
  run.emit({ type: 'skills', revisions: [structuredClone(host.skills.revisions().at(-1)!)] })

test('a skill that was written is a chip under its turn, with the way back and the way there', async () => {
  const { host, run } = await aTurn()
  host.skills.add({ name: 'tidy-csv', origin: 'agent' })
  tell(host, run)
  await expect.element(chips().getByText('Skill created: tidy-csv')).toBeVisible()
  await expect.element(page.getByTestId('announcer')).toMatchTextContent('Skill created: tidy-csv')
  run.reply({ text: 'I wrote it down.' })
  run.end()
  await button('Undo: Skill created: tidy-csv').click()
  await expect.element(chips().getByText('Undone: tidy-csv')).toBeVisible()
  await expect.element(view('tidy-csv')).not.toBeInTheDocument()
  expect(host.skills.list()).toEqual([])
  await button('Redo: Skill created: tidy-csv').click()
  await expect.element(chips().getByText('Skill created: tidy-csv')).toBeVisible()
  expect(host.skills.list().map(skill => skill.id)).toEqual(['own/tidy-csv'])
  await view('tidy-csv').click()
  expect(location.hash).toBe('#chat=c1&page=skills&skill=own%2Ftidy-csv')
})

test('a change of a skill says how much changed, and opens to show it line by line', async () => {
  const { host, run } = await aTurn(host =>
    host.skills.add({ name: 'tidy-csv', origin: 'builtin', body: 'Sort it.\nStop.' }),
  )
  const text = aSkillText({ name: 'tidy-csv' }, 'Sort it by date.\nCount the rows.\nStop.')
  host.skills.change('bundled/tidy-csv', text)
  tell(host, run)
  await expect.element(chips().getByText('Skill changed: tidy-csv')).toBeVisible()
  const what = button('What changed in tidy-csv: +2 −1')
  await what.click()
  await expect.element(what).toHaveAttribute('aria-expanded', 'true')
  const inserted = () => [...chips().element().querySelectorAll('ins')].map(each => each.textContent).join('')
  expect(inserted()).toContain('Count the rows.')
  await what.click()
  expect(inserted()).toBe('')
  // The first change made a copy, and that is where it leads.
  await view('tidy-csv').click()
  expect(location.hash).toContain('skill=own%2Ftidy-csv')
})

test('a note says what changed in words, and a file that is no text shows none', async () => {
  const { host, run } = await aTurn(host => host.skills.add({ name: 'tidy-csv' }))
  host.skills.change('own/tidy-csv', 'x', { note: 'Say which column', path: 'references/notes.md' })
  const revision = structuredClone(host.skills.revisions().at(-1)!)
  revision.files.push({ path: 'assets/logo.png', before: null, after: null, binary: true })
  run.emit({ type: 'skills', revisions: [revision] })
  await button('What changed in tidy-csv: Say which column').click()
  await expect.element(chips().getByText('references/notes.md')).toBeVisible()
  await expect.element(chips().getByText('assets/logo.png')).toBeVisible()
  await expect.element(chips().getByText(/This file is no text/)).toBeVisible()
})

test('a skill that was deleted can be brought back, and has nothing to view', async () => {
  const { host, run } = await aTurn(host => host.skills.add({ name: 'tidy-csv' }))
  host.skills.remove('own/tidy-csv')
  tell(host, run)
  await expect.element(chips().getByText('Skill deleted: tidy-csv')).toBeVisible()
  await expect.element(view('tidy-csv')).not.toBeInTheDocument()
  await button('Undo: Skill deleted: tidy-csv').click()
  await expect.element(view('tidy-csv')).toBeVisible()
})

test('the chips are there again after a reload, with what was undone elsewhere', async () => {
  const host = await showApp(host => {
    const { id } = host.addSession({ id: 'c1' }, [aUserMessage({ id: 1 }), aReply({ id: 2 })])
    host.skills.add({ name: 'tidy-csv', origin: 'agent' })
    return id
  })
  await expect.element(chips().getByText('Skill created: tidy-csv')).toBeVisible()
  await openWindow(host)
  await expect.element(chips().getByText('Skill created: tidy-csv')).toBeVisible()
  await host.link.client['skills.undo']({ revisionIds: [1] })
  await expect.element(chips().getByText('Undone: tidy-csv')).toBeVisible()
})

test('an undo that is refused says why', async () => {
  const { host, run } = await aTurn()
  host.skills.add({ name: 'tidy-csv', origin: 'agent' })
  tell(host, run)
  host.failNext('skills.undo', new Fault('conflict', 'The skill was changed since.'))
  await button('Undo: Skill created: tidy-csv').click()
  await expect.element(page.getByText('The skill was changed since.')).toBeVisible()
  await expect.element(chips().getByText('Skill created: tidy-csv')).toBeVisible()
})

test('a skill that was used is told once, quietly, and leads to it', async () => {
  const { host, run } = await aTurn(host => host.skills.add({ name: 'tidy-csv', origin: 'builtin' }))
  run.emit({ type: 'skill_used', id: 'bundled/tidy-csv', name: 'tidy-csv' })
  run.emit({ type: 'skill_used', id: 'bundled/tidy-csv', name: 'tidy-csv' })
  const used = chips().getByRole('button', { name: 'Used the skill tidy-csv' })
  await expect.element(page.getByTestId('announcer')).toMatchTextContent('Used the skill tidy-csv')
  await expect.poll(() => used.elements()).toHaveLength(1)
  host.skills.remove('bundled/tidy-csv')
  await expect.element(used).not.toBeInTheDocument()
  await expect.element(chips().getByText('Used the skill tidy-csv')).toBeVisible()
  host.skills.add({ name: 'tidy-csv', origin: 'builtin' })
  await used.click()
  expect(location.hash).toContain('skill=bundled%2Ftidy-csv')
})

test('of turns long ago the stored calls tell which skills were used', async () => {
  const call = (id: string) => ({ ...viewing, id })
  await showApp(host => {
    host.skills.add({ name: 'tidy-csv', origin: 'builtin' })
    return host.addSession({}, [
      aUserMessage({ id: 1 }),
      aReply({ id: 2, text: '', calls: [call('a'), call('b')] }),
      aResult({ id: 3, callId: 'a', name: 'skill_view' }),
      aResult({ id: 4, callId: 'b', name: 'skill_view' }),
      aReply({ id: 5 }),
      aUserMessage({ id: 6 }),
      aReply({ id: 7, text: '', calls: [call('a')] }),
      aResult({ id: 8, callId: 'a', name: 'skill_view', ok: false }),
      aReply({ id: 9 }),
    ]).id
  })
  const used = transcript().getByRole('button', { name: 'Used the skill tidy-csv' })
  await expect.poll(() => used.elements()).toHaveLength(1)
  await expect.element(button(/^Read the skill tidy-csv/).first()).toBeVisible()
})

test('an answer can be made a skill of: the request is written, beside what was written already, and not sent', async () => {
  const host = await showApp(
    host =>
      host.addSession({ draft: 'And then?' }, [
        aUserMessage({ id: 1, text: 'Clean up\n prices.csv' }),
        aReply({ id: 2 }),
        aUserMessage({ id: 3, text: 'Thanks' }),
        aReply({ id: 4 }),
      ]).id,
  )
  await button('Make a skill of this').first().click()
  const request = 'Make a skill of what we did here: “Clean up prices.csv”.'
  await expect
    .poll(() => (composer().element() as HTMLTextAreaElement).value)
    .toMatch(new RegExp(`^And then\\?\n\n${request}`))
  await expect.element(composer()).toHaveFocus()
  await userEvent.keyboard('Call it tidy-csv.')
  expect((composer().element() as HTMLTextAreaElement).value).toMatch(/Call it tidy-csv\.$/)
  expect(host.asked.some(each => each.name === 'chat.send')).toBe(false)
})

test('when the agent may not write skills, an answer says so and leads to the switch', async () => {
  const host = await showApp(host => host.addSession({}, [aUserMessage(), aReply()]).id)
  await host.link.client['skills.setSwitches']({ learnFromChats: false })
  await button('Make a skill of this').click()
  await expect.element(page.getByText('The agent may not write skills at the moment.')).toBeVisible()
  await expect.element(composer()).toHaveValue('')
  await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Skills' }).click()
  expect(location.hash).toContain('page=skills')
})

const card = () => page.getByRole('region', { name: 'A question for you' })
const detail = () => card().element().querySelector('pre')!

/** A question about a skill, whose text is longer than there is room. */
async function aQuestion(text: string) {
  const { run } = await aTurn()
  const call = { id: 'a', name: 'skill_manage', arguments: { action: 'patch', name: 'tidy-csv' } }
  run.reply({ text: '', calls: [call] })
  run.call(call, 'Change the skill “tidy-csv”')
  void run.ask({
    callId: 'a',
    tool: 'skill_manage',
    title: 'Change the skill “tidy-csv”',
    detail: text,
    reason: 'The security scan calls this dangerous. SKILL.md, line 4: It sends keys away.',
    risk: 'write',
  })
  await expect.element(card()).toBeVisible()
}

test.for([
  [1280, 800],
  [420, 700],
] as const)(
  'a question about a skill shows all of a change, and its buttons, at %i×%i',
  async ([width, height]) => {
    await page.viewport(width, height)
    const lines = Array.from({ length: 200 }, (_, index) => `+Step ${index}`)
    await aQuestion(['@@ -1,2 +1,201 @@', ' Intro', '-Old', ...lines].join('\n'))
    await expect.element(card().getByText('What would change')).toBeVisible()
    expect(detail().querySelectorAll('.diff-added')).toHaveLength(200)
    expect(detail().querySelectorAll('.diff-removed')).toHaveLength(1)
    expect(getComputedStyle(detail()).fontFamily).toMatch(/mono/i)
    expect(detail().scrollHeight).toBeGreaterThan(detail().clientHeight)
    expect(detail().clientHeight).toBeGreaterThan(100)
    await expect.element(card().getByText(/It sends keys away/)).toBeInViewport({ ratio: 1 })
    await expect.element(button('Allow once')).toBeInViewport({ ratio: 1 })
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  },
)

test('a new skill is a text, whatever it quotes', async () => {
  await aQuestion(aSkillText({ name: 'tidy-csv' }, '- Look for this:\n\n```\n@@ -1 +1 @@\n-a\n+b\n```'))
  await expect.element(card().getByText('What it says')).toBeVisible()
  expect(detail().textContent).toContain('name: tidy-csv')
  expect(detail().querySelectorAll('.diff-added, .diff-removed')).toHaveLength(0)
})

test('a question about little takes little room', async () => {
  await aQuestion('@@ -1 +1 @@\n-Old\n+New')
  expect(detail().clientHeight).toBeLessThan(80)
  expect(card().element().clientHeight).toBeLessThan(260)
})
