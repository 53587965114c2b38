import { statfs } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import type { Gpu, Machine } from '../../shared/contract/model.ts'
import { PACE, weightBytesPerSecond } from '../llm/reading-speed.ts'
import type { Processor } from './processor.ts'

/** What decides about the size of the models that run well here, in bytes. */
export type Room = {
  totalBytes: number
  /** Free now, and free as soon as the model that is loaded has made room. */
  freeBytes: number
  availableBytes: number
  gpu: Gpu | null
}

/** So much of the memory is for a model; the rest is for its context, for the system and for what people work with. */
const SHARE = { total: 0.6, available: 0.8, gpu: 0.75 }
/** A model below this is one to play with. */
const USEFUL = 0.4e9

/** Describe this computer as far as it decides which models run. */
export async function describeMachine(
  room: Room,
  processor: Processor,
  modelsFolder: string,
): Promise<Machine> {
  const comfortableBytes = comfortable(room)
  return {
    cpu: processor.name,
    cores: availableParallelism(),
    instructions: processor.instructions,
    totalBytes: room.totalBytes,
    freeBytes: room.freeBytes,
    diskFreeBytes: await freeOnDisk(modelsFolder),
    modelsFolder,
    gpu: room.gpu,
    words: inWords(room, { comfortable: comfortableBytes, most: holds(room) }, processor),
    comfortableBytes,
  }
}

/** Model files up to so many bytes can be held. */
export function holds({ totalBytes, availableBytes, gpu }: Omit<Room, 'freeBytes'>): number {
  const memory = Math.min(totalBytes * SHARE.total, availableBytes * SHARE.available)
  // A card that is smaller than what the processor can hold still makes more of its models.
  const card = gpu ? gpu.totalBytes * SHARE.gpu : 0
  return Math.floor(card > USEFUL ? card : memory)
}

/** Model files up to so many bytes run well: they can be held, and a processor reads them fast enough. */
export function comfortable(room: Omit<Room, 'freeBytes'>, cores = availableParallelism()): number {
  const most = holds(room)
  if (hasCard(room)) return most
  return Math.floor(Math.min(most, weightBytesPerSecond(cores) / PACE.fair))
}

const hasCard = ({ gpu }: Pick<Room, 'gpu'>) => gpu !== null && gpu.totalBytes * SHARE.gpu > USEFUL

/** One sentence for a person: which models run well here. */
export function inWords(
  room: Pick<Room, 'gpu'>,
  { comfortable: well, most }: { comfortable: number; most: number },
  { instructions }: Pick<Processor, 'instructions'>,
): string {
  if (most < USEFUL)
    return 'Little memory is free here: only very small models run, and a server can do more.'
  if (hasCard(room)) return `Models of up to about ${gigabytes(most)} run fully on the graphics card.`
  const isOld = process.arch === 'x64' && instructions.length > 0 && !instructions.includes('AVX2')
  if (isOld)
    return `Models of up to about ${gigabytes(most)} run here, but slowly, because the processor is an old one without AVX2.`
  const larger = most > well * 1.5 ? `; larger ones, up to about ${gigabytes(most)}, answer slowly` : ''
  return `Models of up to about ${gigabytes(well)} run well here, on the processor${larger}.`
}

/** In the unit in which sizes of files are told. */
function gigabytes(bytes: number): string {
  const size = bytes / 1e9
  return `${size < 10 ? Math.floor(size * 10) / 10 : Math.floor(size)} GB`
}

/** What a person may still write to the disk of a folder, which need not exist yet; 0 when that cannot be told. */
async function freeOnDisk(folder: string): Promise<number> {
  for (let at = folder; ; at = dirname(at)) {
    try {
      const { bavail, bsize } = await statfs(at)
      return bavail * bsize
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
      if (error.code !== 'ENOENT' || dirname(at) === at) return 0
    }
  }
}
