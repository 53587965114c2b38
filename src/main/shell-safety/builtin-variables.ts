import { MARK, type Invocation } from './shell-types.ts'
import { staticOutput } from './static-output.ts'

/** The variables that a builtin sets, with their values where known: `export`, `set --`, `read`, `printf -v` … */
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
      const value = command.name === 'read' ? (command.input?.trim() ?? MARK.maybe) : MARK.maybe
      const names = words.filter(word => /^[A-Za-z_]\w*(=|$)/.test(word)).map(word => word.split('=', 1)[0]!)
      return ['REPLY', ...names].map(name => [name, value])
    }
    case 'printf': {
      const at = words.indexOf('-v')
      if (at !== 0 || words[1] === undefined) return []
      return [[words[1], staticOutput({ ...command, args: command.args.slice(2) }) ?? MARK.maybe]]
    }
    default:
      return []
  }
}
