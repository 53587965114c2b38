import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Fault } from '../../../shared/rpc.ts'
import { aFileModel, aTransfer } from '../../test/fake-models.ts'
import { button, showApp } from '../../test/show-app.tsx'
import { drop, GB } from '../models/test-models.tsx'
import { asked, back, fill, goTo, next, showSteps, title } from './test-steps.tsx'

const card = (name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3, name }) })
const address = 'https://models.example/Fox 8B-balanced.gguf'
afterEach(() => {
  delete window.desktop
})

test('three models are offered, with what decides between them', async () => {
  await showSteps()
  await goTo('A model')
  const fox = card('Balanced')
  for (const fact of [
    'Recommended',
    'Fox 8B',
    'Tools and longer texts.',
    '5 GB to download',
    'Fits into memory',
    /Writes very roughly \d+ to \d+ words a second/,
    'Licence: Apache 2.0',
  ])
    await expect.element(fox).toMatchTextContent(fact)
  await expect.element(card('Best that fits')).toMatchTextContent('Too big: 1.5 GB missing')
})

test('a download begins, is followed on every step, and its card knows it again', async () => {
  const host = await showSteps()
  await goTo('A model')
  await button('Download Fox 8B').click()
  expect(asked(host, 'transfer.download')).toEqual([{ catalogueId: 'Fox 8B-balanced' }])
  const { id } = host.files.transfers()[0]!
  host.files.transfer({ id, state: 'running', doneBytes: 2.1 * GB, secondsLeft: 242 })
  await expect.element(card('Balanced')).toMatchTextContent('42%')
  await expect.element(button('Download Fox 8B')).not.toBeInTheDocument()
  await next().click()
  const coming = page.getByRole('region', { name: 'On its way' })
  await expect.element(coming).toMatchTextContent('Fox 8B Q4_K_M42% · 4 min 2 s left')
  await next().click()
  await expect.element(page.getByText(/Fox 8B Q4_K_M takes over when it is here\./)).toBeVisible()
  await back().click()
  await back().click()
  await expect.element(card('Balanced')).toMatchTextContent('42%')
  await expect.element(coming).not.toBeInTheDocument()
  await button('Pause: Fox 8B Q4_K_M').click()
  await button('Go on: Fox 8B Q4_K_M').click()
  await expect.poll(() => asked(host, 'transfer.resume')).toEqual([{ id }])
})

test('a download that fails says why, and is tried again or given up', async () => {
  const host = await showSteps(host => {
    fill(host)
    host.files.transfer(
      aTransfer({ from: address, state: 'failed', error: 'The server has gone.', fix: 'Try again later.' }),
    )
  })
  await goTo('A model')
  await expect
    .element(card('Balanced').getByRole('alert'))
    .toMatchTextContent('The server has gone. Try again later.')
  await button('Try again: Qwen3-8B-Q4_K_M.gguf').click()
  expect(asked(host, 'transfer.resume')).toEqual([{ id: 'transfer-1' }])
  host.files.transfer({ id: 'transfer-1', state: 'failed', error: 'Again.' })
  await button('Give it up: Qwen3-8B-Q4_K_M.gguf').click()
  await expect.element(button('Download Fox 8B')).toBeVisible()
})

test('too little space is said before anything is fetched, and the host has the last word', async () => {
  const host = await showSteps(host => {
    fill(host)
    host.files.machine = { ...host.files.machine, diskFreeBytes: 4.5 * GB }
  })
  await goTo('A model')
  await expect
    .element(card('Balanced'))
    .toMatchTextContent('Too little space on the disk: 1 GB more are needed.')
  await expect.element(card('Light')).not.toMatchTextContent('Too little space')
  host.failNext('transfer.download', new Fault('bad_input', 'The disk is too full for it.'))
  await button('Download Fox 8B').click()
  await expect.element(card('Balanced').getByRole('alert')).toMatchTextContent('The disk is too full for it.')
})

test('behind the offline lock nothing is fetched, and the lock can be opened right there', async () => {
  const host = await showSteps(fill, { hello: { locked: true } })
  await goTo('A model')
  await expect.element(button('Download Fox 8B')).toBeDisabled()
  await button('Switch the lock off').click()
  await expect.element(button('Download Fox 8B')).toBeEnabled()
  expect(host.config.locked()).toBe(false)
})

