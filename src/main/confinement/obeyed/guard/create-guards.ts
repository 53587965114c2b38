import { homedir } from 'node:os'
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { ObeyedChange } from '../../../../shared/contract/chats/messages.ts'
import { isRefusal } from '../../../lib/expected-errors.ts'
import { isWithin, type Access, type FolderFacts, type MayWriteObeyed as MayWrite } from '../../profile.ts'
import { createAsideItem, type AsideItem } from './aside-item.ts'
import { compareObeyed, type Difference } from './compare-obeyed.ts'
import { createJournal, type Begun } from './guard-journal.ts'
import { findHeld, judgeChange, mayWriteWith, type HeldPaths } from './judge-change.ts'
import { obeyedByName } from '../obeyed-names.ts'
import { nameIn, readObeyed, type ObeyedEntry, type ObeyedState } from '../obeyed-state.ts'
import { newLinkTo, putBack, wasThere } from './put-aside.ts'
import { runnersOf } from '../deciding-parts.ts'

/** The changes of obeyed files, and the files that are now moved aside. */
export type ObeyedReport = { changes: readonly ObeyedChange[]; aside: readonly AsideItem[] }

/** Watches the obeyed files that one command, process or server may change. */
export type Guard = {
  /** The watched folders. */
  folders: readonly string[]
  /** Compare now, and move aside or put back every change since the last check that was not allowed. */
  look(): ObeyedReport
  /** Do the last check. */
  end(): ObeyedReport
  /** The protected paths that the output of a failed command names. */
  namedIn(output: string): string[]
}

/** How the watched program runs. `lasts`: it keeps running after its call, alongside other commands. */
type GuardedRun = { sessionId: string; access: Access; lasts?: boolean }

/** The guards for one home folder. */
export type Guards = {
  /** Start a guard. Call this before a command starts that may write to these folders. */
  guardFolder(folders: readonly string[], run: GuardedRun): Guard
  /** Announce an allowed write of a tool, so that guards ignore it. Call the result after the write. */
  expectFile(path: string): () => void
  /** Check the folders of commands that were running when this program was killed. */
  recover(): (ObeyedReport & { sessionId: string; folder: string })[]
}

/** The folder for files of a chat that were moved aside. */
const asideFolder = (home: string, sessionId = ''): string => join(home, 'cache', 'aside', sessionId)

type Watch = {
  root: string
  sessionId: string
  may: MayWrite
  lasts: boolean
  /** In ms since 1970. */
  startedAt: number
  state: ObeyedState
  held: HeldPaths
  uncovered: Set<string>
  elsewhere: Set<string>
  /** Changes after this time are the user's own, in ms since 1970. */
  until?: number
  begun?: Begun | undefined
  changes: ObeyedChange[]
  aside: AsideItem[]
}

/** Up to five protected paths that the output of a command names. */
function heldNamesIn({ root, held, may, state }: Watch, output: string): string[] {
  if (may === 'all') return []
  const hidden = new Set(state.facts.hidden.map(({ path }) => path))
  const names = [...held.keys()].filter(path => !hidden.has(path)).map(path => nameIn(root, path))
  return names.filter(name => output.includes(name)).slice(0, 5)
}

const nothingYet = () => ({
  uncovered: new Set<string>(),
  elsewhere: new Set<string>(),
  changes: [],
  aside: [],
})

/** Maximum number of folders whose last state is remembered. */
const MOST_REMEMBERED = 4
/** Maximum number of changes reported per check; all are moved aside. */
const MOST_TOLD = 200

