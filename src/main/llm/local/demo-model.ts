/** What the built-in demo model calls itself in its file. */
const demoName = 'tiny-hermes-demo'

/** Its header says 2,048, but it was trained on half of that, and writes nonsense beyond. */
const demoTokens = 1_024

/** Whether a model is the built-in one, which answers only in the frame that it was trained on. */
export const isDemo = ({ name }: { name: string }): boolean => name === demoName

/** The context that a model was really trained on, given what its header says. */
export const trainedTokens = (name: string, inHeader: number): number =>
  isDemo({ name }) ? Math.min(inHeader, demoTokens) : inHeader
