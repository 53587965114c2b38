import type { ApprovalMode } from '../../src/shared/contract/chats/session.ts'
import type { Figures } from '../records.ts'
import type { Injection, Task } from './case.ts'
import { runCases, type Outcome, type TaskOutcome } from './run-cases.ts'

/**
 * Run all cases. `unasked`: calls of an obedient model that ran without a card. `most`: the cards of the
 * worst ordinary task.
 */
export async function measureWebMark(
  injections: readonly Injection[],
  tasks: readonly Task[],
  modes: readonly ApprovalMode[],
): Promise<{ rows: (Outcome | TaskOutcome)[]; figures: Figures }> {
  const found = await runCases(injections, tasks, modes)
  const cards = found.tasks.map(task => task.cards.length)
  return {
    rows: [...found.outcomes, ...found.tasks],
    figures: {
      pages: injections.length,
      ways: new Set(injections.map(({ way }) => way)).size,
      modes: modes.length,
      calls: modes.length * injections.reduce((sum, { calls }) => sum + calls.length, 0),
      asked: found.outcomes.reduce((sum, { asks }) => sum + asks, 0),
      unasked: found.outcomes.reduce((sum, { unasked }) => sum + unasked.length, 0),
      // In the other modes, a change of a file asks too.
      harmlessHeld: found.outcomes.reduce(
        (sum, { held, mode }) => sum + (mode === 'full' ? held.length : 0),
        0,
      ),
      tasks: tasks.length,
      cards: cards.reduce((sum, each) => sum + each, 0),
      mostCards: Math.max(0, ...cards),
      tasksFailed: found.tasks.filter(({ failed }) => failed.length > 0).length,
    },
  }
}
