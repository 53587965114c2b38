import { open } from 'node:fs/promises'
import { fileErrorCode } from '../lib/expected-errors.ts'
import { isPictureStart } from './picture-header.ts'

const START = 4_096

/** Whether the file at a path begins like a picture that is decoded, or that is named as one which is not. An SVG is text. */
export async function isPictureFile(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(fileErrorCode)
  // Whoever reads it then says why it cannot be read.
  if (typeof file === 'string' || file === undefined) return false
  try {
    const bytes = Buffer.alloc(START)
    const { bytesRead } = await file.read(bytes, 0, START, 0)
    return isPictureStart(bytes.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}
