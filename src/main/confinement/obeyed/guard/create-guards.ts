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

/** What was done to files that programs obey, and which of them lie aside now. */
export type ObeyedReport = { changes: readonly ObeyedChange[]; aside: readonly AsideItem[] }

/** Watches what one command, process or server does to files that programs obey. */
export type Guard = {
  /** The folders that it watches. */
  folders: readonly string[]
  /** Compare now, and put aside or back what was not allowed: what came up since the last look. */
  look(): ObeyedReport
  /** The last look. */
  end(): ObeyedReport
  /** What a failed command names of what it may not write. */
  namedIn(output: string): string[]
}

/** How something runs that is to be watched. `lasts`: it runs on after its call, beside other commands. */
type GuardedRun = { sessionId: string; access: Access; lasts?: boolean }

/** Guards of one home folder. */
export type Guards = {
  /** To be called before a command starts that may write to these folders. */
  guardFolder(folders: readonly string[], run: GuardedRun): Guard
  /** A tool is about to write this file and may: no guard takes it for the work of what it watches. Call the result when it has. */
  expectFile(path: string): () => void
  /** Look at what was begun before this program was killed. */
  recover(): (ObeyedReport & { sessionId: string; folder: string })[]
}

/** Where files that were put aside for a chat lie. */
const asideFolder = (home: string, sessionId = ''): string => join(home, 'cache', 'aside', sessionId)

type Watch = {
  root: string
  sessionId: string
  may: MayWrite
  lasts: boolean
  /** In ms. */
  startedAt: number
  state: ObeyedState
  held: HeldPaths
  uncovered: Set<string>
  elsewhere: Set<string>
  /** Later changes are the person's. */
  until?: number
  begun?: Begun | undefined
  changes: ObeyedChange[]
  aside: AsideItem[]
}

/** Names of protected files and folders in what a command printed, a few at most. */
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

/** Folders of which the last state is remembered. */
const MOST_REMEMBERED = 4
/** Changes of one look that are told at most; all are put aside. */
const MOST_TOLD = 200

/** Open what watches the folders of chats. `search` finds what is obeyed in a folder. */
export function createGuards(
  home: string,
  searchAll: (folder: string) => FolderFacts,
  userHome = homedir(),
): Guards {
  const read = (facts: FolderFacts, root: string, before?: ObeyedState) =>
    readObeyed(facts, root, before, userHome)
  const active = new Set<Watch>()
  const expected = new Set<string>()
  /** Unchanged files are only looked up by the next guard of a folder. */
  const lastStates = new Map<string, ObeyedState>()
  const journal = createJournal(join(asideFolder(home), 'begun'))

  /** In a chat that works in the whole home folder, Talaria's own home is not looked at: it is hidden from commands. */
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

  /** What others in the same folder are allowed is not for this one to undo. */
  const beside = (watch: Watch) => [...active].filter(each => each !== watch && each.root === watch.root)

  function sweep(watch: Watch): void {
    // What a command in the foreground does beside a process is told with that command.
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
        // The link or setting by which it counts now is put aside, not what the person had there.
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

  /** What was judged here is not judged again there. */
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
    // What leads to it may be a link that the command put in place of a folder.
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
    // What was too large to be remembered cannot be put back, and a hole would help nobody.
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
              // What could not be compared is looked at when Talaria starts the next time.
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

/** Note where a mount does not lie over a file any more, though nothing else is different. */
function noteUncovered(watch: Watch, after: ObeyedState): void {
  for (const [path, entry] of after.entries) {
    const before = watch.state.entries.get(path)
    if (before && before.parents !== entry.parents) watch.elsewhere.add(path)
    else if (before && before.id !== entry.id) watch.uncovered.add(path)
  }
}

/** The topmost new folder that is obeyed as a whole, such as `.vscode`; of git each file by itself. */
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
