import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Fault } from '../../../../shared/rpc.ts'
import { aCatalogueFile, aCatalogueModel, aTransfer } from '../../../test/fake-models.ts'
import { button } from '../../../test/show-app.tsx'
import { asked, big, fill, showModels } from '../test-models.tsx'

const sizes = (name: string) => button(new RegExp(`^${name} by`, 'u'))
const address = () => page.getByRole('textbox', { name: 'Address of a .gguf file' })

test('the three that suit this computer stand on top, and one of them is recommended', async () => {
  const host = await showModels(fill, { tab: 'discover' })
  await expect.element(page.getByText('Models up to about 8 GB run well on this computer.')).toBeVisible()
  const cards = [...document.querySelectorAll('.suggested-card')].map(card => card.textContent)
  expect(cards).toHaveLength(3)
  expect(cards[0]).toMatch(/^Light.*Ant 1B.*4 GB · Q3_K_M.*Fits into memory/)
  expect(cards[1]).toMatch(/^Balanced.*Recommended.*Fox 8B/)
  expect(cards[2]).toMatch(/^Best that fits.*Owl 70B/)
  await button('Download Fox 8B Q4_K_M').first().click()
  expect(asked(host, 'transfer.download')).toEqual([{ catalogueId: 'Fox 8B-balanced' }])
  await expect.element(page.getByText('Fox 8B Q4_K_M is being fetched.')).toBeVisible()
  await expect.element(button('On its way, 0%').first()).toBeVisible()
})

test('one model that is suggested twice is shown once', async () => {
  await showModels(
    host => {
      fill(host)
      host.files.catalogue.suggested = { light: 'Ant 1B-small', balanced: 'Ant 1B-small', best: '' }
    },
    { tab: 'discover' },
  )
  await expect.element(page.getByText('Recommended.')).toBeVisible()
  expect(document.querySelectorAll('.suggested-card')).toHaveLength(1)
})

test('the list says that nothing was fetched, and asks for nothing', async () => {
  const host = await showModels(fill, { tab: 'discover' })
  await expect
    .element(page.getByText(/put together on .*2026\. Nothing was fetched to show it/))
    .toBeVisible()
  expect(asked(host, 'transfer.download')).toEqual([])
})

test('a row opens to its sizes, each with what is missing, and its licence', async () => {
  const host = await showModels(fill, { tab: 'discover' })
  await sizes('Fox 8B').click()
  const large = page.getByRole('listitem').filter({ hasText: /^Large/u })
  await expect.element(large).toMatchTextContent('11 GB · Q8_0')
  await expect.element(large).toMatchTextContent(/Too big: 1\.5 GB missing/)
  await expect
    .element(page.getByRole('link', { name: 'Licence: Apache 2.0' }))
    .toHaveAttribute('href', 'https://models.example/licence')
  await large.getByRole('button', { name: 'Download Fox 8B Q8_0' }).click()
  expect(asked(host, 'transfer.download')).toEqual([{ catalogueId: 'Fox 8B-large' }])
})

test('the list is searched by name, maker and what a model is good at', async () => {
  await showModels(fill, { tab: 'discover' })
  const search = page.getByRole('textbox', { name: 'Search the list' })
  await search.fill('night')
  await expect.element(sizes('Owl 70B')).toBeVisible()
  await expect.element(sizes('Fox 8B')).not.toBeInTheDocument()
  await search.fill('tools LONGER')
  await expect.element(sizes('Fox 8B')).toBeVisible()
  await search.fill('elephant')
  await expect.element(page.getByText('Nothing in the list has “elephant”.')).toBeVisible()
})

test('what is here already, or on its way, cannot be fetched twice', async () => {
  await showModels(
    host => {
      fill(host)
      const files = [
        aCatalogueFile('here', { quantisation: 'Q3_K_M', size: 'small', modelId: big }),
        aCatalogueFile('coming', { quantisation: 'Q4_K_M' }),
        aCatalogueFile('gone', { quantisation: 'Q8_0', size: 'large', modelId: '/not/here.gguf' }),
      ]
      host.files.catalogue.models = [aCatalogueModel('Elk', { files })]
      host.files.transfer(aTransfer({ id: 't', from: files[1]!.address }))
    },
    { tab: 'discover' },
  )
  await sizes('Elk').click()
  await expect.element(page.getByText('Installed').last()).toBeVisible()
  await expect.element(button('Download Elk Q8_0')).toBeVisible()
  await expect.element(button('Download Elk Q3_K_M')).not.toBeInTheDocument()
  await button('On its way, 42%').click()
  await expect.element(page.getByRole('tab', { name: /^Downloads/ })).toHaveAttribute('aria-selected', 'true')
})

test('the offline lock says what it means, and holds every button', async () => {
  const host = await showModels(fill, { tab: 'discover', hello: { locked: true } })
  await expect.element(page.getByText(/The offline lock is on: nothing can be downloaded/)).toBeVisible()
  await expect.element(button('Download Fox 8B Q4_K_M').first()).toBeDisabled()
  await address().fill('https://models.example/a.gguf')
  await expect.element(button('Download').last()).toBeDisabled()
  host.publish({ type: 'network', locked: false })
  await expect.element(button('Download').last()).toBeEnabled()
  await expect.element(page.getByText(/The offline lock is on/)).not.toBeInTheDocument()
})

test('a file is fetched from an address, with its checksum if there is one', async () => {
  const host = await showModels(fill, { tab: 'discover' })
  await address().fill('models.example/a.gguf')
  await expect.element(page.getByText('An address starts with https:// or http://.')).toBeVisible()
  await address().fill('https://models.example/a.gguf')
  const sum = page.getByRole('textbox', { name: 'Checksum (SHA-256)' })
  await sum.fill('123')
  await expect.element(page.getByText(/A checksum has 64 digits/)).toBeVisible()
  await expect.element(button('Download').last()).toBeDisabled()
  await sum.fill('a'.repeat(64))
  host.failNext('transfer.download', new Fault('bad_input', 'There is not enough space on the disk.'))
  await button('Download').last().click()
  await expect.element(page.getByText('There is not enough space on the disk.')).toBeVisible()
  await button('Download').last().click()
  await expect.element(page.getByText('a.gguf is being fetched.')).toBeVisible()
  expect(asked(host, 'transfer.download').at(-1)).toEqual({
    address: 'https://models.example/a.gguf',
    sha256: 'a'.repeat(64),
  })
  await expect.element(address()).toHaveValue('')
})
