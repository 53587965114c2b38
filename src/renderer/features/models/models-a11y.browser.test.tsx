import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aFit, engineEvent, GB } from '../../test/a-computer.ts'
import { expectAccessibleAt } from '../../test/accessible.ts'
import { button } from '../../test/show-window.tsx'
import { details, drop, everyState, fill, showModels } from '../../test/models.tsx'

afterEach(() => {
  delete window.desktop
})

const screens: Record<string, () => Promise<unknown>> = {
  'the list with a load that failed': async () => {
    const host = await showModels(fill, { transfers: everyState(), config: { ui: { expert: true } } })
    const failed = { phase: 'failed', modelId: host.huge, error: 'It needs more.' } as const
    host.publish(engineEvent({ ...failed, fixes: [{ do: 'anyway' }] }))
    await details('big-8b').click()
    await expect.element(page.getByRole('textbox', { name: 'Batch' })).toBeVisible()
    await page.getByRole('textbox', { name: 'Batch' }).fill('x')
  },
  'a model that is too big while another is loaded': async () => {
    const host = await showModels(fill, {
      transfers: everyState(),
      computer: { fit: (_, tokens) => aFit(43 * GB, tokens, { uncertain: 'It is a close call.' }) },
    })
    host.publish(engineEvent({ phase: 'loading', modelId: host.big, progress: 0.4 }))
    await details('huge-70b').click()
    await expect.element(page.getByRole('slider', { name: 'Context' })).toBeVisible()
  },
  'a server that was tested': async () => {
    await showModels()
    await details('Served model').click()
    await button('Test').click()
    await expect.element(page.getByText(/It answered after/)).toBeVisible()
  },
  'the catalogue behind the lock': async () => {
    await showModels(fill, { tab: 'discover', config: { network: { offline: true } } })
    await button(/^Qwen3 8B by/).click()
    await page.getByRole('textbox', { name: 'Checksum (SHA-256)' }).fill('1')
  },
  'downloads in every state': async () => {
    await showModels(fill, { tab: 'downloads', transfers: everyState() })
    await button('Cancel: Ant-1B.gguf').click()
    await expect.element(button('Keep it')).toHaveFocus()
  },
  'the engine': async () => {
    await showModels(fill, { tab: 'engine', transfers: everyState() })
    await expect.element(button('Copy diagnostics')).toBeVisible()
  },
  'a question before a file goes': async () => {
    await showModels()
    await button('More for big-8b').click()
    await page.getByRole('menuitem', { name: 'Delete the file' }).click()
    await expect.element(page.getByRole('dialog')).toBeVisible()
  },
  'files to add': async () => {
    const { workspace } = await showModels(host => {
      fill(host)
      // The same bytes as those of the model in Talaria’s folder.
      void host.seed.modelFile({ workspace: 'drop/a.gguf' })
      void host.seed.modelFile({ workspace: 'drop/b.gguf', sizeBytes: 4 * GB, parameters: 7e9 })
      void host.seed.workspaceFiles({ 'drop/c.gguf': 'GGUF' })
    })
    window.desktop = { requestPort() {}, pathOf: () => `${workspace}/drop` }
    await expect.element(details('big-8b')).toBeVisible()
    drop(document.body, new File(['GGUF'], 'a.gguf'))
    await page.getByRole('radio', { name: 'Copy it into Talaria’s folder' }).click()
  },
  'a file to send': async () => {
    const { workspace } = await showModels(host => {
      fill(host)
      void host.seed.modelFile({ workspace: 'a.gguf' })
    })
    await expect.element(details('big-8b')).toBeVisible()
    drop(document.body, new File(['GGUF'], 'a.gguf'))
    await page.getByRole('textbox', { name: 'Path of a .gguf file' }).fill(`${workspace}/a.gguf`)
    await expect.element(page.getByText('Fits into memory').last()).toBeVisible()
  },
}

test.for(Object.keys(screens))('%s: no accessibility violations, wide or narrow', async name => {
  await screens[name]!()
  await expectAccessibleAt(1_280, 420)
})
