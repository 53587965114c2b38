import { z } from 'zod'
import { call } from '../../rpc.ts'
import { StrangersMark } from '../chats/messages.ts'
import { Seen } from '../seen.ts'

/**
 * When a schedule happens, beside an IANA zone. `at`: once, at an instant. `wall`: once, when the clocks of the zone show it.
 * `interval`: each time that `seconds` have elapsed after `from`. `calendar`: whenever one of these cron patterns holds, from the
 * instant `from` on, and on the days of `cycle`: every so many days or weeks. `until` is the last instant that can be.
 */
export const ScheduleRule = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('at'), at: z.string() }),
  z.object({ kind: z.literal('wall'), wall: z.string() }),
  z.object({
    kind: z.literal('interval'),
    seconds: z.number(),
    from: z.string(),
    until: z.string().optional(),
  }),
  z.object({
    kind: z.literal('calendar'),
    patterns: z.array(z.string()).readonly(),
    cycle: z.object({ unit: z.enum(['day', 'week']), count: z.int().min(2), from: z.string() }).optional(),
    from: z.string().optional(),
    until: z.string().optional(),
  }),
])
export type ScheduleRule = z.infer<typeof ScheduleRule>

const MAX_TEXT = 20_000
const MAX_PATH = 4_096
const id = z.string().min(1).max(100)
const most = z.number().positive().max(1e12).nullable()

/** What a schedule may use; null is no limit. Money is in dollars, a month is one of the calendar in the zone of the schedule. */
const ScheduleLimits = z.object({ runTokens: most, runUsd: most, monthTokens: most, monthUsd: most })

/** What a person decides about a schedule, apart from when it happens. */
export const ScheduleChoices = z.object({
  name: z.string().trim().min(1).max(120),
  /** What the agent is asked to do, each time in a new chat. */
  task: z.string().trim().min(1).max(MAX_TEXT),
  /** Ids of the skills that the agent is told to use. */
  skills: z.array(z.string().min(1).max(600)).max(20),
  folder: z.string().min(1).max(MAX_PATH),
  /** The model of the day on which it was made; it never changes by itself. */
  modelId: z.string().min(1).max(MAX_PATH),
  /** `none`: what would ask is denied. `reads`: commands that can only read run as well. */
  mode: z.enum(['none', 'reads']),
  limits: ScheduleLimits,
  /**
   * `chat`: only its chat. `notification`: one that says nothing of the content. `content`: with the start of the answer. `messenger`: a
   * notification, and the whole answer to the user on a messenger.
   */
  deliver: z.enum(['chat', 'notification', 'content', 'messenger']),
  /** The notes that its prompt holds. */
  notes: z.array(z.enum(['user', 'memory', 'project'])).max(3),
  /** What happens after a time was missed: the latest one within seven days is made up for, or none. */
  missed: z.enum(['latest', 'none']),
  onBattery: z.enum(['run', 'skip']),
})
export type ScheduleChoices = z.infer<typeof ScheduleChoices>

/** A file that the chat of a run changed, and whether that was undone. */
export const ScheduleFileChange = z.object({
  path: z.string(),
  kind: z.enum(['created', 'changed']),
  undone: z.boolean(),
})
export type ScheduleFileChange = z.infer<typeof ScheduleFileChange>

/** How a run of a schedule stands. `unknown`: the process died meanwhile, so what it did is not known, and it is not repeated. */
const ScheduleRunState = z.enum(['claimed', 'running', 'done', 'failed', 'unknown', 'skipped'])

/** Why a run did not happen or did not end well. `no_tools`: it is done, and used none of the tools that it had. */
export const ScheduleReason = z.enum([
  '',
  'off',
  'asleep',
  'on_battery',
  'model_missing',
  'folder_gone',
  'skill_missing',
  'lock_on',
  'still_running',
  'month_limit',
  'run_limit',
  'stopped',
  'quit',
  'removed',
  'failed',
  'no_tools',
])
export type ScheduleReason = z.infer<typeof ScheduleReason>

