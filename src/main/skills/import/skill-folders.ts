import { dirname } from 'node:path/posix'
import type { SourceFile } from './source.ts'

/** A folder that is a skill, and what lies in it; the paths of the files begin with that of the folder. */
export type SkillFolder<F> = { path: string; skill: F; files: F[] }

const isSkillText = (path: string) => /(^|\/)(SKILL|skill)\.md$/.test(path)

/** The folder that a path lies in; empty for the root. */
export const folderOf = (path: string): string => (path.includes('/') ? dirname(path) : '')

/** The skills among files: every folder with a SKILL.md that lies in no other such folder, by path. */
export function skillFolders<F extends SourceFile>(files: readonly F[]): SkillFolder<F>[] {
  const found = new Map<string, SkillFolder<F>>()
  for (const file of files)
    if (isSkillText(file.path)) {
      const path = folderOf(file.path)
      found.set(path, { path, skill: file, files: [] })
    }
  for (const file of files) outermost(found, file.path)?.files.push(file)
  return [...found.values()]
    .filter(({ files: own }) => own.length > 0)
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** The skill that a path lies in: the highest, as nothing below a skill is one. */
function outermost<S>(skills: ReadonlyMap<string, S>, path: string): S | undefined {
  let outer: S | undefined
  for (const folder of foldersAbove(path)) outer = skills.get(folder) ?? outer
  return outer
}

/** The folders that a path lies in, from the nearest to the root. */
export function foldersAbove(path: string): string[] {
  const above: string[] = []
  for (let at = path; at !== '';) {
    at = folderOf(at)
    above.push(at)
  }
  return above
}
