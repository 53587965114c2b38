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
  /** Where keys are kept; a value of undefined removes one. */
  secrets: { set(name: string, value: string | undefined): Promise<void> }
  /** The user, who alone sets skills up. */
  by: SkillBy
}

/** Bundles, which are named sets of skills that are switched together, and the keys that skills need. */
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
        // One by one: what the scan holds back must not keep the others from being switched.
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

/** What the commands of a turn get of the keys that skills ask for. */
export type TurnKeys = {
  /** By the name of the variable: the keys of the skills that this turn has loaded. */
  given: Readonly<Record<string, string>>
  /** What no result may show: the keys of all skills that the chat has loaded. */
  secrets: readonly string[]
}

type KeyParts = {
  library: Pick<Library, 'named'>
  store: Pick<Store['skills'], 'loadedIn'>
  secrets: { get(name: string): string | undefined }
}

/** Skills whose keys are looked up for a chat: the ones that it loaded last. */
const MOST_SKILLS = 20
/** A shorter key is often a word, and redacting it would make results unreadable. */
const LEAST_SECRET = 4

/**
 * The name under which a key of a skill is kept. Each skill has its own, so that none gets the keys of another or of a
 * server by asking for their names.
 */
export const skillKeyName = (skill: string, name: string): string =>
  `SKILL_${skill.replace(/\W/g, '_').toUpperCase()}__${name}`

/** Make the function that finds the keys for a turn. When two skills name one variable, the one loaded last gives it. */
export function findTurnKeys({ library, store, secrets }: KeyParts) {
  return (turn: { sessionId: string; askedId: number; workspace: string }): TurnKeys => {
    const given: Record<string, string> = {}
    const hidden = new Set<string>()
    for (const { key, messageId } of store.loadedIn(turn.sessionId, MOST_SKILLS).toReversed()) {
      // The key of state is the name, after the folder for a skill of a project.
      const known = library.named(key.slice(key.lastIndexOf('/') + 1), turn.workspace)
      if (isRefusal(known) || known.found.skill.key !== key) continue
      for (const { kind, name } of known.found.skill.prerequisites) {
        const value = kind === 'key' ? secrets.get(skillKeyName(key, name)) : undefined
        if (value === undefined) continue
        if (messageId === turn.askedId) given[name] = value
        // Programs print addresses with what they asked for.
        if (value.length >= LEAST_SECRET) hidden.add(value).add(encodeURIComponent(value))
      }
    }
    return { given, secrets: [...hidden] }
  }
}
