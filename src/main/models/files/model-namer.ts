import { basename, dirname } from 'node:path'
import { modelFileName, visionBeside } from './model-paths.ts'
import { isOllamaBlob, readOllamaStore, type OllamaModel } from './ollama-store.ts'

/** The display name of a file, and its image projector; empty when there is none. */
export type NamedFile = { name: string; vision: string }

/**
 * Create a function that finds the display names of models. Most file names are usable. Ollama's blobs are named in
 * its manifests, which are read once per store and again for an unknown blob.
 */
export function createModelNamer(): (path: string) => Promise<NamedFile> {
  const stores = new Map<string, Map<string, OllamaModel>>()

  async function inStore(path: string): Promise<OllamaModel | undefined> {
    const folder = dirname(dirname(path))
    const known = stores.get(folder)?.get(path)
    if (known) return known
    const models = new Map<string, OllamaModel>()
    // Several names may refer to one file; the first will do.
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
