import { callId } from '../../../formats/call-ids.ts'
import { declareProbe } from './ask-template.ts'
import { findRewriting } from './compare-prompts.ts'
import {
  fillTemplate,
  type Calls,
  type Manner,
  type PromptPart,
  type Render,
  type Turn,
  dropTextBeforeReplies,
  removeEnd,
} from './fill-chat-template.ts'
import type { Probe } from './find-manner.ts'
import { declaredName, plainTalk, probeName, toolPrompts, toolTalk } from './probe-conversations.ts'
import { firstTag, frameAfter, isMarker } from './turn-end-marks.ts'

/** A way to pass results. `keeps`: the prompt only grows, or only the turn before a new question changes. */
type ToolWay = { probe: Probe; keeps: 'all' | 'upto-question'; behindCall: string; told: number }

/**
 * Find how a template takes tool results: after calls in the reply's text, or only after structured calls.
 * Ways in which the prompt only grows come first. A way that changes only the turn before a new question is
 * better than none, because a trained frame is worth more than the tokens of a turn. Undefined if neither
 * works.
 */
export function findToolManner(render: Render, plain: Probe): Probe | undefined {
  const ways = [() => undefined, () => learnCalls(render, plain)]
  // If replies have their own frame, such as a channel for answers, calls do not belong inside it.
  if (plain.surplus !== '') ways.reverse()
  const found = ways.flatMap(
    callsOf => tryToolWay(plain, () => ({ ...plain.manner, toolRole: true, calls: callsOf() })) ?? [],
  )
  const first = found.find(({ keeps }) => keeps === 'all') ?? found[0]
  if (!first) return undefined
  const second = found.find(way => way !== first && way.keeps === first.keeps)
  const best = second && second.probe.manner.calls && hasMoreInIt(second, first) ? second : first
  return findFramesWithTools(plain, best).probe
}

/** Whether only this way names results, or ends calls, as in training. */
const hasMoreInIt = (way: ToolWay, than: ToolWay): boolean =>
  way.told > than.told || (way.behindCall !== than.behindCall && callEnds.includes(way.behindCall))

/** Pass a dummy tool if the template then writes better marks around results. Our tools are text. */
function findFramesWithTools(plain: Probe, found: ToolWay): ToolWay {
  const framesFor = declareProbe(declaredName)
  const told = tryToolWay(plain, () => ({ ...found.probe.manner, framesFor }))
  if (!told || told.keeps !== found.keeps) return found
  const framesOf = ({ probe }: ToolWay) => textOfFrames(probe.layOut(toolTalk))
  const frames = framesOf(told)
  return frames.length > framesOf(found).length && !frames.includes(declaredName) ? told : found
}

function tryToolWay(plain: Probe, mannerOf: () => Manner): ToolWay | undefined {
  try {
    const manner = mannerOf()
    const layOut = (turns: readonly Turn[]) =>
      dropTextBeforeReplies(fillTemplate(plain.render, manner, turns), turns, plain.surplus)
    const rereads = findRewriting({ layOut, turns: toolTalk, lengths: toolPrompts, opener: plain.opener })
    const afterCall = frameAfter(layOut(toolTalk.slice(0, 4)), 2)
    const behindCall = firstTag(afterCall)
    const end = behindCall !== '' && behindCall === plain.inner ? afterCall.trim() : behindCall
    const ends = plain.ends.length > 0 ? [...plain.ends, end].filter(isMarker) : []
    const probe = { ...plain, manner, layOut, ends: [...new Set(ends)] }
    const told = textOfFrames(layOut(toolTalk)).split(namesOfCalls).length
    if (plain.rereads || !rereads) return { probe, keeps: 'all', behindCall, told }
    return rereads.part === 'answer'
      ? { probe: { ...probe, rereads }, keeps: 'upto-question', behindCall, told }
      : undefined
  } catch {
    // The template rejects calls or results in this form, which is what the probe tests.
    return undefined
  }
}

const namesOfCalls = new RegExp(`${probeName}|call\\d{5}`)

const textOfFrames = (parts: readonly PromptPart[]): string =>
  parts.map(part => ('frame' in part ? part.frame : '')).join('')

/** Tokens that in some models end a call instead of a turn. */
const callEnds = [
  '<|call|>',
  '<|eom_id|>',
  '<|calls|>',
  '<|END_OF_TURN_TOKEN|>',
  '<|tool_response>',
  '<start_function_response>',
]

/** Find where a template writes structured calls, so that the text of a reply can replace them. */
function learnCalls(render: Render, { manner, opener, surplus }: Probe): Calls {
  const user = removeEnd(frameAfter(fillTemplate(render, manner, plainTalk.slice(0, 2)), 1), opener)
  const end = frameAfter(fillTemplate(render, manner, plainTalk.slice(0, 3), false), 2)
  const ends = [end, ...callEnds].filter(text => text !== '')
  const before = { ...manner, toolRole: true, calls: { leads: { user, tool: () => '' }, surplus, ends } }
  const frame = removeEnd(frameAfter(fillTemplate(render, before, toolTalk.slice(0, 4)), 3), opener)
  const tool = (name: string, id: string) => frame.replaceAll(probeName, name).replaceAll(callId(0), id)
  return { leads: { user, tool }, surplus, ends }
}
