import { readFileSync, writeFileSync } from 'node:fs'
import { join, isAbsolute } from 'node:path'
import { setImmediate as others } from 'node:timers/promises'
import type { SkillCandidate, SkillImport } from '../../../shared/contract/learned/skill-imports.ts'
import type { SkillRevision, SkillSource } from '../../../shared/contract/learned/skills.ts'
import { Fault } from '../../../shared/rpc.ts'
import { newId } from '../../lib/ids.ts'
import { removeTree } from '../../lib/removal/remove-tree.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { LONG_SCAN_BYTES, openScanner } from '../library/open-scanner.ts'
import { digestOf, decodeText, scanFolder } from '../library/skill-files.ts'
import { readInside } from '../library/resolve-skill-path.ts'
import type {
  ImportChoice,
  ImportFrom,
  Imports,
  Library,
  LibrarySkill,
  SkillBy,
  SkillChanged,
  SkillRefusal,
  SkillEditor,
} from '../skill-types.ts'
import { examineCandidate, refuseChanged, type CandidatePins } from './examine-candidate.ts'
import { fetchSkills, createQuarantine, type Fetched } from './copy-to-quarantine.ts'
import type { GitOptions } from './open-git.ts'
import { openSource } from './open-source.ts'
import { freeName, suggestName, renameSkillText, isSkillName } from '../files/skill-name.ts'
import { publisherOf } from '../../lib/trusted-publishers.ts'
import { limits, visibleName, type Source } from './skill-source.ts'

type Parts = {
  home: string
  library: Library
  editor: Pick<SkillEditor, 'install' | 'undo'>
  now(): number
  /** Called with errors that do not stop an import. */
  report(error: unknown): void
  /** Publishers that the user trusts; by default none. */
  publishers?(): readonly string[]
  git?: GitOptions
}

/** A pending import. `kept`: the quarantine folder of each candidate, and its digests as shown, by path. */
type Waiting = { shown: SkillImport; within: string; kept: ReadonlyMap<string, Kept> }
type Kept = { folder: string; pins: CandidatePins }

