import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Fault } from '../../../shared/rpc.ts'
import { gitTrouble } from './git-trouble.ts'
import { limits } from './limits.ts'

/** How git is started; all of it for tests, except where another program is named. */
export type GitOptions = {
  program?: string
  /** Take repositories of this computer. */
  allowFile?: boolean
  mostMs?: number
  mostBytes?: number
  /** Told of each computer before git speaks with it, and how that went; throws when it may not. */
  reach?: (host: string, subject: string) => { end(ok: boolean): void }
}

/** Runs git in a bare repository of its own: nothing is ever checked out, so that no link, filter or hook of it counts. */
export type Git = {
  run(args: readonly string[], signal: AbortSignal): Promise<string>
  /** Like `run`, for what speaks with another computer: limited in time and in what it may bring. */
  fetch(args: readonly string[], signal: AbortSignal): Promise<string>
  /** Start it, and leave reading and writing to the caller. */
  start(args: readonly string[], signal: AbortSignal): ChildProcess
}

const LOOK_MS = 200
const MOST_TEXT = 64_000_000
const MOST_ERROR_TEXT = 20_000

/** Make an empty repository in a folder that does not exist yet. Throws a Fault when git is not installed. */
export async function openGit(folder: string, options: GitOptions, signal: AbortSignal): Promise<Git> {
  const { program = 'git', allowFile = false } = options
  await mkdir(folder, { mode: 0o700 })
  const settings = [
    `core.hooksPath=${join(folder, 'no-hooks')}`,
    'core.fsmonitor=false',
    'core.askPass=',
    'credential.helper=',
    'gc.auto=0',
    'maintenance.auto=false',
    'submodule.recurse=false',
    'fetch.recurseSubmodules=false',
    'protocol.ext.allow=never',
    'http.lowSpeedLimit=1000',
    'http.lowSpeedTime=30',
  ].flatMap(setting => ['-c', setting])
  const env = environment(allowFile ? 'https:ssh:file' : 'https:ssh')

  function start(args: readonly string[], abort: AbortSignal): ChildProcess {
    abort.throwIfAborted()
    const child = spawn(program, [...settings, `--git-dir=${folder}`, ...args], {
      cwd: folder,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // A group of its own: git leaves the work to others, which must end with it.
      detached: process.platform !== 'win32',
    })
    const stop = () => endAll(child)
    abort.addEventListener('abort', stop, { once: true })
    child.once('close', () => abort.removeEventListener('abort', stop))
    // Who writes to a program that has ended hears of it by how it ended.
    child.stdin.on('error', () => {})
    return child
  }

  async function run(args: readonly string[], abort: AbortSignal): Promise<string> {
    const child = start(args, abort)
    child.stdin!.end()
    const ended = once(child, 'close')
    let said = ''
    child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
      if (said.length < MOST_ERROR_TEXT) said += chunk
    })
    let bytes = 0
    child.stdout!.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MOST_TEXT) endAll(child)
    })
    const output = text(child.stdout!).catch(() => '')
    let code: number | null
    try {
      ;[code] = (await ended) as [number | null]
    } catch (error) {
      abort.throwIfAborted()
      throw notStarted(error)
    }
    abort.throwIfAborted()
    if (code !== 0) throw gitTrouble(said, args.at(-1) ?? '')
    return output
  }

  await run(['init', '--quiet', '--bare', '--template=', folder], signal)

  return {
    run,
    start,
    async fetch(args, abort) {
      const { mostMs = limits.repositoryMs, mostBytes = limits.repositoryBytes } = options
      const late = AbortSignal.timeout(mostMs)
      const large = new AbortController()
      const watch = setInterval(() => {
        void weightOf(folder).then(bytes => bytes > mostBytes && large.abort())
      }, LOOK_MS)
      try {
        return await run(args, AbortSignal.any([abort, late, large.signal]))
      } catch (error) {
        abort.throwIfAborted()
        if (large.signal.aborted)
          throw new Fault(
            'bad_input',
            `This repository has more than ${mostBytes / 1e6} MB. Fetch it yourself, and import the folder.`,
          )
        if (late.aborted)
          throw new Fault(
            'not_ready',
            'The repository took too long to come. Try again, or fetch it yourself and import the folder.',
          )
        throw error
      } finally {
        clearInterval(watch)
      }
    },
  }
}

/** What is fetched arrives in one folder. */
async function weightOf(folder: string): Promise<number> {
  const pack = join(folder, 'objects', 'pack')
  const names = await readdir(pack).catch(() => [])
  const sizes = await Promise.all(
    names.map(name =>
      stat(join(pack, name)).then(
        stats => stats.size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Of the person's own settings those of git are kept, as a proxy may stand there; a variable could redirect it all. */
function environment(protocols: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(GIT_|SSH_ASKPASS|GCM_)/i.test(name) ||
      /^GIT_(CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)|SSL_CA\w+)$/i.test(name),
  )
  return {
    ...Object.fromEntries(kept),
    GIT_ALLOW_PROTOCOL: protocols,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GCM_INTERACTIVE: 'never',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes -oConnectTimeout=20',
    // What it says is read.
    LC_ALL: 'C',
    LANGUAGE: '',
  }
}

function endAll(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function notStarted(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOENT' && code !== 'EACCES') return error
  return new Fault(
    'not_ready',
    'Git is not installed on this computer, or cannot be started. Install it, or download the skills as a zip and import that.',
  )
}
