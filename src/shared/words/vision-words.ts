import type { Model } from '../contract/models/model.ts'

type Described = Pick<Model, 'id' | 'name' | 'kind' | 'server'>

/**
 * No model describes pictures. Other auxiliary work uses the chat's own model for this value, which does not
 * help here.
 */
const NONE = 'chat'
/** Use the server that the environment names. */
const FROM_ENVIRONMENT = 'auto'

/** Whether a model is known not to see pictures: no model in the local engine does. */
const isBlind = ({ kind, server }: Described): boolean => kind !== 'server' || server?.sees === false

/**
 * The choices for the model that describes pictures: models on servers, and the current value. `nameOf` names
 * values that are not a model, or no longer one.
 */
export function visionChoices(
  models: readonly Described[],
  chosen: string,
  nameOf: (id: string) => string,
): { value: string; label: string }[] {
  const named = models.filter(({ server }) => server).map(({ id }) => id)
  return [...new Set([NONE, FROM_ENVIRONMENT, ...named, chosen])].map(value => {
    const model = models.find(({ id }) => id === value)
    const name = value === NONE ? 'None' : nameOf(value)
    return { value, label: model && isBlind(model) ? `${name} (does not see)` : name }
  })
}

/**
 * Explain the choice of the model that describes pictures: where pictures go, and when the user is asked.
 * `locked`: the offline lock is on.
 */
export function visionMeans(id: string, models: readonly Described[], locked: boolean): string {
  if (id === NONE) return 'Models that do not see are given no pictures.'
  const model = models.find(each => each.id === id)
  if (id !== FROM_ENVIRONMENT && !model) return 'There is no such model, so no picture is described.'
  if (model && isBlind(model)) return `${model.name} does not see pictures, so it can describe none.`
  if (model?.server?.nearby)
    return `If the model of a chat does not see, its pictures go to ${model.name} on this computer, which describes them.`
  const asks = locked
    ? 'Nothing goes there while the offline lock is on.'
    : 'You are asked before the first one.'
  return `${sayPicturesGo(model)} ${asks}`
}

/** The sentence about pictures that leave this computer. */
function sayPicturesGo(model: Described | undefined): string {
  if (!model)
    return 'If the model of a chat does not see, its pictures go to the server that the environment names, which describes them.'
  const host = model.server ? URL.parse(model.server.baseUrl)?.host : undefined
  return host === undefined
    ? `If the model of a chat does not see, its pictures go to ${model.name} at its server, which describes them.`
    : `If the model of a chat does not see, its pictures go to ${model.name} at ${host}, which describes them.`
}
