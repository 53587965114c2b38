import { stat, open } from 'node:fs/promises'
import { sep } from 'node:path'
import { createHash } from 'node:crypto'
import type { Fit, FoundFile, Model } from '../../../shared/contract/models/model.ts'
import { Fault } from '../../../shared/rpc.ts'
import { describeFile, type ReadFacts } from '../describe-model.ts'
import { isFailure } from '../interface/engine.ts'
import { splitFilePaths, type GgufFacts } from '../engines/local/gguf/read-gguf.ts'
import { findModelFiles, firstPart, isVisionName, realPathOf, resolveTypedPath } from './model-paths.ts'
import { createModelNamer, readOllamaStore } from './model-namer.ts'
import { appFolders, type AppFolder, type AppPlaces } from './app-folders.ts'

/** Maximum levels of subfolders to search: maker, model and file are two. */
const DEPTH = 3

type Parts = {
  models: { list(): Promise<Model[]> }
  factsOf: ReadFacts<GgufFacts>
  fitOf: (facts: GgufFacts) => Promise<Fit>
  places: AppPlaces
}

/** Inspects model files that are not in the model list or not under this path. */
type FileInspector = {
  look(typed: string): Promise<FoundFile[]>
  scanApps(): Promise<{ files: FoundFile[]; looked: string[] }>
}

/** Create an inspector. It caches only the names of files. */
export function createFileInspector({ models, factsOf, fitOf, places }: Parts): FileInspector {
  const nameOf = createModelNamer()

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

  /** Inspect files one after another, because a slow disk does not get faster in parallel. */
  async function foundAll(paths: readonly (readonly [path: string, app: string])[]): Promise<FoundFile[]> {
    const known = await knownModels(models)
    const files: FoundFile[] = []
    for (const [path, app] of paths) files.push(await found(path, known, app))
    return files
  }

  async function look(typed: string): Promise<FoundFile[]> {
    const path = resolveTypedPath(typed)
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

const onlyVision = 'This file only lets a model see images. Add the model file beside it instead.'

async function filesIn({ folder, keeps }: AppFolder): Promise<string[]> {
  if (keeps === 'files') return findModelFiles(folder, DEPTH)
  const models = await readOllamaStore(folder)
  return models.map(model => model.path)
}

/** A listed model, with its real path for comparison. */
type Known = { model: Model; real: string }

async function knownModels(models: Parts['models']): Promise<Known[]> {
  const local = (await models.list()).filter(model => model.file !== null)
  return Promise.all(local.map(async model => ({ model, real: await realPathOf(model.file?.path ?? '') })))
}

/**
 * Find the model with the same content, preferably one in Talaria’s own folder. Sizes are compared first, so
 * that hardly any file is read.
 */
async function copyAmong(
  known: readonly Known[],
  { path, sizeBytes, parts }: GgufFacts,
): Promise<Known | undefined> {
  const alike = known.filter(each => each.model.problem === null && each.model.sizeBytes === sizeBytes)
  if (alike.length === 0) return undefined
  const mark = await contentMark(splitFilePaths(path, parts))
  const isOwned = ({ model }: Known) => Number(model.file?.owned ?? false)
  for (const each of alike.toSorted((a, b) => isOwned(b) - isOwned(a)))
    // Do not use real paths: the target of a link may have any name, and parts are found by name.
    if (mark !== '' && (await markOfModel(each.model)) === mark) return each
  return undefined
}

const markOfModel = async ({ file }: Model) =>
  file ? contentMark(splitFilePaths(file.path, file.parts)) : ''

const SAMPLES = 64
const SAMPLE_BYTES = 16 * 1_024

/**
 * Compute a fingerprint of a model's content, to compare models of the same size: a digest of samples from
 * each of its files, spread from start to end. Models with the same mark are almost certainly identical. Only
 * a megabyte per file is read. Empty if a file cannot be read.
 */
async function contentMark(paths: readonly string[]): Promise<string> {
  const marks: string[] = []
  for (const path of paths) marks.push(await markOfFile(path))
  return marks.includes('') ? '' : createHash('sha256').update(marks.join()).digest('hex')
}

async function markOfFile(path: string): Promise<string> {
  let file
  try {
    file = await open(path)
    const { size } = await file.stat()
    const digest = createHash('sha256').update(String(size))
    const buffer = Buffer.alloc(SAMPLE_BYTES)
    const last = Math.max(0, size - SAMPLE_BYTES)
    for (let sample = 0; sample < SAMPLES; sample++) {
      const at = Math.floor((last * sample) / (SAMPLES - 1))
      const { bytesRead } = await file.read(buffer, 0, SAMPLE_BYTES, at)
      digest.update(buffer.subarray(0, bytesRead))
      if (last === 0) break
    }
    return digest.digest('hex')
  } catch (error) {
    if (error instanceof Error && 'code' in error) return ''
    throw error
  } finally {
    await file?.close()
  }
}
