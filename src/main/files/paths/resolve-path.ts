import { lstat, readdir, readlink, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileErrorCode, reasonOf, isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { credentialReason, isCredential } from './credential-paths.ts'
import { nearestNames } from '../../lib/words/similarity.ts'
import { guessPath, type Lines, type Wanted } from './guess-path.ts'
import { isOnAnotherComputer, pathProblem, plainPath, type PlainPath } from './plain-path.ts'
import { existsAt, findSameLook } from './same-look.ts'

/** The folders that paths are checked against. */
export type Where = { workspace: string; home: string }

/**
 * A resolved path: absolute, with every link followed. `kind` is `missing` if nothing exists there. `given`
 * is the path for messages, without surrounding characters. `lines` are the line numbers in it. `isOnly`: it
 * was just a name, which only one file has.
 */
export type Target = {
  path: string
  inWorkspace: boolean
  kind: 'file' | 'folder' | 'missing'
  given: string
  lines?: Lines
  isOnly?: true
}

/**
 * How to resolve a path. `forWrite`: for writing. `guess`: if the path does not exist, use its only possible
 * meaning of this kind; for reading only. `exact`: it comes from the disk, so it is not interpreted.
 */
export type PathOptions = { forWrite?: boolean; guess?: Wanted; exact?: true }

const MOST_LINKS = 40
const LONGEST_PATH = 4_096
/** Talaria's own files in its home folder. */
const OWN =
  /^(config\.yaml|\.env|keys\.json|page-entry[^/\\]*|permissions\.json|host\.sock|state\.db|backups|window|[^/\\]*\.lock)([-./\\~]|$)/i
/** Kernel files: some never end, and `environ` contains the keys of programs. */
const KERNEL = /^\/(proc|sys|dev)(\/|$)/

/**
 * Resolve a path and check whether a tool may access it. Writing is limited to the workspace. Reading
 * elsewhere needs approval, so the target is only marked. Credentials and Talaria's own files are always
 * refused. The meaning of the text is settled first, so that the checks, the card and the tool all see the
 * same file.
 */
export async function resolveTarget(
  where: Where,
  text: string,
  options: PathOptions = {},
): Promise<Target | Refusal> {
  if (text.trim() === '') return { refused: 'The path is empty.' }
  if (text.includes('\0')) return { refused: 'The path contains a null character.' }
  if (text.length > LONGEST_PATH) return { refused: 'The path is too long.' }
  const given = plainPath(text).text
  try {
    // Do not recreate a missing workspace: its drive may be unplugged, and new files would be hidden or lost.
    if (isInside(where.workspace, absolute(where, given)) && !(await existsAt(where.workspace)))
      return { refused: goneFolderReason(where.workspace) }
    const meant = await meantBy(where, text, options)
    if (isRefusal(meant)) return meant
    const path = await follow(meant.path)
    const inside = isInside(where.workspace, path)
    const refused = await closed(where, path, inside, options.forWrite ?? false)
    if (refused !== undefined) return { refused }
    const inWorkspace = inside || isInside(await follow(join(where.home, 'cache', 'outputs')), path)
    const target = await look(path, inWorkspace, meant.given)
    if (isRefusal(target)) return target
    const { lines, isOnly } = meant
    return { ...target, ...(lines && { lines }), ...(isOnly && { isOnly }) }
  } catch (error) {
    const code = fileErrorCode(error)
    if (code === 'ELOOP') return { refused: `${given} is a link that leads in a circle.` }
    if (code === 'ENAMETOOLONG') return { refused: 'The path is too long.' }
    return { refused: `${given} cannot be opened: ${reasonOf(code)}.` }
  }
}

type Meant = { path: string; given: string; lines?: Lines; isOnly?: true }

/** Find the absolute path that a text means, without following links or checking access. */
async function meantBy(where: Where, text: string, { guess, exact }: PathOptions): Promise<Meant | Refusal> {
  if (isOnAnotherComputer(text) && !isInside(where.workspace, resolve(text)))
    return { refused: pathProblem({ text })! }
  const literal = { path: absolute(where, text), given: text }
  if (exact || (await existsAt(literal.path))) return literal
  const plain = await withoutHost(where, plainPath(text))
  const problem = pathProblem(plain)
  if (problem === undefined) {
    const path = await findSameLook(await plainOf(where, text, plain.text))
    if (isRefusal(path)) return path
    if (!guess || (await existsAt(path))) return { path, given: plain.text }
    const guessed = await guessPath(where.workspace, plain.text, guess)
    if (isRefusal(guessed)) return guessed
    return { path, ...guessed, given: plain.text }
  }
  const guessed = guess && plain.text !== '' ? await guessPath(where.workspace, plain.text, guess) : undefined
  return guessed && !isRefusal(guessed) ? { ...guessed, given: plain.text } : { refused: problem }
}

/** In `file://src/a.ts`, `src` is a computer. Read it as a folder if it exists, or if nothing follows. */
async function withoutHost(where: Where, { text, host }: PlainPath): Promise<PlainPath> {
  if (host === undefined) return { text }
  const isFolder = /^(\.{1,2}|~)$/.test(host) || text === '' || text === '/'
  if (isFolder || (await existsAt(absolute(where, host)))) return { text: host + text }
  return { text, host }
}

/**
 * Return the absolute path of a plain text. If a folder exists whose name has the removed characters at its
 * beginning, as in `"a/b.md`, keep them.
 */
async function plainOf(where: Where, text: string, plain: string): Promise<string> {
  const path = absolute(where, plain)
  const first = text.slice(0, Math.max(0, text.indexOf('/')))
  if (first === '' || plain.startsWith(first) || (await existsAt(path))) return path
  const isFolder = await existsAt(join(where.workspace, first))
  return isFolder ? join(dirname(absolute(where, text)), basename(path)) : path
}

const absolute = ({ workspace }: Where, text: string) =>
  resolve(workspace, text.replace(/^~(?=$|[/\\])/, homedir()))

/** The resolved path of each approval request. `input` is the same arguments object in intent and run. */
const asked = new WeakMap<object, string>()

/** Like `resolveTarget`, for `intent`: `resolveAgain` will require the same path. */
export async function resolveFirst(
  input: object,
  where: Where,
  given: string,
  options?: PathOptions,
): Promise<Target | Refusal> {
  const target = await resolveTarget(where, given, options)
  if (!isRefusal(target)) asked.set(input, target.path)
  return target
}

/** Like `resolveTarget`, for `run`: refuses a link that was created or moved after the approval. */
export async function resolveAgain(
  input: object,
  where: Where,
  given: string,
  options?: PathOptions,
): Promise<Target | Refusal> {
  const target = await resolveTarget(where, given, options)
  const before = asked.get(input)
  if (isRefusal(target) || before === undefined || before === target.path) return target
  return { refused: `${target.given} leads to another place than a moment ago. Look at it again first.` }
}

/** The reason why nothing is done in a missing folder of a chat, and what to do. */
export const goneFolderReason = (workspace: string): string =>
  `The folder of this chat, ${shownFolder(workspace)}, is not there any more. Bring it back (a drive may be away), or choose another folder for the chat.`

/** Format a path for display: relative in the workspace, with `~` in the user's home, else absolute. */
export function shownPath(where: Pick<Where, 'workspace'>, path: string): string {
  if (isInside(where.workspace, path)) return relative(where.workspace, path).split(sep).join('/') || '.'
  return shownFolder(path)
}

/** Format a path for the heading of a result. It notes if only the name was given. */
export function shownTarget(where: Pick<Where, 'workspace'>, { path, isOnly }: Target): string {
  const shown = shownPath(where, path)
  return isOnly && shown.includes('/') ? `${shown} (the only ${basename(path)} below the folder)` : shown
}

/** Format an absolute path with `~` for the user's home. */
export const shownFolder = (path: string): string =>
  isInside(homedir(), path) ? join('~', relative(homedir(), path)) : path

/** Whether a path is this folder or below it. Both are absolute. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/**
 * The reason why nothing can be read at a path, with similar names. Outside the workspace it lists no names,
 * because the user has not yet approved reading there.
 */
export async function missingReason(where: Where, text: string, path: string): Promise<string> {
  const given = plainPath(text).text
  if (!isInside(where.workspace, path)) return `${given} does not exist.`
  try {
    const names = await readdir(dirname(path))
    const near = nearestNames(basename(path), names, 0.5).slice(0, 3)
    const hint = near.length > 0 ? `Near it: ${near.join(', ')}.` : 'List the folder to see what does.'
    return `${given} does not exist. ${hint}`
  } catch (error) {
    fileErrorCode(error)
    return `${given} does not exist, and neither does its folder ${shownPath(where, dirname(path))}.`
  }
}

/** Find the real path of a file that may not exist. Links are followed, even broken ones. */
async function follow(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const code = fileErrorCode(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  }
  if (dirname(path) === path) return path
  const parent = await follow(dirname(path), links)
  const link = await linkAt(path)
  if (link === undefined) return join(parent, basename(path))
  if (links >= MOST_LINKS) throw Object.assign(new Error('too many links'), { code: 'ELOOP' })
  return follow(resolve(parent, link), links + 1)
}

async function linkAt(path: string): Promise<string | undefined> {
  try {
    return await readlink(path)
  } catch (error) {
    const code = fileErrorCode(error)
    // The path is missing or not a link.
    if (code === 'ENOENT' || code === 'EINVAL' || code === 'ENOTDIR' || code === 'UNKNOWN') return undefined
    throw error
  }
}

/** The reason why a real path is forbidden even with approval; undefined if it is not. */
async function closed(
  { workspace, home }: Where,
  path: string,
  inside: boolean,
  forWrite: boolean,
): Promise<string | undefined> {
  if (isCredential(path)) return credentialReason(path)
  const own = await follow(home)
  if (isInside(own, path) && !isInside(join(own, 'workspace'), path)) {
    const ownFile = OWN.test(relative(own, path))
    if (ownFile) return `${basename(path)} belongs to Talaria itself, so tools never open it.`
    if (forWrite && !isInside(own, workspace)) return 'Tools do not write into Talaria’s own folder.'
  }
  if (KERNEL.test(path) && !inside) return `${path} is a view into the system, not a file.`
  if (forWrite && !inside) {
    return `${path} is outside the folder of this chat (${shownFolder(workspace)}); files are only written inside it.`
  }
  return undefined
}

async function look(path: string, inWorkspace: boolean, given: string): Promise<Target | Refusal> {
  try {
    const stats = await lstat(path)
    if (stats.isFile()) return { path, inWorkspace, kind: 'file', given }
    if (stats.isDirectory()) return { path, inWorkspace, kind: 'folder', given }
    const what = stats.isFIFO() ? 'a pipe' : stats.isSocket() ? 'a socket' : 'a device'
    return { refused: `${given} is ${what}, not a file.` }
  } catch (error) {
    const code = fileErrorCode(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
    return { path, inWorkspace, kind: 'missing', given }
  }
}
