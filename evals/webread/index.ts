import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { makeReadFetched } from '../../src/main/web/read/read-fetched.ts'
import { fail, printFigures } from '../command-line.ts'
import { givenPages, measurePages, readRow, type ReadRow } from './measure.ts'

const USAGE = `Usage: npm run -s eval:webread [-- FOLDER|FILE.jsonl] [--browser]
  FOLDER: one folder a page with source.html, and beside it expected.md or expected.txt if its text is known
  FILE.jsonl: rows {id, html, address?, expected?}
  --browser: an installed browser lays the page out to find what a person sees`

/**
 * Reads pages as the product does. Prints one JSON line for each, and how much of the known texts was found.
 */
async function main(): Promise<void> {
  const { path, browser } = readArguments()
  const pages = givenPages(path ?? fileURLToPath(new URL('pages.jsonl', import.meta.url)))
  const read = makeReadFetched()
  const rows: ReadRow[] = []
  for (const page of pages) {
    const row = await readRow(read, page, browser)
    rows.push(row)
    console.log(JSON.stringify(row))
  }
  await read.close()
  if (pages.some(({ expected }) => expected !== undefined)) printFigures('webread', measurePages(pages, rows))
}

function readArguments(): { path: string | undefined; browser: boolean } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { browser: { type: 'boolean', default: false } },
    })
    if (positionals.length > 1) fail(USAGE)
    return { path: positionals[0], browser: values.browser }
  } catch (error) {
    return fail(`${(error as Error).message}\n${USAGE}`)
  }
}

await main()
