import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import type { ReadFetched } from '../../src/main/web/web-parts.ts'
import { fail, readRows } from '../command-line.ts'
import { shareOf, type Figures } from '../records.ts'

/** A page as a row: its HTML, and the right text if it is known. */
export const PageRow = z.strictObject({
  id: z.string().min(1),
  html: z.string(),
  /** The address that relative links start from. */
  address: z.string().optional(),
  expected: z.string().optional(),
})
export type PageRow = z.infer<typeof PageRow> & { bytes?: Uint8Array }

/** The text that was read from a page. `refused`: why there is none. */
export type ReadRow = {
  id: string
  title: string
  date?: string
  markdown: string
  hidden: readonly string[]
  problems: readonly string[]
  refused?: string
}

/**
 * The pages of a folder (one folder for each page, with `source.html`) or of a JSONL file. Ends the program
 * if there are none.
 */
export function givenPages(path: string): PageRow[] {
  if (!existsSync(path)) return fail(`${path} does not exist.`)
  if (!statSync(path).isDirectory()) return readRows(path, PageRow)
  const ids = readdirSync(path)
    .filter(id => existsSync(join(path, id, 'source.html')))
    .toSorted()
  if (ids.length === 0) return fail(`${path} has no folder with a source.html.`)
  return ids.map(id => {
    const bytes = readFileSync(join(path, id, 'source.html'))
    const named = ['expected.md', 'expected.txt'].map(name => join(path, id, name)).find(existsSync)
    return {
      id,
      html: '',
      bytes,
      ...(named !== undefined && { expected: readFileSync(named, 'utf8') }),
    }
  })
}

/** Read a page as the product does. */
export async function readRow(read: ReadFetched, page: PageRow, browser: boolean): Promise<ReadRow> {
  const fetched = {
    ok: true as const,
    address: page.address ?? `https://site.example/${encodeURIComponent(page.id)}`,
    status: 200,
    contentType: page.bytes ? 'text/html' : 'text/html; charset=utf-8',
    bytes: page.bytes ?? Buffer.from(page.html),
    cut: false,
  }
  const outcome = await read(fetched, { signal: new AbortController().signal, browser })
  if (isRefusal(outcome))
    return { id: page.id, title: '', markdown: '', hidden: [], problems: [], refused: outcome.refused }
  const { title, date, markdown, hidden, problems } = outcome
  return { id: page.id, title, ...(date !== undefined && { date }), markdown, hidden, problems }
}

/**
 * The words of a text. In scripts without spaces, each character is a word. Targets of links and pictures do
 * not count.
 */
function wordsOf(markdown: string): string[] {
  const bare = markdown
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\]\([^)\s]*\)/g, ']')
    .replaceAll(/^\s*`{3,}.*$/gm, '')
  const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu
  return bare.normalize('NFKC').toLowerCase().match(word) ?? []
}

/**
 * How similar two texts are by their words in any order: the harmonic mean of precision and recall, in per
 * cent.
 */
export function wordF1(read: string, expected: string): number {
  const left = new Map<string, number>()
  const wanted = wordsOf(expected)
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1)
  const found = wordsOf(read)
  let right = 0
  for (const word of found) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    right++
    left.set(word, count - 1)
  }
  return found.length + wanted.length === 0 ? 100 : (200 * right) / (found.length + wanted.length)
}

const blocksIn = (markdown: string) =>
  [...markdown.matchAll(/^\s*(`{3,})[^\n]*\n([^]*?)\n\s*\1\s*$/gm)].map(([, , code]) =>
    code!.replaceAll(/[ \t]+$/gm, ''),
  )
const tablesIn = (markdown: string) =>
  [...markdown.matchAll(/(?:^\|.*\|\s*$\n?)+/gm)].map(([table]) =>
    wordsOf(table.replaceAll(/\|[\s|:-]+\|/g, ' ')).join(' '),
  )

/** The figures for pages whose text is known: word F1, and the tables and blocks of code that were kept. */
export function measurePages(pages: readonly PageRow[], rows: readonly ReadRow[]): Figures {
  const scores: number[] = []
  const kept = { code: 0, codeOf: 0, tables: 0, tablesOf: 0 }
  for (const [at, { expected }] of pages.entries()) {
    const row = rows[at]
    if (expected === undefined || row === undefined) continue
    scores.push(wordF1(row.markdown, expected))
    const [codes, tables] = [blocksIn(row.markdown), tablesIn(row.markdown)]
    for (const code of blocksIn(expected)) {
      kept.codeOf++
      if (codes.includes(code)) kept.code++
    }
    for (const table of tablesIn(expected)) {
      kept.tablesOf++
      if (tables.includes(table)) kept.tables++
    }
  }
  const sorted = scores.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(10 * (sorted[Math.floor((sorted.length - 1) * share)] ?? 0)) / 10
  return {
    pages: rows.length,
    refused: rows.filter(({ refused }) => refused !== undefined).length,
    scored: scores.length,
    f1Median: at(0.5),
    f1P10: at(0.1),
    code: kept.codeOf,
    codeKept: shareOf(kept.code, kept.codeOf),
    tables: kept.tablesOf,
    tablesKept: shareOf(kept.tables, kept.tablesOf),
  }
}
