import { isFailure, type EngineFailure, type LlmEngine, type Prompt } from '../../interface/engine.ts'
import { askWithFallback, trackUnavailableModels } from './ask-with-fallback.ts'
import { isSimpleMessage } from './simple-message.ts'

/** The user's settings for fallback and routing. All values are model ids. */
type RoutingSettings = {
  fallback: readonly string[]
  routing: 'off' | 'auto'
  fast: string
  /** `chat`, `auto`, or a model id, for each kind of work besides the chats. */
  auxiliary: Readonly<Record<AuxiliaryWork, string>>
}

/** Work besides the chats: summaries of long chats, review drafts, recaps, and descriptions of pictures. */
export type AuxiliaryWork = 'summary' | 'draft' | 'recap' | 'vision'

type EngineFor = (modelId: string) => Promise<LlmEngine | EngineFailure>

type Parts = {
  settings: () => RoutingSettings
  /** The engine of one model, without fallback. */
  engineFor: EngineFor
  servers: { fromEnvironment(): Promise<LlmEngine | undefined> }
  /** Wraps the model from the environment, which `engineFor` does not know. */
  prepare?: (engine: LlmEngine) => LlmEngine
  now: () => number
}

/** Chooses which models answer. The resulting engines have the name and id of the requested model. */
export type Routing = {
  /** Return the engine for a chat, with fallback models and a fast model for short messages. */
  engineFor: EngineFor
  /** Return the engine for other work that belongs to a chat with the model `modelId`. */
  auxiliaryFor(modelId: string, work: AuxiliaryWork): Promise<LlmEngine | EngineFailure>
  /** Return the engine that describes pictures for chats with `modelId`; undefined if no other is set. */
  visionFor(modelId: string): Promise<LlmEngine | EngineFailure | undefined>
}

/** Create the routing. Changed settings apply from the next question. */
export function createRouting({ settings, engineFor, servers, prepare = same, now }: Parts): Routing {
  const unavailable = trackUnavailableModels(now)

  /** Return the engines of the given models that are available. */
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

  /** Wrap a model with its fallback models. `quick` finds a faster model that may try first. */
  function withOthers(
    chosen: LlmEngine,
    others: () => readonly string[],
    quick: (prompt: Prompt) => Promise<LlmEngine | undefined> = async () => undefined,
  ): LlmEngine {
    return {
      modelId: chosen.modelId,
      name: chosen.name,
      profile: () => chosen.profile(),
      ...(chosen.toolsAsSent && { toolsAsSent: chosen.toolsAsSent }),
      ...(chosen.leavesOut && { leavesOut: chosen.leavesOut }),
      count: text => chosen.count(text),
      async *complete(prompt, signal) {
        const line = {
          chosen,
          quick: await quick(prompt),
          others: () => enginesOf(others(), chosen.modelId),
        }
        yield* askWithFallback(line, prompt, unavailable, signal)
      },
    }
  }

  async function fromEnvironment(): Promise<LlmEngine | undefined> {
    const named = await servers.fromEnvironment()
    return named && prepare(named)
  }

  async function chat(id: string): Promise<LlmEngine | EngineFailure> {
    const engine = await engineFor(id)
    // Messages to a local model stay on this computer. Two local models would also evict each other.
    if (isFailure(engine) || isLocal(engine.modelId)) return engine
    return withOthers(
      engine,
      () => settings().fallback,
      prompt => quickFor(engine, prompt),
    )
  }

  return {
    engineFor: chat,
    async auxiliaryFor(id, work) {
      const wanted = settings().auxiliary[work]
      if (wanted === 'chat' || wanted === id) return chat(id)
      const engine = wanted === 'auto' ? await fromEnvironment() : await engineFor(wanted)
      if (engine === undefined || isFailure(engine)) return chat(id)
      return withOthers(engine, () => [id, ...settings().fallback])
    },
    async visionFor(id) {
      const wanted = settings().auxiliary.vision
      if (wanted === 'chat' || wanted === id) return undefined
      return wanted === 'auto' ? fromEnvironment() : engineFor(wanted)
    },
  }
}

const same = (engine: LlmEngine) => engine

const isLocal = (id: string) => id === 'builtin' || id.startsWith('file:')

/**
 * Whether a prompt may go to the fast model. Only a short message of the user qualifies: no background work,
 * no started reply, and no running tools.
 */
function mayBeQuick({ messages, priority, begin }: Prompt): boolean {
  const last = messages.at(-1)
  return (
    priority !== 'background' &&
    begin === undefined &&
    last?.role === 'user' &&
    !last.pictures?.length &&
    isSimpleMessage(last.text)
  )
}
