import { z } from 'zod'
import { call, stream } from '../rpc.ts'
import { Area } from './areas.ts'
import { Delegated } from './runs/delegation.ts'
import { EngineState } from './models/model.ts'
import { ApprovalMode, Session } from './chats/session.ts'
import { Transfer } from './models/download.ts'

/** A notice outside any chat, such as an unreadable configuration or a restored backup. */
export const Notice = z.object({
  id: z.string(),
  level: z.enum(['info', 'warning', 'error']),
  text: z.string(),
  fix: z.string(),
})
export type Notice = z.infer<typeof Notice>

export const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  /** The colours of code: the same as the window, or one fixed scheme. */
  codeTheme: z.enum(['window', 'light', 'dark', 'contrast']),
  /** Relative to the text size of the system. */
  textSize: z.enum(['small', 'normal', 'large', 'larger']),
  sendWith: z.enum(['enter', 'mod_enter']),
  /** Changed shortcuts, such as `mod+k`, by the id of their action; empty for no shortcut. */
  keys: z.record(z.string().max(64), z.string().max(40)),
  /** Shows engine numbers, raw prompts and JSON. */
  expert: z.boolean(),
})
export type Settings = z.infer<typeof Settings>

/** Changes outside runs. `hello` is always the first item and is complete. */
export const AppEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    version: z.string(),
    hosting: z.enum(['desktop', 'headless', 'cli']),
    platform: z.string(),
    home: z.string(),
    workspace: z.string(),
    defaultModelId: z.string(),
    settings: Settings,
    engine: EngineState,
    notices: z.array(Notice),
    /** Whether the offline lock is on, and whether setup is finished. */
    locked: z.boolean(),
    setupDone: z.boolean(),
  }),
  // Something in these areas has changed: read them again. Also sent if too many chats change together for an
  // event each.
  z.object({ type: z.literal('changed'), areas: z.array(Area).readonly() }),
  z.object({ type: z.literal('engine'), engine: EngineState }),
  z.object({ type: z.literal('session'), session: Session }),
  z.object({ type: z.literal('session_removed'), id: z.string() }),
  // A sub-agent has started, changed or ended.
  z.object({ type: z.literal('agent'), agent: Delegated }),
  z.object({ type: z.literal('notice'), notice: Notice }),
  /** A notice is settled and can be hidden. */
  z.object({ type: z.literal('notice_ended'), id: z.string() }),
  z.object({ type: z.literal('settings'), settings: Settings }),
  // All transfers, several times a second while one is active.
  z.object({ type: z.literal('transfers'), transfers: z.array(Transfer) }),
  // The offline lock.
  z.object({ type: z.literal('lock'), locked: z.boolean() }),
  z.object({ type: z.literal('setup'), done: z.boolean() }),
  /**
   * A run of a schedule has ended, and the user wants a notification. `content` is empty unless the user
   * wants it shown.
   */
  z.object({
    type: z.literal('schedule_ended'),
    name: z.string(),
    sessionId: z.string().nullable(),
    ok: z.boolean(),
    /** It answered without using any of the tools that it had. */
    unlooked: z.literal(true).optional(),
    content: z.string(),
  }),
])
export type AppEvent = z.infer<typeof AppEvent>

export const app = {
  'app.watch': stream(z.object({}), AppEvent),
  'app.setSettings': call(Settings.partial(), Settings),
  /**
   * Whether commands run confined on this computer; if not, why and what would help. `newChats`: the approval
   * mode of new chats.
   */
  'app.confinement': call(
    z.object({}),
    z.object({
      confined: z.boolean(),
      /** Commands must be confined and cannot be, so none runs. */
      blocked: z.boolean(),
      whyNot: z.string(),
      remedy: z.string(),
      newChats: ApprovalMode,
    }),
  ),
  /** Make a new address that opens one window in a browser; null if this host serves no browser. */
  'app.newAddress': call(z.object({}), z.object({ address: z.string().nullable() })),
  'app.dismissNotice': call(z.object({ id: z.string() }), z.object({})),
}

/**
 * The state of the update check. Nothing is checked unless the user asks, or `updates.check_at_start` is on.
 */
export const UpdateState = z.discriminatedUnion('phase', [
  // This copy cannot update itself; `why` is the reason, and `fix` says what to do instead.
  z.object({ phase: z.literal('unavailable'), why: z.string(), fix: z.string() }),
  z.object({ phase: z.literal('idle') }),
  z.object({ phase: z.literal('checking') }),
  z.object({ phase: z.literal('current'), checkedAt: z.number() }),
  z.object({ phase: z.literal('available'), version: z.string(), sizeBytes: z.number().nullable() }),
  // `share` is from 0 to 1.
  z.object({ phase: z.literal('downloading'), version: z.string(), share: z.number() }),
  z.object({ phase: z.literal('ready'), version: z.string() }),
  z.object({ phase: z.literal('failed'), text: z.string(), fix: z.string() }),
])
export type UpdateState = z.infer<typeof UpdateState>

/**
 * Updates of the desktop app. The last three calls answer once the state has changed; later changes arrive as
 * events. Only the `version` that was shown is downloaded and installed: throws a `conflict` Fault if another
 * version was found since.
 */
export const updates = {
  'updates.read': call(
    z.object({}),
    z.object({
      version: z.string(),
      /** The host that updates come from; null for a copy that cannot update itself. */
      source: z.string().nullable(),
      state: UpdateState,
    }),
  ),
  'updates.check': call(z.object({}), UpdateState),
  'updates.download': call(z.object({ version: z.string().max(100) }), UpdateState),
  /** Quit Talaria and restart it in the new version. */
  'updates.install': call(z.object({ version: z.string().max(100) }), z.object({})),
}
