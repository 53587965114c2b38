import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import type { ScanReport } from '../../shared/contract/skills.ts'
import { scanPath } from '../skills/import/scan-path.ts'
import { absolutePath } from './user-paths.ts'
import { withClient } from './open-client.ts'
import { escapeInvisible } from './terminal-text.ts'
import { showScan } from './show-skill.ts'
import { skillNamed, type CommonOptions } from './skills-actions.ts'

type Scanned = { name: string; files: number; scan: ScanReport }

/** Scan the skills at a path, or a skill of the library. Resolves to whether none is dangerous. */
export async function skillsScan(given: string, { home, json }: CommonOptions): Promise<boolean> {
  const path = absolutePath(given)
  const { scanned, leftOut } = existsSync(path) ? await scannedAt(path) : await scannedOf(given, home)
  if (json) print(JSON.stringify({ skills: scanned, leftOut }))
  else {
    for (const { name, scan } of scanned) print(showScan(name, scan))
    if (scanned.length === 0) print('There is nothing to scan in it.')
    for (const each of leftOut) process.stderr.write(`Left out: ${escapeInvisible(each)}\n`)
  }
  return scanned.every(({ scan }) => scan.verdict !== 'dangerous')
}

async function scannedAt(path: string): Promise<{ scanned: Scanned[]; leftOut: readonly string[] }> {
  const stopping = new AbortController()
  const { skills, leftOut } = await scanPath(path, stopping.signal)
  return {
    scanned: skills.map(({ path: within, files, scan }) => ({ name: within || basename(path), files, scan })),
    leftOut,
  }
}

const scannedOf = (given: string, home: string | undefined) =>
  withClient(
    home,
    async client => {
      const { id, name, fileCount: files } = skillNamed(await client['skills.list']({}), given)
      const { scan } = await client['skills.get']({ id })
      return { scanned: [{ name, files, scan }], leftOut: [] }
    },
    { twice: true },
  )

const print = (text: string) => void process.stdout.write(`${text}\n`)
