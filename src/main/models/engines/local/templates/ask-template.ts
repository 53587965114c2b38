import { callId } from '../../../formats/call-ids.ts'
import { probeCalls, type WrittenProbes } from '../../../formats/match-calls.ts'
import { compileTemplate } from '../jinja/compile-template.ts'

/** Templates are asked once; the answers to the last ones are kept. */
const asked = new Map<string, WrittenProbes>()
const MOST_KEPT = 40
/** For all questions together. */
const LONGEST_MS = 1_000
/** A reply that no template writes. */
const ordinary = '\uE002'
const question = '\uE003'

/**
 * Ask a chat template how its model calls tools: what it writes for one call and for two, as data. A template that
 * cannot tell, or takes too long, has written nothing.
 */
export function askForCalls(source: string | undefined): WrittenProbes {
  if (source === undefined || !source.includes('tool_calls')) return { one: [], two: [] }
  const known = asked.get(source)
  if (known) return known
  const answer = tell(source)
  if (asked.size >= MOST_KEPT) asked.clear()
  asked.set(source, answer)
  return answer
}

function tell(source: string): WrittenProbes {
  const written: { one: string[]; two: string[] } = { one: [], two: [] }
  try {
    ask(source, written)
  } catch {
    // What it has written until then counts.
  }
  return written
}

function ask(source: string, written: { one: string[]; two: string[] }): void {
  const template = compileTemplate(source)
  // Chat templates are programs of strangers: a loop would block the caller.
  const options = { until: performance.now() + LONGEST_MS, now: new Date() }
  const render = (reply: object) =>
    template.render(
      {
        messages: [
          { role: 'user', content: question },
          { role: 'assistant', ...reply },
        ],
        tools: probeCalls.map(({ name }) => declareProbe(name)),
        add_generation_prompt: false,
        bos_token: '<s>',
        eos_token: '</s>',
      },
      options,
    )
  const told = attempt(() => render({ content: ordinary })) ?? ''
  const lead = before(told, ordinary)
  const end = told.slice(lead.length + ordinary.length)
  // Some templates expect arguments as an object, others as text.
  for (const spell of [(given: unknown) => given, JSON.stringify]) {
    for (const [key, count] of [
      ['one', 1],
      ['two', 2],
    ] as const) {
      const tool_calls = probeCalls.slice(0, count).map((call, at) => ({
        id: callId(at),
        type: 'function',
        function: { name: call.name, arguments: spell(call.arguments) },
      }))
      const text = attempt(() => render({ content: '', tool_calls }))
      if (text?.includes('probe words')) written[key].push(withoutEnd(behindLead(text, lead), end))
    }
  }
}

/** A tool as data, as templates expect it. */
export const declareProbe = (name: string): object => ({
  type: 'function',
  function: {
    name,
    description: 'A tool.',
    parameters: {
      type: 'object',
      properties: {
        count: { type: 'integer', description: 'A number.' },
        list: { type: 'array', items: { type: 'string' }, description: 'A list.' },
        text: { type: 'string', description: 'A text.' },
      },
      required: ['text'],
    },
  },
})

function attempt(render: () => string): string | undefined {
  try {
    return render()
  } catch {
    return undefined
  }
}

const before = (text: string, mark: string) => text.slice(0, Math.max(0, text.indexOf(mark)))

/** Without what the template writes behind each reply. */
const withoutEnd = (text: string, end: string) =>
  end.trim() !== '' && text.endsWith(end) ? text.slice(0, -end.length) : text

/** What follows the lead, as far as the template writes it before calls too. */
function behindLead(text: string, lead: string): string {
  if (lead !== '' && text.startsWith(lead)) return text.slice(lead.length)
  const from = text.lastIndexOf(question)
  return from < 0 ? text : text.slice(from + question.length)
}
