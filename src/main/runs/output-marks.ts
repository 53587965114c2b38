import { basename, dirname, join } from 'node:path'
import type { StrangersMark, ToolCall } from '../../shared/contract/messages.ts'
import type { TurnMarks } from '../agent/turn-types.ts'
import type { Store } from '../db/store.ts'
import { mergeMarks, newMark } from '../lib/marks.ts'
import { readFileStart } from '../lib/read-file-start.ts'
import { strangersIn } from '../lib/strangers-text.ts'

type Parts = { home: string; store: Pick<Store, 'marks'> }

/** The name of the file of a long result, or of a picture of a server. */
const OUTPUT = /\bout_[0-9a-z]+\.[0-9a-z]+\b/g
/** A command that names their folder may read each of them. */
const ALL = /\bcache[\\/]+outputs\b/
const outputsIn = (text: string): readonly string[] => text.match(OUTPUT) ?? []
/** Bytes of a file from before there were marks in which a frame is looked for. */
const LOOKED_AT = 2_000_000

/**
 * The marks of the kept results that a call reads: those that it names or whose path it has, those in which a search found
 * something, and for a command that names their folder those of all. Files that a server's result brings with it get its marks.
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

  return async function readFrom(call: ToolCall, { mcp, path, command }, result) {
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
    const all = named.length === 0 && ALL.test(command ?? '') ? marks.ofOutputs() : []
    const names = [...new Set([...named, ...opened, ...hit])]
    return mergeMarks(all, ...(await Promise.all(names.map(marksOf))))
  }
}
