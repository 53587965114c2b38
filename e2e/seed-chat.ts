import { openStore } from '../src/main/db/store.ts'
import type { Cite } from '../src/shared/contract/connections/web.ts'
import type { Folders } from './app.ts'

/**
 * Write a chat of so many turns into a home that no host uses. `answer` is the text of each answer, `cites`
 * its sources.
 */
export function seedChat(
  { home, workspace }: Folders,
  title: string,
  turns: number,
  answer: (turn: number) => string,
  cites: readonly Cite[] = [],
): void {
  const { store } = openStore(home, {
    clock: Date.now,
    report: error => {
      throw error
    },
  })
  const session = store.sessions.create({ modelId: 'builtin', workspace, approval: 'ask', origin: 'window' })
  store.sessions.update(session.id, { title })
  for (let turn = 1; turn <= turns; turn++) {
    const base = { sessionId: session.id, at: Date.now() }
    store.messages.append({ ...base, role: 'user', text: `Question ${turn}.` })
    store.messages.append({
      ...base,
      role: 'assistant',
      text: answer(turn),
      reasoning: '',
      calls: [],
      interrupted: false,
      model: 'seeded',
      ...(cites.length > 0 && { cites: [...cites] }),
    })
  }
  store.close()
}
