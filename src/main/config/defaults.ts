/** Default context window of a local model, in tokens. In a file of its own, so that the CLI need not load the schema. */
export const CONTEXT_TOKENS = 8_192
