import type { EndReason } from '../../shared/contract/run.ts'
import type { SkillUse } from '../../shared/contract/skills.ts'
import type { Store } from '../db/store.ts'
import { isCorrection } from './correction.ts'
import type { Library } from './types.ts'

type Parts = {
  store: Pick<Store, 'skills' | 'messages'>
  library: Pick<Library, 'get' | 'changed'>
  now: () => number
}

const OUTCOMES: Record<EndReason, NonNullable<SkillUse['outcome']>> = {
  done: 'well',
  stopped: 'stopped',
  budget_exhausted: 'failed',
  tool_calls_invalid: 'failed',
  failed: 'failed',
}

/** Record how turns that loaded a skill ended, and whether the user's next message corrected them. */
export function recordSkillUse({ store, library, now }: Parts) {
  return {
    asked(sessionId: string, text: string) {
      if (!isCorrection(text)) return
      const last = store.messages
        .history(sessionId, { most: 200 })
        .findLast(message => message.role === 'user')
      if (!last) return
      if (store.skills.settle({ sessionId, messageId: last.id }, 'corrected', 'any').length > 0)
        library.changed()
    },
    sent(sessionId: string, messageId: number, skillId: string) {
      const key = library.get(skillId)?.skill.key
      if (key !== undefined) store.skills.use({ key, sessionId, messageId, by: 'you', at: now() })
    },
    ended(sessionId: string, messageId: number, reason: EndReason) {
      const keys = store.skills.settle({ sessionId, messageId }, OUTCOMES[reason], 'open')
      if (keys.length > 0) library.changed()
    },
  }
}
