import { basename, dirname } from 'node:path'
import { modelFileName, visionBeside } from './model-files.ts'
import { isOllamaBlob, readOllamaStore, type OllamaModel } from './ollama-store.ts'

/** What a person calls a file, and the projector for images that belongs to it, or an empty text. */
export type NamedFile = { name: string; vision: string }

/**
 * Make what finds out how models are called. Most files say it by their names; of those of Ollama only its manifests know,
 * which are read once for each store and again when one has come that they did not know.
 */
export function createNames(): (path: string) => Promise<NamedFile> {
  const stores = new Map<string, Map<string, OllamaModel>>()

  async function inStore(path: string): Promise<OllamaModel | undefined> {
    const folder = dirname(dirname(path))
    const known = stores.get(folder)?.get(path)
    if (known) return known
    const models = new Map<string, OllamaModel>()
    // Several names may stand for one file; the first is as good as the others.
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
    // Jan gives every model a folder of its own, and all files the same name.
    const name = own.toLowerCase() === 'model' ? basename(dirname(path)) || own : own
    return { name, vision: await visionBeside(path) }
  }
}
