import { open, stat } from 'node:fs/promises'
import type { Reading, ReadRefusal } from '../../documents/document.ts'
import { joinPages, nameDocument } from '../../documents/join-pages.ts'
import { readDocument, type SpawnReader } from '../../documents/read-document.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { pageOf, type PageWish } from './page-of-text.ts'
import type { NamedFile } from './file-jobs.ts'
import type { ToolResult } from '../registry/tool.ts'

/** How documents begin whose bytes say nothing to a reader. What people also write by hand, such as HTML and tables, stays as it is. */
const BEGINNINGS = ['PK\u0003\u0004', 'SQLite format 3\0', String.raw`{\rtf`, 'ÐÏ\u0011à']
const HEAD_BYTES = 1_024

type Read = { stamp: string; outcome: Reading | ReadRefusal }
/** The last documents, because one is read on page by page. */
const MOST_KEPT = 2
const kept = new Map<string, Read>()

/** A part of the text of a document, as `pageOf` gives one of a text file; undefined when the file is none. */
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

/** Looks at the first bytes only. An e-mail looks like text, and is told by its name. */
async function isDocument(path: string): Promise<boolean> {
  if (/\.eml$/i.test(path)) return true
  try {
    await using file = await open(path)
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const start = buffer.subarray(0, bytesRead).toString('latin1')
    return start.includes('%PDF-1') || BEGINNINGS.some(each => start.startsWith(each))
  } catch {
    // Whoever reads it as a text then says why it cannot be read.
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
