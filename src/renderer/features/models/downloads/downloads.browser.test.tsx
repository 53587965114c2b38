import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { aTransfer } from '../../../test/fake-models.ts'
import { button } from '../../../test/show-app.tsx'
import { asked, big, fill, showModels, transfers } from '../test-models.tsx'

const row = (name: string) => page.getByRole('listitem').filter({ hasText: new RegExp(`^${name}`, 'u') })
const busy: typeof fill = host => {
  fill(host)
  transfers(host)
}

test('each file says how far it is, how fast, and how long it will take', async () => {
  const host = await showModels(busy, { tab: 'downloads' })
  await expect.element(row('Qwen3-8B')).toMatchTextContent('2.1 GB of 5 GB · 12 MB/s · 4 min 2 s left')
  await expect
    .element(page.getByRole('progressbar', { name: 'Progress of Qwen3-8B-Q4_K_M.gguf' }))
    .toHaveValue(0.42)
  await expect.element(row('Owl-70B')).toMatchTextContent('Waits for its turn')
  await expect.element(row('Bee-4B')).toMatchTextContent('Copy · Being checked')
  await expect.element(row('big-8b')).toMatchTextContent('compared with its checksum')
  host.files.transfer({ id: 'run', doneBytes: 4e9, bytesPerSecond: 1_000_000, secondsLeft: null })
  await expect.element(row('Qwen3-8B')).toMatchTextContent('4 GB of 5 GB · 1 MB/s')
})

test('the tab says how much of everything has come', async () => {
  const host = await showModels(busy)
  await expect.element(page.getByRole('tab', { name: /^Downloads/ })).toMatchTextContent('28%')
  for (const id of ['run', 'wait', 'sum']) host.files.transfer({ id, state: 'done', doneBytes: 5e9 })
  await expect.element(page.getByRole('tab', { name: 'Downloads', exact: true })).toBeVisible()
})

test('a download is paused and goes on', async () => {
  const host = await showModels(busy, { tab: 'downloads' })
  await button('Pause: Qwen3-8B-Q4_K_M.gguf').click()
  await expect.element(row('Qwen3-8B')).toMatchTextContent('Paused · 2.1 GB of 5 GB')
  await button('Go on: Qwen3-8B-Q4_K_M.gguf').click()
  await expect.element(row('Qwen3-8B')).toMatchTextContent('Under way')
  expect([asked(host, 'transfer.pause'), asked(host, 'transfer.resume')]).toEqual([
    [{ id: 'run' }],
    [{ id: 'run' }],
  ])
})

test('what failed says why and what to do, and is tried again', async () => {
  const host = await showModels(busy, { tab: 'downloads' })
  const failed = row('Elk-3B').getByRole('alert')
  await expect.element(failed).toMatchTextContent('The server has no such file any more.')
  await expect.element(failed).toMatchTextContent('Look whether it was moved.')
  await button('Try again: Elk-3B.gguf').click()
  expect(asked(host, 'transfer.resume')).toEqual([{ id: 'broke' }])
  await expect.element(failed).not.toBeInTheDocument()
})

test('what has come is thrown away only after a question', async () => {
  const host = await showModels(busy, { tab: 'downloads' })
  await button('Cancel: Qwen3-8B-Q4_K_M.gguf').click()
  await expect.element(button('Keep it')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(button('Cancel: Qwen3-8B-Q4_K_M.gguf')).toHaveFocus()
  expect(asked(host, 'transfer.cancel')).toEqual([])
  await button('Cancel: Qwen3-8B-Q4_K_M.gguf').click()
  await expect.element(page.getByText('Cancel, and delete what has come so far?').last()).toBeVisible()
  await button('Cancel: Qwen3-8B-Q4_K_M.gguf').click()
  await expect.element(page.getByText('Qwen3-8B-Q4_K_M.gguf')).not.toBeInTheDocument()
  // Nothing of this one has come yet.
  await button('Cancel: Owl-70B.gguf').click()
  expect(asked(host, 'transfer.cancel')).toEqual([{ id: 'run' }, { id: 'wait' }])
})

test('a file that came is loaded from here, and what is over is cleared', async () => {
  const host = await showModels(busy, { tab: 'downloads' })
  await button('Clear the list of what is over').click()
  await expect.element(row('big-8b')).not.toBeInTheDocument()
  host.files.transfer({ id: 'run', state: 'done', modelId: big, endedAt: Date.now() })
  await button('Load it: Qwen3-8B-Q4_K_M.gguf').click()
  expect(asked(host, 'model.load')).toEqual([{ id: big }])
  await expect.element(page.getByRole('tab', { name: 'Installed' })).toHaveAttribute('aria-selected', 'true')
})

test('what a page sends cannot be paused by the host, and is sent again from the page', async () => {
  await showModels(
    host =>
      void host.files.transfer(
        aTransfer({ id: 'up', kind: 'upload', name: 'up.gguf', from: '', state: 'running' }),
      ),
    { tab: 'downloads' },
  ).then(async host => {
    await expect.element(button('Cancel: up.gguf')).toBeVisible()
    await expect.element(button('Pause: up.gguf')).not.toBeInTheDocument()
    host.files.transfer({ id: 'up', state: 'failed', error: 'The page was closed.' })
  })
  await expect.element(row('up.gguf').getByRole('alert')).toMatchTextContent('Drop the file again')
  await expect.element(button('Try again: up.gguf')).not.toBeInTheDocument()
})

test('what comes or breaks while another page is read is said once', async () => {
  const host = await showModels(busy)
  await expect.element(page.getByRole('tab', { name: /^Downloads/ })).toMatchTextContent('28%')
  host.files.transfer({ id: 'run', state: 'done', endedAt: Date.now() })
  await expect.element(page.getByText('Qwen3-8B-Q4_K_M.gguf is here and can be used.')).toBeVisible()
  host.files.transfer({ id: 'sum', state: 'failed' })
  await expect.element(page.getByText('Bee-4B.gguf could not be brought in.')).toBeVisible()
  host.files.transfer({ id: 'rest', state: 'paused' })
  // Small files may be there before anybody heard of them; old ones are no news.
  host.files.transfer(aTransfer({ id: 'new', name: 'quick.gguf', state: 'done', endedAt: Date.now() + 1 }))
  await expect.element(page.getByText('quick.gguf is here and can be used.')).toBeVisible()
  expect(page.getByText(/is here and can be used/).all()).toHaveLength(2)
})

test('an empty queue leads to where models come from', async () => {
  await showModels(fill, { tab: 'downloads' })
  await expect.element(page.getByText('Nothing is on its way, and nothing was.')).toBeVisible()
  await button('Find a model').click()
  await expect.element(page.getByText('Suggested for this computer')).toBeVisible()
})
