import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
  type Stats,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Fault } from '../../../shared/rpc.ts'
import { resolveHome } from '../../config/home.ts'
import { renamePatiently, syncFolder } from '../../lib/disk/durable-files.ts'
import { fileErrorCode, reasonOf } from '../../lib/expected-errors.ts'
import { noteUnfinished } from '../../lib/removal/unfinished.ts'
import { absolutePath } from '../command-line.ts'
import { escapeInvisible } from '../output/terminal-text.ts'

/**
 * An output for lines. `discard` removes an unfinished output; `sayFailed` explains an error while writing.
 */
export type LineSink = {
  write(line: string): Promise<void>
  finish(): void
  discard(): void | Promise<void>
  sayFailed(error: unknown): unknown
}

type SinkOptions = {
  home: string | undefined
  force: true | undefined
  /** The status of the input, if that is a file. */
  input?: Stats
  signal: AbortSignal
}

/**
 * Open the output that `-o` names: a file, or standard output for none or `-`. Throws a `bad_input` Fault if
 * the file cannot be written.
 */
export const openSink = (output: string | undefined, { home, force, input, signal }: SinkOptions): LineSink =>
  output === undefined || output === '-'
    ? toStandardOutput(signal)
    : toFile(resolveHome(home), absolutePath(output), force, input)

/** Write lines to standard output, no faster than they are read. */
function toStandardOutput(signal: AbortSignal): LineSink {
  return {
    async write(line) {
      if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain', { signal })
    },
    finish() {},
    discard() {},
    sayFailed: error => error,
  }
}

/**
 * Resolve the path of an output file, with its status if it exists. Throws a `bad_input` Fault if the file
 * cannot be written.
 */
function placeOf(given: string, force: boolean): { path: string; stats?: Stats } {
  let stats: Stats | undefined
  try {
    stats = statSync(given, { throwIfNoEntry: false })
  } catch (error) {
    throw sayUnwritable(given, error)
  }
  if (!stats) return { path: given }
  if (stats.isDirectory()) throw new Fault('bad_input', `${escapeInvisible(given)} is a folder.`)
  // A device or a pipe would be replaced by a file.
  if (!stats.isFile())
    throw new Fault(
      'bad_input',
      `${escapeInvisible(given)} is not a file that can be replaced. Without -o, the lines go to standard output.`,
    )
  if (!force) throw new Fault('bad_input', `${escapeInvisible(given)} already exists; --force replaces it.`)
  return { path: realpathSync(given), stats }
}

/**
 * Write lines to a temporary file, which replaces the target once it is complete. A link stays, and its
 * target is replaced. The target must not be the `input` file: lines that are left out would be lost.
 */
function toFile(home: string, given: string, force = false, input?: Stats): LineSink {
  const { path, stats } = placeOf(given, force)
  if (stats && input && stats.ino === input.ino && stats.dev === input.dev)
    throw new Fault('bad_input', `${escapeInvisible(given)} is the input. Name another file for the output.`)
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
    sayFailed: error => (error instanceof Fault ? error : sayUnwritable(path, error)),
  }
}

/** The Fault for a file that cannot be written. */
const sayUnwritable = (path: string, error: unknown) =>
  new Fault('bad_input', `${escapeInvisible(path)} cannot be written: ${reasonOf(fileErrorCode(error))}.`)
