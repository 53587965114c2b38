import { stat } from 'node:fs/promises'
import type { AppEvent } from '../../../../shared/contract/app.ts'
import type { Model } from '../../../../shared/contract/models/model.ts'
import type { RunRow, ScheduleRow } from '../../../db/schedule-tables.ts'
import type { Store } from '../../../db/store.ts'
import type { Feed } from '../../../feed/open-feed.ts'
import type { Broadcast } from '../../../lib/topic.ts'
import { isRefusal } from '../../../lib/expected-errors.ts'
import { zoneOfComputer } from '../../../lib/time-zone.ts'
import { isFailure, type EngineFailure, type LlmEngine } from '../../../models/interface/engine.ts'
import { createEdits } from '../../../schedules/running/edit-schedules.ts'
import { isMonthUsedUp } from '../../../schedules/running/run-budget.ts'
import { openSchedules, type Obstacle } from '../../../schedules/running/open-schedules.ts'
import { createPerformer } from '../../../schedules/running/perform-run.ts'
import { reasonTexts } from '../../../schedules/running/claim-due.ts'
import { scheduleHandlers } from '../../../schedules/running/schedule-handlers.ts'
import { scheduleTool } from '../../../schedules/running/schedule-tool.ts'
import { refuseOwnFolder, resolveAsked } from '../../../files/workspace.ts'
import type { chatsFeature } from '../chats/chats-feature.ts'

/** How often to check the clock, in ms. A single long timer would stop during sleep. */
const TICK_MS = 30_000
const CONTENT_LENGTH = 200

type Needs = {
  home: string
  workspace: string
  store: Store
  models: {
    defaultId(): string
    idNow(id: string): string
    engineAlone(id: string): Promise<LlmEngine | EngineFailure>
    list(): Promise<readonly Model[]>
    forgetContext(sessionId: string): Promise<void>
  }
  network: { isLocked(): boolean }
  chats: Pick<
    ReturnType<typeof chatsFeature>,
    'send' | 'watch' | 'stopIn' | 'undoFiles' | 'attachIn' | 'scanSkill' | 'usualMode'
  >
  /** Tell the user the result of a run on a messenger, if one is connected. */
  tellOnMessenger(this: void, ended: { name: string; run: RunRow; answer: string }): void
  events: Broadcast<AppEvent>
  feed: Pick<Feed, 'tell'>
  isOnMains(): boolean | undefined
  /** Whether schedules run in this host. False for terminal commands, which end too soon. */
  runsByItself: boolean
  /** Keeps the computer awake until the returned function is called. */
  keepAwake(): () => void
  /** Return the time zone of this computer; tests give another one. */
  zone?: (() => string) | undefined
  now(): number
  report(error: unknown): void
}

