import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { EngineInfo } from '../../../../../shared/contract/models/model.ts'

/** A compute back end of the native library. */
export type Backend = EngineInfo['backend']
/** The user's choice of back end. */
export type GpuChoice = 'auto' | 'off' | 'cuda' | 'vulkan' | 'metal'

/** Display names of the back ends. */
export const backendNames = { cpu: 'The processor', cuda: 'CUDA', vulkan: 'Vulkan', metal: 'Metal' } as const

/** The packages with binaries, by platform and processor, and their back ends. */
const packages: Record<string, Record<string, readonly Backend[]>> = {
  'linux-x64': { 'linux-x64': ['cpu'], 'linux-x64-cuda': ['cuda'], 'linux-x64-vulkan': ['vulkan'] },
  'linux-arm64': { 'linux-arm64': ['cpu'] },
  'linux-riscv64': { 'linux-riscv64': ['cpu'] },
  'linux-arm': { 'linux-armv7l': ['cpu'] },
  'win32-x64': { 'win-x64': ['cpu'], 'win-x64-cuda': ['cuda'], 'win-x64-vulkan': ['vulkan'] },
  'win32-arm64': { 'win-arm64': ['cpu'] },
  'darwin-arm64': { 'mac-arm64-metal': ['cpu', 'metal'] },
  'darwin-x64': { 'mac-x64': ['cpu'] },
}

let found: readonly Backend[] | undefined

/** Return the back ends whose binaries are installed. Looked up once, without running any of them. */
export function installedBackends(): readonly Backend[] {
  const here = packages[`${process.platform}-${process.arch}`] ?? {}
  found ??= Object.entries(here).flatMap(([name, backends]) => (hasBinaries(name) ? backends : []))
  return found
}

/** Whether a package contains its binaries. An installation may leave them out. */
function hasBinaries(name: string): boolean {
  try {
    const entry = createRequire(import.meta.url).resolve(`@node-llama-cpp/${name}`)
    return readdirSync(join(dirname(entry), '../bins')).length > 0
  } catch {
    return false
  }
}

/** Software renderers that pose as graphics cards and are slower than the processor itself. */
const software = /llvmpipe|lavapipe|swiftshader|softpipe|swrast|software|basic render|\bcpu\b/i

/** Whether any of these devices is a real graphics card. */
export const hasRealCard = (devices: readonly string[]): boolean => devices.some(name => !software.test(name))
