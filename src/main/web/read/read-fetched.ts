import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { joinPages, nameDocument } from '../../documents/join-pages.ts'
import { readDocument, type SpawnReader } from '../../documents/read-document.ts'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { entryPath } from '../../lib/disk/shipped-files.ts'
import { isBinary } from '../../lib/encodings/is-binary.ts'
import { openThread, ThreadEnded, type Thread } from '../../threads/start-thread.ts'
import type { Fetched, ReadFetched, ReadPage } from '../web-parts.ts'
import { makeBrowserFolder, removeBrowserFolder } from './seen/browser/browser-folder.ts'
import { findInstalledBrowser } from './seen/browser/find-browser.ts'
import type { BrowserPlace } from './seen/browser/start-browser.ts'
import { MOST_BYTES, nameFrom, type PageJob } from './read-page.ts'

/** The reader of pages. `close` ends its threads and their browsers. */
export type PageReader = ReadFetched & { close: () => Promise<void> }

type Options = {
  /** Starts the document reader in the desktop app. */
  spawn?: SpawnReader
  /** @internal Tests have less patience. */
  limits?: Partial<typeof LIMITS>
  /** @internal Tests say where a browser is. */
  findBrowser?: () => string | undefined
}

/** Limits for a page. One of 5 MB takes 5 s of CPU time, which other work may need too. */
const LIMITS = { timeMs: 20_000, memoryMb: 768 }
/** Additional time for a browser, in ms. */
const IN_BROWSER_MS = 20_000
/** A computing thread cannot clean up when it is stopped, and has nothing to clean up. */
const CLEANING_MS = 50

/** How long an idle thread is kept for the next page, in ms: its libraries take half a second to load. */
const IDLE_MS = 30_000

const NO_BROWSER =
  'For that, install Chromium, Google Chrome or Microsoft Edge, or switch “Look at pages in a browser” off in the settings.'

type Outcome = ReadPage | Refusal

/** A reading thread, and the folder of its browser. */
type Reader = { thread: Thread<Outcome>; folder?: string; timer?: NodeJS.Timeout }

/** Create the reader of pages. Each page gets its own thread, with limits of time and memory. */
export function makeReadFetched({
  spawn,
  limits,
  findBrowser = findInstalledBrowser,
}: Options = {}): PageReader {
  const { timeMs, memoryMb } = { ...LIMITS, ...limits }
  const all = new Set<Reader>()
  const idle: Reader[] = []
  const take = (): Reader => {
    const kept = idle.pop()
    clearTimeout(kept?.timer)
    if (kept) return kept
    const reader = {
      thread: openThread<Outcome>(entryPath('read-thread'), { cleaningMs: CLEANING_MS, memoryMb }),
    }
    all.add(reader)
    return reader
  }
  const end = async (reader: Reader) => {
    all.delete(reader)
    idle.splice(0, idle.length, ...idle.filter(each => each !== reader))
    clearTimeout(reader.timer)
    await reader.thread.close()
    if (reader.folder !== undefined) removeBrowserFolder(reader.folder)
  }
  const giveBack = (reader: Reader) => {
    if (!all.has(reader)) return
    reader.timer = setTimeout(() => void end(reader), IDLE_MS)
    reader.timer.unref()
    idle.push(reader)
  }
  const browserOf = (reader: Reader): BrowserPlace | Refusal => {
    const program = findBrowser()
    return program === undefined
      ? { refused: NO_BROWSER }
      : { program, folder: (reader.folder ??= makeBrowserFolder()) }
  }
  const read: ReadFetched = async (page, { signal, browser = false }) => {
    if (isDocument(page)) return readAsDocument(page, signal, spawn)
    const most = browser ? timeMs + IN_BROWSER_MS : timeMs
    const time = AbortSignal.timeout(most)
    const bytes = new Uint8Array(page.bytes.subarray(0, MOST_BYTES))
    const reader = take()
    const job: PageJob = {
      page: { ...page, bytes, cut: page.cut || bytes.length < page.bytes.length },
      ...(browser && { browser: browserOf(reader) }),
    }
    try {
      let outcome: Outcome = { refused: 'The page could not be read.' }
      for await (const said of reader.thread.run(job, AbortSignal.any([signal, time]), [bytes.buffer]))
        outcome = said
      giveBack(reader)
      return outcome
    } catch (error) {
      void end(reader)
      if (signal.aborted) return { refused: 'The page was not read: the reading was stopped.' }
      if (time.aborted)
        return { refused: `The page takes longer than ${most / 1_000} seconds to read, so it is not read.` }
      if (error instanceof ThreadEnded)
        return { refused: `The page needs more than ${memoryMb} MB of memory, so it is not read.` }
      return {
        // The first line says what failed; the others say where in this program.
        refused: `The page could not be read: ${error instanceof Error ? error.message.split('\n')[0]!.slice(0, 200) : 'it broke its reader'}`,
      }
    }
  }
  return Object.assign(read, {
    close: async () => void (await Promise.all([...all].map(end))),
  })
}

const TABLES = /^text\/(?:csv|tab-separated-values)\b/i

/** Whether the document reader handles this: PDF, office files, tables, and anything that is not text. */
function isDocument({ bytes, contentType }: Fetched): boolean {
  if (bytes.length === 0) return false
  if (TABLES.test(contentType)) return true
  const start = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1')
  if (['{\\rtf', '%PDF-', 'PK\u0003\u0004'].some(each => start.startsWith(each))) return true
  const isWide =
    /^(?:\u00ff\u00fe|\u00fe\u00ff)/.test(start) || /charset\s*=\s*["']?utf-?(?:16|32)/i.test(contentType)
  return !isWide && isBinary(bytes) && !/^text\/|html|xml|json/i.test(contentType)
}

/** Read a page as a document. The reader takes a file, so one exists while it reads. */
async function readAsDocument(
  page: Fetched,
  signal: AbortSignal,
  spawn: SpawnReader | undefined,
): Promise<ReadPage | Refusal> {
  const folder = await mkdtemp(join(tmpdir(), 'talaria-page-'))
  try {
    const path = join(folder, 'page')
    await writeFile(path, page.bytes, { mode: 0o600 })
    const name = documentName(page)
    const reading = await readDocument(path, { name, signal, ...(spawn && { spawn }) })
    if (isRefusal(reading))
      return {
        refused: page.cut
          ? 'This document is longer than what is fetched of one address, so it cannot be read.'
          : `This document ${reading.refused}.`,
      }
    const isNamed = reading.kind === 'picture' || reading.kind === 'other'
    return {
      ok: true,
      title: name,
      markdown: joinPages(reading),
      hidden: [],
      problems: [
        ...(isNamed ? [] : [`It is ${nameDocument(reading)}.`]),
        ...reading.problems.filter(problem => !problem.startsWith('Its name ends in')),
        ...(page.cut
          ? ['It is longer than what is fetched of one address: only its beginning was read.']
          : []),
      ],
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/csv/, 'csv'],
  [/tab-separated/, 'tsv'],
]

/** The file name in an address, with an extension for tables that shows their kind. */
function documentName({ address, contentType }: Fetched): string {
  const name = nameFrom(address)
  const ending = ENDINGS.find(([type]) => type.test(contentType))?.[1]
  return ending === undefined || name.endsWith(`.${ending}`) ? name : `${name}.${ending}`
}
