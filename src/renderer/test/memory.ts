import { page } from 'vitest/browser'
import type { MemoryEntry } from '../../../shared/contract/memory.ts'
import { go } from '../../route.ts'
import { aReply, aUserMessage } from '../../test/messages.ts'
import { button, showWindow } from '../../test/show-window.tsx'
import type { PreparedHost, TestHost, TestHostOptions } from '../../test/test-host.ts'

const day = 86_400_000

/** Fill a home with a notebook as it is after some weeks: three facts about the person, and two notes. */
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

/** Something that takes room beside what `fill` knows about the person, and never goes first. */
export function takeRoom({ seed }: PreparedHost, letters: number): void {
  void seed.entry({ text: 'x'.repeat(letters), locked: true })
}

type Options = TestHostOptions & { entryId?: string }

/** Draw the window on the Memory page, at an entry if one is named. There is little room, so that it can be filled. */
export async function showMemory(
  prepare: (host: PreparedHost) => void = fill,
  { entryId, config, ...options }: Options = {},
): Promise<TestHost> {
  const host = await showWindow(prepare, {
    ...options,
    config: { memory: { user_limit: 400, notes_limit: 600 }, ...config },
  })
  go({ page: 'memory', entryId: entryId ?? null })
  return host
}

/** The least room that a file of the notebook can have. */
export const tight = { memory: { user_limit: 200, notes_limit: 200 } }

export const viewOf = (host: TestHost) => host.elsewhere['memory.view']({})
export const entriesOf = async (host: TestHost) => (await viewOf(host)).entries
export const entryOf = async (host: TestHost, id: string): Promise<MemoryEntry | undefined> =>
  (await entriesOf(host)).find(each => each.id === id)

/** Write an entry anew in another window. */
export async function rewrite(host: TestHost, id: string, text: string): Promise<void> {
  const { text: expected } = (await entryOf(host, id))!
  await host.elsewhere['memory.edit']({ id, text, expected })
}

/** Write an entry anew as the agent does, of which the window is told. */
export async function agentWrites(host: TestHost, id: string, text: string): Promise<void> {
  await host.seed.edit({ id, text, actor: 'agent' })
  host.publish({ type: 'memory' })
}

/** The file of such entries as another program writes it. */
export const aFile = (...texts: string[]) => `${texts.join('\n§\n')}\n`

export const tab = (name: RegExp) => page.getByRole('tab', { name })
export const list = (name = 'What is known about you') => page.getByRole('list', { name, exact: true })
/** The sentence of an entry, which is the button that edits it. */
export const entry = (text: string) => list().getByRole('button', { name: text, exact: true })
export const note = (text: string) => list('Notes').getByRole('button', { name: text, exact: true })
export const editor = () => page.getByRole('textbox', { name: 'Text of the entry' })
export const addField = () => page.getByRole('textbox', { name: 'Add something to remember' })

/** Choose from the menu of an entry. */
export async function choose(text: string, item: string): Promise<void> {
  await button(`More for “${text}”`).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** What the page asked of the notebook, without looking. */
export const changes = (host: TestHost) =>
  host.asked.filter(({ name }) => /^memory\.(?!view|history|archive|preview)/.test(name))
