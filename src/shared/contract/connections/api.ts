import { z } from 'zod'
import { call } from '../../rpc.ts'

/** The requests of programs to one model today. */
const AskedModel = z.object({ model: z.string(), requests: z.int(), failed: z.int() })

/** The state of the server for other programs. `text` says why it does not run; empty if all is well. */
export const ApiState = z.object({
  state: z.enum(['off', 'running', 'failed']),
  text: z.string(),
  /** The base address for programs; empty while the server does not run. */
  address: z.string(),
  port: z.int(),
  /** Since midnight, the model with most requests first. */
  today: z.array(AskedModel),
  /** Request fields of today that had no effect. */
  unused: z.array(z.string()),
  /** Whether this host runs the server; the host of a terminal command does not. */
  isCarried: z.boolean(),
})
export type ApiState = z.infer<typeof ApiState>

/**
 * The server for other programs, which use the API of OpenAI or Anthropic. The setting `api.enabled` turns it
 * on.
 */
export const api = {
  'api.state': call(z.object({}), ApiState),
  /** The key that programs need; created by the first call. */
  'api.key': call(z.object({}), z.object({ key: z.string() })),
  /** Create a new key. The old key stops working immediately, and its requests in progress are ended. */
  'api.newKey': call(z.object({}), z.object({ key: z.string() })),
}
