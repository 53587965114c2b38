import type { ImportPreview } from '../../../shared/contract/import.ts'
import { createTally, skipOf, type ImportSource } from './import-source.ts'

/** What an import would bring; `keys` are those of its chats. */
export type ImportCount = Pick<
  ImportPreview,
  'kind' | 'sessions' | 'messages' | 'memories' | 'titles' | 'skipped'
> & { keys: string[] }

const TITLES = 20
const TWICE = skipOf('chat', 'it is in the export twice')

/** Read a source to its end and count what is in it. */
export async function countImport(source: ImportSource, signal: AbortSignal): Promise<ImportCount> {
  const tally = createTally()
  const keys = new Set<string>()
  const counts = { sessions: 0, messages: 0, memories: 0 }
  const titles: string[] = []
  for await (const piece of source.read(signal)) {
    if ('skip' in piece) tally.add(piece.skip)
    else if ('memory' in piece) counts.memories++
    else if (keys.has(piece.chat.key)) tally.add(TWICE)
    else {
      const { key, title, messages } = piece.chat
      keys.add(key)
      counts.sessions++
      counts.messages += messages.length
      if (titles.length < TITLES) titles.push(title || messages[0]!.text.slice(0, 80).toWellFormed())
    }
  }
  return { kind: source.kind, ...counts, titles, skipped: tally.list(), keys: [...keys] }
}
