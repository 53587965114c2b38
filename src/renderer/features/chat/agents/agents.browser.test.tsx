import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessibleAt } from '../../../test/accessible.ts'
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
  await expect.element(question()).toMatchTextContent(/worker 2: Run a command/)
  await expect.element(transcript().getByText('asks you')).toBeVisible()
  await expectAccessibleAt(1_280, 420)
  await question()
    .getByRole('button', { name: /Allow once/ })
    .click()
  const next = await host.nextAsked()
  expect(next.body.messages.at(-1)?.content).toMatch(/^exit code 0/)
  await button('Stop only worker 1').click()
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
  await expect.element(page.getByText(/^This sub-agent works for /)).toBeVisible()
  await expect.element(transcript().getByText('It is that day.')).toBeVisible()
  await expectAccessibleAt(420, 1_280)
  expect(button('Edit message').query()).toBeNull()
  expect(button('Edit answer').query()).toBeNull()
  await expect.element(composer()).toHaveAttribute('placeholder', 'Message this sub-agent')
  await say('And the month?')
  const told = await host.nextAsked()
  expect(told.text).toBe('And the month?')
  await told.say('November.')
  await expect.element(transcript().getByText('November.')).toBeVisible()
  await button('Back to that chat').click()
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
  await expect.element(transcript().getByText('answered without looking at anything').first()).toBeVisible()
  await expect.element(transcript().getByText('answered without looking at anything').nth(1)).toBeVisible()
  await expect.element(card).not.toBeInTheDocument()
  await composer().clear()
  await expect.element(card).toMatchTextContent(/2 sub-agents have ended/)
  await expectAccessibleAt(420, 1_280)
  await composer().fill('And?')
  await userEvent.keyboard('{Enter}')
  const next = await host.nextAsked()
  expect(next.text).toContain('The sub-agent worker 1 has ended its turn')
  expect(next.text.endsWith('And?')).toBe(true)
  await next.say('Both are ready.')
  await expect.element(transcript().getByText('Both are ready.')).toBeVisible()
  await expect.element(card).not.toBeInTheDocument()
})

test('sub-agents in the background stand above the message field, are opened there, and stop alone or all together', async () => {
  const host = await twoAgents({ background: true })
  const all = [await host.nextAsked(), await host.nextAsked(), await host.nextAsked()]
  const of = (goal: string) => all.find(({ text }) => text.includes(goal))!
  await of('Do both').say('They work.')
  const strip = page.getByRole('region', { name: 'Sub-agents in the background' })
  await of('Read the notes').write(
    'I read the first page of all the notes, which say a lot about the garden.',
  )
  await expect.element(strip).toMatchTextContent(/2 sub-agents are working in the background/)
  await expect.element(strip.getByText(/^I read the first page/)).toBeVisible()
  await expectAccessibleAt(1_280, 420)
  for (const width of [420, 1_280]) {
    await page.viewport(width, 800)
    // The stop buttons at the ends of the lines are in view.
    const list = strip.getByRole('list').element()
    expect(list.scrollWidth).toBe(list.clientWidth)
  }
  await of('Run the tests').call('terminal', { command: 'date +%A' })
  await of('Run the tests').end()
  // Its question is answered here, and nothing else says that it is asking.
  await expect.element(question()).toMatchTextContent(/worker 2: Run a command/)
  await expect.element(strip).not.toMatchTextContent('asks you')
  expect(transcript().element().textContent).not.toContain('asks you')
  await question().getByRole('button', { name: 'Deny', exact: true }).click()
  const denied = await host.nextAsked()
  await expect.element(question()).not.toBeInTheDocument()
  await strip.getByRole('button', { name: 'Stop all' }).click()
  await expect.element(strip).not.toBeInTheDocument()
  await expect.element(transcript().getByText('stopped').nth(1)).toBeVisible()
  const report = page.getByRole('region', { name: 'Sub-agents have ended' })
  await expect.element(report).toMatchTextContent(/worker 1 \(stopped\) I read the first page/)
  await expect.poll(() => denied.isCut()).toBe(true)
})
