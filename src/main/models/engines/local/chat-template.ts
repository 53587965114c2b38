import { Script } from 'node:vm'
import { Template } from '@huggingface/jinja'
import { callId, fill } from './fill-template.ts'
import type { Calls, Manner, PromptPart, Render, Role, Turn } from './fill-template.ts'
import { closedThought, compareLeads, dropSurplus, splitOpener, withoutEnd } from './reply-lead.ts'

/** How a model wants a conversation written. */
export type ChatTemplate = {
  /** Lay out a conversation up to the place where the model begins to write. */
  layOut(turns: readonly Turn[]): PromptPart[]
  /**
   * What a reply begins with because the template writes it for the model, such as `<think>`; part of the reply's text.
   * Some templates leave it out after a result of a tool.
   */
  opener: string
  /** Texts that end a reply when a model spells them instead of ending its turn. */
  endMarkers: readonly string[]
  /** Whether the results of tools have a place of their own; otherwise they are written as messages of the user. */
  toolRole: boolean
  /** Whether a longer conversation only adds to the prompt of a shorter one, so that nothing is evaluated twice. */
  appendOnly: boolean
  /** Why the model's own template is not in use. */
  problem: string | undefined
}

const chatml =
  "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{% endfor %}" +
  "{{ '<|im_start|>assistant\\n' }}"

/** The ways to feed a template that differ between models, from the plainest on. */
const manners = [false, true].flatMap(listsTools =>
  [false, true].flatMap(contentInParts =>
    [false, true].flatMap(mergeSystem =>
      [false, true].map((alternate): Manner => ({
        listsTools,
        contentInParts,
        mergeSystem,
        alternate,
        toolRole: false,
        calls: undefined,
      })),
    ),
  ),
)

/**
 * Read the template of a model and find out how it wants to be used: whether it knows a system role and one for tools,
 * whether roles must alternate, and what it writes before a reply. Without a usable template the conversation is written
 * in ChatML.
 */
export function readTemplate(
  source: string | undefined,
  words: { bos: string; eos: string },
  longestMs = 5_000,
): ChatTemplate {
  if (source === undefined) return useTemplate(chatml, words, 'The model file has no chat template.')
  try {
    return withinTime(longestMs, () => useTemplate(source, words, undefined))
  } catch (error) {
    const problem = `The chat template of the model cannot be used: ${reasonOf(error)}`
    return useTemplate(chatml, words, problem)
  }
}

/** A template is a program that came with a model, and a loop in it would hold up whoever reads it. */
function withinTime<T>(longestMs: number, work: () => T): T {
  return new Script('work()').runInNewContext({ work }, { timeout: longestMs }) as T
}

function useTemplate(
  source: string,
  words: { bos: string; eos: string },
  problem: string | undefined,
): ChatTemplate {
  const render = openTemplate(source, words)
  const plain = findManner(render)
  // A template that says nothing of tools would write any role, also one that its model has never seen.
  const { layOut, ...found } = (/tool/i.test(source) && findToolManner(render, plain)) || plain
  return {
    layOut: turns => {
      try {
        return layOut(turns)
      } catch (error) {
        // Strict templates refuse some sequences of calls and results; as messages of the user these go through.
        if (turns.every(turn => turn.role !== 'tool')) throw error
        return plain.layOut(turns)
      }
    },
    opener: found.opener,
    endMarkers: found.endMarkers,
    toolRole: found.manner.toolRole,
    appendOnly: found.appendOnly,
    problem,
  }
}

function openTemplate(source: string, { bos, eos }: { bos: string; eos: string }): Render {
  const template = new Template(source)
  return (messages, { open, tools }) =>
    template.render({
      messages,
      add_generation_prompt: open,
      bos_token: bos,
      eos_token: eos,
      ...(tools && { tools: [] }),
    })
}

type Probe = Pick<ChatTemplate, 'layOut' | 'opener' | 'endMarkers' | 'appendOnly'> & {
  render: Render
  manner: Manner
  surplus: string
}

/** The first manner in which a template can be used, if possible one that keeps what is evaluated. */
function findManner(render: Render): Probe {
  let usable: Probe | undefined
  let refusal: unknown
  for (const manner of manners) {
    if (usable && manner.listsTools) break
    try {
      const probe = tryManner(render, manner)
      if (probe.appendOnly) return probe
      usable ??= probe
    } catch (error) {
      refusal ??= error
    }
  }
  if (!usable) throw refusal
  return usable
}

const turn = (role: Role): Turn => ({ role, generated: role === 'assistant' })
const exchange = (['system', 'user', 'assistant', 'user'] as const).map(turn)

