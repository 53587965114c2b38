import { expect } from 'vitest'
import type { PersonWithGit } from './person-with-git.ts'

/** A way in which a confined command tries to make the person's git run something. */
export type Escape = {
  name: string
  /** What the person has set up. */
  prepare?(): void
  /** What the confined command does; `MARK` is the file that must not come to be. */
  attack: string
  /** What the person does afterwards, beside `status` and `commit`. */
  afterwards?: readonly string[]
  /** A path that is told afterwards, where the attempt cannot be prevented; without it, it must be. */
  told?: string
  /** The folder of the chat, if it is not that of the repository. */
  chat?: string
}

/** Try it, then work as the person does: it is prevented and leaves no mark, or what was changed is told. */
export async function tryEscape(
  person: PersonWithGit,
  { prepare, attack, afterwards = [], told, chat = '.' }: Escape,
): Promise<void> {
  prepare?.()
  person.forgetMark()
  const { changed, hasFailed, output } = await person.attempt(attack, chat)
  expect(person.hasMark(), 'it was not confined').toBe(false)
  person.put('a.txt', 'two\n')
  for (const command of ['status', 'add a.txt', 'commit -qm Next', ...afterwards]) person.git(command)
  for (const command of ['status', 'commit -q --allow-empty -m Next']) person.git(command, chat)
  if (told !== undefined) return expect(changed).toContain(told)
  const expected = { changed: [], hasRun: false, hasFailed: true }
  expect({ changed, hasRun: person.hasMark(), hasFailed }, output).toEqual(expected)
}
