import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { hideInBrowser } from '../../src/main/web/read/seen/hide-in-browser.ts'
import { fail, printFigures, readRows } from '../command-line.ts'
import type { Figures } from '../records.ts'
import { countFigures, hideByStyles, measureRows, Row, type Hide } from './measure.ts'

const USAGE = `Usage: npm run -s eval:webseen -- [--browser] [--hidden FILE.jsonl] [--seen FILE.jsonl]
  rows {id, technique, css?, html} with ORDER where the hidden text stands, or TEXT where one stands that all can see
  --browser: an installed browser judges the pages as well`

const own = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Says how many of the orders that are hidden in pages would reach a model, and how many visible texts are lost. */
async function main(): Promise<void> {
  const { browser, hidden, seen } = readArguments()
  const orders = readRows(hidden ?? own('hidden.jsonl'), Row)
  const texts = readRows(seen ?? own('seen.jsonl'), Row)
  const measure = async (name: string, hide: Hide): Promise<Figures> => {
    const [left, kept] = [await measureRows(orders, hide), await measureRows(texts, hide)]
    for (const { id, technique } of left.filter(({ isLeft }) => isLeft))
      console.log(`${name}: reached ${id} (${technique})`)
    for (const { id, technique } of kept.filter(({ isLeft }) => !isLeft))
      console.log(`${name}: lost ${id} (${technique})`)
    return countFigures(name, left, kept)
  }
  const figures = browser ? await measure('browser', hideWithBrowser) : await measure('styles', hideByStyles)
  printFigures(browser ? 'webseen-browser' : 'webseen', figures)
}

const hideWithBrowser: Hide = async document => {
  const outcome = await hideInBrowser(document, { signal: new AbortController().signal })
  return 'refused' in outcome ? fail(outcome.refused) : outcome
}

function readArguments(): { browser: boolean; hidden?: string; seen?: string } {
  try {
    const { values } = parseArgs({
      options: {
        browser: { type: 'boolean', default: false },
        hidden: { type: 'string' },
        seen: { type: 'string' },
      },
    })
    const { browser, hidden, seen } = values
    return { browser, ...(hidden !== undefined && { hidden }), ...(seen !== undefined && { seen }) }
  } catch (error) {
    return fail(`${(error as Error).message}\n${USAGE}`)
  }
}

await main()
