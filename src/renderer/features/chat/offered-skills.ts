import type { Skill } from '../../../shared/contract/skills.ts'

/** Something that can stand after a slash at the start of a message. */
export type Offer = {
  /** What is written, with its slash. */
  word: string
  /** What it is for, in a line. */
  says: string
  kind: 'command' | 'skill'
  /** How often a skill was loaded. */
  loads: number
}

/** Names that the host understands after a slash. */
const sayable = /^[\p{L}\d._-]{1,64}$/u

const names = new Intl.Collator(undefined, { numeric: true })

/** The skills that a chat in a folder can send along, one of each name, the most used first. */
export function skillsFor(workspace: string, skills: readonly Skill[]): Skill[] {
  // In its folder a project's skill counts, unless another one stands above it.
  const here = skills.filter(
    ({ project, shadowedBy }) => shadowedBy === null && (project === null || project === workspace),
  )
  const byName = new Map<string, Skill>()
  for (const skill of here)
    if (!byName.has(skill.name) || skill.project !== null) byName.set(skill.name, skill)
  return [...byName.values()]
    .filter(({ enabled, blocked, unavailable }) => enabled && blocked === null && unavailable === null)
    .filter(({ name }) => sayable.test(name))
    .toSorted(
      (a, b) =>
        b.uses.loads - a.uses.loads ||
        (b.uses.lastAt ?? 0) - (a.uses.lastAt ?? 0) ||
        names.compare(a.name, b.name),
    )
}

/** What is written after the slash while a message is nothing else yet; undefined otherwise. */
export const slashWord = (draft: string): string | undefined => /^\/([\p{L}\d._-]{0,64})$/u.exec(draft)?.[1]

/** The offers that a part of a word may mean: those that begin with it, then those with a part that does. */
export function matching(offers: readonly Offer[], typed: string): Offer[] {
  const word = typed.toLowerCase()
  const rank = (offer: Offer) => {
    const name = offer.word.slice(1).toLowerCase()
    if (name.startsWith(word)) return 0
    return name.split(/[._-]/u).some(part => part.startsWith(word)) ? 1 : 2
  }
  return offers.filter(offer => rank(offer) < 2).toSorted((a, b) => rank(a) - rank(b))
}
