import type { Delegated } from '../../shared/contract/runs/delegation.ts'
import type { StrangersMark } from '../../shared/contract/chats/messages.ts'
import type { Store } from '../db/store.ts'
import { mergeMarks } from '../untrusted/strangers-marks.ts'
import { agentFacts } from './agent-facts.ts'
import { resultText } from './result-text.ts'

type Parts = {
  store: Pick<Store, 'delegations' | 'messages' | 'marks'>
  /** Called with each sub-agent whose result the model has now received. */
  onChange(agent: Delegated): void
}

/** Sub-agents' reports for the model, sent with a chat's next message. `told`: the model has them. */
export type UntoldReports = { text: string; marks: readonly StrangersMark[]; told(): void }

/**
 * Create the function that returns reports the model of a chat has not received yet. They are from background
 * sub-agents, and from those cut off when Talaria quit. Undefined while one is working, or if there are none.
 */
export const createReports =
  ({ store, onChange }: Parts) =>
  (parentId: string): UntoldReports | undefined => {
    const agents = store.delegations.ofChat(parentId)
    const waiting = agents.filter(each => !each.told && (each.background || each.end === 'unknown'))
    if (waiting.length === 0 || waiting.some(({ endedAt }) => endedAt === null)) return undefined
    const ends = waiting.map(agent => {
      const facts = agentFacts(store.messages.history(agent.sessionId))
      const marks = store.marks.ofChat(agent.sessionId)
      return { marks, text: resultText({ agent, facts, error: '', hadForm: false, marks }) }
    })
    return {
      text: ends.map(({ text }) => text).join('\n\n'),
      marks: mergeMarks(...ends.map(({ marks }) => marks)),
      told() {
        for (const agent of waiting) {
          const told = { ...agent, told: true }
          store.delegations.put(told)
          onChange(told)
        }
      },
    }
  }
