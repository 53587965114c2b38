import { join } from 'node:path'
import { formatNotes } from '../../src/main/memory/format.ts'
import { aHermesHome } from '../../src/main/transfer/fixtures/a-hermes-home.ts'
import type { Place } from './place.ts'
import type { SeededHermes } from './protocol.ts'

/** Make a home of Hermes as that program leaves it when it is closed. */
export function seedHermes({ workspace }: Place, { folder, user, chats = [] }: SeededHermes): void {
  const home = aHermesHome(join(workspace, folder), {
    ...(user && { user: formatNotes(user) }),
    sessions: chats.map(title => ({ id: title, title })),
    said: chats.flatMap(session => [
      { session, role: 'user', content: 'What is new?' },
      { session, role: 'assistant', content: 'Not much.' },
    ]),
  })
  home.close()
}
