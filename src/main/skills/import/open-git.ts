import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Fault } from '../../../shared/rpc.ts'
import { startChild } from '../../lib/processes/start-child.ts'
import { limits, visibleName } from './skill-source.ts'

/** Options for running git. */
export type GitOptions = {
  program?: string
  /** Allow repositories on this computer; for tests. */
  allowFile?: boolean
  /** Publishers that the user trusts. Their repositories are fetched only from their own host. */
  publishers?: readonly string[]
  /** Do not follow redirects to another address. */
  stays?: boolean
  /** Variables that name the proxy. */
  variables?: () => NodeJS.ProcessEnv
  mostMs?: number
  mostBytes?: number
  /** Called with each host before git connects. Throws if it is not allowed. `end` gets the outcome. */
  reach?: (host: string, subject: string) => { end(ok: boolean): void }
}

/** Runs git in a separate bare repository without a checkout, so links, filters and hooks have no effect. */
export type Git = {
  run(args: readonly string[], signal: AbortSignal): Promise<string>
  /** Like `run`, for network commands, with limits on time and size. */
  fetch(args: readonly string[], signal: AbortSignal): Promise<string>
  /** Start git with pipes for the caller. */
  start(args: readonly string[], signal: AbortSignal): ChildProcess
}

const LOOK_MS = 200
const MOST_TEXT = 64_000_000
const MOST_ERROR_TEXT = 20_000

/** Make an empty repository in a folder that does not exist yet. Throws a Fault if git is not installed. */
export async function openGit(folder: string, options: GitOptions, signal: AbortSignal): Promise<Git> {
  const { program = 'git', allowFile = false, stays = false } = options
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
    ...(stays ? ['http.followRedirects=false'] : []),
  ].flatMap(setting => ['-c', setting])
  const env = { ...environment(allowFile ? 'https:ssh:file' : 'https:ssh'), ...options.variables?.() }

  function start(args: readonly string[], abort: AbortSignal): ChildProcess {
    abort.throwIfAborted()
    const child = startChild(program, [...settings, `--git-dir=${folder}`, ...args], {
      cwd: folder,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // Git starts helper processes, so it gets a process group that can be killed as a whole.
      detached: process.platform !== 'win32',
    })
    const stop = () => endAll(child)
    abort.addEventListener('abort', stop, { once: true })
    child.once('close', () => abort.removeEventListener('abort', stop))
    return child
  }

  async function run(args: readonly string[], abort: AbortSignal): Promise<string> {
    const child = start(args, abort)
    // Write errors show up in the exit code.
    child.stdin?.end()
    const ended = once(child, 'close')
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      if (said.length < MOST_ERROR_TEXT) said += chunk
    })
    let bytes = 0
    child.stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MOST_TEXT) endAll(child)
    })
    const output = child.stdout ? text(child.stdout).catch(() => '') : ''
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
            `This repository is larger than ${mostBytes / 1e6} MB. Fetch it yourself, and import the folder.`,
          )
        if (late.aborted)
          throw new Fault(
            'not_ready',
            'The download of the repository took too long. Try again, or fetch the repository yourself and import the folder.',
          )
        throw error
      } finally {
        clearInterval(watch)
      }
    },
  }
}

/** Size of what was fetched so far, in bytes. */
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

/** The environment for git. It keeps git config, which may set a proxy, but no redirecting variables. */
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
    // Error messages are parsed, so they must be in English.
    LC_ALL: 'C',
    LANGUAGE: '',
  }
}

function endAll(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Git has ended, or belongs to another user. This runs in an abort listener, so it must not throw.
  }
}

function notStarted(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOENT' && code !== 'EACCES') return error
  return new Fault(
    'not_ready',
    'Git is not installed on this computer, or cannot be started. Install it, or download the skills as a zip and import the zip.',
  )
}

type Meaning = [pattern: RegExp, code: 'bad_input' | 'not_ready', sentence: string]

const MEANINGS: readonly Meaning[] = [
  [
    /could not resolve host|name or service not known|temporary failure in name resolution/i,
    'not_ready',
    'The address cannot be reached: its host is unknown, or this computer is not on the network.',
  ],
  [
    /failed to connect|connection (refused|timed out|reset)|network is unreachable|no route to host|operation too slow|timed out|could not connect/i,
    'not_ready',
    'The host does not answer. Check whether this computer is on the network, and try again.',
  ],
  [
    /ssl|certificate/i,
    'not_ready',
    'The connection to the host is not safe, because its certificate cannot be verified.',
  ],
  [
    /couldn't find remote ref|no such ref|not our ref|unadvertised object|invalid refspec/i,
    'bad_input',
    'The repository has no branch, tag or commit with this name. Write the full id of a commit.',
  ],
  [
    /host key verification failed/i,
    'bad_input',
    'ssh does not know the host yet. Connect to it once in a terminal, and try again.',
  ],
  [
    /permission denied|publickey/i,
    'bad_input',
    'The host denies access, because this computer has no ssh key that it accepts.',
  ],
  [
    /could not read (username|password)|terminal prompts disabled|authentication failed|\b40[13]\b/i,
    'bad_input',
    'The repository does not exist, or requires a password. Use ssh for a private repository.',
  ],
  [
    /returned error: 30\d/i,
    'bad_input',
    'The repository of this trusted publisher has moved to another address. Import it from there if you trust that address too.',
  ],
  [
    /not found|does not exist|does not appear to be a git repository|\b404\b|repository .* (is )?missing/i,
    'bad_input',
    'There is no repository at this address.',
  ],
  [
    /transport .* not allowed/i,
    'bad_input',
    'Skills can be fetched only by https and ssh, but this address redirects to something else.',
  ],
  [/ssh: not found|cannot run ssh/i, 'not_ready', 'The program ssh is not installed on this computer.'],
]

/** Turn git's error message into a Fault for the user. */
export function gitTrouble(said: string, about: string): Fault {
  const known = MEANINGS.find(([pattern]) => pattern.test(said))
  if (known) return new Fault(known[1], known[2])
  const line = /^(?:fatal|error): (.*)$/m.exec(said)?.[1] ?? said.trim().split('\n')[0] ?? ''
  const words = line === '' ? 'without a word' : `: ${visibleName(line)}`
  return new Fault('not_ready', `Git failed (${visibleName(about)})${words}`)
}
