import { z } from 'zod'
import { call, stream } from '../rpc.ts'
import { Seen } from './seen.ts'

const path = z.string().min(1).max(4_096)

/** The progress of long work: `share` is the finished part of the current step, 0 to 1. */
export const DataProgress = z.object({
  type: z.literal('progress'),
  step: z.enum(['copying', 'packing', 'checking', 'unpacking', 'writing']),
  share: z.number(),
})
export type DataProgress = z.infer<typeof DataProgress>

export const ExportFormat = z.enum(['markdown', 'json', 'html'])
export type ExportFormat = z.infer<typeof ExportFormat>

/**
 * Which parts of the chats are written: the path of each or all branches, and whether with the arguments and
 * results of tools.
 */
const exported = {
  format: ExportFormat,
  branches: z.enum(['path', 'all']).default('path'),
  tools: z.boolean().default(true),
}
const chat = z.string().min(1).max(100)
/** Maximum length of an export that is returned as a text, in characters. */
export const MAX_EXPORT_TEXT = 2_000_000

/** A part of the home folder and its size in bytes. */
export const HomeSize = z.object({ id: z.string(), title: z.string(), bytes: z.number(), files: z.int() })
export type HomeSize = z.infer<typeof HomeSize>

/**
 * A file in the folder of backups. `update`: made before a change of the database; `damaged`: a file that
 * could not be read.
 */
export const KeptBackup = z.object({
  name: z.string(),
  path: z.string(),
  kind: z.enum(['daily', 'update', 'damaged', 'settings', 'other']),
  at: z.number(),
  bytes: z.number(),
})
export type KeptBackup = z.infer<typeof KeptBackup>

/** A file that is missing from a backup; `why` continues “because …”. */
export const LeftOut = z.object({ path: z.string(), why: z.string() })
export type LeftOut = z.infer<typeof LeftOut>

/** The contents of a backup. */
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
  /** The hash of the file, its list of contents and the checksums in it. */
  seen: Seen,
})

/**
 * The contents of the home folder: sizes, exports, backups, and restoring them. Paths are on the host's
 * computer.
 */
export const data = {
  /** The size of every part of the home folder. */
  'data.sizes': call(
    z.object({}),
    z.object({ home: z.string(), parts: z.array(HomeSize), bytes: z.number() }),
  ),
  /** Export one chat or all chats to one file. An export that fails or is stopped leaves no file. */
  'data.export': stream(
    z.object({
      path,
      ...exported,
      /** The id of one chat; absent for all chats. */
      chat: chat.optional(),
      /** The ids of several chats; chats that no longer exist are left out. */
      chats: z.array(chat).min(1).max(10_000).optional(),
      /** Whether an existing file may be replaced. */
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
  /** Export one chat as a text, to copy or print. Throws `bad_input` if it is longer than MAX_EXPORT_TEXT. */
  'data.exportText': stream(
    z.object({ ...exported, chat }),
    z.discriminatedUnion('type', [
      DataProgress,
      z.object({ type: z.literal('done'), text: z.string(), messages: z.int() }),
    ]),
  ),
  /** The default folder for files that the user saves, and the path separator of this computer. */
  'data.places': call(z.object({}), z.object({ files: z.string(), separator: z.string() })),
  /**
   * The backups that Talaria keeps automatically, newest first. `trouble` says why the last one was not made.
   */
  'data.backups': call(
    z.object({}),
    z.object({
      folder: z.string(),
      backups: z.array(KeptBackup),
      trouble: z.string().nullable(),
    }),
  ),
  /** Write everything to a new file, then read the file back to check it. */
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
  /** Read the contents of a backup without restoring it. */
  'data.inspect': call(z.object({ path }), BackupContents),
  /**
   * Restore an inspected backup into a new home folder, which is only used once Talaria is started with it.
   * Throws a `conflict` Fault if the file was replaced or changed since it was inspected.
   */
  'data.restore': stream(
    z.object({ path, folder: path, seen: Seen }),
    z.discriminatedUnion('type', [
      DataProgress,
      z.object({ type: z.literal('done'), folder: z.string(), chats: z.int(), files: z.int() }),
    ]),
  ),
}
