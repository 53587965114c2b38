import { Fault } from '../../../shared/rpc.ts'
import type { Store } from '../../db/store.ts'
import { debounce, runInSlices, runToEnd } from '../../lib/timing.ts'
import type { Library, LibrarySkill, SkillRoot } from '../skill-types.ts'
import { describeSkill, isDangerous, originOf, type Surroundings } from './describe-skill.ts'
import { isAsRead, mainOf, readText } from './cached-skill.ts'
import { skillChecks, type SkillChecks, openSkillChecker, keepOverlaps } from './skill-checker.ts'
import { type Listed, firstOfNames, seenFrom, projectsOf } from './index-roots.ts'
import { looseName, nearNames } from '../../lib/words/similarity.ts'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { readInside } from './resolve-skill-path.ts'
import { realFolder } from './walk-skill.ts'
import { openLiveIndex, type View } from './live-index.ts'
import { publisherOf } from '../../lib/trusted-publishers.ts'

export type LibraryOptions = {
  /** Ordered by precedence. A missing folder is read once it appears. */
  roots(): SkillRoot[]
  /** Folders that chats work in. */
  projects(): string[]
  /** Folders whose skills may be used; their roots are included in `roots`. */
  trusted(): string[]
  /** Publishers whose imports are trusted; by default none. */
  publishers?(): readonly string[]
  store: Pick<Store['skills'], 'states' | 'tallies'>
  cacheFile: string
  /** The version that wrote the cache. A cache from another version is ignored. */
  edition?: string
  /** The number of tokens of a text. */
  count(text: string): number
  platform?: NodeJS.Platform
  toolsets(): readonly string[]
  /** Whether a key or program that a skill needs is present. By default all are. */
  isMet?: Surroundings['isMet']
  now(): number
  /** Called after changes, once for several. */
  onChange(): void
  report(error: unknown): void
  checks?: SkillChecks
}

/** Largest file that can be read from a skill, in bytes. */
const MOST_FILE_BYTES = 20_000_000
const MOST_NEAR = 5
const PUBLISH = { idleMs: 100, maxMs: 2_000 }
/** How long the skill counts of untrusted projects are cached, in ms. */
const COUNT_MS = 2_000

