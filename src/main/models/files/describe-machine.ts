import { statfs, readFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import { dirname } from 'node:path'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Gpu, Machine } from '../../../shared/contract/models/model.ts'

/** The memory that decides which model sizes run well here, in bytes. */
type Room = {
  totalBytes: number
  /** Free memory now, and free memory after the loaded model is unloaded. */
  freeBytes: number
  availableBytes: number
  gpu: Gpu | null
}

/** Maximum share of memory for the model. The rest is for its context, the system and other programs. */
const SHARE = { total: 0.6, available: 0.8, gpu: 0.75 }
/** Minimum size of a useful model. */
const USEFUL = 0.4e9

/** Describe this computer: the facts that decide which models run. */
export async function describeMachine(
  room: Room,
  processor: Processor,
  modelsFolder: string,
  cores = availableParallelism(),
): Promise<Machine> {
  const comfortableBytes = largestComfortable(room, cores)
  return {
    cpu: processor.name,
    cores,
    instructions: processor.instructions,
    totalBytes: room.totalBytes,
    freeBytes: room.freeBytes,
    diskFreeBytes: await freeOnDisk(modelsFolder),
    modelsFolder,
    gpu: room.gpu,
    words: describeCapacity(room, { comfortable: comfortableBytes, most: largestThatFits(room) }, processor),
    comfortableBytes,
  }
}

/** Return the size of the largest model file that fits, in bytes. */
function largestThatFits({ totalBytes, availableBytes, gpu }: Omit<Room, 'freeBytes'>): number {
  const memory = Math.min(totalBytes * SHARE.total, availableBytes * SHARE.available)
  // Even with a card smaller than main memory, models that fit the card run best.
  const card = gpu ? gpu.totalBytes * SHARE.gpu : 0
  return Math.floor(card > USEFUL ? card : memory)
}

/** Return the largest size of a model file that runs well, in bytes: it fits, and is read fast enough. */
function largestComfortable(room: Omit<Room, 'freeBytes'>, cores: number): number {
  const most = largestThatFits(room)
  if (hasCard(room)) return most
  return Math.floor(Math.min(most, weightBytesPerSecond(cores) / PACE.fair))
}

const hasCard = ({ gpu }: Pick<Room, 'gpu'>) => gpu !== null && gpu.totalBytes * SHARE.gpu > USEFUL

/** Say in one sentence for the user which models run well here. */
function describeCapacity(
  room: Pick<Room, 'gpu'>,
  { comfortable: well, most }: { comfortable: number; most: number },
  { instructions }: Pick<Processor, 'instructions'>,
): string {
  if (most < USEFUL)
    return 'Little memory is free: only very small models run here. A model on a server can do more.'
  if (hasCard(room)) return `Models of up to about ${gigabytes(most)} run fully on the graphics card.`
  const isOld = process.arch === 'x64' && instructions.length > 0 && !instructions.includes('AVX2')
  if (isOld)
    return `Models of up to about ${gigabytes(most)} run here, but slowly, because the processor is old and lacks AVX2.`
  const larger = most > well * 1.5 ? `; larger ones, up to about ${gigabytes(most)}, answer slowly` : ''
  return `Models of up to about ${gigabytes(well)} run well here, on the processor${larger}.`
}

/** Format bytes in the unit used for file sizes. */
function gigabytes(bytes: number): string {
  const size = bytes / 1e9
  return `${size < 10 ? Math.floor(size * 10) / 10 : Math.floor(size)} GB`
}

/** Return how many bytes the user may still write to the disk of a folder, existing or not; 0 if unknown. */
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

/** Bytes of weights that a core reads per second, and the core count beyond which memory is the limit. */
const EACH_CORE = 4e9
const MOST_CORES = 12

/** Minimum tokens per second for a model to be quick, pleasant, or usable. */
export const PACE = { quick: 8, fair: 3.5, slow: 1.5 } as const

/**
 * Estimate the bytes of weights that this processor reads per second. Every token requires reading all active
 * weights once.
 */
export const weightBytesPerSecond = (cores = availableParallelism()): number =>
  Math.min(cores, MOST_CORES) * EACH_CORE

/** A processor's name, and the instruction sets it supports that matter for models. */
export type Processor = { name: string; instructions: string[] }

/** Instruction sets in display order. A row applies if the system lists one of its words. */
const WORDS: readonly (readonly [shown: string, ...words: string[]])[] = [
  ['AVX', 'avx', 'avx1.0'],
  ['AVX2', 'avx2'],
  ['FMA', 'fma'],
  ['F16C', 'f16c'],
  ['AVX-VNNI', 'avx_vnni'],
  ['AVX-512', 'avx512f'],
  ['AVX-512 VNNI', 'avx512_vnni', 'avx512vnni'],
  ['AVX-512 BF16', 'avx512_bf16'],
  ['AMX', 'amx_int8'],
  ['NEON', 'asimd', 'hw.optional.neon'],
  ['FP16', 'asimdhp', 'hw.optional.arm.feat_fp16'],
  ['DotProd', 'asimddp', 'hw.optional.arm.feat_dotprod'],
  ['I8MM', 'i8mm', 'hw.optional.arm.feat_i8mm'],
  ['BF16', 'bf16', 'hw.optional.arm.feat_bf16'],
  ['SVE', 'sve'],
  ['SVE2', 'sve2'],
  ['SME', 'sme', 'hw.optional.arm.feat_sme'],
]

/** Identify the processor. The instruction sets are empty if the system cannot report them cheaply. */
export async function readProcessor(tell = whatSystemTells): Promise<Processor> {
  const told = await tell()
  const name = cpus()[0]?.model.trim() ?? ''
  const isNamed = name !== '' && name !== 'unknown'
  return {
    name: isNamed ? name : (nameIn(told) ?? `${process.arch} processor`),
    instructions: instructionsIn(told),
  }
}

async function whatSystemTells(): Promise<string> {
  if (process.platform === 'linux') return readFile('/proc/cpuinfo', 'utf8').catch(() => '')
  if (process.platform !== 'darwin') return ''
  const names = ['machdep.cpu.features', 'machdep.cpu.leaf7_features', 'hw.optional']
  // sysctl fails if one name is unknown, but has printed the others by then.
  const asked = promisify(execFile)('/usr/sbin/sysctl', names, { timeout: 2_000 })
  return asked.then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => error.stdout ?? '',
  )
}

/** Parse the instruction sets from Linux's `/proc/cpuinfo` or macOS's `sysctl`. */
function instructionsIn(text: string): string[] {
  const lines = text.toLowerCase().split('\n')
  const words = new Set(
    lines.flatMap(line => {
      const [, key = '', value = ''] = /^([^:]+?)\s*:\s*(.*)$/.exec(line) ?? []
      if (/^(flags|features|machdep\.cpu\..*features)$/.test(key)) return value.split(/\s+/)
      return key.startsWith('hw.optional.') && value === '1' ? [key] : []
    }),
  )
  return WORDS.filter(([, ...each]) => each.some(word => words.has(word))).map(([shown]) => shown)
}

const nameIn = (text: string): string | undefined =>
  /^(?:model name|hardware|model)\s*:\s*(.+)$/im.exec(text)?.[1]?.trim()
