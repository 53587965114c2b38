import { ownSections } from '../../src/main/agent/own-sections.ts'
import { buildPrompt, joinSections } from '../../src/main/agent/prompt.ts'
import type { ReadCall } from '../../src/main/agent/guide.ts'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import { newId } from '../../src/main/lib/ids.ts'
import type { LlmEngine, ToolSpec } from '../../src/main/models/engine.ts'
import { callIn, decisionOf, type Decision } from '../../src/main/builtin/decider/decide-message.ts'
import { isDecidable } from '../../src/main/builtin/decider/decidable.ts'
import { decideCall } from '../../src/main/builtin/guide/decide-call.ts'
import type { Scene } from '../../src/main/builtin/guide/scene.ts'
import type { Encode } from '../../src/main/builtin/guide/second-opinion.ts'
import { understandRequest } from '../../src/main/builtin/guide/understand.ts'
import { createTrainedStrategy } from '../../src/main/builtin/trained-strategy.ts'
import { readTrainedTexts } from '../../src/main/builtin/trained-texts.ts'

/** What the built-in model is asked in: its engine, the tools that are on, the folder of the chat. */
type MiniDesk = {
  engine: Pick<LlmEngine, 'complete'>
  tools: readonly ToolSpec[]
  workspace: string
  now(this: void): number
}

/**
 * The calls that the built-in model writes for a message, in the prompt of its training; nothing of it is carried out. Throws where it
 * cannot be asked.
 */
async function askMini(
  { engine, tools, workspace, now }: MiniDesk,
  request: string,
  signal: AbortSignal,
): Promise<readonly ReadCall[]> {
  const texts = readTrainedTexts()
  if (isRefusal(texts)) throw new Error(texts.refused)
  const strategy = createTrainedStrategy(texts)
  const built = await buildPrompt(ownSections({ home: undefined, now }), {
    session: { workspace },
    edition: 'compact',
    tools,
    toolText: strategy.present(tools),
    trained: texts,
  })
  // A message of its own each time: what it is asked belongs to no chat.
  const sessionId = newId('ask')
  const messages = strategy.render(joinSections(built), [
    { id: 1, sessionId, at: 0, role: 'user', text: request },
  ])
  const prompt = {
    sessionId,
    messages,
    tools: strategy.attach(tools),
    constraints: strategy.constrain(tools),
    sampling: { temperature: 0 },
  }
  const wrote: ReadCall[] = []
  for await (const event of strategy.read(engine.complete(prompt, signal), tools)) {
    if (event.type === 'call') wrote.push({ call: event.call })
    if (event.type === 'bad_call') wrote.push({ call: event.call, problem: event.reason })
    if (event.type === 'failed') throw new Error(event.text)
  }
  return wrote
}

/** Decide as the guide of the built-in model does: by its rules, by what the model writes, and by what the message means. */
export async function decideWithMini(
  request: string,
  scene: Scene,
  encode: Encode,
  desk: MiniDesk,
  signal: AbortSignal,
): Promise<Decision | undefined> {
  if (!isDecidable(request)) return undefined
  const plain = understandRequest(request, scene, [])
  const isSure = plain && (plain.kind !== 'call' || plain.isSure)
  const likely = plain?.kind === 'call' ? plain.call : undefined
  const meant = isSure
    ? plain
    : await decideCall(
        { request, scene, likely, wrote: await askMini(desk, request, signal), encode },
        signal,
      )
  const decided = meant && decisionOf(callIn(meant), request, scene)
  return decided && scene.known.tools.includes(decided.tool) ? decided : undefined
}
