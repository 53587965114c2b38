import { z } from 'zod'
import { call } from '../rpc.ts'

/** What a request was for. */
export const NetworkPurpose = z.enum(['chat', 'learning', 'server_check', 'download', 'skill_import'])
export type NetworkPurpose = z.infer<typeof NetworkPurpose>

/** One request that left the host, or was kept from leaving. Byte counts are bodies; null where nobody can count them. */
export const NetworkEntry = z.object({
  id: z.int(),
  at: z.number(),
  host: z.string(),
  purpose: NetworkPurpose,
  /** What it was for, in words: the name of a model, of a file, of a repository. */
  subject: z.string(),
  /** Whether it stayed on this computer. */
  nearby: z.boolean(),
  state: z.enum(['running', 'done', 'failed', 'blocked']),
  sentBytes: z.number().nullable(),
  receivedBytes: z.number().nullable(),
  ms: z.number().nullable(),
})
export type NetworkEntry = z.infer<typeof NetworkEntry>

/** A host that was contacted, with all requests together. */
export const NetworkHost = z.object({
  host: z.string(),
  nearby: z.boolean(),
  purposes: z.array(NetworkPurpose),
  requests: z.int(),
  blocked: z.int(),
  sentBytes: z.number(),
  receivedBytes: z.number(),
  firstAt: z.number(),
  lastAt: z.number(),
})
export type NetworkHost = z.infer<typeof NetworkHost>

/** Everything that the host ever sent, and the switch that lets nothing out. */
export const network = {
  'network.list': call(
    z.object({ before: z.int().optional(), limit: z.int().min(1).max(500).default(100) }),
    z.object({ locked: z.boolean(), entries: z.array(NetworkEntry), hosts: z.array(NetworkHost) }),
  ),
  'network.lock': call(z.object({ locked: z.boolean() }), z.object({ locked: z.boolean() })),
  'network.clear': call(z.object({}), z.object({})),
}
