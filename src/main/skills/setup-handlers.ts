import type { HostHandlers } from '../../shared/contract/index.ts'
import type { SkillRevision } from '../../shared/contract/learned/skills.ts'
import { Fault } from '../../shared/rpc.ts'
import type { Store } from '../db/store.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { shownRevision } from './skill-handlers.ts'
import type { Library, SkillBy, SkillEditor } from './skill-types.ts'

type Parts = {
  library: Library
  editor: Pick<SkillEditor, 'setEnabled'>
  store: Pick<Store, 'skills'>
  /** The store for keys. The value undefined removes a key. */
  secrets: { set(name: string, value: string | undefined): Promise<void> }
  /** The user: only the user sets up skills. */
  by: SkillBy
}

/** Handlers for bundles, which are named sets of skills switched together, and for skills' keys. */
export function skillSetupHandlers({ library, editor, store, secrets, by }: Parts) {
  return {
    'skills.putBundle'({ name, keys }) {
      store.skills.putBundle({ name, keys: [...new Set(keys)] })
      library.changed('now')
      return {}
    },
    'skills.removeBundle'({ name }) {
      if (!store.skills.removeBundle(name)) throw new Fault('not_found', `There is no bundle “${name}”.`)
      library.changed('now')
      return {}
    },
    'skills.switchBundle'({ name, enabled }) {
      const bundle = store.skills.bundles().find(each => each.name === name)
      if (!bundle) throw new Fault('not_found', `There is no bundle “${name}”.`)
      const used = library.list().filter(({ skill }) => skill.shadowedBy === null)
      const revisions: SkillRevision[] = []
      const left: { name: string; why: string }[] = []
      for (const key of bundle.keys) {
        const skill = used.find(each => each.skill.key === key)?.skill
        // Switch skills one by one: a skill that the scan blocks must not stop the others.
        const outcome = skill
          ? editor.setEnabled([skill.id], enabled, by)
          : { refused: 'It no longer exists.' }
        if (isRefusal(outcome)) left.push({ name: skill?.name ?? key, why: outcome.refused })
        else revisions.push(...outcome.revisions.map(shownRevision))
      }
      return { revisions, left }
    },
    async 'skills.setKey'({ id, name, value }) {
      const skill = library.get(id)?.skill
      if (!skill) throw new Fault('not_found', 'This skill no longer exists.')
      if (!skill.prerequisites.some(each => each.kind === 'key' && each.name === name))
        throw new Fault('bad_input', `${skill.name} does not ask for a key ${name}.`)
      await secrets.set(skillKeyName(skill.key, name), value ?? undefined)
      library.changed('now')
      return {}
    },
  } satisfies Partial<HostHandlers>
}

/** The skill keys that a turn's commands get. */
export type TurnKeys = {
  /** Keys of the skills that this turn has loaded, by variable name. */
  given: Readonly<Record<string, string>>
  /** Values to redact from results: the keys of all skills that the chat has loaded. */
  secrets: readonly string[]
}

type KeyParts = {
  library: Pick<Library, 'named'>
  store: Pick<Store['skills'], 'loadedIn'>
  secrets: { get(name: string): string | undefined }
}

/** How many skills to look up keys for: those that the chat loaded last. */
const MOST_SKILLS = 20
/** A shorter key is often a word, and redacting it would make results unreadable. */
const LEAST_SECRET = 4

/**
 * The name under which a skill's key is stored. Names include the skill, so that no skill gets another's key,
 * or a server's, by asking for its name.
 */
export const skillKeyName = (skill: string, name: string): string =>
  `SKILL_${skill.replace(/\W/g, '_').toUpperCase()}__${name}`

/** Make the function that finds a turn's keys. If two skills use a variable, the one loaded last wins. */
export function findTurnKeys({ library, store, secrets }: KeyParts) {
  return (turn: { sessionId: string; askedId: number; workspace: string }): TurnKeys => {
    const given: Record<string, string> = {}
    const hidden = new Set<string>()
    for (const { key, messageId } of store.loadedIn(turn.sessionId, MOST_SKILLS).toReversed()) {
      // The state key is the name, prefixed with the folder for a project skill.
      const known = library.named(key.slice(key.lastIndexOf('/') + 1), turn.workspace)
      if (isRefusal(known) || known.found.skill.key !== key) continue
      for (const { kind, name } of known.found.skill.prerequisites) {
        const value = kind === 'key' ? secrets.get(skillKeyName(key, name)) : undefined
        if (value === undefined) continue
        if (messageId === turn.askedId) given[name] = value
        // Programs print URLs with the key in the query, so the encoded form is hidden as well.
        if (value.length >= LEAST_SECRET) hidden.add(value).add(encodeURIComponent(value))
      }
    }
    return { given, secrets: [...hidden] }
  }
}
