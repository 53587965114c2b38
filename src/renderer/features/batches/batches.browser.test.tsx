import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { HostClient } from '../../../shared/contract/index.ts'
import { expectAccessible, expectAccessibleAt } from '../../test/accessible.ts'
import { button, showWindow } from '../../test/show-window.tsx'
import type { TestHost } from '../../test/test-host.ts'

const rows = [{ prompt: 'One', id: 'first' }, { prompt: 'Two', id: 'sec\u202eond' }, { prompt: 'Three' }]
const workspaceFiles = {
  'rows.jsonl': `${rows.map(row => JSON.stringify(row)).join('\n')}\nnothing\n`,
}
const card = (name = 'rows') => page.getByRole('listitem', { name, exact: true })

/** Open the window at its list of batches. */
async function showBatches(): Promise<TestHost> {
  const host = await showWindow(() => {}, { workspaceFiles })
  await button('Activity').click()
  await page.getByRole('tab', { name: 'Batches' }).click()
  return host
}

/** Start a batch from another window, one attempt at a time. */
const startBatch = (host: TestHost, given: Partial<Parameters<HostClient['batch.start']>[0]> = {}) =>
  host.elsewhere['batch.start']({
    file: `${host.workspace}/rows.jsonl`,
    out: `${host.workspace}/results`,
    workers: 1,
    tools: false,
    ...given,
  })

/** Answer what is asked next; returns its text. */
async function answerNext(host: TestHost): Promise<string> {
  const asked = await host.nextAsked()
  await asked.say('Yes.')
  return asked.text
}

test('without a batch the page says what one is and how to start it, and one that starts shows at once', async () => {
  const host = await showBatches()
  await expect.element(page.getByText('No batches here')).toBeVisible()
  await expect.element(page.getByText('talaria batch rows.jsonl --out results')).toBeVisible()
  await expectAccessible()
  await startBatch(host, { budget: 1_000_000 })
  await expect.element(card()).toMatchTextContent('0 of 3 attempts')
  await expect.element(card()).toMatchTextContent('1 of 1 active')
  await expect.element(card()).toMatchTextContent('Lines left out1')
  await (await host.nextAsked()).say('Yes.')
  await expect.element(card()).toMatchTextContent('1 of 3 attempts')
  await expect.element(card()).toMatchTextContent('1 with an answer')
  await expect.element(card()).toMatchTextContent('of 1,000,000')
  await expect
    .element(card().getByRole('list', { name: 'Last attempts' }))
    .toMatchTextContent('firstAnswered')
  await (await host.nextAsked()).say('Yes.')
  await expect.element(card()).toMatchTextContent('sec⟨U+202E⟩ond')
  await (await host.nextAsked()).say('Yes.')
  await expect.element(card()).toMatchTextContent('Ended')
  await expect
    .element(card().getByRole('list', { name: 'Last attempts' }))
    .toMatchTextContent('Line 3Answered')
  await expect.element(button(/^(Pause|Resume) rows/)).not.toBeInTheDocument()
})

test('by the keyboard a batch is paused and goes on, and nothing is made twice', async () => {
  const host = await showBatches()
  await startBatch(host)
  await (await host.nextAsked()).say('Yes.')
  await host.nextAsked()
  await expect.element(card()).toMatchTextContent('1 of 3 attempts')
  page.getByRole('tabpanel').element().focus()
  await userEvent.keyboard('{Tab}')
  await expect.element(button('Pause: rows')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(card()).toMatchTextContent('It was paused.')
  await expectAccessibleAt(420, 1280)
  await expect.element(button('Resume: rows')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(button('Pause: rows')).toBeVisible()
  // One that was made ready and the one that was cut off come in no order.
  const asked = [await answerNext(host), await answerNext(host)]
  expect(asked.toSorted()).toEqual(['Three', 'Two'])
  await expect.element(card()).toMatchTextContent('3 of 3 attempts')
  await expect.element(card()).toMatchTextContent('Interrupted and repeated1')
  const { batches } = await host.elsewhere['batch.list']({})
  expect(batches.map(({ state, ended }) => [state, ended])).toEqual([['ended', 3]])
})

test('a batch that has used its budget says so, and is not offered to go on with the same one', async () => {
  const host = await showBatches()
  await startBatch(host, { budget: 1 })
  await (await host.nextAsked()).say('Yes.')
  await expect
    .element(card())
    .toMatchTextContent('The budget of 1 token is used up. Resume the batch with a larger budget.')
  await expect.element(button(/^(Pause|Resume) rows/)).not.toBeInTheDocument()
})

test('a batch that goes on in another window goes on once', async () => {
  const host = await showBatches()
  const { id } = await startBatch(host)
  await host.nextAsked()
  await host.elsewhere['batch.pause']({ id })
  await expect.element(button('Resume: rows')).toBeVisible()
  await host.elsewhere['batch.resume']({ id })
  await host.nextAsked()
  await expect(host.elsewhere['batch.resume']({ id })).rejects.toMatchObject({ code: 'not_found' })
})

test('after a lost connection the list is followed again', async () => {
  const host = await showBatches()
  await expect.element(page.getByText('No batches here')).toBeVisible()
  await host.disconnect()
  await startBatch(host)
  host.reconnect()
  await expect.element(card()).toMatchTextContent('0 of 3 attempts')
})
