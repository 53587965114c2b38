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

/** The file name of a long result, or of a picture from a server. */
const OUTPUT = /\bout_[0-9a-z]+\.[0-9a-z]+\b/g
/** One such name alone in a command; with a pattern or braces before it, it may mean several files. */
const ALONE = /(?<![\w./\\~-])[\w./\\~-]*\bout_[0-9a-z]+\.[0-9a-z]+\b/g
/** A command that names the folder of results may read each of them. */
const FOLDER = /\bcache['"]*[\\/]+['"]*out/
/** Words of a command that may be paths, and the maximum number to look up. */
const WORD = /[^\s"'`;&|<>(){}$*?[\]]+/g
const MOST_WORDS = 60
const outputsIn = (text: string): readonly string[] => text.match(OUTPUT) ?? []
/** How many bytes of a file without stored marks to search for a frame. */
const LOOKED_AT = 2_000_000

/**
 * The marks of the stored results that a call reads: those that it names by name or path, and those in which
 * a search found something. A command gets the marks of all results if it works in their folder, or names
 * that folder or Talaria's home. Files that come with a server's result get its marks.
 */
export function marksOfOutputs({ home, store }: Parts): NonNullable<TurnMarks['readFrom']> {
  const { marks } = store

  async function marksOf(name: string): Promise<readonly StrangersMark[]> {
    const known = marks.ofOutput(name)
    if (known) return known
    // The file has no stored marks: an older version kept it, or it was not kept at all.
    const text = await readFileStart(join(home, 'cache', 'outputs', name), LOOKED_AT)
    if (text === undefined) return []
    const found = strangersIn(text).map(newMark)
    marks.keepOutput(name, found)
    return found
  }

  /** The results that a command reads, by name or through links; `all` if it may read each of them. */
  async function readBy(command: string, folder: string): Promise<{ names: string[]; all: boolean }> {
    const real = await realPath(home)
    const outputs = join(real, 'cache', 'outputs')
    /** Inside the folder of results, or between it and Talaria's home. */
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

/** The real path that a path leads to; the path itself if nothing exists there. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    fileErrorCode(error)
    return path
  }
}

const isIn = (folder: string, path: string) => path === folder || path.startsWith(`${folder}${sep}`)

/**
 * Whether a command names Talaria's home as a whole, or a path in it that may be the stored results. Paths of
 * skills are common and do not count.
 */
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
