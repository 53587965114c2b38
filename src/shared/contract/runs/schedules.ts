import { z } from 'zod'
import { call } from '../../rpc.ts'
import { StrangersMark } from '../chats/messages.ts'
import { Seen } from '../seen.ts'

/**
 * When a schedule runs, together with an IANA zone. `at`: once, at an instant. `wall`: once, at this local
 * time of the zone. `interval`: each time `seconds` have passed since `from`. `calendar`: whenever one of
 * these cron patterns matches, from the instant `from`, and only on the days of `cycle`: every `count` days
 * or weeks. `until`: the last possible instant.
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

/**
 * The limits of a schedule; null means no limit. Money is in dollars; a month is a calendar month in the zone
 * of the schedule.
 */
const ScheduleLimits = z.object({ runTokens: most, runUsd: most, monthTokens: most, monthUsd: most })

/** The user's choices for a schedule, apart from when it runs. */
export const ScheduleChoices = z.object({
  name: z.string().trim().min(1).max(120),
  /** The task for the agent, each time in a new chat. */
  task: z.string().trim().min(1).max(MAX_TEXT),
  /** Ids of the skills that the agent is told to use. */
  skills: z.array(z.string().min(1).max(600)).max(20),
  folder: z.string().min(1).max(MAX_PATH),
  /** By default, the model of new chats on the day of creation; it never changes automatically. */
  modelId: z.string().min(1).max(MAX_PATH),
  /** `none`: calls that would ask are denied. `reads`: commands that can only read run as well. */
  mode: z.enum(['none', 'reads']),
  limits: ScheduleLimits,
  /**
   * How the user learns of a run. `chat`: only in its chat. `notification`: a notification without the
   * content. `content`: a notification with the start of the answer. `messenger`: a notification, and the
   * whole answer on a messenger.
   */
  deliver: z.enum(['chat', 'notification', 'content', 'messenger']),
  /** The notes included in its prompt. */
  notes: z.array(z.enum(['user', 'memory', 'project'])).max(3),
  /** Whether to catch up on the latest missed run within seven days, or on none. */
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

/**
 * The state of a run of a schedule. `unknown`: the process died during the run, so its effects are unknown,
 * and it is not repeated.
 */
const ScheduleRunState = z.enum(['claimed', 'running', 'done', 'failed', 'unknown', 'skipped'])

/** Why a run did not happen or did not succeed. `no_tools`: it is done, but used none of its tools. */
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

/** One planned instant of a schedule, or one manual run, with its result. Times are epoch ms. */
export const ScheduleRun = z.object({
  id: z.int(),
  scheduleId: z.string(),
  planned: z.number(),
  /**
   * `late`: a missed run that was caught up on. `now`: started by the user. `trial`: started by the user, who
   * answers questions.
   */
  kind: z.enum(['planned', 'late', 'now', 'trial']),
  state: ScheduleRunState,
  reason: ScheduleReason,
  /** The reason or the error, as a sentence for the user; empty if all went well. */
  text: z.string(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  /** The chat of the run; null if there is none, or no longer one. */
  sessionId: z.string().nullable(),
  /** The run had nothing to report. */
  silent: z.boolean(),
  tokens: z.int(),
  costUsd: z.number().nullable(),
  /** Earlier instants were also missed, and have no rows. */
  more: z.boolean(),
  /** Calls that were denied because nobody could be asked, in words. */
  denied: z.array(z.string()),
  changes: z.array(ScheduleFileChange),
})
export type ScheduleRun = z.infer<typeof ScheduleRun>

/**
 * A permission from a trial run, in words: a tool with its command, file or folder, or a pinned server tool.
 */
export const ScheduleGrant = z.object({ id: z.string(), text: z.string() })
export type ScheduleGrant = z.infer<typeof ScheduleGrant>

/** One schedule. */
export const Schedule = ScheduleChoices.extend({
  id: z.string(),
  /** When it runs, in the user's words. */
  words: z.string(),
  rule: ScheduleRule,
  zone: z.string(),
  /** Why the schedule is paused; null if it is not. */
  paused: z.string().nullable(),
  /** Permissions from trial runs, which apply to this schedule only. */
  grants: z.array(ScheduleGrant),
  /** The rule in words, and its next instants: at most three, none while it is paused or over. */
  inWords: z.string(),
  next: z.array(z.number()),
  last: ScheduleRun.nullable(),
  /** Tokens and dollars of this month. */
  month: z.object({ tokens: z.int(), costUsd: z.number().nullable() }),
  /** The marks of strangers' texts that its task may be made from. */
  marks: z.array(StrangersMark).optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** The hash of its task, its times and its permissions. */
  seen: Seen,
})
export type Schedule = z.infer<typeof Schedule>

/**
 * The meaning of a text that describes a schedule: a rule with its next instants and the task, or the reason
 * for a refusal.
 */
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

/** The chats of a schedule that the chat list folds: those not pinned, not archived and not in a project. */
export const ScheduleChats = z.object({
  id: z.string(),
  /** Empty if the schedule was deleted long ago; its chats stay. */
  name: z.string(),
  chats: z.int(),
})
export type ScheduleChats = z.infer<typeof ScheduleChats>

const zone = z.string().min(1).max(100)
const text = z.string().min(1).max(MAX_TEXT)

/** Tasks that run automatically. Changes publish the event `schedules`. */
export const schedules = {
  /** Parse the times in a text. The default zone is the zone of this computer. */
  'schedule.parse': call(z.object({ text, zone: zone.optional() }), ScheduleReading),
  'schedule.list': call(z.object({}), z.object({ schedules: z.array(Schedule), zone: z.string() })),
  'schedule.get': call(z.object({ id }), Schedule),
  /**
   * Add a schedule. `text` says when to run, and may contain the task. Defaults: the task in the text, the
   * current default model, the default folder, mode `none`, all notes, no limits.
   */
  'schedule.add': call(ScheduleChoices.partial().extend({ text, zone: zone.optional() }), Schedule),
  /**
   * Change a schedule as it was `seen`; `text` gives it another rule. Changing the task, folder or skills
   * removes its permissions.
   */
  'schedule.update': call(
    ScheduleChoices.partial().extend({ id, seen: Seen, text: text.optional(), zone: zone.optional() }),
    Schedule,
  ),
  'schedule.pause': call(z.object({ id }), Schedule),
  /** Resume a schedule as it was `seen`. */
  'schedule.resume': call(z.object({ id, seen: Seen }), Schedule),
  'schedule.copy': call(z.object({ id }), Schedule),
  /**
   * Run a schedule now, as it was `seen`. With `trial`, questions wait for the user, and what the user allows
   * is granted to the schedule.
   */
  'schedule.run': call(z.object({ id, seen: Seen, trial: z.boolean().default(false) }), ScheduleRun),
  /** Stop the current run of a schedule, if there is one. */
  'schedule.stop': call(z.object({ id }), z.object({})),
  /** Remove one permission of a schedule. */
  'schedule.removeGrant': call(z.object({ id, grantId: z.string().min(1).max(100) }), Schedule),
  'schedule.remove': call(z.object({ id }), z.object({})),
  /** Restore a removed schedule, which is possible for a day. */
  'schedule.restore': call(z.object({ id }), Schedule),
  /** Newest first. */
  'schedule.history': call(
    z.object({ id, before: z.int().optional(), limit: z.int().min(1).max(200).default(30) }),
    z.object({ runs: z.array(ScheduleRun), more: z.boolean() }),
  ),
  /** Schedules that have chats, including deleted schedules, in no particular order. */
  'schedule.chats': call(z.object({}), z.object({ schedules: z.array(ScheduleChats) })),
  /**
   * Undo the file changes of a run, except for files changed since. `kept`: files that stay, with the reason.
   * `held`: files that programs obey without being asked, which stay unless `obeyed` is set.
   */
  'schedule.undo': call(
    z.object({ runId: z.int(), obeyed: z.boolean().default(false) }),
    z.object({ run: ScheduleRun, kept: z.array(z.string()), held: z.array(z.string()) }),
  ),
}
