import { open } from 'node:fs/promises'
import { fileErrorCode } from '../lib/expected-errors.ts'
import { isPictureStart } from './picture-header.ts'

const START = 4_096

/** Whether the file at a path starts like a picture, whether or not Talaria can decode it. An SVG is text. */
export async function isPictureFile(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(fileErrorCode)
  // The code that reads the file reports why it cannot be read.
  if (typeof file === 'string' || file === undefined) return false
  try {
    const bytes = Buffer.alloc(START)
    const { bytesRead } = await file.read(bytes, 0, START, 0)
    return isPictureStart(bytes.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}
