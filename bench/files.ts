import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRefusal } from '../src/main/lib/expected-errors.ts'
import { patchText } from '../src/main/files/patch/patch-text.ts'
import { searchFolder } from '../src/main/tools/search/search-folder.ts'
import { benchDocuments } from './documents.ts'
import { median, round, timed } from './measure.ts'

const ROUNDS = 9
const LINES = 35_000
const FOLDERS = 50
const FILES_A_FOLDER = 60

/**
 * The milliseconds of an edit in a file of a megabyte, of a search in 3,000 files, and of turning documents
 * into text. `over_plain` is how many times as long that is as the least work that could do it, in the same
 * run: finding and joining texts, or reading every file and trying a RegExp on every line.
 */
export async function benchFiles(): Promise<Record<string, number>> {
  return { ...(await benchPatches()), ...(await benchSearches()), ...(await benchDocuments()) }
}

async function benchPatches(): Promise<Record<string, number>> {
  const line = (n: number) => `    call_${n}(value, ${n * 3});\n`
  const text = Array.from({ length: LINES }, (_, n) => line(n)).join('')
  const old = line(20_000) + line(20_001)
  const plain = await typical(() => text.split(old).join('x\n'))
  const patches = {
    exact: { old, new: line(1) + line(2), all: false },
    other_depth: { old: old.replaceAll('    ', '\t'), new: '\tx()\n', all: false },
    look_alike: { old: old.replaceAll('(', '（'), new: 'x()', all: false },
    not_found: { old: 'call_20000(valve, 60001)', new: 'x()', all: false },
    all_places: { old: 'value', new: 'other', all: true },
  }
  const results: Record<string, number> = {}
  for (const [name, patch] of Object.entries(patches)) {
    const ms = await typical(() => patchText(text, patch))
    Object.assign(results, {
      [`patch_${name}_ms`]: round(ms),
      [`patch_${name}_over_plain`]: round(ms / plain),
    })
  }
  if (isRefusal(patchText(text, patches.exact))) throw new Error('The patch that was measured is refused.')
  return results
}

async function benchSearches(): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-files-'))
  try {
    for (let n = 0; n < FOLDERS * FILES_A_FOLDER; n++) {
      const part = join(folder, `part${n % FOLDERS}`)
      mkdirSync(part, { recursive: true })
      const words = `export const value${n} = find(${n}, 'Äpfel und Birnen')\n`
      writeFileSync(join(part, `file${n}.ts`), words.repeat(60))
    }
    const patterns = {
      word: 'value2999 = find',
      letters: String.raw`\bÄpfeln\b`,
      any: String.raw`\w+Nothing\b`,
    }
    const results: Record<string, number> = {}
    for (const [name, pattern] of Object.entries(patterns)) {
      const plain = await typical(() => plainSearch(folder, new RegExp(pattern)))
      const search = { target: folder, isFile: false, pattern, globs: [] }
      const ms = await typical(() => searchFolder(search, { found: () => undefined, enter: () => undefined }))
      Object.assign(results, {
        [`search_${name}_ms`]: round(ms),
        [`search_${name}_over_plain`]: round(ms / plain),
      })
    }
    return results
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function plainSearch(folder: string, pattern: RegExp): number {
  let found = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      for (const line of readFileSync(join(entry.parentPath, entry.name), 'utf8').split('\n'))
        if (pattern.test(line)) found++
  return found
}

async function typical(work: () => unknown): Promise<number> {
  const samples: number[] = []
  for (let round = 0; round < ROUNDS; round++) samples.push(await timed(work))
  return median(samples)
}
