import { execFile } from 'node:child_process'
import { mkdirSync, realpathSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { LocalMcpServer } from '../../shared/contract/mcp.ts'
import { cleanEnvironment } from '../confinement/command-environment.ts'
import { findOnPath } from '../confinement/probe-confinement.ts'
import type { CommandConfinement } from '../confinement/sandbox-setting.ts'
import { fileErrorCode, isRefusal, type Refusal } from '../lib/expected-errors.ts'
import { downloadsItself } from './servers.ts'
import type { ProgramStart } from './stdio-transport.ts'

/** What starting the program of a server depends on. */
export type StartParts = {
  /** Talaria's home folder. */
  home: string
  commands: CommandConfinement
  /** The value of a key in the vault. */
  keyOf(name: string): string | undefined
  /** The PATH of the person's login shell; the one of this process where there is none. */
  loginPath(): Promise<string>
}

/** How the program of a server starts, confined where that works. Its environment has no secrets but those it was given. */
export async function prepareStart(
  name: string,
  server: LocalMcpServer,
  mark: string,
  { home, commands, keyOf, loginPath }: StartParts,
): Promise<ProgramStart | Refusal> {
  const folder = workFolder(name, server, home)
  if (typeof folder !== 'string') return folder
  const given = fillIn(server.env, keyOf)
  if (isRefusal(given)) return given
  const args = fillIn(server.args, keyOf)
  if (isRefusal(args)) return args
  const path = given['PATH'] ?? (await loginPath())
  const program = await findProgram(server.command, path)
  if (typeof program !== 'string') return program
  const rights = await commands.rights()
  if (rights.refusal !== undefined) return { refused: rights.refusal }
  if (rights.offline && downloadsItself(server))
    return { refused: `${server.command} downloads the program when it starts, and offline mode is on.` }
  if (!rights.confined) {
    if (rights.offline)
      return {
        refused: `It cannot be confined here, and offline mode is on, so it is not started: ${rights.whyNot}`,
      }
    const env = { ...cleanEnvironment(), PATH: path, ...given }
    return { program, args: Object.values(args), cwd: folder, env, mark, isConfined: false }
  }
  const network = server.network && !rights.offline
  const start = await commands.confine(
    [program, ...Object.values(args)],
    { profile: 'work', network, gitConfig: false },
    { folder, cwd: folder, sessionId: `mcp-${name}` },
  )
  if (isRefusal(start)) return start
  return {
    program: start.program,
    args: start.args,
    cwd: folder,
    env: { ...start.env, PATH: path, ...given },
    mark,
    isConfined: true,
  }
}

/** Where its own folder is: not the chat's, so that no chat reaches another by way of a server. */
function workFolder(name: string, { cwd }: LocalMcpServer, home: string): string | Refusal {
  const folder = cwd ?? join(home, 'connections', name)
  try {
    if (cwd === undefined) mkdirSync(folder, { recursive: true, mode: 0o700 })
    return realpathSync(folder)
  } catch (error) {
    return { refused: `Its folder ${folder} cannot be used (${fileErrorCode(error)}).` }
  }
}

/** Replace each `${NAME}` by the key of that name. */
export function fillIn(
  texts: Readonly<Record<string, string>> | readonly string[],
  keyOf: (name: string) => string | undefined,
): Record<string, string> | Refusal {
  const filled: Record<string, string> = {}
  for (const [key, text] of Object.entries(texts)) {
    let missing: string | undefined
    filled[key] = text.replaceAll(/\$\{(\w+)\}/g, (_all, name: string) => {
      const value = keyOf(name)
      if (value === undefined) missing ??= name
      return value ?? ''
    })
    if (missing !== undefined) return { refused: `It needs the key ${missing}, which is not stored.` }
  }
  return filled
}

async function findProgram(command: string, path: string): Promise<string | Refusal> {
  if (isAbsolute(command)) return command
  if (/[/\\]/.test(command)) return { refused: `The program ${command} has to be a name or a whole path.` }
  const names =
    process.platform === 'win32' ? ['.exe', '.cmd', '.bat', ''].map(end => command + end) : [command]
  for (const name of names) {
    const found = findOnPath(name, path)
    if (found !== undefined) return found
  }
  const places = path.split(delimiter).filter(place => place !== '')
  return { refused: `The program ${command} was not found. Searched: ${places.join(', ')}.` }
}

const LOGIN_SHELL_MS = 3_000
const BETWEEN = '--talaria-path--'

/**
 * A function that reads the PATH of the login shell once. An app that was started from a desktop does not have what
 * nvm, Homebrew and others add to it.
 */
export function createLoginPath(
  shell = process.env['SHELL'],
  own = process.env['PATH'] ?? '',
): () => Promise<string> {
  let reading: Promise<string> | undefined
  return () => (reading ??= read())

  async function read(): Promise<string> {
    if (shell === undefined || process.platform === 'win32') return own
    const found = await new Promise<string>(resolve => {
      const script = `printf '%s' '${BETWEEN}'; printenv PATH; printf '%s' '${BETWEEN}'`
      const options = { timeout: LOGIN_SHELL_MS, killSignal: 'SIGKILL', env: cleanEnvironment() } as const
      const child = execFile(shell, ['-ilc', script], options, (_error, stdout) => resolve(stdout))
      child.stdin?.end()
    })
    const path = found.split(BETWEEN)[1]?.trim()
    if (path === undefined || path === '') return own
    return [...new Set([...path.split(delimiter), ...own.split(delimiter)])].join(delimiter)
  }
}
