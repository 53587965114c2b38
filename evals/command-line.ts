import { readFileSync } from 'node:fs'

/** The lines of a JSONL file that are not empty. Ends the program where it cannot be read. */
export function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter(line => line.trim() !== '')
  } catch (error) {
    return fail(`${path} cannot be read: ${(error as Error).message}`)
  }
}

/** End the program, because it was called in a wrong way. */
export function fail(message: string): never {
  console.error(message)
  process.exit(2)
}
