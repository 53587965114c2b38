import { posix } from 'node:path'
import { findCommands, findStarts, isNarrowed } from './find-arguments.ts'
import { baseName, MARK, Unparsed, type Invocation, type Redirect, type Word } from './shell-types.ts'
import { assignedBy } from './shell-builtins.ts'
import { readsScript, scriptsOf, unwrap } from './shell-unwrap.ts'
import type { Expansions, Scanner } from './shell-words.ts'
import { staticOutput } from './static-output.ts'

const DEEPEST = 16
const MOST_COMMANDS = 5_000
const LONGEST_VALUE = 2_000

/** What the parser knows while it reads: variables, the folder, and the commands found so far. */
export type Recorder = ReturnType<typeof createRecorder>

type Setup = {
  folder: string
  home: string
  /** How many characters all nested texts and values may have together. */
  budget: number
  parseScript(text: string, recorder: Recorder): void
  parseInside(scanner: Scanner, recorder: Recorder): void
}

/** Keep what a command line would run. Values of variables add up, so that no branch of a script can hide one. */
export function createRecorder(setup: Setup) {
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
    commands: scanner => capture(() => setup.parseInside(scanner, recorder)),
    script: text => capture(() => setup.parseScript(text, recorder)),
    nested(work) {
      if (++depth > DEEPEST) throw new Unparsed('it is nested too deeply')
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
    const kept = added.map(each => (each.length > LONGEST_VALUE ? MARK.some : each))
    variables.set(name, [...new Set([...before, ...kept])].slice(-12))
  }

  /** A part that cannot be read is noted, and the rest is read on: the shell would run the rest too. */
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

  /** Record a command. Where one of several values may be its name, each of them is recorded with what follows it. */
  function record(
    words: readonly Word[],
    redirects: readonly Redirect[],
    pipeline: Invocation[],
    names = 1,
  ): void {
    for (let at = 1; at < names; at++) record(words.slice(at), redirects, [...pipeline])
    if (recorder.commands.length >= MOST_COMMANDS) throw new Unparsed('it has too many commands')
    const plain = unwrap(words)
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
    // A variable that turns out to be empty leaves the next word as the command.
    if (program && args.length > 0 && program.text !== '' && /^\uE000+$/.test(program.text))
      record(args, [], [])
  }

  /** What `xargs` makes of a command: the words that it is fed, or everything below the folders that were searched. */
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

  /** Take in what a command means for the commands after it, and the scripts that it would run itself. */
  function follow(command: Invocation): void {
    const { name, args } = command
    if (name === 'cd' || name === 'pushd') enter(args.find(word => !/^-./.test(word.text))?.text)
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

  function enter(path: string | undefined): void {
    if (path === undefined) recorder.folder = setup.home
    else if (!/^-$|[\uE000\uE001]/.test(path)) recorder.folder = posix.resolve('/', recorder.folder, path)
  }
}

const plainWord = (text: string): Word => ({ text, literal: false, glob: false, runs: [] })
