import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { aFit, GB, stillLooking, type Computer } from '../../../test/a-computer.ts'
import { button } from '../../../test/show-window.tsx'
import { asked, card, details, fill, showModels } from '../../../test/models.tsx'

const slider = () => page.getByRole('slider', { name: 'Context' })
const part = (name: string) => document.querySelector<HTMLElement>(`.memory-bar [data-part="${name}"]`)!
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const shareOf = (name: string) => Number.parseFloat(part(name).style.inlineSize)

async function open(name = 'big-8b', fit?: Computer['fit']) {
  const host = await showModels(fill, fit ? { computer: { fit } } : {})
  await details(name).click()
  await expect.element(slider()).toBeVisible()
  return host
}

test('the memory bar follows the context slider', async () => {
  const host = await open()
  await expect.element(slider()).toHaveAttribute('aria-valuetext', '8,192 tokens')
  await expect.element(card('big-8b')).toMatchTextContent('Needs 6.5 GB for 2 chats, of 11 GB available.')
  const before = shareOf('context')
  slider().element().focus()
  await userEvent.keyboard('{End}')
  await expect.element(slider()).toHaveAttribute('aria-valuetext', '40,960 tokens')
  await expect.poll(() => shareOf('context')).toBeGreaterThan(before)
  expect(asked(host, 'model.fit').at(-1)).toEqual({ id: host.big, contextTokens: 40_960 })
  await expect.element(card('big-8b')).toMatchTextContent('Needs 10.8 GB for 2 chats, of 11 GB')
})

test('a context chosen with the slider applies to one load, or to the model when saved', async () => {
  const host = await open()
  slider().element().focus()
  await userEvent.keyboard('{ArrowRight}')
  await button('Load with 12,288 tokens').click()
  expect(asked(host, 'model.load')).toEqual([{ id: host.big, options: { contextTokens: 12_288 } }])
  expect(asked(host, 'model.setOptions')).toEqual([])
  await button('Use for this model').click()
  expect(asked(host, 'model.setOptions')).toEqual([
    { id: host.big, options: { temperature: 0.7, contextTokens: 12_288 } },
  ])
  await expect.element(page.getByText('12,288 tokens are now set for this model.')).toBeVisible()
  await expect.element(button('Use for this model')).not.toBeInTheDocument()
  await button('Use the setting').click()
  expect(asked(host, 'model.setOptions').at(-1)).toEqual({ id: host.big, options: { temperature: 0.7 } })
  await expect.element(slider()).toHaveAttribute('aria-valuetext', '8,192 tokens')
})

test('a context that does not fit offers the largest that does, and can be loaded anyway', async () => {
  // With more than six thousand tokens it is too big.
  const host = await open('big-8b', (sizeBytes, tokens) =>
    aFit(sizeBytes, tokens, {
      mostContextTokens: 6_000,
      ...(tokens > 6_000 ? { label: 'too_big', missingBytes: GB } : {}),
    }),
  )
  await expect.element(card('big-8b')).toMatchTextContent('Too big: 1 GB missing')
  await button('Load anyway').last().click()
  expect(asked(host, 'model.load')).toEqual([{ id: host.big, anyway: true }])
  await button('Largest that fits: 6,000').click()
  await expect.element(button('Load with 6,000 tokens')).toBeVisible()
  await expect.element(slider()).toHaveAttribute('aria-valuetext', '6,000 tokens')
})

test('the bar of a model that is too big marks the end of memory', async () => {
  await open('huge-70b')
  await expect.poll(() => document.querySelector('.memory-limit')).not.toBeNull()
  const limit = document.querySelector<HTMLElement>('.memory-limit')!
  const ends = Number.parseFloat(limit.style.insetInlineStart)
  // 16 GB of the 49.5 that would be taken.
  expect(ends).toBeGreaterThan(30)
  expect(ends).toBeLessThan(35)
})

test('an uncertain estimate is marked, and an unknown one shows no figures', async () => {
  const host = await open('big-8b', (_, tokens, id) =>
    id.includes('huge')
      ? aFit(0, tokens, { label: 'unknown', neededBytes: 0, uncertain: 'The file says too little.' })
      : aFit(5 * GB, tokens, { uncertain: 'It is a close call.' }),
  )
  await expect.element(card('big-8b')).toMatchTextContent('≈ Fits into memory')
  await expect.element(card('big-8b')).toMatchTextContent('It is a close call.')
  await details('huge-70b').click()
  await expect.element(card('huge-70b')).toMatchTextContent('The file says too little.')
  await expect.element(button('Load with 8,192 tokens')).toBeEnabled()
  expect(card('huge-70b').element().textContent).not.toMatch(/NaN|Needs/)
  expect(asked(host, 'model.fit')).not.toEqual([])
})

