import type { Llama } from 'node-llama-cpp'
import { backendNames, hasRealCard } from './backends.ts'
import type { Backend, GpuChoice } from './backends.ts'
import type { RuntimeFacts } from './protocol.ts'

/** The native library and its recent log messages. The reason of a failure appears only there. */
export type Runtime = { llama: Llama; complaints: string[] }

/** A graphics card was requested, but no usable one exists. */
export class NoCardError extends Error {}

const keptComplaints = 20
let opened: { gpu: GpuChoice; runtime: Promise<Runtime> } | undefined

/**
 * Open the native library. A process opens it once and keeps it open: closing can hang after a failed load,
 * and the memory is in the models anyway. Throws a `NoCardError` if it finds only a software renderer, or not
 * the card that the user named.
 */
export function openRuntime(gpu: GpuChoice): Promise<Runtime> {
  if (opened?.gpu !== gpu) {
    const runtime = open(gpu)
    const attempt = { gpu, runtime }
    opened = attempt
    runtime.catch(() => {
      if (opened === attempt) opened = undefined
    })
  }
  return opened.runtime
}

async function open(gpu: GpuChoice): Promise<Runtime> {
  const { getLlama, LlamaLogLevel, NoBinaryFoundError } = await import('node-llama-cpp')
  const complaints: string[] = []
  const llama = await getLlama({
    gpu: gpu === 'off' ? false : gpu,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    // Never more than the engine sets: with more threads than cores, decoding becomes a hundred times slower.
    maxThreads: 1,
    logLevel: LlamaLogLevel.warn,
    logger: (level, message) => {
      complaints.push(`${level}: ${message.trim()}`)
      complaints.splice(0, complaints.length - keptComplaints)
    },
  }).catch((error: unknown) => {
    // A binary whose driver is missing cannot be loaded, which looks like a missing binary.
    if (gpu !== 'off' && error instanceof NoBinaryFoundError) throw new NoCardError(doesNotWork(gpu))
    throw error
  })
  if (gpu === 'off') return { llama, complaints }
  if (llama.gpu === false) {
    if (gpu === 'auto') return { llama, complaints }
    throw new NoCardError(doesNotWork(gpu))
  }
  const devices = await llama.getGpuDeviceNames()
  if (hasRealCard(devices)) return { llama, complaints }
  throw new NoCardError(
    devices.length === 0
      ? `${backendNames[llama.gpu]} finds no graphics card.`
      : `${devices.join(', ')} is no graphics card but the processor.`,
  )
}

const doesNotWork = (gpu: 'auto' | Backend): string =>
  `${gpu === 'auto' ? 'A graphics card' : backendNames[gpu]} does not work here; its driver may be missing.`

/** Return the facts about the library that are known without a model. */
export async function describeRuntime({ llama }: Runtime): Promise<RuntimeFacts> {
  const { gpu } = llama
  const memory = gpu === false ? { total: 0, free: 0 } : await llama.getVramState()
  return {
    backend: gpu === false ? 'cpu' : gpu,
    devices: gpu === false ? [] : await llama.getGpuDeviceNames(),
    totalBytes: memory.total,
    freeBytes: memory.free,
    release: llama.llamaCppRelease.release,
    system: llama.systemInfo.trim(),
  }
}
