import { freemem, totalmem } from 'node:os'
import type { EngineFailure } from '../engine.ts'
import { batchTokens } from './protocol.ts'
import type { GgufFacts } from './gguf-file.ts'

/** How a model is fitted into the memory of this machine. */
export type MemoryPlan = { sequences: number; mapFile: boolean }

/** Node, the native library and its small buffers. */
const processBytes = 150 << 20
const wantedSequences = 2

/**
 * Decide how many conversations a model may hold and how its file is read, or say that it does not fit. The estimate is
 * the weights, the context, and the scores of one batch over the whole vocabulary.
 */
export function planMemory(
  facts: GgufFacts,
  contextTokens: number,
  availableBytes: number,
): MemoryPlan | EngineFailure {
  const needed = (sequences: number) =>
    processBytes +
    facts.sizeBytes +
    contextTokens * sequences * facts.contextBytesPerToken +
    batchTokens * facts.vocabularySize * 4
  for (let sequences = wantedSequences; sequences >= 1; sequences--) {
    // A copy of the weights is faster to start and half the size of a mapped file that is repacked, but the system
    // cannot take it back when memory gets short.
    if (needed(sequences) <= availableBytes)
      return { sequences, mapFile: needed(sequences) > availableBytes * 0.8 }
  }
  return {
    code: 'out_of_memory',
    text: `${facts.path} needs about ${gigabytes(needed(1))} of memory, and ${gigabytes(availableBytes)} are free.`,
    fix: 'Close other programs, choose a smaller model, or lower the context size in the settings.',
  }
}

/** Memory that a new process could use, in bytes; containers may have less than the machine. */
export function availableMemory(): number {
  if (process.platform === 'linux') return process.availableMemory()
  // macOS counts its caches as used, so what is free says little there.
  return process.platform === 'darwin' ? totalmem() * 0.75 : freemem()
}

const gigabytes = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GiB`
