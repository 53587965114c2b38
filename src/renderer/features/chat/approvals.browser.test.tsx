import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { FakeRun } from '../../test/fake-run.ts'
import { button, composer, say, showApp, transcript } from '../../test/show-app.tsx'

const command = { id: 'call-1', name: 'terminal', arguments: { command: 'date' } }

/** A run that has got as far as its question. */
async function aQuestion(given: Partial<Parameters<FakeRun['ask']>[0]> = {}) {
  const host = await showApp()
  await say('Run date')
  const run = await host.nextRun()
  run.reply({ text: 'I run it.', calls: [command] })
  run.call(command, 'Run date')
  const decision = run.ask({ callId: 'call-1', title: 'Run date in ~/notes', detail: 'date +%A', ...given })
  await expect.element(card()).toBeVisible()
  return { host, run, decision }
}
const card = () => page.getByRole('region', { name: 'A question for you' })

test('a question shows exactly what would run, where and why, in the transcript and above the message field', async () => {
  await aQuestion({ folder: '/home/ada/notes', reason: 'Commands ask first.' })
  await expect.element(card()).toMatchTextContent('Run date in ~/notes')
  await expect.element(card()).toMatchTextContent('date +%A')
  await expect.element(card()).toMatchTextContent('/home/ada/notes')
  await expect.element(card()).toMatchTextContent('Commands ask first.')
  await button('Run date Waiting for your answer').click()
  await expect.element(transcript().getByText('date +%A')).toBeVisible()
})

test.for([
  ['{Enter}', 'once'],
  ['{Control>}{Enter}{/Control}', 'chat'],
  ['{Escape}', 'deny'],
] as const)('on the question %s means %s', async ([keys, expected]) => {
  const { run, decision } = await aQuestion()
  await userEvent.keyboard('{Control>}j{/Control}')
  await expect.element(card()).toHaveFocus()
  await userEvent.keyboard(keys)
  expect(await decision).toBe(expected)
  expect(run.stopped.aborted).toBe(false)
  await expect.element(card()).not.toBeInTheDocument()
  await expect.element(composer()).toHaveFocus()
})

test('a question takes neither the focus nor the keys of whoever is writing', async () => {
  const { host } = await aQuestion()
  await expect.element(composer()).toHaveFocus()
  await say('And then list the files')
  expect(host.asked.some(each => each.name === 'run.approve')).toBe(false)
  await expect.element(card()).toBeVisible()
})

test('a call that may not be allowed for the whole chat has no such button and no such key', async () => {
  const { host } = await aQuestion({ mayAllowInChat: false })
  await expect.element(button('Allow in this chat')).not.toBeInTheDocument()
  await userEvent.keyboard('{Control>}j{/Control}{Control>}{Enter}{/Control}')
  expect(host.asked.some(each => each.name === 'run.approve')).toBe(false)
})

test('several questions come one at a time', async () => {
  const { run, decision } = await aQuestion()
  const second = run.ask({ callId: 'call-2', title: 'Run ls', detail: 'ls' })
  await expect.element(card()).toMatchTextContent('1 of 2')
  await button('Deny').click()
  expect(await decision).toBe('deny')
  await expect.element(card()).toMatchTextContent('Run ls')
  await button('Allow once').click()
  expect(await second).toBe('once')
})

test('a denial can say why', async () => {
  const { host, decision } = await aQuestion()
  await button('Deny and explain…').click()
  await page.getByRole('textbox', { name: 'What should it do instead?' }).fill('Use UTC')
  await userEvent.keyboard('{Enter}')
  expect(await decision).toBe('deny')
  expect(host.asked.find(each => each.name === 'run.approve')?.input).toMatchObject({ note: 'Use UTC' })
})

test('a denied call is not shown as a failure', async () => {
  const { run } = await aQuestion()
  await button('Deny').click()
  run.result({
    callId: 'call-1',
    ok: false,
    text: 'Error: The user denied this call.',
    allowed: 'denied by you',
  })
  await expect.element(button('Run date Denied')).toBeVisible()
})

test('the list of chats and the title of the window say that a question waits', async () => {
  const { decision } = await aQuestion()
  await expect.element(button(/^Run date waits for your answer/)).toBeVisible()
  await expect.poll(() => document.title).toBe('● Run date – Talaria')
  await button('Allow once').click()
  await decision
  await expect.poll(() => document.title).toBe('Run date – Talaria')
})
