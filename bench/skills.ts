import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { estimateTokens } from '../src/shared/text/estimate-tokens.ts'
import { openLibrary } from '../src/main/skills/library/open-library.ts'
import type { Library } from '../src/main/skills/skill-types.ts'
import { openStore } from '../src/main/db/store.ts'
import { median, percentile, round } from './measure.ts'
import type { Measured } from './run-parts.ts'

const SKILLS = 5_000
const CATEGORIES = 40
const LOOKS = 40
const CHECKS = 8
const COLD = 3
/**
 * How long to wait after writing: files younger than two seconds are read again at each look, and real
 * collections are older.
 */
const SETTLED_MS = 2_200
/** The time after which the library checks the disk again: a second and a little more. */
const CHECKED_MS = 1_050

/**
 * A library of thousands of skills as the host opens it, with its folders watched and each skill checked in
 * the background. Measured are the milliseconds of the very first list, of the first list in a process that
 * finds the index of an earlier process, and of later lists, including those that check the disk again.
 */
export async function benchSkills(skills = SKILLS, checks = CHECKS): Promise<Measured> {
  const home = mkdtempSync(join(tmpdir(), 'talaria-bench-skills-'))
  const { store } = openStore(home, { clock: Date.now, report: raise })
  const open = () =>
    openLibrary({
      roots: () => [{ key: 'own', kind: 'own', folder: join(home, 'skills') }],
      projects: () => [],
      trusted: () => [],
      store: store.skills,
      cacheFile: join(home, 'cache', 'skills.json'),
      count: estimateTokens,
      toolsets: () => ['files', 'terminal'],
      now: Date.now,
      onChange: () => undefined,
      report: raise,
    })
  const list = (library: Library) => {
    const before = performance.now()
    const found = library.list().length
    if (found !== skills) throw new Error(`${found} of ${skills} skills were listed.`)
    return performance.now() - before
  }
  try {
    generateSkills(join(home, 'skills'), skills)
    await sleep(SETTLED_MS)
    const cold: number[] = []
    for (let time = 0; time < COLD; time++) {
      rmSync(join(home, 'cache', 'skills.json'), { force: true })
      const library = open()
      cold.push(list(library))
      library.close()
    }
    const reopened: number[] = []
    for (let time = 0; time < COLD; time++) {
      const library = open()
      reopened.push(list(library))
      library.close()
    }
    const library = open()
    list(library)
    const warm = Array.from({ length: LOOKS }, () => list(library))
    const checking: number[] = []
    for (let look = 0; look < checks; look++) {
      await sleep(CHECKED_MS)
      checking.push(list(library))
    }
    library.close()
    return {
      skills,
      skills_cold_list_ms: round(median(cold)),
      skills_reopened_list_ms: round(median(reopened)),
      skills_warm_list_p50_ms: round(median(warm)),
      skills_warm_list_p95_ms: round(percentile(warm, 0.95)),
      skills_checking_list_ms: round(median(checking)),
    }
  } finally {
    store.close()
    rmSync(home, { recursive: true, force: true })
  }
}

const raise = (error: unknown) => {
  throw error
}

/**
 * Write skills as in real collections: a page of text each, a third with a reference, a tenth with a script.
 * Returns their files.
 */
export function generateSkills(root: string, skills: number): string[] {
  return Array.from({ length: skills }, (_, n) => {
    const name = `skill-${String(n).padStart(5, '0')}`
    const folder = join(root, `category-${n % CATEGORIES}`, name)
    const steps = Array.from({ length: 25 }, (_, step) => `${step + 1}. ${sentence(n * 31 + step)}`)
    mkdirSync(folder, { recursive: true })
    const path = join(folder, 'SKILL.md')
    writeFileSync(
      path,
      `---\nname: ${name}\ndescription: ${sentence(n)} Use when the user asks to ${sentence(n + 7)}\nmetadata:\n  tags: [${WORDS[n % WORDS.length]}, text]\n---\n\n# ${name}\n\n${steps.join('\n')}\n`,
    )
    if (n % 3 === 0) extra(folder, 'references', 'details.md', sentence(n).repeat(20))
    if (n % 10 === 0) extra(folder, 'scripts', 'run.py', 'print("done")\n'.repeat(20))
    return path
  })
}

function extra(folder: string, kind: string, name: string, text: string): void {
  mkdirSync(join(folder, kind))
  writeFileSync(join(folder, kind, name), text)
}

const WORDS =
  `table letter recipe garden budget meeting summary journal photo ticket parcel invoice lesson travel backup chart poem
  schedule contract inventory translate compare collect sort check rename measure repair arrange clean export label plan`.split(
    /\s+/,
  )

/** Twelve words, different ones for each seed. */
const sentence = (seed: number) =>
  `${Array.from({ length: 12 }, (_, at) => WORDS[(seed * (at + 3) + at * at) % WORDS.length]).join(' ')}.`
