import { Script } from 'node:vm'
import { Template } from '@huggingface/jinja'
import {
  callId,
  fillTemplate,
  type Calls,
  type Manner,
  type PromptPart,
  type Render,
  type Role,
  type Turn,
  closedThought,
  compareReplyPrefixes,
  dropTextBeforeReplies,
  splitOpener,
  removeEnd,
} from './fill-template.ts'

/** How a model wants a conversation written. */
export type ChatTemplate = {
  /** Lay out a conversation up to the point where the model starts to write. */
  layOut(turns: readonly Turn[]): PromptPart[]
  /**
   * Text that the template writes for the model at the start of a reply, such as `<think>`. It belongs to the reply.
   * Some templates leave it out after a tool result.
   */
  opener: string
  /** Texts that end a reply when a model spells them out instead of ending its turn. */
  endMarkers: readonly string[]
  /** Whether tool results have a role of their own. Otherwise they are written as user messages. */
  toolRole: boolean
  /**
   * Whether a longer conversation only appends to the prompt of a shorter one, so that nothing is evaluated twice.
   */
  appendOnly: boolean
  /** Why the model's own template is not used. */
  problem: string | undefined
}

const chatml =
  "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{% endfor %}" +
  "{{ '<|im_start|>assistant\\n' }}"

/** The variants in which models expect their input, simplest first. */
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
 * Probe the template of a model: whether it supports a system role and a tool role, whether roles must alternate, and
 * what it writes before a reply. Without a usable template the conversation is written in ChatML.
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

/** Chat templates are untrusted programs: a loop would block the caller. */
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
  // A template that does not mention tools would write any role, including roles its model has never seen.
  const { layOut, ...found } = (/tool/i.test(source) && findToolManner(render, plain)) || plain
  return {
    layOut: turns => {
      try {
        return layOut(turns)
      } catch (error) {
        // Strict templates refuse some sequences of calls and results. As user messages they are accepted.
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

/** The first usable variant, preferably one that keeps evaluated tokens valid. */
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

/** Write small conversations in one variant. Throws unless every message appears once and in order. */
function tryManner(render: Render, manner: Manner): Probe {
  const start = fillTemplate(render, manner, exchange.slice(0, 2))
  const later = fillTemplate(render, manner, exchange)
  // Without alternating roles, two questions in a row must work too: the user may stop before the answer.
  if (!manner.alternate) fillTemplate(render, manner, (['system', 'user', 'user'] as const).map(turn))

  const { opener, surplus } = compareReplyPrefixes(frameAfter(start, 1), frameAfter(later, 1))
  const layOut = (turns: readonly Turn[]) =>
    dropTextBeforeReplies(fillTemplate(render, manner, turns), turns, surplus)
  return {
    render,
    manner,
    layOut,
    opener,
    surplus,
    // Replies in a frame of their own contain turn markers, which must not end the reply.
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
 * How a template takes tool results: after calls within the reply's text, or only after structured calls. Undefined
 * when it does neither, or when results make it rewrite earlier turns.
 */
function findToolManner(render: Render, plain: Probe): Probe | undefined {
  const ways = [() => undefined, () => learnCalls(render, plain)]
  // Where replies have a frame of their own, such as a channel for answers, calls do not belong inside it.
  if (plain.surplus !== '') ways.reverse()
  for (const callsOf of ways) {
    try {
      const manner = { ...plain.manner, toolRole: true, calls: callsOf() }
      const layOut = (turns: readonly Turn[]) =>
        dropTextBeforeReplies(fillTemplate(render, manner, turns), turns, plain.surplus)
      const appendOnly = keepsBeginning(layOut, toolTalk, [2, 4, 7, 9, 11], plain.opener)
      if (plain.appendOnly && !appendOnly) continue
      const behindCall = firstTag(frameAfter(layOut(toolTalk.slice(0, 4)), 2))
      const endMarkers = plain.endMarkers.length > 0 ? [...plain.endMarkers, behindCall].filter(isMarker) : []
      return { ...plain, manner, layOut, endMarkers: [...new Set(endMarkers)], appendOnly: plain.appendOnly }
    } catch {
      // The template refuses calls or results in this form, which is what the probe tests.
    }
  }
  return undefined
}

/** Tokens that end a call in some models instead of the end of a turn. */
const callEnds = [
  '<|call|>',
  '<|eom_id|>',
  '<|END_OF_TURN_TOKEN|>',
  '<|tool_response>',
  '<start_function_response>',
]

/** Find where a template writes structured calls, so that the text of a reply can replace them. */
function learnCalls(render: Render, { manner, opener, surplus }: Probe): Calls {
  const user = removeEnd(frameAfter(fillTemplate(render, manner, exchange.slice(0, 2)), 1), opener)
  const end = frameAfter(fillTemplate(render, manner, exchange.slice(0, 3), false), 2)
  const ends = [end, ...callEnds].filter(text => text !== '')
  const before = { ...manner, toolRole: true, calls: { leads: { user, tool: () => '' }, surplus, ends } }
  const frame = removeEnd(frameAfter(fillTemplate(render, before, toolTalk.slice(0, 4)), 3), opener)
  const tool = (name: string, id: string) => frame.replaceAll(probeName, name).replaceAll(callId(0), id)
  return { leads: { user, tool }, surplus, ends }
}

/** Whether each prefix of a conversation, as a prompt, is also a prefix of the next longer prompt. */
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

/** The template text between a message and the next one. */
function frameAfter(parts: readonly PromptPart[], message: number): string {
  const next = parts[parts.findIndex(part => 'message' in part && part.message === message) + 1]
  return next && 'frame' in next ? next.frame : ''
}

/** The end of a turn and the start of the next user turn, as written between a reply and a question. */
function markersOf(between: string): string[] {
  const end = firstTag(between)
  return [end, between.trim().slice(end.length).trim()].filter(isMarker)
}

const firstTag = (text: string): string => /^<[^<>\s]+>/.exec(text.trim())?.[0] ?? ''

/** Short marks are ambiguous: `</s>` is also HTML, and a plain word is also prose. */
const isMarker = (text: string): boolean => text.length > 5 && /^[<[]/.test(text)

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
