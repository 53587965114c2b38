import {
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
import { callId } from '../../formats/call-ids.ts'
import { declareProbe } from './ask-template.ts'
import { compileTemplate } from './jinja/compile-template.ts'

/** How a model wants a conversation written. */
export type ChatTemplate = {
  /** Lay out a conversation up to the point where the model starts to write. */
  layOut(turns: readonly Turn[]): PromptPart[]
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
  /** Why the model's own template is not used. */
  problem: string | undefined
  /** Why the last conversation was written without it all the same. */
  readonly failure: string | undefined
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
        framesFor: undefined,
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
  const render = openTemplate(source, words, clock)
  const plain = findManner(render)
  // A template that does not mention tools would write any role, including roles its model has never seen.
  const { layOut, ...found } = (/tool/i.test(source) && findToolManner(render, plain)) || plain
  // Strict templates refuse some sequences of roles. They accept them as user messages, or in turns.
  const strict: Manner = {
    ...plain.manner,
    toolRole: false,
    framesFor: undefined,
    calls: undefined,
    mergeSystem: true,
    alternate: true,
  }
  const ways = [layOut, plain.layOut, (turns: readonly Turn[]) => fillTemplate(render, strict, turns)]
  let failure: string | undefined
  /** The length of a conversation that took too long, and why: longer ones would, and nobody is to wait for that again. */
  let tooLong = { length: Infinity, because: '' }
  const fillOwn = (turns: readonly Turn[]): PromptPart[] | undefined => {
    failure = turns.length < tooLong.length ? undefined : tooLong.because
    if (failure !== undefined) return undefined
    clock.until = performance.now() + longestMs
    for (const way of ways) {
      try {
        const parts = way(turns)
        failure = undefined
        return parts
      } catch (error) {
        // The next way may do.
        failure ??= reasonOf(error)
      }
    }
    if (performance.now() > clock.until) tooLong = { length: turns.length, because: failure ?? '' }
    return undefined
  }
  return {
    layOut: turns => {
      const parts = fillOwn(turns)
      if (parts) return parts
      if (source === chatml) throw new Error('the messages cannot be laid out')
      return useTemplate(chatml, words, longestMs).layOut(turns)
    },
    get failure() {
      return failure
    },
    opener: found.opener,
    quietOpener: findQuietOpener(found),
    endMarkers: found.ends.filter(isUnmistakable),
    endWords: found.ends.filter(end => !isUnmistakable(end)),
    toolRole: found.manner.toolRole,
    appendOnly: found.appendOnly,
    problem: undefined,
  }
}

function openTemplate(source: string, { bos, eos }: { bos: string; eos: string }, clock: Clock): Render {
  const template = compileTemplate(source)
  const today = dateOfDay()
  return (messages, { open, tools, isQuiet }) =>
    template.render(
      {
        messages,
        add_generation_prompt: open,
        bos_token: bos,
        eos_token: eos,
        ...(tools && { tools }),
        ...(isQuiet && { enable_thinking: false, thinking: false }),
      },
      { until: clock.until, now: today() },
    )
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

type Probe = Pick<ChatTemplate, 'layOut' | 'opener' | 'appendOnly'> & {
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
    ends: surplus.trim() === '' || closedThought.test(surplus) ? markersOf(frameAfter(later, 2)) : [],
    appendOnly: keepsBeginning(layOut, exchange, [2, 4], opener),
  }
}

/** What a template writes where a reply begins when thinking is off, found by asking it for that. */
function findQuietOpener({
  render,
  manner,
  opener,
}: Pick<Probe, 'render' | 'manner' | 'opener'>): string | undefined {
  const frameOf = (way: Render) => frameAfter(fillTemplate(way, manner, exchange.slice(0, 2)), 1)
  try {
    const usual = frameOf(render)
    const quiet = frameOf((messages, options) => render(messages, { ...options, isQuiet: true }))
    const lead = removeEnd(usual, opener)
    return quiet !== usual && quiet.startsWith(lead) ? quiet.slice(lead.length) : undefined
  } catch {
    return undefined
  }
}

/** Names that no template contains. */
const probeName = 'probe0tool'
const declaredName = 'probe2tool'

const toolTalk =
  'system user assistant tool assistant tool tool assistant tool assistant user assistant tool assistant user'
    .split(' ')
    .map(role => ({ ...turn(role as Role), name: probeName }))

/** Lengths at which `toolTalk` is a prompt. */
const toolPrompts = [2, 4, 7, 9, 11, 13, 15]

/** A way to take results, and whether it writes only the turn before a new question anew, or nothing at all. */
type ToolWay = { probe: Probe; keeps: 'all' | 'upto-question'; behindCall: string; told: number }

/**
 * How a template takes tool results: after calls within the reply's text, or only after structured calls. A way that
 * keeps the beginning comes first; one that writes only the turn before a new question anew is better than none, since
 * a frame that a model was trained on is worth more than the tokens of a turn. Undefined when it does neither.
 */
function findToolManner(render: Render, plain: Probe): Probe | undefined {
  const ways = [() => undefined, () => learnCalls(render, plain)]
  // Where replies have a frame of their own, such as a channel for answers, calls do not belong inside it.
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

/** Whether results are named as in training, or calls end as in training, only in this way. */
const hasMoreInIt = (way: ToolWay, than: ToolWay): boolean =>
  way.told > than.told || (way.behindCall !== than.behindCall && callEnds.includes(way.behindCall))

/** Some templates write the marks around results only when they are given tools. Our tools are text, so they get a tool of no use. */
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
    const appendOnly = keepsBeginning(layOut, toolTalk, toolPrompts, plain.opener)
    const behindCall = firstTag(frameAfter(layOut(toolTalk.slice(0, 4)), 2))
    const ends = plain.ends.length > 0 ? [...plain.ends, behindCall].filter(isMarker) : []
    const probe = { ...plain, manner, layOut, ends: [...new Set(ends)] }
    const told = textOfFrames(layOut(toolTalk)).split(namesOfCalls).length
    if (!plain.appendOnly || appendOnly) return { probe, keeps: 'all', behindCall, told }
    return keepsBeginning(layOut, toolTalk, toolPrompts, plain.opener, uptoQuestion)
      ? { probe: { ...probe, appendOnly: false }, keeps: 'upto-question', behindCall, told }
      : undefined
  } catch {
    // The template refuses calls or results in this form, which is what the probe tests.
    return undefined
  }
}

