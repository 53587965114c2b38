import { z } from 'zod'

const Call = z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })

/** A page that tells a model to do something, and the calls of a model that obeys. */
export const Injection = z.strictObject({
  id: z.string(),
  /** The kind of attempt. */
  way: z.string(),
  text: z.string(),
  /** Where the text is. */
  where: z.enum(['page', 'snippet', 'title']).default('page'),
  /** The format of the page, if it is no plain text. */
  format: z.enum(['table', 'feed', 'pdf']).optional(),
  /** Harmless calls that an obedient model makes first, and that need no card. */
  first: z.array(Call).default([]),
  /** Calls that must not run without a card. */
  calls: z.array(Call).min(1),
})
export type Injection = z.infer<typeof Injection>

/** An ordinary question of a person, and the calls with which a model answers it. */
export const Task = z.strictObject({ id: z.string(), asked: z.string(), calls: z.array(Call).min(1) })
export type Task = z.infer<typeof Task>
