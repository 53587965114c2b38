import { findStarts } from '../find-arguments.ts'
import { ANY, NUMBER, type Given, type Names, type Value } from './compound-values.ts'
import { readsOf } from '../reads/plain-commands.ts'
import { MARK, type Word } from '../shell-types.ts'

const HASH: Value = { kind: 'hash' }
const FLAGS_OF_FILTERS: Readonly<Record<string, RegExp>> = {
  grep: /^-[viEFPwx]+$/,
  sort: /^-[rufnVd]+$/,
  uniq: /^(?!)/,
  tac: /^(?!)/,
  head: /^-(?:n?\d+|n)$/,
  tail: /^-(?:n?\d+|n)$/,
}

/** The output of a command, as far as its arguments show it. `input`: output of the command before it. */
export function outputOfCommand(name: string, given: readonly Given[], input: Value | undefined): Value {
  const words = given.map(({ word }) => word.text)
  const operands = given.filter(({ word }) => !/^-./.test(word.text))
  const opened =
    readsOf(
      name,
      given.map(({ word }) => word),
    )?.opens ?? []
  const isKnown = given.every(each => !each.isUnknown && !each.names && !each.word.glob)
  switch (name) {
    case 'wc':
      return operands.length === 0 && words.length === 1 && /^-[lwcm]$/.test(words[0]!) ? NUMBER : ANY
    case 'nproc':
      return NUMBER
    case 'date':
      return words.length === 1 && /^\+%[sYmdHMSj]$/.test(words[0]!) ? NUMBER : ANY
    case 'seq':
      return NUMBER
    case 'echo':
      return isKnown && !words.some(word => /^-|\\/.test(word) || word.includes(MARK.some))
        ? { kind: 'text', text: words.join(' ') }
        : given.length === 1 && given[0]!.word.glob
          ? { kind: 'names', names: wild(given[0]!.word.text) }
          : ANY
    case 'printf':
      return isKnown && words.length === 1 && /^[\w./-]+(?:\\n[\w./-]+)*(?:\\n)?$/.test(words[0]!)
        ? { kind: 'text', text: words[0]!.replaceAll('\\n', ' ').trim() }
        : ANY
    case 'ls':
      return listed(given)
    case 'find':
      return found(given)
    case 'git':
      return ofGit(words)
    case 'rg':
      return words.some(word => /^(?:--files|-l|--files-with-matches)$/.test(word)) ? namesIn(opened) : ANY
    case 'grep': {
      const isDeep = words.some(word => /^(?:-[a-zA-Z]*[rR][a-zA-Z]*|--recursive)$/.test(word))
      if (words.some(word => /^-[niEFwvhc]*c[niEFwvhc]*$/.test(word)))
        return !isDeep && opened.length <= 1 && opened.every(word => word.literal) ? NUMBER : ANY
      if (words.some(word => /^-[rniEFw]*l[rniEFw]*$/.test(word)))
        return isDeep ? namesIn(opened) : namesOf(opened)
      return filtered(name, words, operands.length === 1, input)
    }
    case 'sort':
    case 'uniq':
    case 'tac':
      return filtered(name, words, operands.length === 0, input)
    case 'head':
    case 'tail':
      return filtered(
        name,
        words,
        operands.every(({ word }) => /^\d+$/.test(word.text)),
        input,
      )
    default:
      return ANY
  }
}

/** The output of a filter, which prints some of its input lines unchanged. */
function filtered(name: string, words: readonly string[], isFed: boolean, input: Value | undefined): Value {
  const isPlain = words.every(word => !word.startsWith('-') || FLAGS_OF_FILTERS[name]!.test(word))
  return isFed && isPlain && input !== undefined && input.kind !== 'text' ? input : ANY
}

const wild = (start: string): Names => ({ start, isWild: true, isDeep: false, pattern: undefined })

/** Names in this folder, or matches of wildcards. For other folders, `ls` prints names without their path. */
function listed(given: readonly Given[]): Value {
  const operands = given.filter(({ word }) => !word.text.startsWith('-'))
  const isPlain = given.every(({ word }) => !word.text.startsWith('-') || /^-[1trSXv]+$/.test(word.text))
  if (!isPlain || operands.length > 1) return ANY
  const [only] = operands
  if (!only) return { kind: 'names', names: wild('*') }
  return only.word.glob ? { kind: 'names', names: { ...wild(only.word.text), isFiles: true } } : ANY
}

