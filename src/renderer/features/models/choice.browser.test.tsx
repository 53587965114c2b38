import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Fault } from '../../../shared/rpc.ts'
import { engineEvent } from '../../test/a-computer.ts'
import { button, showWindow, startHost, openWindow } from '../../test/show-window.tsx'

// Where a chat’s model is chosen, and what the engine holds.

const choice = () => page.getByRole('dialog', { name: 'Models' })
const open = () => button('Model: Served model').first().click()
const office = { name: 'Office', baseUrl: 'http://127.0.0.1:1/v1', model: 'big', apiKey: '' }

async function withOffice() {
  const host = await startHost()
  await host.elsewhere['model.addServer'](office)
  await openWindow(host)
  await open()
  return host
}

test('a model is one line: its name and one fact, with the rest in the tooltip', async () => {
  await withOffice()
  const demo = choice().getByRole('button', { name: /^Built-in demo model/ })
  await expect.element(demo).toMatchTextContent(/^Built-in demo model\s*built in$/)
  await expect.element(demo).toHaveAttribute('title', expect.stringContaining('Tiny, for a first look'))
  const office = choice().getByRole('button', { name: /^Office/ })
  await expect.element(office).toMatchTextContent(/^Office\s*on this computer$/)
  const height = (row: typeof demo) => row.element().getBoundingClientRect().height
  expect(height(demo)).toBe(height(office))
  await expect.element(choice().getByRole('button', { pressed: true })).toMatchTextContent(/^Served model/)
})

test('arrow keys walk through the models and around', async () => {
  await withOffice()
  const first = choice().getByRole('button', { name: /^Built-in demo model/ })
  const last = choice().getByRole('button', { name: /^Office/ })
  await expect.element(last).toBeVisible()
  ;(first.element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(last).toHaveFocus()
  await userEvent.keyboard('x{ArrowDown}')
  await expect.element(first).toHaveFocus()
})

test('a model becomes that of new chats, and is removed from the list, or it says why not', async () => {
  const host = await withOffice()
  await choice().getByRole('button', { name: 'Use for new chats: Office' }).click()
  await expect.element(choice().getByRole('button', { name: /^Office Default/ })).toBeVisible()
  host.failNext('model.forget', new Fault('internal', 'The disk is full.'))
  await choice().getByRole('button', { name: 'Remove from the list: Office' }).click()
  await expect.element(page.getByText('The disk is full.')).toBeVisible()
  await choice().getByRole('button', { name: 'Remove from the list: Office' }).click()
  await expect.element(page.getByText(/^Office was removed from the list\./)).toBeVisible()
  const { models } = await host.elsewhere['model.list']({})
  expect(models.map(({ name }) => name)).not.toContain('Office')
})

test('the way to the Models page', async () => {
  await withOffice()
  await choice().getByRole('button', { name: 'All models…' }).click()
  await expect.poll(() => location.hash).toMatch(/^#page=models/)
  await expect.element(choice()).not.toBeInTheDocument()
})

test('the engine says what it holds and how much it reads, and its memory can be freed', async () => {
  const host = await showWindow(() => {}, { config: { models: { default: 'builtin' } } })
  await button('Model: Built-in demo model').click()
  const panel = page.getByRole('region', { name: 'Engine' })
  await expect.element(panel.getByText(/ is not in memory\. It loads with your next message/)).toBeVisible()
  host.publish(engineEvent({ phase: 'loading', modelId: 'builtin', modelName: 'Small', progress: 0.4 }))
  await expect.element(panel.getByText('Small is being read into memory.')).toBeVisible()
  const notice = 'Fewer tokens fit than were set.'
  const ready = {
    phase: 'ready',
    modelId: 'builtin',
    modelName: 'Small',
    contextTokens: 4_096,
    notice,
  } as const
  host.publish(engineEvent(ready))
  await expect.element(panel.getByText('Small is in memory and answers at once.')).toBeVisible()
  await expect.element(panel.getByText('It reads up to 4,096 tokens at once.')).toBeVisible()
  await expect.element(panel.getByText(notice)).toBeVisible()
  host.failNext('model.unload', new Fault('busy', 'It is answering.'))
  await panel.getByRole('button', { name: 'Free the memory' }).click()
  await expect.element(page.getByText('It is answering.')).toBeVisible()
  await expect.element(panel).not.toBeInTheDocument()
})
