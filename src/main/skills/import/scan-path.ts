import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { ScanReport } from '../../../shared/contract/learned/skills.ts'
import { fromMemory } from './local-sources.ts'
import { removeTree } from '../../lib/removal/remove-tree.ts'
import { limits, tellLeftOut, type Source, type SourceFile } from './skill-source.ts'
import { isZip, openSource } from './open-source.ts'
import { keepFile, skillFolders, type SkillFolder } from './copy-to-quarantine.ts'
import { scanFolder } from '../library/skill-files.ts'

/** A skill scanned without a library. */
export type ScannedSkill = { path: string; files: number; scan: ScanReport }

/**
 * Scan every skill in a folder, a file or a zip, without a home folder. Content without a SKILL.md is scanned
 * as one skill. Throws a Fault if the path cannot be read.
 */
export async function scanPath(
  path: string,
  signal: AbortSignal,
): Promise<{ skills: ScannedSkill[]; leftOut: readonly string[] }> {
  const scratch = await mkdtemp(join(tmpdir(), 'talaria-scan-'))
  try {
    const source = (await loneFile(path)) ?? (await openSource({ kind: 'path', path }, scratch, {}, signal))
    const found = skillFolders(source.files)
    const [first] = source.files
    const whole = first && { path: '', skill: first, files: [...source.files] }
    const folders: SkillFolder<SourceFile>[] = found.length > 0 || !whole ? found : [whole]
    const skills: ScannedSkill[] = []
    for (const folder of folders) {
      const copy = join(scratch, 'skill')
      for await (const { file, bytes } of source.read(folder.files, signal))
        await keepFile(copy, folder, file, bytes)
      skills.push({ path: folder.path, files: folder.files.length, scan: scanFolder(copy) })
      await removeTree(copy)
    }
    return { skills, leftOut: tellLeftOut(source.leftOut) }
  } finally {
    await removeTree(scratch)
  }
}

/** A single file of any type, such as a script. */
async function loneFile(path: string): Promise<Source | undefined> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isFile() || stats.size > limits.fileBytes || (await isZip(path))) return undefined
  const from = { kind: 'folder', address: path, commit: null } as const
  return fromMemory(from, basename(path), [{ path: basename(path), content: await readFile(path) }])
}
