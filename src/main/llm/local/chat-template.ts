import { Template } from '@huggingface/jinja'

export type Role = 'system' | 'user' | 'assistant'

/** A prompt in pieces: what the template writes, and where the text of which message goes. */
export type PromptPart = { frame: string } | { message: number }

/** How a model wants a conversation written. */
export type ChatTemplate = {
  /** Lay out a conversation up to the place where the model begins to write. `generated` marks what it wrote itself. */
  layOut(messages: readonly { role: Role; generated: boolean }[]): PromptPart[]
  /** What a reply begins with because the template writes it for the model, such as `<think>`; part of the reply's text. */
  opener: string
  /** Texts that end a reply when a model spells them instead of ending its turn. */
  endMarkers: readonly string[]
  /** Whether a longer conversation only adds to the prompt of a shorter one, so that nothing is evaluated twice. */
  appendOnly: boolean
  /** Why the model's own template is not in use. */
  problem: string | undefined
}

const chatml =
  "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{% endfor %}" +
  "{{ '<|im_start|>assistant\\n' }}"

/** The ways to feed a template that differ between models, from the plainest on. */
const manners = [false, true].flatMap(contentInParts =>
  [false, true].flatMap(mergeSystem =>
    [false, true].map(alternate => ({ contentInParts, mergeSystem, alternate })),
  ),
)
type Manner = (typeof manners)[number]

/**
 * Read the template of a model and find out how it wants to be used: whether it knows a system role, whether roles must
 * alternate, and what it writes before a reply. Without a usable template the conversation is written in ChatML.
 */
export function readTemplate(source: string | undefined, words: { bos: string; eos: string }): ChatTemplate {
  if (source === undefined)
    return useManner(openTemplate(chatml, words), 'The model file has no chat template.')
  try {
    return useManner(openTemplate(source, words), undefined)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return useManner(openTemplate(chatml, words), `The chat template of the model cannot be used: ${reason}`)
  }
}

/** Stands around the number of a message; a private character that no template writes or changes. */
const mark = '\uE000'

type Render = (messages: readonly { role: Role; content: unknown }[]) => string

function openTemplate(source: string, { bos, eos }: { bos: string; eos: string }): Render {
  const template = new Template(source)
  return messages =>
    template.render({ messages, add_generation_prompt: true, bos_token: bos, eos_token: eos })
}

function useManner(render: Render, problem: string | undefined): ChatTemplate {
  const first = manners.map(manner => tryManner(render, manner))
  const usable = first.filter(probe => 'layOut' in probe)
  const best = usable.find(probe => probe.appendOnly) ?? usable[0]
  if (!best) throw new Error(first.map(probe => ('reason' in probe ? probe.reason : '')).find(Boolean))
  return { ...best, problem }
}

type Probe = Omit<ChatTemplate, 'problem'> | { reason: string }

/** Write small conversations in one manner and see whether every message comes out once and in order. */
function tryManner(render: Render, manner: Manner): Probe {
  const write = (roles: readonly Role[]) => fill(render, manner, roles)
  try {
    const start = write(['system', 'user'])
    const later = write(['system', 'user', 'assistant', 'user'])
    // Without alternating roles, two questions in a row must work as well: somebody may stop before the answer.
    if (!manner.alternate) write(['system', 'user', 'user'])

    const prompt = frameAt(start, start.length - 1)
    const past = frameAt(later, indexOf(later, 2) - 1)
    const opener = prompt.startsWith(past) ? prompt.slice(past.length) : ''
    const surplus = past.startsWith(prompt) ? past.slice(prompt.length) : ''
    const continues = prompt.startsWith(past) || past.startsWith(prompt)
    const between = frameAt(later, indexOf(later, 2) + 1)
    return {
      layOut: messages => dropSurplus(fill(render, manner, roles(messages)), messages, surplus),
      opener,
      endMarkers: surplus === '' ? markersOf(between) : [],
      appendOnly: continues && isPrefix(start, later),
    }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

const roles = (messages: readonly { role: Role }[]): Role[] => messages.map(message => message.role)

/** Render with a placeholder for the text of each message, and cut the result at the placeholders. */
function fill(render: Render, manner: Manner, roles: readonly Role[]): PromptPart[] {
  const messages = group(roles, manner).map(({ role, members }) => {
    const text = members.map(index => mark + index + mark).join('\n\n')
    return { role, content: manner.contentInParts ? [{ type: 'text', text }] : text }
  })
  const pieces = render(messages).split(/\uE000(\d+)\uE000/)
  const order = pieces.filter((_, at) => at % 2 === 1).map(Number)
  if (order.length !== roles.length || order.some((index, at) => index !== at)) {
    throw new Error('it does not write every message once and in order')
  }
  return pieces.flatMap((piece, at): PromptPart[] => {
    if (at % 2 === 1) return [{ message: Number(piece) }]
    return piece === '' ? [] : [{ frame: piece }]
  })
}

/** Join messages that the template cannot take apart: the system prompt with the first question, or equal neighbours. */
function group(
  roles: readonly Role[],
  { mergeSystem, alternate }: Manner,
): { role: Role; members: number[] }[] {
  const groups: { role: Role; members: number[] }[] = []
  roles.forEach((own, index) => {
    const role = own === 'system' && mergeSystem ? 'user' : own
    const last = groups.at(-1)
    const joins = alternate || (mergeSystem && index === 1 && roles[0] === 'system')
    if (last && joins && last.role === role) last.members.push(index)
    else groups.push({ role, members: [index] })
  })
  if (alternate && groups[0]?.role === 'assistant') groups.unshift({ role: 'user', members: [] })
  return groups
}

/** What a model wrote follows the generation prompt, also where the template writes more before a past reply. */
function dropSurplus(
  parts: PromptPart[],
  messages: readonly { generated: boolean }[],
  surplus: string,
): PromptPart[] {
  if (surplus === '') return parts
  return parts.map((part, at) => {
    const next = parts[at + 1]
    const isBeforeOwn = next && 'message' in next && messages[next.message]?.generated
    return 'frame' in part && isBeforeOwn && part.frame.endsWith(surplus)
      ? { frame: part.frame.slice(0, -surplus.length) }
      : part
  })
}

const indexOf = (parts: readonly PromptPart[], message: number): number =>
  parts.findIndex(part => 'message' in part && part.message === message)

function frameAt(parts: readonly PromptPart[], at: number): string {
  const part = parts[at]
  return part && 'frame' in part ? part.frame : ''
}

/** Whether the parts of a prompt up to its generation prompt stand at the beginning of a longer one. */
const isPrefix = (short: readonly PromptPart[], long: readonly PromptPart[]): boolean =>
  short.slice(0, -1).every((part, at) => JSON.stringify(part) === JSON.stringify(long[at]))

/** The end of a turn and the beginning of the person's next one, as they stand between a reply and a question. */
function markersOf(between: string): string[] {
  const text = between.trim()
  const end = /^<[^<>\s]+>/.exec(text)?.[0] ?? ''
  const begin = text.slice(end.length).trim()
  // `</s>` is also HTML, and a plain word is also prose.
  return [end, begin].filter(marker => marker.length > 5 && /^[<[]/.test(marker))
}
