import { callId } from '../../../formats/call-ids.ts'
import { probeCalls, type WrittenProbes } from '../../../formats/match-calls.ts'
import { compileTemplate } from '../jinja/compile-template.ts'

/** The answers of the last templates, because asking a template is slow. */
const asked = new Map<string, WrittenProbes>()
const MOST_KEPT = 40
/** Maximum time for all questions to a template together, in ms. */
const LONGEST_MS = 1_000
/** The text of a reply, which no template contains. */
const ordinary = '\uE002'
const question = '\uE003'

/**
 * Ask a chat template how its model calls tools: render one call and two calls, given as data. A template
 * that cannot render calls, or takes too long, yields no texts.
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
    // Use the texts that were rendered until then.
  }
  return written
}

function ask(source: string, written: { one: string[]; two: string[] }): void {
  const template = compileTemplate(source)
  // Chat templates are untrusted programs: a loop would block the caller.
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

/** Declare a tool as data, in the form that templates expect. */
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

/** Remove the text that the template writes after each reply. */
const withoutEnd = (text: string, end: string) =>
  end.trim() !== '' && text.endsWith(end) ? text.slice(0, -end.length) : text

/** Return the text after the lead, or after the question if the template writes no lead before calls. */
function behindLead(text: string, lead: string): string {
  if (lead !== '' && text.startsWith(lead)) return text.slice(lead.length)
  const from = text.lastIndexOf(question)
  return from < 0 ? text : text.slice(from + question.length)
}
