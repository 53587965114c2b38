import { stat } from 'node:fs/promises'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { redactText } from '../../untrusted/redact.ts'
import { ThreadEnded } from '../../threads/start-thread.ts'
import { STOPPED_BEFORE } from '../registry/call-failures.ts'
import { ownBuffer, fileJobs, type NamedFile, type FileJobs } from './file-jobs.ts'
import { runInFileThread } from './file-job-pool.ts'
import type { ToolContext, ToolResult } from '../registry/tool.ts'

/**
 * From this many bytes or characters on, a thread does the work. Patching and comparing take up to 7 µs per
 * character, measured over the shapes of `bench/bounds`, which would block the host; reading and writing take
 * almost no time.
 */
const THREAD_BYTES = { patch: 16_000, compare: 16_000, rewrite: 16_000, page: 1_000_000, replace: 1_000_000 }

/** From this many characters on, a text is searched for secrets in a thread. */
const THREAD_CHARACTERS = 250_000

/** How long a user or a model waits at most, in ms. Writing always ends, so it has no limit. */
const LIMIT_MS = 20_000
const TOO_LONG: Record<FileWork, string> = {
  patch:
    'so nothing was changed. Patch a shorter passage: a few whole lines around the change that occur once in the file. Or change it with a command.',
  compare: 'so its changes are not shown.',
  rewrite: 'so nothing was changed. Write it with a command, or into a new file.',
  page: 'so it was not read. Read a part of it with a command.',
  replace: '',
}

type FileWork = Exclude<keyof FileJobs, 'redact'>
type Rest<K extends FileWork> = Parameters<FileJobs[K]> extends [NamedFile, ...infer R] ? R : never
/** When to stop waiting: at the end of the turn, or after a limit in ms, which tests make shorter. */
export type Waiting = { signal?: AbortSignal | undefined; limitMs?: number }

/** Redact keys and passwords in a text, in a separate thread if it is long. */
export async function redactLong(text: string): Promise<string> {
  if (text.length < THREAD_CHARACTERS) return redactText(text)
  const { text: redacted } = await runInFileThread<{ text: string }>(
    { work: 'redact', given: [undefined, text] },
    NEVER,
  )
  return redacted
}

const NEVER = new AbortController().signal

/**
 * Do one piece of work on a file, in a separate thread if the file or the arguments are long. Work that takes
 * too long or is stopped ends with its thread, and the refusal says why.
 */
export async function runFileJob<K extends FileWork>(
  work: K,
  file: NamedFile,
  rest: Rest<K>,
  { signal = NEVER, limitMs = LIMIT_MS }: Waiting = {},
): Promise<Awaited<ReturnType<FileJobs[K]>>> {
  type Outcome = Awaited<ReturnType<FileJobs[K]>>
  const given: unknown[] = [file, ...rest]
  const size = (await sizeOf(file.path)) + rest.reduce((sum: number, each) => sum + lengthOf(each), 0)
  if (size < THREAD_BYTES[work])
    return (await (fileJobs[work] as (...given: unknown[]) => Promise<unknown>)(...given)) as Outcome
  const [content] = rest as readonly unknown[]
  const handedOver = content instanceof Uint8Array ? ownBuffer(content) : []
  if (work === 'replace') return await runInFileThread<Outcome>({ work, given }, NEVER, handedOver)
  const time = AbortSignal.timeout(limitMs)
  try {
    return await runInFileThread<Outcome>({ work, given }, AbortSignal.any([signal, time]), handedOver)
  } catch (error) {
    if (signal.aborted) return refusalOf(work, STOPPED_BEFORE) as Outcome
    const what = `The work on ${file.name}`
    if (time.aborted)
      return refusalOf(
        work,
        `${what} did not end within ${limitMs / 1_000} seconds, ${TOO_LONG[work]}`,
      ) as Outcome
    if (error instanceof ThreadEnded)
      return refusalOf(work, `${what} needs more memory than there is for it, ${TOO_LONG[work]}`) as Outcome
    throw error
  }
}

/** `isUnfinished`: the work was given up, so the file itself may be fine. */
const refusalOf = (work: FileWork, reason: string): ToolResult | (Refusal & { isUnfinished: true }) =>
  work === 'page' ? { ok: false, reason } : { refused: reason, isUnfinished: true }

/** The length of the arguments, in characters or bytes. */
function lengthOf(given: unknown): number {
  if (typeof given === 'string') return given.length
  if (given instanceof Uint8Array) return given.byteLength
  return typeof given === 'object' && given !== null
    ? Object.values(given).reduce((sum: number, each) => sum + lengthOf(each), 0)
    : 0
}

/** Replace a file after saving its content for undo. Returns the error, if any; then nothing has changed. */
export async function replaceKept(
  { keepCopy }: Pick<ToolContext, 'keepCopy'>,
  file: NamedFile,
  content: string | Uint8Array,
): Promise<ToolResult | undefined> {
  const kept = await keepCopy?.(file.path, content)
  if (isRefusal(kept)) return { ok: false, reason: kept.refused }
  const failed = await runFileJob('replace', file, [content])
  if (failed) kept?.forget()
  return failed
}

/** The size of a file in bytes; 0 if it is unknown, as the reader of the file then says why. */
const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )
