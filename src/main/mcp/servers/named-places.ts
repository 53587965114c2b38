import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { LocalMcpServer } from '../../../shared/contract/connections/mcp.ts'
import { isWithin, type GivenPlaces } from '../../confinement/profile.ts'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import {
  isAmongSettings,
  isInFolder,
  isOrdinary,
  lookAround,
  resolvePlace,
  shortPlace,
  whyNoPlace,
  whyNoProject,
  type Around,
} from './judge-places.ts'

/** Programs that run code from a file named by an argument. */
const RUNNERS = /^(?:node|nodejs|bun|deno|python[\d.]*|ruby|perl|php|sh|bash|zsh|java)$/i
const CODE = /\.(?:[cm]?[jt]s|py|rb|pl|php|sh|jar)$/i

/** Variables of every program, which are neither secrets nor places to give access to. */
export const PLAIN_VARIABLE = /^(?:HOME|PWD|PATH|USER|LOGNAME|SHELL|LANG|LC_\w+|TMPDIR|TERM|TZ)$/
/** Variables that decide which code a program runs. The user agrees to their values. */
export const CODE_VARIABLE =
  /^(?:PATH|NODE_(?:OPTIONS|PATH)|LD_\w+|DYLD_\w+|PYTHON(?:PATH|STARTUP|HOME)|PERL5(?:LIB|OPT)|RUBY(?:LIB|OPT)|BASH_ENV|ENV|(?:\w+_)?JAVA_OPTIONS|JAVA_TOOL_OPTIONS|CLASSPATH)$/i

/** The last part of a command, without the extension of a Windows program. */
export const programOf = (command: string): string =>
  command.replace(/^.*[/\\]/, '').replace(/\.(?:exe|cmd|bat)$/i, '')

/** The code files that a command names: a program by its whole path, and the scripts of interpreters. */
export function namedCode({ command, args, cwd = '/' }: LocalMcpServer): string[] {
  const scripts = RUNNERS.test(programOf(command)) ? args.filter(arg => CODE.test(arg)) : []
  return [...(isAbsolute(command) ? [command] : []), ...scripts].map(path => resolve(cwd, path))
}

/** A server with its variables filled in, and the folder of the project if that names it. */
type Named = LocalMcpServer & { project?: string | undefined }

/** Places that a server gets besides its own folder. `notes` and `words` are texts for the user. */
export type ServerPlaces = GivenPlaces & {
  /** The places where the server may write, as the user agreed to them. */
  words: string[]
  /** Places that the entry names but the server does not get, in sentences. */
  notes: string[]
}

/**
 * Decide which places a server gets from its command, with variables filled in, or why it is not started. It
 * may read the code that it names, write in the folders that arguments and variables name, and write to named
 * files. A user's entry also gets the folder of such a file, unless programs keep settings there; a project's
 * entry does not. Home folders, Talaria's own and hidden places are never given, and a project's entry that
 * names one is refused. `root` is the folder of the chat that uses the server.
 */
export function judgePlaces(
  server: Named,
  home: string,
  root?: string,
  userHome = homedir(),
): ServerPlaces | Refusal {
  const around = lookAround({ home, userHome })
  const folder = judgeFolder(server, around)
  if (isRefusal(folder)) return folder
  const code = judgeCode(server, around)
  if (isRefusal(code)) return code
  const named = judgeNamed(server, around)
  if (isRefusal(named)) return named
  const roots = root !== undefined && existsSync(root) ? [realpathSync(root)] : []
  const given = roots.filter(path => whyNoProject(path, around) === undefined && !isTemporary(path))
  const places = named.writable.map(path => shortPlace(path, around))
  return {
    readable: [...code, ...named.readable].filter(path => !isWithin(around.home, path)),
    writable: [...new Set([...named.writable, ...given])],
    words: [...new Set([...folder, ...places])],
    notes: named.notes,
  }
}

const isTemporary = (path: string) => ['/tmp', '/var/tmp'].includes(path)

/** The private folder of a server, used if it names no other. */
export const ownFolder = (name: string, home: string): string => join(home, 'connections', name)

