import { z } from 'zod'
import { parseSchedule } from '../../src/main/schedules/parse-schedule.ts'
import type { Figures } from '../records.ts'
import { expectedInstants } from './calendar.ts'
import { comparable, Label, wanted } from './compare-rules.ts'

/**
 * A labelled phrase. By default, `now` and `zone` are a Tuesday morning in Berlin, and `next` is counted from
 * the label.
 */
export const Row = z.strictObject({
  id: z.string(),
  text: z.string(),
  want: Label,
  now: z.iso.datetime({ offset: true }).default('2026-11-24T10:00:00+01:00'),
  zone: z.string().default('Europe/Berlin'),
  next: z
    .array(z.iso.datetime({ offset: true }))
    .min(1)
    .optional(),
})
export type Row = z.infer<typeof Row>

/** How a phrase was read, and how it should have been. `next` are the instants that the person sees. */
export type Judged = {
  id: string
  text: string
  is: string
  want: string
  right: boolean
  next: string[]
  wantNext?: string[]
  nextRight?: boolean
}

/**
 * Read phrases as the product does, with a clock and a zone. `plannedWrongly`: phrases that run at wrong
 * times, or run although they must not; `refusedWrongly`: phrases that never run although they should. The
 * instants that the person sees are compared with the eval's own calendar (`calendar.ts`). `noNext`: phrases
 * without instants, because they must be refused.
 */
export function measureSchedule(rows: readonly Row[]): { rows: Judged[]; figures: Figures } {
  const judged = rows.map(judge)
  const count = (isMeant: (each: Judged) => boolean) => judged.filter(isMeant).length
  return {
    rows: judged,
    figures: {
      rows: judged.length,
      right: count(({ right }) => right),
      plannedWrongly: count(({ right, is }) => !right && is !== 'refused'),
      refusedWrongly: count(({ right, is }) => !right && is === 'refused'),
      nextRight: count(({ nextRight }) => nextRight === true),
      nextWrong: count(({ nextRight }) => nextRight === false),
      noNext: count(({ nextRight }) => nextRight === undefined),
    },
  }
}

function judge({ id, text, want, now: at, zone, next: given }: Row): Judged {
  const now = new Date(at)
  const reading = parseSchedule(text, { now, zone })
  const [is, should] = [comparable(reading), wanted(want, now)]
  const next = reading.kind === 'refused' ? [] : reading.next.map(each => each.toISOString())
  const wantNext = (given?.map(each => new Date(each)) ?? expectedInstants(want, { now, zone }))?.map(each =>
    each.toISOString(),
  )
  return {
    id,
    text,
    is,
    want: should,
    right: is === should,
    next,
    ...(wantNext && { wantNext, nextRight: next.join() === wantNext.join() }),
  }
}
