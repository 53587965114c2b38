import { join } from 'node:path'
import { setImmediate as others, setTimeout as sleep } from 'node:timers/promises'
import type { HostHandlers } from '../../../../shared/contract/index.ts'
import type { Skill } from '../../../../shared/contract/learned/skills.ts'
import { Fault } from '../../../../shared/rpc.ts'
import type { RunWork } from '../../../data/work-on-data.ts'
import type { Forgotten } from '../../../db/removal/forget-texts.ts'
import type { Store } from '../../../db/store.ts'
import type { Feed } from '../../../feed/open-feed.ts'
import { forgetTextLines } from '../../../learning/trajectories/forget-trajectories.ts'
import { isRefusal } from '../../../lib/expected-errors.ts'
import { removeTree } from '../../../lib/removal/remove-tree.ts'
import { withinTime } from '../../../lib/timing.ts'
import { leftByError, type Unremoved } from '../../../lib/removal/unremoved.ts'
import { forgetInCopies } from '../../../memory/forget/clean-files.ts'
import { openForgetting } from '../../../memory/forget/open-forgetting.ts'
import type { Memory } from '../../../memory/open-memory.ts'

type Needs = {
  home: string
  store: Pick<Store, 'forgetting' | 'learning' | 'pages' | 'path' | 'purge'>
  /** Remove texts from the spooled events of other programs. */
  agents: { forgetTexts(texts: readonly string[]): Promise<Unremoved[]> }
  memory: { notebook: Memory }
  models: { forgetContext(sessionId?: string): Promise<void> }
  skills: {
    library: {
      list(): readonly { skill: Pick<Skill, 'id' | 'name' | 'origin'> }[]
      read(id: string): string | undefined
    }
  }
  /** Clean copies, one job at a time, shared with the purge of chats. */
  run: RunWork
  feed: Pick<Feed, 'tell'>
  now(): number
  report(error: unknown): void
}

/** How long to wait for the local engine, in ms. */
const ENGINE_MS = 10_000
/** How long to wait for readers of the database, in ms. */
const WAIT_MS = 200

/** Return whether a text says what an entry says: it contains it, or all its longer words (at least two). */
function holdsWords(text: string, entry: string): boolean {
  const [low, said] = [text.toLowerCase(), entry.toLowerCase()]
  const words = said.match(/[\p{L}\p{N}]{4,}/gu) ?? []
  return low.includes(said) || (words.length > 1 && words.every(word => low.includes(word)))
}

/** *Forget for good*: remove memory entries from every place where Talaria keeps a copy of them. */
export function forgetFeature(needs: Needs) {
  const { home, store, agents, memory, models, skills, run, feed, now, report } = needs
  const closing = new AbortController()
  const { signal } = closing
  const startedAt = now()

  async function cleanFiles({ texts }: Forgotten): Promise<Unremoved[]> {
    // A model may have read the entry, so drop its context and its saved states.
    await withinTime(ENGINE_MS, models.forgetContext().catch(report))
    const states = await removeTree(join(home, 'cache', 'states'), { signal })
    // A web search may have contained it.
    const web = await removeTree(join(home, 'cache', 'web'), { signal })
    return [
      ...states,
      ...web,
      ...(await agents.forgetTexts(texts)),
      ...(await forgetInCopies(home, texts)),
      ...(await forgetTextLines(home, texts)),
    ]
  }

  async function cleanCopies(forgotten: Forgotten): Promise<Unremoved[]> {
    const left: Unremoved[] = []
    const job = { home, database: store.path, chats: [], all: false, forgotten, startedAt }
    const work = async () => {
      for await (const done of run('clean', job, signal)) left.push(...done.left)
    }
    left.push(...(await leftByError(work(), join(home, 'backups'))))
    signal.throwIfAborted()
    return left
  }

  async function cleanPages(): Promise<void> {
    while (!store.purge.emptyLog()) await sleep(WAIT_MS, undefined, { signal, ref: false })
    for (;;) {
      const state = store.pages.step()
      if (state === 'done') break
      await (state === 'more' ? others() : sleep(WAIT_MS, undefined, { signal, ref: false }))
      signal.throwIfAborted()
    }
    await store.pages.sync()
  }

  const forgetting = openForgetting({
    store: store.forgetting,
    memory: memory.notebook,
    skillsHolding: texts =>
      skills.library
        .list()
        .filter(({ skill }) => skill.origin !== 'builtin')
        .filter(({ skill }) => texts.some(text => holdsWords(skills.library.read(skill.id) ?? '', text)))
        .map(({ skill: { id, name } }) => ({ id, name })),
    cleanFiles,
    cleanCopies,
    cleanPages,
    report,
  })

  const handlers = {
    'memory.forgetPlan': ({ ids }) => forgetting.plan(ids),
    async 'memory.forgetForGood'({ ids, texts }) {
      const plan = forgetting.plan(ids)
      const seen = new Set(texts)
      if (plan.texts.length !== seen.size || plan.texts.some(text => !seen.has(text)))
        throw new Fault('conflict', 'This entry was changed in the meantime. Look at it again first.')
      const outcome = await forgetting.forget(ids)
      if (isRefusal(outcome)) throw new Fault('bad_input', outcome.refused)
      feed.tell('memory', 'learning')
      return outcome
    },
  } satisfies Partial<HostHandlers>
  return {
    handlers,
    async close() {
      closing.abort()
      await forgetting.close()
    },
  }
}