/** The working folder in words if the user chose it; empty for its private folder or a project's. */
function judgeFolder({ name, cwd, project }: Named, around: Around): string[] | Refusal {
  const own = ownFolder(name, around.home)
  const { path } = resolvePlace(cwd ?? own)
  if (isInFolder(own, path)) return []
  const short = shortPlace(path, around)
  if (project === undefined) {
    const verdict = whyNoPlace(path, around)
    return verdict
      ? {
          refused: `Its folder ${short} is ${verdict.why}. No server may write there: choose another folder.`,
        }
      : [short]
  }
  const inside = resolvePlace(project).path
  const why = whyNoProject(inside, around)
  if (why !== undefined) return { refused: `The folder is ${why}. No server may write there.` }
  return isInFolder(inside, path)
    ? []
    : { refused: `Its folder ${short} is not inside the folder whose .mcp.json names it.` }
}

/** The code that it may read. A project's server runs nothing from private places. */
function judgeCode(server: Named, around: Around): string[] | Refusal {
  const read: string[] = []
  for (const given of namedCode(server).filter(existsSync)) {
    const { path } = resolvePlace(given)
    if (isOwn(path, server, around)) {
      read.push(packageOf(path))
      continue
    }
    const verdict = whyNoPlace(path, around)
    if (verdict?.isGrave && server.project !== undefined) return refusedBy(path, verdict.why, around)
    const all = packageOf(path)
    read.push(whyNoPlace(all, around)?.isGrave ? path : all)
  }
  return read
}

type Judged = { readable: string[]; writable: string[]; notes: string[] }

function judgeNamed(server: Named, around: Around): Judged | Refusal {
  const judged: Judged = { readable: [], writable: [], notes: [] }
  const code = namedCode(server)
  for (const text of namedTexts(server, around)) {
    if (code.includes(text)) continue
    const { path, kind } = resolvePlace(text)
    if (kind === 'file') judged.readable.push(path)
    if (isOwn(path, server, around)) continue
    const verdict = whyNoPlace(path, around)
    if (verdict) {
      if (server.project !== undefined && verdict.isGrave) return refusedBy(path, verdict.why, around)
      if (verdict.isGrave)
        judged.notes.push(`It may not write in ${shortPlace(path, around)}: that is ${verdict.why}.`)
    } else if (server.project !== undefined && kind !== 'missing' && isAmongSettings(path, around))
      judged.notes.push(
        `It may not write in ${shortPlace(path, around)}: programs keep their settings there, and the server comes from a folder’s .mcp.json.`,
      )
    else if (kind === 'folder') judged.writable.push(path)
    else if (kind !== 'other') judged.writable.push(...besides(path, kind, server, around))
  }
  return judged
}

/** The place given with a file: its folder, or only the file. A missing file cannot be given alone. */
function besides(path: string, kind: 'file' | 'missing', { project }: Named, around: Around): string[] {
  const folder = dirname(path)
  if (project === undefined && resolvePlace(folder).kind === 'folder' && isOrdinary(folder, around))
    return [folder]
  return kind === 'file' ? [path] : []
}

/** Whether the server may write there anyway: in its private folder, or in the project that names it. */
function isOwn(path: string, { name, project }: Named, around: Around): boolean {
  if (isInFolder(ownFolder(name, around.home), path)) return true
  return project !== undefined && isInFolder(resolvePlace(project).path, path)
}

const refusedBy = (path: string, why: string, around: Around): Refusal => ({
  refused: `It names ${shortPlace(path, around)}: that is ${why}. Servers from a folder’s .mcp.json never get such a place.`,
})

/** Absolute paths in arguments, option values after `=`, and values of variables. */
function namedTexts({ args, env }: Named, { userHome }: Around): string[] {
  const isPlain = (name: string) => PLAIN_VARIABLE.test(name) || CODE_VARIABLE.test(name)
  const values = Object.entries(env).flatMap(([name, value]) => (isPlain(name) ? [] : [value]))
  return [...args.map(arg => arg.replace(/^--?[\w-]+=/, '')), ...values]
    .map(text => text.replace(/^~(?=\/|$)/, userHome))
    .filter(text => isAbsolute(text) && !text.includes('\0'))
}

/** The folder to show for a file: its outermost package, else its own folder, else only the file. */
function packageOf(file: string): string {
  const shared = new Set(['/tmp', '/var/tmp', '/home', '/', homedir()])
  const folders: string[] = []
  for (let at = dirname(realpathSync(file)); !shared.has(at) && at !== dirname(at); at = dirname(at))
    folders.push(at)
  const isPackage = (folder: string) =>
    ['package.json', 'node_modules', 'pyproject.toml'].some(name => existsSync(join(folder, name)))
  return folders.findLast(isPackage) ?? folders[0] ?? file
}