/** One planned instant of a schedule, or one run by hand, and what became of it. Times are epoch ms. */
export const ScheduleRun = z.object({
  id: z.int(),
  scheduleId: z.string(),
  planned: z.number(),
  /** `late`: made up for. `now`: by hand. `trial`: by hand, with somebody to ask. */
  kind: z.enum(['planned', 'late', 'now', 'trial']),
  state: ScheduleRunState,
  reason: ScheduleReason,
  /** The reason or the error, as a sentence for the person; empty when all went well. */
  text: z.string(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  /** Its chat; null when there is none, or none any more. */
  sessionId: z.string().nullable(),
  /** It had nothing to report. */
  silent: z.boolean(),
  tokens: z.int(),
  costUsd: z.number().nullable(),
  /** Earlier instants were missed as well and have no rows. */
  more: z.boolean(),
  /** What was denied because nobody was there to ask, in words. */
  denied: z.array(z.string()),
  changes: z.array(ScheduleFileChange),
})
export type ScheduleRun = z.infer<typeof ScheduleRun>

/** One thing that a trial run was allowed, in words: a tool with its command, file or folder, or a pinned tool of a server. */
export const ScheduleGrant = z.object({ id: z.string(), text: z.string() })
export type ScheduleGrant = z.infer<typeof ScheduleGrant>

/** One schedule. */
export const Schedule = ScheduleChoices.extend({
  id: z.string(),
  /** When it happens, as the person wrote it. */
  words: z.string(),
  rule: ScheduleRule,
  zone: z.string(),
  /** Why it does not run now; null while it does. */
  paused: z.string().nullable(),
  /** What a trial run was allowed, as rules that hold for this schedule alone. */
  grants: z.array(ScheduleGrant),
  /** The rule in words, and its next instants (at most three), none while it is paused or over. */
  inWords: z.string(),
  next: z.array(z.number()),
  last: ScheduleRun.nullable(),
  /** Tokens and dollars of this month. */
  month: z.object({ tokens: z.int(), costUsd: z.number().nullable() }),
  /** Of whose texts from outside its task may be made. */
  marks: z.array(StrangersMark).optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** Of what it does and when, and what it may. */
  seen: Seen,
})
export type Schedule = z.infer<typeof Schedule>

/** What a text says about when something happens: a rule with its next instants and the task in it, or why it is not planned. */
export const ScheduleReading = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['recurring', 'once']),
    rule: ScheduleRule,
    zone: z.string(),
    next: z.array(z.number()),
    task: z.string(),
    inWords: z.string(),
  }),
  z.object({ kind: z.literal('refused'), reason: z.string() }),
])
export type ScheduleReading = z.infer<typeof ScheduleReading>

/** The chats of a schedule that the list of chats folds: those that are not pinned, archived or in a project. */
export const ScheduleChats = z.object({
  id: z.string(),
  /** Empty when the schedule was deleted long ago; its chats stay. */
  name: z.string(),
  chats: z.int(),
})
export type ScheduleChats = z.infer<typeof ScheduleChats>

const zone = z.string().min(1).max(100)
const text = z.string().min(1).max(MAX_TEXT)

/** Tasks that run by themselves. Changes publish the event `schedules`. */
export const schedules = {
  /** Read when something shall happen from words; the zone is that of this computer unless given. */
  'schedule.parse': call(z.object({ text, zone: zone.optional() }), ScheduleReading),
  'schedule.list': call(z.object({}), z.object({ schedules: z.array(Schedule), zone: z.string() })),
  'schedule.get': call(z.object({ id }), Schedule),
  /**
   * Add a schedule. `text` says when, and may hold the task. What is not given: the task of the text, the default model of
   * today, the default folder, mode `none`, all notes, no limits.
   */
  'schedule.add': call(ScheduleChoices.partial().extend({ text, zone: zone.optional() }), Schedule),
  /**
   * Change a schedule as it was `seen`; `text` gives it another rule. A changed task, folder or set of skills voids what was granted.
   */
  'schedule.update': call(
    ScheduleChoices.partial().extend({ id, seen: Seen, text: text.optional(), zone: zone.optional() }),
    Schedule,
  ),
  'schedule.pause': call(z.object({ id }), Schedule),
  /** Let it run again, as it was `seen`. */
  'schedule.resume': call(z.object({ id, seen: Seen }), Schedule),
  'schedule.copy': call(z.object({ id }), Schedule),
  /** Run it now, as it was `seen`, beside its times. With `trial`, questions wait for the person, and what they allow is granted to it. */
  'schedule.run': call(z.object({ id, seen: Seen, trial: z.boolean().default(false) }), ScheduleRun),
  /** Stop its run, if it has one. */
  'schedule.stop': call(z.object({ id }), z.object({})),
  /** Take back one thing that was granted. */
  'schedule.removeGrant': call(z.object({ id, grantId: z.string().min(1).max(100) }), Schedule),
  'schedule.remove': call(z.object({ id }), z.object({})),
  /** Bring a removed schedule back, which is possible for a day. */
  'schedule.restore': call(z.object({ id }), Schedule),
  /** Newest first. */
  'schedule.history': call(
    z.object({ id, before: z.int().optional(), limit: z.int().min(1).max(200).default(30) }),
    z.object({ runs: z.array(ScheduleRun), more: z.boolean() }),
  ),
  /** Schedules that have chats, deleted ones too, in no order. */
  'schedule.chats': call(z.object({}), z.object({ schedules: z.array(ScheduleChats) })),
  /**
   * Undo what a run changed in files, as far as nobody changed them since. `kept` names what stays, with the reason; `held` what programs
   * obey without being asked for, and stays until the call says yes to it by `obeyed`.
   */
  'schedule.undo': call(
    z.object({ runId: z.int(), obeyed: z.boolean().default(false) }),
    z.object({ run: ScheduleRun, kept: z.array(z.string()), held: z.array(z.string()) }),
  ),
}
