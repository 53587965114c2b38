import { Fault } from '../../../shared/rpc.ts'
import type { Store } from '../../store/types.ts'
import type { Library, LibrarySkill, SkillRoot } from '../types.ts'
import { asSkill, isDangerous, originOf, type Surroundings } from './as-skill.ts'
import { inBursts } from './bursts.ts'
import { isAsRead, readText } from './entry.ts'
import { judges as realJudges, type Judges } from './judges.ts'
import type { Listed } from './look-over.ts'
import { openLookThrough } from './look-through.ts'
import { looseName, nearNames } from './near-names.ts'
import { keepOverlaps } from './keep-overlaps.ts'
import { firstOfNames, seenFrom } from './precedence.ts'
import { projectsOf } from './project-folders.ts'
import { readInside } from './read-inside.ts'
import { realFolder } from './real-folder.ts'
import { openShelf, type View } from './shelf.ts'

export type LibraryOptions = {
  /** By precedence. Folders that are not there are waited for. */
  roots(): SkillRoot[]
  /** Folders that chats work in. */
  projects(): string[]
  /** Folders whose skills may be used; their roots are among the roots. */
  trusted(): string[]
  store: Pick<Store['skills'], 'states' | 'tallies'>
  cacheFile: string
  /** What the cache was written by, such as a version; of another edition nothing is taken over. */
  edition?: string
  /** Tokens of a text. */
  count(text: string): number
  platform?: NodeJS.Platform
  toolsets(): readonly string[]
  now(): number
  /** Something is not as it was when somebody looked; called once for many changes. */
  onChange(): void
  report(error: unknown): void
  /** False in a process that asks once and ends: nothing is watched, and nothing looked through ahead of need. */
  lives?: boolean
  judges?: Judges
}

/** A file that is longer is not handed out, in bytes. */
const MOST_FILE_BYTES = 20_000_000
const MOST_NEAR = 5
const PUBLISH = { quiet: 100, most: 2_000 }
/** Projects that nobody trusts are counted again after this time, in milliseconds. */
const COUNT_MS = 2_000

