import { existsSync } from 'node:fs'
import { text as wholeText } from 'node:stream/consumers'
import { basename } from 'node:path'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { SkillCandidate, SkillImport } from '../../../shared/contract/learned/skill-imports.ts'
import { Fault } from '../../../shared/rpc.ts'
import { absolutePath } from '../command-line.ts'
import { TWICE, withClient } from '../open-client.ts'
import { printAside, escapeInvisible, printLine } from '../output/terminal-text.ts'
import { showImport, showScan } from './show-skill.ts'
import { undoHint, type CommonOptions, skillNamed } from './skills-actions.ts'
import { confirmOnTerminal } from '../interactive/ask-at-terminal.ts'
import { stopOnSignals } from '../stop-on-signals.ts'
import type { ScanReport } from '../../../shared/contract/learned/skills.ts'
import { scanPath } from '../../skills/import/scan-path.ts'
import { jsonLine } from '../../../shared/visible-text/show-hidden.ts'
import { byCount } from '../../../shared/text/amounts.ts'

export type SkillsImportOptions = CommonOptions & {
  yes?: true
  on?: true
  accept?: true
  as?: string
  ref?: string
  only?: string[]
}

type From = Parameters<HostClient['skills.fetch']>[0]['from']

/** Matches addresses as opposed to paths: a scheme, git@host:, or host/owner/repository. */
const ADDRESS = /^([a-z][a-z\d+.-]*:\/\/|[\w.-]+@[\w.-]+:|[a-z\d-]+(\.[a-z\d-]+)+\/[^/\s]+\/\S)/i

/** Preview an import, ask, and run it. Resolves to whether it succeeded or nothing was new. */
export async function skillsImport(given: string, options: SkillsImportOptions): Promise<boolean> {
  const { home, json } = options
  using stopping = stopOnSignals()
  try {
    const from = await sourceNamed(given, options.ref)
    return await withClient(home, async client => {
      const fetched = await client['skills.fetch']({ from }, { signal: stopping.signal })
      try {
        const chosen = chosenOf(fetched, options)
        if (json) printLine(jsonLine({ type: 'preview', ...fetched }))
        else process.stderr.write(showImport({ ...fetched, candidates: chosen }))
        return await decide(client, fetched.id, chosen, options)
      } finally {
        await client['skills.discard']({ importId: fetched.id })
      }
    })
  } catch (error) {
    if (!stopping.signal.aborted) throw error
    process.stderr.write('Stopped. Nothing was imported.\n')
    return false
  }
}

async function sourceNamed(given: string, ref: string | undefined): Promise<From> {
  if (given === '-') return { kind: 'text', text: await pasted() }
  const path = absolutePath(given)
  if (ADDRESS.test(given) && !existsSync(path)) return { kind: 'git', address: given, ref: ref ?? '' }
  if (ref !== undefined) throw new Fault('bad_input', '--ref is for repositories.')
  return { kind: 'path', path }
}

async function pasted(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Paste the SKILL.md, then press Ctrl-D.\n')
  const text = await wholeText(process.stdin)
  if (text.trim() === '') throw new Fault('bad_input', 'The text is empty.')
  return text
}

function chosenOf({ candidates }: SkillImport, { only, as }: SkillsImportOptions): SkillCandidate[] {
  const missing = (only ?? []).filter(
    wanted => !candidates.some(({ name, path }) => name === wanted || path === wanted),
  )
  if (missing.length > 0)
    throw new Fault(
      'bad_input',
      `The source has no skill ${escapeInvisible(missing.join(', '))}. It has: ${namesOf(candidates)}.`,
    )
  const chosen = candidates.filter(({ name, path }) => !only || only.includes(name) || only.includes(path))
  if (as !== undefined && chosen.length !== 1)
    throw new Fault(
      'bad_input',
      `--as needs a single skill, but there are ${chosen.length}. Choose one with --only.`,
    )
  return chosen
}

