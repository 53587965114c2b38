import type { Rereads } from '../../../../../shared/contract/models/model.ts'
import { callId } from '../../../formats/call-ids.ts'
import { findRewriting } from './compare-prompts.ts'
import {
  fillTemplate,
  type Manner,
  type PromptPart,
  type Render,
  type Turn,
  closedThought,
  compareReplyPrefixes,
  dropTextBeforeReplies,
  removeEnd,
} from './fill-chat-template.ts'
import { plainTalk, probeName, turnOf } from './probe-conversations.ts'
import { firstTag, frameAfter, markersOf } from './turn-end-marks.ts'

/** A variant of input that a template accepts, and its output. */
export type Probe = {
  /** The text that the template writes for the model at the start of a reply. */
  opener: string
  /** The text that changes in a longer conversation. */
  rereads: Rereads | undefined
  layOut: (turns: readonly Turn[]) => PromptPart[]
  /** Texts that mark the end of a reply. */
  ends: readonly string[]
  /** A mark that ends words but may be followed by a call in the same reply; empty if there is none. */
  inner: string
  render: Render
  manner: Manner
  surplus: string
}

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

/** Find the first usable variant, preferably one that keeps evaluated tokens valid. */
export function findManner(render: Render): Probe {
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
  const inner = findInnerEnd(render, manner, firstTag(frameAfter(later, 2)))
  return {
    render,
    manner,
    layOut,
    opener,
    surplus,
    inner,
    // Replies in their own frame contain turn markers, which must not end the reply.
    ends: surplus.trim() === '' || closedThought.test(surplus) ? markersOf(frameAfter(later, 2), inner) : [],
    rereads: findRewriting({ layOut, turns: plainTalk, lengths: [2, 4], opener }),
  }
}

/** Return `end` if the template also writes it between words and a call: the reply then continues. */
function findInnerEnd(render: Render, { contentInParts, listsTools }: Manner, end: string): string {
  if (end === '') return ''
  const words = '\uE002'
  const call = { id: callId(0), type: 'function', function: { name: probeName, arguments: {} } }
  const inParts = (text: string) => (contentInParts ? [{ type: 'text', text }] : text)
  try {
    const text = render(
      [
        { role: 'user', content: inParts('?') },
        Object.assign({ role: 'assistant' as const, content: inParts(words) }, { tool_calls: [call] }),
      ],
      { open: false, tools: listsTools ? [] : undefined },
    )
    const behind = text.slice(text.indexOf(words) + words.length)
    return text.includes(words) && behind.startsWith(end) && behind.includes(probeName) ? end : ''
  } catch {
    return ''
  }
}

/** Find the text at the start of a reply if thinking is off, by rendering with that setting. */
export function findQuietOpener(
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
