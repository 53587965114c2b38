import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aFileModel } from '../../../test/fake-models.ts'
import { button, composer, say, showApp } from '../../../test/show-app.tsx'
import type { FakeHost } from '../../../test/fake-host.ts'
import { steps, type StepId } from './steps.ts'
import { reopenTour } from './tour-store.ts'

beforeEach(reopenTour)

const tour = () => page.getByRole('region', { name: 'Tour' })
const starter = (title: string) => button(new RegExp(`^${title}`))
const askOf = (id: StepId) => steps.find(step => step.id === id)!.ask

/** Answer the next question with one call and its result. */
async function answerNext(host: FakeHost, name: string, result: { ok?: boolean; allowed?: string } = {}) {
  const run = await host.nextRun()
  const call = { id: 'a', name, arguments: {} }
  run.reply({ calls: [call] })
  run.call(call, name)
  run.result({ callId: 'a', name, ...result })
  run.reply({ text: 'Done.' })
  run.end()
  return run
}

test('each starter of the built-in model shows something, and the tour leads from one to the next', async () => {
  const host = await showApp()
  await expect.element(starter('It asks before it changes anything')).toBeVisible()
  await starter('It remembers you').click()
  const first = await answerNext(host, 'memory')
  expect(first.text).toBe(askOf('remember'))
  await expect.element(tour()).toMatchTextContent(/Saved\./)
  await tour().getByRole('button', { name: 'Next: ask for it in a new chat' }).click()

  const second = await host.nextRun()
  expect(second.text).toBe(askOf('recall'))
  second.reply({ text: 'Your favourite drink is Green Tea.' })
  second.end()
  await expect.element(tour()).toMatchTextContent(/it knew/)
  expect(host.asked.findLast(({ name }) => name === 'session.create')?.input).toEqual({ modelId: 'builtin' })

  await tour().getByRole('button', { name: 'Next: let it write a file' }).click()
  await answerNext(host, 'write_file', { ok: false, allowed: 'denied by you' })
  await expect.element(tour()).toMatchTextContent(/You said no, so nothing was changed\./)
  await tour().getByRole('button', { name: 'Next: teach it a skill' }).click()
  await answerNext(host, 'skill_manage')
  await expect.element(tour().getByRole('button', { name: 'Open Skills' })).toBeVisible()
  await tour().getByRole('button', { name: 'Next: let it use the skill' }).click()
  await answerNext(host, 'skill_view')
  await tour().getByRole('button', { name: 'Add a bigger model' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Add a model' })).toBeVisible()
})

test('what went wrong can be tried again, and what was tried is marked', async () => {
  const host = await showApp()
  await starter('It remembers you').click()
  await answerNext(host, 'terminal')
  await expect.element(tour()).toMatchTextContent(/That did not go as it should/)
  await tour().getByRole('button', { name: 'Try again' }).click()
  expect((await answerNext(host, 'memory')).text).toBe(askOf('remember'))
  await tour().getByRole('button', { name: 'Open Memory' }).click()
  await button('New chat').first().click()
  await expect.element(starter('It remembers you')).toMatchTextContent(/Tried/)
  await expect.element(starter('It learns how you do things')).not.toMatchTextContent(/Tried/)
})

test('the tour can be closed, and anything else than its questions is no part of it', async () => {
  const host = await showApp()
  await say('hello')
  const run = await host.nextRun()
  run.reply({ text: 'Hello.' })
  run.end()
  await expect.element(page.getByText('Hello.').first()).toBeVisible()
  await expect.element(tour()).not.toBeInTheDocument()
  await say(askOf('remember'))
  await answerNext(host, 'memory')
  await tour().getByRole('button', { name: 'Close the tour' }).click()
  await expect.element(tour()).not.toBeInTheDocument()
})

test('other models have other ways to begin', async () => {
  await showApp(() => {}, { models: [aFileModel('/m/fox.gguf')] })
  await expect.element(button('What can you do offline?')).toBeVisible()
  await expect.element(starter('It remembers you')).not.toBeInTheDocument()
  await expect.element(composer()).toBeVisible()
})
