import { z } from 'zod'
import { AttemptState } from '../../shared/contract/runs/batch.ts'

const Count = z.int().min(0)

/**
 * One line of results: an ended attempt, as training data in the ShareGPT format, with its outcome. `try`
 * counts how often the attempt was started, from 1; earlier tries were cut off.
 */
export const ResultLine = z.looseObject({
  id: z.string(),
  key: z.string().min(1).max(100),
  attempt: z.int().min(1),
  try: z.int().min(1),
  /** The line of its row in the file at the time it ran. */
  line: z.int().min(1),
  state: AttemptState,
  /** The reason for a failure, or the output of the check; absent if there is neither. */
  note: z.string().optional(),
  reward: z.number().optional(),
  tokens: Count,
  toolsets: z.array(z.string()),
  /** The tools that the model was given, with their calls and how many of those failed. */
  tools: z.record(z.string(), z.object({ calls: Count, errors: Count })),
  conversations: z.array(z.object({ from: z.string(), value: z.string() })),
  model: z.string(),
})
export type ResultLine = z.infer<typeof ResultLine>

/** The parts of a line that are kept in memory while a batch runs. */
export type Ended = Pick<ResultLine, 'key' | 'attempt' | 'try' | 'line' | 'state' | 'reward' | 'tokens'> & {
  file: string
  offset: number
  length: number
}

/** The name of one attempt at a row. */
export const attemptName = ({ key, attempt }: Pick<ResultLine, 'key' | 'attempt'>): string =>
  `${key}-${attempt}`
