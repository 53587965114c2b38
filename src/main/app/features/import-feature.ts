import type { HostHandlers } from '../../../shared/contract/index.ts'
import { createImporter } from '../../chats/import/import-chats.ts'
import type { ConfigHandle } from '../../config/load.ts'
import type { Store } from '../../db/store.ts'
import type { Memory } from '../../memory/open-memory.ts'

type Needs = {
  home: string
  workspace: string
  config: ConfigHandle
  store: Store
  memory: { notebook: Memory }
  models: { defaultId(): string }
  chats: { publishSession(id: string): void }
  now(): number
  report(error: unknown): void
}

/** Imports chats and memories of other programs. */
export function importFeature(needs: Needs) {
  const { home, workspace, config, store, memory, models, chats, now, report } = needs
  const transfer = createImporter({
    home,
    store,
    memory: memory.notebook,
    settings: () => ({
      modelId: models.defaultId(),
      workspace,
      approval: config.current.approvals.default,
    }),
    onChat: chats.publishSession,
    now,
    report,
  })
  const handlers = {
    'import.preview': ({ path }, signal) => transfer.preview(path, signal),
    'import.run': ({ id, memories }, signal) => transfer.run(id, { memories }, signal),
  } satisfies Partial<HostHandlers>
  return { handlers, close: transfer.close }
}
