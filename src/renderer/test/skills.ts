import type { SeededSkill } from '../../../testing/window/protocol.ts'

/** The front matter of a skill, without its name. */
type Front = {
  description?: string
  tags?: readonly string[]
  platforms?: readonly string[]
  requires?: readonly string[]
}

/** A SKILL.md with a name, a description and steps. */
export function aSkillText(
  { name, description, tags = [], platforms = [], requires = [] }: Front & { name: string },
  body = '1. Do it step by step.',
): string {
  const metadata = Object.entries({ tags, platforms, requires_toolsets: requires })
    .filter(([, items]) => items.length > 0)
    .map(([key, items]) => `  ${key}: ${items.join(', ')}`)
  return [
    '---',
    `name: ${name}`,
    `description: ${description ?? `How to do ${name}. Use it when asked.`}`,
    ...(metadata.length > 0 ? ['metadata:', ...metadata] : []),
    '---',
    '',
    body,
    '',
  ].join('\n')
}

/** A skill for `host.seed.skill`, from the contents of its SKILL.md. */
export const aSkill = ({
  body,
  description,
  tags,
  platforms,
  requires,
  ...skill
}: Omit<SeededSkill, 'text'> & Front & { body?: string }): SeededSkill => ({
  ...skill,
  text: aSkillText(
    {
      name: skill.name,
      ...(description !== undefined && { description }),
      ...(tags && { tags }),
      ...(platforms && { platforms }),
      ...(requires && { requires }),
    },
    body,
  ),
})

/** The SKILL.md files of many user skills, by path in the home folder. */
export const manySkills = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map(name => [`skills/${name}/SKILL.md`, aSkillText({ name })]))
