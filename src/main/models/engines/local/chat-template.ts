import {
  callId,
  fillTemplate,
  type Calls,
  type Manner,
  type PromptPart,
  type Render,
  type Turn,
  closedThought,
  compareReplyPrefixes,
  dropTextBeforeReplies,
  removeEnd,
} from './fill-template.ts'
import type { Refusal, Rereads } from '../../../../shared/contract/model.ts'
import { findRewriting } from './compare-prompts.ts'
import { compileTemplate } from './jinja/compile-template.ts'
import { plainTalk, oddTalks, probeName, toolPrompts, toolTalk, turnOf } from './probe-talks.ts'
import { findMarksPlace, switchRender, thinkingVariables, type Thinking } from './switch-thinking.ts'

/** How a model wants a conversation written. */
export type ChatTemplate = {
  /**
   * Lay out a conversation up to the point where the model starts to write. `onRefusal` hears of a conversation that the
   * template refuses, which is then written in another way.
   */
  layOut(turns: readonly Turn[], onRefusal?: (refusal: Refusal) => void): PromptPart[]
  /**
   * Text that the template writes for the model at the start of a reply, such as `<think>`. It belongs to the reply.
   * Some templates leave it out after a tool result.
   */
  opener: string
  /** What the template writes there instead when thinking is off; undefined if it writes the same, or cannot be asked. */
  quietOpener: string | undefined
  /** Texts that end a reply when a model spells them out instead of ending its turn. */
  endMarkers: readonly string[]
  /** Marks that are ordinary words too. They end a reply only as one token of the vocabulary. */
  endWords: readonly string[]
  /** Whether tool results have a role of their own. Otherwise they are written as user messages. */
  toolRole: boolean
  /**
   * Whether a longer conversation only appends to the prompt of a shorter one, so that nothing is evaluated twice.
   */
  appendOnly: boolean
  /** What it writes anew in a longer conversation; undefined when it only appends. */
  rereads: Rereads | undefined
  /** How it was found to refuse conversations that chats can come to; undefined when it takes all that were tried. */
  refuses: Refusal | undefined
  /** What thinking can be set to. Any other value changes nothing of what the template writes. */
  thinking: readonly Thinking[]
  /** The template with thinking switched on or off, as far as it can be. */
  withThinking(thinking: Thinking | undefined): ChatTemplate
  /** Where it looks for words such as `/no_think`; undefined when it does not. */
  marksIn: 'messages' | 'instructions' | undefined
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
  const plain = () => useTemplate(chatml, words, longestMs)
  if (source === undefined) return { ...plain(), problem: 'The model file has no chat template.' }
  try {
    if (source.length > mostCharacters) throw new Error('it is longer than four million characters')
    return useTemplate(source, words, longestMs)
  } catch (error) {
    return { ...plain(), problem: `The chat template of the model cannot be used: ${reasonOf(error)}` }
  }
}

const mostCharacters = 4_000_000

/** Chat templates are programs of strangers, so each piece of work has a time at which it ends. */
type Clock = { until: number }

