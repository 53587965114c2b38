import { z } from 'zod'

const Call = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })

/** One conversation to be written with a template. */
const Written = z.object({
  name: z.string(),
  system: z.string().default(''),
  messages: z
    .array(
      z.discriminatedUnion('role', [
        z.object({ role: z.literal('user'), text: z.string() }),
        z.object({
          role: z.literal('assistant'),
          text: z.string().default(''),
          calls: z.array(Call).default([]),
        }),
        z.object({ role: z.literal('tool'), name: z.string(), text: z.string() }),
      ]),
    )
    .min(1),
})
export type Conversation = z.infer<typeof Written>

/** A file of conversations. */
export const Conversations = z.array(Written).min(1)

const weather = { name: 'get_weather', arguments: { city: 'Bern' } }
const system = 'You are a helpful assistant.'
const ask = { role: 'user', text: 'What is the weather in Bern?' } as const
const sunny = { role: 'tool', name: 'get_weather', text: '{"sky": "sunny"}' } as const

/**
 * The conversations without a given file: a question, a chat, a call, two calls, and a chat that goes on
 * after a call.
 */
export const usualConversations: readonly Conversation[] = [
  { name: 'question', system, messages: [ask] },
  {
    name: 'chat',
    system,
    messages: [
      { role: 'user', text: 'Hello' },
      { role: 'assistant', text: 'Hello! How can I help?', calls: [] },
      { role: 'user', text: 'Say it in French.' },
    ],
  },
  { name: 'call', system, messages: [ask, { role: 'assistant', text: '', calls: [weather] }, sunny] },
  {
    name: 'two calls',
    system,
    messages: [
      ask,
      {
        role: 'assistant',
        text: 'I will look.',
        calls: [weather, { ...weather, arguments: { city: 'Rome', days: 2 } }],
      },
      sunny,
      { ...sunny, text: 'A "warm" day\nand a clear night' },
    ],
  },
  {
    name: 'after a call',
    system: '',
    messages: [
      ask,
      { role: 'assistant', text: '', calls: [weather] },
      sunny,
      { role: 'assistant', text: 'It is sunny.', calls: [] },
      { role: 'user', text: 'Thank you.' },
    ],
  },
]
