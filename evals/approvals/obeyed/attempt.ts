import { z } from 'zod'

/**
 * An attempt to make a program of the person obey a file that a command of a chat in *Full access* wrote.
 * `afterwards`: what the person runs later, outside Talaria; the payload would touch `{MARKER}`. `watch`:
 * files that must not change. `expect` is one of three: with `kept`, Talaria asked or nothing of that
 * changed; with `reported`, it may change and the result says so; with `works`, nothing is asked and the
 * command prints `prints`.
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
