import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ScanFinding, ScanReport } from '../../src/shared/contract/learned/skills.ts'
import { isSkillFile } from '../../src/main/skills/files/main-file.ts'
import { openLibrary } from '../../src/main/skills/library/open-library.ts'
import { scanFolder } from '../../src/main/skills/library/skill-files.ts'

/**
 * A skill to scan: a folder on the disk, or its files. `file` is its name in labels, `name` the name of its
 * folder.
 */
export type Sample = {
  file: string
  name: string
  content: { folder: string } | readonly { path: string; bytes: Uint8Array }[]
}

/** A finding as it is printed. Without `path`, it is in SKILL.md. */
type Shown = Pick<ScanFinding, 'line' | 'rule' | 'category' | 'severity' | 'block'> & { path?: string }

/** The product's result for a sample. `findings` ask or block; `notes` leave a skill safe, and ask nobody. */
export type Scanned = {
  file: string
  /** The name under which the library lists it; null if it does not. */
  name: string | null
  loaded: boolean
  verdict: ScanReport['verdict']
  findings: Shown[]
  notes: Shown[]
}

/**
 * Scan samples as the product scans imported skills: each is written into a new folder and scanned there,
 * with all limits. `loaded` are those that the library, and so the Skills page, then lists.
 */
export function scanSamples(samples: readonly Sample[]): Scanned[] {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-skillscan-')))
  try {
    const root = join(scratch, 'skills')
    const folders = samples.map(({ name, content }, at) => {
      const folder = join(root, String(at), name)
      mkdirSync(folder, { recursive: true })
      if ('folder' in content) cpSync(content.folder, folder, { recursive: true })
      else for (const { path, bytes } of content) writeInside(folder, path, bytes)
      return folder
    })
    const names = namesIn(root, scratch)
    return samples.map(({ file }, at) => {
      const { verdict, findings } = scanFolder(folders[at]!)
      const name = names.get(folders[at]!) ?? null
      const [asked, notes] = [findings.filter(isAsked), findings.filter(each => !isAsked(each))]
      return {
        file,
        name,
        loaded: name !== null,
        verdict,
        findings: asked.map(shownOf),
        notes: notes.map(shownOf),
      }
    })
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Write a file that nobody can run: no file gets the permission for it. */
function writeInside(folder: string, path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), bytes, { mode: 0o600 })
}

/** The names of the skills that the library lists, by their folders. */
function namesIn(root: string, home: string): Map<string, string> {
  const library = openLibrary({
    roots: () => [{ key: 'imported', kind: 'imported', folder: root }],
    projects: () => [],
    trusted: () => [],
    store: { states: () => new Map(), tallies: () => new Map() },
    cacheFile: join(home, 'cache', 'skills.json'),
    count: text => Math.ceil(text.length / 4),
    toolsets: () => [],
    now: Date.now,
    onChange: () => {},
    report: error => console.error(String(error)),
  })
  try {
    return new Map(library.list().map(({ found }) => [found.folder, found.name]))
  } finally {
    library.close()
  }
}

const isAsked = ({ severity }: ScanFinding) => severity === 'high' || severity === 'critical'

const shownOf = ({ path, line, rule, category, severity, block }: ScanFinding): Shown => ({
  ...(isSkillFile(path) ? {} : { path }),
  line,
  rule,
  category,
  severity,
  block,
})
