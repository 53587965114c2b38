import type { Session } from '../../../../shared/contract/chats/session.ts'
import { ORIGIN_RULES } from '../../../../shared/origin-rules.ts'
import { openDeciders } from '../../../builtin/decider/ask-mini.ts'
import { judgeMessage, type Judgement } from '../../../builtin/decider/decide-message.ts'
import { hasDecider } from '../../../builtin/decider/word-result.ts'
import { deciderStep } from '../../../builtin/decider/decider-step.ts'
import { personStep } from '../../../builtin/decider/person-step.ts'
import type { Encode } from '../../../builtin/guide/second-opinion.ts'
import type { Store } from '../../../db/store.ts'
import type { LlmEngine, ModelProfile } from '../../../models/interface/engine.ts'
import type { StepSource } from '../../../runs/turn-runner.ts'
import type { guideFeature } from './guide-feature.ts'

type Needs = {
  sceneFor: ReturnType<typeof guideFeature>['sceneFor']
  store: { sessions: Pick<Store['sessions'], 'get' | 'update'>; messages: Pick<Store['messages'], 'history'> }
  /** The models that decide: the sentence encoder, and the built-in model in a process of its own. */
  deciding: { encode: Encode; engine: Pick<LlmEngine, 'complete'> }
  /** The stored result of trying out a model's tools; does not contact a server. */
  verdictOf(this: void, modelId: string): Promise<ModelProfile['verdict'] | null>
  now(this: void): number
  report(this: void, error: unknown): void
}

/** How often in a row the user may choose *Just answer* before a chat stops asking. */
const MOST_JUST_ANSWERED = 3
/** How long the small models count as warm, in ms; they stay loaded for two minutes after use. */
const WARM_MS = 90_000
/** Judge skills by name too, even if the chat cannot load them. */
const ALL: readonly string[] = ['skill_view']

/** The decider of each chat: it starts the call a message asks for, if its model starts none itself. */
export function deciderFeature({ sceneFor, store, deciding, verdictOf, now, report }: Needs) {
  const deciders = openDeciders({ ...deciding, now, report })
  /** The judgement of the message that a chat is answering, until the next step of the same turn takes it. */
  const heard = new Map<string, Judgement>()
  function takeHeard(id: string): Judgement | undefined {
    const judged = heard.get(id)
    heard.delete(id)
    return judged
  }
  const step: StepSource = ({ session }) => {
    // A task that another agent wrote is not a plain request of the user.
    if (ORIGIN_RULES[session.origin].asks === 'parent') return undefined
    const { id } = session
    return deciderStep({
      setting: () => store.sessions.get(id)?.decider ?? null,
      async decide(message, tools, signal) {
        // A judgement left by an earlier turn is about another message.
        heard.delete(id)
        const scene = await sceneFor(session, tools)
        return deciders.both(message, scene, signal, judged => heard.set(id, judged))
      },
      history: () => store.messages.history(id),
      switchOff() {
        store.sessions.update(id, { decider: 'off' })
      },
    })
  }
  /** How often in a row the user chose *Just answer* in a chat. Losing this at a restart does no harm. */
  const justAnswered = new Map<string, number>()
  const byPerson: StepSource = ({ session }) => {
    if (ORIGIN_RULES[session.origin].asks === 'parent') return undefined
    const { id } = session
    return personStep({
      setting: () => store.sessions.get(id)?.decider ?? null,
      judge: async (message, { byRules }, signal) =>
        byRules
          ? judgeMessage(message, await sceneFor(session, ALL), undefined, signal)
          : (takeHeard(id) ?? judgeMessage(message, await sceneFor(session, ALL), deciding.encode, signal)),
      mayAsk: () => (justAnswered.get(id) ?? 0) < MOST_JUST_ANSWERED,
      hasAsked({ justAnswer }) {
        if (justAnswer) justAnswered.set(id, (justAnswered.get(id) ?? 0) + 1)
        else justAnswered.delete(id)
      },
    })
  }
  let warmedAt = -Infinity
  /** Load the small models when a chat is opened or typed in, so that its first message need not wait. */
  async function warmUp({ id, origin, modelId, workspace, approval }: Session): Promise<void> {
    if (approval === 'chat_only' || ORIGIN_RULES[origin].asks === 'parent') return
    const isWarm = () => now() - warmedAt < WARM_MS
    if (isWarm()) return
    const verdict = await verdictOf(modelId)
    if (!hasDecider(store.sessions.get(id)?.decider ?? null, verdict ? { verdict } : {}) || isWarm()) return
    warmedAt = now()
    await deciders.warmUp(workspace, AbortSignal.timeout(WARM_MS))
  }
  return {
    steps: [step, byPerson],
    /** Warm up in the background; failures are reported, not thrown. */
    warmUp: (session: Session) => void warmUp(session).catch(report),
  }
}
