import type { GgufFacts } from './gguf-file.ts'

/** What the built-in demo model calls itself in its file. */
const demoName = 'tiny-hermes-demo'

/** Whether a model is the built-in one, which answers only in the frame that it was trained on. */
export const isDemo = ({ name }: Pick<GgufFacts, 'name'>): boolean => name === demoName
