import { z } from 'zod'
import { call } from '../../rpc.ts'

/** What programs have asked of one model today. */
const AskedModel = z.object({ model: z.string(), requests: z.int(), failed: z.int() })

/** How the server for other programs stands. `text` says why it does not run; empty where all is well. */
export const ApiState = z.object({
  state: z.enum(['off', 'running', 'failed']),
  text: z.string(),
  /** What programs call the base address; empty while it does not run. */
  address: z.string(),
  port: z.int(),
  /** Since midnight, most asked first. */
  today: z.array(AskedModel),
  /** Fields that programs gave today and that nothing was made of. */
  unused: z.array(z.string()),
  /** Whether this host carries the server; a terminal command does not. */
  isCarried: z.boolean(),
})
export type ApiState = z.infer<typeof ApiState>

/** The server for other programs, which speak OpenAI’s or Anthropic’s words. It is switched by the setting `api.enabled`. */
export const api = {
  'api.state': call(z.object({}), ApiState),
  /** The key that programs need; made at the first call. */
  'api.key': call(z.object({}), z.object({ key: z.string() })),
  /** Make another key. The old one ends at once, with what was asked by it. */
  'api.newKey': call(z.object({}), z.object({ key: z.string() })),
}
