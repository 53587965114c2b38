import { join } from 'node:path'
import { setImmediate as others } from 'node:timers/promises'
import type { ImportPreview, ImportProgress } from '../../../shared/contract/import.ts'
import { Fault } from '../../../shared/rpc.ts'
import { newId } from '../../lib/ids.ts'
import { removeTree } from '../../lib/removal/remove-tree.ts'
import { withinTime } from '../../lib/timing.ts'
import type { Memory } from '../../memory/open-memory.ts'
import type { NewSession } from '../../db/chats/session-tables.ts'
import type { Store } from '../../db/store.ts'
import type { ImportBatch } from './import-batches.ts'
import { createTally, skipOf, type SourceChat, type ImportPiece, type SourceMemory } from './import-source.ts'
import { pathNamed } from '../../files/workspace.ts'
import { threadReader, hereReader, isSmallImport } from './import-readers.ts'
import type { ChangedBy } from '../../memory/plan-change.ts'
import { entriesLength, tidyEntry } from '../../memory/note-files.ts'
import { unkeptReason } from '../../untrusted/unsafe-text.ts'
import { isRefusal } from '../../lib/expected-errors.ts'

/** The part of a preview that is about chats and memories. */
type ChatsPreview = Omit<ImportPreview, 'home'>
/** Imports chats and memories of other programs. */
export type Importer = {
  /**
   * Read a whole file or folder and count its contents, without writing. Throws a `bad_input` Fault if there
   * is nothing to import.
   */
  preview(path: string, signal: AbortSignal): Promise<ChatsPreview>
  /**
   * Import a preview's contents. After a cancel or failure, each chat is imported completely or not at all.
   */
  run(id: string, options: { memories: boolean }, signal: AbortSignal): AsyncGenerator<ImportProgress>
  /** Cancel a running import and wait for its end. */
  close(): Promise<void>
}

type Parts = {
  home: string
  store: Pick<Store, 'imports' | 'recall' | 'sessions'>
  memory: Memory
  /** Settings for imported chats, in case the user continues one. */
  settings: () => Omit<NewSession, 'origin'>
  now: () => number
  /** Called with errors that do not stop the import. */
  report: (error: unknown) => void
}

const PREVIEWS = 20
/** Maximum number of passages to index at a time. */
const INDEXED = 20
/** How many keys to look up at a time. */
const LOOKED_UP = 500
const CLOSE_MS = 1_000

