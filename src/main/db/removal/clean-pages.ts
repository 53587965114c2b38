import { closeSync, fdatasync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { emptyLog, type Connection } from '../connection.ts'
import { cleanPage, freeOf, HEADER, layoutOf, type Page } from './page-layout.ts'

/** Longest slice of work before other work may run, in ms. */
const SLICE_MS = 8

/** Overwrite with zeros what a database file still holds of deleted rows. */
export type PageCleaner = {
  /**
   * Clean for one slice. `done`: a whole pass ended without other writes. `more`: another slice is needed.
   * `disturbed`: something was written or read in between, so the pass starts over.
   */
  step(): 'done' | 'more' | 'disturbed'
  /** Make the overwritten bytes durable. */
  sync(): Promise<void>
  /** Call this after the database was closed. */
  close(): void
}

/**
 * Prepare to clean the file of an open database. SQLite overwrites rows that it deletes (`secure_delete`),
 * but not the copies left behind when rows move to another page, nor anything freed before that was set. Only
 * VACUUM would, which blocks every writer. So this walks the trees of the file and overwrites only bytes that
 * SQLite counts as unused (https://sqlite.org/fileformat2.html): even a write cut in the middle leaves a
 * sound file. Each slice starts with an empty log, and starts over if something was committed in between.
 */
export function createPageCleaner({ db }: Connection): PageCleaner {
  const logPath = `${db.name}-wal`
  // Closing any descriptor of the file would drop SQLite's locks on it, so keep this one open until the end.
  let file: number | undefined
  let waiting: Page[] | undefined
  const roots = db.prepare<[], { page: number }>(
    'select rootpage as page from sqlite_schema where rootpage > 0 union select 1',
  )

  /** Empty the log; return whether the file is unchanged since the last slice, undefined if not emptied. */
  function settle(): boolean | undefined {
    const isSame = (statSync(logPath, { throwIfNoEntry: false })?.size ?? 0) === 0
    if (!emptyLog(db)) return undefined
    // Pages that SQLite caches in memory would restore what is overwritten here.
    db.pragma('shrink_memory')
    return isSame
  }

  function begin(handle: number): Page[] {
    const head = Buffer.alloc(HEADER)
    readSync(handle, head, 0, HEADER, 0)
    return [...freeOf(head), ...roots.all().map(({ page }): Page => ({ kind: 'tree', page }))]
  }

  return {
    step() {
      const started = performance.now()
      const isSame = settle()
      if (isSame === undefined || (waiting && !isSame)) {
        waiting = undefined
        return 'disturbed'
      }
      file ??= openSync(db.name, 'r+')
      waiting ??= begin(file)
      const layout = layoutOf(file)
      const bytes = Buffer.alloc(layout.pageBytes)
      while (performance.now() - started < SLICE_MS) {
        const next = waiting.pop()
        if (!next) {
          waiting = undefined
          return 'done'
        }
        const at = (next.page - 1) * layout.pageBytes
        readSync(file, bytes, 0, bytes.length, at)
        const found = cleanPage(bytes, next, layout)
        if (found.changed) writeSync(file, bytes, 0, bytes.length, at)
        waiting.push(...found.pages)
      }
      return 'more'
    },
    sync: async () => {
      if (file !== undefined) await promisify(fdatasync)(file)
    },
    close() {
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}
