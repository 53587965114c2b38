import type { GlobList } from './read-globs.ts'

/** Decides by globs which files a search wants. Paths are relative to its folder, with forward slashes. */
export type GlobFilter = {
  /** Whether a file is searched. */
  wants(file: string): boolean
  /** Whether a folder may contain a wanted file. */
  reaches(folder: string): boolean
  /** Whether a glob spells out the name of a file or folder, so that it is searched even if it is ignored. */
  names(path: string): boolean
}

type Segment = { isAny: boolean; fits(name: string): boolean; says(name: string): boolean }
type Glob = { segments: readonly Segment[] }
/** The state of matching a glob along a path: positions between its segments, and whether it matches. */
type Progress = { positions: readonly number[]; named: boolean; fits: boolean }

/** Create the filter for a list of globs. Without included globs, it wants all that is not excluded. */
export function globFilter({ included, excluded }: GlobList): GlobFilter {
  const wanted = included.map(readGlob)
  const unwanted = excluded.map(readGlob)
  const follow = remembered(wanted)
  const followUnwanted = remembered(unwanted)
  const isExcluded = (path: string) => followUnwanted(path).some(each => each.fits)
  return {
    wants: file => (wanted.length === 0 || follow(file).some(each => each.fits)) && !isExcluded(file),
    reaches: folder =>
      (wanted.length === 0 || follow(folder).some(each => each.fits || each.positions.length > 0)) &&
      !isExcluded(folder),
    names: path => follow(path).some(each => each.named),
  }
}

/** Read a glob as `.gitignore` does: without a slash, it matches names at any depth. */
function readGlob(glob: string): Glob {
  const names = glob.split('/').filter(name => name !== '')
  const isAnywhere = !glob.replace(/(?<!\/)\/+$/, '').includes('/')
  const segments = (isAnywhere ? ['**', ...names] : names).map(readSegment)
  return { segments }
}

function readSegment(text: string): Segment {
  if (/^\*\*+$/.test(text)) return { isAny: true, fits: () => true, says: () => false }
  const plain = text.replaceAll(/\\(.)/g, '$1').toLowerCase()
  const expression = segmentExpression(text)
  const isSaid = /[\p{L}\p{N}]/u.test(text.replaceAll(/\[[^\]]*\]/g, ''))
  return {
    isAny: false,
    // A name such as `[id].tsx` may contain glob characters.
    fits: name => expression.test(name) || name.toLowerCase() === plain,
    says: name => isSaid || (text.startsWith('.') && name.startsWith('.')),
  }
}

function segmentExpression(text: string): RegExp {
  const source = text.replaceAll(/\\.|\*+|\?|\[(?<not>[!^]?)(?<set>\]?[^\]]*)\]|[^]/gsu, (found, ...rest) => {
    const { not, set } = rest.at(-1) as { not?: string; set?: string }
    if (set !== undefined && set !== '')
      return `[${not === '' ? '' : '^'}${set.replaceAll(/[\\[\]^]/g, String.raw`\$&`)}]`
    if (/^\*+$/.test(found)) return '.*'
    if (found === '?') return '.'
    const char = found.length > 1 && found.startsWith('\\') ? found.slice(1) : found
    return char.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
  })
  try {
    return new RegExp(`^${source}$`, 'isu')
  } catch (error) {
    // A set such as `[z-a]` matches nothing, but the literal name still does.
    if (error instanceof SyntaxError) return /(?!)/
    throw error
  }
}

const START: Progress = { positions: [0], named: false, fits: false }

/** Match globs along a path. Remembers the state of a folder, because its files come in a row. */
function remembered(globs: readonly Glob[]): (path: string) => readonly Progress[] {
  const starts = globs.map(() => START)
  const known = new Map<string, readonly Progress[]>()
  function follow(path: string, keep: boolean): readonly Progress[] {
    if (path === '') return starts
    const found = known.get(path)
    if (found) return found
    const cut = path.lastIndexOf('/')
    const above = follow(path.slice(0, Math.max(0, cut)), true)
    const name = path.slice(cut + 1).normalize('NFC')
    const progress = globs.map((glob, at) => step(glob, above[at]!, name))
    if (keep) {
      if (known.size > 1_000) known.clear()
      known.set(path, progress)
    }
    return progress
  }
  return path => (globs.length === 0 ? [] : follow(path, false))
}

function step({ segments }: Glob, before: Progress, name: string): Progress {
  // A glob that matches a folder covers everything in it.
  if (before.fits) return { positions: [], named: false, fits: true }
  const after = new Set<number>()
  let named = false
  for (const position of withSkipped(segments, before.positions)) {
    const segment = segments[position]
    if (!segment?.fits(name)) continue
    if (segment.isAny) after.add(position)
    else {
      after.add(position + 1)
      named ||= segment.says(name)
    }
  }
  const positions = [...after]
  // A `**` at the end matches what is in a folder, not the folder: `src/**`.
  const fits = positions.some(
    position =>
      position === segments.length || (position === segments.length - 1 && segments[position]!.isAny),
  )
  return { positions, named, fits }
}

/** Add the positions after each `**`, which may match no folder at all. */
function withSkipped(segments: readonly Segment[], positions: readonly number[]): Set<number> {
  const all = new Set<number>()
  for (const position of positions) {
    all.add(position)
    for (let at = position; segments[at]?.isAny; at += 1) all.add(at + 1)
  }
  return all
}