/** Create the guards for the folders of chats. `searchAll` finds the obeyed files in a folder. */
export function createGuards(
  home: string,
  searchAll: (folder: string) => FolderFacts,
  userHome = homedir(),
): Guards {
  const read = (facts: FolderFacts, root: string, before?: ObeyedState) =>
    readObeyed(facts, root, before, userHome)
  const active = new Set<Watch>()
  const expected = new Set<string>()
  /** The last state of each folder, so that the next guard does not read unchanged files again. */
  const lastStates = new Map<string, ObeyedState>()
  const journal = createJournal(join(asideFolder(home), 'begun'))

  /** Search a folder, but not Talaria's home inside it, because commands cannot see that. */
  function search(root: string): FolderFacts {
    const facts = searchAll(root)
    if (isWithin(home, root) || !isWithin(root, home)) return facts
    const isOther = (path: string) => !isWithin(home, path)
    const { obeyed, obeyedFiles, runFiles, repositories } = facts
    return {
      ...facts,
      obeyed: obeyed.filter(isOther),
      obeyedFiles: obeyedFiles.filter(isOther),
      runFiles: runFiles.filter(isOther),
      repositories: repositories.filter(isOther),
    }
  }

  function begin(root: string, { sessionId, access, lasts = false }: GuardedRun): Watch {
    const startedAt = Date.now()
    const facts = search(root)
    const may = mayWriteWith(access)
    const state = read(facts, root, lastStates.get(root))
    const held = access === 'unconfined' ? new Map<string, string>() : findHeld(state)
    const watch: Watch = { root, sessionId, may, lasts, startedAt, state, held, ...nothingYet() }
    if (may !== 'all') watch.begun = journal.begin({ sessionId, may, state })
    active.add(watch)
    return watch
  }

  /** The other guards of the same folder, whose allowed changes must not be undone. */
  const beside = (watch: Watch) => [...active].filter(each => each !== watch && each.root === watch.root)

  function sweep(watch: Watch): void {
    // If a foreground command runs beside a process, changes are reported with the command.
    const first = watch.lasts ? beside(watch).find(each => !each.lasts) : undefined
    if (first) {
      sweep(first)
      noteUncovered(watch, first.state)
      watch.state = first.state
      return
    }
    const { root, state: before } = watch
    const after = read(search(root), root, before)
    const entries = new Map(after.entries)
    const known = [...before.facts.repositories, ...before.facts.outerGit]
    const around = { ...watch, known, othersMay: beside(watch).map(each => each.may) }
    const aside = new Map<string, { entry: ObeyedEntry; differences: Difference[] }>()
    const tell = (difference: Difference, kept: ObeyedChange['kept']) => {
      if (watch.changes.length < MOST_TOLD) watch.changes.push(changeOf(difference, kept))
    }
    for (const difference of compareObeyed(before, after)) {
      if (watch.until !== undefined && difference.after && difference.after.changedAt > watch.until) continue
      if (expected.has((difference.after ?? difference.before).path)) continue
      const fate = judgeChange(difference, around)
      if (fate === 'stands') tell(difference, 'stands')
      if (fate === 'aside') {
        const { after: entry } = difference
        // The file was the user's. The new link or setting that makes it obeyed is moved aside instead.
        if (wasThere(entry!.path, root, watch.startedAt)) continue
        const unit = unitOf(entry!, before)
        const known = aside.get(unit)
        if (known) known.differences.push(difference)
        else aside.set(unit, { entry: entry!, differences: [difference] })
      }
      if (fate === 'back' && difference.how === 'changed') tell(difference, back(watch, difference, entries))
    }
    for (const [path, { entry, differences }] of aside) {
      const isMoved = moveAside(watch, path, entry, true)
      for (const difference of differences) tell(difference, isMoved ? 'put aside' : 'stands')
      if (isMoved) for (const each of entries.keys()) if (isWithin(path, each)) entries.delete(each)
    }
    noteUncovered(watch, after)
    watch.state = { ...after, entries }
    for (const other of beside(watch)) if (other.lasts || watch.may !== 'nothing') adopt(other, watch, before)
  }

  /** Copy the changes judged by one guard to another, so that they are not judged twice. */
  function adopt(other: Watch, { state }: Watch, before: ObeyedState): void {
    const entries = new Map(other.state.entries)
    for (const [path, entry] of state.entries)
      if (before.entries.get(path) !== entry) entries.set(path, entry)
    for (const path of before.entries.keys()) if (!state.entries.has(path)) entries.delete(path)
    other.state = { ...other.state, entries }
  }

  function acceptFile(path: string): void {
    for (const watch of active) {
      if (!isWithin(watch.root, path)) continue
      const now = read(search(watch.root), watch.root, watch.state)
      const entries = new Map(watch.state.entries)
      const entry = now.entries.get(path)
      if (entry) entries.set(path, entry)
      else entries.delete(path)
      watch.state = { ...watch.state, entries }
    }
  }

  function moveAside(watch: Watch, path: string, { by }: ObeyedEntry, isNew: boolean): boolean {
    const at = join(asideFolder(home, watch.sessionId), randomUUID().slice(0, 8))
    const { root, startedAt } = watch
    let item = createAsideItem({ root, path, at, by, isNew })
    // The path may lead through a link that the command put in place of a folder.
    const link = isRefusal(item) ? newLinkTo(path, root, startedAt) : undefined
    if (link !== undefined) item = createAsideItem({ root, path: link, at, by, isNew: true })
    if (isRefusal(item)) return false
    watch.aside.push(item)
    return true
  }

  function back(
    watch: Watch,
    { before, after }: Extract<Difference, { how: 'changed' }>,
    entries: Map<string, ObeyedEntry>,
  ): ObeyedChange['kept'] {
    // A file too large to remember cannot be restored, and removing it would help no one.
    if (before.kind === 'other' || (before.kind === 'file' && !before.content)) return 'stands'
    if (!moveAside(watch, after.path, after, false)) return 'stands'
    const refused = putBack(watch.root, before)
    const again = read(watch.state.facts, watch.root).entries.get(before.path)
    if (again) entries.set(before.path, again)
    else entries.delete(before.path)
    return refused ? 'put aside' : 'put back'
  }

  function reportOf(watch: Watch): ObeyedReport {
    const { changes, aside } = watch
    watch.changes = []
    watch.aside = []
    return { changes: changes.toSorted((a, b) => (a.path < b.path ? -1 : 1)), aside }
  }

  const joined = (reports: readonly ObeyedReport[]): ObeyedReport => ({
    changes: reports.flatMap(({ changes }) => changes),
    aside: reports.flatMap(({ aside }) => aside),
  })

  return {
    guardFolder(folders, run) {
      const watches = [...new Set(folders)].map(folder => begin(folder, run))
      const look = () =>
        joined(
          watches.map(watch => {
            if (active.has(watch)) sweep(watch)
            return reportOf(watch)
          }),
        )
      return {
        folders,
        look,
        namedIn: output => watches.flatMap(watch => heldNamesIn(watch, output)),
        end() {
          let hasLooked = false
          try {
            const report = look()
            hasLooked = true
            return report
          } finally {
            for (const watch of watches) {
              active.delete(watch)
              lastStates.delete(watch.root)
              lastStates.set(watch.root, watch.state)
              for (const old of [...lastStates.keys()].slice(0, -MOST_REMEMBERED)) lastStates.delete(old)
              // If the check failed, the folder is checked again at the next start of Talaria.
              if (hasLooked) watch.begun?.end()
            }
          }
        },
      }
    },
    expectFile(path) {
      expected.add(path)
      return () => {
        expected.delete(path)
        acceptFile(path)
      }
    },
    recover: () =>
      journal.takeLeft().map(({ sessionId, may, state, until }) => {
        const { root } = state
        const held = findHeld(state)
        const began = { lasts: false, startedAt: 0, until }
        const watch: Watch = { root, sessionId, may, ...began, state, held, ...nothingYet() }
        sweep(watch)
        return { ...reportOf(watch), sessionId, folder: root }
      }),
  }
}

/** Note the files that a mount no longer covers, even if their content is the same. */
function noteUncovered(watch: Watch, after: ObeyedState): void {
  for (const [path, entry] of after.entries) {
    const before = watch.state.entries.get(path)
    if (before && before.parents !== entry.parents) watch.elsewhere.add(path)
    else if (before && before.id !== entry.id) watch.uncovered.add(path)
  }
}

/** The topmost new folder that is obeyed as a whole, such as `.vscode`; for git, the file itself. */
function unitOf({ path, by }: ObeyedEntry, { root, facts }: ObeyedState): string {
  if (by === 'git') return path
  const folders = new Set(facts.folders)
  let unit = path
  for (let at = dirname(path); at !== root && isWithin(root, at); at = dirname(at))
    if (!folders.has(at) && obeyedByName(`${nameIn(root, at)}/`)?.tier === 1) unit = at
  return unit
}

function changeOf({ how, before, after, parts }: Difference, kept: ObeyedChange['kept']): ObeyedChange {
  const { name, tier, by } = after ?? before
  return { path: name, how, tier, kept, by: tier === 2 ? runnersOf(name, parts, by) : by }
}
