import { createHash, type Hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { splitFilePaths, type GgufFacts } from './read-gguf.ts'
import type { StateFolder } from './protocol.ts'

/** Large enough for the header of every known model; some describe 250,000 tokens. */
const headBytes = 16 << 20
const sampleBytes = 16 << 10
const samples = 64

type Whereabouts = Pick<GgufFacts, 'path' | 'sizeBytes' | 'parts'>

/**
 * Where the evaluated prompts of a model are saved; undefined when disabled, or when the file cannot be read. `gib`
 * is the maximum size of the folder.
 */
export async function stateFolderFor(
  cacheFolder: string | undefined,
  gib: number,
  facts: Whereabouts,
): Promise<StateFolder | undefined> {
  if (cacheFolder === undefined || gib <= 0) return undefined
  const model = await digestOf(facts).catch(() => undefined)
  return model === undefined ? undefined : { folder: statesIn(cacheFolder), maxBytes: gib * 2 ** 30, model }
}

/** The folder of saved states inside the cache folder. */
export const statesIn = (cacheFolder: string): string => join(cacheFolder, 'states')

/**
 * Identifies a model by its content, independent of path and time: its size, its header, and 64 samples spread over
 * the rest. Another training or quantization changes nearly every byte, so reading 17 MiB of many gigabytes is
 * enough. For a split model, the header is that of the first file, and all files are sampled.
 */
async function digestOf({ path, sizeBytes, parts }: Whereabouts): Promise<string> {
  const digest = createHash('sha256').update(`${sizeBytes} `)
  for (const [index, part] of splitFilePaths(path, parts).entries())
    await addFile(digest, part, index === 0 ? headBytes : sampleBytes)
  return digest.digest('hex')
}

/** Add the size of a file, its first `head` bytes and samples of the rest to a digest. */
async function addFile(digest: Hash, path: string, head: number): Promise<void> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    digest.update(`${size}\n`)
    const add = async (at: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, at)
      digest.update(buffer.subarray(0, bytesRead))
    }
    await add(0, Math.min(size, head))
    const step = (size - head - sampleBytes) / (samples - 1)
    const count = step > 0 ? samples : 0
    for (let sample = 0; sample < count; sample++) {
      await add(Math.floor(head + sample * step), sampleBytes)
    }
  } finally {
    await file.close()
  }
}
