import { isFailure, type EngineFailure, type LlmEngine, type Prompt } from '../engine.ts'
import { askInTurn } from './ask-in-turn.ts'
import { isSimple } from './is-simple.ts'
import { keepRests } from './rests.ts'

/** What a person has set about models that stand in for one another; all are ids of models. */
export type RoutingSettings = {
  fallback: readonly string[]
  routing: 'off' | 'auto'
  fast: string
  /** `chat`, `auto`, or a model. */
  auxiliary: string
}

type EngineFor = (modelId: string) => Promise<LlmEngine | EngineFailure>

type Parts = {
  settings: () => RoutingSettings
  /** Each model by itself. */
  engineFor: EngineFor
  servers: { fromEnvironment(): Promise<LlmEngine | undefined> }
  /** Done to the model of the environment, which `engineFor` does not know. */
  prepare?: (engine: LlmEngine) => LlmEngine
  now: () => number
}

/** Which models answer. What comes out bears the name and id of the model that was asked for. */
export type Routing = {
  /** The model of a chat, with those that stand in for it when its server does not answer, and the quick one for short messages. */
  engineFor: EngineFor
  /** The model for summaries and looks back of a chat with the model `id`. */
  auxiliaryFor: EngineFor
}

/** Make the routes; settings count at the next question. */
export function createRouting({ settings, engineFor, servers, prepare = same, now }: Parts): Routing {
  const rests = keepRests(now)

  /** The engines of some models, without those that are gone. */
  async function enginesOf(ids: readonly string[], besides: string): Promise<LlmEngine[]> {
    const wanted = [...new Set(ids)].filter(id => id !== besides)
    const found = await Promise.all(wanted.map(id => engineFor(id)))
    return found.flatMap(engine => (isFailure(engine) ? [] : [engine]))
  }

  async function quickFor(chosen: LlmEngine, prompt: Prompt): Promise<LlmEngine | undefined> {
    const { routing, fast } = settings()
    if (routing === 'off' || fast === '' || fast === chosen.modelId || !mayBeQuick(prompt)) return undefined
    const quick = await engineFor(fast)
    return isFailure(quick) ? undefined : quick
  }

  /** A model and those that stand in for it; `quick` finds one that may try first. */
  function withOthers(
    chosen: LlmEngine,
    others: () => readonly string[],
    quick: (prompt: Prompt) => Promise<LlmEngine | undefined> = async () => undefined,
  ): LlmEngine {
    return {
      modelId: chosen.modelId,
      name: chosen.name,
      profile: () => chosen.profile(),
      count: text => chosen.count(text),
      async *complete(prompt, signal) {
        const line = {
          chosen,
          quick: await quick(prompt),
          others: () => enginesOf(others(), chosen.modelId),
        }
        yield* askInTurn(line, prompt, rests, signal)
      },
    }
  }

  async function fromEnvironment(): Promise<LlmEngine | undefined> {
    const named = await servers.fromEnvironment()
    return named && prepare(named)
  }

  async function chat(id: string): Promise<LlmEngine | EngineFailure> {
    const engine = await engineFor(id)
    // What is said to a model on this computer stays here; and two of them would make room for each other at every change.
    if (isFailure(engine) || isLocal(id)) return engine
    return withOthers(
      engine,
      () => settings().fallback,
      prompt => quickFor(engine, prompt),
    )
  }

  return {
    engineFor: chat,
    async auxiliaryFor(id) {
      const { auxiliary: wanted } = settings()
      if (wanted === 'chat' || wanted === id) return chat(id)
      const engine = wanted === 'auto' ? await fromEnvironment() : await engineFor(wanted)
      if (engine === undefined || isFailure(engine)) return chat(id)
      return withOthers(engine, () => [id, ...settings().fallback])
    },
  }
}

const same = (engine: LlmEngine) => engine

const isLocal = (id: string) => id === 'builtin' || id.startsWith('file:')

/** Only a person's own short message may: not work in the background, not a reply that is begun, and nothing while tools run. */
function mayBeQuick({ messages, priority, begin }: Prompt): boolean {
  const last = messages.at(-1)
  return priority !== 'background' && begin === undefined && last?.role === 'user' && isSimple(last.text)
}
