import { isMap, isScalar, type Document } from 'yaml'

/** Changes a document of version `n` (its place in the list, from 1) into one of version `n + 1`. */
export type ConfigMigration = (document: Document) => void

/** Version 2 names the graphics interface instead of yes or no; yes becomes `auto`. */
const nameGpu: ConfigMigration = document => {
  const gpu = document.getIn(['engine', 'gpu'], true)
  if (isScalar(gpu) && typeof gpu.value === 'boolean') gpu.value = gpu.value ? 'auto' : 'off'
}

/** Version 3 calls the tool-call format of a model `format`, which was `dialect`. */
const nameFormat: ConfigMigration = document => {
  const options = document.getIn(['models', 'options'], true)
  if (!isMap(options)) return
  for (const { value: model } of options.items) {
    if (!isMap(model) || model.has('format')) continue
    for (const { key } of model.items) if (isScalar(key) && key.value === 'dialect') key.value = 'format'
  }
}

/** One entry for each step between two versions, from the first on. */
export const configMigrations: readonly ConfigMigration[] = [nameGpu, nameFormat]

/**
 * Bring a document up to the newest version, in place. Returns the version it had, or undefined when there was nothing
 * to do; a file without `config_version` was written by hand and counts as new.
 */
export function migrateConfig(
  document: Document,
  migrations: readonly ConfigMigration[],
): number | undefined {
  const newest = migrations.length + 1
  const version: unknown = document.toJS()?.config_version
  if (!Number.isInteger(version) || (version as number) < 1 || (version as number) >= newest) return undefined
  for (const migrate of migrations.slice((version as number) - 1)) migrate(document)
  document.set('config_version', newest)
  return version as number
}