function useTemplate(source: string, words: { bos: string; eos: string }, longestMs: number): ChatTemplate {
  const clock: Clock = { until: performance.now() + longestMs }
  const renderAs = openTemplate(source, words, clock)
  const usual = findManner(renderAs())
  const switched = (thinking: Thinking) =>
    switchRender(
      source,
      renderAs,
      render => fillTemplate(render, usual.manner, plainTalk.slice(0, 2)),
      thinking,
    )
  const start = plainTalk.slice(0, 2)
  const marksIn = findMarksPlace(source, turns => fillTemplate(renderAs(), usual.manner, turns), start)
  const ways = { off: switched('off'), on: switched('on') }
  const made = new Map<Thinking, ChatTemplate>()

  const build = (plain: Probe, quiet: Render | undefined): ChatTemplate => {
    const { render } = plain
    // A template that does not mention tools would write any role, including roles its model has never seen.
    const { layOut, ...found } = (/tool/i.test(source) && findToolManner(render, plain)) || plain
    // Strict templates refuse some sequences of roles. They accept them as user messages, or in turns.
    const strict: Manner = {
      ...plain.manner,
      toolRole: false,
      calls: undefined,
      mergeSystem: true,
      alternate: true,
    }
    const tried = [layOut, plain.layOut, (turns: readonly Turn[]) => fillTemplate(render, strict, turns)]
    const lay = (turns: readonly Turn[], onRefusal: (refusal: Refusal) => void, beforeEach: () => void) => {
      let refusal: unknown
      for (const [at, way] of tried.entries()) {
        beforeEach()
        try {
          const parts = way(turns)
          if (at > 0) onRefusal({ as: 'fewer_roles', why: reasonOf(refusal) })
          return parts
        } catch (error) {
          refusal ??= error
        }
      }
      if (source === chatml) throw new Error('the messages cannot be laid out')
      onRefusal({ as: 'general', why: reasonOf(refusal) })
      return undefined
    }
    return {
      layOut: (turns, onRefusal = () => {}) =>
        lay(turns, onRefusal, () => (clock.until = performance.now() + longestMs)) ??
        useTemplate(chatml, words, longestMs).layOut(turns),
      opener: found.opener,
      quietOpener: quiet && findQuietOpener(found, quiet),
      endMarkers: found.ends.filter(isUnmistakable),
      endWords: found.ends.filter(end => !isUnmistakable(end)),
      toolRole: found.manner.toolRole,
      appendOnly: found.rereads === undefined,
      rereads: found.rereads,
      // All of these share the time that the template has to be tried out.
      refuses: findRefusal(found.manner, (turns, onRefusal) => void lay(turns, onRefusal, () => {})),
      thinking: (['on', 'off'] as const).filter(each => ways[each]),
      withThinking(thinking) {
        const way = thinking && ways[thinking]
        if (!way) return main
        const known = made.get(thinking) ?? buildSafely(way, thinking) ?? main
        made.set(thinking, known)
        return known
      },
      marksIn,
      problem: undefined,
    }
  }

  const buildSafely = (way: Render, thinking: Thinking): ChatTemplate | undefined => {
    clock.until = performance.now() + longestMs
    try {
      return build(findManner(way), thinking === 'on' ? (ways.off ?? renderAs()) : undefined)
    } catch {
      return undefined
    }
  }
  const main = build(usual, ways.off)
  return main
}

/** How a template refuses conversations that chats can come to, beside the usual ones. */
function findRefusal(
  { toolRole }: Manner,
  layOut: (turns: readonly Turn[], onRefusal: (refusal: Refusal) => void) => void,
): Refusal | undefined {
  const found: Refusal[] = []
  const asUser = (each: Turn) => (each.role === 'tool' && !toolRole ? turnOf('user') : each)
  for (const talk of oddTalks) layOut(talk.map(asUser), refusal => found.push(refusal))
  return found.find(({ as }) => as === 'general') ?? found[0]
}

function openTemplate(
  source: string,
  { bos, eos }: { bos: string; eos: string },
  clock: Clock,
): (thinking?: Thinking) => Render {
  const template = compileTemplate(source)
  const today = dateOfDay()
  return thinking => {
    const variables = thinkingVariables(source, thinking)
    return (messages, { open, tools }) =>
      template.render(
        {
          messages,
          add_generation_prompt: open,
          bos_token: bos,
          eos_token: eos,
          ...(tools && { tools: [] }),
          ...variables,
        },
        { until: clock.until, now: today() },
      )
  }
}

/** The time of the first question of a day: a prompt with the seconds in it would be read anew in each turn. */
function dateOfDay(): () => Date {
  let kept = new Date()
  return () => {
    const now = new Date()
    if (now.toDateString() !== kept.toDateString()) kept = now
    return kept
  }
}

type Probe = Pick<ChatTemplate, 'opener' | 'rereads'> & {
  layOut: (turns: readonly Turn[]) => PromptPart[]
  /** Texts that stand where a reply ends. */
  ends: readonly string[]
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
      if (!probe.rereads) return probe
      usable ??= probe
    } catch (error) {
      refusal ??= error
    }
  }
  if (!usable) throw refusal
  return usable
}

