import { readSkillText } from './read-skill.ts'
import { writeFields } from './write-fields.ts'

const LONGEST = 64
/** Device names of Windows. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)$/

/** Whether a name is valid: the specification's rules, limited to lower-case ASCII letters and digits. */
export const isSkillName = (name: string): boolean =>
  name.length <= LONGEST && /^[a-z\d]+(-[a-z\d]+)*$/.test(name) && !DEVICES.test(name)

/** A valid name similar to the first suitable wish. */
export function suggestName(...wanted: readonly string[]): string {
  for (const given of wanted) {
    const name = given
      .slice(0, 500)
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll('ß', 'ss')
      .replaceAll(/[^a-z\d]+/g, '-')
      .slice(0, LONGEST + 1)
      .replace(/^-/, '')
      .slice(0, LONGEST)
      .replace(/-$/, '')
    if (DEVICES.test(name)) return `${name}-skill`
    if (name !== '') return name
  }
  return 'skill'
}

/** The name, or if taken, the name with the first free number. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name
  for (let number = 2; isTaken(free); number++) {
    const end = `-${number}`
    free = `${name.slice(0, LONGEST - end.length).replace(/-$/, '')}${end}`
  }
  return free
}

/** The text with another name in its front matter; undefined if it cannot be edited. */
export function renameSkillText(text: string, name: string): string | undefined {
  // Without a name in the front matter, the skill has the name of its folder.
  if (readSkillText(text, name).fields.name === name) return text
  const changed = writeFields(text, { name })
  return readSkillText(changed, '').fields.name === name ? changed : undefined
}
