/**
 * Minimum context window for the web tools, in tokens: in a smaller one, a page would leave no room for an
 * answer.
 */
export const SMALLEST_WEB_WINDOW = 8_000

/** Tell the user why a model cannot use the web, before they switch it on; undefined if it can. */
export function whyNoWeb(model: {
  name: string
  demo: boolean
  contextTokens: number | null
}): string | undefined {
  const instead = 'You can search yourself: type /web and a few words.'
  if (model.demo)
    return `${model.name} cannot use the web, because it was not trained for it. The web can be used once the chat has another model. ${instead}`
  const { contextTokens } = model
  if (contextTokens !== null && contextTokens < SMALLEST_WEB_WINDOW)
    return `${model.name} cannot use the web, because pages would fill its context window of ${contextTokens.toLocaleString('en')} tokens. ${instead}`
  return undefined
}
