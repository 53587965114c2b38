import { NotKnown, type CompoundWord, type List } from './compound-words.ts'
import { MARK, type Invocation, type Word } from '../shell-types.ts'

/**
 * Names that a command prints: entries of `start`, or everything below it, that match `pattern`. `isWild`:
 * `start` is a wildcard, and the names are its matches. `isFiles`: none of them may be a folder.
 */
export type Names = {
  start: string
  isWild: boolean
  isDeep: boolean
  isFiles?: boolean
  pattern: string | undefined
}

/**
 * The known facts about a value. `text`: the exact text. `match`: one match of a wildcard. `names`: one of
 * these names. `number`, `hash`: a value of this form, or empty. `any`: nothing is known.
 */
export type Value =
  | { kind: 'text'; text: string }
  | { kind: 'match'; pattern: string }
  | { kind: 'names'; names: Names }
  | { kind: 'number' | 'hash' | 'any' }

export const ANY: Value = { kind: 'any' }
export const NUMBER: Value = { kind: 'number' }

/** A condition to check on disk: the names are plain, with no special meaning for the shell or a program. */
export type Check = { folder: string; names: Names }

/**
 * A word as a command gets it. `isUnknown`: only for commands that print or compare. `isStandIn`: may not be
 * opened as a file. `isHash`: only for git. `names`: the names that it represents.
 */
export type Given = { word: Word; isUnknown?: boolean; isStandIn?: boolean; isHash?: boolean; names?: Names }

const literal = (text: string): Word => ({ text, literal: true, glob: false, runs: [] })
const wildcard = (text: string): Word => ({ text, literal: false, glob: true, runs: [] })
const WILD = /[*?[]/

/** Turn the parts of a word into arguments; undefined if the shell would split or expand an unknown value. */
export function giveWord(
  word: CompoundWord,
  valueOf: (name: string) => Value | undefined,
  outputOf: (list: List) => Value,
): Given[] | undefined {
  let text = ''
  let isWild = false
  let isUnknown = false
  let isStandIn = false
  let isHash = false
  let names: Names | undefined
  const only = word.filter(part => !(part.kind === 'text' && part.text === '')).length === 1
  for (const part of word) {
    if (part.kind === 'text') {
      text += part.text
      isWild ||= !part.isQuoted && WILD.test(part.text)
      continue
    }
    if (part.kind === 'sum' && !part.names.every(name => isCounted(valueOf(name)))) return undefined
    const value =
      part.kind === 'variable'
        ? changed(valueOf(part.name), part.isChanged)
        : part.kind === 'output'
          ? outputOf(part.list)
          : NUMBER
    if (value === undefined) return undefined
    const { isQuoted } = part
    switch (value.kind) {
      case 'text':
        if (!isQuoted && /[\s*?[]/.test(value.text)) {
          // Only a list of plain names can be split.
          if (word.length > 1 || !/^[\w./@-]+(?: [\w./@-]+)*$/.test(value.text)) return undefined
          return value.text.split(' ').map(each => ({ word: literal(each) }))
        }
        if (!isQuoted && value.text === '' && only) return []
        text += value.text
        break
      case 'match':
        if (!isQuoted && names) return undefined
        if (!isQuoted) names = { start: value.pattern, isWild: true, isDeep: false, pattern: undefined }
        text += value.pattern
        isWild = true
        break
      case 'names':
        // Inside a longer word, the names may be anything.
        if (!only) {
          if (!isQuoted) return undefined
          isUnknown = true
        } else {
          names = value.names
          isWild = value.names.isWild
        }
        text += only ? value.names.start : MARK.some
        break
      case 'number':
        text += only ? MARK.some : '1'
        isStandIn ||= !only
        break
      case 'hash':
        text += 'HEAD'
        isHash = true
        break
      case 'any':
        if (!isQuoted) return undefined
        text += MARK.some
        isUnknown = true
    }
  }
  return [
    {
      word: isWild ? wildcard(text) : literal(text),
      ...(isUnknown && { isUnknown }),
      ...(isStandIn && { isStandIn }),
      ...(isHash && { isHash }),
      ...(names && { names }),
    },
  ]
}

const changed = (value: Value | undefined, isChanged: boolean): Value | undefined =>
  value !== undefined && isChanged && value.kind !== 'number' ? ANY : value

/** Whether a value is a number. */
export const isCounted = (value: Value | undefined): boolean =>
  value?.kind === 'number' || (value?.kind === 'text' && /^\d{1,9}$/.test(value.text))

/** The value of a variable after either of two branches. */
function joinValues(one: Value | undefined, other: Value | undefined): Value | undefined {
  // A variable that is not set here may come from the environment.
  if (one === undefined || other === undefined) return undefined
  if (isCounted(one) && isCounted(other)) return one.kind === 'text' && one === other ? one : NUMBER
  return JSON.stringify(one) === JSON.stringify(other) ? one : ANY
}

/** The arguments that a program gets from another's output. `prints`: any text is fine, as it only prints. */
export function wordsOf(input: Value, prints: boolean): Given[] {
  switch (input.kind) {
    case 'text':
      if (!/^[\w./@ -]*$/.test(input.text)) throw new NotKnown()
      return input.text
        .split(' ')
        .filter(Boolean)
        .map(text => ({ word: literal(text) }))
    case 'names':
      return [
        {
          word: input.names.isWild ? wildcard(input.names.start) : literal(input.names.start),
          names: input.names,
        },
      ]
    case 'match':
      return [
        {
          word: wildcard(input.pattern),
          names: { start: input.pattern, isWild: true, isDeep: false, pattern: undefined },
        },
      ]
    case 'hash':
      return [{ word: literal('HEAD'), isHash: true }]
    case 'number':
      return [{ word: literal(MARK.some) }]
    default:
      if (!prints) throw new NotKnown()
      return [{ word: literal(MARK.some), isUnknown: true }]
  }
}

/** Make an invocation of a single command. */
export const invocationOf = (name: string, args: readonly Word[], folder: string): Invocation => ({
  name,
  program: { text: name, literal: true, glob: false, runs: [] },
  args,
  redirects: [],
  wrappers: [],
  wrapperFlags: [],
  folder,
  input: undefined,
  before: [],
  background: false,
  piped: false,
  within: undefined,
})

/** The state while a list is followed: variables, and the folders that it may run in. */
export type Scope = { variables: Map<string, Value>; folders: readonly string[] }

/** Copy the state for a subshell, a pipe or a branch. */
export const copyOf = ({ variables, folders }: Scope): Scope => ({ variables: new Map(variables), folders })
/** Combine two lists of folders, each folder once. */
export const joinFolders = (one: readonly string[], other: readonly string[]) => [
  ...new Set([...one, ...other]),
]

/** Merge the state of another branch into this one. */
export function joinScopes(scope: Scope, other: Scope): void {
  for (const name of new Set([...scope.variables.keys(), ...other.variables.keys()])) {
    const value = joinValues(scope.variables.get(name), other.variables.get(name))
    if (value) scope.variables.set(name, value)
    else scope.variables.delete(name)
  }
  scope.folders = joinFolders(scope.folders, other.folders)
}

/** Require that a loop ends in the folder where it began. Otherwise its next round runs elsewhere. */
export function staysIn({ folders }: Scope, inside: Scope): void {
  if (inside.folders.join('\n') !== folders.join('\n')) throw new NotKnown()
}

/** A word that is only printed, so its unknown parts do not matter. */
export const asPrinted = (word: Word): Word => (word.text.includes(MARK.some) ? { ...word, text: 'x' } : word)