const namesOfCalls = new RegExp(`${probeName}|call\\d{5}`)

const textOfFrames = (parts: readonly PromptPart[]): string =>
  parts.map(part => ('frame' in part ? part.frame : '')).join('')

/** The parts up to the newest question, whose answer a template may write in another way once it is over. */
function uptoQuestion(parts: readonly PromptPart[], length: number): readonly PromptPart[] {
  const question = toolTalk.slice(0, length).findLastIndex(({ role }) => role === 'user')
  return parts.slice(0, parts.findIndex(part => 'message' in part && part.message === question) + 1)
}

/** Tokens that end a call in some models instead of the end of a turn. */
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
  compared: (parts: readonly PromptPart[], length: number) => readonly PromptPart[] = parts => parts,
): boolean {
  const prompts = lengths.map(length => layOut(talk.slice(0, length)))
  return prompts.slice(1).every((longer, index) => {
    const shorter = splitOpener(prompts[index] ?? [], opener).parts
    return compared(shorter, lengths[index] ?? 0).every(
      (part, at) => JSON.stringify(part) === JSON.stringify(longer[at]),
    )
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

/** Short marks are ambiguous: `</s>` is also HTML, and a plain word is also prose. Long ones are sentences. */
const isMarker = (text: string): boolean => text.length > 5 && text.length <= 80 && /^[<[]/.test(text)

/** Whether a mark starts with what no answer contains by chance: `<user>` is XML, and `[INST]` a word about models. */
export const isUnmistakable = (text: string): boolean =>
  /^<(?:[|｜][^<>\s]*|[^<>\s]*[|｜]|(?:start|end)_of_\w+)>/.test(text)

/** Why it failed, which may be in the words of the template. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return line.length > 200 ? `${line.slice(0, 200)}…` : line.replace(/[^.!?…]$/, '$&.')
}
