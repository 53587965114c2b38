import { z } from 'zod'
import { groupFor, number, text, withText } from './setting-rules.ts'

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
