import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { rootFolder } from '../../src/main/lib/disk/shipped-files.ts'

// Processes that stay and run commands of the built terminal, one after the other: loading it and its host
// takes ten times as long as most commands.

/** The arguments and surroundings of a command; `input` is its whole standard input. */
type Given = { args: string[]; cwd: string; env: NodeJS.ProcessEnv; input: string }
/** How a command ended. `code` is null if a signal ended it. */
export type Result = { code: number | null; stdout: string; stderr: string }

/** A process that waits for a command, and the command it runs. */
type Warm = { child: ChildProcess; stdout: string; stderr: string; look(): void }

/** Marks the end of a command's output, on both outputs. */
const END = '\u0000the end of a command\u0000'
/**
 * Maximum number of processes. Further commands wait, because starting a process takes longer than most
 * commands.
 */
const MOST = 4

const idle: Warm[] = []
let running = 0
const waiting: (() => void)[] = []

/**
 * Run a command to its end, or until `signal` kills it. If many run at the same time, some wait. If a command
 * ends its process, the next command gets a new process.
 */
export async function runWarm(given: Given, signal: AbortSignal): Promise<Result> {
  if (running >= MOST) await new Promise<void>(resolve => waiting.push(resolve))
  else running += 1
  if (signal.aborted) {
    next()
    return { code: null, stdout: '', stderr: '' }
  }
  const warm = idle.pop() ?? start()
  const { child } = warm
  warm.stdout = warm.stderr = ''
  const { promise, resolve } = Promise.withResolvers<Result>()
  let code: number | undefined
  const onCode = (exitCode: number) => {
    code = exitCode
    warm.look()
  }
  const kill = () => child.kill('SIGKILL')
  const onClose = (exitCode: number | null) => {
    signal.removeEventListener('abort', kill)
    next()
    resolve({ code: exitCode, stdout: warm.stdout, stderr: warm.stderr })
  }
  warm.look = () => {
    const { stdout, stderr } = warm
    if (code === undefined || !stdout.endsWith(END) || !stderr.endsWith(END)) return
    child.off('message', onCode).off('close', onClose)
    signal.removeEventListener('abort', kill)
    setUsed(warm, false)
    idle.push(warm)
    next()
    resolve({ code, stdout: stdout.slice(0, -END.length), stderr: stderr.slice(0, -END.length) })
  }
  child.once('message', onCode).once('close', onClose)
  signal.addEventListener('abort', kill)
  setUsed(warm, true)
  child.send(given)
  return promise
}

function start(): Warm {
  const child = fork(fileURLToPath(import.meta.url), {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
  })
  const warm: Warm = { child, stdout: '', stderr: '', look: () => undefined }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]!.setEncoding('utf8').on('data', (text: string) => {
      warm[name] += text
      warm.look()
    })
  child.once('exit', () => {
    const at = idle.indexOf(warm)
    if (at !== -1) idle.splice(at, 1)
  })
  return warm
}

/** Start the next waiting command in the place of one that ended. */
function next(): void {
  const begin = waiting.shift()
  if (begin) begin()
  else running -= 1
}

/** Let a process keep the tests running only while it runs a command. */
function setUsed({ child }: Warm, isUsed: boolean): void {
  const streams = [child.stdout, child.stderr] as unknown as { ref(): void; unref(): void }[]
  for (const each of [child, child.channel!, ...streams]) each[isUsed ? 'ref' : 'unref']()
}

if (import.meta.main) {
  const path = join(rootFolder(), 'out/main/program.js')
  const { runProgram } = (await import(path)) as { runProgram(words: string[]): Promise<void> }
  process.once('disconnect', () => process.exit())
  const run = async ({ args, cwd, env, input }: Given): Promise<void> => {
    process.chdir(cwd)
    for (const name of Object.keys(process.env)) delete process.env[name]
    Object.assign(process.env, env)
    const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)])
    Object.defineProperty(process, 'stdin', { value: stdin, configurable: true })
    await runProgram(args)
    // A command never removes its listeners for uncaught errors and for errors of its outputs.
    for (const event of ['uncaughtException', 'unhandledRejection']) process.removeAllListeners(event)
    for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error').write(END)
    process.send?.(process.exitCode ?? 0)
    process.exitCode = undefined
  }
  process.on('message', (given: Given) => void run(given))
}
