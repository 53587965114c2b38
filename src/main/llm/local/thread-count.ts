import { availableParallelism } from 'node:os'

/** More threads than this hardly help: decoding waits for memory. */
const most = 16

/**
 * Threads for the engine. One core is left for the rest of the machine, and there are never more threads than cores: a
 * single one too many makes decoding a hundred times slower.
 */
export function threadCount(wish: 'auto' | number, cores: number = availableParallelism()): number {
  if (wish === 'auto') return Math.min(Math.max(cores - 1, 1), most)
  return Math.min(Math.max(Math.floor(wish), 1), cores)
}
