import { z } from 'zod'
import { call, stream } from '../rpc.ts'
import { EngineState } from './model.ts'
import { Session } from './session.ts'
import { Transfer } from './transfers.ts'

/** Something the person should know that belongs to no chat: a configuration that could not be read, a restored backup. */
export const Notice = z.object({
  id: z.string(),
  level: z.enum(['info', 'warning', 'error']),
  text: z.string(),
  fix: z.string(),
})
export type Notice = z.infer<typeof Notice>

export const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  sendWith: z.enum(['enter', 'mod_enter']),
  /** Shows engine numbers, raw prompts and JSON. */
  expert: z.boolean(),
})
export type Settings = z.infer<typeof Settings>

/** What changed outside any run. `hello` is always the first item and is complete. */
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
    /** Whether nothing may leave this computer, and whether the first run is over. */
    locked: z.boolean(),
    setupDone: z.boolean(),
  }),
  z.object({ type: z.literal('engine'), engine: EngineState }),
  z.object({ type: z.literal('session'), session: Session }),
  z.object({ type: z.literal('session_removed'), id: z.string() }),
  z.object({ type: z.literal('notice'), notice: Notice }),
  z.object({ type: z.literal('settings'), settings: Settings }),
  z.object({ type: z.literal('models') }),
  z.object({ type: z.literal('memory') }),
  // What was learned, or waits; `open` counts what waits for the person.
  z.object({ type: z.literal('learning'), open: z.int() }),
  // All that come in or came in, several times a second while something moves.
  z.object({ type: z.literal('transfers'), transfers: z.array(Transfer) }),
  // The lock, or what was asked of the network.
  z.object({ type: z.literal('network'), locked: z.boolean() }),
  z.object({ type: z.literal('setup'), done: z.boolean() }),
  // The library of skills, their state or their use.
  z.object({ type: z.literal('skills') }),
])
export type AppEvent = z.infer<typeof AppEvent>

export const app = {
  'app.watch': stream(z.object({}), AppEvent),
  'app.ping': call(z.object({ text: z.string().max(1_000) }), z.object({ text: z.string() })),
  'app.setSettings': call(Settings.partial(), Settings),
  'app.dismissNotice': call(z.object({ id: z.string() }), z.object({})),
}