/** Open the imports of a home folder. Leftovers of an earlier run in quarantine are removed first. */
export function openImports({
  home,
  library,
  editor,
  now,
  report,
  publishers = () => [],
  git = {},
}: Parts): Imports {
  const quarantine = createQuarantine(home)
  const waiting = new Map<string, Waiting>()
  const closing = new AbortController()
  const cleaned = quarantine.empty().catch(report)
  const running = new Set<Promise<void>>()

  const leave = (id: string) => {
    waiting.delete(id)
    return quarantine.leave(id).catch(report)
  }

  /** Fetch into quarantine. A failure leaves nothing behind. */
  async function bring(
    from: ImportFrom,
    given: AbortSignal,
    updates?: { skill: LibrarySkill; within: string },
  ): Promise<SkillImport> {
    const signal = AbortSignal.any([given, closing.signal])
    await cleaned
    signal.throwIfAborted()
    const id = newId('import', now)
    try {
      const folder = await quarantine.enter(id)
      const source = await openSource(from, folder, { ...git, publishers: publishers() }, signal)
      const { skills, leftOut } = await fetchSkills(source, folder, updates?.within, signal)
      await removeTree(join(folder, 'repository'))
      const { candidates, kept, twice } = await examineAll(skills, source, updates?.skill, signal)
      const shown = {
        id,
        source: source.from,
        candidates,
        leftOut: [...leftOut, ...twice],
      }
      waiting.set(id, { shown, within: source.within, kept })
      for (const old of [...waiting.keys()].slice(0, -limits.waiting)) await leave(old)
      return shown
    } catch (error) {
      await leave(id)
      throw error
    }
  }

  async function examineAll(
    skills: readonly Fetched[],
    { from, within }: Pick<Source, 'from' | 'within'>,
    updates: LibrarySkill | undefined,
    signal: AbortSignal,
  ) {
    const candidates: SkillCandidate[] = []
    const kept = new Map<string, Kept>()
    const twice: string[] = []
    const room = { chars: limits.shownChars }
    const contents = new Map<string, string>()
    const known = library.list()
    const taken = new Set<string>()
    await using scanner = closingScanner()
    for (const fetched of skills) {
      await others()
      signal.throwIfAborted()
      const isTaken = (name: string) => taken.has(name)
      const digest = digestOf(fetched.folder)
      const first = contents.get(digest)
      if (first !== undefined && fetched.refused === null) {
        twice.push(`“${visibleName(fetched.path)}”: the same as “${visibleName(first)}”.`)
        continue
      }
      contents.set(digest, fetched.path)
      const { candidate, ...place } = await examineCandidate(fetched, {
        library,
        scan: (folder, bytes) => scanner.scan(folder, bytes, signal),
        known,
        isTaken,
        room,
        publisher: publisherOf({ ...from, within: withinOf(within, fetched) }, publishers()),
        ...(updates && { updates }),
      })
      taken.add(candidate.name)
      kept.set(candidate.path, place)
      candidates.push(candidate)
    }
    return { candidates, kept, twice }
  }

  /** Track running work, so that `close` can wait for it. */
  async function track<T>(work: () => Promise<T>): Promise<T> {
    const ended = Promise.withResolvers<void>()
    running.add(ended.promise)
    try {
      return await work()
    } finally {
      running.delete(ended.promise)
      ended.resolve()
    }
  }

  async function installAll(
    { shown, within, kept }: Waiting,
    choices: readonly ImportChoice[],
    by: SkillBy,
  ): Promise<{ revisions: SkillRevision[]; ids: string[] } | SkillRefusal> {
    const chosen: Chosen[] = []
    const known = library.list()
    for (const choice of choices) {
      const found = choose(shown, kept, choice)
      if (isRefusal(found)) return found
      const clash = clashOf(known, found.name)
      if (clash) return clash
      if (chosen.some(({ name }) => name === found.name))
        return { refused: `Two of the chosen skills would be called “${found.name}”. Give one another name.` }
      chosen.push(found)
    }
    const revisions: SkillRevision[] = []
    const ids: string[] = []
    for (const { candidate, folder, pins, name, file, text, on, accept } of chosen) {
      await others()
      const source: SkillSource = {
        ...shown.source,
        within: withinOf(within, candidate),
        licence: candidate.licence,
        importedAt: now(),
      }
      const note = by.note || `from ${shown.source.address}`
      // No await from here on, so that the compared content is the one that is installed.
      const changed = refuseChanged({ folder, candidate, pins }, library.list())
      if (changed === undefined && text !== undefined) {
        writeFileSync(join(folder, file), text)
        pins.digest = digestOf(folder)
      }
      const done: SkillChanged | SkillRefusal =
        changed === undefined
          ? editor.install({ folder, name, source, on, accept }, { ...by, note })
          : { refused: changed, conflict: true }
      if (isRefusal(done)) {
        if (revisions.length > 0) editor.undo(revisions.map(each => each.id).toReversed(), by)
        return { ...done, refused: `${name}: ${done.refused}` }
      }
      revisions.push(...done.revisions)
      ids.push(done.id)
    }
    return { revisions, ids }
  }

  return {
    fetch: (from, signal) => track(() => bring(from, signal)),

    async install(importId, choices, by) {
      const found = waiting.get(importId)
      if (!found) throw gone()
      // A second request for the same import must not install it again.
      waiting.delete(importId)
      try {
        const done = await track(() => installAll(found, choices, by))
        if (isRefusal(done)) waiting.set(importId, found)
        else await leave(importId)
        return done
      } catch (error) {
        waiting.set(importId, found)
        throw error
      }
    },

    async discard(importId) {
      // Only known ids: the id becomes part of a path.
      if (waiting.has(importId)) await leave(importId)
    },

    async update(id, signal) {
      const skill = library.get(id)
      if (!skill) throw new Fault('not_found', 'This skill no longer exists.')
      const { from, within } = updateFrom(skill)
      const found = await track(() => bring(from, signal, { skill, within }))
      const [candidate] = found.candidates
      if (candidate!.replaces!.changes.length > 0 || candidate!.refused !== null) return found
      await leave(found.id)
      return null
    },

    file(importId, candidate, path) {
      const place = waiting.get(importId)?.kept.get(candidate)
      if (!place) throw gone()
      return readInside(place.folder, path, limits.fileBytes)
    },

    async close() {
      closing.abort(new Fault('cancelled', 'Talaria is closing.'))
      await cleaned
      await Promise.all(running)
      waiting.clear()
      await quarantine.empty().catch(report)
    },
  }
}

/** A scanner for one fetch: short skills are scanned here, long ones in a thread that ends with the fetch. */
function closingScanner() {
  const scanner = openScanner()
  return {
    async scan(folder: string, bytes: number, signal: AbortSignal) {
      if (bytes >= LONG_SCAN_BYTES) {
        const { digest, report } = await scanner.scan({ folder, main: undefined }, signal)
        return { digest: digest || digestOf(folder), report }
      }
      return { digest: digestOf(folder), report: scanFolder(folder) }
    },
    [Symbol.asyncDispose]: () => scanner.close(),
  }
}

