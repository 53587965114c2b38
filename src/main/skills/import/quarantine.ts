import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SkillFolder } from './skill-folders.ts'
import type { SourceFile } from './source.ts'

/** Where what was fetched waits until the person has decided. Nothing of it is ever run or loaded from there. */
export type Quarantine = {
  /** Make a folder that only this user can open. */
  enter(id: string): Promise<string>
  leave(id: string): Promise<void>
  /** Remove everything, also what a crash left behind. */
  empty(): Promise<void>
}

/** The quarantine of a home folder. */
export function createQuarantine(home: string): Quarantine {
  const root = join(home, 'quarantine')
  const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 3 })
  return {
    async enter(id) {
      await mkdir(root, { recursive: true, mode: 0o700 })
      const folder = join(root, id)
      await mkdir(folder, { mode: 0o700 })
      return folder
    },
    leave: id => remove(join(root, id)),
    empty: () => remove(root),
  }
}

/** Write one file of a skill into the skill's folder in quarantine; whether there was room for it. */
export async function keepFile(
  folder: string,
  skill: SkillFolder<SourceFile>,
  file: SourceFile,
  bytes: Uint8Array,
): Promise<boolean> {
  const path = join(folder, withinSkill(skill, file))
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(path, bytes, { flag: 'wx', mode: file.isProgram ? 0o700 : 0o600 })
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // An archive can have a file and a folder of one name.
    if (['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(code ?? '')) return false
    throw error
  }
}

/** The path of a file within its skill. */
export const withinSkill = ({ path }: { path: string }, file: SourceFile): string =>
  path === '' ? file.path : file.path.slice(path.length + 1)
