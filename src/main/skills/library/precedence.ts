import type { FoundSkill } from '../types.ts'

type Found = { found: FoundSkill }

/** The skills to use: the first of each name. The input is ordered by precedence. */
export function firstOfNames(skills: readonly Found[]): Map<string, FoundSkill> {
  const first = new Map<string, FoundSkill>()
  for (const { found } of skills) if (!first.has(found.name)) first.set(found.name, found)
  return first
}

/**
 * Which skill is used instead of another of its name, by id; used skills are left out. A project skill is
 * compared with the skills that chats in its project see. It does not affect other chats.
 */
export function shadowsOf(skills: readonly Found[]): Map<string, string> {
  const shadows = new Map<string, string>()
  const projects = new Set(skills.flatMap(({ found }) => found.root.project ?? []))
  for (const project of [undefined, ...projects]) {
    const first = firstOfNames(seenFrom(skills, project))
    for (const { found } of skills) {
      if (found.root.project !== project) continue
      const used = first.get(found.name)!
      if (used.id !== found.id) shadows.set(found.id, used.id)
    }
  }
  return shadows
}

/** The skills that chats in a project see, or chats in a folder outside any project. */
export const seenFrom = <T extends Found>(skills: readonly T[], project: string | undefined): T[] =>
  skills.filter(({ found }) => found.root.project === undefined || found.root.project === project)
