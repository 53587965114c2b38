import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessible.ts'
import { button, composer, say, showWindow, transcript } from '../../../test/show-window.tsx'

const question = { question: 'Which colour shall it be?', choices: ['red', 'blue'] }
const card = () => page.getByRole('region', { name: 'A question for you' })
const plan = () => page.getByRole('region', { name: 'Plan' })

async function aQuestion(given: Record<string, unknown> = question) {
  const host = await showWindow()
  await say('Paint it')
  const asked = await host.nextAsked()
  await asked.call('ask_user', given)
  await asked.end()
  await expect.element(card()).toBeVisible()
  /** The answer as the model reads it. */
  const told = async () => (await host.nextAsked()).body.messages.at(-1)?.content
  return { told }
}

test.for(['click', 'key'] as const)('a choice of a question is answered by %s', async how => {
  const { told } = await aQuestion()
  await expect.element(card()).toMatchTextContent('Which colour shall it be?')
  if (how === 'click') await card().getByRole('button', { name: 'blue' }).click()
  else {
    await userEvent.keyboard('{Control>}j{/Control}')
    await expect.element(card()).toHaveFocus()
    await userEvent.keyboard('2')
  }
  expect(await told()).toBe('The user answers: blue')
  await expect.element(card()).not.toBeInTheDocument()
})

test('a question is answered in own words, and digits in them choose nothing', async () => {
  const { told } = await aQuestion()
  await page.getByRole('textbox', { name: 'Or in your own words' }).fill('2 parts red, 1 part blue')
  await expectAccessible()
  await userEvent.keyboard('{Enter}')
  expect(await told()).toBe('The user answers: 2 parts red, 1 part blue')
  await expect.element(composer()).toHaveFocus()
})

test('a question need not be answered', async () => {
  const { told } = await aQuestion({ question: 'What now?' })
  await expect.element(page.getByRole('textbox', { name: 'Your answer' })).toBeVisible()
  await button('Do not answer').click()
  expect(await told()).toMatch(/^Error: The user does not want to answer\. Go on without it/)
})

test('the plan of a turn is one line above the message field, and a list where it is opened', async () => {
  const host = await showWindow()
  await say('Do much')
  const first = await host.nextAsked()
  await first.call('todo', { plan: '[x] Read the file\n[>] Change it\n[ ] Run the tests' })
  await first.end()
  const second = await host.nextAsked()
  await expect.element(plan()).toMatchTextContent('1 of 3Change it')
  await plan().getByRole('button').click()
  await expect.element(plan().getByRole('listitem').nth(2)).toMatchTextContent('Open:Run the tests')
  await expect.element(plan().getByTitle('In progress')).toBeVisible()
  await expectAccessible()
  await second.call('todo', { plan: '[x] Read the file\n[x] Change it\n[-] Run the tests' })
  await second.end()
  const third = await host.nextAsked()
  await expect.element(plan()).toMatchTextContent('2 of 3')
  await third.say('All done.')
  await expect.element(plan()).not.toBeInTheDocument()
  await button(/^Updated the plan/).click()
  await transcript()
    .getByRole('button', { name: /Plan: 2 of 3 done/ })
    .click()
  await expect.element(transcript().getByTitle('Dropped')).toBeVisible()
})
