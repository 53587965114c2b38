import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Fault } from '../../shared/rpc.ts'
import { renamePatiently, syncFolder } from '../lib/durable-files.ts'
import { fileErrorCode, reasonOf } from '../lib/expected-errors.ts'
import { noteUnfinished } from '../lib/removal/unfinished.ts'
import { escapeInvisible } from './terminal-text.ts'

/** The output for lines. `discard` discards an unfinished output. */
export type LineSink = { write(line: string): Promise<void>; finish(): void; discard(): void | Promise<void> }

/** Write lines to standard output, no faster than they are read. */
export function toStandardOutput(signal: AbortSignal): LineSink {
  return {
    async write(line) {
      if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain', { signal })
    },
    finish() {},
    discard() {},
  }
}

/** Write lines to a temporary file, which takes its name when it is complete. */
export function toFile(home: string, path: string, force = false): LineSink {
  if (!force && existsSync(path))
    throw new Fault('bad_input', `${escapeInvisible(path)} already exists; --force replaces it.`)
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
  let file: number
  let note: AsyncDisposable
  try {
    // Chats are private, so only the user may read the file.
    file = openSync(temporary, 'wx', 0o600)
    note = noteUnfinished(home, temporary)
  } catch (error) {
    throw sayUnwritable(path, error)
  }
  let isOpen = true
  const close = () => {
    if (isOpen) closeSync(file)
    isOpen = false
  }
  return {
    async write(line) {
      const bytes = Buffer.from(`${line}\n`)
      for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
    },
    finish() {
      fsyncSync(file)
      close()
      renamePatiently(() => renameSync(temporary, path))
      syncFolder(dirname(path))
    },
    async discard() {
      close()
      rmSync(temporary, { force: true })
      await note[Symbol.asyncDispose]()
    },
  }
}

/** What a file that cannot be written is answered with. */
export const sayUnwritable = (path: string, error: unknown) =>
  new Fault('bad_input', `${escapeInvisible(path)} cannot be written: ${reasonOf(fileErrorCode(error))}.`)
