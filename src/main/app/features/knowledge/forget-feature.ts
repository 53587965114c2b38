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
  /** Removes texts from what other programs told. */
  agents: { forgetTexts(texts: readonly string[]): Promise<Unremoved[]> }
  memory: { notebook: Memory }
  models: { forgetContext(sessionId?: string): Promise<void> }
  skills: {
    library: {
      list(): readonly { skill: Pick<Skill, 'id' | 'name' | 'origin'> }[]
      read(id: string): string | undefined
    }
  }
  /** Cleans copies, one job at a time: the removal of chats does it too. */
  run: RunWork
  feed: Pick<Feed, 'tell'>
  now(): number
  report(error: unknown): void
}

/** How long to wait for the engine of local models, in ms. */
const ENGINE_MS = 10_000
/** How long to wait for what is reading the database, in ms. */
const WAIT_MS = 200

/** Whether a longer text says what an entry says: all of its words that are not short, at least two of them, or it as it stands. */
function holdsWords(text: string, entry: string): boolean {
  const [low, said] = [text.toLowerCase(), entry.toLowerCase()]
  const words = said.match(/[\p{L}\p{N}]{4,}/gu) ?? []
  return low.includes(said) || (words.length > 1 && words.every(word => low.includes(word)))
}

/** *Forget for good*: entries of the memory, in every place where Talaria keeps something of them. */
export function forgetFeature(needs: Needs) {
  const { home, store, agents, memory, models, skills, run, feed, now, report } = needs
  const closing = new AbortController()
  const { signal } = closing
  const startedAt = now()

  async function cleanFiles({ texts }: Forgotten): Promise<Unremoved[]> {
    // What a model has read may say it, in its memory and in what it saved.
    await withinTime(ENGINE_MS, models.forgetContext().catch(report))
    const states = await removeTree(join(home, 'cache', 'states'), { signal })
    // What was searched for may say it too.
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
        throw new Fault('conflict', 'This entry has changed. Check it again before you forget it.')
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
