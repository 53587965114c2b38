import { constants, type Stats } from 'node:fs'
import { chmod, lstat, open, stat } from 'node:fs/promises'
import { fileErrorCode } from '../expected-errors.ts'

/** A folder that is being emptied. */
export type OwnFolder = {
  /** Return an entry's path. With descriptors, it stays in this folder even if the folder is replaced. */
  at(name: Uint8Array): Buffer
  /** The path of the folder itself, for reading its names. */
  readonly self: Buffer
  readonly stats: Stats
  [Symbol.asyncDispose](): Promise<void>
}

/** How folders are held: by descriptors if the system can, else by their paths. */
export type Holding = 'descriptors' | 'paths'

/**
 * On Linux, open a folder without reading it, so that unreadable ones can be held. Node has no name for it.
 */
const O_PATH = 0o10000000
const NO_LINK = constants.O_DIRECTORY | constants.O_NOFOLLOW
const ALL = 0o700
const SLASH = Buffer.from('/')

/** Return what this system supports. It is tried out, because `/proc` may be missing. */
export async function holdingAt(folder: string): Promise<Holding> {
  if (process.platform !== 'linux') return 'paths'
  await using file = await open(folder, O_PATH | constants.O_DIRECTORY)
  const seen = await stat(`/proc/self/fd/${file.fd}/.`).catch(fileErrorCode)
  return typeof seen === 'object' && seen.ino === (await file.stat()).ino ? 'descriptors' : 'paths'
}

/** Hold the folder in which something will be removed. Links to it are followed; they are the user's. */
export async function holdParent(folder: string, holding: Holding): Promise<OwnFolder> {
  if (holding === 'paths') return byPath(Buffer.from(folder), await stat(folder))
  return byDescriptor(Buffer.from(folder), constants.O_DIRECTORY)
}

/**
 * Hold a folder inside another one, and restore its owner's rights to read and empty it. Links are never
 * followed: they throw `ENOTDIR` or `ELOOP`.
 */
export async function holdInside(parent: OwnFolder, name: Uint8Array, holding: Holding): Promise<OwnFolder> {
  const path = parent.at(name)
  if (holding === 'paths') {
    const stats = await lstat(path)
    if (!stats.isDirectory()) throw Object.assign(new Error('It is no folder.'), { code: 'ENOTDIR' })
    await openUpByPath(path, stats)
    return byPath(path, stats)
  }
  const folder = await byDescriptor(path, NO_LINK)
  try {
    await openUp(folder)
    return folder
  } catch (error) {
    await folder[Symbol.asyncDispose]()
    throw error
  }
}

/** Restore the owner's rights to read and empty a folder held by a descriptor. */
export async function openUp({ self, stats }: Pick<OwnFolder, 'self' | 'stats'>): Promise<void> {
  if ((stats.mode & ALL) !== ALL) await chmod(self, (stats.mode & 0o777) | ALL).catch(unlessForbidden)
}

/** If an unreadable folder cannot be held, a short race remains here between checking and changing it. */
async function openUpByPath(path: Buffer, stats: Stats): Promise<void> {
  if ((stats.mode & ALL) === ALL || process.platform === 'win32') return
  if ((stats.mode & 0o400) === 0) return openUp({ self: path, stats })
  await using file = await open(path, constants.O_RDONLY | NO_LINK)
  await file.chmod((stats.mode & 0o777) | ALL).catch(unlessForbidden)
}

/** Ignore missing rights to a foreign folder: it may still be possible to empty it. */
function unlessForbidden(error: unknown): void {
  if (!['EPERM', 'EACCES', 'EROFS'].includes(fileErrorCode(error))) throw error
}

async function byDescriptor(path: Buffer, flags: number): Promise<OwnFolder> {
  const file = await open(path, O_PATH | flags)
  const self = Buffer.from(`/proc/self/fd/${file.fd}`)
  return { ...byPath(self, await file.stat()), [Symbol.asyncDispose]: () => file.close() }
}

const byPath = (self: Buffer, stats: Stats): OwnFolder => ({
  self,
  stats,
  at: name => Buffer.concat([self, SLASH, name]),
  async [Symbol.asyncDispose]() {},
})
