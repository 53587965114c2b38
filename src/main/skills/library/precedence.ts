import type { FoundSkill } from '../types.ts'

type Found = { found: FoundSkill }

/** By precedence: the skills that of each name the first one is used of. They are given by precedence. */
export function firstOfNames(skills: readonly Found[]): Map<string, FoundSkill> {
  const first = new Map<string, FoundSkill>()
  for (const { found } of skills) if (!first.has(found.name)) first.set(found.name, found)
  return first
}

/**
 * Which skill is used instead of another of its name, by id; skills that are used themselves are left out. A skill of a
 * project is measured against what chats in that project see, and takes nothing from chats elsewhere.
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

/** What chats in a project see, or chats in a folder that is none. */
export const seenFrom = <T extends Found>(skills: readonly T[], project: string | undefined): T[] =>
  skills.filter(({ found }) => found.root.project === undefined || found.root.project === project)
