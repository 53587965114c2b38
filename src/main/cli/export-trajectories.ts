import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { HostClient } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import { fileErrorCode, reasonOf } from '../lib/expected-errors.ts'
import { resolveHome } from '../config/home.ts'
import { renamePatiently, syncFolder } from '../lib/durable-files.ts'
import { noteUnfinished } from '../lib/removal/unfinished.ts'
import { absolutePath } from './command-line.ts'
import { chatNamed } from './learned-items.ts'
import { withClient } from './open-client.ts'
import { printAside, escapeInvisible, many } from './terminal-text.ts'
import { stopOnSignals } from './terminal.ts'

export type ExportOptions = {
  home?: string
  outcome: 'success' | 'failure' | 'all'
  chat?: string
  withMemory?: boolean
  withOtherAgents?: boolean
  output?: string
  force?: true
}

type Counts = { success: number; failure: number }
/** The output for lines. `discard` discards an unfinished output. */
type Sink = { write(line: string): Promise<void>; finish(): void; discard(): void | Promise<void> }

/** Write chats as ShareGPT lines to a file or standard output. Resolves to whether all were written. */
export async function trajectoriesExport(options: ExportOptions): Promise<boolean> {
  const { home, output, force } = options
  using stopping = stopOnSignals()
  // The reader may stop early, as `head` does after ten lines.
  process.stdout.on('error', stopping.stop)
  const sink =
    output === undefined
      ? toStandardOutput(stopping.signal)
      : toFile(resolveHome(home), absolutePath(output), force)
  try {
    const counts = await withClient(home, client => copy(client, sink, options, stopping.signal))
    sink.finish()
    const all = counts.success + counts.failure
    printAside(`${many(all, 'chat')}: ${counts.success} successful, ${counts.failure} not.`)
    return true
  } catch (error) {
    if (stopping.signal.aborted) printAside('Stopped.')
    else if (output === undefined) throw error
    else throw unwritable(output, error)
    return false
  } finally {
    await sink.discard()
  }
}

async function copy(
  client: HostClient,
  sink: Sink,
  { outcome, chat, withMemory = false, withOtherAgents = false }: ExportOptions,
  signal: AbortSignal,
): Promise<Counts> {
  const sessionId = chat === undefined ? undefined : (await chatNamed(client, chat)).id
  const counts: Counts = { success: 0, failure: 0 }
  const lines = client['learning.trajectories'](
    { outcome, withMemory, withOtherAgents, ...(sessionId !== undefined && { sessionId }) },
    { signal },
  )
  for await (const { line } of lines) {
    await sink.write(line)
    counts[(JSON.parse(line) as { completed: boolean }).completed ? 'success' : 'failure']++
  }
  return counts
}

function toStandardOutput(signal: AbortSignal): Sink {
  return {
    async write(line) {
      if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain', { signal })
    },
    finish() {},
    discard() {},
  }
}

/** Write to a temporary file and rename it when it is complete. */
function toFile(home: string, path: string, force = false): Sink {
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
    throw unwritable(path, error)
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

const unwritable = (path: string, error: unknown) =>
  new Fault('bad_input', `${escapeInvisible(path)} cannot be written: ${reasonOf(fileErrorCode(error))}.`)
