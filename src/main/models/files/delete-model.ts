import { rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Model } from '../../../shared/contract/model.ts'
import { Fault } from '../../../shared/rpc.ts'
import { reasonOf } from '../../lib/expected-errors.ts'
import { allPartPaths } from './model-paths.ts'

/**
 * Delete a model in Talaria’s own folder: all its parts, its projector if no other model uses it, and its folder if
 * that is empty then. Throws a Fault that names what could not be deleted. The model then stays listed, so the user
 * can try again.
 */
export async function deleteModel(model: Model, others: readonly Model[], ownFolder: string): Promise<void> {
  const { file } = model
  if (!file?.owned) {
    const text = `${model.name} does not lie in Talaria’s own folder. Take it off the list instead; its file stays.`
    throw new Fault('bad_input', text)
  }
  // The first part goes last, because without it the other parts would not be listed any more.
  for (const part of allPartPaths(file.path).toReversed()) await remove(part)
  const isShared = others.some(other => other.id !== model.id && other.file?.vision === file.vision)
  if (file.vision !== '' && !isShared) await remove(file.vision)
  const folder = dirname(file.path)
  if (folder !== join(ownFolder)) await rmdir(folder).catch(ignoreFull)
}

async function remove(path: string): Promise<void> {
  try {
    await rm(path, { force: true })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new Fault('not_ready', `${basename(path)} cannot be deleted: ${reasonOf(String(error.code))}.`)
  }
}

/** The folder contains other files. */
function ignoreFull(error: unknown): void {
  if (!(error instanceof Error && 'code' in error)) throw error
}
