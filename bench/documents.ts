import { fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readDocument, type SpawnReader } from '../src/main/documents/read-document.ts'
import { isRefusal } from '../src/main/lib/expected-errors.ts'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { makeDocx, makeParagraph, makeXlsx } from '../testing/documents/make-office.ts'
import { makePdf } from '../testing/documents/make-pdf.ts'
import { median, round, timed } from './measure.ts'

const ROUNDS = 3
const MIB = 1_048_576
const LOOK_MS = 5

/**
 * The milliseconds from a file to its text, including the start of the built process that reads it. `host` is
 * by how much the memory of this process grew meanwhile; `reader` is the peak memory of the reading process.
 */
export async function benchDocuments(): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-documents-'))
  try {
    const files = {
      short: write('short.txt', 'A line.\n'),
      pdf: write('long.pdf', longPdf()),
      docx: write('long.docx', longDocx()),
      xlsx: write('wide.xlsx', manyCells()),
    }
    const results: Record<string, number> = { document_pdf_mb: round(statSync(files.pdf).size / 1e6) }
    const memory = { host: 0, reader: 0 }
    for (const [name, path] of Object.entries(files)) {
      const samples: number[] = []
      for (let at = 0; at < ROUNDS; at++) samples.push(await timed(() => readOne(path, memory)))
      results[`document_${name}_ms`] = round(median(samples))
    }
    return {
      ...results,
      document_host_mib: round(memory.host / MIB),
      document_reader_mib: round(memory.reader / MIB),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }

  function write(name: string, content: string | Buffer): string {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }
}

async function readOne(path: string, memory: { host: number; reader: number }): Promise<void> {
  const before = process.memoryUsage.rss()
  let reader: number | undefined
  const spawn: SpawnReader = (_, env, switches) => {
    const child = fork(join(rootFolder(), 'out/main/document-process.js'), [], {
      env,
      execArgv: switches,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    reader = child.pid
    return {
      post: message => void child.send(message as object),
      onMessage: listener => child.on('message', listener),
      onExit: listener => child.once('exit', (code, signal) => listener(signal ?? String(code))),
      kill: () => void child.kill('SIGKILL'),
    }
  }
  const look = setInterval(() => {
    memory.host = Math.max(memory.host, process.memoryUsage.rss() - before)
    memory.reader = Math.max(memory.reader, memoryOf(reader))
  }, LOOK_MS)
  try {
    // The limit is long, so that a busy machine only gives worse figures instead of none.
    const read = await readDocument(path, { spawn, limits: { timeMs: 120_000 } })
    if (isRefusal(read)) throw new Error(`A document that was to be measured ${read.refused}.`)
    if (read.problems.length > 0) throw new Error(read.problems.join(' '))
  } finally {
    clearInterval(look)
  }
}

/** The memory of a process. It is measured only on Linux. */
function memoryOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1_024
  } catch {
    return 0
  }
}

const words = 'the seventh report says that nine of the harbours were closed in winter and reopened '.split(
  ' ',
)
/** A sentence of about this many characters, the same for the same seed. */
function sentence(seed: number, length: number): string {
  let text = ''
  for (let at = seed; text.length < length; at += 7) text += `${words[at % words.length]} `
  return text.trim()
}

/** A PDF of 5 MB with only text: 1,000 pages of 60 lines. */
function longPdf(): Buffer {
  const pages = Array.from({ length: 1_000 }, (_, page) => {
    const lines = Array.from({ length: 60 }, (_, line) => `(${sentence(page + line, 70)}) Tj 0 -12 Td`)
    return { draws: `BT /F1 10 Tf 72 760 Td ${lines.join('\n')} ET` }
  })
  return makePdf(pages)
}

/** A Word document of 200 pages, each with a heading, six paragraphs and a table of ten rows. */
function longDocx(): Buffer {
  const cell = (text: string) => `<w:tc>${makeParagraph(text)}</w:tc>`
  const pages = Array.from({ length: 200 }, (_, page) => {
    const paragraphs = Array.from({ length: 6 }, (_, at) => makeParagraph(sentence(page + at, 400)))
    const rows = Array.from(
      { length: 10 },
      (_, row) => `<w:tr>${cell(`Item ${row}`)}${cell(sentence(row, 20))}${cell(`${page * row}`)}</w:tr>`,
    )
    const heading = makeParagraph(`Part ${page + 1}`, '<w:pStyle w:val="Heading1"/>')
    return `${heading}${paragraphs.join('')}<w:tbl>${rows.join('')}</w:tbl>`
  })
  return makeDocx(pages.join(''))
}

/** A workbook of 10,000 rows with ten cells each: shared texts, numbers, and formulas with their values. */
function manyCells(): Buffer {
  const texts = Array.from({ length: 1_000 }, (_, at) => `<t>${sentence(at, 20)}</t>`)
  const rows = Array.from({ length: 10_000 }, (_, row) => {
    const cells = Array.from({ length: 10 }, (_, column) => {
      const place = `${String.fromCharCode(65 + column)}${row + 1}`
      if (column < 3) return `<c r="${place}" t="s"><v>${(row * 3 + column) % 1_000}</v></c>`
      const formula = column === 9 ? `<f>SUM(D${row + 1}:I${row + 1})</f>` : ''
      return `<c r="${place}">${formula}<v>${(row * column) / 4}</v></c>`
    })
    return `<row r="${row + 1}">${cells.join('')}</row>`
  })
  return makeXlsx([{ name: 'Sales', xml: `<sheetData>${rows.join('')}</sheetData>` }], { texts })
}
