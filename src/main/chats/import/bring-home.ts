import { existsSync } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BroughtHome, HomeChoice, ImportedHome } from '../../../shared/contract/import.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { ConfigHandle } from '../../config/load.ts'
import type { Secrets } from '../../config/secrets.ts'
import { backupFolder, fileTime, writeAtomic } from '../../lib/disk/durable-files.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import type { Imports, SkillBy } from '../../skills/skill-types.ts'
import { maskKey, readHermesHome } from './hermes-home.ts'
import { createTally, skipOf, type Skip } from './import-source.ts'

type Parts = {
  home: string
  config: ConfigHandle
  secrets: Secrets
  skills: Pick<Imports, 'fetch' | 'install' | 'discard'>
  now(): number
}
type Brought = { brought: BroughtHome; skipped: Skip[] }

const BY: SkillBy = { actor: 'import', note: '', sessionId: null, messageId: null, reviewId: null }
const ASKS = 'its scan found something; import it on the Skills page to see what'

/** Imports everything in a Hermes home besides chats and memories: skills, settings, SOUL.md and keys. */
export function createHomeImporter({ home, config, secrets, skills, now }: Parts) {
  const soulPath = join(home, 'SOUL.md')

  /** Fetch into quarantine the skills that can be installed without further questions; skip the rest. */
  async function fetchSkills(folder: string | undefined, skip: (skip: Skip) => void, signal: AbortSignal) {
    if (folder === undefined) return undefined
    try {
      const { id, candidates, leftOut } = await skills.fetch({ kind: 'path', path: folder }, signal)
      for (const why of leftOut) skip(skipOf('skill file', why.replace(/\.$/, '')))
      const chosen = candidates.filter(({ name, refused, replaces, policy }) => {
        const why =
          refused !== null
            ? refused
            : replaces !== null
              ? 'a skill with this name already exists'
              : policy === 'ask' || policy === 'block'
                ? ASKS
                : undefined
        if (why !== undefined) skip(skipOf(`skill ${name}`, why.replace(/\.$/, '')))
        return why === undefined
      })
      return { id, chosen: chosen.map(({ path, seen }) => ({ path, seen })) }
    } catch (error) {
      if (!(error instanceof Fault) || signal.aborted) throw error
      skip(skipOf('skills', error.message.replace(/\.$/, '')))
      return undefined
    }
  }

  /** Show what a folder would bring, without writing; null if it is not a folder. */
  async function look(
    path: string,
    signal: AbortSignal,
  ): Promise<{ found: ImportedHome; skipped: Skip[] } | null> {
    if (!(await stat(path)).isDirectory()) return null
    const parts = await readHermesHome(path)
    const tally = createTally()
    for (const each of parts.skipped) tally.add(each)
    const fetched = await fetchSkills(parts.skills, tally.add, signal)
    if (fetched) await skills.discard(fetched.id)
    const found = {
      skills: fetched?.chosen.length ?? 0,
      settings: parts.settings,
      soul: parts.soul === undefined ? null : { chars: parts.soul.length, replaces: existsSync(soulPath) },
      keys: [...parts.keys].map(([name, key]) => ({
        name,
        masked: maskKey(key),
        replaces: secrets.find(name)?.from === 'stored',
      })),
    }
    return { found, skipped: tally.list() }
  }

  /** Import the parts that the user chose. Each is imported completely or not at all, with a reason. */
  async function bring(path: string, choice: HomeChoice, signal: AbortSignal): Promise<Brought> {
    const parts = await readHermesHome(path)
    const tally = createTally()
    for (const each of parts.skipped) tally.add(each)
    const brought = { skills: 0, settings: 0, soul: false, keys: 0 }
    if (choice.settings && parts.settings.length > 0) {
      await keepCopy(config.path, 'config', '.yaml')
      for (const { from, path: name, value } of parts.settings)
        await attempt(
          `setting ${from}`,
          () => config.set(name as 'agent.max_iterations', value as number),
          () => brought.settings++,
        )
    }
    if (choice.soul && parts.soul !== undefined) {
      const { soul } = parts
      await keepCopy(soulPath, 'SOUL', '.md')
      await attempt(
        'SOUL.md',
        () => writeAtomic(soulPath, `${soul}\n`, { mode: 0o600 }),
        () => (brought.soul = true),
      )
    }
    if (choice.keys)
      for (const [name, key] of parts.keys)
        await attempt(
          name,
          () => secrets.set(name, key),
          () => brought.keys++,
        )
    if (choice.skills) {
      const fetched = await fetchSkills(parts.skills, tally.add, signal)
      if (fetched && fetched.chosen.length > 0) {
        const done = await skills.install(fetched.id, fetched.chosen, BY)
        if (isRefusal(done)) tally.add(skipOf('skills', done.refused.replace(/\.$/, '')))
        else brought.skills = done.ids.length
      }
      if (fetched) await skills.discard(fetched.id)
    }
    return { brought, skipped: tally.list() }

    async function attempt(what: string, work: () => unknown, then: () => unknown) {
      try {
        await work()
        then()
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        tally.add(skipOf(what, error.message.replace(/\.$/, '')))
      }
    }
  }

  /** Keep a copy of a file that is about to change in the backups folder. */
  async function keepCopy(path: string, name: string, ending: string) {
    if (!existsSync(path)) return
    await copyFile(path, join(backupFolder(home), `${name}-before-import-${fileTime(now())}${ending}`))
  }

  return { look, bring }
}
