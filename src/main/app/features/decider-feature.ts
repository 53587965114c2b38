import { ORIGIN_RULES } from '../../../shared/origin-rules.ts'
import { decideMessage } from '../../builtin/decider/decide-message.ts'
import { deciderStep } from '../../builtin/decider/decider-step.ts'
import type { Encode } from '../../builtin/guide/second-opinion.ts'
import type { Store } from '../../db/store.ts'
import type { StepSource } from '../../runs/turn-runner.ts'
import type { guideFeature } from './guide-feature.ts'

type Needs = {
  sceneFor: ReturnType<typeof guideFeature>['sceneFor']
  store: { sessions: Pick<Store['sessions'], 'get' | 'update'>; messages: Pick<Store['messages'], 'history'> }
  encode: Encode
  publishSession(this: void, id: string): void
}

/** The decider of each chat: it begins the call that a message wants, for models that begin none by themselves. */
export function deciderFeature({ sceneFor, store, encode, publishSession }: Needs) {
  const step: StepSource = ({ session }) => {
    // A task that another agent wrote is no plain request of a person.
    if (ORIGIN_RULES[session.origin].asks === 'parent') return undefined
    const { id } = session
    return deciderStep({
      setting: () => store.sessions.get(id)?.decider ?? null,
      decide: async (message, tools, signal) =>
        decideMessage(message, await sceneFor(session, tools), encode, signal),
      history: () => store.messages.history(id),
      switchOff() {
        store.sessions.update(id, { decider: 'off' })
        publishSession(id)
      },
    })
  }
  return { steps: [step] }
}
