import type { ConfigHandle } from '../../../config/load.ts'
import type { Store } from '../../../db/store.ts'
import type { Feed } from '../../../feed/open-feed.ts'
import { createChatMemory } from '../../../memory/chat-memory.ts'
import { openMemory } from '../../../memory/open-memory.ts'
import { memoryHandlers } from '../../../memory/memory-handlers.ts'
import { wasSeen } from '../../../memory/outside/outside-edits.ts'
import { watchMemory } from '../../../memory/watch-memory.ts'
import type { Projects } from '../../../projects/open-projects.ts'
import { estimateTokens } from '../../../../shared/text/estimate-tokens.ts'
import { memoryTool } from '../../../memory/memory-tool.ts'

type Needs = {
  projects: Pick<Projects, 'notesOf'>
  home: string
  workspace: string
  config: ConfigHandle
  store: Pick<Store, 'memory' | 'sessions' | 'schedules' | 'contacts'>
  feed: Pick<Feed, 'tell'>
  now(): number
  report(error: unknown): void
}

/** The notebook: what the agent remembers about the user and its work. */
export function memoryFeature({ home, workspace, config, store, projects, feed, now, report }: Needs) {
  const notebook = openMemory({
    home,
    store: store.memory,
    limits: () => ({ user: config.current.memory.user_limit, memory: config.current.memory.notes_limit }),
    count: estimateTokens,
    onChange: () => feed.tell('memory'),
    now,
  })
  // Our own writes are recognised by their content.
  const watching = watchMemory(home, notebook.sync, report)
  /** Return where the notes of a chat in a folder are. */
  const notesOf = (sessionId: string, folder: string) => {
    const session = store.sessions.get(sessionId)
    return session ? projects.notesOf(session) : folder
  }
  const inChats = createChatMemory({
    notebook,
    isUsed: () => config.current.memory.use_in_chats,
    notesOf: projects.notesOf,
    // A contact's private chats have the contact as their origin id; group chats do not.
    mayRead: ({ origin, originId }) =>
      origin === 'messenger_other' && store.contacts.get(originId)?.readsMemory === true,
    chosenFor: ({ origin, originId }) =>
      origin === 'schedule' ? (store.schedules.get(originId)?.choices.notes ?? []) : undefined,
  })
  return {
    notebook,
    notesOf,
    ...inChats,
    tools: [
      memoryTool(notebook, {
        isAllowed: () => config.current.memory.learn_from_chats,
        notesOf,
        hasSeen: (entry, sessionId) =>
          wasSeen(entry, sessionId, { sessions: store.sessions, history: store.memory.history }),
      }),
    ],
    handlers: memoryHandlers({
      memory: notebook,
      config,
      workspace,
      count: estimateTokens,
      notesOf,
      isTemporary: id => store.sessions.get(id)?.temporary === true,
    }),
    close: watching.close,
  }
}