/** Open the library over its roots. Nothing is read until the first call. */
export function openLibrary(options: LibraryOptions): Library {
  const { store, report, now, checks = skillChecks, platform = process.platform } = options
  const publish = debounce(options.onChange, PUBLISH)
  const onNews = () => publish.request()
  const liveIndex = openLiveIndex({
    roots: options.roots,
    cacheFile: options.cacheFile,
    edition: options.edition ?? '',
    reader: { read: checks.read, count: options.count, report },
    report,
    onNews,
    onSkills: skills => checker.checkLater(doubtfulFirst(skills)),
  })
  const checker = openSkillChecker({
    scan: checks.scan,
    lint: checks.lint,
    warmUp: checks.warmUp,
    openScanner: checks.openScanner,
    report,
    onChecked: liveIndex.scheduleSave,
    onNews,
  })
  const overlaps = keepOverlaps(checks.overlaps, onNews, report)
  let counted: { at: number; projects: ReturnType<Library['projects']> } | undefined

  const mayBeBlocked = ({ found }: Listed, { states }: Pick<Surroundings, 'states'>) =>
    !['builtin', 'user'].includes(originOf(found, states.get(found.key)))

  function doubtfulFirst(skills: readonly Listed[]): Listed[] {
    const states = store.states()
    const isDoubtful = (skill: Listed) => mayBeBlocked(skill, { states })
    return [...skills.filter(isDoubtful), ...skills.filter(skill => !isDoubtful(skill))]
  }

  function around({ shadows, originals }: View, toolsets = options.toolsets()): Surroundings {
    return {
      states: store.states(),
      tallies: store.tallies(),
      shadows,
      originals,
      platform,
      toolsets: new Set(toolsets.map(each => each.toLowerCase())),
      policy: checks.policy,
      isMet: options.isMet ?? (() => true),
    }
  }

  /**
   * Add `attention` to skills, one per step. `skills` must include all skills that they are compared with.
   */
  function* completeSteps(
    skills: readonly Listed[],
    view: View,
    about: Surroundings,
  ): Generator<void, LibrarySkill[], void> {
    const all = []
    for (const listed of skills) {
      const skill = describeSkill(listed, about)
      const { last = [] } = about.tallies.get(skill.key) ?? {}
      const issues = listed.entry.looked?.issues ?? listed.found.text.issues
      all.push({ found: listed.found, skill, last, issues, isDangerous: isDangerous(listed, about) })
      yield
    }
    if (skills === view.byName) overlaps.follow(checks.compared(all), view.version)
    const attention = checks.attention(all, now(), overlaps.known())
    return all.map(({ found, skill }) => ({
      found,
      skill: { ...skill, attention: attention.get(skill.id) ?? [] },
    }))
  }

  const whole = (...given: Parameters<typeof completeSteps>) => runToEnd(completeSteps(...given))

  function one(listed: Listed, view: View, about: Surroundings): LibrarySkill {
    const { id } = listed.found
    const others = [about.shadows.get(id), ...(overlaps.known().get(id) ?? [])]
      .filter(other => other !== undefined && other !== id)
      .flatMap(other => view.byId.get(other!) ?? [])
    return whole([listed, ...others], view, about)[0]!
  }

  /** A skill as it is on the disk now. */
  function present(id: string): { listed: Listed; view: View } | undefined {
    let view = liveIndex.current()
    const known = view.byId.get(id)
    // An unknown id may be a new skill, and a known skill may have changed.
    if (!known || !isAsRead(known.found.folder, known.entry)) view = liveIndex.refresh()
    const listed = view.byId.get(id)
    return listed && { listed, view }
  }

  /** Why a model may not load a skill, as text. Scans the skill first if a finding could block it. */
  function whyNot(listed: Listed, view: View, about: Surroundings): string | undefined {
    if (mayBeBlocked(listed, about)) checker.checkNow(listed)
    const { name, enabled, unavailable, blocked } = describeSkill(listed, about)
    if (!enabled) return `The skill “${name}” is switched off.`
    if (blocked !== null)
      return `The skill “${name}” is kept back until a person has looked at it: ${blocked}`
    return unavailable === null ? undefined : `The skill “${name}” cannot be used here. ${unavailable}`
  }

  function forChat(workspace: string, toolsets?: readonly string[]): LibrarySkill[] {
    const view = liveIndex.current()
    const about = { ...around(view, toolsets), shadows: new Map<string, string>() }
    const offered = usedIn(workspace, view).filter(listed => {
      // A description alone can be an attack, so suspicious ones are scanned before they are listed.
      const isOpen = mayBeBlocked(listed, about) && !listed.entry.looked?.settled
      if (isOpen && checker.isSuspicious(listed)) {
        // A long skill is scanned in the background and listed after that.
        if (!checker.isQuick(listed)) return false
        checker.checkNow(listed)
      }
      const { enabled, unavailable, blocked } = describeSkill(listed, about)
      return enabled && unavailable === null && blocked === null
    })
    const loads = ({ skill }: LibrarySkill) => skill.uses.loads
    return whole(offered, view, about).toSorted(
      (a, b) => loads(b) - loads(a) || (b.skill.uses.lastAt ?? 0) - (a.skill.uses.lastAt ?? 0),
    )
  }

  function named(
    name: string,
    workspace: string,
    toolsets?: readonly string[],
  ): ReturnType<Library['named']> {
    const wanted = name.trim()
    const known = meant(wanted, usedIn(workspace, liveIndex.current()))
    // The skill may have been renamed or added since.
    const view = (known && present(known.found.id)?.view) ?? liveIndex.refresh()
    const listed = meant(wanted, usedIn(workspace, view))
    if (listed) {
      const about = { ...around(view, toolsets), shadows: new Map<string, string>() }
      const refused = whyNot(listed, view, about)
      return refused === undefined ? { found: one(listed, view, about) } : { refused, near: [] }
    }
    const names = forChat(workspace, toolsets).map(({ skill }) => skill.name)
    return { refused: `There is no skill “${wanted}”.`, near: nearNames(wanted, names, MOST_NEAR) }
  }

  return {
    caughtUp: liveIndex.caughtUp,
    list() {
      const view = liveIndex.current()
      return whole(view.byName, view, around(view))
    },
    async listInSlices() {
      await liveIndex.caughtUp()
      const view = liveIndex.known()
      return runInSlices(completeSteps(view.byName, view, around(view)))
    },
    get(id) {
      const known = liveIndex.current()
      const view = known.byId.has(id) ? known : liveIndex.refresh()
      const listed = view.byId.get(id)
      return listed && one(listed, view, around(view))
    },
    forChat,
    named,
    namesakes(id, workspace) {
      const view = liveIndex.current()
      const name = view.byId.get(id)?.found.name
      const about = { ...around(view), shadows: new Map<string, string>() }
      // A skill that may not be loaded must not be hinted at either.
      return seenFrom(view.skills, realFolder(workspace))
        .filter(({ found }) => found.name === name && found.id !== id && found.root.kind !== 'bundled')
        .filter(listed => checker.isQuick(listed) && whyNot(listed, view, about) === undefined)
        .map(({ found }) => found.folder)
    },
    read(id) {
      const found = present(id)?.listed
      const read = found && readText(mainOf(found.found.folder, found.entry))
      return read && 'text' in read ? read.text : undefined
    },
    file(id, path) {
      const listed = present(id)?.listed
      if (!listed) return { refused: 'There is no such skill any more.' }
      const { main } = listed.entry
      if (main !== undefined && path === listed.entry.file) return readMain(main)
      const read = readInside(listed.found.folder, path, MOST_FILE_BYTES)
      if (isRefusal(read) || listed.found.parts.some(part => part.path === path)) return read
      return { refused: 'This file is not among the files of the skill that were looked through.' }
    },
    async scanFirst(which, signal, workspace) {
      const listed =
        workspace === undefined
          ? present(which)?.listed
          : meant(which.trim(), usedIn(workspace, liveIndex.current()))
      if (listed) await checker.checkFirst(listed, signal)
    },
    scanTexts: checker.scanTexts,
    scan(id) {
      const listed = present(id)?.listed
      if (!listed) throw new Fault('not_found', 'There is no such skill any more.')
      return checker.checkNow(listed).report
    },
    policy(id) {
      const listed = present(id)?.listed
      if (!listed) throw new Fault('not_found', 'There is no such skill any more.')
      const { digest, report: scanned } = checker.checkNow(listed)
      const state = store.states().get(listed.found.key)
      const origin = originOf(listed.found, state)
      const source = origin === 'imported' ? state?.source : undefined
      const publisher = source ? publisherOf(source, options.publishers?.() ?? []) : null
      const isAccepted = digest !== '' && state?.accepted === digest
      const policy = checks.policy(scanned, origin, publisher !== null)
      return { policy: isAccepted && policy !== 'use' ? 'warn' : policy, publisher }
    },
    unreadable: () => [...liveIndex.known().unreadable],
    projects() {
      const { skills } = liveIndex.known()
      if (!counted || performance.now() - counted.at > COUNT_MS) {
        const projects = projectsOf(options.projects(), options.trusted(), skills)
        counted = { at: performance.now(), projects }
      }
      return counted.projects
    },
    changed(when = 'soon') {
      counted = undefined
      liveIndex.invalidate()
      if (when === 'soon') return onNews()
      // Replaces the scheduled notification: whoever reads after this one sees every change.
      publish.cancel()
      options.onChange()
    },
    close() {
      publish.cancel()
      checker.close()
      overlaps.close()
      liveIndex.close()
    },
  }
}

/** A SKILL.md that is a link, by the path that it leads to. */
function readMain(path: string): { bytes: Uint8Array } | Refusal {
  const read = readText(path)
  return isRefusal(read)
    ? { refused: `It cannot be read: ${read.refused}.` }
    : { bytes: Buffer.from(read.text) }
}

/** The skills that chats in a folder use, one per name. */
function usedIn(workspace: string, { skills }: View): Listed[] {
  const seen = seenFrom(skills, realFolder(workspace))
  const first = firstOfNames(seen)
  return seen.filter(({ found }) => first.get(found.name) === found)
}

/** The skill that a name refers to, by exact name, then id, then loose spelling. */
function meant(wanted: string, skills: readonly Listed[]): Listed | undefined {
  const loose = looseName(wanted.slice(wanted.lastIndexOf('/') + 1))
  return (
    skills.find(({ found }) => found.name === wanted) ??
    skills.find(({ found }) => found.id === wanted) ??
    skills.find(({ found }) => loose !== '' && looseName(found.name) === loose)
  )
}
