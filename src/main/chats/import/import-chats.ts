import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as others } from 'node:timers/promises'
import type { ImportPreview, ImportProgress } from '../../../shared/contract/import.ts'
import { Fault } from '../../../shared/rpc.ts'
import { newId } from '../../lib/ids.ts'
import { withinTime } from '../../lib/timing.ts'
import type { Memory } from '../../memory/open-memory.ts'
import type { NewSession } from '../../db/sessions.ts'
import type { Store } from '../../db/store.ts'
import {
  createTally,
  skipOf,
  type SourceChat,
  type ImportPiece,
  type ImportSource,
  type SourceMemory,
} from './import-source.ts'
import { openImport, pathNamed } from './open-import.ts'
import type { ChangedBy } from '../../memory/plan-change.ts'
import { entriesLength, tidyEntry } from '../../memory/note-files.ts'
import { unsafeReason } from '../../memory/unsafe-text.ts'
import { isRefusal } from '../../lib/expected-errors.ts'

/** Imports chats and memories of other programs. */
export type Importer = {
  /**
   * Read a whole file or folder and count what it contains, without writing. Throws a `bad_input` Fault when
   * there is nothing to import.
   */
  preview(path: string, signal: AbortSignal): Promise<ImportPreview>
  /** Import what a preview showed. After a cancel or failure, each chat was imported completely or not at all. */
  run(id: string, options: { memories: boolean }, signal: AbortSignal): AsyncGenerator<ImportProgress>
  /** Cancel a running import and wait for its end. */
  close(): Promise<void>
}

type Parts = {
  home: string
  store: Pick<Store, 'imports' | 'recall' | 'sessions'>
  memory: Memory
  /** Settings for imported chats, in case the user continues one. */
  settings: () => Omit<NewSession, 'source'>
  /** Called at the end for the newest imported chats. */
  onChat: (id: string) => void
  now: () => number
  /** Called with errors that do not stop the import. */
  report: (error: unknown) => void
}

const TITLES = 20
const PREVIEWS = 20
/** Batch size: chats or messages, whichever limit is reached first. */
const BATCH_CHATS = 25
const BATCH_MESSAGES = 100
/** Passages to index at once. */
const INDEXED = 20
/** Maximum imported chats to announce to the chat list. */
const MAX_ANNOUNCED = 50
/** Longest slice of work in ms before other work may run. */
const TURN_MS = 15
const CLOSE_MS = 1_000

