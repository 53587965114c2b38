import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Store } from '../../src/main/db/store.ts'
import type { BackupJob } from '../../src/main/data/backup/write-backup.ts'
import { aChat, aStore, assistant, user } from '../db/a-store.ts'

/** Put files into a folder, by their path in it. */
export function putFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

/** A home in use: chats, notes, a skill, settings, keys, a model, a cache and a log. */
export function aHome({ chats = 2, messages = 4 } = {}): ReturnType<typeof aStore> {
  const store = aStore()
  for (let at = 0; at < chats; at++) addChat(store, `Question ${at}`, messages)
  putFiles(store.home, {
    'memories/USER.md': 'They like tea.',
    'memories/projects/0a1b2c/MEMORY.md': 'Port 8080.',
    'skills/tea/SKILL.md': '---\nname: tea\n---\nBoil water.',
    'SOUL.md': 'Be kind.',
    'agents/reviewer.md': 'Review changes.',
    'config.yaml': 'ui:\n  theme: dark\n',
    'permissions.json': '{"version":1,"rules":[]}',
    '.env': 'ACME_API_KEY=planted-key\n',
    'models/big.gguf': 'x'.repeat(1_000),
    'cache/outputs/out_1.txt': 'an output',
    'logs/talaria.log': '{}',
    'inbox/claude-code/s1.jsonl': '{}\n',
    'workspace/notes.md': 'A note.',
    'workspace/.env': 'OTHER_KEY=planted-key\n',
    'trajectories/success.jsonl': '{}\n',
  })
  return store
}

/** Add a chat with this number of messages. */
export function addChat(store: Store, text: string, messages = 2): string {
  const { id } = aChat(store)
  for (let at = 0; at < messages; at++)
    store.messages.append(
      at % 2 === 0 ? user(id, `${text}, ${at}`) : assistant(id, `Answer ${at} to ${text}.`),
    )
  return id
}

/** The backup job for such a home folder. */
export const aBackupJob = (
  store: Pick<Store, 'path'> & { home: string },
  target: string,
  given: Partial<BackupJob> = {},
): BackupJob => ({
  home: store.home,
  database: store.path,
  target,
  kind: 'manual',
  wanted: { keys: false, files: true },
  version: '1.2.3',
  now: 1_800_000_000_000,
  ...given,
})

/** The last item of a stream. */
export async function lastOf<T>(items: AsyncIterable<T>): Promise<T> {
  let last: T | undefined
  for await (const item of items) last = item
  return last!
}
