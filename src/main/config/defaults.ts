/** Tokens of a chat that a local model holds where nothing is set. Here without the schema, which a command line can do without. */
export const CONTEXT_TOKENS = 8_192
