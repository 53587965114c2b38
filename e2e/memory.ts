import type { Locator, Page } from '@playwright/test'
import type { ServedRequest } from '../testing/openai-server.ts'

// How a person finds the parts of the memory, and what a spec needs to know of what reached the model.

/** A reply that saves a sentence about the person. */
export const remember = (content: string) => ({
  toolCalls: [{ name: 'memory', arguments: { action: 'add', target: 'user', content } }],
})

/** The prompt that a request began with. */
export const promptOf = (request: ServedRequest | undefined): string =>
  String(request?.body.messages[0].content)

export const newChat = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'New chat', exact: true }).click()
export const openMemory = (page: Page): Promise<void> =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Memory', exact: true }).click()
export const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name })
/** What is known about the person, one item for each entry. */
export const known = (page: Page): Locator =>
  page.getByRole('list', { name: 'What is known about you' }).getByRole('listitem')
export const changes = (page: Page): Locator =>
  page.getByRole('list', { name: 'Changes' }).getByRole('listitem')
/** An entry in full, beside the list. */
export const detail = (page: Page): Locator => page.getByRole('complementary', { name: 'Entry' })
/** The panel that shows what the model sees. */
export const context = (page: Page): Locator => page.getByRole('complementary', { name: 'Context' })
/** What the corner says. */
export const corner = (page: Page): Locator => page.getByRole('region', { name: 'Messages', exact: true })
/** The chips under the turns: what was changed in memory there. */
export const chips = (page: Page): Locator =>
  page.getByRole('list', { name: 'Changed in memory' }).getByRole('listitem')
