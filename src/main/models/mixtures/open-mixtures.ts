import { MOST_REFERENCES, type Model, type ModelServer } from '../../../shared/contract/models/model.ts'
import { many } from '../../../shared/text/amounts.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { EngineFailure } from '../interface/engine.ts'
import type { ModelIds } from '../files/model-ids.ts'
import { slugOf } from '../server-entry.ts'

/** A mixture as stored in config.yaml. `wait_s` is the maximum time for one reference, in seconds. */
export type MixtureEntry = {
  id: string
  name: string
  references: string[]
  aggregator: string
  wait_s: number
}

/** The user's input to create a mixture, or to change the one with this id. */
export type TypedMixture = {
  id?: string | undefined
  name: string
  references: readonly string[]
  aggregator: string
  waitS?: number | undefined
}

type Parts = {
  config: {
    readonly current: { models: { mixtures: readonly MixtureEntry[] } }
    set(path: 'models.mixtures', value: MixtureEntry[]): void
  }
  ids: Pick<ModelIds, 'localOf' | 'idNow'>
  servers: { list(): Model[] }
  /** Default for the maximum time of a reference, in seconds. */
  waitS: number
}

const MIXTURE = 'mixture:'

/** The mixtures of the configuration, which is read at every call. */
export type Mixtures = ReturnType<typeof openMixtures>

/** Open the mixtures: models that ask others for advice before one of them answers. */
export function openMixtures({ config, ids, servers, waitS }: Parts) {
  const all = () => config.current.models.mixtures
  const entryOf = (id: string) =>
    id.startsWith(MIXTURE) ? all().find(each => MIXTURE + each.id === id) : undefined
  const serverOf = (id: string): (ModelServer & { name: string }) | undefined => {
    const found = servers.list().find(each => each.id === id)
    return found?.server ? { ...found.server, name: found.name } : undefined
  }
  const nameOf = (id: string): string => serverOf(id)?.name ?? ids.localOf(id)?.name ?? id

  /** Return why a model cannot be part of a mixture, as a sentence; undefined if it can. */
  function whyNot(id: string): string | undefined {
    if (id.startsWith(MIXTURE)) return `“${id}” is a mixture itself. A mixture cannot be part of another one.`
    if (id === 'builtin') return 'The built-in model cannot be part of a mixture.'
    return serverOf(id) || ids.localOf(id) ? undefined : `The model “${id}” is not in the list.`
  }

  const problemOf = ({ references, aggregator }: Pick<MixtureEntry, 'references' | 'aggregator'>) => {
    const whys = [...new Set([...references, aggregator])].flatMap(id => whyNot(id) ?? [])
    return whys.length > 0 ? whys.join(' ') : undefined
  }

  function describe(entry: MixtureEntry): Model {
    const { references, aggregator } = entry
    const members = [...references, aggregator].map(serverOf)
    return {
      id: MIXTURE + entry.id,
      name: entry.name,
      kind: 'mixture',
      detail: sayMixture(references.map(nameOf), nameOf(aggregator)),
      sizeBytes: null,
      contextTokens: servers.list().find(each => each.id === aggregator)?.contextTokens ?? null,
      demo: false,
      problem: problemOf(entry) ?? null,
      file: null,
      server: null,
      mixture: {
        references,
        aggregator,
        waitS: entry.wait_s,
        away: members.some(server => server && !server.nearby),
      },
      options: {},
      tools: null,
    }
  }

  return {
    list: () => all().map(describe),
    all,
    has: (id: string) => entryOf(id) !== undefined,
    /** The entry of a mixture; undefined for any other model. */
    find: entryOf,
    nameOf,
    /** Return the host of a server model, and whether it is another computer; undefined for local models. */
    hostOf(id: string): { host: string; away: boolean } | undefined {
      const server = serverOf(id)
      return server && { host: URL.parse(server.baseUrl)?.host ?? server.baseUrl, away: !server.nearby }
    },
    /** Return the id of the model that answers for a mixture, or the failure; undefined for other models. */
    answererOf(id: string): { id: string } | EngineFailure | undefined {
      const entry = entryOf(id)
      if (!entry) return undefined
      // A missing reference is left out and named. Without the answering model there is no answer.
      const why = whyNot(entry.aggregator)
      return why === undefined
        ? { id: entry.aggregator }
        : {
            code: 'model_missing',
            text: `The mixture “${entry.name}” cannot answer. ${why}`,
            fix: 'Choose another model for this chat, or change the mixture on the Models page.',
          }
    },
    /** Create or change a mixture. Throws `bad_input` with the reason. */
    set(typed: TypedMixture): Model {
      const references = typed.references.map(ids.idNow)
      const aggregator = ids.idNow(typed.aggregator)
      const known = typed.id === undefined ? undefined : entryOf(typed.id)
      if (typed.id !== undefined && !known)
        throw new Fault('not_found', `The mixture “${typed.id}” is no longer in the list.`)
      if (new Set(references).size < references.length)
        throw new Fault('bad_input', 'A model is listed twice among the references. List each one only once.')
      if (references.length > MOST_REFERENCES)
        throw new Fault(
          'bad_input',
          `A mixture has at most ${many(MOST_REFERENCES, 'reference')}; these are ${references.length}.`,
        )
      const problem = problemOf({ references, aggregator })
      if (problem !== undefined) throw new Fault('bad_input', problem)
      const others = all().filter(each => each !== known)
      const name = typed.name.trim()
      if (others.some(each => each.name.toLowerCase() === name.toLowerCase()))
        throw new Fault('bad_input', `A mixture named “${name}” already exists. Choose another name.`)
      const entry = {
        id: known?.id ?? freeId(name, others),
        name,
        references,
        aggregator,
        wait_s: typed.waitS ?? known?.wait_s ?? waitS,
      }
      config.set('models.mixtures', [...others, entry])
      return describe(entry)
    },
    /** Remove a mixture; its models stay. Returns whether there was one. */
    forget(id: string): boolean {
      const entry = entryOf(id)
      if (entry)
        config.set(
          'models.mixtures',
          all().filter(each => each !== entry),
        )
      return entry !== undefined
    },
  }
}

/** Say which models are asked and which one answers, and how many requests that takes. */
const sayMixture = (references: readonly string[], aggregator: string): string =>
  `asks ${references.join(', ')}; ${aggregator} answers · at least ${references.length + 1} requests for each message`

function freeId(name: string, others: readonly MixtureEntry[]): string {
  const taken = new Set(others.map(each => each.id))
  const slug = slugOf(name)
  let id = slug
  for (let n = 2; taken.has(id); n++) id = `${slug}-${n}`
  return id
}
