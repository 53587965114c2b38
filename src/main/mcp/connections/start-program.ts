import { spawn } from 'node:child_process'
import { accessSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path'
import { VARIABLE } from '../../../shared/contract/connections/mcp.ts'
import { cleanEnvironment } from '../../confinement/command-environment.ts'
import type { ConfinedStart } from '../../confinement/open-confinement.ts'
import type { CommandConfinement } from '../../confinement/sandbox-setting.ts'
import { fileErrorCode, isRefusal, reasonOf, type Refusal } from '../../lib/expected-errors.ts'
import { hashOf } from '../../lib/shown-hash.ts'
import type { GivenPlaces } from '../../confinement/profile.ts'
import { secretValues } from '../servers/added-servers.ts'
import { judgePlaces, ownFolder } from '../servers/named-places.ts'
import { downloadsItself, type KnownLocal } from '../servers/known-servers.ts'
import type { ProgramStart } from '../transport/stdio-transport.ts'

/** The dependencies for starting the program of a server. */
export type StartParts = {
  /** Talaria's home folder. */
  home: string
  commands: CommandConfinement
  /** The value of a key in the vault. */
  keyOf(name: string): string | undefined
  /** The PATH of the user's login shell, or of this process if there is none. */
  loginPath(): Promise<string>
  /** The default is this platform. */
  platform?: NodeJS.Platform
}

/**
 * Prepare the start of a server's program, confined if possible. Its environment has no secrets except those
 * it was given. It may write to `root`, the folder of the chat that uses it, with the same rights as the
 * commands of that chat.
 */
export async function prepareStart(
  entry: KnownLocal,
  { mark, root }: { mark: string; root?: string | undefined },
  { home, commands, keyOf, loginPath, platform = process.platform }: StartParts,
): Promise<ProgramStart | Refusal> {
  const server = fillEntry(entry, keyOf)
  if (isRefusal(server)) return server
  const folder = workFolder(server, home)
  if (typeof folder !== 'string') return folder
  // Judged at each start, because a link may lead elsewhere by now.
  const places = judgePlaces({ ...server, cwd: folder }, home, root)
  if (isRefusal(places)) return places
  const { command, cwd } = server
  const secrets = secretValues({ ...entry, command, ...(cwd !== undefined && { cwd }) }, keyOf)
  const given = platform === 'win32' ? withOnePath(server.env) : server.env
  const path = given['PATH'] ?? (await loginPath())
  const program = findProgram(server.command, path, platform)
  if (typeof program !== 'string') return program
  const rights = await commands.rights()
  if (rights.refusal !== undefined) return { refused: rights.refusal }
  if (rights.offline && downloadsItself(server))
    return { refused: `${server.command} downloads the program when it starts, and the offline lock is on.` }
  const how = { mark, secrets, spawn: await spawnOn(platform) }
  const written = [folder, ...(root === undefined ? [] : [root])]
  const start = { program, args: server.args, cwd: folder, written, ...how }
  if (!rights.confined)
    return rights.offline
      ? {
          refused: `It cannot be confined here, and the offline lock is on, so it is not started. ${rights.whyNot}`,
        }
      : { ...start, env: { ...serverEnvironment(cleanEnvironment()), PATH: path, ...given } }
  const network = server.network && !rights.offline
  const confined = await confine(commands, [program, ...start.args], {
    // Each root has its own `/tmp`.
    sessionId: `mcp-${server.name}${root === undefined ? '' : `-${hashOf(root).slice(0, 8)}`}`,
    folder,
    given: places,
    network,
  })
  if (isRefusal(confined)) return confined
  return {
    ...start,
    program: confined.program,
    args: confined.args,
    env: { ...serverEnvironment(confined.env), PATH: path, ...given },
    confined,
    written: [folder, ...places.writable],
  }
}

/** Keep only one spelling of PATH. Windows calls it `Path` and ignores case, but a child gets only one. */
const withOnePath = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name.toUpperCase() === 'PATH' ? 'PATH' : name, value]),
  )

/**
 * Choose how to spawn. On Windows, `npx` and similar are scripts, which Node starts only through `cmd`:
 * cross-spawn does this, with proper quoting.
 */
const spawnOn = async (platform: NodeJS.Platform): Promise<NonNullable<ProgramStart['spawn']>> =>
  platform === 'win32' ? (await import('cross-spawn')).default : spawn

