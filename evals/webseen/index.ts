import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  makeBrowserFolder,
  removeBrowserFolder,
} from '../../src/main/web/read/seen/browser/browser-folder.ts'
import { findInstalledBrowser } from '../../src/main/web/read/seen/browser/find-browser.ts'
import { openEyes, type Eyes } from '../../src/main/web/read/seen/browser/see-in-browser.ts'
import { hideInBrowser } from '../../src/main/web/read/seen/hide-in-browser.ts'
import { fail, printFigures, readRows } from '../command-line.ts'
import type { Figures } from '../records.ts'
import { countFigures, hideByStyles, measureRows, Row, splitRows, type Hide } from './measure.ts'

const USAGE = `Usage: npm run -s eval:webseen -- [--browser] [--every N] [--fresh | --hidden FILE.jsonl --seen FILE.jsonl]
  rows {id, technique, css?, html} with ORDER where the hidden text stands, or TEXT where one stands that all can see
  --browser: an installed browser judges the pages as well
  --every N: only each Nth row, for a quick look
  --fresh: pages by somebody who had not seen the reader`

type Given = { browser: boolean; fresh: boolean; every: number; hidden?: string; seen?: string }

const own = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Says how many orders that are hidden in pages would reach a model, and how many visible texts are lost. */
async function main(): Promise<void> {
  const given = readArguments()
  const { orders, texts } = readSets(given)
  const measure = async (name: string, hide: Hide): Promise<Figures> => {
    const [left, kept] = [await measureRows(orders, hide), await measureRows(texts, hide)]
    for (const { id, technique } of left.filter(({ isLeft }) => isLeft))
      console.log(`${name}: reached ${id} (${technique})`)
    for (const { id, technique } of kept.filter(({ isLeft }) => !isLeft))
      console.log(`${name}: lost ${id} (${technique})`)
    return countFigures(name, left, kept)
  }
  const name = ['webseen', ...(given.fresh ? ['fresh'] : []), ...(given.browser ? ['browser'] : [])].join('-')
  if (!given.browser) return printFigures(name, await measure('styles', hideByStyles))
  const program = findInstalledBrowser() ?? fail('No browser is installed that could show a page.')
  const folder = makeBrowserFolder()
  const eyes = openEyes({ program, folder })
  const started = performance.now()
  try {
    const figures = await measure('browser', hideWith(eyes))
    const seconds = (performance.now() - started) / 1_000 / (orders.length + texts.length)
    console.log(`${seconds.toFixed(2)} s a page`)
    printFigures(name, figures)
  } finally {
    await eyes.close()
    removeBrowserFolder(folder)
  }
}

const hideWith =
  (eyes: Eyes): Hide =>
  async document => {
    const { unlooked, ...seen } = await hideInBrowser(document, {
      signal: new AbortController().signal,
      eyes,
    })
    if (unlooked !== undefined) throw new Error(unlooked)
    return seen
  }

function readSets({ fresh, every, hidden, seen }: Given): { orders: Row[]; texts: Row[] } {
  const sets = fresh
    ? splitRows(readRows(own('fresh.jsonl'), Row))
    : {
        orders: readRows(hidden ?? own('hidden.jsonl'), Row),
        texts: readRows(seen ?? own('seen.jsonl'), Row),
      }
  const isTaken = (_: Row, at: number) => at % every === 0
  return { orders: sets.orders.filter(isTaken), texts: sets.texts.filter(isTaken) }
}

function readArguments(): Given {
  try {
    const { values } = parseArgs({
      options: {
        browser: { type: 'boolean', default: false },
        fresh: { type: 'boolean', default: false },
        every: { type: 'string', default: '1' },
        hidden: { type: 'string' },
        seen: { type: 'string' },
      },
    })
    const every = Number(values.every)
    if (!Number.isInteger(every) || every < 1) fail(USAGE)
    const { hidden, seen, browser, fresh } = values
    if (fresh && (hidden ?? seen) !== undefined) fail(USAGE)
    return {
      browser,
      fresh,
      every,
      ...(hidden !== undefined && { hidden }),
      ...(seen !== undefined && { seen }),
    }
  } catch (error) {
    return fail(`${(error as Error).message}\n${USAGE}`)
  }
}

await main()
