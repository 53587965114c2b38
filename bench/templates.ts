import { familyTemplates } from '../testing/gguf/templates.ts'
import { readTemplate } from '../src/main/models/engines/local/templates/chat-template.ts'
import { median, round, timed } from './measure.ts'
import type { Measured } from './run-parts.ts'

/** One exchange of a long chat: a question, a call, its result and an answer. */
const exchange = ['user', 'assistant', 'tool', 'assistant'] as const
const words = { bos: '<s>', eos: '</s>' }

/**
 * The milliseconds to apply a chat template to a chat of many messages, which happens once a turn: the median
 * of our test families, and the slowest. Reading a template, once for each load of a model, is measured
 * separately.
 */
export async function benchTemplates(messages = 600, rounds = 15): Promise<Measured> {
  const talk = Array.from({ length: messages }, (_, at) => exchange[at % exchange.length] ?? 'user')
  const laidOut: number[] = []
  const read: number[] = []
  for (const [name, source] of Object.entries(familyTemplates)) {
    const template = readTemplate(source, words)
    if (template.problem !== undefined)
      throw new Error(`The template ${name} is not used: ${template.problem}`)
    const turns = talk.map(role => ({
      role: role === 'tool' && !template.toolRole ? ('user' as const) : role,
      generated: role === 'assistant',
      name: 'look',
    }))
    laidOut.push(await typicalTime(rounds, () => template.layOut(turns)))
    read.push(await typicalTime(rounds, () => readTemplate(source, words)))
  }
  return {
    template_messages: messages,
    template_families: laidOut.length,
    template_layout_ms: round(median(laidOut)),
    template_layout_slowest_ms: round(Math.max(...laidOut)),
    template_read_ms: round(median(read)),
    template_read_slowest_ms: round(Math.max(...read)),
  }
}

async function typicalTime(rounds: number, work: () => unknown): Promise<number> {
  const times: number[] = []
  for (let at = 0; at < rounds; at++) times.push(await timed(work))
  return median(times)
}
