import fs from 'node:fs'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Asar } from '../builder.ts'

/**
 * Let plain Node read files in an archive as Electron does: `fs.readFile` and imports treat the archive as a
 * folder, and files that are marked as unpacked come from the folder beside it (Electron:
 * docs/tutorial/asar-archives.md). Only what the start of Talaria uses works. `replacements` are the
 * addresses of modules that replace others.
 */
export function readArchive(archive: string, asar: Asar, replacements: Record<string, string>): void {
  const inside = (path: unknown) =>
    typeof path === 'string' && path.startsWith(archive + '/') ? path.slice(archive.length + 1) : undefined
  const names = new Set(asar.listPackage(archive, {}).map(name => name.replaceAll('\\', '/').slice(1)))
  const unpacked = (name: string) => join(`${archive}.unpacked`, name)
  const missing = (path: string) => Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' })
  const read = (name: string) => {
    if (!names.has(name)) throw missing(name)
    return asar.extractFile(archive, name)
  }

  const { existsSync, readFileSync } = fs
  const { readFile, realpath } = fs.promises
  fs.existsSync = path => {
    const name = inside(path)
    return name === undefined ? existsSync(path) : names.has(name)
  }
  fs.readFileSync = ((path: string, options?: unknown) => {
    const name = inside(path)
    if (name === undefined) return readFileSync(path, options as 'utf8')
    return options ? read(name).toString('utf8') : read(name)
  }) as typeof fs.readFileSync
  fs.promises.readFile = (async (path: string, options?: unknown) => {
    const name = inside(path)
    if (name === undefined) return readFile(path, options as 'utf8')
    return options ? read(name).toString('utf8') : read(name)
  }) as typeof fs.promises.readFile
  fs.promises.realpath = (async (path: string) => {
    const name = inside(path)
    if (name === undefined) return realpath(path)
    if (!names.has(name)) throw missing(path)
    return path
  }) as typeof fs.promises.realpath
  syncBuiltinESMExports()

  registerHooks({
    resolve(specifier, context, next) {
      const replacement = replacements[specifier]
      if (replacement !== undefined) return { url: replacement, shortCircuit: true }
      if (specifier.startsWith(pathToFileURL(archive).href)) return { url: specifier, shortCircuit: true }
      const parent = context.parentURL?.startsWith('file:')
        ? inside(fileURLToPath(context.parentURL))
        : undefined
      if (parent === undefined) return next(specifier, context)
      if (specifier.startsWith('.'))
        return { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
      // Packages are all unpacked, so the real file system finds them.
      return next(specifier, { ...context, parentURL: pathToFileURL(unpacked(parent)).href })
    },
    load(url, context, next) {
      const name = url.startsWith('file:') ? inside(fileURLToPath(url)) : undefined
      if (name === undefined) return next(url, context)
      return { format: 'module', source: read(name), shortCircuit: true }
    },
  })
}