/** State is keyed by name, so an import must not have the name of a user's skill. */
function clashOf(known: readonly LibrarySkill[], name: string): SkillRefusal | undefined {
  const all = known.filter(({ found }) => found.root.kind !== 'project')
  const names = new Set(all.map(({ found }) => found.name))
  const own = all.find(
    ({ skill, found }) => found.name === name && found.root.kind === 'own' && !skill.isEdited,
  )
  if (!own) return undefined
  const other = freeName(suggestName(name), each => names.has(each))
  return {
    refused: `“${name}” is a skill of your own. Import this one under another name, such as “${other}”.`,
  }
}

const gone = () => new Fault('not_found', 'The fetched files no longer exist. Fetch them again.')

/** The path of a skill within its source. */
const withinOf = (within: string, { path }: { path: string }) => [within, path].filter(Boolean).join('/')

/** A candidate as it will be installed. `text`: the new content of its SKILL.md at `file`, if it changes. */
type Chosen = {
  candidate: SkillCandidate
  folder: string
  pins: CandidatePins
  name: string
  file: string
  text: string | undefined
  on: boolean
  accept: boolean
}

/** Resolve a choice, or refuse it. */
function choose(
  { candidates }: SkillImport,
  kept: ReadonlyMap<string, Kept>,
  { path, seen, as, on, accept = false }: ImportChoice,
): Chosen | SkillRefusal {
  const candidate = candidates.find(each => each.path === path)
  const place = kept.get(path)
  if (!candidate || !place) return { refused: `This import has no skill at “${visibleName(path)}”.` }
  if (seen !== candidate.seen)
    return {
      refused: `“${visibleName(candidate.name)}” has changed since it was shown, so nothing was done. Fetch it again.`,
      conflict: true,
    }
  if (candidate.refused !== null)
    return { refused: `“${visibleName(candidate.name)}” cannot be installed. ${candidate.refused}` }
  if (candidate.policy === 'ask' && !accept) return { refused: asksFirst(candidate) }
  const name = as?.trim() || candidate.name
  // An update keeps the name of its skill, even an unusual one.
  if (name !== candidate.name && !isSkillName(name))
    return {
      refused: `“${visibleName(name)}” is not a valid name for a skill. Use lowercase letters, digits and single hyphens, at most 64 characters, such as “${suggestName(name, candidate.name)}”.`,
    }
  const file = candidate.files.find(({ kind }) => kind === 'skill')!.path
  const before = decodeText(readFileSync(join(place.folder, file)))!
  const after = renameSkillText(before, name)
  if (after === undefined)
    return {
      refused: `Talaria cannot change the name in the front matter of “${visibleName(candidate.name)}”. Correct the front matter first.`,
    }
  return {
    candidate,
    ...place,
    name,
    file,
    text: after === before ? undefined : after,
    on: on ?? candidate.on,
    // The user accepted the lines of a caution, or switched on a dangerous skill after seeing the findings.
    accept: candidate.policy === 'ask' || (on === true && candidate.policy === 'block'),
  }
}

/** Maximum number of lines to name in a refusal. */
const NAMED = 3

function asksFirst({ name, scan }: SkillCandidate): string {
  const asked = scan.findings.filter(({ severity }) => severity === 'high')
  const lines = asked.slice(0, NAMED).map(({ path, line, reason, category }) => {
    const where = category === 'structure' ? path : `${path}, line ${line}`
    return where === '' ? reason : `${visibleName(where)}: ${reason}`
  })
  const more = asked.length > NAMED ? ` And ${asked.length - NAMED} more.` : ''
  return `“${visibleName(name)}” has lines that need caution. ${lines.join(' ')}${more} Read these lines, and confirm them to import the skill.`
}

/** The source for a new version of an imported skill. Throws a `bad_input` Fault if it is unknown. */
function updateFrom({ skill }: LibrarySkill): { from: ImportFrom; within: string } {
  const { source } = skill
  if (!source) throw new Fault('bad_input', 'This skill was not imported, so it has no source to check.')
  const { kind, address, within } = source
  if (kind === 'git') return { from: { kind: 'git', address, ref: '' }, within }
  if (kind === 'text')
    throw new Fault('bad_input', 'This skill was pasted. Paste the new version to import it over this one.')
  if (!isAbsolute(address))
    throw new Fault(
      'bad_input',
      'This skill was dropped on the window. Drop the new version to import it over this one.',
    )
  return { from: { kind: 'path', path: address }, within }
}
