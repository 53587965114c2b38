import { join } from 'node:path'
import { formatNotes } from '../../src/main/memory/note-files.ts'
import { aHermesHome } from '../chats/a-hermes-home.ts'
import { aChatGptChat } from '../chats/an-export.ts'
import { write, type Place } from './place.ts'
import type { SeededChatGpt, SeededHermes } from './protocol.ts'

const said = ['What is new?', 'Not much.'] as const

/** Create a Hermes home in the state after that program was closed. */
export function seedHermes({ workspace }: Place, { folder, user, chats, more = [] }: SeededHermes): void {
  const home = aHermesHome(join(workspace, folder), {
    ...(user && { user: formatNotes(user) }),
    ...(chats && { sessions: chats.map(title => ({ id: title, title })) }),
    said: [
      ...(chats ?? []).flatMap(session => [
        { session, role: 'user', content: said[0] },
        { session, role: 'assistant', content: said[1] },
      ]),
      ...more,
    ],
  })
  home.close()
}

/** Create an unpacked ChatGPT export. */
export function seedChatGpt({ workspace }: Place, { folder, chats }: SeededChatGpt): void {
  const conversations = chats.map(title => aChatGptChat(title, said, { title }))
  write(workspace, { [`${folder}/conversations.json`]: JSON.stringify(conversations) })
}
