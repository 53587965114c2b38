import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { StrangersMark, ToolCall } from '../../../shared/contract/chats/messages.ts'
import type { TurnMarks } from '../../agent/turn-types.ts'
import type { Store } from '../../db/store.ts'
import { mergeMarks, newMark } from '../../untrusted/strangers-marks.ts'
import { readFileStart } from '../../lib/disk/read-file-start.ts'
import { fileErrorCode } from '../../lib/expected-errors.ts'
import { strangersIn } from '../../untrusted/strangers-text.ts'

type Parts = { home: string; store: Pick<Store, 'marks'> }

/** The name of the file of a long result, or of a picture of a server. */
const OUTPUT = /\bout_[0-9a-z]+\.[0-9a-z]+\b/g
/** One of them alone in a command; with a pattern or braces before it, it is more than one. */
const ALONE = /(?<![\w./\\~-])[\w./\\~-]*\bout_[0-9a-z]+\.[0-9a-z]+\b/g
/** A command that names their folder may read each of them. */
const FOLDER = /\bcache['"]*[\\/]+['"]*out/
/** Words of a command that may be paths, and how many are looked up. */
const WORD = /[^\s"'`;&|<>(){}$*?[\]]+/g
const MOST_WORDS = 60
const outputsIn = (text: string): readonly string[] => text.match(OUTPUT) ?? []
/** Bytes of a file from before there were marks in which a frame is looked for. */
const LOOKED_AT = 2_000_000

/**
 * The marks of the kept results that a call reads: those that it names or whose path it has, those in which a search found
 * something, and for a command that works in their folder, or names it or Talaria's home, those of all. Files that a server's result
 * brings with it get its marks.
 */
export function marksOfOutputs({ home, store }: Parts): NonNullable<TurnMarks['readFrom']> {
  const { marks } = store

  async function marksOf(name: string): Promise<readonly StrangersMark[]> {
    const known = marks.ofOutput(name)
    if (known) return known
    // Kept by an older version, or not at all.
    const text = await readFileStart(join(home, 'cache', 'outputs', name), LOOKED_AT)
    if (text === undefined) return []
    const found = strangersIn(text).map(newMark)
    marks.keepOutput(name, found)
    return found
  }

  /** What a command reads of them: files by names, or by links that it names; `all` where it may read each. */
  async function readBy(command: string, folder: string): Promise<{ names: string[]; all: boolean }> {
    const real = await realPath(home)
    const outputs = join(real, 'cache', 'outputs')
    /** In their folder, or between it and Talaria's home. */
    const isNear = (path: string) => isIn(real, path) && (isIn(outputs, path) || isIn(path, outputs))
    const rest = command.replaceAll(ALONE, ' ')
    if (FOLDER.test(rest) || namesHome(rest, [home, real]) || isNear(await realPath(folder)))
      return { names: [], all: true }
    const words = [...new Set(rest.match(WORD))].slice(0, MOST_WORDS)
    const near = (await Promise.all(words.map(word => realPath(resolve(folder, word))))).filter(isNear)
    const names = near.flatMap(path => (dirname(path) === outputs ? outputsIn(basename(path)) : []))
    return { names, all: names.length < near.length }
  }

  return async function readFrom(call: ToolCall, { mcp, path, command, folder }, result) {
    const text = result.ok ? result.text : result.reason
    if (mcp) {
      for (const name of outputsIn(text))
        if (!marks.ofOutput(name)) marks.keepOutput(name, result.marks ?? [])
      return []
    }
    const named = outputsIn(JSON.stringify(call.arguments))
    const opened =
      path !== undefined && basename(dirname(path)) === 'outputs' ? outputsIn(basename(path)) : []
    const hit = call.name === 'search_files' ? outputsIn(text) : []
    const read = command === undefined ? undefined : await readBy(command, folder)
    const names = [...new Set([...named, ...opened, ...hit, ...(read?.names ?? [])])]
    return mergeMarks(read?.all ? marks.ofOutputs() : [], ...(await Promise.all(names.map(marksOf))))
  }
}

/** Where a path leads; itself where nothing is. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    fileErrorCode(error)
    return path
  }
}

const isIn = (folder: string, path: string) => path === folder || path.startsWith(`${folder}${sep}`)

/** Whether a command names Talaria's home as a whole, or what may be the kept results below it. Its skills are named often. */
function namesHome(command: string, homes: readonly string[]): boolean {
  const below = relative(homedir(), homes[0]!)
  const isBelow = below !== '' && !isAbsolute(below) && !below.startsWith('..')
  const names = isBelow ? [...homes, `~/${below}`, `$HOME/${below}`, `\${HOME}/${below}`] : homes
  return names.some(name =>
    command
      .split(name)
      .some((after, at) => at > 0 && /^['"]*(?:[\\/]+['"]*(?:ca|[^\w.-]|$)|[^\w./\\-]|$)/.test(after)),
  )
}
