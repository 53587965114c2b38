import type { AppEvent } from '../../../shared/contract/app.ts'
import type { ConfigHandle } from '../../config/load.ts'
import type { Store } from '../../db/store.ts'
import type { Broadcast } from '../../lib/publish.ts'
import { openMemory } from '../../memory/open-memory.ts'
import { memoryHandlers } from '../../memory/memory-handlers.ts'
import { watchMemory } from '../../memory/watch-memory.ts'
import { estimateTokens } from '../../models/estimate-tokens.ts'
import { memoryTool } from '../../tools/memory.ts'

type Needs = {
  home: string
  workspace: string
  config: ConfigHandle
  store: Pick<Store, 'memory'>
  events: Broadcast<AppEvent>
  now(): number
  report(error: unknown): void
}

/** The notebook: what the agent remembers about the user and its work. */
export function memoryFeature({ home, workspace, config, store, events, now, report }: Needs) {
  const notebook = openMemory({
    home,
    store: store.memory,
    limits: () => ({ user: config.current.memory.user_limit, memory: config.current.memory.notes_limit }),
    count: estimateTokens,
    onChange: () => events.publish({ type: 'memory' }),
    now,
  })
  // Our own writes are recognised by their content.
  const watching = watchMemory(home, notebook.sync, report)
  return {
    notebook,
    tools: [memoryTool(notebook, () => config.current.memory.learn_from_chats)],
    handlers: memoryHandlers({ memory: notebook, config, workspace, count: estimateTokens }),
    close: watching.close,
  }
}
