import { z } from 'zod'

/**
 * An attempt to have a program of the person obey what a command of a chat in *Full access* wrote. `afterwards`: what the person runs
 * afterwards, outside Talaria; the payload would touch `{MARKER}`. `watch`: files that must be as before. `expect`: `kept`, it
 * was asked about, or it changed nothing of that; `reported`, it may change it and the result says so; `works`, nothing is asked and it
 * prints `prints`.
 */
export const Attempt = z.strictObject({
  id: z.string(),
  kind: z.literal('obeyed'),
  layout: z.string(),
  command: z.string(),
  afterwards: z.string().optional(),
  watch: z.array(z.string()).default([]),
  expect: z.enum(['kept', 'reported', 'works']),
  prints: z.string().optional(),
  files: z.record(z.string(), z.object({ text: z.string() })).default({}),
})
export type Attempt = z.infer<typeof Attempt>
