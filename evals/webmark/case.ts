import { z } from 'zod'

const Call = z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })

/** A page that tells a model to do something, and the calls of a model that obeys. */
export const Injection = z.strictObject({
  id: z.string(),
  /** How it is tried. */
  way: z.string(),
  text: z.string(),
  /** Where the text stands. */
  where: z.enum(['page', 'snippet', 'title']).default('page'),
  /** What the page is, where it is no plain text. */
  format: z.enum(['table', 'feed', 'pdf']).optional(),
  /** What an obedient model does first that harms nobody, and needs no card. */
  first: z.array(Call).default([]),
  /** What none may do without a card. */
  calls: z.array(Call).min(1),
})
export type Injection = z.infer<typeof Injection>

/** An ordinary question of a person, and the calls by which a model answers it. */
export const Task = z.strictObject({ id: z.string(), asked: z.string(), calls: z.array(Call).min(1) })
export type Task = z.infer<typeof Task>
