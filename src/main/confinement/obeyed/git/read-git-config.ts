/** One setting of a git configuration. The header of a section is a setting with an empty `key`. */
export type GitSetting = {
  /** `core`, or `filter.My Filter`: the first part in lower case, a quoted name unchanged. */
  section: string
  /** The key in lower case. */
  key: string
  /** The value without quotes, escapes and comments; empty if there is no `=`. */
  value: string
}

/** A setting as git names it, such as `core.hookspath`. */
export const nameOfSetting = ({ section, key }: GitSetting): string => `${section}.${key}`

/** Split a section into its kind and its own name: `filter` and `x` for `[filter "x"]`. */
export function splitSection(section: string): { kind: string; name: string | undefined } {
  const dot = section.indexOf('.')
  return dot < 0
    ? { kind: section, name: undefined }
    : { kind: section.slice(0, dot), name: section.slice(dot + 1) }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' }

/**
 * Read the settings of a git configuration, in order. Follows git's own parser (config.c), but continues
 * after lines that git rejects, so that it finds too much rather than too little.
 */
export function readGitConfig(source: string): GitSetting[] {
  const text = `${source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')}\n`
  const found: GitSetting[] = []
  let section = ''
  let at = 0
  const lineEnd = () => text.indexOf('\n', at)

  /** Read a value up to the end of its last line. */
  function readValue(): string {
    let value = ''
    let kept = 0
    let isQuoted = false
    for (; at < text.length && text[at] !== '\n'; at++) {
      const letter = text.charAt(at)
      if (!isQuoted && (letter === ';' || letter === '#')) {
        at = lineEnd()
        break
      }
      if (letter === '"') isQuoted = !isQuoted
      else if (letter === '\\') {
        const escaped = text.charAt(++at)
        if (escaped !== '\n') value += ESCAPES[escaped] ?? escaped
      } else if (isQuoted || value !== '' || !/\s/.test(letter)) value += letter
      // Blanks at the end count only if quoted.
      if (isQuoted || !/\s/.test(letter)) kept = value.length
    }
    return value.slice(0, kept)
  }

  while (at < text.length) {
    const rest = /[^\s]/g
    rest.lastIndex = at
    const next = rest.exec(text)
    if (!next) break
    at = next.index
    const head = /\[([\w.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?[ \t]*\]/y
    head.lastIndex = at
    const header = head.exec(text)
    if (header) {
      const [whole, base = '', quoted] = header
      section = base.toLowerCase() + (quoted === undefined ? '' : `.${quoted.replace(/\\(.)/g, '$1')}`)
      found.push({ section, key: '', value: '' })
      at += whole.length
      continue
    }
    const name = /([a-z][\w-]*)[ \t]*(=?)[ \t]*/iy
    name.lastIndex = at
    const setting = name.exec(text)
    if (setting) {
      at += setting[0].length
      const value = setting[2] === '=' ? readValue() : ''
      if (setting[2] !== '=') at = lineEnd()
      found.push({ section, key: setting[1]!.toLowerCase(), value })
    } else at = lineEnd()
    at++
  }
  return found
}
