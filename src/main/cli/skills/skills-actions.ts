import { realpathSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Skill, SkillLibrary, SkillRevision } from '../../../shared/contract/learned/skills.ts'
import { Fault } from '../../../shared/rpc.ts'
import { fileErrorCode, reasonOf } from '../../lib/expected-errors.ts'
import { currentFolder, absolutePath } from '../command-line.ts'
import { TWICE, withClient } from '../open-client.ts'
import { printAside, escapeInvisible, many, printLine } from '../output/terminal-text.ts'
import { showBundles, showHead, showSkillRevisions, showSkills, showText } from './show-skill.ts'
import { PAGE, printChanges, undoChanges } from '../output/show-changes.ts'
import { jsonLine } from '../../../shared/visible-text/show-hidden.ts'

export type CommonOptions = { home?: string; json?: true }

/** Print the skills. */
export async function skillsList({ home, json, all }: CommonOptions & { all?: true }): Promise<void> {
  await withClient(
    home,
    async client => {
      const library = await client['skills.list']({})
      if (json) return printLine(jsonLine(library))
      const { skills, unreadable, projects } = library
      printLine(showSkills(all ? skills : skills.filter(({ shadowedBy }) => shadowedBy === null)))
      for (const each of unreadable) printAside(showUnreadable(each))
      for (const project of projects)
        if (!project.trusted)
          printAside(
            `${escapeInvisible(project.folder)} has skills that are not used, because the folder is not trusted.`,
          )
      const looked = skills.filter(({ attention }) => attention.length > 0).length
      if (looked > 0) printAside(`${looked} of them need attention: “talaria skills view” shows why.`)
    },
    TWICE,
  )
}

/** Print a skill: its details, and SKILL.md or another file. */
export async function skillsView(
  given: string,
  file: string | undefined,
  { home, json }: CommonOptions,
): Promise<void> {
  await withClient(
    home,
    async client => {
      const { id } = skillNamed(await client['skills.list']({}), given)
      if (file !== undefined) {
        const found = await client['skills.file']({ id, path: file })
        if (json) return printLine(jsonLine({ path: file, ...found }))
        if (found.text === null)
          throw new Fault(
            'bad_input',
            `${escapeInvisible(file)} is not text, or too long (${found.bytes} bytes).`,
          )
        return void process.stdout.write(showText(found.text))
      }
      const detail = await client['skills.get']({ id })
      if (json) return printLine(jsonLine(detail))
      printAside(`${showHead(detail.skill, detail.folder, detail.files)}\n`)
      process.stdout.write(showText(detail.text))
    },
    TWICE,
  )
}

/** Switch skills on or off; `accept` confirms the findings of the scan. */
export async function skillsSwitch(
  given: string[],
  enabled: boolean,
  { home, json, accept = false }: CommonOptions & { accept?: boolean },
): Promise<void> {
  await withClient(home, async client => {
    const library = await client['skills.list']({})
    const skills = given.map(each => skillNamed(library, each))
    const ids = [...new Set(skills.map(({ id }) => id))]
    // Exactly what is printed here is accepted.
    const seen: Record<string, string> = {}
    for (const id of accept ? ids : []) {
      const detail = await client['skills.get']({ id })
      for (const { path, line, reason } of detail.scan.findings)
        printAside(escapeInvisible(`${detail.skill.name}: ${path}, line ${line}: ${reason}`))
      seen[id] = detail.seen
    }
    const { revisions } = await client['skills.setEnabled']({ ids, enabled, accept, seen })
    printRevisions(revisions, enabled ? 'On' : 'Off', enabled ? 'Already on.' : 'Already off.', json)
  })
}

/** Pin skills, or unpin them. */
export async function skillsPin(
  given: string[],
  pinned: boolean,
  { home, json }: CommonOptions,
): Promise<void> {
  await withClient(home, async client => {
    const library = await client['skills.list']({})
    const ids = [...new Set(given.map(each => skillNamed(library, each).id))]
    const { revisions } = await client['skills.setPinned']({ ids, pinned })
    const nothing = pinned ? 'Already pinned.' : 'Not pinned.'
    printRevisions(revisions, pinned ? 'Pinned' : 'Unpinned', nothing, json)
  })
}

