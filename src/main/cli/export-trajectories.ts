import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { HostClient } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import { reasonOf } from '../lib/reason-of.ts'
import { renamePatiently, syncFolder } from '../lib/write-atomic.ts'
import { pathOf } from './here.ts'
import { chatNamed } from './learning-ids.ts'
import { withClient } from './open-client.ts'
import { visible } from './plain.ts'

export type ExportOptions = {
  home?: string
  outcome: 'success' | 'failure' | 'all'
  chat?: string
  output?: string
  force?: true
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

type Counts = { success: number; failure: number }
/** Where lines go. What is not finished leaves nothing behind. */
type Sink = { write(line: string): Promise<void>; finish(): void; give(): void }

/** Write chats as ShareGPT lines, to a file or to standard output. Resolves to whether all of them were written. */
export async function trajectoriesExport(options: ExportOptions): Promise<boolean> {
  const { home, output, force } = options
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  for (const signal of SIGNALS) process.once(signal, stop)
  // Whoever reads our output may have seen enough, as `head` has after ten lines.
  process.stdout.on('error', stop)
  const sink = output === undefined ? toStandardOutput(stopping.signal) : toFile(pathOf(output), force)
  try {
    const counts = await withClient(home, client => copy(client, sink, options, stopping.signal))
    sink.finish()
    const all = counts.success + counts.failure
    aside(
      `${all} ${all === 1 ? 'chat' : 'chats'}: ${counts.success} that went well, ${counts.failure} that did not.`,
    )
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (stopping.signal.aborted) aside('Stopped.')
    else if (output === undefined || error instanceof Fault || code === undefined) throw error
    else throw unwritable(output, code)
    return false
  } finally {
    sink.give()
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}

async function copy(
  client: HostClient,
  sink: Sink,
  { outcome, chat }: ExportOptions,
  signal: AbortSignal,
): Promise<Counts> {
  const sessionId = chat === undefined ? undefined : (await chatNamed(client, chat)).id
  const counts: Counts = { success: 0, failure: 0 }
  const lines = client['learning.trajectories'](
    { outcome, ...(sessionId !== undefined && { sessionId }) },
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
    give() {},
  }
}

/** Write beside the file, and put it in its place when it is whole. */
function toFile(path: string, force = false): Sink {
  if (!force && existsSync(path))
    throw new Fault('bad_input', `${visible(path)} is there already; --force replaces it.`)
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
  let file: number
  try {
    // What people said is for nobody else.
    file = openSync(temporary, 'wx', 0o600)
  } catch (error) {
    throw unwritable(path, (error as NodeJS.ErrnoException).code)
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
    give() {
      close()
      rmSync(temporary, { force: true })
    },
  }
}

const unwritable = (path: string, code: string | undefined) =>
  new Fault('bad_input', `${visible(path)} cannot be written: ${reasonOf(code)}.`)

const aside = (text: string) => void process.stderr.write(`${text}\n`)
