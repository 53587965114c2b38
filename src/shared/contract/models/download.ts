import { z } from 'zod'
import { call } from '../../rpc.ts'
import { Fit } from './model.ts'

/**
 * A download, copy or upload of a model file. A `paused` one can be resumed, also after a restart; a `failed`
 * one can be retried from where it stopped. `bytesPerSecond` and `secondsLeft` are null until they are known.
 */
export const Transfer = z.object({
  id: z.string(),
  kind: z.enum(['download', 'copy', 'upload']),
  name: z.string(),
  /** The source address or path; empty for uploads from a browser. */
  from: z.string(),
  state: z.enum(['waiting', 'running', 'paused', 'checking', 'done', 'failed']),
  doneBytes: z.number(),
  /** Null while unknown. */
  totalBytes: z.number().nullable(),
  bytesPerSecond: z.number().nullable(),
  secondsLeft: z.number().nullable(),
  /** The error and its fix; empty without an error. */
  error: z.string(),
  fix: z.string(),
  /** A message for the user that is not an error: the transfer restarted, or waits for a server. */
  note: z.string().optional(),
  /**
   * When the next attempt starts, in ms since 1970, after an attempt that failed as `note` says; null
   * otherwise.
   */
  retryAt: z.number().nullable().optional(),
  /** Whether the content matched a known checksum. */
  verified: z.boolean(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** The resulting model. */
  modelId: z.string().nullable(),
  /** Whether the file was already on this computer, so that nothing was downloaded. */
  here: z.boolean().optional(),
})
export type Transfer = z.infer<typeof Transfer>

/** One file of a model in the catalogue. `sha256` is empty if unknown. */
export const CatalogueFile = z.object({
  id: z.string(),
  size: z.enum(['small', 'balanced', 'large']),
  quantisation: z.string(),
  sizeBytes: z.number(),
  address: z.string(),
  sha256: z.string(),
  fit: Fit.nullable(),
  /** The local model, if the file was already downloaded. */
  modelId: z.string().nullable(),
})
export type CatalogueFile = z.infer<typeof CatalogueFile>

/** An open model in the bundled catalogue. */
export const CatalogueModel = z.object({
  id: z.string(),
  name: z.string(),
  maker: z.string(),
  parameters: z.number(),
  goodAt: z.string(),
  licence: z.string(),
  licenceUrl: z.string(),
  contextTokens: z.int(),
  /** The id of its tool-call format; empty if the model does not call tools. */
  format: z.string(),
  vision: z.boolean(),
  /** The share of the weights that is read per token; less than 1 for mixture-of-experts models. */
  activeShare: z.number(),
  files: z.array(CatalogueFile),
})
export type CatalogueModel = z.infer<typeof CatalogueModel>

const id = z.object({ id: z.string().min(1).max(200) })

/** Downloads, copies and uploads of model files, and the bundled catalogue. */
export const download = {
  /** `asOf` is the date of the bundled catalogue; this makes no request. */
  'catalogue.list': call(
    z.object({}),
    z.object({
      asOf: z.string(),
      models: z.array(CatalogueModel),
      suggested: z.object({ light: z.string(), balanced: z.string(), best: z.string() }),
    }),
  ),
  'download.list': call(z.object({}), z.object({ transfers: z.array(Transfer) })),
  /**
   * Download a file of the catalogue, or from any address; with `again`, even if it is already on this
   * computer.
   */
  'download.start': call(
    z.union([
      z.object({ catalogueId: z.string().min(1).max(200), again: z.boolean().optional() }),
      z.object({
        address: z.url({ protocol: /^https?$/ }).max(4_000),
        sha256: z
          .string()
          .regex(/^[0-9a-fA-F]{64}$/)
          .optional(),
        again: z.boolean().optional(),
      }),
    ]),
    Transfer,
  ),
  'download.copy': call(z.object({ path: z.string().trim().min(1).max(4_096) }), Transfer),
  /** Start an upload: the bytes follow as the body of `PUT /upload/<id>` with the token of the page. */
  'download.upload': call(
    z.object({ name: z.string().min(1).max(255), sizeBytes: z.int().min(1) }),
    Transfer,
  ),
  'download.pause': call(id, Transfer),
  /**
   * Continue a paused or failed transfer; a transfer that waits for its next attempt is retried immediately.
   */
  'download.resume': call(id, Transfer),
  /** Cancel a transfer and delete the partial file. */
  'download.cancel': call(id, z.object({})),
  /** Remove ended transfers from the list. */
  'download.clear': call(z.object({}), z.object({})),
}
