import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ImportPreview, ImportProgress } from '../../../shared/contract/transfer.ts'
import { attempt } from '../../rpc/attempt.ts'
import type { Link } from '../../rpc/link.ts'
import { showToast } from '../../ui/toasts.ts'
import { importText } from './strings.ts'

export type ImportReport = Extract<ImportProgress, { type: 'done' }>

/** How far an import is. `problem` is what was wrong with the path; a `report` of null is of an import that was stopped. */
export type Step =
  | { name: 'asking'; problem?: string }
  | { name: 'looking' }
  | { name: 'found'; preview: ImportPreview }
  | { name: 'running'; preview: ImportPreview; done: number; total: number; stopping: boolean }
  | { name: 'over'; report: ImportReport | null }

export type ImportStore = {
  path: string
  memories: boolean
  step: Step
  setPath: (path: string) => void
  setMemories: (memories: boolean) => void
  /** See what the path holds. */
  look: () => Promise<void>
  /** Bring what was found. */
  run: () => Promise<void>
  /** Stop what is under way. */
  cancel: () => void
  /** Begin anew. */
  restart: () => void
  /** The dialog is on the screen or not: whoever cannot see the end of an import is told of it. */
  setShown: (shown: boolean) => void
  /** The dialog was closed; an import that runs goes on. */
  leave: () => void
}

/** An import and what may be done about it; it outlives its dialog, so that a large one can run beside other work. */
export function createImport({ client }: Pick<Link, 'client'>): StoreApi<ImportStore> {
  return createStore<ImportStore>((set, get) => {
    let underWay = new AbortController()
    let isShown = false
    const go = (step: Step) => set({ step })

    /** Follow a run to its end; null when the host ends it without a report. */
    async function follow(preview: ImportPreview, signal: AbortSignal): Promise<ImportReport | null> {
      const input = { id: preview.id, memories: get().memories }
      for await (const event of client['import.run'](input, { signal })) {
        if (event.type === 'done') return event
        const { step } = get()
        if (step.name === 'running') go({ ...step, done: event.done, total: event.total })
      }
      return null
    }

    function end(report: ImportReport | null) {
      go({ name: 'over', report })
      if (!isShown && report) showToast(importText.toast(report))
    }

    function fail(problem: string) {
      go({ name: 'asking', problem })
      if (!isShown) showToast(problem, { level: 'error' })
    }

    return {
      path: '',
      memories: true,
      step: { name: 'asking' },
      setPath: path => set({ path, step: { name: 'asking' } }),
      setMemories: memories => set({ memories }),
      async look() {
        const { signal } = (underWay = new AbortController())
        go({ name: 'looking' })
        const found = await attempt(client['import.preview']({ path: get().path.trim() }, { signal }))
        if (signal.aborted) return
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
        const ran = await attempt(follow(preview, signal))
        const now = get().step
        if (ran.ok) end(ran.value)
        else if (signal.aborted) end(null)
        else if (now.name === 'running' && now.done > 0) fail(importText.brokeOff(ran.fault.message))
        else fail(ran.fault.message)
      },
      cancel() {
        const { step } = get()
        if (step.name === 'looking') go({ name: 'asking' })
        if (step.name === 'running') go({ ...step, stopping: true })
        underWay.abort()
      },
      restart: () => set({ path: '', memories: true, step: { name: 'asking' } }),
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