async function decide(
  client: HostClient,
  importId: string,
  chosen: readonly SkillCandidate[],
  { yes, on, accept, as, json }: SkillsImportOptions,
): Promise<boolean> {
  const good = chosen.filter(({ refused }) => refused === null)
  const unknown = good.filter(({ replaces }) => replaces === null || replaces.changes.length > 0)
  const news = as === undefined ? unknown.filter(each => !isYours(each)) : good
  // A user who confirms on the terminal has just seen the findings.
  const isRead = accept === true || !yes
  const fresh = news.filter(({ policy }) => policy !== 'ask' || isRead)
  if (as === undefined) for (const { name } of unknown.filter(isYours)) process.stderr.write(yoursHint(name))
  if (good.length === 0) throw new Fault('bad_input', 'None of the skills can be imported.')
  for (const { name } of news.filter(each => !fresh.includes(each))) process.stderr.write(asksHint(name))
  if (news.length > 0 && fresh.length === 0) return false
  if (fresh.length === 0) {
    if (!json) printLine('Nothing new to import.')
    return true
  }
  if (!yes && !(await isWanted(fresh.length))) return false
  const choices = fresh.map(({ path, scan, policy, seen }) => ({
    path,
    seen,
    ...(policy === 'ask' && { accept: true }),
    ...(as !== undefined && { as }),
    // Dangerous skills stay off until a separate command accepts them.
    ...(on && scan.verdict !== 'dangerous' && { on: true }),
  }))
  const { revisions, ids } = await client['skills.install']({ importId, choices })
  if (json) {
    printLine(jsonLine({ type: 'done', revisions, ids }))
    return true
  }
  const { skills } = await client['skills.list']({})
  for (const [at, id] of ids.entries()) {
    const skill = skills.find(each => each.id === id)
    const isBlocked = fresh[at]?.scan.verdict === 'dangerous'
    const state = isBlocked ? 'blocked until you accept it' : skill?.enabled ? 'on' : 'off'
    printLine(`Imported: ${escapeInvisible(skill?.name ?? id)} (${state})`)
  }
  if (revisions.length > 0) process.stderr.write(`${undoHint(revisions)}\n`)
  return true
}

/** An edited copy may replace the imported skill. A skill that the user wrote may not: it blocks the import. */
const isYours = ({ replaces }: SkillCandidate) =>
  replaces !== null && (replaces.origin === 'user' || replaces.origin === 'agent') && !replaces.isEdited

const yoursHint = (name: string) =>
  `Skipped: you have your own skill called ${escapeInvisible(name)}. Import this one with --only ${escapeInvisible(name)} --as <name>.\n`

const asksHint = (name: string) =>
  `Skipped: ${escapeInvisible(name)} needs your confirmation. Read its findings above, then import it with --accept.\n`

const isWanted = (count: number) =>
  confirmOnTerminal(
    byCount(count, 'Import this skill?', `Import these ${count} skills?`),
    'There is no terminal to confirm the import. Add --yes to import without asking.',
  )

const namesOf = (candidates: readonly SkillCandidate[]) =>
  escapeInvisible(candidates.map(({ name }) => name).join(', '))

type Scanned = { name: string; files: number; scan: ScanReport }

/** Scan the skills at a path, or a skill of the library. Resolves to whether none is dangerous. */
export async function skillsScan(given: string, { home, json }: CommonOptions): Promise<boolean> {
  const path = absolutePath(given)
  const { scanned, leftOut } = existsSync(path) ? await scannedAt(path) : await scannedOf(given, home)
  if (json) printLine(jsonLine({ skills: scanned, leftOut }))
  else {
    for (const { name, scan } of scanned) printLine(showScan(name, scan))
    if (scanned.length === 0) printLine('Nothing to scan.')
    for (const each of leftOut) printAside(`Skipped: ${escapeInvisible(each)}`)
  }
  return scanned.every(({ scan }) => scan.verdict !== 'dangerous')
}

async function scannedAt(path: string): Promise<{ scanned: Scanned[]; leftOut: readonly string[] }> {
  const { skills, leftOut } = await scanPath(path, new AbortController().signal)
  return {
    scanned: skills.map(({ path: within, files, scan }) => ({ name: within || basename(path), files, scan })),
    leftOut,
  }
}

const scannedOf = (given: string, home: string | undefined) =>
  withClient(
    home,
    async client => {
      const { id, name, fileCount: files } = skillNamed(await client['skills.list']({}), given)
      const { scan } = await client['skills.get']({ id })
      return { scanned: [{ name, files, scan }], leftOut: [] }
    },
    TWICE,
  )
