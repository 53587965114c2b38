import { lstatSync, realpathSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isRefusal, type Refusal, fileErrorCode, reasonOf } from '../../lib/expected-errors.ts'
import { diffTexts } from '../../files/diff-texts.ts'
import { redactText } from '../../untrusted/redact.ts'
import { keepFileForm, keptEncoding } from './keep-file-form.ts'
import { pageOf, type PageWish } from './page-of-text.ts'
import { patchText, type Patch } from '../../files/patch/patch-text.ts'
import { encodeFor, encodingNote, readText } from '../../files/read-text-file.ts'
import type { ToolResult } from '../registry/tool.ts'
import { writeAtomic } from '../../lib/disk/durable-files.ts'

/** A file to work on: its real path, the path as given, and the name shown to users and models. */
export type NamedFile = { path: string; given: string; name: string }

/**
 * A patched file: its bytes, the diff, the number of changes, and a sentence on the encoding that it keeps.
 */
export type PatchedFile = { bytes: Uint8Array; diff: string; count: number; keeps: string }

/** A rewritten file: its bytes, the diff, and what it keeps of the old file's form, as a sentence. */
export type Rewritten = { bytes: Uint8Array; diff: string; keeps: string }

/** The jobs on whole texts. They are slow for large files, so `run-file-job.ts` chooses the thread. */
export const fileJobs = {
  /** Return one page of a file. */
  async page(file: NamedFile, wish: PageWish): Promise<ToolResult> {
    const read = await readText(file.path, file.given)
    if (isRefusal(read)) return { ok: false, reason: read.refused }
    const page = pageOf(read.text, file.name, wish)
    const note = encodingNote(read)
    return page.ok && note !== '' ? { ...page, text: `${page.text}\n${note}` } : page
  },

  /** Patch a file without writing it. `near` is the passage that was probably meant. */
  async patch(file: NamedFile, patch: Patch): Promise<PatchedFile | (Refusal & { near?: string })> {
    const read = await readText(file.path, file.given)
    if (isRefusal(read)) return read
    // Report what cannot be encoded before reporting a patch that does not apply.
    const asItIs = encodeFor(read, read.text, file.given)
    if (isRefusal(asItIs)) return asItIs
    const patched = patchText(read.text, patch)
    if (isRefusal(patched)) return patched
    const { text, count } = patched
    const bytes = encodeFor(read, text, file.given)
    if (isRefusal(bytes)) return bytes
    return { bytes, diff: diffTexts(read.text, text), count, keeps: keptEncoding(read) }
  },

  /** Return the diff between a file and a text; empty if they are equal. Refuses a file that is not text. */
  async compare(file: NamedFile, content: string): Promise<{ diff: string } | Refusal> {
    const read = await readText(file.path, file.given)
    return isRefusal(read) ? read : { diff: diffTexts(read.text, content) }
  },

  /** Give new content the form of the old file, and return it with the diff. Refuses a non-text file. */
  async rewrite(file: NamedFile, content: string): Promise<Rewritten | Refusal> {
    const read = await readText(file.path, file.given)
    if (isRefusal(read)) return read
    const { text, keeps, encoding, mark } = keepFileForm(read, content)
    const bytes = encodeFor({ text, encoding, mark, exact: true }, text, file.given)
    return isRefusal(bytes) ? bytes : { bytes, diff: diffTexts(read.text, text), keeps }
  },

  /** Redact keys and passwords in a text that belongs to no file. */
  redact: async (_file: undefined, text: string): Promise<{ text: string }> => ({ text: redactText(text) }),

  replace: (file: NamedFile, content: string | Uint8Array): Promise<ToolResult | undefined> =>
    replaceFile(file.path, content, file.name),
}
export type FileJobs = typeof fileJobs

/**
 * Write content to a real path and create its folders. Returns the error, if any. Checks for links again
 * right before writing, because a background program may have created one since the path was resolved.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  name: string,
): Promise<ToolResult | undefined> {
  try {
    await mkdir(dirname(path), { recursive: true })
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
    if (isLink || realpathSync.native(dirname(path)) !== dirname(path)) {
      return { ok: false, reason: `${name} became a link while it was written. Look at it again first.` }
    }
    writeAtomic(path, content)
    return undefined
  } catch (error) {
    const code = fileErrorCode(error)
    return { ok: false, reason: `${name} cannot be written: ${reasonOf(code)}.` }
  }
}

/** The buffers that can be transferred to another thread: not those of small arrays, which share a pool. */
export const ownBuffer = ({ buffer, byteLength }: Uint8Array): ArrayBuffer[] =>
  buffer.byteLength === byteLength ? [buffer as ArrayBuffer] : []
