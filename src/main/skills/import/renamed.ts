import { readSkillText } from '../read/read-skill.ts'
import { writeFields } from '../read/write-fields.ts'

/** The text with another name in its front matter; undefined when it cannot be written there. */
export function renamed(text: string, name: string): string | undefined {
  // Without a name of its own it has that of its folder.
  if (readSkillText(text, name).fields.name === name) return text
  const changed = writeFields(text, { name })
  return readSkillText(changed, '').fields.name === name ? changed : undefined
}
