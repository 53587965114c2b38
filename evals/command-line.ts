import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { parseJson } from '../src/main/lib/expected-errors.ts'
import type { Figures } from './records.ts'

/** The lines of a JSONL file that are not empty. Ends the program if the file cannot be read. */
export function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter(line => line.trim() !== '')
  } catch (error) {
    return fail(`${path} cannot be read: ${(error as Error).message}`)
  }
}

/** The rows of a JSONL file. Ends the program if it cannot be read, has no rows, or has an invalid one. */
export function readRows<T>(path: string, row: z.ZodType<T>): T[] {
  const lines = readLines(path)
  if (lines.length === 0) fail(`${path} has no rows.`)
  return lines.map((line, at) => {
    const read = row.safeParse(parseJson(line))
    if (read.success) return read.data
    const [issue] = read.error.issues
    return fail(
      `Line ${at + 1} of ${path} is no row: ${[issue?.path.join('.'), issue?.message].filter(Boolean).join(': ')}`,
    )
  })
}

/** Print the figures. This is the last line of an eval, which `npm run evals` reads. */
export function printFigures(name: string, figures: Figures): void {
  console.log(JSON.stringify({ eval: name, figures }))
}

/** End the program because it was called wrongly. No figures may have been printed before. */
export function fail(message: string): never {
  console.error(message)
  process.exit(2)
}