type ConfinedPlaces = { sessionId: string; folder: string; given: GivenPlaces; network: boolean }

/** Confine a program. Creating its folders in the home may fail. */
async function confine(
  commands: CommandConfinement,
  words: readonly string[],
  { sessionId, folder, given, network }: ConfinedPlaces,
): Promise<ConfinedStart | Refusal> {
  try {
    return await commands.confine(
      words,
      { profile: 'work', network, obeyed: 'nothing' },
      { folder, cwd: folder, given, sessionId },
    )
  } catch (error) {
    return { refused: `It cannot be confined: ${reasonOf(fileErrorCode(error))}.` }
  }
}

/** The working folder of a server: never the chat's, so that no chat reaches another through it. */
function workFolder({ name, cwd }: KnownLocal, home: string): string | Refusal {
  const folder = cwd ?? ownFolder(name, home)
  if (!isAbsolute(folder)) return { refused: `Its folder ${folder} is no whole path.` }
  try {
    if (cwd === undefined) mkdirSync(folder, { recursive: true, mode: 0o700 })
    return realpathSync(folder)
  } catch (error) {
    return { refused: `Its folder ${folder} cannot be used: ${reasonOf(fileErrorCode(error))}.` }
  }
}

/** Fill in a server's variables and `~` in its folder, or name a missing key. Arguments keep their `~`. */
export function fillEntry(
  entry: KnownLocal,
  keyOf: (name: string) => string | undefined,
): KnownLocal | Refusal {
  const { command, cwd } = entry
  const words = fillIn({ command, ...(cwd !== undefined && { cwd }) }, keyOf)
  if (isRefusal(words)) return words
  const env = fillIn(entry.env, keyOf)
  if (isRefusal(env)) return env
  const args = fillIn(entry.args, keyOf)
  if (isRefusal(args)) return args
  const folder = words['cwd']?.replace(/^~(?=[/\\]|$)/, homedir())
  return { ...entry, ...words, ...(folder !== undefined && { cwd: folder }), env, args: Object.values(args) }
}

/** Replace each `${NAME}` by the key of that name, and `${NAME:-text}` by the text if there is no key. */
export function fillIn(
  texts: Readonly<Record<string, string>> | readonly string[],
  keyOf: (name: string) => string | undefined,
): Record<string, string> | Refusal {
  const filled: Record<string, string> = {}
  for (const [key, text] of Object.entries(texts)) {
    let missing: string | undefined
    filled[key] = text.replaceAll(VARIABLE, (_all, name: string, otherwise: string | undefined) => {
      const value = keyOf(name) ?? otherwise
      if (value === undefined) missing ??= name
      return value ?? ''
    })
    if (missing !== undefined) return { refused: `It needs the key ${missing}, which is not stored.` }
  }
  return filled
}

/** Find the path of a program, or say where it was searched. */
function findProgram(command: string, path: string, platform: NodeJS.Platform): string | Refusal {
  const ends = platform === 'win32' ? ['.exe', '.cmd', '.bat', ''] : ['']
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

/**
 * Variables of this process that every server gets: what programs need on any system, and for the network.
 * Others must be in its entry, where `${NAME}` passes one on. A variable with a harmless name may still hold
 * a key.
 */
const NEEDED =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TMP|TEMP|PWD|(?:https?|all|no)_proxy|SSL_CERT_(?:FILE|DIR)|NODE_EXTRA_CA_CERTS|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|XDG_(?:CONFIG|DATA|CACHE|STATE)_HOME|JAVA_HOME|DOTNET_ROOT|NVM_DIR|VOLTA_HOME|PYENV_ROOT|ASDF_DIR|RUSTUP_HOME|GOROOT|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|OS|PROCESSOR_ARCHITECTURE|NUMBER_OF_PROCESSORS|USERPROFILE|USERNAME|USERDOMAIN|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA|ALLUSERSPROFILE|PUBLIC|PROGRAMFILES(?:\(X86\))?|PROGRAMW6432|COMMONPROGRAMFILES(?:\(X86\))?)$/i

/**
 * The part of an environment that a server gets: what programs need, and what Talaria has set.
 * @internal
 */
export const serverEnvironment = (
  prepared: NodeJS.ProcessEnv,
  ours: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(prepared).filter(([name, value]) => NEEDED.test(name) || value !== ours[name]),
  )
