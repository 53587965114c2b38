import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HostClient } from '../../src/shared/contract/index.ts'
import { REFUSED_BECAUSE, type Compaction } from '../../src/shared/contract/chats/session.ts'
import { aChatGptChat } from '../../testing/chats/an-export.ts'
import { aHome, startHost } from '../learning/a-home.ts'
import type { ChatRow } from './measure.ts'

/** The result of a chat that a real model summarised. */
export type CompactedChat = {
  chat: string
  by: Compaction['by'] | 'nothing'
  why: string
  summary: string
  ms: number
}

/** Put a chat into a new home, and compact it with a model as `/compact` does. */
export async function compactWithModel(model: string, { chat, messages }: ChatRow): Promise<CompactedChat> {
  using home = aHome()
  writeFileSync(join(home.path, 'config.yaml'), 'learning:\n  mode: off\n')
  await using host = await startHost(home)
  const { client } = host
  const sessionId = await bringChat(client, home.path, messages)
  const { id: modelId } = await client['model.add']({ path: model })
  await client['session.update']({ id: sessionId, modelId })
  const startedAt = performance.now()
  const { runId } = await client['chat.compact']({ sessionId, focus: '' })
  let why = ''
  for await (const event of client['run.watch']({ runId }))
    if (event.type === 'error' || event.type === 'warning') why = event.text
  const ms = Math.round(performance.now() - startedAt)
  const { compactions } = await client['session.compactions']({ id: sessionId })
  const made = compactions.at(-1)
  if (!made) return { chat, by: 'nothing', why, summary: '', ms }
  return {
    chat,
    by: made.by,
    why: made.refused ? REFUSED_BECAUSE[made.refused] : why,
    summary: made.summary,
    ms,
  }
}

async function bringChat(client: HostClient, folder: string, messages: ChatRow['messages']): Promise<string> {
  const path = join(folder, 'conversations.json')
  const exported = aChatGptChat(
    'chat',
    messages.map(({ text }) => text),
  )
  writeFileSync(path, JSON.stringify([exported]))
  const { id } = await client['import.preview']({ path })
  for await (const progress of client['import.run']({ id })) void progress
  const [session] = (await client['session.list']({})).sessions
  if (!session) throw new Error('The chat could not be brought in.')
  return session.id
}