/** Write small conversations in one variant. Throws unless every message appears once and in order. */
function tryManner(render: Render, manner: Manner): Probe {
  const start = fillTemplate(render, manner, plainTalk.slice(0, 2))
  const later = fillTemplate(render, manner, plainTalk)
  // Without alternating roles, two questions in a row must work too: the user may stop before the answer.
  if (!manner.alternate) fillTemplate(render, manner, (['system', 'user', 'user'] as const).map(turnOf))

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
    ends: surplus.trim() === '' || closedThought.test(surplus) ? markersOf(frameAfter(later, 2)) : [],
    rereads: findRewriting({ layOut, turns: plainTalk, lengths: [2, 4], opener }),
  }
}

/** What a template writes where a reply begins when thinking is off, found by asking it for that. */
function findQuietOpener(
  { render, manner, opener }: Pick<Probe, 'render' | 'manner' | 'opener'>,
  told: Render,
): string | undefined {
  const frameOf = (way: Render) => frameAfter(fillTemplate(way, manner, plainTalk.slice(0, 2)), 1)
  try {
    const usual = frameOf(render)
    const quiet = frameOf(told)
    const lead = removeEnd(usual, opener)
    return quiet !== usual && quiet.startsWith(lead) ? quiet.slice(lead.length) : undefined
  } catch {
    return undefined
  }
}

/**
 * How a template takes tool results: after calls within the reply's text, or only after structured calls. A way that
 * keeps the beginning comes first; one that writes only the turn before a new question anew is better than none, since
 * a frame that a model was trained on is worth more than the tokens of a turn. Undefined when it does neither.
 */
function findToolManner(render: Render, plain: Probe): Probe | undefined {
  const ways = [() => undefined, () => learnCalls(render, plain)]
  // Where replies have a frame of their own, such as a channel for answers, calls do not belong inside it.
  if (plain.surplus !== '') ways.reverse()
  let second: Probe | undefined
  for (const callsOf of ways) {
    try {
      const manner = { ...plain.manner, toolRole: true, calls: callsOf() }
      const layOut = (turns: readonly Turn[]) =>
        dropTextBeforeReplies(fillTemplate(render, manner, turns), turns, plain.surplus)
      const talk = { layOut, turns: toolTalk, lengths: toolPrompts, opener: plain.opener }
      const rereads = findRewriting(talk)
      const behindCall = firstTag(frameAfter(layOut(toolTalk.slice(0, 4)), 2))
      const ends = plain.ends.length > 0 ? [...plain.ends, behindCall].filter(isMarker) : []
      const probe = { ...plain, manner, layOut, ends: [...new Set(ends)] }
      if (plain.rereads || !rereads) return probe
      if (rereads.scope === 'answer') second ??= { ...probe, rereads }
    } catch {
      // The template refuses calls or results in this form, which is what the probe tests.
    }
  }
  return second
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
  const user = removeEnd(frameAfter(fillTemplate(render, manner, plainTalk.slice(0, 2)), 1), opener)
  const end = frameAfter(fillTemplate(render, manner, plainTalk.slice(0, 3), false), 2)
  const ends = [end, ...callEnds].filter(text => text !== '')
  const before = { ...manner, toolRole: true, calls: { leads: { user, tool: () => '' }, surplus, ends } }
  const frame = removeEnd(frameAfter(fillTemplate(render, before, toolTalk.slice(0, 4)), 3), opener)
  const tool = (name: string, id: string) => frame.replaceAll(probeName, name).replaceAll(callId(0), id)
  return { leads: { user, tool }, surplus, ends }
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

/** Short marks are ambiguous: `</s>` is also HTML, and a plain word is also prose. Long ones are sentences. */
const isMarker = (text: string): boolean => text.length > 5 && text.length <= 80 && /^[<[]/.test(text)

/** Whether a mark starts with what no answer contains by chance: `<user>` is XML, and `[INST]` a word about models. */
const isUnmistakable = (text: string): boolean =>
  /^<(?:[|｜][^<>\s]*|[^<>\s]*[|｜]|(?:start|end)_of_\w+)>/.test(text)

/** Why it failed, which may be in the words of the template. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return line.length > 200 ? `${line.slice(0, 200)}…` : line.replace(/[^.!?…]$/, '$&.')
}
