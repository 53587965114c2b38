import { posix } from 'node:path'
import { MARK, type Invocation } from '../shell-types.ts'
import { decodeEscapes } from './read-word.ts'

/**
 * Return the output of a command if the command line alone determines it: `echo`, `printf`, `pwd`, and
 * decoders of such output. This reveals `$(echo rm) -rf /` and `echo ... | base64 -d | sh`.
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
    case 'realpath':
    case 'readlink':
      return onOperand(words, path => posix.resolve('/', command.folder, path))
    case 'dirname':
      return onOperand(words, path => posix.dirname(path))
    case 'basename':
      return onOperand(words, path => posix.basename(path))
    case 'tr':
      return command.input === undefined ? undefined : translate(command.input, words)
    case 'awk':
    case 'gawk':
    case 'mawk':
      return /^\s*BEGIN\s*\{\s*printf?\s*\(?"((?:[^"\\]|\\.)*)"\)?;?\s*\}\s*$/.exec(words[0] ?? '')?.[1]
    case 'openssl':
      return words.some(word => word.includes('base64')) && words.includes('-d')
        ? decode(command.input, 'base64')
        : undefined
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

/** The output of a command that works on the text of one path. */
function onOperand(words: readonly string[], change: (path: string) => string): string | undefined {
  const paths = words.filter(word => !/^-./.test(word))
  const isKnown = paths.length === 1 && !/[\uE000-\uE01F]/.test(paths[0]!)
  return isKnown ? `${change(paths[0]!)}\n` : undefined
}

/** The output of `tr SET SET` and `tr -d SET`, for plain characters and ranges. */
function translate(input: string, words: readonly string[]): string | undefined {
  const isDeleting = words[0] === '-d'
  if (!isDeleting && words[0]?.startsWith('-')) return undefined
  const [from = [], to = []] = (isDeleting ? words.slice(1) : words).map(charactersOf)
  if (from.length > 200) return undefined
  const change = (c: string) => {
    const at = from.indexOf(c)
    if (at < 0) return c
    return isDeleting ? '' : (to[Math.min(at, to.length - 1)] ?? c)
  }
  return Array.from(input, change).join('')
}

const charactersOf = (set: string): string[] =>
  Array.from(
    decodeEscapes(set.replace('[:upper:]', 'A-Z').replace('[:lower:]', 'a-z')).matchAll(/([^])-([^])|[^]/g),
    ([all, first, last]) => {
      if (first === undefined || last === undefined) return [all]
      const [low, high] = [first.charCodeAt(0), last.charCodeAt(0)]
      return high - low > 200
        ? [all]
        : Array.from({ length: Math.max(0, high - low + 1) }, (_, at) => String.fromCharCode(low + at))
    },
  ).flat()

function decode(input: string | undefined, encoding: 'base64' | 'hex'): string | undefined {
  if (input === undefined || input.includes(MARK.maybe) || input.includes(MARK.some)) return undefined
  return Buffer.from(input.replace(/\s+/g, ''), encoding).toString('utf8')
}

const reverse = (line: string) => Array.from(line).toReversed().join('')
