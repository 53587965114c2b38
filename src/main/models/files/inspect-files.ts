import { stat } from 'node:fs/promises'
import { sep } from 'node:path'
import type { Fit, FoundFile, Model } from '../../shared/contract/model.ts'
import { Fault } from '../../shared/rpc.ts'
import { describeFile, type ReadFacts } from '../llm/describe-model.ts'
import { isFailure } from '../llm/engine.ts'
import { partsOf, type GgufFacts } from '../llm/local/gguf-file.ts'
import { findModelFiles, firstPart, isVisionName, realPathOf, resolveTyped } from '../llm/model-files.ts'
import { createNames } from '../llm/model-names.ts'
import { readOllamaStore } from '../llm/ollama-store.ts'
import { appFolders, type AppFolder, type AppPlaces } from './app-folders.ts'
import { contentMark } from './content-mark.ts'

/** Levels of folders below the one that is looked into: maker, model and file are two. */
const DEPTH = 3

type Parts = {
  models: { list(): Promise<Model[]> }
  factsOf: ReadFacts<GgufFacts>
  fitOf: (facts: GgufFacts) => Promise<Fit>
  places: AppPlaces
}

/** Looks at model files that are not in the list of models, or not under this path. */
export type Looking = {
  look(typed: string): Promise<FoundFile[]>
  scanApps(): Promise<{ files: FoundFile[]; looked: string[] }>
}

/** Make what looks at files. Nothing is remembered but how files are called. */
export function createLooking({ models, factsOf, fitOf, places }: Parts): Looking {
  const nameOf = createNames()

  async function found(path: string, known: Known[], app = ''): Promise<FoundFile> {
    const [{ name, vision }, facts] = await Promise.all([nameOf(path), factsOf(path)])
    const real = await realPathOf(path)
    const same = known.find(each => each.real === real)
    const base = { path, name, app, knownAs: same?.model.id ?? null }
    if (isFailure(facts)) {
      const sizeBytes = (await stat(path).catch(() => undefined))?.size ?? 0
      const problem = isVisionName(path) ? onlyVision : `${facts.text} ${facts.fix}`
      return { ...base, sizeBytes, parts: 1, copyOf: null, problem, file: null, fit: null }
    }
    const { sizeBytes, parts } = facts
    const copy = same ? undefined : await copyAmong(known, facts)
    const owned = same?.model.file?.owned ?? false
    return {
      ...base,
      sizeBytes,
      parts,
      copyOf: copy?.model.id ?? null,
      problem: null,
      file: describeFile(path, facts, { owned, vision }),
      fit: await fitOf(facts),
    }
  }

  /** One after another: what lies on a slow disk is not read faster all at once. */
  async function foundAll(paths: readonly (readonly [path: string, app: string])[]): Promise<FoundFile[]> {
    const known = await knownModels(models)
    const files: FoundFile[] = []
    for (const [path, app] of paths) files.push(await found(path, known, app))
    return files
  }

  async function look(typed: string): Promise<FoundFile[]> {
    const path = resolveTyped(typed)
    const stats = await stat(path).catch(() => undefined)
    if (!stats) throw new Fault('not_found', `There is nothing at ${path}.`)
    const paths = stats.isDirectory() ? await findModelFiles(path, DEPTH) : [firstPart(path)]
    return foundAll(paths.map(each => [each, '']))
  }

  async function scanApps() {
    const folders = await appFolders(places)
    const seen = new Map<string, readonly [path: string, app: string]>()
    for (const folder of folders) {
      for (const path of await filesIn(folder)) {
        const real = await realPathOf(path)
        if (!seen.has(real)) seen.set(real, [path, folder.app])
      }
    }
    const { home } = places
    const shown = (path: string) => (path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path)
    return {
      files: await foundAll([...seen.values()]),
      looked: folders.map(({ app, folder }) => `${app}: ${shown(folder)}`),
    }
  }

  return { look, scanApps }
}

const onlyVision =
  'This file lets a model see images, and is none by itself. Add the model that it lies beside.'

async function filesIn({ folder, keeps }: AppFolder): Promise<string[]> {
  if (keeps === 'files') return findModelFiles(folder, DEPTH)
  const models = await readOllamaStore(folder)
  return models.map(model => model.path)
}

/** A model that is in the list, as far as it can be compared with. */
type Known = { model: Model; real: string }

async function knownModels(models: Parts['models']): Promise<Known[]> {
  const local = (await models.list()).filter(model => model.file !== null)
  return Promise.all(local.map(async model => ({ model, real: await realPathOf(model.file?.path ?? '') })))
}

/**
 * The model whose file has the same content, one of Talaria’s own if there is one. Sizes are compared first, so that hardly
 * any file is read for it.
 */
async function copyAmong(
  known: readonly Known[],
  { path, sizeBytes, parts }: GgufFacts,
): Promise<Known | undefined> {
  const alike = known.filter(each => each.model.problem === null && each.model.sizeBytes === sizeBytes)
  if (alike.length === 0) return undefined
  const mark = await contentMark(partsOf(path, parts))
  const isOwned = ({ model }: Known) => Number(model.file?.owned ?? false)
  for (const each of alike.toSorted((a, b) => isOwned(b) - isOwned(a)))
    // Not the real paths: what a link leads to may be called anything, and the parts are found by their names.
    if (mark !== '' && (await markOfModel(each.model)) === mark) return each
  return undefined
}

const markOfModel = async ({ file }: Model) => (file ? contentMark(partsOf(file.path, file.parts)) : '')
