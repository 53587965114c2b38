import { accessSync, constants, existsSync, mkdirSync, statSync, readFileSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Fault } from '../../shared/rpc.ts'
import { fileErrorCode, reasonOf, type SystemData } from '../lib/expected-errors.ts'
import { writeAtomic, type WriteOptions } from '../lib/disk/durable-files.ts'

/**
 * Return the home folder: the given one, else `TALARIA_HOME`, else `~/.talaria`. A missing one is created for
 * this user only. Throws a `not_ready` Fault if it cannot be created, or is empty and not writable.
 */
export function resolveHome(given?: string, env: NodeJS.ProcessEnv = process.env): string {
  const home = homePath(given, env)
  try {
    makeFolder(home)
    if (!statSync(home).isDirectory()) throw Object.assign(new Error(), { code: 'EEXIST' })
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK)
    for (const name of ['backups', 'logs', 'models'])
      mkdirSync(join(home, name), { recursive: true, mode: 0o700 })
  } catch (error) {
    const code = fileErrorCode(error)
    // An existing home can be read, and the host will say that nothing can be saved.
    if (UNWRITABLE.has(code) && isReadable(home)) return home
    const ours: Record<string, string> = {
      EEXIST: 'a file is in the way',
      ENOENT: 'the system makes no folder there',
    }
    const why = ours[code] ?? reasonOf(code)
    throw new Fault(
      'not_ready',
      `Talaria cannot use the folder ${home}: ${why}. Choose another one with --home or TALARIA_HOME.`,
      { system: code } satisfies SystemData,
    )
  }
  return home
}

const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'])

function isReadable(home: string): boolean {
  try {
    accessSync(home, constants.R_OK | constants.X_OK)
    accessSync(join(home, 'state.db'), constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** Return the home folder if it exists; never creates it. */
export function existingHome(given?: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const home = homePath(given, env)
  return existsSync(home) ? home : undefined
}

/** Return ` --home …` for a command that must name this home, empty for the usual one: another shell may lack `TALARIA_HOME`. */
export function homeOption(given?: string, env: NodeJS.ProcessEnv = process.env): string {
  const home = homePath(given, env)
  if (home === homePath(undefined, { ...env, TALARIA_HOME: undefined })) return ''
  return ` --home ${/^[\w./\\:-]+$/.test(home) ? home : JSON.stringify(home)}`
}

function homePath(given: string | undefined, env: NodeJS.ProcessEnv): string {
  const wish = given || env['TALARIA_HOME'] || join('~', '.talaria')
  return resolve(wish.replace(/^~(?=$|[/\\])/, personFolder(env)))
}

/**
 * Return the user's folder. Node accepts an empty HOME as a path, which would make the disk's root the home.
 */
const personFolder = (env: NodeJS.ProcessEnv): string =>
  env['HOME']?.trim() === '' ? userInfo().homedir : homedir()

/** Create a folder and its parents. Node's recursive mode never returns below `/proc`, which is read-only. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  const above = dirname(path)
  if (above !== path) makeFolder(above)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another Talaria that is starting may have created it.
    if (fileErrorCode(error) !== 'EEXIST') throw error
  }
}

const MAX_BYTES = 1_000_000

/** Read a small file; undefined if missing. Throws a `not_ready` Fault that says why it is unreadable. */
export function readSmall(path: string): string | undefined {
  try {
    const { size } = statSync(path)
    if (size > MAX_BYTES) throw new Fault('not_ready', `${path} is too big (${size} bytes).`)
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
  } catch (error) {
    const code = fileErrorCode(error)
    if (code === 'ENOENT') return undefined
    throw new Fault('not_ready', `${path} cannot be read: ${reasonOf(code)}.`)
  }
}

/**
 * Replace a small file. Throws a `not_ready` Fault that says why it cannot be written, or a `bad_input` Fault
 * for a text that `readSmall` would refuse.
 */
export function saveFile(path: string, text: string, options?: WriteOptions): void {
  const size = Buffer.byteLength(text)
  if (size > MAX_BYTES) throw new Fault('bad_input', `${path} would be too big (${size} bytes).`)
  try {
    writeAtomic(path, text, options)
  } catch (error) {
    const system = fileErrorCode(error)
    const data: SystemData = { system }
    throw new Fault('not_ready', `${path} cannot be written: ${reasonOf(system)}.`, data)
  }
}
