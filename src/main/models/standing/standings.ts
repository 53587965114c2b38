import { stat } from 'node:fs/promises'
import type { ModelOptions, ToolsVerdict } from '../../../shared/contract/models/model.ts'
import type { CompletionEvent, LlmEngine, Prompt } from '../interface/engine.ts'
import { isFailure } from '../interface/engine.ts'
import type { ModelIds } from '../files/model-ids.ts'
import { allPartPaths, realPathOf } from '../files/model-paths.ts'
import { optionsOf, type OptionsEntry } from '../model-options.ts'
import type { ServerEntry } from '../server-entry.ts'
import { leaveOutRefused } from './leave-out-tools.ts'
import { openRefusals } from './refused-tools-file.ts'
import { seePictures, type PictureSource } from './see-pictures.ts'
import { openSights } from './sights-file.ts'
import { openVerdicts, type TriedModel } from './verdict-file.ts'

/** The results of using and trying models, which are added to what their engines know. */
export type Standings = {
  /** Wrap an engine so that its profile includes all results, and its answers add new ones. */
  follow<E extends LlmEngine>(engine: E): E
  /** Return the result of trying a model's tools; null if its current form has not been tried. */
  verdictOf(this: void, id: string): Promise<ToolsVerdict | null>
  /** Whether a model takes pictures, by a trial; undefined if its current form has not been tried. */
  sightOf(this: void, id: string): boolean | undefined
  /** Save the result of trying a model's tools. */
  keepVerdict(this: void, id: string, verdict: ToolsVerdict): Promise<void>
}

type Parts = {
  home: string
  ids: Pick<ModelIds, 'localOf'>
  config: {
    readonly current: {
      models: {
        servers: readonly ServerEntry[]
        options: Readonly<Record<string, OptionsEntry>>
      }
    }
  }
  /** The pictures of chats. Without this, models get no pictures. */
  pictures?: PictureSource | undefined
  now(): number
  report(error: unknown): void
}

/** A source without pictures. */
const NO_PICTURES: PictureSource = { load: async () => undefined, descriptionOf: () => undefined }

/** Open the results for the models of a home folder. */
export function openStandings({ home, ids, config, pictures = NO_PICTURES, now, report }: Parts): Standings {
  const verdicts = openVerdicts(home, report)
  const refusals = openRefusals(home, { now, report })
  const sights = openSights(home, { now, report })
  /** Models whose server refused tools as data, with their settings then: a change is a new attempt. */
  const refused = new Map<string, string>()
  /** Pictures that servers have refused since the start, by model. */
  const unusable = new Map<string, Set<string>>()
  function refusedPictures(model: string): Set<string> {
    const known = unusable.get(model) ?? new Set<string>()
    unusable.set(model, known)
    return known
  }
  const optionsFor = (id: string) => optionsOf(config.current.models.options, id)
  const serverOf = (id: string) => config.current.models.servers.find(each => `server:${each.id}` === id)
  const settingsOf = (id: string) => {
    const server = serverOf(id)
    return stampOfServer({ base_url: '', model: '', ...server }, optionsFor(id))
  }

  async function triedOf(id: string): Promise<TriedModel | undefined> {
    const local = ids.localOf(id)
    if (local?.demo) return undefined
    if (local) return triedFile(local.path, optionsFor(id))
    const server = serverOf(id)
    return (
      server && {
        key: `${server.base_url} ${server.model}`,
        stamp: stampOfServer(server, optionsFor(id)),
      }
    )
  }

  async function verdictOf(id: string): Promise<ToolsVerdict | null> {
    const tried = await triedOf(id)
    return tried ? verdicts.find(tried) : null
  }

  const keyOf = (id: string) => `${id} ${settingsOf(id)}`

  return {
    follow(given) {
      const { modelId } = given
      const modelKey = () => keyOf(modelId)
      const engine = seePictures(
        leaveOutRefused(given, refusals, modelKey),
        pictures,
        sights,
        modelKey,
        refusedPictures,
      )
      async function profile() {
        const told = await engine.profile()
        if (isFailure(told)) return told
        const verdict = await verdictOf(modelId)
        const isRefused = told.strategy === 'structured' && refused.get(modelId) === settingsOf(modelId)
        const sees = sights.find(modelKey()) ?? told.sees
        return {
          ...told,
          ...(sees !== undefined && { sees }),
          ...(isRefused && { strategy: 'text' as const }),
          ...(verdict && { verdict }),
        }
      }
      async function* complete(
        prompt: Prompt,
        signal: AbortSignal,
      ): AsyncGenerator<CompletionEvent, void, void> {
        for await (const event of engine.complete(prompt, signal)) {
          const isRefusal = event.type === 'failed' && event.code === 'tools_unsupported'
          if (isRefusal) refused.set(modelId, settingsOf(modelId))
          yield event
        }
      }
      return { ...engine, profile, complete }
    },
    verdictOf,
    sightOf: id => sights.find(keyOf(id)),
    async keepVerdict(id, verdict) {
      const tried = await triedOf(id)
      if (tried) verdicts.keep(tried, verdict)
    },
  }
}

/** Save the verdict on a file that is not in the list, such as one that the doctor has tried. */
export async function keepFileVerdict(
  home: string,
  path: string,
  verdict: ToolsVerdict,
  report: (error: unknown) => void,
): Promise<void> {
  const tried = await triedFile(path, {})
  if (tried) openVerdicts(home, report).keep(tried, verdict)
}

/** Return the identity of a file in its current form; undefined if a part is missing. */
async function triedFile(path: string, options: ModelOptions): Promise<TriedModel | undefined> {
  const parts = await Promise.all(allPartPaths(path).map(part => stat(part).catch(() => undefined)))
  if (!parts.every(part => part !== undefined)) return undefined
  const files = parts.map(({ size, mtimeMs }) => `${size} ${mtimeMs}`).join(', ')
  return { key: await realPathOf(path), stamp: [files, options.format ?? ''].join(' · ') }
}

/** Return a stamp of the settings that the verdict on a server model depends on, besides address and name. */
const stampOfServer = (
  { base_url, model, protocol, strategy }: Pick<ServerEntry, 'base_url' | 'model' | 'protocol' | 'strategy'>,
  options: ModelOptions,
): string =>
  [base_url, model, protocol ?? 'openai', options.strategy ?? strategy ?? '', options.format ?? ''].join(
    ' · ',
  )