/** Create the importer of a home folder. Only one import runs at a time. */
export function createImporter({ home, store, memory, settings, onChat, now, report }: Parts): Importer {
  const scratch = join(home, 'cache', 'imports')
  const previews = new Map<string, ImportPreview>()
  const closing = new AbortController()
  let running: Promise<void> | undefined
  /** Copies left by a crash are removed once, before the first preview. */
  let cleaned: Promise<void> | undefined

  /** The pieces of a source, yielding to other work regularly. */
  async function* piecesOf(source: ImportSource, signal: AbortSignal): AsyncGenerator<ImportPiece> {
    let turn = performance.now()
    for await (const piece of source.read(signal)) {
      yield piece
      if (performance.now() - turn < TURN_MS) continue
      await others()
      signal.throwIfAborted()
      turn = performance.now()
    }
  }

  const openAt = (path: string) => openImport(path, { scratch, now })

  async function preview(given: string, signal: AbortSignal): Promise<ImportPreview> {
    const path = pathNamed(given)
    await (cleaned ??= rm(scratch, { recursive: true, force: true }).catch(report))
    const source = await openAt(path)
    const tally = createTally()
    const seen = new Set<string>()
    const counts = { sessions: 0, messages: 0, memories: 0 }
    const titles: string[] = []
    for await (const piece of piecesOf(source, signal)) {
      if ('skip' in piece) tally.add(piece.skip)
      else if ('memory' in piece) counts.memories++
      else if (seen.has(piece.chat.key)) tally.add(TWICE)
      else {
        const { key, title, messages } = piece.chat
        seen.add(key)
        counts.sessions++
        counts.messages += messages.length
        if (titles.length < TITLES) titles.push(title || messages[0]!.text.slice(0, 80).toWellFormed())
      }
    }
    const known = store.imports.known([...seen]).size
    const id = newId('import', now)
    const found = { id, kind: source.kind, path, ...counts, known, titles, skipped: tally.list() }
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
      yield* importPieces(shown, memories, AbortSignal.any([signal, closing.signal]))
    } finally {
      running = undefined
      ended.resolve()
    }
  }

  async function* importPieces(
    shown: ImportPreview,
    memories: boolean,
    signal: AbortSignal,
  ): AsyncGenerator<ImportProgress> {
    const tally = createTally()
    const counts = { sessions: 0, messages: 0, memories: 0 }
    const total = shown.sessions + (memories ? shown.memories : 0)
    const brought: { id: string; updatedAt: number }[] = []
    let done = 0
    let batch: SourceChat[] = []

    function writeBatch() {
      const keys = batch.map(({ key }) => key)
      const known = store.imports.known(keys)
      const fresh = batch.filter(({ key }, at) => !known.has(key) && keys.indexOf(key) === at)
      const ids = store.imports.add(fresh.map(chat => ({ ...settings(), ...chat })))
      brought.push(...ids.map((chatId, at) => ({ id: chatId, updatedAt: fresh[at]!.updatedAt })))
      counts.sessions += ids.length
      counts.messages += fresh.reduce((sum, { messages }) => sum + messages.length, 0)
      if (fresh.length < batch.length) tally.add({ ...KNOWN, count: batch.length - fresh.length })
      done += batch.length
      batch = []
    }

    try {
      yield { type: 'progress', done, total }
      const source = await openAt(shown.path)
      for await (const piece of piecesOf(source, signal)) {
        if ('skip' in piece) tally.add(piece.skip)
        else if ('chat' in piece) {
          batch.push(piece.chat)
          const messages = batch.reduce((sum, chat) => sum + chat.messages.length, 0)
          if (batch.length < BATCH_CHATS && messages < BATCH_MESSAGES) continue
          writeBatch()
          yield { type: 'progress', done, total: Math.max(done, total) }
          signal.throwIfAborted()
        } else if (memories) {
          const refused = saveMemory(memory, piece.memory)
          if (refused === undefined) counts.memories++
          else tally.add(skipOf('memory', refused))
          done++
        }
      }
      if (batch.length > 0) writeBatch()
      yield { type: 'progress', done, total: Math.max(done, total) }
      while (store.recall.refresh(INDEXED) === INDEXED) {
        await others()
        signal.throwIfAborted()
      }
    } finally {
      const newest = brought.toSorted((a, b) => b.updatedAt - a.updatedAt).slice(0, MAX_ANNOUNCED)
      for (const chat of newest.toReversed()) onChat(chat.id)
    }
    yield { type: 'done', ...counts, skipped: tally.list() }
  }

  return {
    preview,
    run,
    async close() {
      closing.abort(new Fault('cancelled', 'Talaria is closing.'))
      // A caller that stopped reading never finishes the import, so the wait has a limit.
      if (running) await withinTime(CLOSE_MS, running)
    },
  }
}

const TWICE = skipOf('chat', 'it is in the export twice')
const KNOWN = skipOf('chat', 'it was imported already')

const BY: ChangedBy = { actor: 'import', sessionId: null, messageId: null, reviewId: null }

/**
 * Save one memory of another program, completely or not at all. Returns why not, as a phrase that continues
 * “because …”.
 */
function saveMemory(memory: Memory, { target, text }: SourceMemory): string | undefined {
  const flaw = unsafeReason(text)
  if (flaw !== undefined) return `it ${flaw}`
  const { entries, capacity } = memory.view()
  const own = entries
    .filter(entry => entry.target === target && entry.project === null)
    .map(entry => entry.text)
  const limit = capacity.find(each => each.target === target && each.project === null)?.limit ?? 0
  const tidied = tidyEntry(text)
  if (own.includes(tidied)) return 'it is remembered already'
  if (entriesLength([...own, tidied]) > limit)
    return 'the memory is full; remove something on the Memory page and import again'
  const outcome = memory.change([{ kind: 'add', target, project: null, text }], BY)
  return isRefusal(outcome) ? outcome.refused.split('\n')[0] : undefined
}
