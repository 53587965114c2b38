import { lstatSync, realpathSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writeAtomic } from '../lib/durable-files.ts'
import { fileErrorCode, reasonOf } from '../lib/expected-errors.ts'
import type { ToolResult } from './tool.ts'

/**
 * Write content to a real path and create its folders. Returns the error, if any. Checks for links again
 * right before writing, because a background program may have created one since the path was resolved.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  name: string,
): Promise<ToolResult | undefined> {
  try {
    await mkdir(dirname(path), { recursive: true })
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
    if (isLink || realpathSync.native(dirname(path)) !== dirname(path)) {
      return { ok: false, reason: `${name} became a link while it was written. Look at it again first.` }
    }
    writeAtomic(path, content)
    return undefined
  } catch (error) {
    const code = fileErrorCode(error)
    return { ok: false, reason: `${name} cannot be written: ${reasonOf(code)}.` }
  }
}
