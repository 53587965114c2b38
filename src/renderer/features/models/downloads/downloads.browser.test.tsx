import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { aTransfer } from '../../../test/a-computer.ts'
import { button } from '../../../test/show-window.tsx'
import { asked, everyState, fill, showModels, type Shown } from '../../../test/models.tsx'

const row = (name: string) => page.getByRole('listitem').filter({ hasText: new RegExp(`^${name}`, 'u') })
const heldAt = (holdAfter: number) => ({ holdAfter })

/** The page with a download that stops moving after a quarter of a megabyte. */
async function showSlow(): Promise<Shown> {
  return showModels(
    host => {
      fill(host)
      void host.seed.servedFile({ name: 'slow.gguf', answers: [heldAt(250_000), heldAt(250_000)] })
    },
    { tab: 'downloads', begun: host => fetchFile(host, 'slow.gguf') },
  )
}
const fetchFile = ({ elsewhere, filesUrl }: Shown, name: string) =>
  elsewhere['download.start']({ address: `${filesUrl}/${name}` })

test('each download shows its progress, speed and remaining time', async () => {
  const host = await showModels(fill, { tab: 'downloads', transfers: everyState() })
  await expect.element(row('Qwen3-8B')).toMatchTextContent('2.1 GB of 5 GB · 12 MB/s · 4 min 2 s left')
  await expect
    .element(page.getByRole('progressbar', { name: 'Progress of Qwen3-8B-Q4_K_M.gguf' }))
    .toHaveValue(0.42)
  await expect.element(row('Owl-70B')).toMatchTextContent('Waiting')
  await expect.element(row('Bee-4B')).toMatchTextContent('Copy · Checking')
  await expect.element(row('big-8b')).toMatchTextContent('checksum matches')
  host.transfer({ id: 'run', doneBytes: 4e9, bytesPerSecond: 1_000_000, secondsLeft: null })
  await expect.element(row('Qwen3-8B')).toMatchTextContent('4 GB of 5 GB · 1 MB/s')
})

test('the tab shows the total progress', async () => {
  const host = await showModels(fill, { transfers: everyState() })
  await expect.element(page.getByRole('tab', { name: /^Downloads/ })).toMatchTextContent('28%')
  for (const id of ['run', 'wait', 'sum']) host.transfer({ id, state: 'done', doneBytes: 5e9 })
  await expect.element(page.getByRole('tab', { name: 'Downloads', exact: true })).toBeVisible()
})

test('a download can be paused and resumed', async () => {
  const host = await showSlow()
  await expect.element(row('slow')).toMatchTextContent('In progress · 250 kB of')
  await button('Pause: slow.gguf').click()
  await expect.element(row('slow')).toMatchTextContent('Paused · 250 kB of')
  await button('Resume: slow.gguf').click()
  await expect.element(row('slow')).toMatchTextContent('In progress · 500 kB of')
  await button('Pause: slow.gguf').click()
  await button('Resume: slow.gguf').click()
  await expect.element(row('slow')).toMatchTextContent('Done')
  const [first] = asked(host, 'download.pause')
  expect([asked(host, 'download.pause'), asked(host, 'download.resume')]).toEqual([
    [first, first],
    [first, first],
  ])
})

test('a failed download says why and what to do, and can be tried again', async () => {
  const host = await showModels(fill, { tab: 'downloads', begun: host => fetchFile(host, 'elk.gguf') })
  const failed = row('elk').getByRole('alert')
  await expect.element(failed).toMatchTextContent(/^127\.0\.0\.1:\d+ has no file at this address\./)
  await expect.element(failed).toMatchTextContent('Check the address, or choose another file.')
  await host.seed.servedFile({ name: 'elk.gguf' })
  await button('Try again: elk.gguf').click()
  await expect.element(row('elk')).toMatchTextContent('Done')
  await expect.element(failed).not.toBeInTheDocument()
})

