import { z } from 'zod'
import { call } from '../rpc.ts'
import { Fit } from './model.ts'

/**
 * A model file on its way into Talaria’s folder. `paused` goes on when asked to, also after a restart; `failed` can be tried
 * again from where it stopped. `bytesPerSecond` and `secondsLeft` are null until they can be told.
 */
export const Transfer = z.object({
  id: z.string(),
  kind: z.enum(['download', 'copy', 'upload']),
  name: z.string(),
  /** The address or path that it comes from; empty for what a browser sends. */
  from: z.string(),
  state: z.enum(['waiting', 'running', 'paused', 'checking', 'done', 'failed']),
  doneBytes: z.number(),
  /** Null while nobody has said. */
  totalBytes: z.number().nullable(),
  bytesPerSecond: z.number().nullable(),
  secondsLeft: z.number().nullable(),
  /** What went wrong, and what to do about it; empty otherwise. */
  error: z.string(),
  fix: z.string(),
  /** What a person should know of it although nothing failed: that it began anew, or waits for a server. */
  note: z.string().optional(),
  /** Whether its content was compared with a checksum that was known beforehand. */
  verified: z.boolean(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** The model that came of it. */
  modelId: z.string().nullable(),
})
export type Transfer = z.infer<typeof Transfer>

/** One file of a model in the catalogue. `sha256` is empty where it is not known. */
export const CatalogueFile = z.object({
  id: z.string(),
  size: z.enum(['small', 'balanced', 'large']),
  quantisation: z.string(),
  sizeBytes: z.number(),
  address: z.string(),
  sha256: z.string(),
  fit: Fit.nullable(),
  /** The model that it is already, when it was fetched. */
  modelId: z.string().nullable(),
})
export type CatalogueFile = z.infer<typeof CatalogueFile>

/** An open model that Talaria knows of without asking anybody. */
export const CatalogueModel = z.object({
  id: z.string(),
  name: z.string(),
  maker: z.string(),
  parameters: z.number(),
  goodAt: z.string(),
  licence: z.string(),
  licenceUrl: z.string(),
  contextTokens: z.int(),
  /** The id of the notation in which it calls tools; empty when it does not. */
  dialect: z.string(),
  vision: z.boolean(),
  /** Of the weights, the share that is read for each token: less than 1 where only some experts work at a time. */
  activeShare: z.number(),
  files: z.array(CatalogueFile),
})
export type CatalogueModel = z.infer<typeof CatalogueModel>

const id = z.object({ id: z.string().min(1).max(200) })

/** Model files that come in, and the catalogue that comes with Talaria. */
export const transfers = {
  /** `asOf` is the day on which the catalogue was put together; nothing is fetched for this. */
  'catalogue.list': call(
    z.object({}),
    z.object({
      asOf: z.string(),
      models: z.array(CatalogueModel),
      suggested: z.object({ light: z.string(), balanced: z.string(), best: z.string() }),
    }),
  ),
  'transfer.list': call(z.object({}), z.object({ transfers: z.array(Transfer) })),
  /** Fetch a file of the catalogue, or one at an address of a person’s own. */
  'transfer.download': call(
    z.union([
      z.object({ catalogueId: z.string().min(1).max(200) }),
      z.object({
        address: z.url({ protocol: /^https?$/ }).max(4_000),
        sha256: z
          .string()
          .regex(/^[0-9a-fA-F]{64}$/)
          .optional(),
      }),
    ]),
    Transfer,
  ),
  'transfer.copy': call(z.object({ path: z.string().trim().min(1).max(4_096) }), Transfer),
  /** Begin to take a file that a page has: its bytes follow as the body of `PUT /upload/<id>` with the token of the page. */
  'transfer.upload': call(
    z.object({ name: z.string().min(1).max(255), sizeBytes: z.int().min(1) }),
    Transfer,
  ),
  'transfer.pause': call(id, Transfer),
  'transfer.resume': call(id, Transfer),
  /** Give it up and delete what has come so far. */
  'transfer.cancel': call(id, z.object({})),
  /** Take what has ended off the list. */
  'transfer.clear': call(z.object({}), z.object({})),
}
