import { closeSync, createReadStream, openSync, readSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../lib/disk/durable-files.ts'
import { namesIn } from '../../lib/expected-errors.ts'
import { removeTree } from '../../lib/removal/remove-tree.ts'
import { leftByError, type Unremoved } from '../../lib/removal/unremoved.ts'
import { appendLine, trimToLines } from './append-lines.ts'

const NEWLINE = 10
/** How many bytes at the start of a line contain its id. */
const ID_WITHIN = 400

/**
 * Remove the lines of chats from the stored training data. Lines appended in the meantime stay, and so do
 * unreadable lines, unless they name a chat. Resolves to the files where that failed.
 */
export const forgetTrajectories = (home: string, sessionIds: readonly string[]): Promise<Unremoved[]> =>
  forgetLines(home, line => isOf(line, sessionIds))

/** Like `forgetTrajectories`, for lines with one of these texts: chats that were exported with memory. */
export function forgetTextLines(home: string, texts: readonly string[]): Promise<Unremoved[]> {
  const needles = texts.flatMap(text => [text, JSON.stringify(text).slice(1, -1)])
  return forgetLines(home, line => needles.some(needle => line.includes(needle)))
}

async function forgetLines(home: string, isGone: (line: Buffer) => boolean): Promise<Unremoved[]> {
  const folder = join(home, 'trajectories')
  const left: Unremoved[] = []
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    if (name.endsWith('.part')) left.push(...(await removeTree(path)))
    if (name.endsWith('.jsonl')) left.push(...(await leftByError(withoutLines(path, isGone), path)))
  }
  return left
}

async function withoutLines(path: string, isGone: (line: Buffer) => boolean): Promise<void> {
  const size = trimToLines(path)
  if (!(await holdsOne(path, size, isGone))) return
  const part = `${path}.part`
  try {
    {
      await using file = await open(part, 'wx', 0o600)
      for await (const line of linesOf(path, size)) if (!isGone(line)) await file.writeFile(line)
      await file.sync()
    }
    // No await from here on, so nothing more can be appended to the old file.
    for (const line of linesFrom(path, size)) appendLine(part, line)
    renameSync(part, path)
    syncFolder(join(path, '..'))
  } finally {
    rmSync(part, { force: true })
  }
}

async function holdsOne(path: string, size: number, isGone: (line: Buffer) => boolean): Promise<boolean> {
  for await (const line of linesOf(path, size)) if (isGone(line)) return true
  return false
}

/** The lines appended after the file had this size. */
function linesFrom(path: string, size: number): string[] {
  const end = trimToLines(path)
  if (end === size) return []
  const file = openSync(path, 'r')
  try {
    const rest = Buffer.alloc(end - size)
    readSync(file, rest, 0, rest.length, size)
    return rest.toString('utf8').split('\n').slice(0, -1)
  } finally {
    closeSync(file)
  }
}

/** The lines up to a size, with their line breaks. */
async function* linesOf(path: string, size: number): AsyncGenerator<Buffer> {
  if (size === 0) return
  let begun: Buffer[] = []
  for await (const chunk of createReadStream(path, { end: size - 1 }) as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...begun, chunk.subarray(from, end + 1)])
      begun = []
      from = end + 1
    }
    begun.push(chunk.subarray(from))
  }
}

function isOf(line: Buffer, sessionIds: readonly string[]): boolean {
  const id = /^\s*\{\s*"id":\s*"([^"]+)"/.exec(line.toString('utf8', 0, ID_WITHIN))?.[1]
  return id === undefined ? sessionIds.some(each => line.includes(each)) : sessionIds.includes(id)
}
