import { posix } from 'node:path'
import { foundBy, hasPlainScript, outputOfCommand } from './compound-outputs.ts'
import {
  ANY,
  giveWord,
  isCounted,
  NUMBER,
  type Check,
  type Given,
  type Names,
  invocationOf,
  type Value,
  wordsOf,
  asPrinted,
  copyOf,
  joinScopes,
  staysIn,
  joinFolders,
  type Scope,
} from './compound-values.ts'
import {
  NotKnown,
  textOfWord,
  type Chain,
  type Command,
  type CompoundWord,
  type List,
  type Pipeline,
} from './compound-words.ts'
import { isCounter, namesSetIn, withoutWrappers } from './compound-assignments.ts'
import { evaluatesUnknown } from '../reads/evaluated-values.ts'
import { flagsOfXargs, isReadCondition, isReadTest, onlyPrints } from './compound-tests.ts'
import { readsOf } from '../reads/plain-commands.ts'
import { isOwnName, readCompound } from './read-compound.ts'
import { MARK, type Invocation, type ParsedShell } from '../shell-types.ts'
import { setsSteering } from '../reads/steering-variables.ts'

const MOST_STEPS = 300
/** Variables that only change how a program prints, so that their values name no files. */
const PRINTING = /^(?:LC_\w+|LANG|LANGUAGE|TZ|COLUMNS|NO_COLOR)$/
const PRINTED_BY = /^(?:[\w.+-]*|[A-Z]\w+\/\w+)$/

/** The reading commands of a compound command, and conditions on disk for names passed between them. */
export type CompoundReads = { commands: readonly Invocation[]; checks: readonly Check[] }

/**
 * Return the commands of a list, a loop or a condition that only reads, with every value that they may get,
 * so that each can be judged like a single command. Undefined if a command or a value is not known to be
 * harmless without confinement.
 */
export function compoundReads(
  command: string,
  parsed: ParsedShell,
  folder: string,
): CompoundReads | undefined {
  if (parsed.unparsed !== undefined || setsSteering(command, parsed) || evaluatesUnknown(command, parsed))
    return undefined
  const list = readCompound(command)
  if (!list) return undefined
  try {
    return followList(list, folder)
  } catch (error) {
    if (error instanceof NotKnown) return undefined
    throw error
  }
}

