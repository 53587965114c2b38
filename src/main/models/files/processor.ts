import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { promisify } from 'node:util'

/** A processor's name, and which of the instruction sets relevant for models it supports. */
export type Processor = { name: string; instructions: string[] }

/** In display order. A row counts when the system lists one of its words. */
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

/** Identify the processor. The instruction sets are empty where the system cannot report them cheaply. */
export async function readProcessor(): Promise<Processor> {
  const told = await whatSystemTells()
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
  // sysctl fails when one name is unknown, but has printed the others by then.
  const asked = promisify(execFile)('/usr/sbin/sysctl', names, { timeout: 2_000 })
  return asked.then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => error.stdout ?? '',
  )
}

/** Parse the instruction sets from Linux's `/proc/cpuinfo` or macOS's `sysctl`. */
export function instructionsIn(text: string): string[] {
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
