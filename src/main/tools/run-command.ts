import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createCleaner, createOutputRing, createShow } from './command-output.ts'

type CommandRun = {
  command: string
  folder: string
  timeoutMs: number
  signal: AbortSignal
  /** Gets the output of the running command, a few times a second. */
  output(text: string): void
}

/** How a command ended, and its output until then. */
type CommandEnd =
  | { how: 'exited' | 'stopped' | 'late'; code: number; output: string }
  | { how: 'not started'; reason: string }

/** After the shell exits, output is read until it is quiet for `QUIET_MS`, for `LINGER_MS` at most. */
const QUIET_MS = 60
const LINGER_MS = 1_000

/**
 * Run a shell command without input. Cancellation and time-out return at once and end the process group in
 * the background. Background processes that the command starts are not awaited and keep running.
 */
export function runCommand({ command, folder, timeoutMs, signal, output }: CommandRun): Promise<CommandEnd> {
  const { promise, resolve } = Promise.withResolvers<CommandEnd>()
  if (signal.aborted) return Promise.resolve({ how: 'stopped', code: 130, output: '' })
  const child = startCommand(command, folder)
  const streams = [child.stdout, child.stderr].flatMap(stream => stream ?? [])
  const ring = createOutputRing()
  const show = createShow(output)
  let lastPieceAt = 0
  let ended = false

  const finish = (end: CommandEnd) => {
    ended = true
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    show.end()
    streams.forEach(release)
    resolve(end)
  }
  const end = (how: 'exited' | 'stopped' | 'late', code: number) => {
    if (ended) return
    if (how !== 'exited') endGroup(child)
    finish({ how, code, output: ring.text() })
  }
  const stop = () => end('stopped', 130)
  const timer = setTimeout(() => end('late', 124), timeoutMs)
  signal.addEventListener('abort', stop)

  for (const stream of streams) {
    const decoder = new StringDecoder('utf8')
    const clean = createCleaner()
    const take = (text: string) => {
      if (ended || text === '') return
      ring.add(text)
      show.add(text)
    }
    stream.on('data', (bytes: Buffer) => {
      lastPieceAt = performance.now()
      take(clean(decoder.write(bytes)))
    })
    stream.on('end', () => take(clean(decoder.end())))
    // A broken pipe has no more output.
    stream.on('error', () => undefined)
  }
  child.on('error', error => {
    if (!ended) finish({ how: 'not started', reason: error.message })
  })
  child.on('exit', (code, name) => {
    const status = code ?? 128 + (name ? constants.signals[name] : 0)
    // A background child keeps the pipes open, so `end` may never be emitted.
    const exitedAt = performance.now()
    const watch = setInterval(() => {
      const now = performance.now()
      const isQuiet = now - Math.max(lastPieceAt, exitedAt) >= QUIET_MS
      if (isQuiet || now - exitedAt > LINGER_MS) end('exited', status)
      if (ended) clearInterval(watch)
    }, QUIET_MS)
    child.on('close', () => {
      clearInterval(watch)
      end('exited', status)
    })
  })
  return promise
}

/**
 * Keep reading and discard the output: a background server would die of a closed pipe. The stream must not
 * keep this process alive.
 */
function release(stream: Readable & { unref?(): void }): void {
  if (stream.destroyed) return
  stream.removeAllListeners('data')
  stream.resume()
  stream.unref?.()
}

/** Time between SIGTERM and SIGKILL, in ms. */
const PATIENCE_MS = 1_000

/** Start a shell command as the leader of a new process group, without input. */
function startCommand(command: string, folder: string): ChildProcess {
  const shared = {
    cwd: folder,
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  } satisfies Parameters<typeof spawn>[2]
  if (process.platform === 'win32') {
    const shell = process.env['ComSpec'] ?? 'cmd.exe'
    return spawn(shell, ['/d', '/s', '/c', `"${command}"`], { ...shared, windowsVerbatimArguments: true })
  }
  const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh'
  return spawn(shell, ['-c', command], { ...shared, detached: true })
}

/** End a process group: SIGTERM, then SIGKILL a second later. Returns at once. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    const killer = spawn('taskkill', ['/pid', String(pid), '/t', '/f'], {
      stdio: 'ignore',
      windowsHide: true,
    })
    // Fallback when taskkill is missing.
    killer.on('error', () => process.kill(pid))
    return
  }
  if (signalGroup(pid, 'SIGTERM')) setTimeout(() => signalGroup(pid, 'SIGKILL'), PATIENCE_MS)
}

/** Signal the group. Returns whether it still had processes. */
function signalGroup(leader: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(-leader, name)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // EPERM: the remaining processes belong to another user, for instance after sudo.
    if (code === 'ESRCH' || code === 'EPERM') return false
    throw error
  }
}

/** Names of variables that hold keys, tokens or passwords. */
const SECRET_NAME =
  /TOKEN(?!IZ)|SECRET|PASSW|PASSPHRASE|CREDENTIAL|API_?KEY|(^|_)(KEY|KEYS|PASS|PWD|PAT|AUTH|COOKIE)(_ID)?(_|$)/i
/** Values that are secrets under any name: known key prefixes, and URLs with a password. */
const SECRET_VALUE =
  /^(sk-|sk_live_|rk_live_|gh[opsur]_|github_pat_|glpat-|xox[abprs]-|hf_|AKIA|ASIA|AIza|npm_|pypi-|-----BEGIN )|^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i
/** Variables to keep although their name matches: ssh agent socket, working folder, proxies. */
const KEPT = /^(SSH_AUTH_SOCK|PWD|OLDPWD|(https?|all|no)_proxy)$/i
/** Variables that would make a child process act as part of Talaria. */
const OURS = /^(ELECTRON|TALARIA)_/

/** The environment for a command: the one of this process without secrets, and marked as non-interactive. */
export function cleanEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const isKept = ([name, value = '']: [string, string | undefined]) =>
    KEPT.test(name) || !(SECRET_NAME.test(name) || SECRET_VALUE.test(value) || OURS.test(name))
  return {
    ...Object.fromEntries(Object.entries(env).filter(isKept)),
    TERM: 'dumb',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
  }
}
