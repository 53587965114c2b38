import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Asked } from '../../../test/model-script.ts'
import { button, composer, say, showWindow, transcript } from '../../../test/show-window.tsx'

/** A chat whose model delegates two tasks; returns the first requests of both sub-agents, by their goal. */
async function twoAgents(more: Record<string, unknown> = {}) {
  const host = await showWindow()
  await say('Do both')
  const asked = await host.nextAsked()
  await asked.call('delegate', { goal: 'Read the notes', ...more })
  await asked.call('delegate', { goal: 'Run the tests', ...more })
  await asked.end()
  return host
}

/** The next requests of the sub-agents, by goal. */
async function agentsOf(host: { nextAsked(): Promise<Asked> }): Promise<{ notes: Asked; tests: Asked }> {
  const both = [await host.nextAsked(), await host.nextAsked()]
  const of = (goal: string) => both.find(({ text }) => text.includes(goal))!
  return { notes: of('Read the notes'), tests: of('Run the tests') }
}
const question = () => page.getByRole('region', { name: 'A question for you' })

test('sub-agents are cards with a live line; one asks in the chat, the other is stopped alone and opened', async () => {
  const host = await twoAgents()
  const { notes, tests } = await agentsOf(host)
  await notes.write('I read the first page.')
  await expect.element(transcript().getByText('I read the first page.')).toBeVisible()
  await tests.call('terminal', { command: 'date +%A' })
  await tests.end()
  await expect.element(question()).toMatchTextContent(/worker 2: Run a command in /)
  await expect.element(transcript().getByText('asks you')).toBeVisible()
  await question()
    .getByRole('button', { name: /Allow once/ })
    .click()
  const next = await host.nextAsked()
  expect(next.body.messages.at(-1)?.content).toMatch(/^exit code 0/)
  await button('Stop worker 1 alone').click()
  await expect.element(transcript().getByText('stopped')).toBeVisible()
  await next.say('It is that day.')
  const parent = await host.nextAsked()
  const results = parent.body.messages
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content))
  expect(results[0]).toContain('The sub-agent worker 1 was stopped')
  expect(results[1]).toContain('“date +%A” → exit code 0')
  await parent.say('One was stopped.')

  await button('Open the chat of worker 2').click()
  await expect.element(page.getByText(/^Works for /)).toBeVisible()
  await expect.element(transcript().getByText('It is that day.')).toBeVisible()
  expect(button('Edit message').query()).toBeNull()
  expect(button('Edit answer').query()).toBeNull()
  await expect.element(composer()).toHaveAttribute('placeholder', 'Tell it …')
  await say('And the month?')
  const told = await host.nextAsked()
  expect(told.text).toBe('And the month?')
  await told.say('November.')
  await expect.element(transcript().getByText('November.')).toBeVisible()
  await button('Back to it').click()
  await expect.element(transcript().getByText('One was stopped.')).toBeVisible()
})

test('results of the background wait on a card while something is written, and go along with the next message', async () => {
  const host = await twoAgents({ background: true })
  const all = [await host.nextAsked(), await host.nextAsked(), await host.nextAsked()]
  const chat = all.find(({ text }) => text === 'Do both')!
  await chat.say('They work.')
  await composer().fill('I am still writing')
  for (const agent of all.filter(each => each !== chat)) await agent.say('Ready.')
  const card = page.getByRole('region', { name: 'Sub-agents have ended' })
  await expect.element(transcript().getByText('answered').first()).toBeVisible()
  await expect.element(transcript().getByText('answered').nth(1)).toBeVisible()
  await expect.element(card).not.toBeInTheDocument()
  await composer().clear()
  await expect.element(card).toMatchTextContent(/2 sub-agents have ended/)
  await composer().fill('And?')
  await userEvent.keyboard('{Enter}')
  const next = await host.nextAsked()
  expect(next.text).toContain('The sub-agent worker 1 has ended its turn')
  expect(next.text.endsWith('And?')).toBe(true)
  await next.say('Both are ready.')
  await expect.element(transcript().getByText('Both are ready.')).toBeVisible()
  await expect.element(card).not.toBeInTheDocument()
})
