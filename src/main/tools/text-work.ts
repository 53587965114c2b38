import { lstatSync, realpathSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isRefusal, type Refusal, fileErrorCode, reasonOf } from '../lib/expected-errors.ts'
import { diffTexts } from './diff.ts'
import { patchText, type Patch } from './patch-text.ts'
import { redactText } from '../lib/redact.ts'
import { encodeText, readText } from './text-file.ts'
import type { ToolResult } from './tool.ts'
import { writeAtomic } from '../lib/durable-files.ts'

/** A file to work on: its real path, the path as it was given, and its name in what people and models read. */
export type NamedFile = { path: string; given: string; name: string }

/** The bytes of a patched file, what changed as a diff, and in how many places. */
export type PatchedFile = { bytes: Uint8Array; diff: string; count: number }

/** What the file tools do with whole texts. It takes long where a file is big, so `in-text-thread.ts` chooses who does it. */
export const textWork = {
  /** The lines of a file from `offset` (from 1) on. */
  async page(file: NamedFile, offset: number, limit: number): Promise<ToolResult> {
    const read = await readText(file.path, file.given)
    return isRefusal(read) ? { ok: false, reason: read.refused } : pageOf(read.text, file.name, offset, limit)
  },

  /** Patch a file without writing it. `near` is the passage that was probably meant. */
  async patch(file: NamedFile, patch: Patch): Promise<PatchedFile | (Refusal & { near?: string })> {
    const read = await readText(file.path, file.given)
    if (isRefusal(read)) return read
    if (!read.exact) return { refused: `${file.given} is not UTF-8 text, so a patch would damage it.` }
    const patched = patchText(read.text, patch)
    if (isRefusal(patched)) return patched
    const { text, count } = patched
    return { bytes: encodeText({ ...read, text }), diff: diffTexts(read.text, text), count }
  },

  /** What a new content changes, as a diff; empty when nothing. Refuses a file that is not text. */
  async compare(file: NamedFile, content: string): Promise<{ diff: string } | Refusal> {
    const read = await readText(file.path, file.given)
    return isRefusal(read) ? read : { diff: diffTexts(read.text, content) }
  },

  /** Why a file may not be replaced: only text may, so that a mistyped name never costs a picture or a program. */
  async refuseReplacing(file: NamedFile): Promise<Refusal | undefined> {
    const read = await readText(file.path, file.given)
    return isRefusal(read) ? read : undefined
  },

  /** A text without keys and passwords. It belongs to no file. */
  redact: async (_file: undefined, text: string): Promise<{ text: string }> => ({ text: redactText(text) }),

  replace: (file: NamedFile, content: string | Uint8Array): Promise<ToolResult | undefined> =>
    replaceFile(file.path, content, file.name),
}
export type TextWork = typeof textWork

/** The most lines, and characters, of one page. */
export const PAGE_LINES = 2_000
const PAGE_CHARACTERS = 256_000

/** A heading, then the lines without numbers, because small models copy numbers into patches. */
function pageOf(text: string, name: string, offset: number, limit: number): ToolResult {
  if (text === '') return { ok: true, text: `${name}, empty` }
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  if (offset > lines.length) {
    return { ok: false, reason: `${name} has ${lines.length} lines, so there is no line ${offset}.` }
  }
  const page: string[] = []
  let room = PAGE_CHARACTERS
  for (const line of lines.slice(offset - 1, offset - 1 + Math.min(limit, PAGE_LINES))) {
    if (line.length > room && page.length > 0) break
    const rest = line.length - room
    page.push(rest > 0 ? `${line.slice(0, room)} [… ${rest} more characters in this line]` : line)
    room -= line.length + 1
  }
  const last = offset - 1 + page.length
  const more = last < lines.length ? [`[more from line ${last + 1}: read again with offset ${last + 1}]`] : []
  const heading = `${name}, lines ${offset}-${last} of ${lines.length}`
  return { ok: true, text: [heading, ...page, ...more].join('\n') }
}

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
