import type { ParsedShell } from '../shell-types.ts'

/** Matches an arithmetic expression without names. */
const NUMBERS = /^[\d\s+\-*/%()<>=!&|^~?:,]*$/
/** Commands that print one number, whatever the files contain. */
const COUNTS = /\$\((?:wc +-[lwcm] *< *[\w./-]+|nproc|date +\+%[sYmdHMS])\)/g

/** Maximum length of a command, and number of expressions, that are examined closely. */
const LONGEST = 4_000
const MOST_EXPRESSIONS = 50

/**
 * Whether a command line makes the shell evaluate an unknown value. Bash reads such a value as code: with
 * `x='a[$(…)]'`, the command runs in `$((x))`, in `[[ $x -gt 1 ]]`, in `${name:x}` and in `${!x}`.
 */
export function evaluatesUnknown(command: string, { commands }: ParsedShell): boolean {
  if (commands.some(({ name, args }) => SETTERS.test(name) && args.some(word => word.text.includes('['))))
    return true
  if (command.length > LONGEST) return /\(\(|\$\[|\$\{|\[\[|\btest\b|\[ /.test(command)
  const text = withoutQuoted(command.replaceAll('\\\n', '')).replaceAll(COUNTS, '1')
  if (/@[A-Za-z]\}|\$\{!/.test(text) || /(?:\[|\btest)\s+(?:!\s+)?-[vR]\s+(?!\w+\s)/.test(text)) return true
  const subscripts = subscriptsIn(text).filter(each => each !== '@' && each !== '*')
  const expressions = [...arithmeticIn(text), ...subscripts]
  return expressions.length > MOST_EXPRESSIONS || expressions.some(each => !isKnown(text, each))
}

/** Builtins that set variables, and that evaluate the subscripts of array elements. */
const SETTERS = /^(?:read|mapfile|readarray|unset|wait|getopts)$/

/** Whether an expression has only numbers, and variables that hold numbers. */
const isKnown = (text: string, expression: string) =>
  NUMBERS.test(
    expression
      .replaceAll(/\$\{#\w+(?:\[[@*]\])?\}|\$[#?$!]/g, '1')
      .replaceAll(
        /\$?\b([A-Za-z_]\w*)\b|\$\{([A-Za-z_]\w*)\}/g,
        (found: string, plain?: string, braced?: string) =>
          isNumber(text, plain ?? braced ?? '') ? '1' : found,
      ),
  )

/** The expressions that the shell evaluates as numbers. */
function arithmeticIn(text: string): string[] {
  const found: string[] = []
  for (const match of text.matchAll(/\(\(/g)) {
    const start = match.index + match[0].length
    const end = text.indexOf('))', start)
    found.push(end < 0 ? UNKNOWN : text.slice(start, end))
  }
  for (const [, inside = ''] of text.matchAll(/\$\[([^\]]*)\]/g)) found.push(inside)
  for (const [, inside = ''] of text.matchAll(/\$\{[\w@*]+(?:\[[^\]]*\])?:(?![-+=?])([^}]*)\}/g))
    found.push(inside)
  // `[` and `test` accept only plain numbers, so this is about `[[`.
  if (!text.includes('[[')) return found
  for (const [, before = '', after = ''] of text.matchAll(/(?<!\S)(\S+)\s+-(?:eq|ne|lt|le|gt|ge)\s+(\S+)/g))
    found.push(unquoted(before), unquoted(after))
  return found
}

/** An expression about which nothing is known. */
const UNKNOWN = 'unknown'

const unquoted = (word: string) => word.replaceAll('"', '')

/** The subscripts in brackets after array names, if the shell sets or reads an element. */
const subscriptsIn = (text: string): string[] => [
  ...[...text.matchAll(/\$\{[#!]?\w+\[([^\]]*)\]/g)].map(([, inside = '']) => inside),
  ...[...text.matchAll(/(?:^|[\s;&|(])\w+\[([^\]]*)\]\+?=/g)].map(([, inside = '']) => inside),
]

/** Whether this text sets a variable, and only to numbers. */
function isNumber(text: string, name: string): boolean {
  if (!/^[a-z]\w*$/.test(name)) return false
  const set = [
    ...text.matchAll(new RegExp(String.raw`(?:^|[^\w$])${name}(\[[^\]]*\])?\+?=([^\s;&|)]*)`, 'g')),
  ]
  const isOtherwise = new RegExp(
    String.raw`\b(?:for|select)\s+${name}\b|\b(?:read|printf|mapfile|readarray|getopts)\b[^;&|\n]*\b${name}\b|\{${name}:?=`,
  )
  return (
    set.length > 0 &&
    set.every(([, subscript, value = '']) => subscript === undefined && /^(?:-?\d+|\$\(\(.*)$/.test(value)) &&
    !isOtherwise.test(text)
  )
}

/**
 * Remove text in single quotes, which the shell does not change. If the quoting is not clear, as in
 * here-documents and nested quotes, nothing is removed.
 */
function withoutQuoted(command: string): string {
  if (command.includes('<<')) return command
  let shown = ''
  let isDouble = false
  for (let at = 0; at < command.length; at++) {
    const letter = command[at]!
    if (letter === '\\') shown += letter + (command[++at] ?? '')
    else if (isDouble && (letter === '`' || (letter === '$' && command[at + 1] === '('))) return command
    else if (letter === '"') {
      isDouble = !isDouble
      shown += letter
    } else if (!isDouble && letter === '#' && /^$|[\s;&|()]/.test(command[at - 1] ?? '')) {
      const end = command.indexOf('\n', at)
      if (end < 0) return shown
      at = end - 1
    } else if (!isDouble && letter === "'") {
      const isAnsi = command[at - 1] === '$'
      let end = at + 1
      while (end < command.length && command[end] !== "'") end += isAnsi && command[end] === '\\' ? 2 : 1
      shown += '""'
      at = end
    } else shown += letter
  }
  return shown
}
