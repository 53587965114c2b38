import { digestOf } from '../library/parts.ts'
import type { LibrarySkill, SkillBy, SkillRefusal } from '../types.ts'
import type { Surroundings } from './write-skill.ts'

/**
 * Plan to switch a skill on or off. What the scan keeps from the model is switched on only by a person who accepts it as it
 * is now: any change of it has to be accepted anew.
 */
export function draftSwitch(
  { skill, found }: LibrarySkill,
  enabled: boolean,
  by: SkillBy,
  accept: boolean,
  { library, scene }: Surroundings,
): SkillRefusal | undefined {
  const state = scene.state(found.key)
  if (accept && by.actor !== 'you' && by.actor !== 'import')
    return { refused: `Only the person can accept what the scan found in ${skill.name}.` }
  // Looking through it is what finds a reason, and it may not have been done yet.
  const scan = enabled && !accept && isForeign(skill) ? library.scan(found.id) : undefined
  const { blocked = null } = (scan && library.get(found.id)?.skill) ?? {}
  if (scan && blocked !== null) {
    return {
      refused: `${skill.name} is kept from the model: ${blocked} Read what the scan found, and accept it if it is harmless.`,
      scan,
    }
  }
  const accepted = enabled && accept ? digestOf(found.folder) : state.accepted
  if (skill.enabled === enabled && accepted === state.accepted) return undefined
  scene.add({
    kind: 'switched',
    before: null,
    after: null,
    revision: {
      key: found.key,
      name: found.name,
      op: enabled ? 'enable' : 'disable',
      skillId: found.id,
      undoes: null,
    },
    states: [{ ...state, enabled, accepted }],
  })
  return undefined
}

const isForeign = ({ origin }: LibrarySkill['skill']) => origin !== 'builtin' && origin !== 'user'
