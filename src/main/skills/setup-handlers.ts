import type { HostHandlers } from '../../shared/contract/index.ts'
import type { SkillRevision } from '../../shared/contract/skills.ts'
import { Fault } from '../../shared/rpc.ts'
import type { Store } from '../db/store.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { shownRevision } from './skill-handlers.ts'
import { skillKeyName } from './skill-keys.ts'
import type { Library, SkillBy, SkillEditor } from './types.ts'

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
          : { refused: 'It is not there any more.' }
        if (isRefusal(outcome)) left.push({ name: skill?.name ?? key, why: outcome.refused })
        else revisions.push(...outcome.revisions.map(shownRevision))
      }
      return { revisions, left }
    },
    async 'skills.setKey'({ id, name, value }) {
      const skill = library.get(id)?.skill
      if (!skill) throw new Fault('not_found', 'This skill does not exist any more.')
      if (!skill.prerequisites.some(each => each.kind === 'key' && each.name === name))
        throw new Fault('bad_input', `${skill.name} does not ask for a key ${name}.`)
      await secrets.set(skillKeyName(skill.key, name), value ?? undefined)
      library.changed('now')
      return {}
    },
  } satisfies Partial<HostHandlers>
}
