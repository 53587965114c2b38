import { z } from 'zod'
import { call, stream } from '../rpc.ts'
import { Seen } from './seen.ts'

const path = z.string().min(1).max(4_096)

/** How far long work is: `share` of its present step, 0 to 1. */
export const DataProgress = z.object({
  type: z.literal('progress'),
  step: z.enum(['copying', 'packing', 'checking', 'unpacking', 'writing']),
  share: z.number(),
})
export type DataProgress = z.infer<typeof DataProgress>

export const ExportFormat = z.enum(['markdown', 'json', 'html'])
export type ExportFormat = z.infer<typeof ExportFormat>

/** What of the chats is written: the path of each or all of its branches, and whether with what tools were given and said. */
const exported = {
  format: ExportFormat,
  branches: z.enum(['path', 'all']).default('path'),
  tools: z.boolean().default(true),
}
const chat = z.string().min(1).max(100)
/** Longest export that is answered as a text, in characters. */
export const MAX_EXPORT_TEXT = 2_000_000

/** A part of the home folder and its size in bytes. */
export const HomeSize = z.object({ id: z.string(), title: z.string(), bytes: z.number(), files: z.int() })
export type HomeSize = z.infer<typeof HomeSize>

/** A file in the folder of backups. `update`: made before a change of the database; `damaged`: what could not be read. */
export const KeptBackup = z.object({
  name: z.string(),
  path: z.string(),
  kind: z.enum(['daily', 'update', 'damaged', 'settings', 'other']),
  at: z.number(),
  bytes: z.number(),
})
export type KeptBackup = z.infer<typeof KeptBackup>

/** A file that is not in a backup; `why` continues “because …”. */
export const LeftOut = z.object({ path: z.string(), why: z.string() })
export type LeftOut = z.infer<typeof LeftOut>

/** What a backup holds. */
const BackupContents = z.object({
  path: z.string(),
  bytes: z.number(),
  createdAt: z.number(),
  version: z.string(),
  kind: z.enum(['daily', 'manual']),
  home: z.string(),
  hasKeys: z.boolean(),
  chats: z.int(),
  files: z.int(),
  leftOut: z.array(LeftOut),
  /** Of the file, its list of contents and the checksums in it. */
  seen: Seen,
})

/** What is in the home folder: its size, backups of it, and new homes made from them. Paths are on the host's computer. */
export const data = {
  /** The size of every part of the home folder. */
  'data.sizes': call(
    z.object({}),
    z.object({ home: z.string(), parts: z.array(HomeSize), bytes: z.number() }),
  ),
  /** Write one chat or all into one file; nothing is left of one that fails or is stopped. */
  'data.export': stream(
    z.object({
      path,
      ...exported,
      /** The id of one chat; all without it. */
      chat: chat.optional(),
      /** The ids of several; those that are gone are left out. */
      chats: z.array(chat).min(1).max(10_000).optional(),
      /** Whether a file of that name may be replaced. */
      replace: z.boolean().default(false),
    }),
    z.discriminatedUnion('type', [
      DataProgress,
      z.object({
        type: z.literal('done'),
        path: z.string(),
        bytes: z.number(),
        chats: z.int(),
        messages: z.int(),
      }),
    ]),
  ),
  /** One chat as a text, to be copied or printed. `bad_input` when it is longer than MAX_EXPORT_TEXT. */
  'data.exportText': stream(
    z.object({ ...exported, chat }),
    z.discriminatedUnion('type', [
      DataProgress,
      z.object({ type: z.literal('done'), text: z.string(), messages: z.int() }),
    ]),
  ),
  /** The folder that files for the person are put into unless they name another, and what separates the parts of a path. */
  'data.places': call(z.object({}), z.object({ files: z.string(), separator: z.string() })),
  /** The backups that Talaria keeps automatically, newest first. `trouble` says why the last one was not made. */
  'data.backups': call(
    z.object({}),
    z.object({
      folder: z.string(),
      backups: z.array(KeptBackup),
      trouble: z.string().nullable(),
    }),
  ),
  /** Write everything into one file that does not exist yet; then open it and read it back. */
  'data.backup': stream(
    z.object({ path, keys: z.boolean().default(false), files: z.boolean().default(true) }),
    z.discriminatedUnion('type', [
      DataProgress,
      z.object({
        type: z.literal('done'),
        path: z.string(),
        bytes: z.number(),
        chats: z.int(),
        leftOut: z.array(LeftOut),
      }),
    ]),
  ),
  /** What a backup holds, without restoring it. */
  'data.inspect': call(z.object({ path }), BackupContents),
  /**
   * Restore a backup that was looked into into a new home folder, which is not used before somebody starts Talaria with it. A file that
   * was exchanged or changed since is a `conflict` Fault.
   */
  'data.restore': stream(
    z.object({ path, folder: path, seen: Seen }),
    z.discriminatedUnion('type', [
      DataProgress,
      z.object({ type: z.literal('done'), folder: z.string(), chats: z.int(), files: z.int() }),
    ]),
  ),
}
