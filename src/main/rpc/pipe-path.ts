import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'

export const isWindows = process.platform === 'win32'

// A socket's address holds 104 bytes on macOS and 108 on Linux.
const maxPathBytes = 100

/**
 * Where the host of `home` listens: a socket in that folder; one under a short name in a private folder of the temporary
 * one when the path is too long for an address; a named pipe on Windows.
 */
export function pipePath(home: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32')
    return `\\\\.\\pipe\\talaria-${shortName(`${userInfo().username}\n${real(home)}`)}`
  const path = join(resolve(home), 'host.sock')
  if (Buffer.byteLength(path) <= maxPathBytes) return path
  return join(tmpdir(), `talaria-${userInfo().uid}`, `${shortName(real(home))}.sock`)
}

/** Whether the socket had to go to the temporary folder, where other users may have been first. */
export const inSharedFolder = (home: string, path: string): boolean =>
  !isWindows && path !== join(resolve(home), 'host.sock')

/** Whether a folder is a real one, ours, and closed to everybody else. */
export async function isPrivateFolder(folder: string): Promise<boolean> {
  try {
    const about = await lstat(folder)
    return about.isDirectory() && about.uid === userInfo().uid && (about.mode & 0o077) === 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

const shortName = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** One name for one folder, whatever links lead to it; a folder that is not there yet keeps the name it was given. */
function real(home: string): string {
  try {
    return realpathSync(home)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return resolve(home)
    throw error
  }
}
