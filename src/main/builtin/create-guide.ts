import { isDeepStrictEqual } from 'node:util'
import type { Message } from '../../shared/contract/chats/messages.ts'
import { newId } from '../lib/ids.ts'
import type { Guide, GuidedReply, Written } from '../agent/guide.ts'
import { tellResults } from '../tools/tell/tell-result.ts'
import type { Registry } from '../tools/registry/registry.ts'
import { answerAtOnce } from './answers/answer-at-once.ts'
import { sayFallback } from './answers/fixed-sentences.ts'
import { callsIn } from './guide/follow-ups.ts'
import { chooseAnswer, questionOf, readAnswer } from './guide/ask-back.ts'
import { describeCall } from './guide/describe-call.ts'
import { decideCall } from './guide/decide-call.ts'
import { keepFile } from './guide/keep-file.ts'
import type { Encode } from './guide/second-opinion.ts'
import { GUIDE_SAYS } from './guide/guide-sentences.ts'
import type { Choice, Done, Meaning, Scene, WantedCall } from './guide/guide-scene.ts'
import { understandRequest } from './guide/understand.ts'

/** The parts that the guide of a turn needs. */
export type GuideParts = {
  registry: Pick<Registry, 'get'>
  /** Read the scene as of the start of the turn; called once. */
  scene(this: void): Promise<Scene>
  /** Whether a user can be asked, and the tool that asks is on. */
  mayAsk: boolean
  encode?: Encode | undefined
  report(this: void, error: unknown): void
}

/** Maximum number of calls for one message, without questions to the user. */
const MOST_STEPS = 3

/**
 * Create the guide of one turn of the built-in model. Explicit requests are handled by rules, and the model
 * decides on the rest. If a second opinion differs, the user is asked. All texts are from tools or fixed.
 */
export function createGuide({ registry, scene: read, mayAsk, encode, report }: GuideParts): Guide {
  let scene: Promise<Scene> | undefined
  const sceneOf = () => (scene ??= read())
  /** The meaning of the newest request by the rules. */
  let meaning: { id: number; is: Meaning | undefined } | undefined
  /** The call that may follow the newest result, and the meaning of each choice in the open question. */
  let onResult: ((done: Done) => WantedCall | undefined) | undefined
  let open: readonly Choice[] | undefined

  const say = (text: string): GuidedReply => ({ text, calls: [] })

  /** Make a call, unless this turn has made it already or its tool is switched off. */
  async function make(call: WantedCall, done: readonly Done[]): Promise<GuidedReply> {
    const { known } = await sceneOf()
    if (call.name !== 'ask_user' && !known.tools.includes(call.name))
      return say(GUIDE_SAYS.toolOff(describeCall(call)))
    if (done.some(each => isSameCall(each, call))) return say(tellAll(done.slice(-1)))
    return { text: '', calls: [{ call: { id: newId('call'), ...call } }] }
  }

  async function act(meant: Meaning, request: string, done: readonly Done[]): Promise<GuidedReply> {
    const is = keepFile(meant, request, await sceneOf())
    if (is.kind === 'say') return say(is.text)
    if (is.kind === 'ask') return ask(is.question, is.choices, done)
    ;({ onResult } = is)
    return make(is.call, done)
  }

  async function ask(
    question: string,
    choices: readonly Choice[],
    done: readonly Done[],
  ): Promise<GuidedReply> {
    if (!mayAsk || open !== undefined) return sayWould(choices)
    const asked = questionOf(question, choices)
    open = asked.choices
    return make(asked.call, done)
  }

  const sayWould = (choices: readonly Choice[]): GuidedReply => {
    const call = choices.find(each => each.call)?.call
    return say(call ? GUIDE_SAYS.wouldDo(describeCall(call), describeCall(call)) : GUIDE_SAYS.nothingDone())
  }

  const tellAll = (done: readonly Done[]): string =>
    tellResults(
      done.map(({ name, arguments: input, ok, text }) => ({
        tool: registry.get(name),
        input,
        result: { ok, text },
      })),
    )

  /** Continue after results: with the next call of a chain, the user's choice, or a report. */
  async function afterResults(history: readonly Message[], from: number): Promise<GuidedReply> {
    const turn = history.slice(from)
    const done = callsIn(turn)
    const newest = turn.at(-1)
    if (newest?.role === 'tool' && newest.name === 'ask_user')
      return answered(newest, history.slice(0, from), done)
    const next = done.length < MOST_STEPS && done.length > 0 ? onResult?.(done.at(-1)!) : undefined
    if (next) {
      // Nothing follows the next call: a chain has only two calls.
      onResult = undefined
      if (done.some(each => isSameCall(each, next))) return say(tellAll(done.slice(-1)))
      return make(next, done)
    }
    const newestCalls = turn.findLast(message => message.role === 'assistant')
    const count = newestCalls?.role === 'assistant' ? newestCalls.calls.length : 1
    return say(tellAll(done.slice(-count)))
  }

  async function answered(
    { ok, text }: { ok: boolean; text: string },
    before: readonly Message[],
    done: readonly Done[],
  ): Promise<GuidedReply> {
    const choices = open ?? []
    const answer = readAnswer(ok, text)
    if (answer === 'nobody') return sayWould(choices)
    if (answer === 'nothing') return say(GUIDE_SAYS.nothingDone())
    const chosen = chooseAnswer(answer.words, choices)
    ;({ onResult } = chosen.choice ?? {})
    if (chosen.choice)
      return chosen.choice.call ? make(chosen.choice.call, done) : say(GUIDE_SAYS.nothingDone())
    const is = understandRequest(chosen.words, await sceneOf(), before)
    return is && is.kind !== 'ask' ? act(is, chosen.words, done) : say(GUIDE_SAYS.notUnderstood())
  }

  return {
    async before(history) {
      const newest = history.at(-1)
      if (newest?.role === 'tool') {
        const from = history.findLastIndex(message => message.role === 'user')
        return await afterResults(history, from)
      }
      if (newest?.role !== 'user') return undefined
      const here = await sceneOf()
      const is =
        here.known.tools.length === 0 ? undefined : understandRequest(newest.text, here, history.slice(0, -1))
      meaning = { id: newest.id, is }
      onResult = undefined
      if (is && (is.kind !== 'call' || is.isSure)) return await act(is, newest.text, [])
      const answer = answerAtOnce(newest.text, here.known)
      if (answer !== undefined) return say(answer)
      return here.known.tools.length === 0 ? say(sayFallback(newest.text, here.known)) : undefined
    },
    async after(history, written: Written, signal) {
      const newest = history.at(-1)
      const here = await sceneOf()
      const request = newest?.role === 'user' ? newest.text : ''
      const likely = meaning?.id === newest?.id ? meaning?.is : undefined
      try {
        const decided = await decideCall(
          {
            request,
            scene: here,
            likely: likely?.kind === 'call' ? likely.call : undefined,
            wrote: written.calls,
            encode,
          },
          signal,
        )
        if (decided === undefined) return say(sayFallback(request, here.known))
        return await act(decided, request, [])
      } catch (error) {
        report(error)
        return say(sayFallback(request, here.known))
      }
    },
  }
}

const isSameCall = (a: WantedCall, b: WantedCall): boolean =>
  a.name === b.name && isDeepStrictEqual(a.arguments, b.arguments)
