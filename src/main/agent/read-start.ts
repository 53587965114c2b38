import { open, stat } from 'node:fs/promises'

/** The text of a file, cut to `limit` characters; undefined when there is none that can be read. */
export async function readStart(path: string, limit: number): Promise<string | undefined> {
  try {
    // Asked before opening, because opening a pipe would wait for a writer.
    if (!(await stat(path)).isFile()) return undefined
    await using file = await open(path, 'r')
    const { buffer, bytesRead } = await file.read(Buffer.alloc(limit * 4), 0, limit * 4, 0)
    const text = buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, '')
    if (text.includes('\0')) return undefined
    return text.length > limit ? `${text.slice(0, limit).toWellFormed()}\n[cut here: the file goes on]` : text
  } catch (error) {
    // Whatever the file system refuses, there is nothing to read.
    if (error instanceof Error && 'syscall' in error) return undefined
    throw error
  }
}
