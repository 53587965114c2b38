import { page } from 'vitest/browser'
import type { MemoryEntry } from '../../shared/contract/learned/memory.ts'
import { goTo } from '../route.ts'
import { aReply, aUserMessage } from './messages.ts'
import { button, showWindow } from './show-window.tsx'
import type { PreparedHost, TestHost, TestHostOptions } from './test-host.ts'

const day = 86_400_000

/** Seed a home with a typical memory: three facts about the user, and two notes. */
export function fill({ seed }: PreparedHost): void {
  const ago = (days: number) => ({
    createdAt: Date.now() - days * day,
    updatedAt: Date.now() - days * day,
  })
  void seed.chat({
    id: 'c1',
    title: 'Setting up the project',
    messages: [
      aUserMessage({ id: 1, text: 'Please use pnpm here, I never use npm.' }),
      aReply({ id: 2, text: 'Noted.' }),
    ],
  })
  const learned = { origin: 'agent', sessionId: 'c1', messageId: 1 } as const
  void seed.project('garden')
  void seed.entry({ id: 'bern', text: 'Lives in Bern.', uses: 12, ...ago(60) })
  void seed.entry({ id: 'short', text: 'Prefers short answers.', locked: true, ...ago(10) })
  void seed.entry({ id: 'pnpm', text: 'Uses pnpm for packages.', uses: 1, ...learned, ...ago(2) })
  void seed.entry({
    id: 'beds',
    target: 'memory',
    project: 'garden',
    text: 'Bed 3 has the potatoes.',
    ...ago(40),
  })
  void seed.entry({
    id: 'make',
    target: 'memory',
    text: 'The build is started with make.',
    origin: 'agent',
  })
}

/** The same, with so many facts that the list has filters and checkboxes. They are locked. */
export function fillMany(host: PreparedHost): void {
  fill(host)
  for (const tea of ['Assam', 'Darjeeling', 'Lapsang', 'Oolong', 'Sencha', 'Yunnan'])
    void host.seed.entry({ text: `Likes ${tea}.`, locked: true })
}

/** Seed a fact of a given length that is never the first suggestion for removal. */
export function takeRoom({ seed }: PreparedHost, letters: number): void {
  void seed.entry({ text: 'x'.repeat(letters), locked: true })
}

type Options = TestHostOptions & { entryId?: string }

/** Render the window on the Memory page, at an entry if given. Limits are low, so tests can reach them. */
export async function showMemory(
  prepare: (host: PreparedHost) => void = fill,
  { entryId, config, ...options }: Options = {},
): Promise<TestHost> {
  const host = await showWindow(prepare, {
    ...options,
    config: { memory: { user_limit: 400, notes_limit: 600 }, ...config },
  })
  goTo({ page: 'memory', entryId: entryId ?? null })
  return host
}

/** The lowest limits that the settings allow for memory files. */
export const tight = { memory: { user_limit: 200, notes_limit: 200 } }

export const viewOf = (host: TestHost) => host.elsewhere['memory.view']({})
export const entriesOf = async (host: TestHost) => (await viewOf(host)).entries
export const entryOf = async (host: TestHost, id: string): Promise<MemoryEntry | undefined> =>
  (await entriesOf(host)).find(each => each.id === id)

/** Edit an entry from another window. */
export async function rewrite(host: TestHost, id: string, text: string): Promise<void> {
  const { text: expected } = (await entryOf(host, id))!
  await host.elsewhere['memory.edit']({ id, text, expected })
}

/** Edit an entry as the agent, and notify the window. */
export async function agentWrites(host: TestHost, id: string, text: string): Promise<void> {
  await host.seed.edit({ id, text, actor: 'agent' })
  host.publish({ type: 'changed', areas: ['memory'] })
}

/** A memory file with these entries, as another program would write it. */
export const aFile = (...texts: string[]) => `${texts.join('\n§\n')}\n`

export const tab = (name: RegExp) => page.getByRole('tab', { name })
export const list = (name = 'What is known about you') => page.getByRole('list', { name, exact: true })
/** The text of an entry, which is its edit button. */
export const entry = (text: string) => list().getByRole('button', { name: text, exact: true })
export const note = (text: string) => list('Notes').getByRole('button', { name: text, exact: true })
export const editor = () => page.getByRole('textbox', { name: 'Text of the entry' })
export const addField = () => page.getByRole('textbox', { name: 'Add something to remember' })

/** Choose an item from the menu of an entry. */
export async function choose(text: string, item: string): Promise<void> {
  await button(`More for “${text}”`).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** The memory requests of the page, without reads. */
export const changes = (host: TestHost) =>
  host.asked.filter(({ name }) => /^memory\.(?!view|history|archive|preview)/.test(name))