test('figures are there at once, and again when a graphics card was looked for', async () => {
  let endSearch = () => {}
  await showModels(host => {
    fill(host)
    endSearch = host.holdNext('machine.look')
  })
  await expect.element(card('big-8b')).toMatchTextContent('≈ Fits into memory')
  await details('big-8b').click()
  await expect.element(card('big-8b')).toMatchTextContent('Needs 6.5 GB for 2 chats, of 11 GB available.')
  await expect.element(card('big-8b')).toMatchTextContent(stillLooking)
  endSearch()
  await expect.element(card('big-8b')).not.toMatchTextContent(stillLooking)
  await expect.element(card('big-8b')).toMatchTextContent('Needs 6.5 GB for 2 chats, of 11 GB available.')
  await expect.element(card('big-8b')).not.toMatchTextContent('≈')
})

test('a card opens with the figures of the list, marked as an estimate until the exact ones are there', async () => {
  const host = await showModels(fill)
  await expect.element(card('big-8b')).toMatchTextContent('Fits into memory')
  const answer = host.holdNext('model.fit')
  await details('big-8b').click()
  await expect.element(card('big-8b')).toMatchTextContent('≈ Fits into memory')
  await expect.element(card('big-8b')).toMatchTextContent('Needs 6.5 GB for 2 chats, of 11 GB available.')
  answer()
  await expect.element(card('big-8b')).not.toMatchTextContent('≈')
  await expect.element(card('big-8b')).toMatchTextContent('Needs 6.5 GB for 2 chats, of 11 GB available.')
})

test('memory freed from another model is mentioned', async () => {
  await open('big-8b', (_, tokens) => aFit(5 * GB, tokens, { freedBytes: 2 * GB }))
  await expect.element(card('big-8b')).toMatchTextContent('2 GB from another model is freed first.')
})

test('the file’s metadata is shown without loading it', async () => {
  await open()
  const said = card('big-8b')
  await expect.element(said).toMatchTextContent('Quantisation')
  await expect.element(said).toMatchTextContent('Q4_K_M, 4.5 bits per weight')
  await expect.element(said).toMatchTextContent('Hermes JSON (from its template)')
  await expect.element(said).toMatchTextContent('apache-2.0')
  await expect.element(said).toMatchTextContent('(Talaria’s own folder)')
})

test('a setting is saved on leaving its field, and an empty one means automatic', async () => {
  const host = await open()
  await field('Temperature').fill('0,2')
  await userEvent.keyboard('{Enter}')
  await field('Top K').fill('40')
  await userEvent.tab()
  await field('Temperature').fill('')
  await userEvent.tab()
  await expect
    .poll(() => asked(host, 'model.setOptions'))
    .toEqual([
      { id: host.big, options: { temperature: 0.2 } },
      { id: host.big, options: { temperature: 0.2, topK: 40 } },
      { id: host.big, options: { topK: 40 } },
    ])
})

test('an invalid value is reported at its field and not saved', async () => {
  const host = await open()
  await field('Top P').fill('2')
  await expect.element(page.getByText('A number from 0 to 1.')).toBeVisible()
  await userEvent.tab()
  expect(asked(host, 'model.setOptions')).toEqual([])
  await field('Top P').click()
  await userEvent.keyboard('{Escape}')
  await expect.element(field('Top P')).toHaveValue('')
})

test('expert settings are collapsed until opened', async () => {
  const host = await open()
  await expect.element(field('Threads')).not.toBeInTheDocument()
  await button('For experts').click()
  await field('Threads').fill('4')
  await userEvent.tab()
  await page.getByRole('combobox', { name: 'How tools are called' }).selectOptions('As data')
  await page.getByRole('combobox', { name: 'Tool call format' }).selectOptions('Mistral')
  await expect
    .poll(() => asked(host, 'model.setOptions').at(-1))
    .toEqual({
      id: host.big,
      options: { temperature: 0.7, threads: 4, strategy: 'structured', format: 'mistral' },
    })
  await button('Back to automatic').click()
  await expect.poll(() => asked(host, 'model.setOptions').at(-1)).toEqual({ id: host.big, options: {} })
})

test('how many chats it holds and how exactly can be set, and taken back', async () => {
  const host = await open()
  await button('For experts').click()
  await field('Chats at the same time').fill('9')
  await expect.element(page.getByText('A whole number from 1 to 8.')).toBeVisible()
  await field('Chats at the same time').fill('3')
  await userEvent.keyboard('{Enter}')
  const exactness = page.getByRole('combobox', { name: 'Precision of the context' })
  await exactness.selectOptions('8 bits, about half the memory')
  const last = () => asked(host, 'model.setOptions').at(-1)
  await expect.poll(last).toEqual({ id: host.big, options: { temperature: 0.7, chats: 3, contextBits: 8 } })
  await exactness.selectOptions('16 bits')
  await expect.poll(last).toEqual({ id: host.big, options: { temperature: 0.7, chats: 3 } })
})

test('in expert mode they are open from the start', async () => {
  await showModels(fill, { config: { ui: { expert: true } } })
  await details('big-8b').click()
  await expect.element(field('Batch')).toBeVisible()
})
