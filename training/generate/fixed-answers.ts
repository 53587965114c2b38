import { BEYOND } from './tasks/unknown.ts'
import { NOT_KNOWN, NOT_THERE } from './tasks/notebook.ts'
import { TALK } from './tasks/small-talk.ts'

/** Said where a chat has no tools. */
export const NO_TOOLS = 'This chat has no tools, so I cannot do that here.'

/** Answers that are always the same. */
export const fixedAnswers: readonly string[] = [
  BEYOND,
  NO_TOOLS,
  NOT_KNOWN,
  NOT_THERE,
  ...TALK.map(({ answer }) => answer),
  'There is nothing about you in my memory yet.',
  'It ran and printed nothing.',
  'Nothing to save.',
  '{"worth": false, "facts": [], "procedure": ""}',
]
