import { copyFile, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { randomModel } from '../gguf/cached.ts'
import type { EngineState } from '../../src/shared/contract/models/model.ts'
import { Fault } from '../../src/shared/rpc.ts'
import type { FitRoom } from '../../src/main/models/engines/local/planning/memory-fit.ts'
import { readGguf } from '../../src/main/models/engines/local/gguf/read-gguf.ts'
import type { OptionsEntry } from '../../src/main/models/model-options.ts'
import { createModelIds } from '../../src/main/models/files/model-ids.ts'
import { createModels } from '../../src/main/models/models.ts'
import { scriptedEngine } from './scripted.ts'
import { openModelFiles } from '../../src/main/models/files/open-model-files.ts'

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

/** A computer with 8 GB of memory, 6 GB of it free. Tests may change it at any time. */
export type Computer = {
  /** A folder that `leave` deletes with its contents. */
  folder: string
  home: string
  settings: { default: string; files: string[]; options: Record<string, OptionsEntry> }
  engine: EngineState
  room: FitRoom
  /** The graphics card that an earlier start found. */
  expectedGpu: FitRoom['gpu']
  leave(): Promise<void>
}

/** A computer with default settings and no loaded model. */
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
    expectedGpu: null,
    leave: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The models on that computer and their files. */
export function aDeskOn(computer: Computer) {
  const ids = createModelIds(computer.home, () => computer.settings.files)
  const models = createModels({
    home: computer.home,
    ids,
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
    ids,
    models,
    readGguf,
    local: {
      get state() {
        return computer.engine
      },
      room: async () => computer.room,
      expectedRoom: () => ({ ...computer.room, gpu: computer.expectedGpu, isExpected: true }),
    },
    settings: () => ({ context_tokens: 4_096 }),
    places: { home: join(computer.folder, 'person'), env: {}, platform: 'linux' },
  })
  return { models, files }
}

/** Copy a file to a path, creating its folders. */
export async function put(source: string, path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  await copyFile(source, path)
  return path
}

/** The Fault that work was rejected with; undefined if it succeeded. */
export const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof Fault ? `${error.code}: ${error.message}` : error),
  )
