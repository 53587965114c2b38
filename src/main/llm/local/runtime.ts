import type { Llama } from 'node-llama-cpp'

/** The native library, and what it said lately: the reason of a failure stands nowhere else. */
export type Runtime = { llama: Llama; complaints: string[] }

const keptComplaints = 20
let opened: { gpu: boolean; runtime: Promise<Runtime> } | undefined

/**
 * Open the native library. A process has one, and it stays open: closing it can hang after a load that failed, and the
 * models are what takes memory.
 */
export function openRuntime(gpu: boolean): Promise<Runtime> {
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

async function open(gpu: boolean): Promise<Runtime> {
  const { getLlama, LlamaLogLevel } = await import('node-llama-cpp')
  const complaints: string[] = []
  const llama = await getLlama({
    gpu: gpu ? 'auto' : false,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    // Never more than was asked for: beyond the cores of the machine, decoding becomes a hundred times slower.
    maxThreads: 1,
    logLevel: LlamaLogLevel.warn,
    logger: (level, message) => {
      complaints.push(`${level}: ${message.trim()}`)
      complaints.splice(0, complaints.length - keptComplaints)
    },
  })
  return { llama, complaints }
}
