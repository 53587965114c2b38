import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { test as base } from 'vitest'
import { isFresh } from '../../scripts/freshness.mjs'
import { createHost } from '../../src/main/host.ts'
import { ONE_THREAD } from '../host/a-host.ts'
import { startOpenAiServer, type OpenAiServer } from '../servers/openai-server.ts'
import { onPseudoTerminal } from './pseudo-terminal.ts'
import { rootFolder } from '../../src/main/lib/disk/shipped-files.ts'
import { runWarm, type Result } from './warm-terminals.ts'
import { giveDatabase } from '../db/give-database.ts'

const root = rootFolder()
const cli = join(root, 'out/main/cli.js')
// A built CLI starts in a third of the time. A child process builds it, so that this process can still
// respond to the runner.
if (!isFresh(root)) await promisify(execFile)(process.execPath, [join(root, 'scripts/build.ts')])

/** Less than the timeout of a test, so that the error can say what it waited for. */
const PATIENCE_MS = 150_000

/** A failed test shows how this many of its last commands ended. */
const LAST = 4

/** The files of a home for chats with a real model. */
export const oneThread = { 'config.yaml': ONE_THREAD }

/** A reply that takes a scripted model some seconds. */
export const manyWords = Array.from({ length: 4_000 }, (_, index) => `w${index}`).join(' ')

/**
 * A scripted model that repeats these words endlessly, so that a late stop on a busy machine still finds it
 * running.
 */
export const neverDone = { reply: manyWords, goesOnAt: 0, contextTokens: 32_768 }

/** A running command. Its output so far can be read at any time. */
export type Command = {
  child: ChildProcess
  stdout(): string
  stderr(): string
  /** Type on the terminal. */
  types(text: string): void
  /**
   * Resolves when the output since the last input contains `text`; rejects when the command ends without it.
   */
  shows(text: string): Promise<void>
  ended: Promise<Result>
}

export type StartOptions = {
  /** The text for standard input, which is then closed; none by default. */
  input?: string
  cwd?: string
  env?: NodeJS.ProcessEnv
  /** Keep standard input open for writing. */
  keepInput?: boolean
  /** The width of the pseudo-terminal; 200 by default. */
  columns?: number
}

type ServedHome = { home: string; cwd: string; model: OpenAiServer }

/** The command line in a test, with everything that it needs; all is removed after the test. */
export type Talaria = {
  /** Start `talaria` with these arguments as a process. */
  start(args: string[], options?: StartOptions): Command
  /** Run `talaria` to its end, in a process that is reused for several commands. */
  run(args: string[], options?: StartOptions): Promise<Result>
  /** Start `talaria` on a pseudo-terminal, which echoes what is typed. */
  startOnTerminal(args: string[], options?: StartOptions): Command
  /** Start another program on a pseudo-terminal. */
  startProgram(words: string[], options?: StartOptions): Command
  /**
   * Keep a host running on a home until the test ends, in the process of the test. Commands are then its
   * clients, which takes less than half the time of starting a host each. For tests of many commands that do
   * not depend on which process is the host.
   */
  open(home: string): Promise<void>
  /** Keep a host running in a separate process, with its own environment. */
  startHost(home: string, options?: StartOptions): Promise<Command>
  folder(files?: Record<string, string>): string
  /**
   * A home whose chats are answered by a test server, with further settings, and an empty folder to work in.
   */
  servedHome(more?: object): Promise<ServedHome>
  /** A served home folder with a host opened by `open`. */
  openHome(): Promise<ServedHome>
}

