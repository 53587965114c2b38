/** The name of the file that makes a folder a skill, as the specification spells it. */
const NAME = 'SKILL.md'

/** Whether a name is a skill's main file, in any case: `Skill.md` works on a Mac, so it should elsewhere. */
export const isSkillFile = (name: string): boolean => name.toLowerCase() === 'skill.md'

/**
 * The main file among the names of a folder; undefined if there is none. If the file system has several
 * spellings, `SKILL.md` wins, then the first name.
 */
export function skillFileAmong(names: Iterable<string>): string | undefined {
  const found = [...names].filter(isSkillFile)
  return [NAME, NAME.toLowerCase()].find(name => found.includes(name)) ?? found.toSorted()[0]
}
