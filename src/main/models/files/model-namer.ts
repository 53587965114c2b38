import { basename, dirname, join } from 'node:path'
import { readdir, readFile } from 'node:fs/promises'
import { z } from 'zod'
import { modelFileName, visionBeside } from './model-paths.ts'
import { parseJson } from '../../lib/expected-errors.ts'

/** The display name of a file, and its image projector; empty if there is none. */
type NamedFile = { name: string; vision: string }

/**
 * Create a function that finds the display names of models. Most file names are usable. Ollama's blobs are
 * named in its manifests, which are read once per store and again for an unknown blob.
 */
export function createModelNamer(): (path: string) => Promise<NamedFile> {
  const stores = new Map<string, Map<string, OllamaModel>>()

  async function inStore(path: string): Promise<OllamaModel | undefined> {
    const folder = dirname(dirname(path))
    const known = stores.get(folder)?.get(path)
    if (known) return known
    const models = new Map<string, OllamaModel>()
    // Several names may refer to one file. Use the first.
    for (const model of await readOllamaStore(folder))
      if (!models.has(model.path)) models.set(model.path, model)
    stores.set(folder, models)
    return models.get(path)
  }

  return async path => {
    if (isOllamaBlob(path)) {
      const model = await inStore(path)
      return { name: model?.name ?? basename(path).slice(0, 19), vision: model?.vision ?? '' }
    }
    const own = modelFileName(path)
    // Jan keeps every model in its own folder under the same file name.
    const name = own.toLowerCase() === 'model' ? basename(dirname(path)) || own : own
    return { name, vision: await visionBeside(path) }
  }
}

/** A model in Ollama's store, where files are named by digest. `vision` is empty without image support. */
type OllamaModel = { name: string; path: string; vision: string }

const Manifest = z.object({
  layers: z.array(z.object({ mediaType: z.string(), digest: z.string() })),
})
const DIGEST = /^sha256[:-]([0-9a-f]{64})$/
/** The namespace to omit from display names. */
const OFFICIAL = 'library'

/** Whether a file is named like an Ollama blob. */
const isOllamaBlob = (path: string): boolean =>
  DIGEST.test(basename(path)) && basename(dirname(path)) === 'blobs'

/** Read the models in an Ollama folder from its manifests; empty for any other folder. */
export async function readOllamaStore(folder: string): Promise<OllamaModel[]> {
  const models: OllamaModel[] = []
  // Path levels: registry, maker, model, tag.
  for (const registry of await namesIn(join(folder, 'manifests')))
    for (const maker of await namesIn(join(folder, 'manifests', registry)))
      for (const model of await namesIn(join(folder, 'manifests', registry, maker)))
        for (const tag of await namesIn(join(folder, 'manifests', registry, maker, model))) {
          const path = join(folder, 'manifests', registry, maker, model, tag)
          const name = `${maker === OFFICIAL ? '' : `${maker}/`}${model}:${tag}`
          const files = await filesOf(path, join(folder, 'blobs'))
          if (files) models.push({ name, ...files })
        }
  return models.toSorted((a, b) => a.name.localeCompare(b.name))
}

async function filesOf(manifest: string, blobs: string): Promise<Omit<OllamaModel, 'name'> | undefined> {
  const text = await readFile(manifest, 'utf8').catch(() => '')
  const read = Manifest.safeParse(parseJson(text))
  if (!read.success) return undefined
  const blobOf = (kind: string) => {
    const layer = read.data.layers.find(each => each.mediaType === `application/vnd.ollama.image.${kind}`)
    const [, digest] = DIGEST.exec(layer?.digest ?? '') ?? []
    return digest === undefined ? '' : join(blobs, `sha256-${digest}`)
  }
  const path = blobOf('model')
  return path === '' ? undefined : { path, vision: blobOf('projector') }
}

async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter(name => !name.startsWith('.'))
}
