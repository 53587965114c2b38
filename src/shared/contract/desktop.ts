import { z } from 'zod'
import { call, stream } from '../rpc.ts'

/**
 * A request of the desktop app to its window. It only opens pages and fills in fields; it sends and changes
 * nothing.
 */
export const WindowRequest = z.discriminatedUnion('type', [
  /** Show a page; `tab` is a tab of the Models page or a section of the settings. */
  z.object({
    type: z.literal('page'),
    page: z.enum(['memory', 'skills', 'activity', 'schedules', 'models', 'settings', 'help']),
    tab: z.string().nullable(),
  }),
  /** Show a chat; null is a new one. */
  z.object({ type: z.literal('chat'), id: z.string().nullable() }),
  /** Show a new chat with this text in its field. */
  z.object({ type: z.literal('draft'), text: z.string() }),
  /** Start a chat in this folder, as the user asked by a start option. */
  z.object({ type: z.literal('folder'), folder: z.string() }),
  z.object({ type: z.literal('search') }),
  z.object({ type: z.literal('palette') }),
  /** Report a failure, such as a shortcut that another program uses. */
  z.object({ type: z.literal('trouble'), text: z.string() }),
])
export type WindowRequest = z.infer<typeof WindowRequest>

/** The kinds of things that a system dialog lets the user choose. */
export const Choosable = z.enum(['folder', 'model', 'import'])
export type Choosable = z.infer<typeof Choosable>

const path = z.string().max(4_096)

/**
 * The system around a window of the desktop app. Without one, `watch` is silent and the calls are refused as
 * `not_ready`.
 */
export const desktop = {
  'desktop.watch': stream(z.object({}), WindowRequest),
  /** Ask for a file or folder with the system’s dialog, which starts at `at`; null if the user cancels. */
  'desktop.choose': call(
    z.object({ what: Choosable, at: path.default('') }),
    z.object({ path: z.string().nullable() }),
  ),
  /** Ask where to save a file, and write it; null if the user cancels. */
  'desktop.save': call(
    z.object({ name: z.string().min(1).max(200), base64: z.string().max(100_000_000) }),
    z.object({ path: z.string().nullable() }),
  ),
  /** Show a file or folder in the system’s file manager. */
  'desktop.reveal': call(z.object({ path: path.min(1) }), z.object({})),
  /** Show a chat in the main window, and hide the quick one. */
  'desktop.showChat': call(z.object({ id: z.string().min(1).max(100) }), z.object({})),
}
