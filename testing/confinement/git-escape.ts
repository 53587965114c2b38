import { expect } from 'vitest'
import type { PersonWithGit } from './person-with-git.ts'

/** A way in which a confined command tries to make the user's git run something. */
export type Escape = {
  name: string
  /** Prepare the user's set-up. */
  prepare?(): void
  /** The confined command; `MARK` is the file that must not be created. */
  attack: string
  /** What the user runs afterwards, besides `status` and `commit`. */
  afterwards?: readonly string[]
  /**
   * A path that must be reported afterwards, if the attempt cannot be prevented; absent if it must be
   * prevented.
   */
  told?: string
  /** The folder of the chat, if it is not the repository. */
  chat?: string
}

/**
 * Try an escape, then work as the user: it must be prevented and leave no mark, or the change must be
 * reported.
 */
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
