import { createStore, type StoreApi } from 'zustand/vanilla'
import type {
  HomeChoice,
  ImportKind,
  ImportPreview,
  ImportProgress,
} from '../../../shared/contract/import.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import type { Link } from '../../rpc/link.ts'
import { countOf } from '../../ui/text/format-values.ts'
import { showToast } from '../../ui/Toasts.tsx'

export type ImportReport = Extract<ImportProgress, { type: 'done' }>

/** The step of an import. `problem` says what is wrong with the path. `report` is null after a stop. */
type Step =
  | { name: 'asking'; problem?: string }
  | { name: 'looking' }
  | { name: 'found'; preview: ImportPreview }
  | { name: 'running'; preview: ImportPreview; done: number; total: number; stopping: boolean }
  | { name: 'over'; report: ImportReport | null }

export type ImportStore = {
  path: string
  memories: boolean
  /** Which parts of a Hermes home to import as well. */
  home: HomeChoice
  step: Step
  setPath: (path: string) => void
  setMemories: (memories: boolean) => void
  setHome: (choice: Partial<HomeChoice>) => void
  /** Read a preview of the path. */
  look: () => Promise<void>
  /** Import what the preview found. */
  run: () => Promise<void>
  /** Stop the running preview or import. */
  cancel: () => void
  /** Start over. */
  restart: () => void
  /** Whether the dialog is visible. An import that ends while it is hidden shows a notice. */
  setShown: (shown: boolean) => void
  /** Call when the dialog closes. A running import continues. */
  leave: () => void
}

/** The store of an import. It outlives the dialog, so a large import can run in the background. */
export function createImport({ client }: Pick<Link, 'client'>): StoreApi<ImportStore> {
  return createStore<ImportStore>((set, get) => {
    let underWay = new AbortController()
    let isShown = false
    const go = (step: Step) => set({ step })

    /** Follow a run to its end; null if the host ends it without a report. */
    async function follow(preview: ImportPreview, signal: AbortSignal): Promise<ImportReport | null> {
      const input = { id: preview.id, memories: get().memories, home: get().home }
      for await (const event of client['import.run'](input, { signal })) {
        if (event.type === 'done') return event
        const { step } = get()
        if (step.name === 'running') go({ ...step, done: event.done, total: event.total })
      }
      return null
    }

    function end(report: ImportReport | null) {
      go({ name: 'over', report })
      if (!isShown && report)
        showToast(`Imported ${countChats(report.sessions)} and ${countMemories(report.memories)}.`)
    }

    function fail(problem: string) {
      go({ name: 'asking', problem })
      if (!isShown) showToast(problem, { level: 'error' })
    }

    return {
      path: '',
      memories: true,
      home: AT_FIRST,
      step: { name: 'asking' },
      setPath: path => set({ path, step: { name: 'asking' } }),
      setMemories: memories => set({ memories }),
      setHome: choice => set({ home: { ...get().home, ...choice } }),
      async look() {
        const { signal } = (underWay = new AbortController())
        go({ name: 'looking' })
        const found = await attemptCall(client['import.preview']({ path: get().path.trim() }, { signal }))
        if (signal.aborted) return
        // Contents that would replace something of the user are imported only if the user ticks them.
        if (found.ok) set({ home: { ...AT_FIRST, soul: found.value.home?.soul?.replaces === false } })
        go(
          found.ok
            ? { name: 'found', preview: found.value }
            : { name: 'asking', problem: found.fault.message },
        )
      },
      async run() {
        const { step } = get()
        if (step.name !== 'found') return
        const { signal } = (underWay = new AbortController())
        const { preview } = step
        go({ name: 'running', preview, done: 0, total: 0, stopping: false })
        const ran = await attemptCall(follow(preview, signal))
        const now = get().step
        if (ran.ok) end(ran.value)
        else if (signal.aborted) end(null)
        else if (now.name === 'running' && now.done > 0)
          fail(`${ran.fault.message} What was imported before that is here. Import it again for the rest.`)
        else fail(ran.fault.message)
      },
      cancel() {
        const { step } = get()
        if (step.name === 'looking') go({ name: 'asking' })
        if (step.name === 'running') go({ ...step, stopping: true })
        underWay.abort()
      },
      restart: () => set({ path: '', memories: true, home: AT_FIRST, step: { name: 'asking' } }),
      setShown: shown => void (isShown = shown),
      leave() {
        const { step, cancel } = get()
        if (step.name === 'looking') cancel()
        if (step.name === 'found') go({ name: 'asking' })
        if (step.name === 'over') get().restart()
      },
    }
  })
}

/** Keys are imported only if the user ticks them. */
const AT_FIRST: HomeChoice = { skills: true, settings: true, soul: false, keys: false }

/** The programs that chats come from. */
export const sourceNames: Record<ImportKind, string> = {
  hermes: 'Hermes',
  chatgpt: 'ChatGPT',
  claude: 'Claude',
}

/** `1 memory`, `12 memories`. */
export const countMemories = (count: number) => countOf(count, 'memory', 'memories')
/** `1 chat`, `12 chats`. */
export const countChats = (count: number) => countOf(count, 'chat', 'chats')
