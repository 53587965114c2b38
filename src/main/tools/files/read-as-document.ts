import { open, stat } from 'node:fs/promises'
import type { Reading, ReadRefusal } from '../../documents/document.ts'
import { joinPages, nameDocument } from '../../documents/join-pages.ts'
import { readDocument, type SpawnReader } from '../../documents/read-document.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { pageOf, type PageWish } from './page-of-text.ts'
import type { NamedFile } from './file-jobs.ts'
import type { ToolResult } from '../registry/tool.ts'

/** The first bytes of documents that are unreadable as text. HTML, tables and the like are shown as text. */
const BEGINNINGS = ['PK\u0003\u0004', 'SQLite format 3\0', String.raw`{\rtf`, 'ÐÏ\u0011à']
const HEAD_BYTES = 1_024

type Read = { stamp: string; outcome: Reading | ReadRefusal }
/** How many recently read documents are kept, because a document is read page by page. */
const MOST_KEPT = 2
const kept = new Map<string, Read>()

/** Return a page of a document, as `pageOf` does for a text file; undefined if it is not a document. */
export async function pageOfDocument(
  file: NamedFile,
  wish: PageWish,
  { signal, spawn }: { signal: AbortSignal; spawn: SpawnReader | undefined },
): Promise<ToolResult | undefined> {
  if (!(await isDocument(file.path))) return undefined
  const outcome = await readKept(file.path, signal, spawn)
  if (isRefusal(outcome)) return { ok: false, reason: `${file.given} ${outcome.refused}.` }
  if (outcome.kind === 'other' || outcome.kind === 'picture')
    return { ok: false, reason: `${file.given} cannot be read. ${outcome.problems.join(' ')}` }
  const page = pageOf(joinPages(outcome), file.name, wish)
  if (!page.ok) return page
  const said = [`this is the text of ${nameDocument(outcome)}`, ...outcome.problems].join('. ')
  return { ...page, text: `${page.text}\n[${said.replaceAll(']', ')').replace(/\.$/, '')}]` }
}

/** Tell a document by its first bytes. An e-mail looks like text, so its name decides. */
async function isDocument(path: string): Promise<boolean> {
  if (/\.eml$/i.test(path)) return true
  try {
    await using file = await open(path)
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const start = buffer.subarray(0, bytesRead).toString('latin1')
    return start.includes('%PDF-1') || BEGINNINGS.some(each => start.startsWith(each))
  } catch {
    // The reader for text files then says why the file cannot be read.
    return false
  }
}

async function readKept(
  path: string,
  signal: AbortSignal,
  spawn: SpawnReader | undefined,
): Promise<Reading | ReadRefusal> {
  const { mtimeMs, size, ino } = await stat(path)
  const stamp = `${mtimeMs} ${size} ${ino}`
  const before = kept.get(path)
  kept.delete(path)
  if (before?.stamp === stamp) {
    kept.set(path, before)
    return before.outcome
  }
  const outcome = await readDocument(path, { signal, ...(spawn && { spawn }) })
  if (!isRefusal(outcome)) kept.set(path, { stamp, outcome })
  for (const oldest of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(oldest)
  return outcome
}
