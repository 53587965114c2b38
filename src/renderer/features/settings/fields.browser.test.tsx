import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { choice, field, press, showSettings, type Shown } from '../../test/settings.tsx'

const base_url = 'http://127.0.0.1:1/v1'
const servers = [
  { id: 'big', name: 'Big model', base_url, model: 'big' },
  { id: 'spare', name: 'Spare model', base_url, model: 'spare' },
]
const value = (host: Shown, path: string) => host.value(path)

test('a valid number is saved by Enter or on leaving the field, and Esc restores the old one', async () => {
  const host = await showSettings(undefined, { section: 'permissions' })
  const minutes = field('Approval timeout')
  await minutes.fill('0,5')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => value(host, 'approvals.wait_minutes')).toBe(0.5)
  await minutes.fill('soon')
  await expect.element(page.getByText('A number from 0.1 to 1,440.')).toBeVisible()
  await expect.element(minutes).toHaveAccessibleDescription('A number from 0.1 to 1,440.')
  await userEvent.keyboard('{Enter}')
  expect(await value(host, 'approvals.wait_minutes')).toBe(0.5)
  await userEvent.keyboard('{Escape}')
  await expect.element(minutes).toHaveValue('0.5')
  await minutes.fill('3')
  await userEvent.tab()
  await expect.poll(() => value(host, 'approvals.wait_minutes')).toBe(3)
})

test('a field for whole numbers refuses fractions', async () => {
  const host = await showSettings(undefined, { section: 'models' })
  await field('Context of local models').fill('4096.5')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('A whole number from 512 to 1,048,576.')).toBeVisible()
  expect(await value(host, 'engine.context_tokens')).toBe(8_192)
})

test('an automatic number can be set by hand and made automatic again', async () => {
  const host = await showSettings(undefined, { section: 'models', config: { ui: { expert: true } } })
  await choice('Threads').selectOptions('A number')
  expect(await value(host, 'engine.threads')).toBe('auto')
  await field('Threads, number').fill('300')
  await expect.element(page.getByText('A whole number from 1 to 256.')).toBeVisible()
  await field('Threads, number').fill('3')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => value(host, 'engine.threads')).toBe(3)
  await choice('Threads').selectOptions('Automatic')
  await expect.poll(() => value(host, 'engine.threads')).toBe('auto')
  await expect.element(field('Threads, number')).not.toBeInTheDocument()
})

test('models are chosen by name, and a missing one is marked as gone', async () => {
  const host = await showSettings(undefined, {
    section: 'models',
    config: { ui: { expert: true }, models: { servers, fast: 'old' } },
  })
  await expect.element(choice('Quick model')).toHaveValue('old')
  await expect.element(page.getByRole('option', { name: 'old (no longer available)' })).toBeInTheDocument()
  await choice('Quick model').selectOptions('Big model')
  await expect.poll(() => value(host, 'models.fast')).toBe('server:big')
  await choice('Quick model').selectOptions('None')
  await expect.poll(() => value(host, 'models.fast')).toBe('')
  await choice('Reviews').selectOptions('A server set in the environment')
  await expect.poll(() => value(host, 'models.auxiliary')).toMatchObject({ summary: 'chat', draft: 'auto' })
})

test('a model that describes pictures is chosen, and the page says where pictures go then', async () => {
  const host = await showSettings(undefined, {
    section: 'models',
    config: {
      ui: { expert: true },
      models: {
        servers: [
          ...servers,
          { id: 'eye', name: 'Eye', base_url: 'https://eye.example/v1', model: 'gpt-4o' },
          { id: 'blind', name: 'Blind', base_url: 'https://eye.example/v1', model: 'deepseek-chat' },
        ],
      },
    },
  })
  const vision = choice('Descriptions of pictures')
  const says = (text: RegExp) => expect.element(page.getByText(text)).toBeVisible()
  await says(/^Models that do not see are given no pictures\.$/)
  await expect.element(vision.getByRole('option', { name: 'Blind (does not see)' })).toBeInTheDocument()
  await vision.selectOptions('Eye')
  await expect.poll(() => value(host, 'models.auxiliary')).toMatchObject({ vision: 'server:eye' })
  await says(/go to Eye at eye\.example, which describes them\. You are asked before the first one\.$/)
  await vision.selectOptions('Big model')
  await says(/go to Big model on this computer, which describes them\.$/)
  await vision.selectOptions('None')
  await expect.poll(() => value(host, 'models.auxiliary')).toMatchObject({ vision: 'chat' })
})

test('fallback models can be added, reordered and removed', async () => {
  const host = await showSettings(undefined, {
    section: 'models',
    config: { ui: { expert: true }, models: { servers } },
  })
  const add = choice('Add to If a server does not answer')
  await add.selectOptions('Big model')
  await add.selectOptions('Spare model')
  await expect.poll(() => value(host, 'models.fallback')).toEqual(['server:big', 'server:spare'])
  await press('Move Spare model up').click()
  await expect.poll(() => value(host, 'models.fallback')).toEqual(['server:spare', 'server:big'])
  await press('Remove Spare model').click()
  await expect.poll(() => value(host, 'models.fallback')).toEqual(['server:big'])
})

test('folders can be added to and removed from a list, without duplicates', async () => {
  const host = await showSettings(undefined, { section: 'learning', config: { ui: { expert: true } } })
  const add = field('Add to More folders with skills')
  await add.fill('  /srv/skills ')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => value(host, 'skills.folders')).toEqual(['/srv/skills'])
  await expect.element(add).toHaveValue('')
  await add.fill('/srv/skills')
  await userEvent.keyboard('{Enter}')
  expect(await value(host, 'skills.folders')).toEqual(['/srv/skills'])
  await press('Remove /srv/skills').click()
  await expect.poll(() => value(host, 'skills.folders')).toEqual([])
  await expect.element(add).toHaveFocus()
})

test('full access for new chats shows a warning', async () => {
  const host = await showSettings(undefined, { section: 'permissions' })
  await choice('New chats may').selectOptions('Full access')
  await expect.element(page.getByText(/^New chats will not ask you anything/)).toBeVisible()
  expect(await value(host, 'approvals.default')).toBe('full')
})
