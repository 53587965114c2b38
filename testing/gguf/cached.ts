import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeRandomGguf } from './random.ts'
import type { RandomGgufOptions } from './random.ts'
import { makeRecurrentGguf } from './recurrent.ts'
import { makeScriptedGguf } from './scripted.ts'
import type { ScriptedGgufOptions } from './scripted.ts'

/** The path of a random model, written once per machine and reused. Do not modify the file. */
export const randomModel = (options: RandomGgufOptions = {}): string =>
  once('random', options, path => makeRandomGguf(path, options))

/** The path of a scripted model, written once per machine and reused. Do not modify the file. */
export const scriptedModel = (options: ScriptedGgufOptions = {}): string =>
  once('scripted', options, path => makeScriptedGguf(path, options))

/** The path of a tiny recurrent model, written once per machine and reused. Do not modify the file. */
export const recurrentModel = (): string => once('recurrent', {}, makeRecurrentGguf)

function once(kind: string, options: object, write: (path: string) => void): string {
  const folder = join(tmpdir(), 'talaria-test-models')
  const key = createHash('sha256')
    .update(writers())
    .update(JSON.stringify(options))
    .digest('hex')
    .slice(0, 16)
  const path = join(folder, `${kind}-${key}.gguf`)
  if (existsSync(path)) return path
  mkdirSync(folder, { recursive: true })
  // Several test processes may write the same model at once; the last one replaces an identical file.
  const unfinished = `${path}.${process.pid}`
  write(unfinished)
  renameSync(unfinished, path)
  return path
}

let source: string | undefined

/** The code that writes the models, so that changing it creates new files. */
function writers(): string {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  source ??= readdirSync(folder)
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .toSorted()
    .map(name => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
  return source
}
