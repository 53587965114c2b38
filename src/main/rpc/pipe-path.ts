import { lstat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { fileErrorCode } from '../lib/expected-errors.ts'

/** Windows has named pipes instead of socket files. */
export const isWindows = process.platform === 'win32'

// A socket address holds 104 bytes on macOS and 108 on Linux.
const maxPathBytes = 100

/**
 * The address of the host of `home`: a socket in that folder; a socket with a short name in a private folder of the temporary
 * folder when the path is too long for an address; a named pipe on Windows.
 */
export function pipePath(home: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32')
    return `\\\\.\\pipe\\talaria-${shortName(`${userInfo().username}\n${real(home)}`)}`
  const path = join(resolve(home), 'host.sock')
  if (Buffer.byteLength(path) <= maxPathBytes) return path
  return join(tmpdir(), `talaria-${userInfo().uid}`, `${shortName(real(home))}.sock`)
}

/** Whether the socket is in the temporary folder, where another user may have created it first. */
export const inSharedFolder = (home: string, path: string): boolean =>
  !isWindows && path !== join(resolve(home), 'host.sock')

/** Whether a folder is not a link, belongs to this user and is closed to all others. */
export async function isPrivateFolder(folder: string): Promise<boolean> {
  try {
    const about = await lstat(folder)
    return about.isDirectory() && about.uid === userInfo().uid && (about.mode & 0o077) === 0
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return false
    throw error
  }
}

const shortName = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** The real path, so that links give the same name; a missing folder keeps its given path. */
function real(home: string): string {
  try {
    return realpathSync(home)
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return resolve(home)
    throw error
  }
}
