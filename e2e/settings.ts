import type { Locator, Page } from '@playwright/test'
import { openPage } from './chat.ts'

// Locators for the parts of the settings.

/** The settings page. */
export const settings = (page: Page): Locator => page.getByRole('region', { name: 'Settings', exact: true })

/** Open the settings, and one of their sections if named. */
export async function openSettings(page: Page, section?: string): Promise<void> {
  await openPage(page, 'Settings')
  if (section === undefined) return
  const list = settings(page).getByRole('navigation', { name: 'Sections' })
  // In a narrow window the sections are a list to choose from.
  const choice = settings(page).getByRole('combobox', { name: 'Section' })
  await list.or(choice).first().waitFor()
  if (await choice.isVisible()) await choice.selectOption(section)
  else await list.getByRole('button', { name: section }).click()
}

/** The row of one setting, by its path. */
export const settingRow = (page: Page, path: string): Locator =>
  settings(page).locator(`[data-setting="${path}"]`)