test('cancelling asks before it deletes received data', async () => {
  const host = await showSlow()
  await expect.element(row('slow')).toMatchTextContent('250 kB of')
  await button('Cancel: slow.gguf').click()
  await expect.element(button('Keep it')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(button('Cancel: slow.gguf')).toHaveFocus()
  expect(asked(host, 'download.cancel')).toEqual([])
  await button('Cancel: slow.gguf').click()
  await expect.element(page.getByText('Cancel and delete what has arrived so far?').last()).toBeVisible()
  await button('Cancel: slow.gguf').click()
  await expect.element(row('slow')).not.toBeInTheDocument()
  expect(await host.readFile('home', 'models/slow.gguf.part')).toBeNull()
  // Nothing of this one has come yet.
  await fetchFile(host, 'nothing.gguf')
  await button('Cancel: nothing.gguf').click()
  await expect.element(row('nothing')).not.toBeInTheDocument()
  expect(asked(host, 'download.cancel')).toHaveLength(2)
})

test('finished downloads can be loaded or cleared', async () => {
  const host = await showModels(
    each => {
      fill(each)
      void each.seed.servedFile({ name: 'new.gguf' })
      void each.seed.transfers([{ id: 'over', name: 'old', state: 'done', endedAt: Date.now() }])
    },
    { tab: 'downloads' },
  )
  await button('Clear finished').click()
  await expect.element(row('old')).not.toBeInTheDocument()
  await fetchFile(host, 'new.gguf')
  await button('Load it: new.gguf').click()
  expect(asked(host, 'model.load')).toEqual([{ id: `file:models/new.gguf` }])
  await expect.element(page.getByRole('tab', { name: 'Installed' })).toHaveAttribute('aria-selected', 'true')
})

test('an upload from the page cannot be paused, and an interrupted one must be sent again', async () => {
  const sent = { kind: 'upload', from: '' } as const
  await showModels(host => void host.seed.transfers([{ ...sent, id: 'lost', state: 'running' }]), {
    tab: 'downloads',
    begun: ({ elsewhere }) => elsewhere['download.upload']({ name: 'up.gguf', sizeBytes: 13 }),
  })
  await expect.element(button('Cancel: up.gguf')).toBeVisible()
  await expect.element(button('Pause: up.gguf')).not.toBeInTheDocument()
  const lost = row('lost').getByRole('alert')
  await expect.element(lost).toMatchTextContent('Talaria was closed while the page sent this file.')
  await expect.element(lost).toMatchTextContent('Drop the file on the window again, or enter its path.')
  await expect.element(button('Try again: lost.gguf')).not.toBeInTheDocument()
})

test('a failed upload without a fix says to drop the file again', async () => {
  const up = aTransfer({ id: 'up', kind: 'upload', name: 'up.gguf', from: '' })
  const host = await showModels(fill, { tab: 'downloads', transfers: [up] })
  await expect.element(button('Cancel: up.gguf')).toBeVisible()
  await expect.element(button('Pause: up.gguf')).not.toBeInTheDocument()
  host.transfer({ id: 'up', state: 'failed', error: 'The page was closed.' })
  await expect.element(row('up.gguf').getByRole('alert')).toMatchTextContent('Drop the file again')
})

test('a download that ends while another tab is open is announced once', async () => {
  const host = await showModels(fill, { transfers: everyState() })
  await expect.element(page.getByRole('tab', { name: /^Downloads/ })).toMatchTextContent('28%')
  host.transfer({ id: 'run', state: 'done', endedAt: Date.now() })
  await expect.element(page.getByText('Qwen3-8B-Q4_K_M.gguf is ready to use.')).toBeVisible()
  host.transfer({ id: 'sum', state: 'failed' })
  await expect.element(page.getByText('Bee-4B.gguf could not be added.')).toBeVisible()
  host.transfer({ id: 'rest', state: 'paused' })
  // Small files may be there before anybody heard of them; old ones are no news.
  host.transfer(aTransfer({ id: 'new', name: 'quick.gguf', state: 'done', endedAt: Date.now() + 1 }))
  await expect.element(page.getByText('quick.gguf is ready to use.')).toBeVisible()
  expect(page.getByText(/is ready to use/).all()).toHaveLength(2)
})

test('an empty list links to Discover', async () => {
  await showModels(fill, { tab: 'downloads' })
  await expect.element(page.getByText('No downloads yet.')).toBeVisible()
  await button('Find a model').click()
  await expect.element(page.getByText('Suggested for this computer')).toBeVisible()
})

test('a download whose server does not answer says why it waits and when it is tried again, which can be now', async () => {
  const host = await showModels(fill, { tab: 'downloads', transfers: [waits()] })
  await expect.element(row('Qwen3-8B')).toMatchTextContent('Waiting to try again · 0 B')
  await expect
    .element(row('Qwen3-8B').getByRole('alert'))
    .toMatchTextContent('models.example refuses connections.')
  await expect.element(row('Qwen3-8B')).toMatchTextContent(/Talaria tries again in \d+ min/)
  await expect
    .element(
      page.getByText(
        /^Qwen3-8B-Q4_K_M\.gguf is waiting. models\.example refuses connections\. Talaria tries again in/,
      ),
    )
    .toBeVisible()
  await button('Retry now: Qwen3-8B-Q4_K_M.gguf').click()
  await expect.poll(() => asked(host, 'download.resume')).toEqual([{ id: 'slow' }])
  await expect.element(button('Cancel: Qwen3-8B-Q4_K_M.gguf')).toBeVisible()
})
const waits = () =>
  aTransfer({
    id: 'slow',
    doneBytes: 0,
    totalBytes: null,
    bytesPerSecond: null,
    secondsLeft: null,
    note: 'models.example refuses connections.',
    retryAt: Date.now() + 3_600_000,
  })
