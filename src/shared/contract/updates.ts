import { z } from 'zod'
import { call } from '../rpc.ts'

/** How far the search for a newer version is. Nothing happens unless somebody asks, or `updates.check_at_start` is on. */
export const UpdateState = z.discriminatedUnion('phase', [
  // This copy cannot update itself; `why` says so, and `fix` what to do instead.
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

/** Updates of the desktop app. The last three answer once the state has changed; what follows arrives as events. */
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
  'updates.download': call(z.object({}), UpdateState),
  /** End Talaria and start it again in the new version. */
  'updates.install': call(z.object({}), z.object({})),
}
