import type { Message } from '../../../../shared/contract/messages.ts'

export type StepId = 'remember' | 'recall' | 'file' | 'skill' | 'follow'

/** One question of the tour, worded as the built-in model was trained. */
export type Step = {
  id: StepId
  ask: string
  /** The tool whose call shows that it went well, and what the answer must say where no tool is called. */
  tool?: string
  says?: string
  /** The question that must have gone well before; those without one are offered in an empty chat. */
  needs?: StepId
}

/** The tour, in its order; each question is asked in a chat of its own. */
export const steps: readonly Step[] = [
  { id: 'remember', ask: 'Remember that my favourite drink is green tea', tool: 'memory' },
  { id: 'recall', ask: 'What is my favourite drink?', says: 'green tea', needs: 'remember' },
  { id: 'file', ask: 'Write “buy milk” to shopping.txt', tool: 'write_file' },
  {
    id: 'skill',
    ask: 'Make a skill called pack-bag: check the weather, pack the laptop, feed the cat',
    tool: 'skill_manage',
  },
  { id: 'follow', ask: 'Follow the skill pack-bag', tool: 'skill_view', needs: 'skill' },
]

/** How a question of the tour went. `denied` is what the person wanted, so it went well too. */
export type StepOutcome = 'done' | 'denied' | 'failed'

/** The question that a chat is about, when its newest message of the person is one of the tour. */
export function stepIn(
  messages: readonly Message[],
): { step: Step; answered: readonly Message[] } | undefined {
  const at = messages.findLastIndex(message => message.role === 'user')
  const asked = messages[at]
  const step = steps.find(({ ask }) => asked?.role === 'user' && asked.text === ask)
  return step && { step, answered: messages.slice(at + 1) }
}

/** What became of a question, given everything after it. */
export function outcomeOf({ tool, says }: Step, answered: readonly Message[]): StepOutcome {
  const results = answered.filter(message => message.role === 'tool')
  if (results.some(({ allowed }) => allowed.startsWith('denied'))) return 'denied'
  if (tool !== undefined) return results.some(({ name, ok }) => ok && name === tool) ? 'done' : 'failed'
  const last = answered.findLast(message => message.role === 'assistant')
  return last !== undefined && last.text.toLowerCase().includes(says ?? '') ? 'done' : 'failed'
}

/** What comes after a question; undefined at the end. */
export function stepAfter({ id }: Step, outcome: StepOutcome): Step | undefined {
  const later = steps.slice(steps.findIndex(step => step.id === id) + 1)
  return later.find(({ needs }) => needs === undefined || (needs === id && outcome === 'done'))
}
