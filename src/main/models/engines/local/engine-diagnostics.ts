import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, availableParallelism, cpus, freemem, platform, release, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import type { EngineInfo, EngineState } from '../../../../shared/contract/models/model.ts'
import type { Backend } from './process/backends.ts'
import { formatBytes } from '../../../../shared/text/amounts.ts'
import type { EngineSettings } from './planning/plan-load.ts'
import type { Loaded, RuntimeFacts } from './process/protocol.ts'

type Known = {
  runtime: RuntimeFacts | undefined
  loaded: Loaded | undefined
  state: EngineState
  settings: EngineSettings
  /** The reason the graphics card is not used. */
  trouble: string | null
  installed: readonly Backend[]
}

/** Describe the engine in a few lines for a bug report: no paths, no model names, no texts. */
export async function collectDiagnostics(known: Known): Promise<Pick<EngineInfo, 'library' | 'diagnostics'>> {
  const { runtime, loaded, state, settings, trouble, installed } = known
  const library = `node-llama-cpp ${await version()}${runtime ? ` with llama.cpp ${runtime.release}` : ''}`
  const lines: [string, string | number | undefined][] = [
    ['Engine', library],
    ['System', `${platform()} ${release()} ${arch()}, Node ${process.versions.node}`],
    ['Processor', `${cpus()[0]?.model.trim() ?? 'unknown'}, ${availableParallelism()} threads`],
    ['Instructions', runtime?.system],
    ['Memory', `${formatBytes(freemem())} free of ${formatBytes(totalmem())}`],
    ['Installed for', installed.join(', ')],
    ['Runs on', loaded?.backend ?? runtime?.backend ?? 'nothing: the engine does not start'],
    ['Graphics cards', runtime && runtime.devices.length > 0 ? cards(runtime) : 'none in use'],
    ['Graphics card trouble', trouble ?? undefined],
    [
      'Settings',
      Object.entries(settings)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
    ],
    [
      'State',
      `${state.phase}, ${state.hosting === 'process' ? 'in a process of its own' : 'inside the host'}`,
    ],
    ['Model', loaded && describeLoaded(loaded)],
  ]
  const diagnostics = lines
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
  return { library, diagnostics }
}

const cards = ({ devices, freeBytes, totalBytes }: RuntimeFacts): string =>
  `${devices.join(', ')} (${formatBytes(freeBytes)} free of ${formatBytes(totalBytes)})`

const describeLoaded = ({ contextTokens, sequences, threads, gpuLayers }: Loaded): string =>
  `context ${contextTokens}, ${sequences} chats at once, ${threads} threads, ` +
  `${gpuLayers} layers on the graphics card`

/** Read the version from the library's package.json: loading it would bring native code into the host. */
async function version(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('node-llama-cpp')
  const text = await readFile(join(dirname(entry), '../package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