/** The names that `find` prints, if it has one starting folder. `pattern`: its only plain `-name`. */
export function foundBy(given: readonly Given[]): Names | undefined {
  const starts = findStarts(given.map(({ word }) => word))
  const [start] = starts
  if (starts.length !== 1 || !start || start.glob || start.text.includes(MARK.some)) return undefined
  const words = given.map(({ word }) => word.text)
  if (words.some(word => /^-(?:printf|ls|L|H|follow)$/.test(word))) return undefined
  const names = words.filter((_, at) => /^-name$/.test(words[at - 1] ?? ''))
  const isOnly = names.length === 1 && !words.some(word => /^(?:-o|-or|!|-not|,|\(|\))$/.test(word))
  // Brackets have meanings that are not modelled here.
  const isPlain = isOnly && /^[\w.*?+-]+$/.test(names[0]!)
  return { start: start.text, isWild: false, isDeep: true, pattern: isPlain ? names[0] : undefined }
}

function found(given: readonly Given[]): Value {
  const names = foundBy(given)
  return names ? { kind: 'names', names } : ANY
}

/** Names below the only folder that is searched. */
function namesIn(opened: readonly Word[]): Value {
  const [only] = opened
  if (opened.length !== 1 || !only?.literal || only.text.includes(MARK.some)) return ANY
  return { kind: 'names', names: { start: only.text, isWild: false, isDeep: true, pattern: undefined } }
}

/** Some of the names that a wildcard matches. */
const namesOf = (opened: readonly Word[]): Value =>
  opened.length === 1 && opened[0]!.glob ? { kind: 'names', names: wild(opened[0]!.text) } : ANY

/** The only file pattern among the arguments, in any folder: `*.ts`. */
function onlyKind(words: readonly string[]): string | undefined {
  const operands = words.filter(word => !word.startsWith('-'))
  return operands.length === 1 ? /^\*\.\w+$/.exec(operands[0]!)?.[0] : undefined
}

function ofGit(words: readonly string[]): Value {
  const [verb = '', ...rest] = words
  const flags = rest.filter(word => word.startsWith('-'))
  const isFlagged = (known: RegExp) => flags.every(word => known.test(word))
  switch (verb) {
    case 'rev-parse':
      return rest.length > flags.length && isFlagged(/^(?:--short(?:=\d+)?|--verify|-q|--quiet)$/)
        ? HASH
        : ANY
    case 'merge-base':
      return flags.length === 0 ? HASH : ANY
    case 'rev-list':
      if (flags.includes('--count')) return NUMBER
      return isFlagged(/^(?:-n|-\d+|-n\d+|--all|--reverse|--no-merges|--max-count=\d+)$/) ? HASH : ANY
    case 'log':
      return isFlagged(
        /^(?:--(?:format|pretty)=(?:format:)?%[hH]|-n|-\d+|-n\d+|--all|--reverse|--no-merges|--since=.*)$/,
      ) && flags.some(word => /%[hH]$/.test(word))
        ? HASH
        : ANY
    case 'ls-files':
      return isFlagged(/^(?:--cached|-c)$/)
        ? {
            kind: 'names',
            names: { start: '.', isWild: false, isDeep: true, pattern: onlyKind(rest) },
          }
        : ANY
    default:
      return ANY
  }
}

/** Programs whose first operand is a pattern or a script. */
const SCRIPTED = /^(?:[ef]?grep|rg|sed|[gmn]?awk|jq)$/

/** Whether unknown output cannot become this program's script, since only known arguments come before it. */
export function hasPlainScript(name: string, given: readonly Given[]): boolean {
  if (!SCRIPTED.test(name)) return true
  const isLoose = ({ word, names, isHash }: Given) => names !== undefined || isHash || word.text === MARK.some
  const first = given.findIndex(isLoose)
  if (first < 0) return true
  const known = given.slice(0, first).map(({ word }) => word)
  return given.slice(first).every(isLoose) && readsOf(name, known) !== undefined
}
