import type { ReadCall } from '../../agent/guide.ts'
import { ownSections } from '../../agent/own-sections.ts'
import { buildPrompt, joinSections } from '../../agent/prompt.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { newId } from '../../lib/ids.ts'
import { untilAborted } from '../../lib/timing.ts'
import type { LlmEngine } from '../../models/interface/engine.ts'
import { decideCall } from '../guide/decide-call.ts'
import type { Scene } from '../guide/guide-scene.ts'
import { encodeExamples, type Encode } from '../guide/second-opinion.ts'
import { understandRequest } from '../guide/understand.ts'
import { createTrainedStrategy } from '../trained-strategy.ts'
import { readTrainedTexts } from '../trained-texts.ts'
import { isDecidable } from './decidable.ts'
import {
  callIn,
  chooseCall,
  decisionOf,
  firstPart,
  judgeMessage,
  type Decision,
  type Judgement,
} from './decide-message.ts'

type Parts = {
  /** The built-in model in a process of its own, so that the user's model keeps its place in memory. */
  engine: Pick<LlmEngine, 'complete'>
  encode: Encode
  now(this: void): number
  report(this: void, error: unknown): void
  /** How long the built-in model may take, in ms. */
  waitMs?: number
}

/** How long to wait, in ms. Reading the prompt takes half a second the first time, then some ms. */
const WAIT_MS = 3_000

type Decide = (request: string, scene: Scene, signal: AbortSignal) => Promise<Decision | undefined>

/**
 * Create the two deciders. `mini` decides like the guide of the built-in model: by its rules, by what that
 * model writes, and by the meaning of the message. It throws if the model cannot be asked. `both` is the
 * decider of the product. A tool counts only if both name it: where they differed, *none* was right for 13 of
 * 14 labelled messages. Without the model, the encoder alone decides.
 */
export function openDeciders({ engine, encode, now, report, waitMs = WAIT_MS }: Parts): {
  mini: Decide
  /** `heard` gets the judgement of the rules and the encoder, so that it need not be computed again. */
  both(
    request: string,
    scene: Scene,
    signal: AbortSignal,
    heard?: (judged: Judgement) => void,
  ): Promise<Decision | undefined>
  /** Start the small models and read a folder's common prompt start, so the first message need not wait. */
  warmUp(folder: string, signal: AbortSignal): Promise<void>
} {
  let trained: ReturnType<typeof readTrained> | undefined

  const mini: Decide = async (whole, given, signal) => {
    if (!isDecidable(whole)) return undefined
    trained ??= readTrained()
    // The model is asked with all tools to keep its prompt stable. Tools that are off are dropped later.
    const scene = { ...given, known: { ...given.known, tools: trained.specs.map(({ name }) => name) } }
    const request = firstPart(whole, scene)
    const plain = understandRequest(request, scene, [])
    const isSure = plain && (plain.kind !== 'call' || plain.isSure)
    const likely = plain?.kind === 'call' ? plain.call : undefined
    const meant = isSure
      ? plain
      : await decideCall(
          { request, scene, likely, wrote: await ask(trained, request, scene.known.folder, signal), encode },
          signal,
        )
    const decided = meant && decisionOf(callIn(meant), request, scene)
    return decided && given.known.tools.includes(decided.tool) ? decided : undefined
  }

  /** The calls that the built-in model writes for a message, in its training prompt. None is executed. */
  async function ask(
    { texts, strategy, specs }: ReturnType<typeof readTrained>,
    request: string,
    workspace: string,
    signal: AbortSignal,
  ): Promise<readonly ReadCall[]> {
    const built = await buildPrompt(ownSections({ home: undefined, now }), {
      session: { workspace },
      edition: 'compact',
      tools: specs,
      toolText: strategy.present(specs),
      trained: texts,
    })
    // A separate session for each message: the question belongs to no chat.
    const sessionId = newId('ask')
    const messages = strategy.render(joinSections(built), [
      { id: 1, sessionId, at: 0, role: 'user', text: request },
    ])
    const prompt = {
      sessionId,
      messages,
      tools: strategy.attach(specs),
      constraints: strategy.constrain(specs),
      sampling: { temperature: 0 },
    }
    const wrote: ReadCall[] = []
    for await (const event of strategy.read(engine.complete(prompt, signal), specs)) {
      if (event.type === 'call') wrote.push({ call: event.call })
      if (event.type === 'bad_call') wrote.push({ call: event.call, problem: event.reason })
      if (event.type === 'failed') throw new Error(event.text)
    }
    signal.throwIfAborted()
    return wrote
  }

  /** Whether the built-in model names the same tool; undefined if it does not answer in time. */
  async function confirm(tool: string, request: string, scene: Scene, signal: AbortSignal) {
    const late = AbortSignal.any([signal, AbortSignal.timeout(waitMs)])
    try {
      const asked = mini(request, scene, late).then(other => other?.tool === tool)
      return await untilAborted(asked, late)
    } catch (error) {
      if (!late.aborted) report(error)
      return undefined
    }
  }

  return {
    mini,
    async both(request, scene, signal, heard) {
      if (scene.known.tools.length === 0) return undefined
      const judged = await judgeMessage(request, scene, encode, signal)
      heard?.(judged)
      const decided = chooseCall(judged, scene.known.tools)
      const isConfirmed = decided && (await confirm(decided.tool, request, scene, signal))
      return isConfirmed === false ? undefined : decided
    },
    async warmUp(folder, signal) {
      await encodeExamples(encode, signal)
      trained ??= readTrained()
      await ask(trained, 'hello', folder, signal)
    },
  }
}

function readTrained() {
  const texts = readTrainedTexts()
  if (isRefusal(texts)) throw new Error(texts.refused)
  return { texts, strategy: createTrainedStrategy(texts), specs: texts.tools.specs }
}
