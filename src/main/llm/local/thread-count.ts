import { availableParallelism } from 'node:os'

/** More threads than this hardly help: decoding waits for memory. */
const most = 16

/**
 * The most threads for the engine, which it also begins with: one for each fast core. There are never more threads than
 * cores: a single one too many makes decoding a hundred times slower. `fastCores` leaves out what shares a core with
 * another or is built to save power, because all threads wait for the slowest.
 */
export function threadCount(
  wish: 'auto' | number,
  { fastCores, cores = availableParallelism() }: { fastCores: number; cores?: number },
): number {
  if (wish === 'auto') return Math.max(1, Math.min(cores, fastCores, most))
  return Math.min(Math.max(Math.floor(wish), 1), cores)
}