/** Open the library over its roots. Nothing is read before somebody looks. */
export function openLibrary(options: LibraryOptions): Library {
  const { store, report, now, lives = true, judges = realJudges, platform = process.platform } = options
  const publish = inBursts(options.onChange, PUBLISH)
  const onNews = () => {
    if (lives) publish.wish()
  }
  const shelf = openShelf({
    roots: options.roots,
    cacheFile: options.cacheFile,
    edition: options.edition ?? '',
    reader: { read: judges.read, count: options.count, report },
    lives,
    report,
    onNews,
    onSkills: skills => {
      if (lives) through.later(doubtfulFirst(skills))
    },
  })
  const through = openLookThrough({
    scan: judges.scan,
    lint: judges.lint,
    report,
    onLooked: shelf.keep,
    onNews,
  })
  const overlaps = keepOverlaps(judges.overlaps, onNews)
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
      policy: judges.policy,
    }
  }

  /** Whole skills: what needs attention is known when those are among them that they are compared with. */
  function whole(skills: readonly Listed[], view: View, about: Surroundings): LibrarySkill[] {
    const all = skills.map(listed => {
      const skill = asSkill(listed, about)
      const { last = [] } = about.tallies.get(skill.key) ?? {}
      const issues = listed.entry.looked?.issues ?? listed.found.text.issues
      return { found: listed.found, skill, last, issues, isDangerous: isDangerous(listed, about) }
    })
    if (lives && skills === view.byName) overlaps.follow(judges.compared(all), view.version)
    const attention = judges.attention(all, now(), overlaps.known())
    return all.map(({ found, skill }) => ({
      found,
      skill: { ...skill, attention: attention.get(skill.id) ?? [] },
    }))
  }

  function one(listed: Listed, view: View, about: Surroundings): LibrarySkill {
    const { id } = listed.found
    const others = [about.shadows.get(id), ...(overlaps.known().get(id) ?? [])]
      .filter(other => other !== undefined && other !== id)
      .flatMap(other => view.byId.get(other!) ?? [])
    return whole([listed, ...others], view, about)[0]!
  }

  /** A skill as it is on the disk at this moment. */
  function present(id: string): { listed: Listed; view: View } | undefined {
    let view = shelf.look()
    const known = view.byId.get(id)
    // What is not known may be new, and what is known may have changed.
    if (!known || !isAsRead(known.found.folder, known.entry)) view = shelf.lookAgain()
    const listed = view.byId.get(id)
    return listed && { listed, view }
  }

  /** Why a model may not have a skill now, in words; it is looked through first if that could be a reason. */
  function whyNot(listed: Listed, view: View, about: Surroundings): string | undefined {
    if (mayBeBlocked(listed, about)) through.now(listed)
    const { name, enabled, unavailable, blocked } = asSkill(listed, about)
    if (!enabled) return `The skill “${name}” is switched off.`
    if (blocked !== null)
      return `The skill “${name}” is kept back until a person has looked at it: ${blocked}`
    return unavailable === null ? undefined : `The skill “${name}” cannot be used here. ${unavailable}`
  }

  function forChat(workspace: string, toolsets?: readonly string[]): LibrarySkill[] {
    const view = shelf.look()
    const about = { ...around(view, toolsets), shadows: new Map<string, string>() }
    const offered = usedIn(workspace, view).filter(listed => {
      // Even a description may be meant to deceive.
      const isOpen = mayBeBlocked(listed, about) && !listed.entry.looked?.settled
      if (isOpen && through.isSuspicious(listed)) through.now(listed)
      const { enabled, unavailable, blocked } = asSkill(listed, about)
      return enabled && unavailable === null && blocked === null
    })
    const loads = ({ skill }: LibrarySkill) => skill.uses.loads
    return whole(offered, view, about).toSorted(
      (a, b) => loads(b) - loads(a) || (b.skill.uses.lastAt ?? 0) - (a.skill.uses.lastAt ?? 0),
    )
  }

  function named(name: string, workspace: string): ReturnType<Library['named']> {
    const wanted = name.trim()
    const known = meant(wanted, usedIn(workspace, shelf.look()))
    // It may have another name by now, or what was not there may be.
    const view = (known && present(known.found.id)?.view) ?? shelf.lookAgain()
    const listed = meant(wanted, usedIn(workspace, view))
    if (listed) {
      const about = { ...around(view), shadows: new Map<string, string>() }
      const missing = whyNot(listed, view, about)
      return missing === undefined ? { found: one(listed, view, about) } : { missing, near: [] }
    }
    const names = forChat(workspace).map(({ skill }) => skill.name)
    return { missing: `There is no skill “${wanted}”.`, near: nearNames(wanted, names, MOST_NEAR) }
  }

  return {
    list() {
      const view = shelf.look()
      return whole(view.byName, view, around(view))
    },
    get(id) {
      const known = shelf.look()
      const view = known.byId.has(id) ? known : shelf.lookAgain()
      const listed = view.byId.get(id)
      return listed && one(listed, view, around(view))
    },
    forChat,
    named,
    read(id) {
      const found = present(id)?.listed
      const read = found && readText(`${found.found.folder}/${found.entry.file}`)
      return read && 'text' in read ? read.text : undefined
    },
    file(id, path) {
      const listed = present(id)?.listed
      if (!listed) return { refused: 'There is no such skill any more.' }
      const read = readInside(listed.found.folder, path, MOST_FILE_BYTES)
      if ('refused' in read || listed.found.parts.some(part => part.path === path)) return read
      return { refused: 'This file is not among the files of the skill that were looked through.' }
    },
    scan(id) {
      const listed = present(id)?.listed
      if (!listed) throw new Fault('not_found', 'There is no such skill any more.')
      return through.now(listed).report
    },
    unreadable: () => [...shelf.look().unreadable],
    projects() {
      const { skills } = shelf.look()
      if (!counted || performance.now() - counted.at > COUNT_MS) {
        const projects = projectsOf(options.projects(), options.trusted(), skills)
        counted = { at: performance.now(), projects }
      }
      return counted.projects
    },
    changed() {
      counted = undefined
      shelf.forget()
      onNews()
    },
    close() {
      publish.end()
      through.close()
      overlaps.close()
      shelf.close()
    },
  }
}

/** The skills that chats in a folder use, one of each name. */
function usedIn(workspace: string, { skills }: View): Listed[] {
  const seen = seenFrom(skills, realFolder(workspace))
  const first = firstOfNames(seen)
  return seen.filter(({ found }) => first.get(found.name) === found)
}

/** The skill that somebody means: by its very name, by its place, or by the name as people write it. */
function meant(wanted: string, skills: readonly Listed[]): Listed | undefined {
  const loose = looseName(wanted.slice(wanted.lastIndexOf('/') + 1))
  return (
    skills.find(({ found }) => found.name === wanted) ??
    skills.find(({ found }) => found.id === wanted) ??
    skills.find(({ found }) => loose !== '' && looseName(found.name) === loose)
  )
}
