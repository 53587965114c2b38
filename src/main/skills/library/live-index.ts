import type { FoundSkill, SkillRoot } from '../types.ts'
import { inBursts } from './bursts.ts'
import { loadCache, saveCache } from './cache-file.ts'
import type { Reader } from './entry.ts'
import { emptyIndex, lookOver, type Index, type Listed } from './look-over.ts'
import { shadowsOf } from './precedence.ts'
import { watchFolders } from './watch-folders.ts'

/** All skills as they were found last, in the ways that they are asked for. */
export type View = {
  /** Counts up with every change that shows. */
  version: number
  /** By precedence, then by path. */
  skills: readonly Listed[]
  byName: readonly Listed[]
  byId: ReadonlyMap<string, Listed>
  /** Which skill is used instead of another, by id. */
  shadows: ReadonlyMap<string, string>
  /** Names of skills that ship or were imported. */
  originals: ReadonlySet<string>
  unreadable: readonly { path: string; reason: string }[]
}

/** The index over the roots, kept in memory and in a file. */
export type Shelf = {
  /** What there is, by a look at the disk that is at most a moment old. */
  look(): View
  /** What there is now. */
  lookAgain(): View
  /** Believe nothing that was seen. */
  forget(): void
  /** Something that belongs to the entries was found out. */
  keep(): void
  close(): void
}

type Parts = {
  roots(): SkillRoot[]
  cacheFile: string
  edition: string
  reader: Reader
  /** Watch, and tell what changes. */
  lives: boolean
  /** Skills are there, or have changed. */
  onSkills(skills: readonly Listed[]): void
  /** Something has changed since somebody looked. */
  onNews(): void
  report(error: unknown): void
}

/** So long is believed what was seen, in milliseconds. */
const CHECK_MS = 1_000
/** A look checks so many folders before it answers; of larger libraries the rest follows when there is time. */
const AT_ONCE = 1_500
/** So long is worked at a stretch when nobody waits, in milliseconds. */
const STRETCH_MS = 8
/** What was written just now is read once more after this time, because times of files are coarse. */
const SETTLE_MS = 2_500
const SAVE = { quiet: 1_500, most: 20_000 }

/** Nothing is read before the first look. */
export function openShelf(parts: Parts): Shelf {
  const { roots, cacheFile, edition, reader, lives, onSkills, onNews, report } = parts
  let index: Index | undefined
  let view = viewOf(emptyIndex(), 0)
  let looking: Generator<void, Index, void> | undefined
  let checkedAt = 0
  let next: NodeJS.Immediate | undefined
  let settling: NodeJS.Timeout | undefined
  let isSettling = false
  let isUnsaved = false
  let isForgotten = false
  let isClosed = false
  const saving = inBursts(save, SAVE)
  const watching = lives ? watchFolders(lookOnTheSide, report) : undefined

  function save(): void {
    if (!isUnsaved || !index) return
    isUnsaved = false
    try {
      saveCache(cacheFile, edition, index.nodes)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error
      report(error)
    }
  }

  function keep(): void {
    isUnsaved = true
    if (lives && !isClosed) saving.wish()
  }

  function begin(): Generator<void, Index, void> {
    return lookOver(roots(), index ?? emptyIndex(loadCache(cacheFile, edition)), reader)
  }

  /** Go on until `isEnough`; whether all was looked at. After a failure it begins anew. */
  function advance(isEnough: () => boolean): boolean {
    const going = looking ?? begin()
    looking = undefined
    while (!isEnough()) {
      const step = going.next()
      if (step.done) {
        finish(step.value)
        return true
      }
    }
    looking = going
    return false
  }

  function finish(found: Index): void {
    const isFirst = index === undefined
    index = found
    checkedAt = performance.now()
    if (found.isRead || found.isNews || isFirst) {
      view = viewOf(found, found.isNews || isFirst ? view.version + 1 : view.version)
      watching?.follow(
        roots().map(root => root.folder),
        foldersOf(found),
      )
      keep()
      onSkills(view.skills)
    }
    if (found.isNews && !isFirst) onNews()
    const isUnsettled = found.skills.some(({ entry }) => !entry.settled)
    if (lives && isUnsettled && !isSettling) {
      isSettling = true
      settling ??= setTimeout(settle, SETTLE_MS).unref()
    } else isSettling = false
  }

  function settle(): void {
    settling = undefined
    lookOnTheSide()
  }

  /** Look over everything bit by bit while nobody waits for it. */
  function lookOnTheSide(): void {
    if (!isClosed) next ??= setImmediate(stretch).unref()
  }

  function stretch(): void {
    next = undefined
    const end = performance.now() + STRETCH_MS
    try {
      if (!advance(() => performance.now() > end)) lookOnTheSide()
    } catch (error) {
      report(error)
    }
  }

  function lookAgain(): View {
    if (isClosed) return view
    looking = undefined
    isForgotten = false
    advance(() => false)
    return view
  }

  return {
    look() {
      if (index === undefined || isForgotten) return lookAgain()
      if (isClosed || performance.now() - checkedAt < CHECK_MS) return view
      let left = AT_ONCE
      if (!advance(() => left-- === 0)) lookOnTheSide()
      return view
    },
    lookAgain,
    forget() {
      isForgotten = true
    },
    keep,
    close() {
      if (isClosed) return
      isClosed = true
      clearImmediate(next)
      clearTimeout(settling)
      saving.end()
      watching?.close()
      save()
    },
  }
}

function viewOf({ skills, unreadable }: Index, version: number): View {
  const isOriginal = ({ root }: FoundSkill) => root.kind === 'imported' || root.kind === 'bundled'
  return {
    version,
    skills,
    byName: skills
      .map(listed => ({ listed, name: listed.found.name.toLowerCase() }))
      .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
      .map(({ listed }) => listed),
    byId: new Map(skills.map(listed => [listed.found.id, listed])),
    shadows: shadowsOf(skills),
    originals: new Set(
      skills
        .map(each => each.found)
        .filter(isOriginal)
        .map(each => each.name),
    ),
    unreadable,
  }
}

/** All folders that something may change in, each with what tells it from another that takes its place. */
function foldersOf({ nodes }: Index): Map<string, string> {
  const folders = new Map<string, string>()
  const identity = (stamp: string) => stamp.slice(stamp.lastIndexOf('/') + 1)
  for (const [folder, { stamp, entry }] of nodes) {
    folders.set(folder, identity(stamp))
    for (const each of entry?.folders ?? [])
      if (each.path !== '') folders.set(`${folder}/${each.path}`, identity(each.stamp))
  }
  return folders
}
