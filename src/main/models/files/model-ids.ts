import { existsSync } from 'node:fs'
import { isAbsolute, join, relative, sep, win32 } from 'node:path'
import { resourcePath } from '../../lib/disk/shipped-files.ts'
import type { LocalModel } from '../describe-model.ts'
import { modelFileName } from './model-paths.ts'

/** The model that ships with Talaria. */
export const BUILTIN: LocalModel = {
  id: 'builtin',
  name: 'Built-in demo model',
  path: resourcePath(join('models', 'talaria-mini.gguf')),
  demo: true,
}

const FILE = 'file:'
const MODELS = 'models'

/** The ids of model files in one home folder. */
export type ModelIds = {
  /** Return the id of the model in a file. Below the home it is relative, so that a home can be moved. */
  idOf(this: void, path: string): string
  /** Return the current id for an id from an older version, or from when this home was elsewhere. */
  idNow(this: void, id: string): string
  /** Return the file for a model id, listed or not; undefined if the model is not local. */
  localOf(this: void, id: string): LocalModel | undefined
}

/** Create the ids for a home folder. `linked` are the absolute paths of its model files elsewhere. */
export function createModelIds(home: string, linked: () => readonly string[] = () => []): ModelIds {
  const ownFolder = join(home, MODELS)

  function idOf(path: string): string {
    const own = relative(ownFolder, path)
    const isOwn = own !== '' && own.split(sep)[0] !== '..' && !isAbsolute(own)
    return FILE + (isOwn ? [MODELS, ...own.split(sep)].join('/') : path)
  }

  function idNow(id: string): string {
    const path = pathIn(id)
    if (path === undefined || !isAbsolutePath(path)) return id
    const own = idOf(path)
    if (own !== id || linked().includes(path)) return own
    const moved = movedHere(path)
    return moved === undefined ? id : idOf(moved)
  }

  /**
   * Find the file of this home for a path below another home. The longest end of the path that starts with
   * `models` counts. If the old path still exists, it is a different file, unless it is in a home folder that
   * was copied to this one.
   */
  function movedHere(path: string): string | undefined {
    const names = path.split(/[/\\]/)
    for (const [at, name] of names.entries()) {
      const below = names.slice(at + 1)
      if (name !== MODELS || !isBelow(below)) continue
      const here = join(ownFolder, ...below)
      if (!existsSync(here)) continue
      const before = path.slice(0, names.slice(0, at).join('/').length) || sep
      return existsSync(path) && !isHome(before) ? undefined : here
    }
    return undefined
  }

  function localOf(given: string): LocalModel | undefined {
    if (given === BUILTIN.id) return BUILTIN
    const id = idNow(given)
    const path = pathIn(id)
    if (path === undefined) return undefined
    const [first, ...below] = path.split('/')
    if (first === MODELS && isBelow(below)) return fileModel(id, join(ownFolder, ...below))
    return isAbsolute(path) ? fileModel(id, path) : undefined
  }

  return { idOf, idNow, localOf }
}

const pathIn = (id: string) => (id.startsWith(FILE) ? id.slice(FILE.length) : undefined)

/** Whether names lead to something inside a folder, and not out of it. */
const isBelow = (names: readonly string[]) => names.length > 0 && !names.includes('') && !names.includes('..')

/** Accept paths of all systems: a home may have been moved from another one. */
const isAbsolutePath = (path: string) => isAbsolute(path) || win32.isAbsolute(path)

const isHome = (folder: string) => existsSync(join(folder, 'state.db')) || existsSync(join(folder, '.lock'))

const fileModel = (id: string, path: string): LocalModel => ({
  id,
  name: modelFileName(path),
  path,
  demo: false,
})

/** The settings that contain model ids. */
type NamingSettings = {
  default: string
  fast: string
  fallback: string[]
  auxiliary: Record<'summary' | 'draft' | 'recap' | 'vision', string>
  options: Record<string, unknown>
  mixtures?: { references: string[]; aggregator: string }[]
}

/** Create a reader that updates model ids in the settings. The file itself keeps them until it is changed. */
export function createSettingsReader<M extends NamingSettings>({ idNow }: ModelIds): (models: M) => M {
  let read: { of: M; now: M } | undefined
  return models => {
    if (read?.of === models) return read.now
    const { summary, draft, recap, vision } = models.auxiliary
    const now = {
      ...models,
      default: idNow(models.default),
      fast: idNow(models.fast),
      fallback: models.fallback.map(idNow),
      ...(models.mixtures && {
        mixtures: models.mixtures.map(each => ({
          ...each,
          references: each.references.map(idNow),
          aggregator: idNow(each.aggregator),
        })),
      }),
      auxiliary: {
        ...models.auxiliary,
        summary: idNow(summary),
        draft: idNow(draft),
        recap: idNow(recap),
        vision: idNow(vision),
      },
      // If both ids have options, those of the current id are newer.
      options: {
        ...Object.fromEntries(Object.entries(models.options).map(([id, each]) => [idNow(id), each])),
        ...Object.fromEntries(Object.entries(models.options).filter(([id]) => idNow(id) === id)),
      },
    }
    read = { of: models, now }
    return now
  }
}
