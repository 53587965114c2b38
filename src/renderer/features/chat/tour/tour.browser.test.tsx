import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { TestHost } from '../../../test/test-host.ts'
import {
  button,
  composer,
  openWindow,
  say,
  showWindow,
  startHost,
  transcript,
} from '../../../test/show-window.tsx'
import { steps, type StepId } from './tour.ts'

const tour = () => page.getByRole('region', { name: 'Tour' })
const starter = (title: string) => button(new RegExp(`^${title}`))
const askOf = (id: StepId) => steps.find(step => step.id === id)!.ask

/** The tour belongs to the built-in model; here a scripted model replaces it. */
async function showTour(): Promise<TestHost> {
  const host = await startHost()
  host.answer({
    async 'model.list'() {
      const list = await host.elsewhere['model.list']({})
      return { ...list, models: list.models.map(each => ({ ...each, demo: each.id === list.defaultId })) }
    },
  })
  await openWindow(host)
  return host
}

/** Answer the next question with one call; `after` runs while the call may be waiting for the user. */
async function answerNext(
  host: TestHost,
  name: string,
  given: Record<string, unknown>,
  permit = async () => {},
): Promise<string> {
  const asked = await host.nextAsked()
  await asked.call(name, given)
  await asked.end()
  await permit()
  await (await host.nextAsked()).say('Done.')
  return asked.text
}
const remember = { action: 'add', target: 'user', content: 'Favourite drink: green tea.' }

// The window remembers what was tried, so this test comes before the one of the whole tour.
test('a failed step can be tried again, and finished steps are marked', async () => {
  const host = await showTour()
  await starter('It remembers you').click()
  await answerNext(host, 'list_files', {})
  await expect.element(tour()).toMatchTextContent(/That did not work/)
  await tour().getByRole('button', { name: 'Try again' }).click()
  expect(await answerNext(host, 'memory', remember)).toBe(askOf('remember'))
  await button(/^View in memory: Favourite drink/).click()
  await button('New chat').first().click()
  await expect.element(starter('It remembers you')).toMatchTextContent(/Tried/)
  await expect.element(starter('It learns how you do things')).not.toMatchTextContent(/Tried/)
})

test('the starters of the built-in model work, and the tour leads from one to the next', async () => {
  const host = await showTour()
  await expect.element(starter('It asks before it changes anything')).toBeVisible()
  await starter('It remembers you').click()
  expect(await answerNext(host, 'memory', remember)).toBe(askOf('remember'))
  // Only the chip says it.
  await expect.element(transcript()).toMatchTextContent('Saved: Favourite drink: green tea.')
  await expect.element(tour()).not.toMatchTextContent(/Saved|Memory/)
  await tour().getByRole('button', { name: 'Next: ask for it in a new chat' }).click()

  const second = await host.nextAsked()
  expect(second.text).toBe(askOf('recall'))
  await second.say('Your favourite drink is Green Tea.')
  await expect.element(tour()).toMatchTextContent(/it knew/)
  expect(host.asked.findLast(({ name }) => name === 'session.create')?.input).toEqual({
    modelId: 'server:served',
  })

  await tour().getByRole('button', { name: 'Next: let it write a file' }).click()
  const list = { path: 'shopping.txt', content: 'buy milk' }
  await answerNext(host, 'write_file', list, () => button(/^Deny(?! and)/).click())
  await expect.element(tour()).toMatchTextContent(/You denied it, so nothing changed\./)
  expect(await host.readFile('workspace', 'shopping.txt')).toBeNull()
  await tour().getByRole('button', { name: 'Next: teach it a skill' }).click()
  const skill = { action: 'create', name: 'pack-bag', description: 'Packs a bag.', content: '1. Pack it.' }
  await answerNext(host, 'skill_manage', skill, () => button(/^Allow once/).click())
  await expect.element(tour().getByRole('button', { name: 'Open Skills' })).toBeVisible()
  await tour().getByRole('button', { name: 'Next: let it use the skill' }).click()
  await answerNext(host, 'skill_view', { name: 'pack-bag' })
  await tour().getByRole('button', { name: 'Add a bigger model' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Add a model' })).toBeVisible()
})

test('other questions do not start the tour, and the tour can be closed', async () => {
  const host = await showTour()
  await say('hello')
  await (await host.nextAsked()).say('Hello.')
  await expect.element(page.getByText('Hello.').first()).toBeVisible()
  await expect.element(tour()).not.toBeInTheDocument()
  await say(askOf('remember'))
  await answerNext(host, 'memory', remember)
  await tour().getByRole('button', { name: 'Close the tour' }).click()
  await expect.element(tour()).not.toBeInTheDocument()
  // The start page no longer shows the tour either, nor does the next window.
  await button('New chat').first().click()
  await expect.element(button('What do you know about me?')).toBeVisible()
  await expect.element(starter('It remembers you')).not.toBeInTheDocument()
})

test('other models show other starters', async () => {
  await showWindow()
  await expect.element(button('What can you do without a network?')).toBeVisible()
  await expect.element(starter('It remembers you')).not.toBeInTheDocument()
  await expect.element(composer()).toBeVisible()
})
