import type { Locator, Page } from '@playwright/test'
import { lookingBack, scriptedLearner, type ReviewScript } from '../testing/learning-script.ts'
import type { OpenAiServer, ServedRequest } from '../testing/openai-server.ts'

// How a person finds what was learned, and a model that finds what a spec wants it to find.

/** What a look back finds: these sentences about the person, each saved in a step of its own. */
export const finding = (...facts: string[]): ReviewScript => ({
  first: { worth: true, facts },
  review: facts.map(content => [{ name: 'memory', arguments: { target: 'user', action: 'add', content } }]),
})

/** Make the model answer every message alike, and find what it is told to whenever it looks back. */
export function teach(model: OpenAiServer, script: ReviewScript) {
  let present = script
  model.reply(
    scriptedLearner(
      () => ({ text: 'All right.' }),
      () => present,
    ),
  )
  const looks = (): ServedRequest[] => model.chats().filter(request => lookingBack(request) !== undefined)
  return {
    finds: (next: ReviewScript) => (present = next),
    /** The questions with which it was asked to look back. */
    looks,
    /** The requests of the chats themselves. */
    chats: (): ServedRequest[] => model.chats().filter(request => lookingBack(request) === undefined),
  }
}

const pages = (page: Page): Locator => page.getByRole('navigation', { name: 'Pages' })
/** The way to Activity; its name says how much waits there. */
export const activityWay = (page: Page): Locator => pages(page).getByRole('button', { name: /^Activity/ })
export const openActivity = (page: Page): Promise<void> => activityWay(page).click()
const cards = (page: Page, group: string): Locator =>
  page.getByRole('list', { name: group }).locator('[data-card-box]')
/** The cards that wait for an answer. */
export const waiting = (page: Page): Locator => cards(page, 'Waiting for you')
/** What was decided or done today. */
export const today = (page: Page): Locator => cards(page, 'Today')
/** One of them, by its headline. */
export const cardOf = (list: Locator, headline: string): Locator =>
  list.filter({ has: list.page().getByRole('heading', { name: headline, exact: true }) })
export const press = (card: Locator, name: string): Promise<void> =>
  card.getByRole('button', { name: new RegExp(`^${name}`) }).click()
export const underWay = (page: Page): Locator =>
  page.getByRole('list', { name: 'Reviews under way' }).getByRole('listitem')
export const rules = (page: Page): Locator =>
  page.getByRole('list', { name: 'What is not to be learned' }).getByRole('listitem')

/** Let the reviews that wait begin. */
export async function reviewNow(page: Page): Promise<void> {
  await page
    .getByRole('region', { name: 'Activity' })
    .getByRole('button', { name: 'More', exact: true })
    .click()
  await page.getByRole('menuitem', { name: 'Review now' }).click()
}
