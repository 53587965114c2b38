import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { ToolsVerdict } from '../../../shared/contract/model.ts'
import { parseJson } from '../../lib/expected-errors.ts'
import { writeAtomic } from '../../lib/durable-files.ts'

/** What a verdict is about: `key` names the model, and `stamp` changes with all that the verdict depends on. */
export type TriedModel = { key: string; stamp: string }

/** The verdicts on the tools of models that were tried on this computer. */
export type Verdicts = {
  /** The verdict on a model as it is now; null when there is none. */
  find(tried: TriedModel): ToolsVerdict | null
  /** Keep a verdict in place of an older one on the same model. */
  keep(tried: TriedModel, verdict: ToolsVerdict): void
}

/** Verdicts to keep; the oldest are dropped. */
const KEPT = 200
/** Longest key and stamp: a path, or an address with the name of a model. */
const LONGEST = 10_000
/** A larger file was not written by this code. */
const MOST_BYTES = 8_000_000

const text = z.string().max(LONGEST)
const Kept = z.object({ key: text, stamp: text, verdict: ToolsVerdict })
const File = z.object({ version: z.literal(1), verdicts: z.array(Kept) })
type Kept = z.infer<typeof Kept>

/**
 * Open the verdicts of a home folder, newest first. Trying can be repeated at any time, so a broken file counts as empty. `doctor`
 * writes to it beside a running host, so it is read again whenever it has changed.
 */
export function openVerdicts(home: string, report: (error: unknown) => void): Verdicts {
  const path = join(home, 'cache', 'tool-verdicts.json')
  let known: { stamp: string; verdicts: readonly Kept[] } | undefined

  function current(): readonly Kept[] {
    const stamp = stampOf(path)
    if (known?.stamp !== stamp) known = { stamp, verdicts: stamp === '' ? [] : readVerdicts(path) }
    return known.verdicts
  }
  return {
    find: ({ key, stamp }) =>
      current().find(each => each.key === key && each.stamp === stamp)?.verdict ?? null,
    keep({ key, stamp }, verdict) {
      if (key.length > LONGEST || stamp.length > LONGEST) return
      const others = current().filter(each => each.key !== key)
      const verdicts = [{ key, stamp, verdict }, ...others].slice(0, KEPT)
      try {
        mkdirSync(dirname(path), { recursive: true })
        writeAtomic(path, `${JSON.stringify({ version: 1, verdicts })}\n`)
      } catch (error) {
        report(error)
      }
      known = { stamp: stampOf(path), verdicts }
    },
  }
}

/** Changes with the file; empty when there is none that can be read. */
function stampOf(path: string): string {
  try {
    const stats = statSync(path)
    return stats.isFile() && stats.size <= MOST_BYTES ? `${stats.size} ${stats.mtimeMs} ${stats.ino}` : ''
  } catch (error) {
    if (error instanceof Error && 'code' in error) return ''
    throw error
  }
}

function readVerdicts(path: string): Kept[] {
  try {
    const file = File.safeParse(parseJson(readFileSync(path, 'utf8')))
    return file.success ? file.data.verdicts.slice(0, KEPT) : []
  } catch (error) {
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}
