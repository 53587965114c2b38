/** What the built-in model calls itself in its file (`training/layout.py`). */
const NAME = 'talaria-mini'

/**
 * Whether a model is the built-in one: it was trained on greedy replies in one notation, with results of tools as
 * messages of the user.
 */
export const isBuiltin = ({ name }: { name: string }): boolean => name === NAME
