import { page } from 'vitest/browser'
import { go } from '../../route.ts'
import type { FakeHost, FakeHostOptions } from '../../test/fake-host.ts'
import { aReply, aRevision, aUserMessage } from '../../test/messages.ts'
import { button, showApp } from '../../test/show-app.tsx'

const day = 86_400_000

/** A SKILL.md before and after a review has improved it. */
export const skillBefore = [
  '---',
  'name: weekly-report',
  '---',
  ...Array.from({ length: 12 }, (_, index) => `${index + 1}. Step ${index + 1}`),
].join('\n')
export const skillAfter = skillBefore.replace('12. Step 12', '12. Include discussions too')

/** A host that has looked back at two chats: three cards wait, and some are over. */
export function fill(host: FakeHost): void {
  const { learning } = host
  const ago = (days: number) => Date.now() - days * day
  host.addSession({ id: 'c1', title: 'Setting up the project' }, [
    aUserMessage({ id: 1, text: 'Please use pnpm here, I never use npm.' }),
    aReply({ id: 2, text: 'Noted.' }),
  ])
  host.addSession({ id: 'c2', title: 'The weekly report' }, [
    aUserMessage({ id: 11, text: 'Include discussions too.' }),
    aReply({ id: 12, text: 'Done.' }),
  ])
  learning.propose({
    id: 'pnpm',
    reviewId: 'r1',
    headline: 'Uses pnpm for packages.',
    evidence: [{ messageId: 1, quote: 'Please use pnpm here, I never use npm.' }],
    at: Date.now() - 1_000,
  })
  learning.propose({
    id: 'bern',
    reviewId: 'r1',
    op: 'edit',
    headline: 'Lives in Basel.',
    before: 'Lives in Bern.',
    after: 'Lives in Basel.',
    because: 'It would change what you wrote yourself.',
    trigger: 'session_end',
    at: Date.now() - 2_000,
  })
  learning.propose({
    id: 'report',
    reviewId: 'r2',
    sessionId: 'c2',
    kind: 'skill',
    op: 'edit',
    headline: 'Change of the skill “weekly-report”',
    place: 'weekly-report',
    before: skillBefore,
    after: skillAfter,
    evidence: [{ messageId: 11, quote: 'Include discussions too.' }],
    trigger: 'skill_nudge',
    at: Date.now() - 3_000,
  })
  learning.propose({
    id: 'short',
    reviewId: 'r3',
    headline: 'Prefers short answers.',
    state: 'kept',
    at: ago(41),
    decidedAt: ago(40),
    memoryRevisions: [3],
  })
  learning.saved({
    id: 'make',
    headline: 'The build is started with make.',
    memory: [aRevision({ id: 4, entryId: 'n4', target: 'memory', after: 'The build is started with make.' })],
    at: ago(50),
  })
  learning.review({ id: 'r4', title: 'Setting up the project', endedAt: ago(60) })
}

/** Draw the window on the Activity page, at a card if one is named. */
export async function showActivity(
  prepare: (host: FakeHost) => void = fill,
  options?: FakeHostOptions & { itemId?: string },
): Promise<FakeHost> {
  const host = await showApp(prepare, options)
  go({ page: 'activity', itemId: options?.itemId ?? null })
  return host
}

export const tab = (name: RegExp) => page.getByRole('tab', { name })
export const group = (name: string) => page.getByRole('list', { name, exact: true })
/** The headline of a card, which is the button that opens it. */
export const headline = (text: string) => page.getByRole('button', { name: text, exact: true })
/** A button of a card. */
export const press = (action: string, text: string) => button(`${action} ${text}`)

/** A choice of what is shown; the radio button itself lies under its words. */
export const filter = (name: string) =>
  page.getByRole('group', { name: 'What is shown' }).getByText(name, { exact: true })

/** Choose from the menu of a card. */
export async function choose(text: string, item: string): Promise<void> {
  await button(`More for “${text}”`).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** The headlines of a group, in order. */
export const headlines = (name: string) =>
  [...group(name).element().querySelectorAll('[data-card]')].map(each => each.textContent)

/** What the page asked of the learning, without looking. */
export const changes = (host: FakeHost) =>
  host.asked.filter(({ name }) => /^learning\.(?!activity|open|rules|weeks|ofChat)/.test(name))
