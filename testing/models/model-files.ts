import { copyFile, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { randomModel } from '../../../testing/gguf/cached.ts'
import type { EngineState } from '../../shared/contract/model.ts'
import { Fault } from '../../shared/rpc.ts'
import type { FitRoom } from '../llm/local/fit.ts'
import { readGguf } from '../llm/local/gguf-file.ts'
import type { OptionsEntry } from '../llm/model-options.ts'
import { createModels } from '../llm/models.ts'
import { scriptedEngine } from '../llm/scripted.ts'
import { openModelFiles } from './open-model-files.ts'

export const TINY = randomModel({ preset: 'tiny' })
export const SMALL = randomModel({ preset: 'small', type: 'Q8_0' })
export const GB = 1e9

export const STOPPED: EngineState = {
  phase: 'stopped',
  modelId: null,
  modelName: '',
  progress: null,
  contextTokens: null,
  hosting: 'process',
  error: null,
  fix: null,
  fixes: [],
  notice: null,
}

/** A computer with 8 GB of memory, of which 6 GB are free. What it is like may be changed at any time. */
export type Computer = {
  /** A folder that `leave` takes away, with everything in it. */
  folder: string
  home: string
  settings: { default: string; files: string[]; options: Record<string, OptionsEntry> }
  engine: EngineState
  room: FitRoom
  leave(): Promise<void>
}

/** A computer on which nothing is set and nothing is loaded. */
export async function aComputer(): Promise<Computer> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'talaria-files-')))
  const home = join(folder, 'home')
  await mkdir(join(home, 'models'), { recursive: true })
  return {
    folder,
    home,
    settings: { default: 'builtin', files: [], options: {} },
    engine: STOPPED,
    room: { totalBytes: 8 * GB, availableBytes: 6 * GB, freedBytes: 0, gpu: null },
    leave: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Models and their files on that computer. */
export function aDeskOn(computer: Computer) {
  const models = createModels({
    home: computer.home,
    config: {
      get current() {
        return { models: computer.settings }
      },
      set: (path, value) => {
        computer.settings = { ...computer.settings, [path.slice('models.'.length)]: value ?? 'builtin' }
      },
    },
    servers: {
      list: () => [],
      has: () => false,
      engineFor: () => undefined,
      forget: async () => false,
    },
    local: {
      engine: model => scriptedEngine({ replies: [], modelId: model.id, name: model.name }),
      load: async () => undefined,
    },
    readGguf,
  })
  const files = openModelFiles({
    home: computer.home,
    models,
    readGguf,
    local: {
      get state() {
        return computer.engine
      },
      room: async () => computer.room,
    },
    settings: () => ({ context_tokens: 4_096 }),
    places: { home: join(computer.folder, 'person'), env: {}, platform: 'linux' },
  })
  return { models, files }
}

/** A copy of a file at a path, whose folders are made. */
export async function put(source: string, path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  await copyFile(source, path)
  return path
}

/** How work was refused; undefined when it was not. */
export const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof Fault ? `${error.code}: ${error.message}` : error),
  )
