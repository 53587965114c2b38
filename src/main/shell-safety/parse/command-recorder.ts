import { posix } from 'node:path'
import { findCommands, findStarts, isNarrowed } from '../find-arguments.ts'
import { baseName, MARK, Unparsed, type Invocation, type Redirect, type Word } from '../shell-types.ts'
import { assignedBy } from './builtin-variables.ts'
import { readsScript, scriptsOf, SHELLS, unwrapCommand } from './unwrap-command.ts'
import type { Expansions, TextCursor } from './read-word.ts'
import { staticOutput } from './static-output.ts'

const MAX_DEPTH = 16
const MAX_COMMANDS = 1_000
const MAX_VALUE_CHARS = 2_000

/** The parser's state: variables, the current folder, and the commands found so far. */
export type CommandRecorder = ReturnType<typeof createCommandRecorder>

type Setup = {
  folder: string
  home: string
  /** Maximum number of characters in all nested texts and values together. */
  budget: number
  parseScript(text: string, recorder: CommandRecorder): void
  parseInside(cursor: TextCursor, recorder: CommandRecorder): void
}

/**
 * Create a recorder of what a command line would run. A variable keeps every value ever assigned, so that no
 * branch of a script can hide one.
 */
export function createCommandRecorder(setup: Setup) {
  const variables = new Map<string, string[]>([
    ['HOME', [setup.home]],
    ['IFS', [' ']],
    ['PATH', ['/usr/bin:/bin']],
    ['SHELL', ['/bin/bash']],
    ['BASH', ['/bin/bash']],
    ['0', ['/bin/bash']],
    ['USER', [posix.basename(setup.home)]],
    ['LOGNAME', [posix.basename(setup.home)]],
  ])
  /** Names that `declare -n` turns into references to other names. */
  const references = new Map<string, string>()
  /** Bodies of functions and aliases, which are parsed again with the arguments of each call. */
  const functions = new Map<string, string>()
  const active = new Set<string>()
  /** Files that the command line writes, with their content. */
  const written = new Map<string, string>()
  const waiting = new Map<Redirect, Invocation>()
  /** Loops waiting for their here-document. `loopInput` is the input of the loop now parsed again. */
  const unfed = new Map<Redirect, string>()
  let loopInput: string | undefined
  let left = setup.budget
  let depth = 0

  const expansions: Expansions = {
    values: name => (name === 'PWD' ? [recorder.folder] : variables.get(references.get(name) ?? name)),
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
    feedLoop,
    define: (name: string, body: string) => functions.set(name, body),
  }
  return recorder

  function assign(name: string, value: string, append = false): void {
    const before = variables.get(name) ?? []
    const added = append && before.length > 0 ? before.map(each => each + value) : [value]
    const kept = added.map(each => (each.length > MAX_VALUE_CHARS ? MARK.some : each))
    variables.set(name, [...new Set([...before, ...kept])].slice(-12))
    // A shell runs PROMPT_COMMAND before each prompt.
    if (name !== 'PROMPT_COMMAND' || active.has(name)) return
    active.add(name)
    kept.forEach(run)
    active.delete(name)
  }

  /** Parse a part. If that fails, note it and continue, because the shell would run the rest too. */
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
    const printing = inner.filter(each => !SILENT.has(each.name) || each === last)
    const onePipeline = last !== undefined && last.before.length === printing.length - 1
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
    const input = given ?? (fed ? staticOutput(fed) : loopInput)
    const command: Invocation = {
      name: baseName(program?.text ?? ''),
      program,
      args:
        /\b(xargs|parallel)\b/.test(plain.wrappers.join(' ')) && words.every(word => word.text !== ':::')
          ? withInput(words, args, input, fed)
          : args,
      redirects,
      wrappers: plain.wrappers,
      wrapperFlags: plain.flags,
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
    // If a variable in command position is empty, the next word is the command.
    if (program && args.length > 0 && program.text !== '' && /^\uE000+$/.test(program.text))
      record(args, [], [])
  }

  /** Build the command that `xargs` would run, with words from its input or the results of `find`. */
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
    const listed = fed?.name === 'ls' && input === undefined ? listedBy(fed.args) : undefined
    const given = input?.split(/[\s\0]+/, 200).filter(Boolean) ?? listed?.map(() => '*') ?? [MARK.some]
    const flag = words.findIndex(word => word.text.startsWith('-I'))
    const place = words[flag]?.text.slice(2) || words[flag + 1]?.text || '{}'
    const filled = args.map(word => ({
      ...word,
      text: word.text.replaceAll(place, given.join(' ')),
      literal: false,
      glob: word.glob || (word.text.includes(place) && given.some(each => each.includes('*'))),
    }))
    if (flag >= 0) return filled
    return [...args, ...(listed ?? given.map(plainWord))]
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
      // The first result of an unlimited search is its starting folder.
      const found = isNarrowed(args) ? undefined : findStarts(args)[0]
      for (const words of findCommands(args)) {
        const filled = found ? words.map(word => (word.text === '{}' ? found : word)) : words
        attempt(() => expansions.nested(() => record(filled, [], [])))
      }
    }
    runInput(command)
    followFiles(command)
    followCalls(command)
  }

  /** Parse scripts from `<(…)`, and files that the command line writes before it runs them. */
  function followFiles(command: Invocation): void {
    const { name, args, redirects, program } = command
    const runsFiles = SHELLS.has(name) || name === 'source' || name === '.'
    const pathOf = (text: string) => posix.resolve('/', recorder.folder, text)
    for (const { op, target, body } of redirects) {
      if (op === '<(' && body !== undefined && runsFiles) run(body)
      const isWriting = body === undefined && /^>[>|]?$/.test(op)
      const content = isWriting ? staticOutput({ ...command, redirects: [] }) : undefined
      if (content !== undefined) keepFile(pathOf(target.text), content)
    }
    if (name === 'tee' && command.input !== undefined)
      for (const word of args) keepFile(pathOf(word.text), command.input)
    const file = runsFiles ? args.find(word => !word.text.startsWith('-')) : program
    const script = file && file.text.length < MAX_VALUE_CHARS ? written.get(pathOf(file.text)) : undefined
    if (script !== undefined && (runsFiles || program!.text.includes('/'))) run(script)
  }

  function keepFile(path: string, content: string): void {
    if (content.length <= MAX_VALUE_CHARS && written.size < 50)
      written.set(path, `${written.get(path) ?? ''}${content}`.slice(-MAX_VALUE_CHARS))
  }

  /** Parse the body of a function or an alias again, with the arguments of this call. */
  function followCalls({ program, name, args }: Invocation): void {
    if (name === 'alias')
      for (const { text } of args) {
        const [, alias, body] = /^([\w.-]+)=(.+)$/s.exec(text) ?? []
        if (alias !== undefined) functions.set(alias, `${body} "$@"`)
      }
    if (/^(declare|local|typeset)$/.test(name) && args[0]?.text === '-n') {
      const [, reference, target] = /^(\w+)=(\w+)$/.exec(args[1]?.text ?? '') ?? []
      if (reference !== undefined) references.set(reference, target!)
    }
    const called = program?.text ?? ''
    const body = functions.get(called)
    if (body === undefined || active.has(called)) return
    if (args.length === 0 && !body.endsWith(' "$@"')) return
    active.add(called)
    for (const [at, word] of args.entries())
      for (const variable of [`${at + 1}`, '@', '*']) assign(variable, word.text)
    run(body)
    active.delete(called)
  }

  function gotDocument(redirect: Redirect): void {
    const command = waiting.get(redirect)
    waiting.delete(redirect)
    const loop = unfed.get(redirect)
    unfed.delete(redirect)
    if (loop !== undefined && redirect.body !== undefined) runFed(loop, redirect.body)
    if (command && redirect.body !== undefined) {
      command.input = redirect.body
      runInput(command)
      followFiles(command)
      feedPipeline(command)
    }
  }

  /** Parse a loop again, with the input that its own redirection gives to the commands inside. */
  function feedLoop(loop: string, redirects: readonly Redirect[]): void {
    for (const redirect of redirects) {
      if (!redirect.op.startsWith('<<')) continue
      if (redirect.body === undefined) unfed.set(redirect, loop)
      else runFed(loop, redirect.body)
    }
  }

  function runFed(loop: string, input: string): void {
    const outer = loopInput
    loopInput = input
    run(loop)
    loopInput = outer
  }

  /** Pass on the text of a here-document, which is read only after the pipeline that it feeds. */
  function feedPipeline(from: Invocation): void {
    if (!from.piped) return
    for (const command of recorder.commands) {
      if (command.input !== undefined || !command.before.includes(from)) continue
      command.input = staticOutput(command.before.at(-1)!)
      runInput(command)
    }
  }

  function runInput(command: Invocation): void {
    if (command.input === undefined || !readsScript(command)) return
    // Recipe lines of a makefile may begin with special characters of make.
    run(command.name.endsWith('make') ? command.input.replace(/^\t[@+-]+/gm, '') : command.input)
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

/** The output of `ls`: everything in its folders, or the matches of a wildcard. */
function listedBy(args: readonly Word[]): Word[] {
  const operands = args.filter(word => !word.text.startsWith('-'))
  const folders = operands.length > 0 ? operands : [plainWord('.')]
  return folders.map(word => (word.glob ? word : { ...word, text: posix.join(word.text, '*'), glob: true }))
}

/** Commands that print nothing. */
const SILENT = new Set(['cd', 'true', ':', 'export', 'set', 'shopt', 'local', 'declare', 'unset', ''])

const plainWord = (text: string): Word => ({ text, literal: false, glob: false, runs: [] })
