import { posix } from 'node:path'

/** A file of the project: its path from the root, with forward slashes, and its text. */
export type Source = { path: string; text: string }
type Layers = Record<string, readonly string[]>

const webServers = ['node:http', 'node:https', 'node:http2']

/** Every import that `layers` do not allow, as `file → imported file`. */
export function wrongImports(sources: readonly Source[], layers: Layers): string[] {
  return sources.flatMap(({ path, text }) => {
    const layer = layerOf(path, layers)
    if (layer === undefined) return [`${path} is in a folder that has no layer`]
    const room = roomOf(path, layers)
    const values = new Set(valuesOf(path, text))
    return importsOf(path, text)
      .filter(target => roomOf(target, layers) !== room)
      .filter(target => !layers[layer]!.some(entry => allows(entry, target, !values.has(target))))
      .map(target => `${path} → ${target}`)
  })
}

/** Import cycles, one line for each cycle that a walk from the first file finds. */
export function importCycles(sources: readonly Source[]): string[] {
  const known = new Set(sources.map(({ path }) => path))
  const edges = new Map(
    sources.map(({ path, text }) => [path, importsOf(path, text).filter(target => known.has(target))]),
  )
  const cycles: string[] = []
  const done = new Set<string>()
  const trail: string[] = []

  function visit(path: string) {
    const at = trail.indexOf(path)
    if (at >= 0) cycles.push([...trail.slice(at), path].join(' → '))
    if (at >= 0 || done.has(path)) return
    trail.push(path)
    for (const next of edges.get(path)!) visit(next)
    trail.pop()
    done.add(path)
  }
  for (const path of edges.keys()) visit(path)
  return cycles
}

/**
 * Entries that name a single file of another folder, as `layer → entry`: the file is misplaced, or the whole
 * folder may be used.
 */
export const singleFiles = (layers: Layers): string[] =>
  Object.entries(layers).flatMap(([layer, entries]) => {
    const folder = /\.tsx?$/.test(layer) ? posix.dirname(layer) : layer
    return entries
      .filter(entry => /\.tsx?$/.test(entry) && posix.dirname(entry.replace(/^type /, '')) !== folder)
      .map(entry => `${layer} → ${entry}`)
  })

/**
 * Imports that point upwards, including types: the imported layer itself reaches the importing layer. Each is
 * written as `layer → layer: an importing file`. Layers within one folder of the host, or within the window,
 * may import each other.
 */
export function upwardImports(sources: readonly Source[], layers: Layers): string[] {
  const edges = new Map<string, Map<string, string>>()
  for (const { path, text } of sources) {
    const from = layerOf(path, layers)!
    for (const to of importsOf(path, text).map(target => layerOf(target, layers)))
      if (to !== undefined && to !== from)
        edges.set(from, (edges.get(from) ?? new Map<string, string>()).set(to, path))
  }
  function reaches(from: string, goal: string, seen = new Set<string>()): boolean {
    if (from === goal) return true
    if (seen.has(from)) return false
    seen.add(from)
    return [...(edges.get(from) ?? [])].some(([to]) => reaches(to, goal, seen))
  }
  const partOf = (layer: string) => /^src\/(?:main\/[^/]+|[^/]+)/.exec(layer)?.[0]
  return [...edges].flatMap(([from, targets]) =>
    [...targets]
      .filter(([to]) => partOf(to) !== partOf(from) && reaches(to, from))
      .map(([to, path]) => `${from} → ${to}: ${path}`),
  )
}

/** Files of more than `max` lines, as `file: lines`. */
export const tooLong = (sources: readonly Source[], max: number): string[] =>
  sources
    .map(({ path, text }) => ({ path, lines: text.replace(/\n$/, '').split('\n').length }))
    .filter(({ lines }) => lines > max)
    .map(({ path, lines }) => `${path}: ${lines} lines`)

/** The imports of a file, including types: packages by name, files by their path from the root. */
export function importsOf(path: string, text: string): string[] {
  const names = [
    // Only characters that an import can have between its keyword and `from`, so that no other line matches.
    ...text.matchAll(/^[ \t]*(?:import|export)\s+(?:[\w$\s{},*]+?\s*from\s*)?['"]([^'"\n]+)['"]/gm),
    ...text.matchAll(/\b(?:import|require)\(\s*['"]([^'"\n]+)['"]/g),
  ].map(match => match[1]!)
  return names.map(name => (name.startsWith('.') ? posix.join(posix.dirname(path), name) : name))
}

/** The group of a file: its layer, or its feature. Files of one group may import each other. */
function roomOf(path: string, layers: Layers): string | undefined {
  const layer = layerOf(path, layers)
  if (!layer?.endsWith('/features')) return layer
  return path
    .split('/')
    .slice(0, layer.split('/').length + 1)
    .join('/')
}

/** The longest folder among the layers that contains a file. */
const layerOf = (path: string, layers: Layers) =>
  Object.keys(layers)
    .filter(folder => holds(folder, path))
    .toSorted((a, b) => b.length - a.length)[0]

const holds = (folder: string, path: string) => path === folder || path.startsWith(`${folder}/`)

/** The imports of a file without `import type`, which is not part of the running program. */
const valuesOf = (path: string, text: string) =>
  importsOf(
    path,
    text.replaceAll(/^[ \t]*(?:import|export) type\s[\w$\s{},*]+?\s*from\s*['"][^'"\n]+['"]/gm, ''),
  )

function allows(entry: string, target: string, isOnlyType: boolean): boolean {
  if (entry.startsWith('type ')) return isOnlyType && allows(entry.slice('type '.length), target, true)
  if (entry === 'node') return target.startsWith('node:') && !webServers.includes(target)
  if (entry.endsWith('/*')) return posix.dirname(target) === entry.slice(0, -2)
  return holds(entry, target)
}
