import { expect } from 'vitest'
import type { HostOptions } from '../../src/main/app/host-types.ts'
import { aHost, aServer, type TestHost } from '../host/a-host.ts'

// For tests: a host with a manual clock, and schedules whose model is a scripted server.

const SUNDAY = Date.parse('2026-11-22T12:00:00Z')
/** The first instant when the schedule is due. */
export const EIGHT = Date.parse('2026-11-23T07:00:00Z')

/** A host with a manual clock, and a scripted model on a server. */
export async function aScheduledHost(home: string, options: Partial<HostOptions> = {}) {
  let now = SUNDAY
  const host = await aHost(home, { coreTools: true, now: () => now, zone: () => 'Europe/Berlin', ...options })
  return {
    ...host,
    set(time: number) {
      now = time
    },
    /** Set the clock, and wait until the due run has ended. */
    async at(time: number, id: string) {
      now = time
      host.host.lookAtClock()
      await ended(host, id)
    },
  }
}
type ScheduledHost = Awaited<ReturnType<typeof aScheduledHost>>

/** Wait until the last run of a schedule has ended. */
export const ended = (host: Pick<TestHost, 'client'>, id: string) =>
  expect
    .poll(async () => (await host.client['schedule.get']({ id })).last?.state ?? 'none', { timeout: 20_000 })
    .not.toMatch(/claimed|running|none/)

/** The newest row of a schedule. */
export const lastOf = async ({ client }: Pick<TestHost, 'client'>, id: string) =>
  (await client['schedule.get']({ id })).last!

/** A schedule for every day at eight, with the model of the server. */
export async function aDaily(host: ScheduledHost, given: object = {}) {
  const server = await aServer(host.client)
  const schedule = await host.client['schedule.add']({
    text: 'every day at 8 read notes.md and say what is new',
    modelId: server.modelId,
    ...given,
  })
  return { server, schedule, id: schedule.id }
}

/** Allow each question of a schedule's run once. */
export async function approveAll(host: Pick<TestHost, 'client'>, id: string) {
  await expect
    .poll(
      async () => {
        const { last } = await host.client['schedule.get']({ id })
        if (!last?.sessionId) return null
        return (await host.client['session.get']({ id: last.sessionId })).activeRunId
      },
      { timeout: 20_000 },
    )
    .not.toBeNull()
  const { last } = await host.client['schedule.get']({ id })
  const { activeRunId: runId } = await host.client['session.get']({ id: last!.sessionId! })
  for await (const event of host.client['run.watch']({ runId: runId! }))
    if (event.type === 'approval_request')
      await host.client['run.approve']({ runId: runId!, approvalId: event.approval.id, decision: 'once' })
}