test('a list that cannot be read is tried again, and other ways stand beside it', async () => {
  const host = await showSteps(host => {
    fill(host)
    host.failNext('catalogue.list', new Fault('internal', 'It is damaged.'))
  })
  await goTo('A model')
  await expect.element(page.getByText('The list of models could not be read: It is damaged.')).toBeVisible()
  await button(/^A server address…/).click()
  await button(/^A \.gguf file…/).click()
  await button(/^Look in LM Studio/).click()
  expect(host.told).toEqual(['server', 'file', 'scan'])
  await button('Try again').click()
  await expect.element(button('Download Fox 8B')).toBeVisible()
})

test('a computer for which the list has nothing is not left alone', async () => {
  await showSteps(() => {})
  await goTo('A model')
  await expect.element(page.getByText(/The list has no model for this computer/)).toBeVisible()
})

test('of a model without tools it is said what that means, and which one has them', async () => {
  await showSteps(host => {
    fill(host)
    host.files.catalogue.models[0]!.dialect = ''
  })
  await goTo('A model')
  await expect
    .element(card('Light'))
    .toMatchTextContent('It cannot use tools, so it can do and learn little. Fox 8B can.')
})

test('what is there already is shown, and one of it can answer in new chats', async () => {
  const host = await showSteps(host => {
    fill(host)
    host.models.push(aFileModel('/m/tea.gguf'), aFileModel('/m/gone.gguf', { problem: 'Gone.' }))
  })
  await goTo('A model')
  await expect.element(page.getByText('gone.gguf')).not.toBeInTheDocument()
  await button('Use in new chats: tea.gguf').click()
  await expect.element(page.getByText('Answers in new chats')).toBeVisible()
  expect(host.files.defaultId).toBe('/m/tea.gguf')
  await next().click()
  await next().click()
  await expect.element(page.getByText(/tea\.gguf answers in your first chat\./)).toBeVisible()
})

test('a file that is dropped in the first run is taken, and answers', async () => {
  window.desktop = { requestPort() {}, pathOf: () => '/mnt/stick/tea.gguf' }
  const host = await showApp(fill, { hello: { setupDone: false } })
  await goTo('A model')
  drop(title('A model').element(), new File(['GGUF'], 'tea.gguf'))
  await expect.element(page.getByRole('dialog')).toMatchTextContent('tea.gguf')
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
  await expect.element(page.getByText('Answers in new chats')).toBeVisible()
  expect(host.files.defaultId).toBe('/mnt/stick/tea.gguf')
})

test('a server is named in the first run without leaving it', async () => {
  const host = await showApp(fill, { hello: { setupDone: false } })
  await goTo('A model')
  await button(/^A server address…/).click()
  await page.getByText('Ollama', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Model' }).fill('qwen3:8b')
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
  await expect.element(page.getByText('Answers in new chats')).toBeVisible()
  await expect.element(title('A model')).toBeVisible()
  expect(host.files.defaultId).toBe('qwen3:8b')
})

test('the first model that arrives answers in new chats; a later one changes nothing', async () => {
  const host = await showSteps()
  await goTo('A model')
  host.files.transfer(aTransfer({ id: 't1', from: address, state: 'running' }))
  const arrive = (id: string, path: string) => {
    host.models.push(aFileModel(path))
    host.publish({ type: 'models' })
    host.files.transfer({ id, state: 'done', modelId: path, endedAt: Date.now() + 1 })
  }
  arrive('t1', '/m/fox.gguf')
  await expect.element(card('Balanced')).toMatchTextContent('It is here')
  await expect.poll(() => host.files.defaultId).toBe('/m/fox.gguf')
  await expect.element(page.getByText('fox.gguf answers in new chats now.')).toBeVisible()
  arrive('t0', '/m/ant.gguf')
  await expect.element(page.getByText('ant.gguf')).toBeVisible()
  expect(asked(host, 'model.setDefault')).toEqual([{ id: '/m/fox.gguf' }])
})
