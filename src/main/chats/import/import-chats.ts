import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as others } from 'node:timers/promises'
import type { ImportPreview, ImportProgress } from '../../shared/contract/transfer.ts'
import { Fault } from '../../shared/rpc.ts'
import { newId } from '../lib/ids.ts'
import { within } from '../lib/within.ts'
import type { Memory } from '../memory/memory.ts'
import type { NewSession, Store } from '../store/types.ts'
import { createTally, skip, type ForeignChat, type Piece, type Source } from './foreign.ts'
import { keepMemory } from './keep-memory.ts'
import { openSource, pathNamed } from './open-source.ts'

/** Brings chats and memories of other programs. */
export type Transfer = {
  /** Look at a file or folder, all of it; nothing is written. Throws a `bad_input` Fault when it is nothing to import. */
  preview(path: string, signal: AbortSignal): Promise<ImportPreview>
  /** Import what a preview showed. When it is cancelled or fails, chats are there whole or not at all. */
  run(id: string, options: { memories: boolean }, signal: AbortSignal): AsyncGenerator<ImportProgress>
  /** Cancel what is under way, and wait for it. */
  close(): Promise<void>
}

type Parts = {
  home: string
  store: Pick<Store, 'imports' | 'recall' | 'sessions'>
  memory: Memory
  /** With what an imported chat goes on, if somebody wants to. */
  settings: () => Omit<NewSession, 'source'>
  /** Told of the newest of the imported chats, in the end. */
  onChat: (id: string) => void
  now: () => number
  /** Told of trouble that stops nothing. */
  report: (error: unknown) => void
}

const TITLES = 20
const PREVIEWS = 20
/** What is written at once: chats or messages, whichever is reached first. */
const BATCH_CHATS = 25
const BATCH_MESSAGES = 100
/** Passages that are indexed at once. */
const INDEXED = 20
/** Chats that whoever looks at the list is told of. */
const TOLD = 50
/** For how long others may have to wait. */
const TURN_MS = 15
const CLOSE_MS = 1_000

/** Make the import of a home folder. One runs at a time. */
export function createTransfer({ home, store, memory, settings, onChat, now, report }: Parts): Transfer {
  const scratch = join(home, 'cache', 'imports')
  const previews = new Map<string, ImportPreview>()
  const closing = new AbortController()
  let running: Promise<void> | undefined
  /** Copies that a crash left behind are removed once, before the first new one. */
  let cleaned: Promise<void> | undefined

  /** The pieces of a source, with a pause for others now and then. */
  async function* piecesOf(source: Source, signal: AbortSignal): AsyncGenerator<Piece> {
    let turn = performance.now()
    for await (const piece of source.read(signal)) {
      yield piece
      if (performance.now() - turn < TURN_MS) continue
      await others()
      signal.throwIfAborted()
      turn = performance.now()
    }
  }

  const openAt = (path: string) => openSource(path, { scratch, now })

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
    if (!shown) throw new Fault('not_found', 'This preview is not there any more. Look at the file again.')
    if (running) throw new Fault('busy', 'Another import is running. Wait until it is done.')
    const ended = Promise.withResolvers<void>()
    running = ended.promise
    try {
      yield* bring(shown, memories, AbortSignal.any([signal, closing.signal]))
    } finally {
      running = undefined
      ended.resolve()
    }
  }

  async function* bring(
    shown: ImportPreview,
    memories: boolean,
    signal: AbortSignal,
  ): AsyncGenerator<ImportProgress> {
    const tally = createTally()
    const counts = { sessions: 0, messages: 0, memories: 0 }
    const total = shown.sessions + (memories ? shown.memories : 0)
    const brought: { id: string; updatedAt: number }[] = []
    let done = 0
    let batch: ForeignChat[] = []

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
          const refused = keepMemory(memory, piece.memory)
          if (refused === undefined) counts.memories++
          else tally.add(skip('memory', refused))
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
      const newest = brought.toSorted((a, b) => b.updatedAt - a.updatedAt).slice(0, TOLD)
      for (const chat of newest.toReversed()) onChat(chat.id)
    }
    yield { type: 'done', ...counts, skipped: tally.list() }
  }

  return {
    preview,
    run,
    async close() {
      closing.abort(new Fault('cancelled', 'Talaria is closing.'))
      // Whoever does not read on would be waited for in vain.
      if (running) await within(CLOSE_MS, running)
    },
  }
}

const TWICE = skip('chat', 'it is in the export twice')
const KNOWN = skip('chat', 'it is here already')
