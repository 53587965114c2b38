import { stat } from 'node:fs/promises'
import { isRefusal } from '../lib/expected-errors.ts'
import { redactText } from '../lib/redact.ts'
import { entryPath } from '../lib/shipped-files.ts'
import { runInThread } from '../threads/in-thread.ts'
import { ownBuffer, textWork, type NamedFile, type TextWork } from './text-work.ts'
import type { TextJob } from './text-worker.ts'
import type { ToolContext, ToolResult } from './tool.ts'

/** From this many bytes on, a thread does the work. Below, it is done before a thread has started. */
const THREAD_BYTES = 1_000_000

/** A text from this many characters on is searched for secrets in a thread. */
const THREAD_CHARACTERS = 250_000

type FileWork = Exclude<keyof TextWork, 'redact'>
type Rest<K extends FileWork> = Parameters<TextWork[K]> extends [NamedFile, ...infer R] ? R : never

/** A text with its keys and passwords redacted, in a separate thread where it is long. */
export async function redactLong(text: string): Promise<string> {
  if (text.length < THREAD_CHARACTERS) return redactText(text)
  const job: TextJob = { work: 'redact', given: [undefined, text] }
  for await (const outcome of runInThread<{ text: string }>(entryPath('text-worker'), job, NEVER, {}))
    return outcome.text
  throw new Error('The thread ended without an outcome.')
}

const NEVER = new AbortController().signal

/** Do one piece of work on a file, in a separate thread where the file or the new content is big. */
export async function workOnText<K extends FileWork>(
  work: K,
  file: NamedFile,
  ...rest: Rest<K>
): Promise<Awaited<ReturnType<TextWork[K]>>> {
  type Outcome = Awaited<ReturnType<TextWork[K]>>
  const given: unknown[] = [file, ...rest]
  const [content] = rest as readonly unknown[]
  const isBytes = content instanceof Uint8Array
  const size = Math.max(await sizeOf(file.path), isBytes ? content.byteLength : 0)
  if (size < THREAD_BYTES)
    return (await (textWork[work] as (...given: unknown[]) => Promise<unknown>)(...given)) as Outcome
  const job: TextJob = { work, given }
  const handedOver = isBytes ? ownBuffer(content) : []
  for await (const outcome of runInThread<Outcome>(entryPath('text-worker'), job, NEVER, {
    handedOver,
  }))
    return outcome
  throw new Error('The thread ended without an outcome.')
}

/** Replace a file, after what it is was kept for the user. Returns the error, if any; then nothing was changed. */
export async function replaceKept(
  { keepCopy }: Pick<ToolContext, 'keepCopy'>,
  file: NamedFile,
  content: string | Uint8Array,
): Promise<ToolResult | undefined> {
  const kept = await keepCopy?.(file.path, content)
  if (isRefusal(kept)) return { ok: false, reason: kept.refused }
  const failed = await workOnText('replace', file, content)
  if (failed) kept?.forget()
  return failed
}

/** The size of a file in bytes, 0 when it is unknown; the reader of the file then says why. */
const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )
