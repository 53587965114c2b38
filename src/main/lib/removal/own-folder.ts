import { constants, type Stats } from 'node:fs'
import { chmod, lstat, open, stat } from 'node:fs/promises'
import { fileErrorCode } from '../expected-errors.ts'

/** A folder that is being emptied. */
export type OwnFolder = {
  /** The path of an entry. Where folders are held by descriptors, it leads into this very folder, whatever takes its place. */
  at(name: Uint8Array): Buffer
  /** The folder itself, to read its names. */
  readonly self: Buffer
  readonly stats: Stats
  [Symbol.asyncDispose](): Promise<void>
}

/** How folders are held: by descriptors where the system can, else by their paths. */
export type Holding = 'descriptors' | 'paths'

/** Only Linux opens a folder without reading it, so that one which nobody may read can be held too. Node has no name for it. */
const O_PATH = 0o10000000
const NO_LINK = constants.O_DIRECTORY | constants.O_NOFOLLOW
const ALL = 0o700
const SLASH = Buffer.from('/')

/** What this system can do. It is tried out, because `/proc` may be missing. */
export async function holdingAt(folder: string): Promise<Holding> {
  if (process.platform !== 'linux') return 'paths'
  await using file = await open(folder, O_PATH | constants.O_DIRECTORY)
  const seen = await stat(`/proc/self/fd/${file.fd}/.`).catch(fileErrorCode)
  return typeof seen === 'object' && seen.ino === (await file.stat()).ino ? 'descriptors' : 'paths'
}

/** Hold the folder in which something is to be removed. It may be reached through links, which the person made. */
export async function holdParent(folder: string, holding: Holding): Promise<OwnFolder> {
  if (holding === 'paths') return byPath(Buffer.from(folder), await stat(folder))
  return byDescriptor(Buffer.from(folder), constants.O_DIRECTORY)
}

/**
 * Hold a folder inside another one, and give its owner back the rights to read and to empty it. A link is never followed: it
 * throws `ENOTDIR` or `ELOOP`.
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

/** Give the owner of a folder that is held by a descriptor back the rights to read and to empty it. */
export async function openUp({ self, stats }: Pick<OwnFolder, 'self' | 'stats'>): Promise<void> {
  if ((stats.mode & ALL) !== ALL) await chmod(self, (stats.mode & 0o777) | ALL).catch(unlessForbidden)
}

/** Where a folder that nobody may read cannot be held, a moment between looking and changing stays for these. */
async function openUpByPath(path: Buffer, stats: Stats): Promise<void> {
  if ((stats.mode & ALL) === ALL || process.platform === 'win32') return
  if ((stats.mode & 0o400) === 0) return openUp({ self: path, stats })
  await using file = await open(path, constants.O_RDONLY | NO_LINK)
  await file.chmod((stats.mode & 0o777) | ALL).catch(unlessForbidden)
}

/** What belongs to somebody else may let itself be emptied all the same; if not, that is found out then. */
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
