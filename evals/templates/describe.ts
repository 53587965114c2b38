import type { Refusal, Rereads } from '../../src/shared/contract/models/model.ts'
import type { Message } from '../../src/shared/contract/chats/messages.ts'
import { createTextStrategy } from '../../src/main/agent/strategies/text.ts'
import { askForCalls } from '../../src/main/models/engines/local/templates/ask-template.ts'
import { readTemplate } from '../../src/main/models/engines/local/templates/chat-template.ts'
import type { ToolSpec } from '../../src/main/models/interface/engine.ts'
import { detectFormat } from '../../src/main/models/formats/detect-format.ts'
import type { Conversation } from './conversations.ts'

/** How the product handles a chat template. `used`: the model's own or ChatML instead of it, and `why`. */
export type TemplateRow = {
  file: string
  used: 'own' | 'chatml'
  why?: string
  /** The format of calls, and how it was recognised. */
  dialect: string
  from: string
  toolRole: boolean
  appendOnly: boolean
  /** What it writes differently once a conversation goes on, if anything. */
  rereads?: Rereads
  /** How it refuses conversations that chats can get to, if any, in the words of the Models page. */
  refuses?: Refusal
  /** The possible settings of thinking. */
  thinking: readonly ('on' | 'off')[]
  /** The conversations that it refuses unchanged, each with how it is written instead and why. */
  refused?: Record<string, string>
  /** The texts that end a reply when the model spells them out. */
  ends: readonly string[]
  prompts: Record<string, string>
}

const tools = [
  {
    name: 'get_weather',
    description: 'The weather of a place.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string', description: 'Its name.' }, days: { type: 'integer' } },
      required: ['city'],
    },
  },
]

/**
 * Describe a template, and write the conversations with it as a chat with a local model and these tools does.
 */
export function describeOne(
  file: string,
  source: string,
  conversations: readonly Conversation[],
  given: readonly ToolSpec[] = tools,
): TemplateRow {
  const template = readTemplate(source, { bos: '<s>', eos: '</s>' })
  const { id, format, from } = detectFormat({ writes: askForCalls(source), template: source, name: file })
  const strategy = createTextStrategy({ format, toolRole: template.toolRole, edition: 'full' })

  const refused: Record<string, string> = {}
  const write = ({ name, system, messages }: Conversation): string => {
    const rendered = strategy.render(
      [system, strategy.present(given)].filter(Boolean).join('\n\n'),
      messages.map(stored),
    )
    // As in a chat, an empty system text is left out.
    const wire = rendered.filter(({ role, text }) => role !== 'system' || text !== '')
    const turns = wire.map(message => ({
      role: message.role,
      generated: message.generated ?? false,
      ...(message.role === 'tool' && { name: message.name, id: message.idInText }),
    }))
    return template
      .layOut(turns, ({ as, why }) => (refused[name] = `${as}: ${why}`))
      .map(part => ('frame' in part ? part.frame : escaped(wire[part.message]?.text ?? '', part.quoted ?? 0)))
      .join('')
  }
  const prompts = Object.fromEntries(conversations.map(each => [each.name, attempt(() => write(each))]))
  return {
    file,
    used: template.problem === undefined ? 'own' : 'chatml',
    ...(template.problem !== undefined && { why: template.problem }),
    dialect: id,
    from,
    toolRole: template.toolRole,
    appendOnly: template.appendOnly,
    ...(template.rereads && { rereads: template.rereads }),
    ...(template.refuses && { refuses: template.refuses }),
    thinking: template.thinking,
    ...(Object.keys(refused).length > 0 && { refused }),
    ends: template.endMarkers,
    prompts,
  }
}

/** A text as it is escaped inside quotation marks in the prompt, as many times as it is quoted. */
const escaped = (text: string, times: number): string =>
  times === 0 ? text : escaped(JSON.stringify(text).slice(1, -1), times - 1)

function attempt(write: () => string): string {
  try {
    return write()
  } catch (error) {
    return `It throws: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** A message of a conversation as the database stores it. */
function stored(message: Conversation['messages'][number], at: number): Message {
  const kept = { id: at + 1, sessionId: 'eval', at: 0 }
  switch (message.role) {
    case 'user':
      return { ...kept, role: 'user', text: message.text }
    case 'assistant': {
      const calls = message.calls.map((call, place) => ({ id: `${at}-${place}`, ...call }))
      return {
        ...kept,
        role: 'assistant',
        text: message.text,
        reasoning: '',
        calls,
        interrupted: false,
        model: '',
      }
    }
    case 'tool':
      return {
        ...kept,
        role: 'tool',
        callId: '',
        name: message.name,
        ok: true,
        text: message.text,
        durationMs: 0,
        record: { decision: 'ran' },
      }
  }
}
