import type { StepRow, TranscriptRow } from './transcript-rows.ts'

/**
 * Joins consecutive finished steps into one row. Text between them, a question, or a step that runs or waits
 * starts a new group, and a single step keeps its row. The joined row has the key of its first step.
 */
export function foldSteps(items: readonly TranscriptRow[]): readonly TranscriptRow[] {
  const folded: TranscriptRow[] = []
  /** Steps, and thoughts between them. */
  let steps: StepRow[] = []
  /** Thoughts that follow the last step. */
  let thoughts: StepRow[] = []
  const end = () => {
    const [first] = steps
    if (first && steps.filter(({ kind }) => kind === 'tool').length > 1)
      folded.push({ key: first.key, kind: 'steps', rows: steps })
    else folded.push(...steps)
    folded.push(...thoughts)
    steps = []
    thoughts = []
  }
  for (const item of items) {
    if (isOver(item)) {
      steps.push(...thoughts, item)
      thoughts = []
    } else if (steps.length > 0 && isThought(item)) thoughts.push(item)
    else {
      end()
      folded.push(item)
    }
  }
  end()
  return folded
}

const OVER = new Set(['done', 'failed', 'denied', 'stopped'])

/** A finished call. A sub-agent may continue after its call, so its row stays. */
const isOver = (item: TranscriptRow): item is Extract<StepRow, { kind: 'tool' }> =>
  item.kind === 'tool' && OVER.has(item.card.phase) && item.card.call.name !== 'delegate'

/** A reply without text before its calls. */
const isThought = (item: TranscriptRow): item is Extract<StepRow, { kind: 'answer' }> =>
  item.kind === 'answer' &&
  item.message !== null &&
  item.message.text.trim() === '' &&
  item.message.calls.length > 0 &&
  !item.message.interrupted
