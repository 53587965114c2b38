import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Benchmark } from '../../../shared/contract/models/model.ts'
import { parseJson } from '../../lib/expected-errors.ts'
import { writeAtomic } from '../../lib/disk/durable-files.ts'

/** Speed measurements on this computer, newest first. */
export type Benchmarks = { list(): Benchmark[]; add(measured: Benchmark): void }

const KEPT = 50
const File = z.object({ version: z.literal(1), benchmarks: z.array(Benchmark) })

/**
 * Open the measurements of a home folder. They can be repeated at any time. So an unreadable file counts as
 * empty, and if it cannot be written, that is reported and the measurements are lost at exit.
 */
export function openBenchmarks(home: string, report: (error: unknown) => void): Benchmarks {
  const path = join(home, 'cache', 'benchmarks.json')
  let known = read(path)
  return {
    list: () => [...known],
    add(measured) {
      known = [measured, ...known].slice(0, KEPT)
      try {
        writeAtomic(path, `${JSON.stringify({ version: 1, benchmarks: known })}\n`)
      } catch (error) {
        report(error)
      }
    },
  }
}

function read(path: string): Benchmark[] {
  try {
    const file = File.safeParse(parseJson(readFileSync(path, 'utf8')))
    return file.success ? file.data.benchmarks : []
  } catch (error) {
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}
