import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Message } from '../../../../shared/contract/chats/messages.ts'
import { keepValue, readKept } from '../../../ui/local-storage.ts'

type StepText = {
  /** The label of the starter in an empty chat. */
  title: string
  done: string
  /** The label of the button that leads to this step. */
  next: string
}
export const stepTexts = {
  remember: {
    title: 'It remembers you',
    // The chip in the chat already says it, with Undo.
    done: '',
    next: 'Next: let it remember something',
  },
  recall: {
    title: 'It remembers in a new chat',
    done: 'This is a new chat, and it knew: the answer came from its memory.',
    next: 'Next: ask for it in a new chat',
  },
  file: {
    title: 'It asks before it changes anything',
    done: 'Nothing was written until you allowed it. The file is in the working folder.',
    next: 'Next: let it write a file',
  },
  skill: {
    title: 'It learns how you do things',
    done: 'Any chat can use this skill from now on. The Skills page shows it, and it is plain text.',
    next: 'Next: teach it a skill',
  },
  follow: {
    title: 'It uses what it learned',
    done: 'It loaded your skill and followed it. That was the tour: the same works with every model.',
    next: 'Next: let it use the skill',
  },
} satisfies Record<StepId, StepText>

export type StepId = 'remember' | 'recall' | 'file' | 'skill' | 'follow'

/** One question of the tour, worded as in the training data of the built-in model. */
type Step = {
  id: StepId
  ask: string
  /** The tool whose call counts as success, and the text that the answer must contain without a call. */
  tool?: string
  says?: string
  /** The question that must succeed first. Questions without one are offered in an empty chat. */
  needs?: StepId
}

/** The tour, in order. Each question gets a separate chat. @internal Tests go through it. */
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

/** The result of a tour question. `denied` is the user's choice, so it counts as success. */
export type StepOutcome = 'done' | 'denied' | 'failed'

/** The tour question of a chat, if its newest user message is one. */
export function stepIn(
  messages: readonly Message[],
): { step: Step; answered: readonly Message[] } | undefined {
  const at = messages.findLastIndex(message => message.role === 'user')
  const asked = messages[at]
  const step = steps.find(({ ask }) => asked?.role === 'user' && asked.text === ask)
  return step && { step, answered: messages.slice(at + 1) }
}

/** The result of a question, given everything after it. */
export function outcomeOf({ tool, says }: Step, answered: readonly Message[]): StepOutcome {
  const results = answered.filter(message => message.role === 'tool')
  if (results.some(({ record }) => record.decision === 'denied')) return 'denied'
  if (tool !== undefined) return results.some(({ name, ok }) => ok && name === tool) ? 'done' : 'failed'
  const last = answered.findLast(message => message.role === 'assistant')
  return last !== undefined && last.text.toLowerCase().includes(says ?? '') ? 'done' : 'failed'
}

/** The step after a question; undefined at the end. */
export function stepAfter({ id }: Step, outcome: StepOutcome): Step | undefined {
  const later = steps.slice(steps.findIndex(step => step.id === id) + 1)
  return later.find(({ needs }) => needs === undefined || (needs === id && outcome === 'done'))
}

const KEY = 'tour'
const CLOSED = 'closed'

/** Progress of the tour. It is kept in this window's storage because nothing else depends on it. */
type Tour = { tried: ReadonlySet<StepId>; closed: boolean }

function read(): Tour {
  const words = (readKept(KEY) ?? '').split(' ')
  const known = steps.map(step => step.id).filter(id => words.includes(id))
  return { tried: new Set(known), closed: words.includes(CLOSED) }
}

const store = createStore<Tour>(read)

export const useTour = (): Tour => useStore(store)

/** The steps that the start page offers; the others follow from them. */
export const starterSteps = steps.filter(({ needs }) => needs === undefined)

/** Whether the tour is over for the start page: it was closed, or everything was tried. */
export const useTourOver = (): boolean =>
  useStore(store, ({ tried, closed }) => closed || starterSteps.every(({ id }) => tried.has(id)))

function change(tour: Tour): void {
  store.setState(tour)
  keepValue(KEY, [...tour.tried, ...(tour.closed ? [CLOSED] : [])].join(' '))
}

/** Record that a question of the tour was answered. */
export function markTried(id: StepId): void {
  const { tried, closed } = store.getState()
  if (!tried.has(id)) change({ tried: new Set([...tried, id]), closed })
}

/** Hide the tour for good. */
export const closeTour = (): void => change({ ...store.getState(), closed: true })
