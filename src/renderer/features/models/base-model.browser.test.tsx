import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessibleAt } from '../../test/accessible.ts'
import { openWindow, say, startHost, transcript } from '../../test/show-window.tsx'
import { details, drop, fill, showModels } from '../../test/models.tsx'

const SAYS = /looks like a base model: it continues texts and does not answer/
const plain = { sizeBytes: 2e9, parameters: 270_000_000, architecture: 'gemma3', template: null }

test('a file without a chat template is named as a base model before it is added, and then on its card', async () => {
  const host = await showModels(each => {
    fill(each)
    void each.seed.modelFile({ ...plain, workspace: 'stick/plain.gguf' })
  })
  window.desktop = { requestPort() {}, pathOf: () => `${host.workspace}/stick/plain.gguf` }
  onTestFinished(() => void delete window.desktop)
  await expect.element(details('big-8b')).toBeVisible()
  drop(document.body, new File(['GGUF'], 'plain.gguf'))
  const dialog = page.getByRole('dialog')
  await expect.element(dialog).toMatchTextContent(SAYS)
  await expect.element(dialog).not.toMatchTextContent('Talaria does not know how it calls tools')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(page.getByText(SAYS)).toBeVisible()
  expect(page.getByText(SAYS).all()).toHaveLength(1)
  await expect.element(page.getByText('Base model', { exact: true })).toBeVisible()
  await expect.element(page.getByText('Made for tools, not tested yet').first()).toBeVisible()
  await expectAccessibleAt(400, 1_100)
})

test('a chat with a base model says so once, before the first answer', async () => {
  const host = await startHost(({ seed }) => void seed.modelFile({ ...plain, home: 'models/plain.gguf' }))
  const { models } = await host.elsewhere['model.list']({})
  await host.elsewhere['model.setDefault']({ id: models.find(({ file }) => file?.base)!.id })
  await openWindow(host)
  await expect.element(page.getByText(SAYS)).toBeVisible()
  await say('Hi! What can you do?')
  await expect.element(transcript().getByText('Hi! What can you do?')).toBeVisible()
  await expect.element(transcript().getByText(SAYS)).toBeVisible()
  expect(page.getByText(SAYS).all()).toHaveLength(1)
  await expectAccessibleAt(400, 1_100)
})
