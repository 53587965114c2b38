import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { ScanReport } from '../../../shared/contract/skills.ts'
import { fromMemory } from './from-memory.ts'
import { limits } from './limits.ts'
import { isZip, openSource } from './open-source.ts'
import { keepFile } from './quarantine.ts'
import { scanFolder } from './scan-folder.ts'
import { skillFolders, type SkillFolder } from './skill-folders.ts'
import type { Source, SourceFile } from './source.ts'
import { tellLeftOut } from './tell-left-out.ts'

/** A skill that was scanned without a library. */
export type ScannedSkill = { path: string; files: number; scan: ScanReport }

/**
 * Scan every skill in a folder, a file or a zip, without a home folder; what has no SKILL.md is scanned as one. Throws a
 * Fault when the path is nothing that can be read.
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
      await rm(copy, { recursive: true, force: true })
    }
    return { skills, leftOut: tellLeftOut(source.leftOut) }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** One file, whatever it is: a script on its own is worth a look too. */
async function loneFile(path: string): Promise<Source | undefined> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isFile() || stats.size > limits.fileBytes || (await isZip(path))) return undefined
  const from = { kind: 'folder', address: path, commit: null } as const
  return fromMemory(from, basename(path), [{ path: basename(path), content: await readFile(path) }])
}
