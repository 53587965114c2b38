import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { addressOf } from '../../../test/a-computer.ts'
import { button } from '../../../test/show-window.tsx'
import { asked, fill, showModels } from '../../../test/models.tsx'

const sizes = (name: string) => button(new RegExp(`^${name} by`, 'u'))
const address = () => page.getByRole('textbox', { name: 'Address of a .gguf file' })

test('three suggestions for this computer come first, one of them recommended', async () => {
  const host = await showModels(fill, { tab: 'discover' })
  await expect.element(page.getByText('Models up to about 8 GB run well on this computer.')).toBeVisible()
  const cards = [...document.querySelectorAll('.suggested-card')].map(card => card.textContent)
  expect(cards).toHaveLength(3)
  expect(cards[0]).toMatch(
    /^Light.*Llama 3\.2 3B.*2 GB to download · Q4_K_M.*(Fast|Runs well|Slow) here: about \d+ words? a second/,
  )
  expect(cards[1]).toMatch(/^Balanced.*Recommended.*Qwen3 8B/)
  expect(cards[2]).toMatch(/^Best that fits.*Qwen3 14B/)
  await host.seed.servedFile({ name: 'qwen3-8b-q4-k-m.gguf', answers: [{ holdAfter: 250_000 }] })
  await button('Download Qwen3 8B Q4_K_M').first().click()
  expect(asked(host, 'download.start')).toEqual([{ catalogueId: 'qwen3-8b-q4-k-m' }])
  await expect.element(page.getByText('qwen3-8b-q4-k-m.gguf is being downloaded.')).toBeVisible()
  await expect.element(button(/^Downloading, \d\d%$/).first()).toBeVisible()
})

test('a model suggested twice is shown once', async () => {
  const light = 'llama-3.2-3b-q4-k-m'
  await showModels(fill, {
    tab: 'discover',
    computer: { suggested: { light, balanced: light, best: '' } },
  })
  await expect.element(page.getByText('Recommended.')).toBeVisible()
  expect(document.querySelectorAll('.suggested-card')).toHaveLength(1)
})

test('the list says that showing it used no network, and no download starts', async () => {
  const host = await showModels(fill, { tab: 'discover' })
  await expect.element(page.getByText(/compiled on .*2026\. Nothing was fetched to show it/)).toBeVisible()
  expect(asked(host, 'download.start')).toEqual([])
})

test('a row opens to its sizes, each with the missing memory, and its licence', async () => {
  const host = await showModels(fill, { tab: 'discover' })
  await sizes('Qwen3 14B').click()
  const large = page.getByRole('listitem').filter({ hasText: /^Large/u })
  await expect.element(large).toMatchTextContent('12.1 GB to download · Q6_K')
  await expect.element(large).toMatchTextContent(/Too big for this computer: 2\.6 GB of memory missing/)
  await expect
    .element(page.getByRole('link', { name: 'Licence: Apache 2.0' }))
    .toHaveAttribute('href', 'https://www.apache.org/licenses/LICENSE-2.0')
  await large.getByRole('button', { name: 'Download Qwen3 14B Q6_K' }).click()
  expect(asked(host, 'download.start')).toEqual([{ catalogueId: 'qwen3-14b-q6-k' }])
})

test('the list can be searched by name, maker and strengths', async () => {
  await showModels(fill, { tab: 'discover' })
  const search = page.getByRole('textbox', { name: 'Search the list' })
  await search.fill('nous')
  await expect.element(sizes('Hermes 3 8B')).toBeVisible()
  await expect.element(sizes('Qwen3 8B')).not.toBeInTheDocument()
  await search.fill('tools THINKS')
  await expect.element(sizes('Qwen3 8B')).toBeVisible()
  await expect.element(sizes('Hermes 3 8B')).not.toBeInTheDocument()
  await search.fill('elephant')
  await expect.element(page.getByText('Nothing in the list matches “elephant”.')).toBeVisible()
})

test('an installed or downloading model cannot be downloaded again', async () => {
  await showModels(
    ({ seed }) => {
      void seed.modelFile({ home: 'models/Qwen3-8B-Q3_K_M.gguf' })
      void seed.servedFile({ name: 'qwen3-8b-q4-k-m.gguf', answers: [{ holdAfter: 250_000 }] })
      // It was fetched, and somebody has deleted the file since.
      const gone = { modelId: 'file:/not/here.gguf', catalogueId: 'qwen3-8b-q6-k' }
      void seed.transfers([{ id: 'gone', state: 'done', ...gone }])
    },
    {
      tab: 'discover',
      begun: host => host.elsewhere['download.start']({ address: addressOf(host, 'qwen3-8b-q4-k-m') }),
    },
  )
  await sizes('Qwen3 8B').click()
  await expect.element(page.getByText('Installed').last()).toBeVisible()
  await expect.element(button('Download Qwen3 8B Q6_K')).toBeVisible()
  await expect.element(button('Download Qwen3 8B Q3_K_M')).not.toBeInTheDocument()
  await button(/^Downloading, \d\d%$/)
    .first()
    .click()
  await expect.element(page.getByRole('tab', { name: /^Downloads/ })).toHaveAttribute('aria-selected', 'true')
})

test('the offline lock is explained, and disables every download', async () => {
  const host = await showModels(fill, { tab: 'discover', config: { network: { offline: true } } })
  await expect.element(page.getByText(/The offline lock is on: nothing can be downloaded/)).toBeVisible()
  await expect.element(button('Download Qwen3 8B Q4_K_M').first()).toBeDisabled()
  await address().fill('https://models.example/a.gguf')
  await expect.element(button('Download').last()).toBeDisabled()
  await host.elsewhere['network.lock']({ locked: false })
  await expect.element(button('Download').last()).toBeEnabled()
  await expect.element(page.getByText(/The offline lock is on/)).not.toBeInTheDocument()
})

test('a file can be downloaded from an address, with an optional checksum', async () => {
  const host = await showModels(fill, { tab: 'discover' })
  await address().fill('models.example/a.gguf')
  await expect.element(page.getByText('An address starts with https:// or http://.')).toBeVisible()
  await address().fill(`${host.filesUrl.replace('//', '//me:secret@')}/a.gguf`)
  const sum = page.getByRole('textbox', { name: 'Checksum (SHA-256)' })
  await sum.fill('123')
  await expect.element(page.getByText(/A SHA-256 checksum has 64 hexadecimal digits/)).toBeVisible()
  await expect.element(button('Download').last()).toBeDisabled()
  await sum.fill('a'.repeat(64))
  await button('Download').last().click()
  await expect
    .element(page.getByText('Talaria does not use addresses with a name and a password.'))
    .toBeVisible()
  await host.seed.servedFile({ name: 'a.gguf' })
  await address().fill(`${host.filesUrl}/a.gguf`)
  await button('Download').last().click()
  await expect.element(page.getByText('a.gguf is being downloaded.')).toBeVisible()
  expect(asked(host, 'download.start').at(-1)).toEqual({
    address: `${host.filesUrl}/a.gguf`,
    sha256: 'a'.repeat(64),
  })
  await expect.element(address()).toHaveValue('')
  // What came is another file than the one that was meant.
  await expect.element(page.getByText('a.gguf could not be added.')).toBeVisible()
})