function followList(all: List, start: string): CompoundReads {
  const commands: Invocation[] = []
  const checks: Check[] = []
  const noted = new Set<string>()
  let turns = 0
  follow(all, { variables: new Map(), folders: [start] }, undefined, true)
  return { commands, checks }

  function follow(list: List, scope: Scope, input?: Value, isWhole = false): void {
    for (const [at, chain] of list.entries())
      followChain(chain, scope, input, isWhole && at === list.length - 1)
  }

  function followChain(
    { first, rest }: Chain,
    scope: Scope,
    input: Value | undefined,
    isLast: boolean,
  ): void {
    let passed = scope.folders
    followPipeline(first, scope, input, isLast && rest.length === 0)
    for (const [at, { op, pipeline }] of rest.entries()) {
      const skipped = copyOf(scope)
      passed = joinFolders(passed, scope.folders)
      // After `||`, any change of folder may have failed.
      if (op === '||') scope.folders = passed
      followPipeline(pipeline, scope, input, isLast && at === rest.length - 1)
      const { folders } = scope
      joinScopes(scope, skipped)
      if (op === '&&') scope.folders = folders
    }
    scope.folders = joinFolders(passed, scope.folders)
  }

  function followPipeline(
    pipeline: Pipeline,
    scope: Scope,
    input: Value | undefined,
    isLast: boolean,
  ): Value {
    if (pipeline.length === 1) return followCommand(pipeline[0]!, scope, input, isLast)
    let fed = input
    for (const command of pipeline) fed = followCommand(command, copyOf(scope), fed, false)
    return fed ?? ANY
  }

  function followCommand(command: Command, scope: Scope, input: Value | undefined, isLast: boolean): Value {
    if (++turns > MOST_STEPS) throw new NotKnown()
    const fed = openInput(command, scope) ?? input
    switch (command.kind) {
      case 'simple': {
        const printed = followSimple(command, scope, fed, isLast)
        // Error messages mix with the output.
        return command.redirects.some(({ op }) => op === '>&') ? ANY : printed
      }
      case 'group':
        follow(command.body, command.isApart ? copyOf(scope) : scope, fed)
        return ANY
      case 'condition':
        if (!isReadCondition(command.words)) throw new NotKnown()
        for (const word of command.words) give(word, scope, true)
        return ANY
      case 'if': {
        const ends: Scope[] = []
        for (const { test, body } of command.parts) {
          follow(test, scope)
          const inside = copyOf(scope)
          follow(body, inside)
          ends.push(inside)
        }
        if (command.otherwise) follow(command.otherwise, scope)
        for (const each of ends) joinScopes(scope, each)
        return ANY
      }
      case 'for': {
        forget(command.body, scope)
        const after = copyOf(scope)
        for (const value of command.words.flatMap(word => valuesOf(word, scope))) {
          if (++turns > MOST_STEPS) throw new NotKnown()
          const inside = copyOf(scope)
          inside.variables.set(command.name, value)
          follow(command.body, inside, fed)
          staysIn(scope, inside)
          joinScopes(after, inside)
        }
        after.variables.delete(command.name)
        Object.assign(scope, after)
        return ANY
      }
      case 'while': {
        forget(command.body, scope)
        const inside = copyOf(scope)
        const isName =
          command.isWhole && (fed?.kind === 'names' || fed?.kind === 'number' || fed?.kind === 'hash')
        const isOne = command.names.length === 1 && (fed?.kind === 'names' || fed?.kind === 'hash')
        for (const name of command.names)
          inside.variables.set(name, isName || isOne ? named(fed, scope) : ANY)
        // The commands in the loop read the rest of the input.
        follow(command.body, inside, ANY)
        staysIn(scope, inside)
        for (const name of command.names) scope.variables.delete(name)
        joinScopes(scope, inside)
        return ANY
      }
    }
  }

  /** Forget the values of variables that a loop body sets, because it may run again with them. */
  function forget(body: List, scope: Scope): void {
    for (const name of namesSetIn(body))
      scope.variables.set(name, isCounter(body, name) && isCounted(scope.variables.get(name)) ? NUMBER : ANY)
  }

  function followSimple(
    command: Extract<Command, { kind: 'simple' }>,
    scope: Scope,
    input: Value | undefined,
    isLast: boolean,
  ): Value {
    if (command.words.length === 0) {
      for (const { name, value } of command.given) {
        if (!isOwnName(name)) throw new NotKnown()
        const values =
          value.length === 0 ? [{ kind: 'text', text: '' } as const] : assignedValues(value, scope)
        if (values.length !== 1) throw new NotKnown()
        scope.variables.set(name, values[0]!)
      }
      return ANY
    }
    for (const { name, value } of command.given) {
      const text = textOfWord(value) ?? (value.length === 0 ? '' : undefined)
      if (!PRINTING.test(name) || text === undefined || !PRINTED_BY.test(text)) throw new NotKnown()
    }
    const words = withoutWrappers(command.words)
    const name = textOfWord(words[0], true)
    if (name === undefined) throw new NotKnown()
    return run(name, words.slice(1), scope, input, isLast)
  }

  function run(
    name: string,
    words: readonly CompoundWord[],
    scope: Scope,
    input: Value | undefined,
    isLast: boolean,
  ): Value {
    if (name === 'cd') return changeFolder(words, scope, isLast)
    if (name === 'xargs') return runXargs(words, scope, input)
    if (isReadTest(name, words)) {
      for (const word of words) give(word, scope, true)
      return ANY
    }
    if (name === '[' || name === 'test') throw new NotKnown()
    const prints = onlyPrints(
      name,
      words.map(word => textOfWord(word)),
    )
    const given = words.flatMap(word => give(word, scope, prints))
    if (name === 'find') return runFind(given, scope)
    emit(name, given, scope, prints)
    return outputOfCommand(name, given, input)
  }

  function emit(name: string, given: readonly Given[], scope: Scope, prints: boolean): void {
    if (!prints && given.some(each => each.isUnknown || (each.isHash && name !== 'git'))) throw new NotKnown()
    const args = given.map(each => each.word)
    const known = readsOf(name, prints ? args.map(asPrinted) : args)
    if (!known) {
      // `command -v` and similar commands open nothing.
      if (!(prints && /^(?:command|:|\[|test)$/.test(name))) throw new NotKnown()
      return
    }
    if (
      !prints &&
      known.opens.some(({ text }) => given.some(each => each.isStandIn && each.word.text === text))
    )
      throw new NotKnown()
    if (!hasPlainScript(name, given)) throw new NotKnown()
    checkNames(given, scope)
    for (const folder of scope.folders) {
      if (commands.length >= MOST_STEPS) throw new NotKnown()
      commands.push(invocationOf(name, args, folder))
    }
  }

  function checkNames(given: readonly Given[], { folders }: Scope): void {
    for (const { names } of given) if (names) note(folders, names)
  }

  function note(folders: readonly string[], names: Names): void {
    for (const folder of folders) {
      const key = JSON.stringify([folder, names])
      if (!noted.has(key)) checks.push({ folder, names })
      noted.add(key)
    }
  }

  function changeFolder(words: readonly CompoundWord[], scope: Scope, isLast: boolean): Value {
    const path = textOfWord(words[0])
    if (words.length !== 1 || path === undefined || /[*?[]/.test(path)) throw new NotKnown()
    // Nothing runs after the last command, so its folder does not matter.
    if (isLast && /^(?:\.\.(?:\/\.\.)*|-)$/.test(path)) return ANY
    const { folders } = scope
    emit('cd', [{ word: { text: path, literal: true, glob: false, runs: [] } }], scope, false)
    scope.folders = folders.map(folder => posix.resolve('/', folder, path))
    return ANY
  }

  function runXargs(words: readonly CompoundWord[], scope: Scope, input: Value | undefined): Value {
    const texts = words.map(word => textOfWord(word))
    const flags = flagsOfXargs(texts)
    if (!flags) throw new NotKnown()
    const { at, place } = flags
    const name = textOfWord(words[at], true)
    if (name === undefined || !input || /^(?:cd|xargs|\[|test|find)$/.test(name)) throw new NotKnown()
    const rest = words.slice(at + 1)
    const prints = onlyPrints(name, texts.slice(at + 1))
    const more = wordsOf(input, prints)
    const given = rest.flatMap(word => {
      const text = textOfWord(word)
      if (place === undefined || text === undefined || !text.includes(place)) return give(word, scope, prints)
      if (text !== place) throw new NotKnown()
      return more
    })
    const whole = place === undefined ? [...given, ...more] : given
    emit(name, whole, scope, prints)
    return ANY
  }

  /** Follow the command that `find … -exec COMMAND {} +` runs on its results. */
  function runFind(given: readonly Given[], scope: Scope): Value {
    const at = given.findIndex(({ word }) => word.text === '-exec')
    if (at < 0) {
      emit('find', given, scope, false)
      return outputOfCommand('find', given, undefined)
    }
    const end = given.findIndex(({ word }, index) => index > at && /^[;+]$/.test(word.text))
    const tests = given.slice(0, at)
    const names = foundBy(tests)
    if (end !== given.length - 1 || !names) throw new NotKnown()
    emit('find', tests, scope, false)
    const [program, ...rest] = given.slice(at + 1, end)
    const name = program?.word.literal ? program.word.text : ''
    if (/^(?:cd|xargs|\[|test|find|command|)$/.test(name)) throw new NotKnown()
    const prints = onlyPrints(
      name,
      rest.map(({ word }) => word.text),
    )
    const filled = rest.flatMap(each => {
      if (!each.word.text.includes('{}')) return [each]
      if (each.word.text !== '{}') throw new NotKnown()
      return wordsOf({ kind: 'names', names }, prints)
    })
    emit(name, filled, scope, prints)
    return outputOfCommand(name, filled, undefined)
  }

  function give(word: CompoundWord, scope: Scope, prints: boolean): Given[] {
    const given = giveWord(
      word,
      name => scope.variables.get(name),
      list => outputOf(list, scope),
    )
    if (!given || (!prints && given.some(each => each.isUnknown))) throw new NotKnown()
    return given
  }

  /** The output of a list in `$(…)`; known only if the list is a single pipeline. */
  function outputOf(list: List, scope: Scope): Value {
    const inside = copyOf(scope)
    const [only] = list
    if (list.length !== 1 || !only || only.rest.length > 0) {
      follow(list, inside)
      return ANY
    }
    return followPipeline(only.first, inside, undefined, false)
  }

  /** The values that a loop variable gets, word by word. */
  function valuesOf(word: CompoundWord, scope: Scope): Value[] {
    const [only] = word
    if (word.length === 1 && only?.kind === 'output' && !only.isQuoted) {
      const value = outputOf(only.list, scope)
      return value.kind === 'text'
        ? value.text
            .split(/\s+/)
            .filter(Boolean)
            .map(text => ({ kind: 'text', text }))
        : // The shell splits names at blanks, and expands wildcards in them.
          [named(value, scope)]
    }
    const given = give(word, scope, true)
    checkNames(given, scope)
    return given.map(each => valueOf(each))
  }

  function named(value: Value, { folders }: Scope): Value {
    if (value.kind === 'names') note(folders, value.names)
    return value
  }

  function assignedValues(word: CompoundWord, scope: Scope): Value[] {
    // In an assignment nothing is split or expanded.
    const quoted = word.map(part => ({ ...part, isQuoted: true }))
    const [only] = quoted
    if (quoted.length === 1 && only?.kind === 'output') {
      const value = outputOf(only.list, scope)
      return [value.kind === 'names' ? ANY : value]
    }
    return give(quoted, scope, true).map(each => valueOf(each))
  }

  function valueOf({ word, isUnknown, isStandIn, isHash, names }: Given): Value {
    if (isUnknown || isStandIn) return ANY
    if (isHash) return word.text === 'HEAD' ? { kind: 'hash' } : ANY
    if (names && !names.isWild) return { kind: 'names', names }
    if (word.text === MARK.some) return NUMBER
    if (word.text.includes(MARK.some)) return ANY
    return word.glob ? { kind: 'match', pattern: word.text } : { kind: 'text', text: word.text }
  }

  function openInput({ redirects }: Command, scope: Scope): Value | undefined {
    let input: Value | undefined
    for (const { op, word } of redirects) {
      if (op.startsWith('>')) continue
      const given = give(word, scope, false)
      input = ANY
      if (given.length !== 1 || given[0]!.isHash || given[0]!.isStandIn) throw new NotKnown()
      emit('cat', given, scope, false)
    }
    return input
  }
}
