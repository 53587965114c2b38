import type { AssistantMessage } from '../../../../shared/contract/chats/messages.ts'
import type { EndReason, RunEvent } from '../../../../shared/contract/runs/run.ts'

/** One of the answers that are compared. `end` is null while it is written; `problem` says why it failed. */
export type Lane = {
  modelId: string
  text: string
  thoughts: string
  answer: AssistantMessage | null
  end: EndReason | null
  problem: string
}

/** Answers that the user has not chosen between yet; `runId` is null if they were read from the store. */
export type Comparison = { runId: string | null; lanes: readonly Lane[] }

type CompareEvent = Extract<RunEvent, { type: 'compare_delta' | 'compare_answer' | 'compare_end' }>

/** Apply one more event to a comparison. */
export function withEvent(comparison: Comparison | null, event: CompareEvent): Comparison | null {
  if (!comparison) return null
  const change = (lane: Lane): Lane => {
    if (event.type === 'compare_answer') {
      const { answer } = event
      return { ...lane, answer, text: answer.text, thoughts: answer.reasoning }
    }
    if (event.type === 'compare_end')
      return { ...lane, end: event.reason, problem: `${event.text} ${event.fix}`.trim() }
    if (event.part === 'again') return { ...lane, text: '', thoughts: '' }
    return event.part === 'text'
      ? { ...lane, text: lane.text + event.text }
      : { ...lane, thoughts: lane.thoughts + event.text }
  }
  return {
    ...comparison,
    lanes: comparison.lanes.map((lane, at) => (at === event.lane ? change(lane) : lane)),
  }
}

/** A new comparison. */
export const begunWith = (runId: string, lanes: readonly { modelId: string }[]): Comparison => ({
  runId,
  lanes: lanes.map(({ modelId }) => ({
    modelId,
    text: '',
    thoughts: '',
    answer: null,
    end: null,
    problem: '',
  })),
})