/** Describe a folder that is not read, and what the user can do about it. */
function showUnreadable({ path, reason, target }: SkillLibrary['unreadable'][number]): string {
  const shown = escapeInvisible(path)
  if (target === undefined) return `${shown} cannot be read: ${escapeInvisible(reason)}.`
  const there = escapeInvisible(target)
  return `${shown} is a link to ${there}, which is not used. If you trust that folder: talaria skills trust "${there}"`
}

/** Resolve a path; the path itself if it no longer leads anywhere. */
function tryRealPath(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    fileErrorCode(error)
    return path
  }
}

/**
 * Trust a folder that chats work in, or the target of a link in the user's own skills folder; or stop
 * trusting it.
 */
export async function skillsTrust(
  given: string,
  trusted: boolean,
  { home, json }: CommonOptions,
): Promise<void> {
  const folder = absolutePath(given)
  const place = tryRealPath(folder)
  await withClient(home, async client => {
    const { unreadable, links } = await client['skills.list']({})
    const waiting = unreadable.find(
      ({ path, target }) => target !== undefined && [path, target].includes(folder),
    )
    const target = trusted
      ? waiting?.target
      : links.find(each => [folder, place].includes(each.target))?.target
    const asked = trusted ? place : folder
    if (target === undefined) await client['skills.trust']({ folder: asked, trusted })
    else await client['skills.allowLink']({ target, allowed: trusted })
    const shown = target ?? asked
    if (json) return printLine(jsonLine({ folder: shown, trusted }))
    printLine(`${trusted ? 'Trusted' : 'No longer trusted'}: ${escapeInvisible(shown)}`)
  })
}

/** Print the bundles with their skills. */
export async function bundlesList({ home, json }: CommonOptions): Promise<void> {
  await withClient(
    home,
    async client => {
      const { bundles, skills } = await client['skills.list']({})
      if (json) return printLine(jsonLine({ bundles }))
      printLine(showBundles(bundles, skills))
    },
    TWICE,
  )
}

/** Create a bundle of skills, or replace the bundle with that name. */
export async function bundlesMake(
  name: string,
  given: string[],
  { home, json }: CommonOptions,
): Promise<void> {
  await withClient(home, async client => {
    const library = await client['skills.list']({})
    const keys = [...new Set(given.map(each => skillNamed(library, each).key))]
    await client['skills.putBundle']({ name, keys })
    printLine(
      json ? jsonLine({ name, keys }) : `Bundle ${escapeInvisible(name)}: ${many(keys.length, 'skill')}`,
    )
  })
}

/** Remove a bundle. Its skills stay as they are. */
export async function bundlesRemove(name: string, { home, json }: CommonOptions): Promise<void> {
  await withClient(home, async client => {
    await client['skills.removeBundle']({ name })
    printLine(
      json ? jsonLine({ removed: name }) : `Removed the bundle ${escapeInvisible(name)}. Its skills stay.`,
    )
  })
}

/** Switch all skills of a bundle. Skills that could not be switched are reported. */
export async function bundlesSwitch(
  name: string,
  enabled: boolean,
  { home, json }: CommonOptions,
): Promise<void> {
  await withClient(home, async client => {
    const { revisions, left } = await client['skills.switchBundle']({ name, enabled })
    printRevisions(revisions, enabled ? 'On' : 'Off', enabled ? 'Already on.' : 'Already off.', json)
    for (const each of left)
      printAside(`${escapeInvisible(each.name)} was not switched: ${escapeInvisible(each.why)}`)
  })
}

