import { debounce, letOthersRun } from '../../lib/timing.ts'
import { watchFolders } from '../../lib/disk/watch-folders.ts'
import { fileErrorCode } from '../../lib/expected-errors.ts'
import type { FoundSkill, SkillRoot, Unreadable } from '../skill-types.ts'
import { loadCache, saveCache } from './walk-roots.ts'
import type { Reader } from './cached-skill.ts'
import { emptyIndex, indexRoots, type Index, type Listed, hiddenByName } from './index-roots.ts'

/** The last known skills, ordered and indexed for lookups. */
export type View = {
  /** Increases with every visible change. */
  version: number
  /** Ordered by precedence, then by path. */
  skills: readonly Listed[]
  byName: readonly Listed[]
  byId: ReadonlyMap<string, Listed>
  /** Hidden skills by id, with the id of the skill that is used under the same name. */
  shadows: ReadonlyMap<string, string>
  /** Names of bundled and imported skills. */
  originals: ReadonlySet<string>
  unreadable: readonly Unreadable[]
}

/** The index of all skills, in memory and in a cache file. */
export type LiveIndex = {
  /** The skills from a check of the disk that is at most `CHECK_MS` old. */
  current(): View
  /** The skills from the latest check of the disk. Checks now if there was none, or after `invalidate`. */
  known(): View
  /** Check the disk as `current` does, in slices, while other work continues. `known` then has the result. */
  caughtUp(): Promise<void>
  /** The skills from a full check of the disk now. */
  refresh(): View
  /** Check the whole disk at the next call. The caller announces the change, so `onNews` is not called. */
  invalidate(): void
  /** Save the cache file soon, because an entry has new results. */
  scheduleSave(): void
  close(): void
}

type Parts = {
  roots(): SkillRoot[]
  cacheFile: string
  edition: string
  reader: Reader
  /** Called with all skills after they were read or changed. */
  onSkills(skills: readonly Listed[]): void
  /** Called after a visible change. */
  onNews(): void
  report(error: unknown): void
}

/** How long a check of the disk counts as current, in ms. */
const CHECK_MS = 1_000
/** How many folders to check before answering; the rest of a larger library is checked in the background. */
const AT_ONCE = 300
/** Longest slice of work without yielding, in ms. */
const SLICE_MS = 5
/** How long to wait before reading a fresh file again, because file times are coarse, in ms. */
const SETTLE_MS = 2_500
const SAVE = { idleMs: 1_500, maxMs: 20_000 }

/** Open the index. Nothing is read until it is first used. */
export function openLiveIndex(parts: Parts): LiveIndex {
  const { roots, cacheFile, edition, reader, onSkills, onNews, report } = parts
  let index: Index | undefined
  let view = viewOf(emptyIndex(), 0)
  let looking: Generator<void, Index, void> | undefined
  let checkedAt = 0
  let next: NodeJS.Immediate | undefined
  let settling: NodeJS.Timeout | undefined
  let isSettling = false
  let isUnsaved = false
  let isStale = false
  let isClosed = false
  let catching: Promise<void> | undefined
  const saving = debounce(save, SAVE)
  const watching = watchFolders(indexInBackground, report)

  function save(): void {
    if (!isUnsaved || !index) return
    isUnsaved = false
    try {
      saveCache(cacheFile, edition, index.nodes)
    } catch (error) {
      fileErrorCode(error)
      report(error)
    }
  }

  function scheduleSave(): void {
    isUnsaved = true
    if (!isClosed) saving.request()
  }

  function begin(): Generator<void, Index, void> {
    return indexRoots(roots(), index ?? emptyIndex(loadCache(cacheFile, edition)), reader)
  }

  /** Continue until `isEnough`. Returns whether all folders are checked. A failure makes it start over. */
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
      watching.follow(
        roots().map(root => root.folder),
        foldersOf(found),
      )
      scheduleSave()
      onSkills(view.skills)
    }
    // After `invalidate` the caller has announced the change itself.
    if (found.isNews && !isFirst && !isStale) onNews()
    const isUnsettled = found.skills.some(({ entry }) => !entry.settled)
    if (isUnsettled && !isSettling) {
      isSettling = true
      settling ??= setTimeout(settle, SETTLE_MS).unref()
    } else isSettling = false
  }

  function settle(): void {
    settling = undefined
    indexInBackground()
  }

  /** Check all folders in the background, in small slices. */
  function indexInBackground(): void {
    if (!isClosed) next ??= setImmediate(runSlice).unref()
  }

  function runSlice(): void {
    next = undefined
    // Two readers of the same disk would slow each other down. Later changes are read afterwards.
    if (catching) {
      void catching.then(indexInBackground, indexInBackground)
      return
    }
    const end = performance.now() + SLICE_MS
    try {
      if (!advance(() => performance.now() > end)) indexInBackground()
    } catch (error) {
      report(error)
    }
  }

  const isCurrent = () =>
    isClosed || (index !== undefined && !isStale && performance.now() - checkedAt < CHECK_MS)

  async function catchUp(): Promise<void> {
    while (!isCurrent()) {
      const end = performance.now() + SLICE_MS
      if (advance(() => performance.now() > end)) isStale = false
      else await letOthersRun()
    }
  }

  function refresh(): View {
    if (isClosed) return view
    looking = undefined
    advance(() => false)
    isStale = false
    return view
  }

  return {
    current() {
      if (index === undefined || isStale) return refresh()
      if (isCurrent()) return view
      let left = AT_ONCE
      if (!advance(() => left-- === 0)) indexInBackground()
      return view
    },
    known: () => (index === undefined || isStale ? refresh() : view),
    caughtUp: () => (catching ??= catchUp().finally(() => (catching = undefined))),
    refresh,
    invalidate() {
      isStale = true
      // The part of the disk read so far may be older than the change.
      looking = undefined
    },
    scheduleSave,
    close() {
      if (isClosed) return
      isClosed = true
      clearImmediate(next)
      clearTimeout(settling)
      saving.cancel()
      watching.close()
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
    shadows: hiddenByName(skills),
    originals: new Set(
      skills
        .map(each => each.found)
        .filter(isOriginal)
        .map(each => each.name),
    ),
    unreadable,
  }
}

/** All folders to watch. Each has an identity that changes if another folder takes its name. */
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
