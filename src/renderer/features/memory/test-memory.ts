import { page } from 'vitest/browser'
import { go } from '../../route.ts'
import { aReply, aUserMessage } from '../../test/messages.ts'
import type { FakeHost, FakeHostOptions } from '../../test/fake-host.ts'
import { button, showApp } from '../../test/show-app.tsx'

const day = 86_400_000

/** Fill a host with a notebook as it is after some weeks: three facts about the person, and two notes. */
export function fill(host: FakeHost): void {
  const { notebook } = host
  const ago = (days: number) => ({
    createdAt: Date.now() - days * day,
    updatedAt: Date.now() - days * day,
  })
  host.addSession({ id: 'c1', title: 'Setting up the project' }, [
    aUserMessage({ id: 1, text: 'Please use pnpm here, I never use npm.' }),
    aReply({ id: 2, text: 'Noted.' }),
  ])
  const learned = { origin: 'agent', sessionId: 'c1', messageId: 1 } as const
  notebook.project({ id: 'p1', name: 'garden', folder: '/home/ada/garden' })
  notebook.add({ id: 'bern', text: 'Lives in Bern.', uses: 12, ...ago(60) })
  notebook.add({ id: 'short', text: 'Prefers short answers.', locked: true, ...ago(10) })
  notebook.add({ id: 'pnpm', text: 'Uses pnpm for packages.', uses: 1, ...learned, ...ago(2) })
  notebook.add({ id: 'beds', target: 'memory', project: 'p1', text: 'Bed 3 has the potatoes.', ...ago(40) })
  notebook.add({ id: 'make', target: 'memory', text: 'The build is started with make.', origin: 'agent' })
}

/** Draw the window on the Memory page, at an entry if one is named. */
export async function showMemory(
  prepare: (host: FakeHost) => void = fill,
  options?: FakeHostOptions & { entryId?: string },
): Promise<FakeHost> {
  const host = await showApp(prepare, options)
  go({ page: 'memory', entryId: options?.entryId ?? null })
  return host
}

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
export const changes = (host: FakeHost) =>
  host.asked.filter(({ name }) => /^memory\.(?!view|history|archive|preview)/.test(name))
