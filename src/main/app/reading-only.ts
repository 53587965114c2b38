import type { Notice } from '../../shared/contract/app.ts'
import type { HostHandlers } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import type { ConfigHandle } from '../config/load.ts'
import type { HeldHome } from './take-home.ts'

/** Methods that only read, or write where the user says. The rest are refused while nothing can be saved. */
const READS: ReadonlySet<string> = new Set(
  `app.watch app.confinement app.newAddress app.dismissNotice session.list session.titles session.get session.personalities
  session.context session.compactions session.deleted session.messages project.list template.list branch.list branch.leaving
  files.changed chat.find chat.turns chat.seen compare.open run.watch delegation.ofChat model.list model.fit model.mixtureCost model.look model.scanApps
  machine.look engine.info memory.view memory.archive memory.history memory.find memory.preview memory.ofChat learning.activity
  learning.ofChat learning.open learning.earlier learning.rules learning.settings learning.weeks recall.search skills.list skills.forChat skills.get
  skills.file skills.check skills.history skills.samples catalogue.list download.list help.list help.page help.find settings.list toolset.list network.list
  permissions.list permissions.test process.list process.watch schedule.parse schedule.list schedule.get schedule.history
  schedule.chats agents.list agents.requests batch.list batch.watchList connect.list connect.plan mcp.list mcp.read mcp.entry web.search web.page web.read web.sources web.test updates.read usage.read attachment.list attachment.folder attachment.text attachment.bytes data.sizes data.export data.exportText data.places
  data.backups data.backup data.inspect data.restore desktop.watch desktop.choose desktop.save desktop.reveal desktop.showChat`.split(
    /\s+/,
  ),
)

/** Methods that free space on a full disk. */
const FREES: ReadonlySet<string> = new Set(['model.deleteFile'])

/** The id of the notice while the disk is full. The window lists below it what takes space. */
export const DISK_FULL = 'disk-full'

type Reading = NonNullable<HeldHome['reading']>

/** The notice for a home that can only be read. */
export const readingNotice = (home: string, { why, fix, isFull }: Reading): Notice => ({
  id: isFull ? DISK_FULL : 'reading-only',
  level: 'warning',
  text: `Nothing can be saved in ${home}: ${why}. You can read everything, and nothing is lost.`,
  fix,
})

/** The notice for when another computer takes over the home while this one has it open. */
export const takenNotice = (home: string, computer: string): Notice => ({
  id: 'home-taken',
  level: 'error',
  text: `The computer ${computer} has taken over ${home} while it is open here.`,
  fix: 'Close Talaria on one of the two computers now. If both save, changes may be lost.',
})

/** `copy`: the folder that is read in place of a home. `home`: the home that the user knows. */
type Copied = { copy: string; home: string }

/** Limit handlers to those of a read-only host. Their answers name the home, not its copy. */
export function limitToReading(
  handlers: HostHandlers,
  { id, text, fix }: Notice,
  copied: Copied,
): HostHandlers {
  const mayRun = (name: string) => READS.has(name) || (id === DISK_FULL && FREES.has(name))
  const refuse = () => {
    throw new Fault('not_ready', `${text} ${fix}`)
  }
  const isDraft = (input: unknown) =>
    typeof input === 'object' &&
    input !== null &&
    Object.keys(input).every(key => key === 'id' || key.startsWith('draft'))
  const limited = Object.entries(handlers).map(([name, handler]) => [
    name,
    mayRun(name)
      ? (...given: [unknown, AbortSignal]) => nameHome(Reflect.apply(handler, undefined, given), copied)
      : name === 'session.update'
        ? (...given: [unknown, AbortSignal]) =>
            isDraft(given[0]) ? Reflect.apply(handler, undefined, given) : refuse()
        : refuse,
  ])
  return { ...handlers, ...Object.fromEntries(limited) }
}

/** Replace the copy by the home in an answer, or in each item of a stream. */
function nameHome(answer: unknown, copied: Copied): unknown {
  if (answer instanceof Promise) return answer.then(value => namedIn(value, copied))
  if (typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer)
    return itemsNamed(answer as AsyncIterable<unknown>, copied)
  return namedIn(answer, copied)
}

async function* itemsNamed(items: AsyncIterable<unknown>, copied: Copied): AsyncGenerator {
  for await (const item of items) yield namedIn(item, copied)
}

function namedIn(value: unknown, copied: Copied): unknown {
  if (typeof value === 'string') return value.replaceAll(copied.copy, () => copied.home)
  if (Array.isArray(value)) return value.map(each => namedIn(each, copied))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, namedIn(each, copied)]))
}

/** Return settings under which a host starts no review, daily backup or update check on its own. */
export const withoutOwnWork = (config: ConfigHandle): ConfigHandle => ({
  ...config,
  get current() {
    const { learning, backup, updates, ...rest } = config.current
    return {
      ...rest,
      learning: { ...learning, mode: 'off' as const },
      backup: { ...backup, daily: false },
      updates: { ...updates, check_at_start: false },
    }
  },
})
