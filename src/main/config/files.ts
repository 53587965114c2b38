import { readFileSync, statSync } from 'node:fs'
import { Fault } from '../../shared/rpc.ts'
import { fileErrorCode, reasonOf } from '../lib/expected-errors.ts'
import { writeAtomic, type WriteOptions } from '../lib/durable-files.ts'

const MAX_BYTES = 1_000_000

/** The text of a small file, undefined when there is none. Throws a `not_ready` Fault that says why it cannot be read. */
export function readSmall(path: string): string | undefined {
  try {
    const { size } = statSync(path)
    if (size > MAX_BYTES) throw new Fault('not_ready', `${path} is too big (${size} bytes).`)
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
  } catch (error) {
    const code = fileErrorCode(error)
    if (code === 'ENOENT') return undefined
    throw new Fault('not_ready', `${path} cannot be read: ${reasonOf(code)}.`)
  }
}

/** Replace a file. Throws a `not_ready` Fault that says why it cannot be written. */
export function save(path: string, text: string, options?: WriteOptions): void {
  try {
    writeAtomic(path, text, options)
  } catch (error) {
    throw new Fault('not_ready', `${path} cannot be written: ${reasonOf(fileErrorCode(error))}.`)
  }
}