/** Scheduled tasks: their clock, their runs, and the user's changes to them. */
export function schedulesFeature(needs: Needs) {
  const { home, workspace, store, models, network, chats, events, feed, now, report } = needs
  const zone = needs.zone ?? (() => zoneOfComputer().zone)
  const changed = () => feed.tell('schedule')
  let told = 0

  async function obstacle(schedule: ScheduleRow): Promise<Obstacle | undefined> {
    const { folder, modelId, onBattery } = schedule.choices
    const because = (reason: keyof typeof reasonTexts, text = reasonTexts[reason]) => ({ reason, text })
    if (onBattery === 'skip' && needs.isOnMains() === false) return because('on_battery')
    const stats = await stat(folder).catch(() => undefined)
    if (!stats?.isDirectory())
      return because(
        'folder_gone',
        `Its folder ${folder} no longer exists. Restore it, or choose another folder for the schedule.`,
      )
    for (const id of schedule.choices.skills) {
      await chats.scanSkill(id)
      const skill = chats.attachIn(id, folder)
      if (isRefusal(skill)) return because('skill_missing', skill.isGone ? undefined : skill.refused)
    }
    if (isMonthUsedUp(schedule, store, now())) return because('month_limit')
    const engine = await models.engineAlone(modelId)
    if (isFailure(engine))
      return because('model_missing', `${engine.text} Choose another model for the schedule.`)
    if (!network.isLocked()) return undefined
    const model = (await models.list()).find(({ id }) => id === models.idNow(modelId))
    return model?.server && !model.server.nearby ? because('lock_on') : undefined
  }

  function tellOfEnd(schedule: ScheduleRow, run: RunRow) {
    const { name, deliver } = schedule.choices
    const isWanted = deliver !== 'chat' && !run.silent && run.reason !== 'stopped' && run.reason !== 'quit'
    if (!isWanted || (run.state === 'skipped' && run.kind === 'planned' && run.reason === 'on_battery'))
      return
    const answer =
      deliver !== 'notification' && run.sessionId !== null && run.state === 'done'
        ? store.messages.history(run.sessionId, {}).findLast(each => each.role === 'assistant')?.text
        : undefined
    if (deliver === 'messenger') needs.tellOnMessenger({ name, run, answer: answer ?? '' })
    events.publish({
      type: 'schedule_ended',
      name,
      sessionId: run.sessionId,
      ok: run.state === 'done',
      ...(run.reason === 'no_tools' && { unlooked: true as const }),
      content: deliver === 'content' ? (answer ?? '').slice(0, CONTENT_LENGTH) : '',
    })
  }

  const scheduler = openSchedules({
    store: store.schedules,
    now,
    zone,
    obstacle,
    perform: createPerformer({
      store,
      send: chats.send,
      watch: chats.watch,
      stopIn: chats.stopIn,
      attachIn: chats.attachIn,
      usualMode: chats.usualMode,
      now,
    }),
    keepAwake: needs.keepAwake,
    dropChats(ids) {
      for (const id of ids) {
        // Keep pinned chats.
        if (store.sessions.get(id)?.pinned) continue
        store.sessions.remove(id)
        models.forgetContext(id).catch(report)
      }
    },
    changed,
    ended: tellOfEnd,
    tell: (text, fix) =>
      events.publish({
        type: 'notice',
        notice: { id: `schedules-${++told}`, level: 'warning', text, fix },
      }),
    report,
  })
  const edits = createEdits({
    store,
    defaults: () => ({ modelId: models.defaultId(), folder: workspace }),
    async folderOf(given) {
      const folder = await resolveAsked(given)
      refuseOwnFolder(home, folder)
      return folder
    },
    zone,
    now,
  })
  // A terminal command would end in the middle of a run.
  const timer = needs.runsByItself ? setInterval(scheduler.tick, TICK_MS).unref() : undefined
  // After the launch, so that no window waits for it.
  const first = needs.runsByItself ? setImmediate(scheduler.tick) : undefined

  const handlers = scheduleHandlers({
    store,
    edits,
    scheduler,
    undoFiles: chats.undoFiles,
    zone,
    now,
    changed,
  })
  const shown = (row: ScheduleRow) => {
    changed()
    return edits.show(row)
  }
  const tool = scheduleTool({
    parse: text => edits.parse(text),
    add: async wanted => shown(await edits.add(wanted)),
    list: () => store.schedules.list().map(edits.show),
    pause: id => shown(edits.pause(id)),
    resume: id => shown(edits.resume(id)),
    remove(id) {
      scheduler.stop(id, 'removed')
      store.schedules.remove(id, now())
      changed()
    },
    modelOf: sessionId => store.sessions.get(sessionId)?.modelId,
  })

  return {
    edits,
    scheduler,
    tool,
    /** List the schedules, or add one whose results go to the messenger it was written on. */
    async tellOrAdd(
      words: string,
      { folder, modelId }: { folder: string; modelId: string },
    ): Promise<string> {
      if (words === '') {
        const all = store.schedules.list().map(edits.show)
        return all.length === 0
          ? 'There are no schedules.'
          : all
              .map(({ name, inWords, paused }) => `- ${name}: ${inWords}${paused ? ' (paused)' : ''}`)
              .join('\n')
      }
      const {
        name,
        inWords,
        zone: inZone,
      } = shown(await edits.add({ text: words, folder, modelId, deliver: 'messenger' }))
      return `Planned: ${name}, ${inWords}, in ${inZone}. It starts automatically. Anything that would need approval is denied then. You get its answers here.`
    },
    handlers,
    async close() {
      clearInterval(timer)
      clearImmediate(first)
      await scheduler.close()
    },
  }
}
