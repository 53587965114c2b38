import { existsSync, realpathSync } from 'node:fs'
import { mkdir, realpath, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { Fault } from '../../shared/rpc.ts'
import { showHidden } from '../../shared/visible-text/show-hidden.ts'
import { fileErrorCode, reasonOf } from '../lib/expected-errors.ts'
import { isInside } from './paths/resolve-path.ts'

const WELCOME = `# Welcome

This is the folder that new chats work in. The agent reads here without asking,
and asks before it changes anything. Choose another folder at the top of a chat.
`

/**
 * Resolve a folder given by the user. `~` is the user's home; a relative path starts at the working
 * directory. Throws a `bad_input` Fault that says why the folder cannot be used.
 */
export async function resolveWorkspace(given: string): Promise<string> {
  if (given.trim() === '') throw new Fault('bad_input', 'Name a folder.')
  if (given.includes('\0'))
    throw new Fault('bad_input', 'The name of a folder cannot contain a null character.')
  const path = resolve(given.replace(/^~(?=$|[/\\])/, homedir()))
  try {
    const real = await realpath(path)
    if ((await stat(real)).isDirectory()) return real
  } catch (error) {
    const code = fileErrorCode(error)
    const missing = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(code)
    const why = missing ? `There is no folder ${path}.` : `${path} cannot be opened: ${reasonOf(code)}.`
    throw new Fault('bad_input', why)
  }
  throw new Fault('bad_input', `${path} is a file, not a folder.`)
}

/**
 * Resolve a path from a window or another terminal. A relative path is refused, because they do not know the
 * working directory of this process.
 */
export async function resolveAsked(given: string): Promise<string> {
  if (given.trim() !== '' && !isAbsolute(given) && !/^~(?=$|[/\\])/.test(given))
    throw new Fault('bad_input', `Write the whole path of the folder, not just “${given.slice(0, 100)}”.`)
  return resolveWorkspace(given)
}

/**
 * Refuse Talaria's own home as the folder of a chat, and the folders in it with rights, keys and chats,
 * because tools could change these. Throws a `bad_input` Fault.
 */
export function refuseOwnFolder(home: string, folder: string): void {
  const way = relative(realpathSync(home), folder)
  if (way !== '' && !/^(backups|window|logs)([\\/]|$)/.test(way)) return
  throw new Fault(
    'bad_input',
    `${folder} belongs to Talaria itself, so no chat can work in it. Choose another folder.`,
  )
}

/** The folder of new chats: the given one, or a folder inside the home folder, created on first use. */
export async function defaultWorkspace(home: string, given: string | undefined): Promise<string> {
  if (given !== undefined) {
    const folder = await resolveWorkspace(given)
    refuseOwnFolder(home, folder)
    return folder
  }
  const own = join(home, 'workspace')
  if (!existsSync(own)) {
    await mkdir(own, { recursive: true })
    await writeFile(join(own, 'welcome.md'), WELCOME)
  }
  return resolveWorkspace(own)
}

/** Whether the user trusts a folder's instructions for agents: Talaria's workspace, and named folders. */
export const isTrusted = (
  folder: string,
  home: string,
  { trusted_projects: trusted }: { trusted_projects: readonly string[] },
): boolean => [join(home, 'workspace'), ...trusted].some(each => isInside(each, folder))

/** Return the absolute path that the user wrote; `~` is the home. Throws a `bad_input` Fault. */
export function pathNamed(given: string): string {
  const path = given.trim().replace(/^~(?=$|[/\\])/, homedir())
  if (path.includes('\0')) throw new Fault('bad_input', 'A file name cannot contain a null character.')
  if (!isAbsolute(path))
    throw new Fault('bad_input', `Write the whole path, not just “${showHidden(path.slice(0, 100))}”.`)
  return resolve(path)
}
