import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, isAbsolute, join, resolve } from 'node:path'
import {
  MAX_ATTACHMENT_BYTES,
  type Attachment,
  type UnsentAttachment,
} from '../../shared/contract/chats/attachments.ts'
import { formatBytes } from '../../shared/text/amounts.ts'
import { Fault } from '../../shared/rpc.ts'
import { fileErrorCode, reasonOf } from '../lib/expected-errors.ts'
import { tooLarge } from './kept-contents.ts'

/** An attached file of this computer, as it was then. `hash` is of the content that was read. */
export type SourceFile = { path: string; bytes: number; modifiedMs: number; hash?: string | undefined }

/** The file at a path that the user named. Throws a `bad_input` Fault with text for the user. */
export async function fileAt(workspace: string, given: string): Promise<SourceFile & { name: string }> {
  const home = /^~(?=$|[/\\])/.test(given) ? join(homedir(), given.slice(1)) : given
  const path = isAbsolute(home) ? home : resolve(workspace, home)
  const name = basename(path) || path
  const cannot = (why: string) => new Fault('bad_input', `${given} cannot be attached: ${why}`)
  try {
    const stats = await stat(path)
    if (stats.isDirectory())
      throw cannot('it is a folder. Attach files of it, or name the folder in your message.')
    if (!stats.isFile()) throw cannot('it is not an ordinary file.')
    if (stats.size > MAX_ATTACHMENT_BYTES)
      throw cannot(`it is ${formatBytes(stats.size)} long. ${tooLarge(MAX_ATTACHMENT_BYTES)}`)
    await (await open(path, 'r')).close()
    return { path, name: name.slice(-255), bytes: stats.size, modifiedMs: stats.mtimeMs }
  } catch (error) {
    if (error instanceof Fault) throw error
    const code = fileErrorCode(error)
    throw cannot(
      code === 'ENOENT'
        ? `there is no such file${isAbsolute(home) ? '' : ` in ${workspace}`}.`
        : code === 'ELOOP'
          ? 'its links lead in a circle.'
          : `${reasonOf(code)}.`,
    )
  }
}

/** The bytes of a file. System errors during reading become a Fault. */
export async function* bytesOf(path: string, name: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) yield chunk as Buffer
  } catch (error) {
    throw new Fault('bad_input', `${name} cannot be read: ${reasonOf(fileErrorCode(error))}.`)
  }
}

/** The change of a file since it was attached; undefined if its content is the same. */
export async function sinceAttached(file: SourceFile): Promise<UnsentAttachment['onDisk']> {
  const { path, bytes, modifiedMs, hash } = file
  try {
    const now = await stat(path)
    if (!now.isFile()) return 'gone'
    if (now.size === bytes && now.mtimeMs === modifiedMs) return undefined
    if (now.size !== bytes || hash === undefined) return 'changed'
    const sum = createHash('sha256')
    for await (const chunk of createReadStream(path)) sum.update(chunk as Buffer)
    return sum.digest('hex') === hash ? undefined : 'changed'
  } catch (error) {
    // An unreachable file may be on a disk that is not connected now.
    fileErrorCode(error)
    return 'gone'
  }
}

/** An attachment that is being sent, with any change of its file since it was attached. */
export async function sayChanged(attachment: Attachment, file: SourceFile | undefined): Promise<Attachment> {
  const onDisk = file && (await sinceAttached(file))
  if (!onDisk) return attachment
  const said =
    onDisk === 'gone'
      ? 'The file that this is a copy of was no longer there when it was sent.'
      : 'The file on disk changed after it was attached; this is how it was then.'
  return { ...attachment, problems: [said, ...(attachment.problems ?? [])] }
}
