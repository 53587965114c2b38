import type { HostHandlers } from '../../../../shared/contract/index.ts'
import { refuseUnseen } from '../../../../shared/contract/seen.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { createHomeImporter } from '../../../chats/import/bring-home.ts'
import { createImporter } from '../../../chats/import/import-chats.ts'
import { stampSource } from '../../../chats/import/stamp-source.ts'
import type { ConfigHandle } from '../../../config/load.ts'
import type { Secrets } from '../../../config/secrets.ts'
import type { Store } from '../../../db/store.ts'
import type { Memory } from '../../../memory/open-memory.ts'
import { keepIndexed } from '../../../chats/search/keep-indexed.ts'
import { openSearch } from '../../../chats/search/open-search.ts'
import type { Imports } from '../../../skills/skill-types.ts'
import { sessionSearchTool } from '../../../chats/search/tool/session-search-tool.ts'
import { pathNamed } from '../../../files/workspace.ts'

type SearchNeeds = {
  store: Pick<Store, 'path' | 'recall' | 'sessions' | 'marks'>
  models: {
    askAuxiliary(
      work: 'recap',
      ...asked: Parameters<Parameters<typeof sessionSearchTool>[0]['askRecap']>
    ): ReturnType<Parameters<typeof sessionSearchTool>[0]['askRecap']>
  }
  report(error: unknown): void
}

/** Search in past chats, for the user and for the agent. */
export function searchFeature({ store, models, report }: SearchNeeds) {
  const search = openSearch({ store, report })
  const tool = sessionSearchTool({
    best: search.best,
    store,
    askRecap: (...asked) => models.askAuxiliary('recap', ...asked),
  })
  const indexing = keepIndexed(store.recall, { report })
  const handlers = {
    'recall.search': async ({ query, limit, from, to, role }, signal) => ({
      hits: await search.hits(signal, { query, from, to, role, typing: true }, limit),
    }),
  } satisfies Partial<HostHandlers>
  return {
    indexSoon: indexing.soon,
    hits: search.hits,
    list: search.list,
    inChat: search.inChat,
    tools: [tool],
    handlers,
    async close() {
      indexing.close()
      await search.close()
    },
  }
}

type ImportNeeds = {
  home: string
  workspace: string
  config: ConfigHandle
  store: Store
  memory: { notebook: Memory }
  secrets: Secrets
  skills: { imports: Imports }
  models: { defaultId(): string }
  now(): number
  report(error: unknown): void
}

/** Import chats and memories of other programs, and everything else a Hermes home has. */
export function importFeature(needs: ImportNeeds) {
  const { home, workspace, config, secrets, store, memory, skills, models, now, report } = needs
  const transfer = createImporter({
    home,
    store,
    memory: memory.notebook,
    settings: () => ({
      modelId: models.defaultId(),
      workspace,
      approval: config.current.approvals.default,
    }),
    now,
    report,
  })
  const bringer = createHomeImporter({ home, config, secrets, skills: skills.imports, now })
  /** The folders of the Hermes homes that were previewed, by preview id. */
  const homes = new Map<string, string>()
  /** How many previews and imports are in progress; each keeps copies of what it reads in the cache. */
  let reading = 0
  /** The source of each preview, with its stamp at that time. */
  const stamps = new Map<string, { path: string; stamp: string }>()
  /** Throw a `conflict` Fault if a source has changed since its preview. */
  async function refuseChanged(id: string): Promise<void> {
    const shown = stamps.get(id)
    if (shown) refuseUnseen(shown.stamp, await stampSource(shown.path), showHidden(shown.path))
  }
  const handlers = {
    async 'import.preview'({ path }, signal) {
      reading++
      try {
        // Stamp before reading, so that a change in the meantime is noticed.
        const stamp = await stampSource(pathNamed(path))
        const preview = await transfer.preview(path, signal)
        stamps.set(preview.id, { path: preview.path, stamp })
        const other = preview.kind === 'hermes' ? await bringer.look(preview.path, signal) : null
        if (!other) return { ...preview, home: null }
        homes.set(preview.id, preview.path)
        const skipped = [...preview.skipped, ...other.skipped]
        return { ...preview, home: other.found, skipped }
      } finally {
        reading--
      }
    },
    async *'import.run'({ id, memories, home: choice }, signal) {
      reading++
      try {
        await refuseChanged(id)
        for await (const event of transfer.run(id, { memories }, signal)) {
          const folder = homes.get(id)
          if (event.type === 'done' && folder !== undefined) {
            await refuseChanged(id)
            const { brought, skipped } = await bringer.bring(folder, choice, signal)
            yield { ...event, home: brought, skipped: [...event.skipped, ...skipped] }
          } else yield event
        }
      } finally {
        reading--
      }
    },
  } satisfies Partial<HostHandlers>
  return { handlers, isBusy: () => reading > 0, close: transfer.close }
}
