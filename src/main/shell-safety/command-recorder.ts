import { posix } from 'node:path'
import { findCommands, findStarts, isNarrowed } from './find-arguments.ts'
import { baseName, MARK, Unparsed, type Invocation, type Redirect, type Word } from './shell-types.ts'
import { assignedBy } from './builtin-variables.ts'
import { readsScript, scriptsOf, unwrapCommand } from './unwrap-command.ts'
import type { Expansions, TextCursor } from './read-word.ts'
import { staticOutput } from './static-output.ts'

const MAX_DEPTH = 16
const MAX_COMMANDS = 5_000
const MAX_VALUE_CHARS = 2_000

/** The parser's state: variables, the current folder, and the commands found so far. */
export type CommandRecorder = ReturnType<typeof createCommandRecorder>

type Setup = {
  folder: string
  home: string
  /** Maximum characters of all nested texts and values together. */
  budget: number
  parseScript(text: string, recorder: CommandRecorder): void
  parseInside(cursor: TextCursor, recorder: CommandRecorder): void
}

/**
 * Record what a command line would run. A variable keeps every value it was assigned, so that no branch of a
 * script can hide one.
 */
export function createCommandRecorder(setup: Setup) {
  const variables = new Map<string, string[]>([
    ['HOME', [setup.home]],
    ['IFS', [' ']],
    ['PATH', ['/usr/bin:/bin']],
  ])
  const waiting = new Map<Redirect, Invocation>()
  let left = setup.budget
  let depth = 0

  const expansions: Expansions = {
    values: name => (name === 'PWD' ? [recorder.folder] : variables.get(name)),
    assign,
    home: user => {
      if (user === '') return variables.get('HOME')!.at(-1)!
      if (user === '+') return recorder.folder
      if (user === '-') return MARK.some
      return user === 'root' ? '/root' : `/home/${user}`
    },
    commands: cursor => capture(() => setup.parseInside(cursor, recorder)),
    script: text => capture(() => setup.parseScript(text, recorder)),
    nested(work) {
      if (++depth > MAX_DEPTH) throw new Unparsed('it is nested too deeply')
      try {
        return work()
      } finally {
        depth--
      }
    },
    spend(characters) {
      left -= characters
      if (left < 0) throw new Unparsed('it is too long')
    },
  }

  const recorder = {
    commands: [] as Invocation[],
    simple: true,
    unparsed: undefined as string | undefined,
    folder: setup.folder,
    within: undefined as string | undefined,
    expansions,
    assign,
    attempt,
    capture,
    record,
    gotDocument,
  }
  return recorder

  function assign(name: string, value: string, append = false): void {
    const before = variables.get(name) ?? []
    const added = append && before.length > 0 ? before.map(each => each + value) : [value]
    const kept = added.map(each => (each.length > MAX_VALUE_CHARS ? MARK.some : each))
    variables.set(name, [...new Set([...before, ...kept])].slice(-12))
  }

  /** Note a part that cannot be parsed and continue with the rest, because the shell would run the rest too. */
  function attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!(error instanceof Unparsed)) throw error
      recorder.unparsed ??= error.message
    }
  }

  function capture(work: () => void): { prints: string | undefined; names: readonly string[] } {
    recorder.simple = false
    const from = recorder.commands.length
    const { folder } = recorder
    expansions.nested(work)
    recorder.folder = folder
    const inner = recorder.commands.slice(from)
    const last = inner.at(-1)
    const onePipeline = last !== undefined && last.before.length === inner.length - 1
    return { prints: onePipeline ? staticOutput(last) : undefined, names: inner.map(each => each.name) }
  }

  /** Record a command. If its name may have several values, record each of them with the arguments. */
  function record(
    words: readonly Word[],
    redirects: readonly Redirect[],
    pipeline: Invocation[],
    names = 1,
  ): void {
    for (let at = 1; at < names; at++) record(words.slice(at), redirects, [...pipeline])
    if (recorder.commands.length >= MAX_COMMANDS) throw new Unparsed('it has too many commands')
    const plain = unwrapCommand(words)
    const [program, ...args] = plain.words
    const fed = pipeline.at(-1)
    const given = redirects.find(redirect => redirect.op === '<<<')?.body
    const input = given ?? (fed && staticOutput(fed))
    const command: Invocation = {
      name: baseName(program?.text ?? ''),
      program,
      args: plain.wrappers.includes('xargs') ? withInput(words, args, input, fed) : args,
      redirects,
      wrappers: plain.wrappers,
      folder: recorder.folder,
      input: input === undefined || input.length <= 100_000 ? input : undefined,
      before: [...pipeline],
      background: false,
      piped: false,
      within: recorder.within,
    }
    recorder.commands.push(command)
    pipeline.push(command)
    for (const redirect of redirects)
      if (redirect.op.startsWith('<<') && redirect.op !== '<<<') waiting.set(redirect, command)
    follow(command)
    // If the variable in command position is empty, the next word is the command.
    if (program && args.length > 0 && program.text !== '' && /^\uE000+$/.test(program.text))
      record(args, [], [])
  }

  /**
   * The command that `xargs` would run: with the words from its input, or with everything below the folders
   * that `find` searched.
   */
  function withInput(
    words: readonly Word[],
    args: readonly Word[],
    input: string | undefined,
    fed: Invocation | undefined,
  ): Word[] {
    const everything = fed?.name === 'find' && !isNarrowed(fed.args)
    if (input === undefined && everything) {
      const below = findStarts(fed.args).map(word => ({ ...word, text: `${word.text}/*`, glob: true }))
      return [...args, ...below]
    }
    const given = input?.split(/\s+/, 200).filter(Boolean) ?? [MARK.some]
    const flag = words.findIndex(word => word.text.startsWith('-I'))
    const place = words[flag]?.text.slice(2) || words[flag + 1]?.text || '{}'
    const filled = args.map(word => ({
      ...word,
      text: word.text.replaceAll(place, given.join(' ')),
      literal: false,
    }))
    return flag < 0 ? [...args, ...given.map(plainWord)] : filled
  }

  /** Apply the effects of a command on later commands, and parse the scripts that it would run. */
  function follow(command: Invocation): void {
    const { name, args } = command
    if (name === 'cd' || name === 'pushd') changeFolder(args.find(word => !/^-./.test(word.text))?.text)
    for (const [variable, value] of assignedBy(command)) assign(variable, value)
    for (const script of scriptsOf(name, args)) {
      for (const [index, value] of script.values.entries()) assign(String(index), value.text)
      for (const value of script.values.slice(1)) assign('@', value.text)
      run(script.text.text)
    }
    if (name === 'find') {
      for (const words of findCommands(args)) attempt(() => expansions.nested(() => record(words, [], [])))
    }
    if (command.input !== undefined && readsScript(command)) run(command.input)
  }

  function gotDocument(redirect: Redirect): void {
    const command = waiting.get(redirect)
    waiting.delete(redirect)
    if (command && redirect.body !== undefined) {
      command.input = redirect.body
      if (readsScript(command)) run(redirect.body)
    }
  }

  function run(text: string): void {
    recorder.simple = false
    const readable = text.replaceAll(MARK.maybe, '${_}').replaceAll(MARK.some, '${_:?}')
    const { folder } = recorder
    attempt(() => setup.parseScript(readable, recorder))
    recorder.folder = folder
  }

  function changeFolder(path: string | undefined): void {
    if (path === undefined) recorder.folder = setup.home
    else if (!/^-$|[\uE000\uE001]/.test(path)) recorder.folder = posix.resolve('/', recorder.folder, path)
  }
}

const plainWord = (text: string): Word => ({ text, literal: false, glob: false, runs: [] })
