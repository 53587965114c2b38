/** The smallest window of a model that gets the tools of the web, in tokens: a page would leave no room for an answer in a smaller one. */
export const SMALLEST_WEB_WINDOW = 8_000

/** Why a model cannot use the web, for a person, before they switch it on; undefined when it can. */
export function whyNoWeb(model: {
  name: string
  demo: boolean
  contextTokens: number | null
}): string | undefined {
  const instead = 'You can search yourself: /web and a few words shows what is found.'
  if (model.demo)
    return `${model.name} cannot use the web, because it was not trained to; the web counts once the chat has another model. ${instead}`
  const { contextTokens } = model
  if (contextTokens !== null && contextTokens < SMALLEST_WEB_WINDOW)
    return `${model.name} cannot use the web, because pages would fill its window of ${contextTokens.toLocaleString('en')} tokens. ${instead}`
  return undefined
}
