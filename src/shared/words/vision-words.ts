import type { Model } from '../contract/models/model.ts'

type Described = Pick<Model, 'id' | 'name' | 'kind' | 'server'>

/** No model describes pictures. Other work beside the chats is done by the model of the chat, which does not help here. */
const NONE = 'chat'
/** A server that the environment names. */
const FROM_ENVIRONMENT = 'auto'

/** Whether a model is known not to see: in this computer's own engine none does. */
const isBlind = ({ kind, server }: Described): boolean => kind !== 'server' || server?.sees === false

/**
 * The choices for the model that describes pictures: those on servers, and what is set already. `nameOf` names what is no model,
 * or is there no more.
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

/** What it means that a model describes pictures: where they go, and who is asked. `locked`: the offline lock is on. */
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
