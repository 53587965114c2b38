import { lstat, readdir, readlink, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileErrorCode, reasonOf, isRefusal, type Refusal } from '../lib/expected-errors.ts'
import { credentialReason, isCredential } from './credential-paths.ts'
import { nearestNames } from '../lib/similarity.ts'
import type { ToolContext } from './tool.ts'

/** The folders that paths are checked against. */
export type Where = Pick<ToolContext, 'workspace' | 'home'>

/** A resolved path: absolute, with every link followed. `kind` is `missing` when nothing exists there. */
export type Target = { path: string; inWorkspace: boolean; kind: 'file' | 'folder' | 'missing' }

const MOST_LINKS = 40
const LONGEST_PATH = 4_096
/** Talaria's own files, in its home folder. */
const OWN =
  /^(config\.yaml|\.env|keys\.json|permissions\.json|host\.sock|state\.db|backups|window|[^/\\]*\.lock)([-./\\~]|$)/i
/** Kernel files: some never end, and `environ` holds the keys of programs. */
const KERNEL = /^\/(proc|sys|dev)(\/|$)/

/**
 * Resolve a path and check whether a tool may access it. Writing is limited to the workspace. Reading
 * elsewhere needs approval, so it is only marked. Credentials and Talaria's own files are always refused.
 */
export async function resolveTarget(
  where: Where,
  given: string,
  { forWrite = false }: { forWrite?: boolean } = {},
): Promise<Target | Refusal> {
  if (given.trim() === '') return { refused: 'The path is empty.' }
  if (given.includes('\0')) return { refused: 'The path contains a null character.' }
  if (given.length > LONGEST_PATH) return { refused: 'The path is too long.' }
  const wanted = resolve(where.workspace, given.replace(/^~(?=$|[/\\])/, homedir()))
  try {
    const path = await follow(wanted)
    const inside = isInside(where.workspace, path)
    const refused = await closed(where, path, inside, forWrite)
    if (refused !== undefined) return { refused }
    const inWorkspace = inside || isInside(await follow(join(where.home, 'cache', 'outputs')), path)
    return await look(path, inWorkspace, given)
  } catch (error) {
    const code = fileErrorCode(error)
    if (code === 'ELOOP') return { refused: `${given} is a link that leads in a circle.` }
    if (code === 'ENAMETOOLONG') return { refused: 'The path is too long.' }
    return { refused: `${given} cannot be opened: ${reasonOf(code)}.` }
  }
}

/**
 * The resolved path of each approval request; `input` is the validated argument object, the same for intent
 * and run.
 */
const asked = new WeakMap<object, string>()

/** Like `resolveTarget`, for `intent`: `resolveAgain` will require the same path. */
export async function resolveFirst(
  input: object,
  where: Where,
  given: string,
  options?: { forWrite?: boolean },
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
  options?: { forWrite?: boolean },
): Promise<Target | Refusal> {
  const target = await resolveTarget(where, given, options)
  const before = asked.get(input)
  if (isRefusal(target) || before === undefined || before === target.path) return target
  return { refused: `${given} leads to another place than a moment ago. Look at it again first.` }
}

/** A path for display: relative in the workspace, with `~` in the user's home, else absolute. */
export function shownPath(where: Pick<Where, 'workspace'>, path: string): string {
  if (isInside(where.workspace, path)) return relative(where.workspace, path).split(sep).join('/') || '.'
  return shownFolder(path)
}

/** An absolute path with `~` for the user's home. */
export const shownFolder = (path: string): string =>
  isInside(homedir(), path) ? join('~', relative(homedir(), path)) : path

/** Whether a path is the folder or is below it. Both are absolute. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/**
 * Why nothing can be read at a path, with similar names. Outside the workspace it lists no names, because the
 * user has not approved reading there yet.
 */
export async function missingReason(where: Where, given: string, path: string): Promise<string> {
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

/** The real path of a file that need not exist. Links are followed, including broken ones. */
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
    // Missing, or not a link.
    if (code === 'ENOENT' || code === 'EINVAL' || code === 'ENOTDIR' || code === 'UNKNOWN') return undefined
    throw error
  }
}

/** Why a real path is forbidden even with approval. */
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
    if (stats.isFile()) return { path, inWorkspace, kind: 'file' }
    if (stats.isDirectory()) return { path, inWorkspace, kind: 'folder' }
    const what = stats.isFIFO() ? 'a pipe' : stats.isSocket() ? 'a socket' : 'a device'
    return { refused: `${given} is ${what}, not a file.` }
  } catch (error) {
    const code = fileErrorCode(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
    return { path, inWorkspace, kind: 'missing' }
  }
}