/** A test with `talaria`, the commands of a test; tests may run concurrently. */
export const test = base.extend('talaria', async ({ task, onTestFailed, skip }, { onCleanup }) => {
  const ended: string[] = []
  const noted = async (args: string[], result: Promise<Result>) => {
    const { code, stdout, stderr } = await result
    ended.push(`talaria ${args.join(' ').slice(0, 100)} → ${code}: ${cut(stdout)} / ${cut(stderr)}`)
    return result
  }
  // Put this into the stack, which is the part that the report keeps of a failed test.
  onTestFailed(() => {
    for (const error of task.result?.errors?.slice(0, 1) ?? [])
      error.stack = `${error.message}\n${ended.slice(-LAST).join('\n')}\n${error.stack}`
  })
  const used = new AsyncDisposableStack()
  onCleanup(() => used.disposeAsync())
  const over = new AbortController()
  const begin = (program: string, args: string[], options: StartOptions) => {
    const command = start(program, args, options)
    used.defer(async () => {
      const { child } = command
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    })
    return command
  }
  used.defer(() => over.abort())
  const startCli = (args: string[], options: StartOptions = {}) =>
    begin(process.execPath, [cli, ...args], options)
  const folder = (files: Record<string, string> = {}) => {
    const path = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-cli-')))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text)
    // A program on a terminal is notified only after the terminal is gone, and may still write then.
    used.defer(() => rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
    return path
  }
  const onTerminal = (program: string[], options: StartOptions = {}) => {
    const { columns = 200, ...rest } = options
    const begun = onPseudoTerminal(program, columns)
    if ('whyNot' in begun) return skip(begun.whyNot)
    // `script` runs words in this shell.
    const typed = { ...rest, keepInput: true, env: { TERM: 'xterm', SHELL: '/bin/sh', ...rest.env } }
    return begin(begun.program, [...begun.args], typed)
  }
  const open = async (home: string) => {
    const host = await createHost({ hosting: 'headless', home })
    used.defer(() => host.close())
  }
  const servedHome = async (more: object = {}) => {
    const model = await startOpenAiServer()
    used.defer(() => model.close())
    const cwd = folder()
    const home = folder({ 'config.yaml': JSON.stringify({ ...configFor(model), ...more }) })
    giveDatabase(home)
    return { home, cwd, model }
  }
  const talaria: Talaria = {
    start: startCli,
    run: (args, { input = '', cwd = tmpdir(), env } = {}) =>
      // Node reads these only when it starts.
      noted(
        args,
        Object.keys(env ?? {}).some(name => name.startsWith('NODE_'))
          ? startCli(args, { input, cwd, ...(env && { env }) }).ended
          : runWarm({ args, cwd, env: testEnvironment(env), input }, over.signal),
      ),
    startOnTerminal: (args, options) => onTerminal([process.execPath, cli, ...args], options),
    startProgram: onTerminal,
    open,
    async startHost(home, options = {}) {
      const entry = join(root, 'out/main/headless.js')
      const host = begin(process.execPath, [entry, '--home', home, '--no-open'], options)
      await host.shows('Talaria is ready')
      return host
    },
    folder,
    servedHome,
    async openHome() {
      const served = await servedHome()
      await open(served.home)
      return served
    },
  }
  return talaria
})

const cut = (text: string) => JSON.stringify(text.length > 200 ? `…${text.slice(-200)}` : text)

const configFor = ({ baseUrl }: OpenAiServer) => ({
  models: {
    default: 'server:test',
    servers: [{ id: 'test', name: 'Test', base_url: baseUrl, model: 'qwen3-8b', context_tokens: 8_192 }],
  },
})

function start(program: string, args: string[], { input, cwd, env, keepInput }: StartOptions): Command {
  // In its own process group, so that a test can press Ctrl-C like a terminal: for the whole group.
  const child = spawn(program, args, {
    cwd: cwd ?? tmpdir(),
    env: testEnvironment(env),
    detached: true,
    // Without input, standard input is empty from the start: a late end would look like an open pipe.
    stdio: [input === undefined && !keepInput ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  if (input !== undefined) child.stdin!.end(input)
  let stdout = ''
  let stderr = ''
  let from = 0
  let wake = () => {}
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    wake()
  })
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    wake()
  })
  const ended = once(child, 'close').then(([code]): Result => {
    wake()
    return { code: code as number | null, stdout, stderr }
  })

  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    types(text) {
      from = stdout.length
      child.stdin!.write(text)
    },
    async shows(text) {
      const said = () => stripVTControlCharacters(stdout.slice(from) + stderr)
      const late = AbortSignal.timeout(PATIENCE_MS)
      late.addEventListener('abort', () => wake())
      while (!said().includes(text)) {
        if (child.exitCode !== null || late.aborted)
          throw new Error(`“${text}” did not come. There is:\n${said()}`)
        await new Promise<void>(resolve => (wake = resolve))
      }
    },
  }
}

/** The environment of commands: without the developer's or CI's variables, and without colours. */
function testEnvironment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { INIT_CWD: _folder, TALARIA_HOME: _home, FORCE_COLOR: _colour, CI: _ci, ...env } = process.env
  return { ...env, NO_COLOR: '1', TERM: 'dumb', ...extra }
}
