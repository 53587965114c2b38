import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

const SAMPLES = 64
const SAMPLE_BYTES = 16 * 1_024

/**
 * A fingerprint of a model's content, to compare models of the same size: a digest of samples from each of its files,
 * spread from start to end. Models with the same mark are almost certainly identical, and it reads only a megabyte
 * per file. Empty when a file cannot be read.
 */
export async function contentMark(paths: readonly string[]): Promise<string> {
  const marks: string[] = []
  for (const path of paths) marks.push(await markOf(path))
  return marks.includes('') ? '' : createHash('sha256').update(marks.join()).digest('hex')
}

async function markOf(path: string): Promise<string> {
  let file
  try {
    file = await open(path)
    const { size } = await file.stat()
    const digest = createHash('sha256').update(String(size))
    const buffer = Buffer.alloc(SAMPLE_BYTES)
    const last = Math.max(0, size - SAMPLE_BYTES)
    for (let sample = 0; sample < SAMPLES; sample++) {
      const at = Math.floor((last * sample) / (SAMPLES - 1))
      const { bytesRead } = await file.read(buffer, 0, SAMPLE_BYTES, at)
      digest.update(buffer.subarray(0, bytesRead))
      if (last === 0) break
    }
    return digest.digest('hex')
  } catch (error) {
    if (error instanceof Error && 'code' in error) return ''
    throw error
  } finally {
    await file?.close()
  }
}
