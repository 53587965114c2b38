import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { delimiter, isAbsolute } from 'node:path'
import { cleanEnvironment } from '../../confinement/command-environment.ts'
import { startChild } from '../../lib/processes/start-child.ts'
import { tidyUpLater } from '../../lib/processes/tidy-up.ts'
import { withinTime } from '../../lib/timing.ts'
import { endFamily, MARK } from '../../commands/end-family.ts'

const LONGEST_PATH = 100_000
const BETWEEN = '--talaria-path--'
const PRINT_PATH = `printf '%s' '${BETWEEN}'; printenv PATH; printf '%s' '${BETWEEN}'`

/** The PATH of the user's login shell. */
export type LoginPath = {
  /** The folders of the login shell, then those of this process; only the latter if the shell is too slow. */
  read(): Promise<string>
  /** End a shell that is still running. */
  close(): Promise<void>
}

/** The dependencies. Without a shell, and on Windows, the PATH is that of this process. */
type Parts = {
  shell?: string | undefined
  own?: string
  /** How long the first caller waits, in ms. */
  waitMs?: number
  /** How long until the shell is ended, in ms. */
  mostMs?: number
}

/**
 * Read the PATH of the login shell once. An app started from a desktop lacks what nvm, Homebrew and others
 * add to it. A slow shell keeps running for later callers instead of being killed, because startup files hold
 * locks: a stale lock of pyenv, left by a killed `pyenv rehash`, delays every later shell by a minute.
 */
export function openLoginPath({
  shell = process.env['SHELL'],
  own = process.env['PATH'] ?? '',
  waitMs = 3_000,
  mostMs = 180_000,
}: Parts = {}): LoginPath {
  let reading: Promise<string> | undefined
  let asked: Asked | undefined
  return {
    read: () => (reading ??= firstRead()),
    async close() {
      await asked?.end()
    },
  }

  async function firstRead(): Promise<string> {
    if (shell === undefined || shell === '' || process.platform === 'win32') return own
    asked = askShell(shell, mostMs)
    const all = asked.printed.then(withOwn)
    if (await withinTime(waitMs, all)) return all
    void all.then(path => (reading = Promise.resolve(path)))
    return own
  }

  function withOwn(printed: string): string {
    const [, path = ''] = printed.split(BETWEEN)
    const places = path.trim().split(delimiter).filter(isAbsolute)
    return [...new Set([...places, ...own.split(delimiter)])].join(delimiter)
  }
}

type Asked = { printed: Promise<string>; end(): Promise<void> }

/**
 * Start the login shell in a separate session, because an interactive shell takes over the host's terminal.
 * Programs that its startup files leave running end with it.
 */
function askShell(shell: string, mostMs: number): Asked {
  const mark = randomUUID()
  const child = startChild(shell, ['-ilc', PRINT_PATH], {
    env: { ...cleanEnvironment(), [MARK]: mark },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  let text = ''
  const printed = new Promise<string>(resolve => {
    child.stdout?.setEncoding('utf8').on('data', (more: string) => {
      if (text.length < LONGEST_PATH) text += more
      // A program left by a startup file may keep the output open.
      if (text.split(BETWEEN).length > 2) resolve(text)
    })
    child.once('error', () => resolve(''))
    child.once('close', () => resolve(text))
  })
  let ending: Promise<void> | undefined
  const end = () => (ending ??= endShell(child, mark))
  const timer = setTimeout(() => void end(), mostMs).unref()
  child.once('exit', () => {
    clearTimeout(timer)
    void end()
  })
  return { printed, end }
}

/** End a shell. Interactive shells ignore SIGTERM, but exit properly when their terminal closes. */
async function endShell(child: ChildProcess, mark: string): Promise<void> {
  const { pid } = child
  if (pid === undefined) return
  if (child.exitCode === null && child.signalCode === null) hangUp(pid)
  await tidyUpLater('end the login shell', () => endFamily({ leader: pid, mark, spareLeader: false }))
}

function hangUp(leader: number): void {
  try {
    process.kill(-leader, 'SIGHUP')
  } catch {
    // The shell has ended.
  }
}
