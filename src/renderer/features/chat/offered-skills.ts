import type { Skill } from '../../../shared/contract/skills.ts'

/** An entry of the slash menu. */
export type Offer = {
  /** The text to insert, including its slash. */
  word: string
  /** A one-line description. */
  says: string
  kind: 'command' | 'skill'
  /** How often the skill was loaded. */
  loads: number
}

/** Slash commands that the host understands. */
const sayable = /^[\p{L}\d._-]{1,64}$/u

const names = new Intl.Collator(undefined, { numeric: true })

/** The skills that a chat in a folder can send, one per name, most used first. */
export function skillsFor(workspace: string, skills: readonly Skill[]): Skill[] {
  // A project's skill counts in its folder, unless another skill overrides it.
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

/** The word after the slash, while the message contains nothing else; otherwise undefined. */
export const slashWord = (draft: string): string | undefined => /^\/([\p{L}\d._-]{0,64})$/u.exec(draft)?.[1]

/** The entries that match a partial word: prefix matches first, then matches inside the name. */
export function matching(offers: readonly Offer[], typed: string): Offer[] {
  const word = typed.toLowerCase()
  const rank = (offer: Offer) => {
    const name = offer.word.slice(1).toLowerCase()
    if (name.startsWith(word)) return 0
    return name.split(/[._-]/u).some(part => part.startsWith(word)) ? 1 : 2
  }
  return offers.filter(offer => rank(offer) < 2).toSorted((a, b) => rank(a) - rank(b))
}
