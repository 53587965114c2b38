import { page } from 'vitest/browser'
import type { Proposal } from '../../shared/contract/learned/learning.ts'
import type { SeededProposal } from '../../../testing/window/protocol.ts'
import { goTo } from '../route.ts'
import { aReply, aUserMessage } from './messages.ts'
import { button, openWindow, startHost } from './show-window.tsx'
import type { PreparedHost, TestHost, TestHostOptions } from './test-host.ts'

const day = 86_400_000

/** A SKILL.md before and after a review improves it. */
const skillBefore = [
  '---',
  'name: weekly-report',
  'description: Write the report of a week. Use when somebody asks for the weekly report.',
  '---',
  ...Array.from({ length: 12 }, (_, index) => `${index + 1}. Step ${index + 1}`),
].join('\n')
const skillAfter = skillBefore.replace('12. Step 12', '12. Include discussions too')

const cost = {
  ms: 8_000,
  promptTokens: 3_900,
  reusedTokens: 2_000,
  outputTokens: 200,
  model: 'Served model',
}

const ago = (days: number) => Date.now() - days * day

/** Seed a home with two reviewed chats: three cards wait, and some are finished. */
export function fill({ seed }: PreparedHost): void {
  void seed.chat({
    id: 'c1',
    title: 'Setting up the project',
    messages: [
      aUserMessage({ id: 1, text: 'Please use pnpm here, I never use npm.' }),
      aReply({ id: 2, text: 'Noted.' }),
    ],
  })
  void seed.chat({
    id: 'c2',
    title: 'The weekly report',
    messages: [aUserMessage({ id: 11, text: 'Include discussions too.' }), aReply({ id: 12, text: 'Done.' })],
  })
  void seed.files({ 'skills/weekly-report/SKILL.md': skillBefore })
  void seed.entry({ id: 'bern', text: 'Lives in Bern.', createdAt: ago(60) })
  const at = Date.now()
  const found = { cost, endedAt: at }
  void seed.review({ ...found, id: 'r1', sessionId: 'c1', outcome: '2 proposed.' })
  void seed.review({
    ...found,
    id: 'r2',
    sessionId: 'c2',
    outcome: '1 proposed.',
    trigger: 'skill_nudge',
  })
  void seed.proposal({
    id: 'pnpm',
    reviewId: 'r1',
    sessionId: 'c1',
    headline: 'Uses pnpm for packages.',
    evidence: [{ messageId: 1, quote: 'Please use pnpm here, I never use npm.' }],
    at: at - 1_000,
  })
  void seed.proposal({
    id: 'bern',
    reviewId: 'r1',
    sessionId: 'c1',
    op: 'edit',
    headline: 'Lives in Basel.',
    before: 'Lives in Bern.',
    because: 'It would change what you wrote yourself.',
    at: at - 2_000,
  })
  void seed.proposal({
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
    at: at - 3_000,
  })
  void seed.proposal({
    id: 'short',
    sessionId: 'c1',
    headline: 'Prefers short answers.',
    state: 'kept',
    at: ago(41),
    decidedAt: ago(40),
  })
  const learned = { origin: 'agent', sessionId: 'c1', messageId: 1 } as const
  void seed.entry({
    ...learned,
    target: 'memory',
    text: 'The build is started with make.',
    createdAt: ago(50),
  })
  void seed.review({ sessionId: 'c1', endedAt: ago(60) })
}

/** The same with so many cards that the page has filters. */
export function fillMany(host: PreparedHost): void {
  fill(host)
  for (let n = 1; n <= 5; n++)
    void host.seed.proposal({
      reviewId: 'r1',
      headline: `Grows plant ${n}.`,
      state: 'kept',
      at: ago(70),
      decidedAt: ago(69),
    })
}

type Options = TestHostOptions & {
  itemId?: string
  /** Setup on the host before the window renders. */
  before?: (host: TestHost) => Promise<void>
}

/** Render the window on the Activity page, at a card if given. Reviews run only on request. */
export async function showActivity(
  prepare: (host: PreparedHost) => string | void = fill,
  { itemId, before, config, ...options }: Options = {},
): Promise<TestHost> {
  const learning = { mode: 'ask', idle_seconds: 3_600, only_on_mains: true, budget_tokens: 20_000 }
  const host = await startHost(
    each => {
      const chatId = prepare(each)
      if (typeof chatId === 'string') history.replaceState(null, '', `#chat=${chatId}`)
    },
    { ...options, config: { learning, ...config } },
  )
  await before?.(host)
  await openWindow(host)
  goTo({ page: 'activity', itemId: itemId ?? null })
  return host
}

/** Notify the window of something learned, as the host does after a review. */
export async function tellLearned(host: TestHost): Promise<void> {
  host.publish({ type: 'changed', areas: ['learning'] })
}

/** Add a proposal of a review while the window is open. */
export async function propose(host: TestHost, proposal: SeededProposal): Promise<void> {
  await host.seed.proposal(proposal)
  await tellLearned(host)
}

/** Edit a memory entry from another window. */
export const rewrite = (host: TestHost, id: string, expected: string, text: string) =>
  host.elsewhere['memory.edit']({ id, expected, text })

/** The states of the cards, by id. */
export async function statesOf(host: TestHost): Promise<Record<string, Proposal['state']>> {
  const { waiting, items } = await host.elsewhere['learning.activity']({ limit: 200 })
  const proposals = [...waiting, ...items.flatMap(item => (item.type === 'proposal' ? item.proposal : []))]
  return Object.fromEntries(proposals.map(({ id, state }) => [id, state]))
}

export const tab = (name: RegExp) => page.getByRole('tab', { name })
export const group = (name: string) => page.getByRole('list', { name, exact: true })
/** The headline of a card, which is the button that expands it. */
export const headline = (text: string) => page.getByRole('button', { name: text, exact: true })
/** A button of a card. */
export const press = (action: string, text: string) => button(`${action} ${text}`)

/** The label of a filter option; it covers the radio button. */
export const filter = (name: string) =>
  page.getByRole('group', { name: 'Filter' }).getByText(name, { exact: true })

/** Choose an item from the menu of a card. */
export async function choose(text: string, item: string): Promise<void> {
  await button(`More for “${text}”`).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** The headlines of a group, in order. */
export const headlines = (name: string) =>
  [...group(name).element().querySelectorAll('[data-card]')].map(each => each.textContent)

/** The learning requests of the page, without reads. */
export const changes = (host: TestHost) =>
  host.asked.filter(({ name }) => /^learning\.(?!activity|open|rules|weeks|ofChat)/.test(name))
