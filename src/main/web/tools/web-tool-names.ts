/** The names of the tools of the web, and of their toolset. */
export const WEB_SEARCH = 'web_search'
export const WEB_READ = 'web_read'
export const WEB_TOOLSET = 'web'

/** The smallest window of a model that gets these tools, in tokens: a page would leave no room for an answer in a smaller one. */
export const SMALLEST_WINDOW = 8_000

/** Why chats with a model cannot use the web, for a person; undefined when they can. */
export function whyNoWeb({
  isBuiltIn,
  contextTokens,
}: {
  isBuiltIn: boolean
  contextTokens: number | null
}): string | undefined {
  if (isBuiltIn)
    return 'The built-in model cannot use the web: it was not trained to. You can search yourself with /web and some words.'
  if (contextTokens !== null && contextTokens < SMALLEST_WINDOW)
    return `This model cannot use the web: its window of ${contextTokens.toLocaleString('en')} tokens is too small for pages. You can search yourself with /web and some words.`
  return undefined
}