/** Export skills to a zip that can be imported elsewhere. */
export async function skillsExport(
  given: string[],
  { home, json, output, force }: CommonOptions & { output?: string; force?: true },
): Promise<void> {
  await withClient(
    home,
    async client => {
      const library = await client['skills.list']({})
      const ids = [...new Set(given.map(each => skillNamed(library, each).id))]
      const { name, base64 } = await client['skills.export']({ ids })
      const path = output === undefined ? resolve(currentFolder(), name) : absolutePath(output)
      const bytes = Buffer.from(base64, 'base64')
      writeFile(path, bytes, force)
      if (json) printLine(jsonLine({ path, bytes: bytes.length, ids }))
      else printLine(`${escapeInvisible(path)}: ${many(ids.length, 'skill')}, ${bytes.length} bytes`)
    },
    TWICE,
  )
}

/** Print the history, newest first: of one skill, or of all. */
export async function skillsHistory(
  given: string | undefined,
  { home, json, limit }: CommonOptions & { limit: number },
): Promise<void> {
  await withClient(
    home,
    async client => {
      const key = given === undefined ? undefined : keyNamed(await client['skills.list']({}), given)
      const { revisions, more } = await client['skills.history']({ limit, ...(key !== undefined && { key }) })
      if (json) return printLine(jsonLine({ revisions, more }))
      printLine(showSkillRevisions(revisions))
      if (more) printAside(`There are more. Use --limit ${Math.min(limit * 2, PAGE)}.`)
    },
    TWICE,
  )
}

/** Undo changes; without numbers, the newest that is not undone yet. */
export async function skillsUndo(numbers: number[], { home, json }: CommonOptions): Promise<void> {
  await withClient(home, async client => {
    const revisions = await undoChanges(numbers, client['skills.history'], client['skills.undo'])
    printRevisions(revisions, 'Undone', '', json)
  })
}

/** Find a skill by name or id. Throws a Fault if there is none, or several. */
export function skillNamed({ skills }: SkillLibrary, given: string): Skill {
  const byId = skills.find(({ id }) => id === given)
  if (byId) return byId
  const found = skills.filter(({ name, shadowedBy }) => name === given && shadowedBy === null)
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ')
    throw new Fault(
      'bad_input',
      `Several skills are called ${escapeInvisible(given)}: ${escapeInvisible(ids)}. Use an id.`,
    )
  }
  if (found.length === 1) return found[0]!
  const like = skills
    .filter(({ name }) => name.includes(given) || given.includes(name))
    .map(({ name }) => name)
  const hint =
    like.length > 0 ? `Did you mean ${like.slice(0, 5).join(', ')}?` : '“talaria skills list” lists them.'
  throw new Fault('not_found', `No skill is called ${escapeInvisible(given)}. ${escapeInvisible(hint)}`)
}

/** The history key of a skill, which may have been deleted. */
function keyNamed(library: SkillLibrary, given: string): string {
  const gone = library.deleted.find(({ key, name }) => key === given || name === given)
  const isThere = library.skills.some(({ id, name }) => id === given || name === given)
  return gone && !isThere ? gone.key : skillNamed(library, given).key
}

const printRevisions = (
  revisions: readonly SkillRevision[],
  done: string,
  nothing: string,
  json: true | undefined,
): void =>
  printChanges(
    revisions,
    { nothing, line: ({ name }) => `${done}: ${escapeInvisible(name)}`, hint: undoHint },
    json,
  )

/** The command that undoes these changes; consecutive numbers as `3-17`. */
export function undoHint(revisions: readonly SkillRevision[]): string {
  const rows: { first: number; last: number }[] = []
  for (const { id } of revisions.toSorted((a, b) => a.id - b.id)) {
    const row = rows.at(-1)
    if (row?.last === id - 1) row.last = id
    else rows.push({ first: id, last: id })
  }
  const words = rows.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`))
  return `Undo: talaria skills undo ${words.join(' ')}`
}

function writeFile(path: string, bytes: Uint8Array, force = false): void {
  try {
    writeFileSync(path, bytes, { flag: force ? 'w' : 'wx' })
  } catch (error) {
    const code = fileErrorCode(error)
    const why = code === 'EEXIST' ? 'it already exists; --force replaces it' : reasonOf(code)
    throw new Fault('bad_input', `${escapeInvisible(path)} cannot be written: ${why}.`)
  }
}
