import type { Scene } from '../../src/main/builtin/guide/guide-scene.ts'
import type { Message } from '../../src/shared/contract/chats/messages.ts'

// For tests of the built-in model's guide: a typical folder, memory and chat.

/** A scene with a few files, folders, entries and a skill. */
export const aScene = (given: Partial<Scene> = {}): Scene => ({
  files: ['notes.txt', 'todo.md', 'config.ini', 'budget.csv', 'reports/march.md'],
  folders: ['reports'],
  entries: [
    { text: "User's dog is called Rocky", target: 'user' },
    { text: 'User lives in Graz', target: 'user' },
  ],
  skills: ['weekly-review'],
  known: {
    now: new Date('2026-11-29T10:00:00Z'),
    zone: 'Europe/Vienna',
    folder: '/somewhere',
    entries: ["User's dog is called Rocky", 'User lives in Graz'],
    said: [],
    tools: [
      'terminal',
      'read_file',
      'write_file',
      'patch_file',
      'list_files',
      'search_files',
      'memory',
      'session_search',
      'skills_list',
      'skill_view',
      'skill_manage',
    ],
  },
  ...given,
})

let id = 0
const stored = () => ({ id: ++id, sessionId: 's', at: 0 })

/** A message of the user. */
export const userSaid = (text: string): Message => ({ ...stored(), role: 'user', text })

/** An answer without a call. */
export const answerSaid = (text: string): Message => ({
  ...stored(),
  role: 'assistant',
  text,
  reasoning: '',
  calls: [],
  interrupted: false,
  model: 'm',
})

/** A call with its result. */
export function callDone(
  name: string,
  given: Record<string, unknown>,
  text: string,
  ok = true,
): readonly [Message, Message] {
  const callId = `call${id}`
  const calls = [{ id: callId, name, arguments: given }]
  return [
    { ...stored(), role: 'assistant', text: '', reasoning: '', calls, interrupted: false, model: 'm' },
    { ...stored(), role: 'tool', callId, name, ok, text, durationMs: 1, record: { decision: 'ran' } },
  ]
}
