/**
 * Whether a `sed` script only prints: addresses, commands such as `p d q =`, `y`, and `s` without the flags
 * `w` and `e`. Strict: anything unknown counts as writing.
 */
export function sedScriptReads(script: string): boolean {
  let rest = script
  while ((rest = rest.replace(/^[\s;{}]+/, '')) !== '') {
    const address = /^(\d+(~\d+)?|\$|\/(?:[^/\\\n]|\\.)*\/I?)/
    rest = rest.replace(address, '').replace(/^ *, */, ',')
    if (rest.startsWith(','))
      rest = rest
        .slice(1)
        .replace(/^[+~]\d+/, '')
        .replace(address, '')
    rest = rest.replace(/^\s*!?\s*/, '')
    const step = /^(?:[pd=nNPDGHghx]|[qQl] ?\d*)(?=[\s;}]|$)/.exec(rest)?.[0] ?? substitution(rest)
    if (step === undefined) return false
    rest = rest.slice(step.length)
    if (rest !== '' && !/^[\s;}]/.test(rest)) return false
  }
  return true
}

/** The text of a leading `s/…/…/flags` or `y/…/…/`; undefined if it may do more than print. */
function substitution(script: string): string | undefined {
  const [verb, limit] = [script[0], script[1] ?? '']
  if (!/^[^\w\s\\;{}]$/.test(limit)) return undefined
  const inside = String.raw`(?:[^\\\n${escaped(limit)}]|\\.)*`
  const found = new RegExp(
    `^[sy]${escaped(limit)}(${inside})${escaped(limit)}${inside}${escaped(limit)}([gpiI\\d]*)`,
  ).exec(script)
  // Whether a delimiter inside brackets ends the pattern depends on the version of sed.
  if (!found || found[1]!.lastIndexOf('[') > found[1]!.lastIndexOf(']') || (verb === 'y' && found[2] !== ''))
    return undefined
  return found[0]
}

const escaped = (character: string) => character.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)

/**
 * Whether an `awk` program only prints: no pipes, files, commands or environment. Text in it counts as code,
 * so a program that prints “|” is rejected.
 */
export function awkProgramReads(program: string): boolean {
  if (/\b(system|getline|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARGV|close|fflush|include|load)\b|@/.test(program))
    return false
  if (/\|/.test(program.replaceAll('||', ''))) return false
  const prints = program.indexOf('print')
  return prints < 0 || !program.includes('>', prints)
}

/** Whether a `jq` program only sees its input. */
export const jqProgramReads = (program: string): boolean =>
  !/\benv\b|\$ENV|\b(import|include|modulemeta|input_filename|get_search_list)\b/.test(program)