/** Create the importer of a home folder. Only one import runs at a time. */
export function createImporter({ home, store, memory, settings, now, report }: Parts): Importer {
  const scratch = join(home, 'cache', 'imports')
  const previews = new Map<string, ChatsPreview>()
  const closing = new AbortController()
  let running: Promise<void> | undefined
  /** Copies left by a crash are removed once, before the first preview. */
  let cleaned: Promise<unknown> | undefined
  /** The removal of chats that a crash or a stop left unfinished. */
  let tidying = tidy()

  const readerOf = async (path: string) => ((await isSmallImport(path)) ? hereReader : threadReader)
  const whereOf = (id: string) => ({ scratch, id, now: now() })

  async function tidy(): Promise<void> {
    try {
      do await others(undefined, { signal: closing.signal })
      while (store.imports.clean())
    } catch (error) {
      // The next start continues this.
      if (!closing.signal.aborted) report(error)
    }
  }

  async function preview(given: string, signal: AbortSignal): Promise<ChatsPreview> {
    const path = pathNamed(given)
    await (cleaned ??= removeTree(scratch))
    const id = newId('import', now)
    const reader = await readerOf(path)
    const { keys, ...counts } = await reader.count(path, whereOf(id), signal)
    let known = 0
    for (let at = 0; at < keys.length; at += LOOKED_UP) {
      known += store.imports.known(keys.slice(at, at + LOOKED_UP)).size
      await others()
      signal.throwIfAborted()
    }
    const found = { id, path, ...counts, known }
    previews.set(id, found)
    for (const old of [...previews.keys()].slice(0, -PREVIEWS)) previews.delete(old)
    return found
  }

  async function* run(
    id: string,
    { memories }: { memories: boolean },
    signal: AbortSignal,
  ): AsyncGenerator<ImportProgress> {
    const shown = previews.get(id)
    if (!shown) throw new Fault('not_found', 'This preview has expired. Open the file again.')
    if (running) throw new Fault('busy', 'Another import is running. Wait until it is done.')
    const ended = Promise.withResolvers<void>()
    running = ended.promise
    try {
      await tidying
      yield* importBatches(shown, memories, AbortSignal.any([signal, closing.signal]))
    } finally {
      running = undefined
      ended.resolve()
    }
  }

  async function* importBatches(
    shown: ChatsPreview,
    memories: boolean,
    signal: AbortSignal,
  ): AsyncGenerator<ImportProgress> {
    const tally = createTally()
    const counts = { sessions: 0, messages: 0, memories: 0 }
    const total = shown.messages + (memories ? shown.memories : 0)
    const brought: { id: string; updatedAt: number }[] = []
    let done = 0
    /** The chat being written in parts. Without an id it was imported before, and its parts are skipped. */
    let begun: { id: string | undefined; chat: SourceChat; messages: number } | undefined

    function take(batch: ImportBatch): void {
      if ('pieces' in batch) return takeWhole(batch.pieces)
      if ('begun' in batch) {
        const chat = batch.begun
        begun = { id: store.imports.begin({ ...settings(), ...chat }), chat, messages: chat.messages.length }
        done += chat.messages.length
        return
      }
      if (!begun) throw new Error('Messages came before their chat.')
      begun.messages += batch.messages.length
      done += batch.messages.length
      if (begun.id !== undefined) store.imports.extend(begun.id, batch.messages)
      if (batch.isLast) endLong(begun)
    }

    function endLong({ id, chat, messages }: NonNullable<typeof begun>): void {
      begun = undefined
      if (id === undefined) return tally.add(KNOWN)
      store.imports.finish(id, chat)
      brought.push({ id, updatedAt: chat.updatedAt })
      counts.sessions++
      counts.messages += messages
    }

    function takeWhole(pieces: readonly ImportPiece[]): void {
      const chats = pieces.flatMap(piece => ('chat' in piece ? [piece.chat] : []))
      const keys = chats.map(({ key }) => key)
      const known = store.imports.known(keys)
      const fresh = chats.filter(({ key }, at) => !known.has(key) && keys.indexOf(key) === at)
      const ids = store.imports.add(fresh.map(chat => ({ ...settings(), ...chat })))
      brought.push(...ids.map((chatId, at) => ({ id: chatId, updatedAt: fresh[at]!.updatedAt })))
      counts.sessions += ids.length
      counts.messages += messagesOf(fresh)
      if (fresh.length < chats.length) tally.add({ ...KNOWN, count: chats.length - fresh.length })
      done += messagesOf(chats)
      for (const piece of pieces) {
        if ('skip' in piece) tally.add(piece.skip)
        else if ('memory' in piece && memories) {
          const refused = saveMemory(memory, piece.memory)
          if (refused === undefined) counts.memories++
          else tally.add(skipOf('memory', refused))
          done++
        }
      }
    }

    try {
      yield { type: 'progress', done, total }
      const reader = await readerOf(shown.path)
      for await (const batch of reader.read(shown.path, whereOf(newId('import', now)), signal)) {
        take(batch)
        yield { type: 'progress', done, total: Math.max(done, total) }
        await others()
        signal.throwIfAborted()
      }
      while (store.recall.refresh(INDEXED) > 0) {
        await others()
        signal.throwIfAborted()
      }
    } finally {
      // In the background, so that stopping the import need not wait for it.
      if (begun) tidying = tidy()
    }
    yield { type: 'done', ...counts, skipped: tally.list() }
  }

  return {
    preview,
    run,
    async close() {
      closing.abort(new Fault('cancelled', 'Talaria is closing.'))
      // A caller that stopped reading never finishes the import, so the wait is limited.
      if (running) await withinTime(CLOSE_MS, running)
      await tidying
    },
  }
}

const messagesOf = (chats: readonly SourceChat[]): number =>
  chats.reduce((sum, { messages }) => sum + messages.length, 0)

const KNOWN = skipOf('chat', 'it has already been imported')

const BY: ChangedBy = { actor: 'import', sessionId: null, messageId: null, reviewId: null }

/**
 * Save one memory of another program, completely or not at all. Returns why not, as a phrase that continues
 * “because …”.
 */
function saveMemory(memory: Memory, { target, text }: SourceMemory): string | undefined {
  const flaw = unkeptReason(text)
  if (flaw !== undefined) return `it ${flaw}`
  const { entries, capacity } = memory.view()
  const own = entries
    .filter(entry => entry.target === target && entry.project === null)
    .map(entry => entry.text)
  const limit = capacity.find(each => each.target === target && each.project === null)?.limit ?? 0
  const tidied = tidyEntry(text)
  if (own.includes(tidied)) return 'it is already in memory'
  if (entriesLength([...own, tidied]) > limit)
    return 'the memory is full; remove something on the Memory page and import again'
  const outcome = memory.change([{ kind: 'add', target, project: null, text }], BY)
  return isRefusal(outcome) ? outcome.refused.split('\n')[0] : undefined
}
