import { z } from 'zod'
import { call } from '../../rpc.ts'

/**
 * A prompt with variables, from a file with this name. `own`: from the home folder. `problem`: why it cannot
 * be used, as a phrase that continues “Its file …”; its text is then empty.
 */
export const Template = z.object({
  name: z.string(),
  text: z.string(),
  own: z.boolean(),
  problem: z.string().nullable(),
  variables: z.array(z.object({ name: z.string(), preset: z.string() })),
})
export type Template = z.infer<typeof Template>

export const templates = {
  /** Read the templates again, by name. `folder`: where users put their own. */
  'template.list': call(z.object({}), z.object({ templates: z.array(Template), folder: z.string() })),
}
