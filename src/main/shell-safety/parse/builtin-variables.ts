import { MARK, type Invocation } from '../shell-types.ts'
import { staticOutput } from './static-output.ts'

const printed = (words: readonly string[]) => words.slice(words[0] === '-v' ? 2 : 1)

/** The values that `read` may get: each line, each word, and the whole input. */
function valuesIn(input: string): string[] {
  const lines = input.trim().split('\n').slice(0, MOST_VALUES)
  const words = lines.flatMap(line => line.trim().split(/[\s:,]+/, MOST_VALUES))
  return [...new Set([...words.slice(0, MOST_VALUES), ...lines, input.trim()])]
}
const MOST_VALUES = 5

/** The variables that a builtin sets, with known values: `export`, `set --`, `read`, `printf -v` … */
export function assignedBy(command: Invocation): [name: string, value: string][] {
  const words = command.args.map(word => word.text)
  switch (command.name) {
    case 'export':
    case 'declare':
    case 'local':
    case 'readonly':
    case 'typeset':
      return words.flatMap(word => {
        const [, name, value] = /^([A-Za-z_]\w*)\+?=(.*)$/s.exec(word) ?? []
        return name === undefined ? [] : [[name, value!] as [string, string]]
      })
    case 'set': {
      const values = words.slice(words.indexOf('--') + 1)
      return values.flatMap((value, at): [string, string][] => [
        [String(at + 1), value],
        ['@', value],
      ])
    }
    case 'shift':
      return [1, 2, 3, 4, 5, 6, 7, 8, 9, '@'].map(name => [String(name), MARK.maybe])
    case 'read':
    case 'mapfile':
    case 'readarray':
    case 'getopts':
    case 'unset':
    case 'let': {
      const isFed = /^(read|mapfile|readarray)$/.test(command.name) && command.input !== undefined
      const values = isFed ? valuesIn(command.input!) : [MARK.maybe]
      const names = words.filter(word => /^[A-Za-z_]\w*(=|$)/.test(word)).map(word => word.split('=', 1)[0]!)
      return ['REPLY', ...names].flatMap(name => values.map((value): [string, string] => [name, value]))
    }
    case 'printf': {
      // `%n` stores the number of characters printed so far.
      const [format = '', ...values] = words[0]?.startsWith('-v') ? printed(words) : words
      const counted = /%n/.test(format) ? values.map((name): [string, string] => [name, MARK.some]) : []
      const variable = words[0] === '-v' ? words[1] : /^-v(.+)$/s.exec(words[0] ?? '')?.[1]
      if (variable === undefined) return counted
      const args = command.args.slice(words[0] === '-v' ? 2 : 1)
      const name = /^\w*/.exec(variable)![0]
      return [[name, staticOutput({ ...command, args }) ?? MARK.maybe], ...counted]
    }
    default:
      return []
  }
}
