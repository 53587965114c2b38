import { MARK, type Invocation } from './shell-types.ts'
import { decodeEscapes } from './read-word.ts'

/**
 * The output of a command if the command line alone determines it: `echo`, `printf`, `pwd`, and decoders fed by
 * them. This reveals `$(echo rm) -rf /` and `echo ... | base64 -d | sh`.
 */
export function staticOutput(command: Invocation): string | undefined {
  if (command.redirects.some(redirect => redirect.op.includes('>') && !/^[12]?$/.test(redirect.target.text)))
    return undefined
  const words = command.args.map(word => word.text)
  switch (command.name) {
    case 'echo':
      return echo(words)
    case 'printf':
      return printf(words)
    case 'pwd':
      return `${command.folder}\n`
    case 'cat':
    case 'tee':
      return command.name === 'tee' || words.every(word => word === '-') ? command.input : undefined
    case 'rev':
      return command.input?.split('\n').map(reverse).join('\n')
    case 'base64':
      return words.some(word => /^(-d|-D|--decode|-di|-id)$/.test(word))
        ? decode(command.input, 'base64')
        : undefined
    case 'xxd':
      return words.join('').includes('r') && words.join('').includes('p')
        ? decode(command.input, 'hex')
        : undefined
    default:
      return undefined
  }
}

function echo(words: readonly string[]): string {
  let from = 0
  while (/^-[neE]+$/.test(words[from] ?? '')) from++
  const flags = words.slice(0, from).join('')
  const text = words.slice(from).join(' ')
  return (flags.includes('e') ? decodeEscapes(text) : text) + (flags.includes('n') ? '' : '\n')
}

function printf(words: readonly string[]): string | undefined {
  const [format, ...values] = words[0] === '--' ? words.slice(1) : words
  if (format === undefined || format === '-v') return undefined
  const printed = []
  // Like the shell, reuse the format until every value is printed.
  do {
    printed.push(
      decodeEscapes(format).replace(/%(?:%|-?\d{0,3}[sdbcqxXi])/g, place =>
        place === '%%' ? '%' : (values.shift() ?? ''),
      ),
    )
  } while (values.length > 0 && /%[^%]/.test(format) && printed.length < 100)
  return printed.join('')
}

function decode(input: string | undefined, encoding: 'base64' | 'hex'): string | undefined {
  if (input === undefined || input.includes(MARK.maybe) || input.includes(MARK.some)) return undefined
  return Buffer.from(input.replace(/\s+/g, ''), encoding).toString('utf8')
}

const reverse = (line: string) => Array.from(line).toReversed().join('')
