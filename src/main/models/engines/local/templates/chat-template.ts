import type { Refusal, Rereads } from '../../../../../shared/contract/models/model.ts'
import { fillTemplate, type Manner, type PromptPart, type Render, type Turn } from './fill-chat-template.ts'
import { findManner, findQuietOpener, type Probe } from './find-manner.ts'
import { compileTemplate } from '../jinja/compile-template.ts'
import { oddTalks, plainTalk, turnOf } from './probe-conversations.ts'
import { findMarksPlace, switchRender, thinkingVariables, type Thinking } from './switch-thinking.ts'
import { findToolManner } from './find-tool-manner.ts'
import { isUnmistakable } from './turn-end-marks.ts'

/** The layout of a conversation for one model. */
export type ChatTemplate = {
  /**
   * Lay out a conversation up to the point where the model starts to write. If the template refuses the
   * conversation, `onRefusal` is called, and the conversation is written in another way.
   */
  layOut(turns: readonly Turn[], onRefusal?: (refusal: Refusal) => void): PromptPart[]
  /**
   * Text that the template writes for the model at the start of a reply, such as `<think>`. It belongs to the
   * reply. Some templates omit it after a tool result.
   */
  opener: string
  /** The text in place of `opener` if thinking is off; undefined if it is the same or unknown. */
  quietOpener: string | undefined
  /** Texts that end a reply if a model spells them out instead of ending its turn. */
  endMarkers: readonly string[]
  /** Marks that are also ordinary words. They end a reply only as one token of the vocabulary. */
  endWords: readonly string[]
  /** Whether tool results have their own role. Otherwise they are written as user messages. */
  toolRole: boolean
  /** Whether a longer conversation only appends to the prompt, so that nothing is evaluated twice. */
  appendOnly: boolean
  /** The text that changes in a longer conversation; undefined if it is only appended to. */
  rereads: Rereads | undefined
  /** How the template refused a test conversation; undefined if it accepted all that were tried. */
  refuses: Refusal | undefined
  /** The settings of thinking that change the output of the template. */
  thinking: readonly Thinking[]
  /** Return the template with thinking switched on or off, if that is possible. */
  withThinking(thinking: Thinking | undefined): ChatTemplate
  /** Where the template looks for words such as `/no_think`; undefined if nowhere. */
  marksIn: 'messages' | 'instructions' | undefined
  /** The reason the model's own template is not used. */
  problem: string | undefined
}

const chatml =
  "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{% endfor %}" +
  "{{ '<|im_start|>assistant\\n' }}"

/**
 * Probe the template of a model: whether it supports a system role and a tool role, whether roles must
 * alternate, and what it writes before a reply. Without a usable template the conversation is written in
 * ChatML.
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

/** The deadline for template code. Chat templates are untrusted programs, so each piece of work has one. */
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
  const told = { off: switched('off'), on: switched('on') }
  const made = new Map<Thinking, ChatTemplate>()

  const build = (plain: Probe, quiet: Render | undefined): ChatTemplate => {
    const { render } = plain
    // A template that does not mention tools would write any role, including roles its model has never seen.
    const { layOut, ...found } = (/tool/i.test(source) && findToolManner(render, plain)) || plain
    // Strict templates reject some role sequences. They accept them as user messages or alternating turns.
    const strict: Manner = {
      ...plain.manner,
      toolRole: false,
      framesFor: undefined,
      calls: undefined,
      mergeSystem: true,
      alternate: true,
    }
    const ways = [layOut, plain.layOut, (turns: readonly Turn[]) => fillTemplate(render, strict, turns)]
    /** A conversation that took too long. Longer ones would too, so do not try them again. */
    let tooLong: { length: number; refusal: Refusal } | undefined
    const layOutOwn = (turns: readonly Turn[]): LaidOut => {
      if (tooLong && turns.length >= tooLong.length) return { refusal: tooLong.refusal }
      clock.until = performance.now() + longestMs
      const laid = layOutInWays(ways, turns)
      if (laid.refusal?.as === 'general' && performance.now() > clock.until)
        tooLong = { length: turns.length, refusal: laid.refusal }
      return laid
    }
    return {
      layOut(turns, onRefusal = () => {}) {
        const { parts, refusal } = layOutOwn(turns)
        if (!parts && source === chatml) throw new Error('the messages cannot be laid out')
        if (refusal) onRefusal(refusal)
        return parts ?? useTemplate(chatml, words, longestMs).layOut(turns)
      },
      opener: found.opener,
      quietOpener: quiet && findQuietOpener(found, quiet),
      endMarkers: found.ends.filter(isUnmistakable),
      endWords: found.ends.filter(end => !isUnmistakable(end)),
      toolRole: found.manner.toolRole,
      appendOnly: found.rereads === undefined,
      rereads: found.rereads,
      // All test conversations share the time limit for probing the template.
      refuses: findRefusal(found.manner, turns => layOutInWays(ways, turns).refusal),
      thinking: (['on', 'off'] as const).filter(each => told[each]),
      withThinking(thinking) {
        const way = thinking && told[thinking]
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
      return build(findManner(way), thinking === 'on' ? (told.off ?? renderAs()) : undefined)
    } catch {
      return undefined
    }
  }
  const main = build(usual, told.off)
  return main
}

/** A conversation that a template has laid out, or its refusal, or both. */
type LaidOut = { parts?: PromptPart[]; refusal?: Refusal }

/** Lay out a conversation in the first way that the template accepts. */
function layOutInWays(
  ways: readonly ((turns: readonly Turn[]) => PromptPart[])[],
  turns: readonly Turn[],
): LaidOut {
  let why: string | undefined
  for (const way of ways) {
    try {
      const parts = way(turns)
      return { parts, ...(why !== undefined && { refusal: { as: 'fewer_roles', why } }) }
    } catch (error) {
      why ??= reasonOf(error)
    }
  }
  return { refusal: { as: 'general', why: why ?? '' } }
}

/** Find out whether a template refuses unusual conversations that can occur in chats. */
function findRefusal(
  { toolRole }: Manner,
  refusalOf: (turns: readonly Turn[]) => Refusal | undefined,
): Refusal | undefined {
  const asUser = (each: Turn) => (each.role === 'tool' && !toolRole ? turnOf('user') : each)
  const found = oddTalks.flatMap(talk => refusalOf(talk.map(asUser)) ?? [])
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
          ...(tools && { tools }),
          ...variables,
        },
        { until: clock.until, now: today() },
      )
  }
}

/** Return the time of the day's first question: with the current time, each turn would be read again. */
function dateOfDay(): () => Date {
  let kept = new Date()
  return () => {
    const now = new Date()
    if (now.toDateString() !== kept.toDateString()) kept = now
    return kept
  }
}

/** Return the reason of a failure, on one line. It may be the template's own message. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return line.length > 200 ? `${line.slice(0, 200)}…` : line.replace(/[^.!?…]$/, '$&.')
}
