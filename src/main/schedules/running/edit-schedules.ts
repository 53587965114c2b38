import type {
  Schedule,
  ScheduleChoices,
  ScheduleFileChange,
  ScheduleReading,
  ScheduleRun,
} from '../../../shared/contract/runs/schedules.ts'
import type { StrangersMark } from '../../../shared/contract/chats/messages.ts'
import { refuseUnseen } from '../../../shared/contract/seen.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { FileChangeStore } from '../../db/chats/file-change-tables.ts'
import type { RunRow, ScheduleRow } from '../../db/schedule-tables.ts'
import type { Store } from '../../db/store.ts'
import { newId } from '../../lib/ids.ts'
import { boundMarks } from '../../untrusted/strangers-marks.ts'
import { hashShown } from '../../lib/shown-hash.ts'
import { nextInstants } from '../next-instants.ts'
import { parseSchedule } from '../parse-schedule.ts'
import { grantKey, shownGrants } from './run-grants.ts'
import { usedThisMonth } from './run-budget.ts'
import { ruleInWords } from './rule-words.ts'

export type EditParts = {
  store: Pick<Store, 'schedules' | 'fileChanges'>
  /** Model and folder of a new schedule, unless given. */
  defaults(this: void): { modelId: string; folder: string }
  /** The real path of a folder given by the user. Throws a Fault that says why it cannot be used. */
  folderOf(this: void, given: string): Promise<string>
  zone(this: void): string
  now(this: void): number
}

type Wanted = Partial<{ [K in keyof ScheduleChoices]: ScheduleChoices[K] | undefined }> & {
  text?: string | undefined
  zone?: string | undefined
  /** Marks of the outside texts that the requesting chat has read. */
  marks?: readonly StrangersMark[] | undefined
}

const SHOWN = 3
const NAME_LENGTH = 60

const NO_LIMITS: ScheduleChoices['limits'] = {
  runTokens: null,
  runUsd: null,
  monthTokens: null,
  monthUsd: null,
}

