import { z } from 'zod'
import { groupFor, wholeNumber, withText, number, text } from './setting-rules.ts'

/** Limits of an answer, and of all its sub-agents together. */
export const AgentSettings = groupFor(['every chat'], {
  // Reading forty pages takes forty steps. Repetitions are ended earlier (`agent/repetition/`).
  max_iterations: withText(
    wholeNumber(1, 500).default(60),
    'Steps in one answer',
    'How many times the model may call tools before it must answer.',
  ),
  sub_agent_steps: withText(
    wholeNumber(1, 500).default(60),
    'Steps of sub-agents',
    'How many steps all sub-agents of one answer may take together; one takes 20 at most.',
  ),
  sub_agent_tokens: withText(
    wholeNumber(1_000, 100_000_000).default(1_200_000),
    'Tokens of sub-agents',
    'How many tokens all sub-agents of one answer may read and write together; one gets a third at most.',
  ),
}).prefault({})

/** Settings of batches. */
export const BatchSettings = groupFor(['batches'], {
  distributions: withText(
    z
      .record(
        text(100),
        z.record(text(100), number(0, 100), 'toolsets, each with how likely it is, in percent'),
        'distributions by their name, each with toolsets and how likely they are',
      )
      .default({}),
    'Distributions of toolsets',
    'Distributions of your own for talaria batch --distribution: toolsets, each with the percent of rows that have it.',
    { since: 4, where: 'talaria tools list' },
  ),
})
