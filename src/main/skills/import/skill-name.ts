const LONGEST = 64
/** What Windows takes for a device. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)$/

/** Whether a skill can be called so: what the specification allows, in plain letters. */
export const isSkillName = (name: string): boolean =>
  name.length <= LONGEST && /^[a-z\d]+(-[a-z\d]+)*$/.test(name) && !DEVICES.test(name)

/** A name like one of these that a skill can have, the first from which one can be made. */
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

/** The name, or the first with a number behind it that is not taken. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name
  for (let number = 2; isTaken(free); number++) {
    const end = `-${number}`
    free = `${name.slice(0, LONGEST - end.length).replace(/-$/, '')}${end}`
  }
  return free
}