/** Write small conversations in one manner; throws unless every message comes out once and in order. */
function tryManner(render: Render, manner: Manner): Probe {
  const start = fill(render, manner, exchange.slice(0, 2))
  const later = fill(render, manner, exchange)
  // Without alternating roles, two questions in a row must work as well: somebody may stop before the answer.
  if (!manner.alternate) fill(render, manner, (['system', 'user', 'user'] as const).map(turn))

  const { opener, surplus } = compareLeads(frameAfter(start, 1), frameAfter(later, 1))
  const layOut = (turns: readonly Turn[]) => dropSurplus(fill(render, manner, turns), turns, surplus)
  return {
    render,
    manner,
    layOut,
    opener,
    surplus,
    // Replies that stand in a frame of their own have turns inside, which must not end them.
    endMarkers: surplus.trim() === '' || closedThought.test(surplus) ? markersOf(frameAfter(later, 2)) : [],
    appendOnly: keepsBeginning(layOut, exchange, [2, 4], opener),
  }
}

/** A name that no template contains. */
const probeName = 'probe0tool'

const toolTalk = 'system user assistant tool assistant tool tool assistant tool assistant user'
  .split(' ')
  .map(role => ({ ...turn(role as Role), name: probeName }))

/**
 * How a template takes the results of tools: after calls that are part of a reply's text, or only after calls that come
 * as data. Undefined when it does not, or when it rewrites earlier turns because of them.
 */
function findToolManner(render: Render, plain: Probe): Probe | undefined {
  const ways = [() => undefined, () => learnCalls(render, plain)]
  // Where replies stand in a frame of their own, such as a channel for answers, calls do not belong into it.
  if (plain.surplus !== '') ways.reverse()
  for (const callsOf of ways) {
    try {
      const manner = { ...plain.manner, toolRole: true, calls: callsOf() }
      const layOut = (turns: readonly Turn[]) =>
        dropSurplus(fill(render, manner, turns), turns, plain.surplus)
      const appendOnly = keepsBeginning(layOut, toolTalk, [2, 4, 7, 9, 11], plain.opener)
      if (plain.appendOnly && !appendOnly) continue
      const behindCall = firstTag(frameAfter(layOut(toolTalk.slice(0, 4)), 2))
      const endMarkers = plain.endMarkers.length > 0 ? [...plain.endMarkers, behindCall].filter(isMarker) : []
      return { ...plain, manner, layOut, endMarkers: [...new Set(endMarkers)], appendOnly: plain.appendOnly }
    } catch {
      // It refuses calls or results in this form, which is what was to be found out.
    }
  }
  return undefined
}

/** What ends a call in some models instead of the end of a turn. */
const callEnds = [
  '<|call|>',
  '<|eom_id|>',
  '<|END_OF_TURN_TOKEN|>',
  '<|tool_response>',
  '<start_function_response>',
]

/** Find out where a template writes calls that come as data, to put the text of a reply there instead. */
function learnCalls(render: Render, { manner, opener, surplus }: Probe): Calls {
  const user = withoutEnd(frameAfter(fill(render, manner, exchange.slice(0, 2)), 1), opener)
  const end = frameAfter(fill(render, manner, exchange.slice(0, 3), false), 2)
  const ends = [end, ...callEnds].filter(text => text !== '')
  const before = { ...manner, toolRole: true, calls: { leads: { user, tool: () => '' }, surplus, ends } }
  const frame = withoutEnd(frameAfter(fill(render, before, toolTalk.slice(0, 4)), 3), opener)
  const tool = (name: string, id: string) => frame.replaceAll(probeName, name).replaceAll(callId(0), id)
  return { leads: { user, tool }, surplus, ends }
}

/** Whether each beginning of a conversation, as a prompt, is the beginning of the prompt for the next longer one. */
function keepsBeginning(
  layOut: ChatTemplate['layOut'],
  talk: readonly Turn[],
  lengths: readonly number[],
  opener: string,
): boolean {
  const prompts = lengths.map(length => layOut(talk.slice(0, length)))
  return prompts.slice(1).every((longer, index) => {
    const shorter = splitOpener(prompts[index] ?? [], opener).parts
    return shorter.every((part, at) => JSON.stringify(part) === JSON.stringify(longer[at]))
  })
}

/** What the template writes between a message and the next one. */
function frameAfter(parts: readonly PromptPart[], message: number): string {
  const next = parts[parts.findIndex(part => 'message' in part && part.message === message) + 1]
  return next && 'frame' in next ? next.frame : ''
}

/** The end of a turn and the beginning of the person's next one, as they stand between a reply and a question. */
function markersOf(between: string): string[] {
  const end = firstTag(between)
  return [end, between.trim().slice(end.length).trim()].filter(isMarker)
}

const firstTag = (text: string): string => /^<[^<>\s]+>/.exec(text.trim())?.[0] ?? ''

/** `</s>` is also HTML, and a plain word is also prose. */
const isMarker = (text: string): boolean => text.length > 5 && /^[<[]/.test(text)

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