/** Create the functions that add, change and show schedules. */
export function createEdits({ store, defaults, folderOf, zone, now }: EditParts) {
  const found = (id: string): ScheduleRow => {
    const row = store.schedules.get(id)
    if (!row) throw new Fault('not_found', 'This schedule no longer exists.')
    return row
  }
  /** A schedule that is still as the user saw it. Throws a `conflict` Fault if it has changed. */
  const asSeen = (id: string, seen: string): ScheduleRow => {
    const row = found(id)
    refuseUnseen(seen, hashRow(row), `The schedule ${row.choices.name}`)
    return row
  }
  const put = (row: ScheduleRow): ScheduleRow => {
    store.schedules.put({ ...row, updatedAt: Math.max(now(), row.updatedAt + 1) })
    return found(row.id)
  }

  /** Read a text. Throws `bad_input` with the reason if it cannot be planned. */
  function planned(text: string, inZone: string) {
    const reading = parseSchedule(text, { now: new Date(now()), zone: inZone })
    if (reading.kind === 'refused') throw new Fault('bad_input', reading.reason)
    return reading
  }

  async function add({ text, marks = [], ...wanted }: Wanted & { text: string }): Promise<ScheduleRow> {
    const inZone = wanted.zone ?? zone()
    const reading = planned(text, inZone)
    const task = wanted.task ?? reading.task
    if (task.trim() === '')
      throw new Fault(
        'bad_input',
        'What should be done? Write the task after the time, as in “every weekday at 8 summarise my notes”.',
      )
    const usual = defaults()
    const choices: ScheduleChoices = {
      name: wanted.name ?? nameOf(task),
      task,
      skills: [...(wanted.skills ?? [])],
      folder: await folderOf(wanted.folder ?? usual.folder),
      modelId: wanted.modelId ?? usual.modelId,
      mode: wanted.mode ?? 'none',
      limits: wanted.limits ?? NO_LIMITS,
      deliver: wanted.deliver ?? 'notification',
      notes: wanted.notes ?? ['user', 'memory', 'project'],
      missed: wanted.missed ?? 'latest',
      onBattery: wanted.onBattery ?? 'run',
    }
    const at = now()
    return put({
      id: newId('schedule', now),
      words: text,
      rule: reading.rule,
      zone: inZone,
      choices,
      grants: [],
      grantedFor: grantKey(choices),
      marks: boundMarks(marks),
      paused: null,
      failures: 0,
      settledTo: at,
      createdAt: at,
      updatedAt: at,
    })
  }

  async function change(
    id: string,
    { text, zone: newZone, seen, ...wanted }: Omit<Wanted, 'marks'> & { seen: string },
  ): Promise<ScheduleRow> {
    const before = asSeen(id, seen)
    const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
    const folder = wanted.folder === undefined ? before.choices.folder : await folderOf(wanted.folder)
    const choices = { ...before.choices, ...given, folder }
    const inZone = newZone ?? before.zone
    const isMoved = text !== undefined || inZone !== before.zone
    const reading = isMoved ? planned(text ?? before.words, inZone) : undefined
    const isVoid = grantKey(choices) !== before.grantedFor
    return put({
      // Someone may have changed it while the folder was checked.
      ...asSeen(id, seen),
      ...(reading && { words: text ?? before.words, rule: reading.rule, zone: inZone, settledTo: now() }),
      choices,
      // The user has read and rewritten the task, so its marks are removed.
      ...(choices.task !== before.choices.task && { marks: [] }),
      ...(isVoid && { grants: [], grantedFor: grantKey(choices) }),
    })
  }

  const shownRun = (run: RunRow): ScheduleRun => ({
    ...run,
    changes: fileChanges(store.fileChanges, run.sessionId),
  })

  /** A schedule as windows and terminals show it. */
  function show(row: ScheduleRow): Schedule {
    const { id, words, rule, zone: ofRow, choices, marks, paused, settledTo, createdAt, updatedAt } = row
    const [last] = store.schedules.history(id, { limit: 1 })
    const after = new Date(Math.max(now(), settledTo))
    return {
      ...choices,
      id,
      words,
      rule,
      zone: ofRow,
      paused,
      grants: shownGrants(row),
      inWords: ruleInWords(rule, ofRow),
      next: paused === null ? nextInstants(rule, ofRow, after, SHOWN).map(each => each.getTime()) : [],
      last: last ? shownRun(last) : null,
      month: usedThisMonth(row, store, now()),
      ...(marks.length > 0 && { marks: [...marks] }),
      createdAt,
      updatedAt,
      seen: hashRow(row),
    }
  }

  return {
    found,
    asSeen,
    add,
    change,
    show,
    shownRun,
    parse(text: string, inZone = zone()): ScheduleReading {
      const reading = parseSchedule(text, { now: new Date(now()), zone: inZone })
      if (reading.kind === 'refused') return reading
      const { rule, zone: ofRule, next, ...rest } = reading
      return {
        ...rest,
        rule,
        zone: ofRule,
        next: next.map(each => each.getTime()),
        inWords: ruleInWords(rule, ofRule),
      }
    },
    pause: (id: string) => put({ ...found(id), paused: 'You paused it.' }),
    /** Runs missed while it was paused are not caught up. */
    resume: (id: string) => put({ ...found(id), paused: null, failures: 0, settledTo: now() }),
    copy(id: string) {
      const { choices, ...row } = found(id)
      const name = `${choices.name.slice(0, 110)} (copy)`
      const at = now()
      const fresh = { id: newId('schedule', now), createdAt: at, settledTo: at, failures: 0 }
      // A copy starts paused, so that nothing runs twice.
      return put({
        ...row,
        ...fresh,
        choices: { ...choices, name },
        grants: [],
        paused: 'It is a copy; resume it when it is ready.',
      })
    },
    removeGrant(id: string, grantId: string) {
      const row = found(id)
      return put({ ...row, grants: row.grants.filter(grant => grant.id !== grantId) })
    },
  }
}

/** The hash of what the user sees before a schedule may run. Its pause and last run are not included. */
const hashRow = ({ id, words, rule, zone, choices, grants, grantedFor }: ScheduleRow): string =>
  hashShown({ id, words, rule, zone, choices, grants, grantedFor })

/** The start of a task, as the name of its schedule. */
function nameOf(task: string): string {
  const line = task
    .trim()
    .split(/\n|(?<=[.!?])\s/)[0]!
    .replace(/[.]$/, '')
  const short =
    line.length > NAME_LENGTH ? `${line.slice(0, NAME_LENGTH).replace(/(?<!\s)\s+\S*$/, '')}…` : line
  return short.charAt(0).toUpperCase() + short.slice(1)
}

/** The files that the chat of a run changed, for the user. */
function fileChanges(store: Pick<FileChangeStore, 'list'>, sessionId: string | null): ScheduleFileChange[] {
  if (sessionId === null) return []
  const byPath = Map.groupBy(store.list(sessionId), ({ path }) => path)
  return [...byPath].flatMap(([path, changes]) => {
    const before = changes[0]!.beforeHash
    const after = changes.at(-1)!
    const isUndone = after.callId === null && after.afterHash === before
    // A file that ended up unchanged is not listed.
    if (after.afterHash === before && !isUndone) return []
    return [{ path, kind: before === null ? 'created' : 'changed', undone: isUndone }]
  })
}
