import type { Locator, Page } from '@playwright/test'
import type { ServedRequest } from '../testing/servers/openai-server.ts'
import { openPage } from './chat.ts'

// Locators for the parts of the memory, and helpers to check what reached the model.

/** A reply that saves a fact about the user. */
export const remember = (content: string) => ({
  toolCalls: [{ name: 'memory', arguments: { action: 'add', target: 'user', content } }],
})

/** The system prompt of a request. */
export const promptOf = (request: ServedRequest | undefined): string =>
  String(request?.body.messages[0].content)

export const newChat = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'New chat', exact: true }).click()
export const openMemory = (page: Page): Promise<void> => openPage(page, 'Memory')
export const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name })
/** The list of facts about the user, one item for each entry. */
export const known = (page: Page): Locator =>
  page.getByRole('list', { name: 'What is known about you' }).getByRole('listitem')
export const changes = (page: Page): Locator =>
  page.getByRole('list', { name: 'Changes' }).getByRole('listitem')
/** The details of an entry, beside the list. */
export const detail = (page: Page): Locator => page.getByRole('complementary', { name: 'Entry' })
/** The panel that shows what the model sees. */
export const context = (page: Page): Locator => page.getByRole('complementary', { name: 'Context' })
/** The messages in the corner. */
export const corner = (page: Page): Locator => page.getByRole('status', { name: 'What just happened' })
/** The chips under the turns, which show memory changes. */
export const chips = (page: Page): Locator =>
  page.getByRole('list', { name: 'Changed in memory' }).getByRole('listitem')
