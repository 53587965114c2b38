import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { accessSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path'
import type { LocalMcpServer } from '../../shared/contract/mcp.ts'
import { cleanEnvironment } from '../confinement/command-environment.ts'
import type { ConfinedStart } from '../confinement/open-confinement.ts'
import type { CommandConfinement } from '../confinement/sandbox-setting.ts'
import { fileErrorCode, isRefusal, reasonOf, type Refusal } from '../lib/expected-errors.ts'
import { withinTime } from '../lib/timing.ts'
import { endFamily, MARK } from '../processes/end-family.ts'
import type { GivenPlaces } from '../confinement/profile.ts'
import { namedPlaces } from './named-places.ts'
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
  server: LocalMcpServer,
  mark: string,
  { home, commands, keyOf, loginPath }: StartParts,
): Promise<ProgramStart | Refusal> {
  const folder = workFolder(server, home)
  if (typeof folder !== 'string') return folder
  const secrets: string[] = []
  function use(key: string): string | undefined {
    const value = keyOf(key)
    if (value !== undefined && value !== '') secrets.push(value)
    return value
  }
  const given = fillIn(server.env, use)
  if (isRefusal(given)) return given
  const args = fillIn(server.args, use)
  if (isRefusal(args)) return args
  const path = given['PATH'] ?? (await loginPath())
  const program = findProgram(server.command, path)
  if (typeof program !== 'string') return program
  const rights = await commands.rights()
  if (rights.refusal !== undefined) return { refused: rights.refusal }
  if (rights.offline && downloadsItself(server))
    return { refused: `${server.command} downloads the program when it starts, and the offline lock is on.` }
  const start = { program, args: Object.values(args), cwd: folder, mark, secrets }
  if (!rights.confined)
    return rights.offline
      ? {
          refused: `It cannot be confined here, and the offline lock is on, so it is not started. ${rights.whyNot}`,
        }
      : { ...start, env: { ...cleanEnvironment(), PATH: path, ...given } }
  const network = server.network && !rights.offline
  const confined = await confine(commands, [program, ...start.args], {
    name: server.name,
    folder,
    given: namedPlaces(server, home),
    network,
  })
  if (isRefusal(confined)) return confined
  return {
    ...start,
    program: confined.program,
    args: confined.args,
    env: { ...confined.env, PATH: path, ...given },
    confined,
  }
}

/** Its places in the home folder may be impossible to make. */
async function confine(
  commands: CommandConfinement,
  words: readonly string[],
  { name, folder, given, network }: { name: string; folder: string; given: GivenPlaces; network: boolean },
): Promise<ConfinedStart | Refusal> {
  try {
    return await commands.confine(
      words,
      { profile: 'work', network, gitConfig: false },
      { folder, cwd: folder, given, sessionId: `mcp-${name}` },
    )
  } catch (error) {
    return { refused: `It cannot be confined: ${reasonOf(fileErrorCode(error))}.` }
  }
}

/** Where its own folder is: not the chat's, so that no chat reaches another by way of a server. */
function workFolder({ name, cwd }: LocalMcpServer, home: string): string | Refusal {
  const folder = cwd ?? join(home, 'connections', name)
  try {
    if (cwd === undefined) mkdirSync(folder, { recursive: true, mode: 0o700 })
    return realpathSync(folder)
  } catch (error) {
    return { refused: `Its folder ${folder} cannot be used: ${reasonOf(fileErrorCode(error))}.` }
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

/** The path of a program, or where it was looked for. */
function findProgram(command: string, path: string): string | Refusal {
  const ends = process.platform === 'win32' ? ['.exe', '.cmd', '.bat', ''] : ['']
  const isPath = isAbsolute(command)
  if (!isPath && /[/\\]/.test(command))
    return { refused: `The program ${command} has to be a name or a whole path.` }
  const places = isPath ? [dirname(command)] : path.split(delimiter).filter(place => isAbsolute(place))
  const files = places.flatMap(place => ends.map(end => join(place, basename(command) + end)))
  const found = files.find(file => whyNoProgram(file) === undefined)
  if (found !== undefined) return found
  const locked = files.find(file => whyNoProgram(file) !== 'ENOENT')
  return locked === undefined
    ? { refused: `The program ${command} was not found. Searched: ${places.join(', ')}.` }
    : { refused: `${locked} is not a program that can be started.` }
}

function whyNoProgram(file: string): string | undefined {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isDirectory() ? 'EISDIR' : undefined
  } catch (error) {
    const code = fileErrorCode(error)
    return code === 'ENOTDIR' ? 'ENOENT' : code
  }
}

const LOGIN_SHELL_MS = 3_000
const LONGEST_PATH = 100_000
const BETWEEN = '--talaria-path--'
const PRINT_PATH = `printf '%s' '${BETWEEN}'; printenv PATH; printf '%s' '${BETWEEN}'`

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
    if (shell === undefined || shell === '' || process.platform === 'win32') return own
    const [, path = ''] = (await printedBy(shell)).split(BETWEEN)
    const places = path.trim().split(delimiter).filter(isAbsolute)
    return [...new Set([...places, ...own.split(delimiter)])].join(delimiter)
  }
}

/**
 * What the login shell prints within its time. It runs in a separate session, because an interactive shell takes the terminal
 * of the host, and ends with all that its startup files began.
 */
async function printedBy(shell: string): Promise<string> {
  const mark = randomUUID()
  const child = spawn(shell, ['-ilc', PRINT_PATH], {
    env: { ...cleanEnvironment(), [MARK]: mark },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (printed.length < LONGEST_PATH) printed += text
  })
  const closed = new Promise<void>(resolve => {
    child.once('error', () => resolve())
    child.once('close', () => resolve())
  })
  await withinTime(LOGIN_SHELL_MS, closed)
  child.stdout.destroy()
  if (child.pid !== undefined) void endFamily({ leader: child.pid, mark, spareLeader: false })
  return printed
}
