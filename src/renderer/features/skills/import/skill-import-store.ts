import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { HostClient } from '../../../../shared/contract/index.ts'
import type { SkillImport } from '../../../../shared/contract/learned/skill-imports.ts'
import type { SkillRevision } from '../../../../shared/contract/learned/skills.ts'
import { attemptCall } from '../../../rpc/attempt.ts'
import type { Link } from '../../../rpc/link.ts'
import { proposeChoices, toInstall, usualAct, type Choice, type Choices } from './import-choices.ts'
import { createPageContext } from '../../../rpc/host-context.tsx'

export type From = Parameters<HostClient['skills.fetch']>[0]['from']

/** The step of an import. */
export type Step =
  | { name: 'choosing'; problem: string; leftOut: readonly string[] }
  | { name: 'fetching'; from: From }
  | { name: 'candidates'; found: SkillImport; installing: boolean; problem: string }
  | { name: 'done'; revisions: readonly SkillRevision[]; ids: readonly string[]; on: number }
  | { name: 'undone' }

type ImportStore = {
  step: Step
  choices: Choices
  /** Whether the user has read the lines that need caution. */
  accepted: boolean
  /** Candidates with open details, by path. */
  opened: ReadonlySet<string>
  undoing: boolean
  undoProblem: string
  fetch: (from: From) => Promise<void>
  /** Stop fetching. */
  cancel: () => void
  /** Review an import fetched elsewhere, such as an update. */
  review: (found: SkillImport) => void
  choose: (path: string, change: Partial<Choice>) => void
  accept: (accepted: boolean) => void
  /** Select or deselect candidates. */
  select: (paths: readonly string[], selected: boolean) => void
  open: (path: string, open: boolean) => void
  install: () => Promise<void>
  undo: () => Promise<void>
  restart: () => void
  /** Discard the import in quarantine. */
  close: () => void
}

const begin: Step = { name: 'choosing', problem: '', leftOut: [] }

/** The store of one skill import, from source to installation. */
export function createSkillImport({ client }: Pick<Link, 'client'>): StoreApi<ImportStore> {
  return createStore<ImportStore>((set, get) => {
    let underWay = new AbortController()
    const discard = (importId: string) => attemptCall(client['skills.discard']({ importId }))
    /** Discard an abandoned import on the host early. */
    const letGo = () => {
      underWay.abort()
      const { step } = get()
      if (step.name === 'candidates' && !step.installing) void discard(step.found.id)
    }
    const inReview = () => {
      const { step } = get()
      return step.name === 'candidates' ? step : undefined
    }

    return {
      step: begin,
      choices: {},
      accepted: false,
      opened: new Set(),
      undoing: false,
      undoProblem: '',

      async fetch(from) {
        underWay.abort()
        underWay = new AbortController()
        const { signal } = underWay
        set({ step: { name: 'fetching', from } })
        const answer = await attemptCall(client['skills.fetch']({ from }, { signal }))
        if (signal.aborted) {
          // The answer arrived despite the cancel.
          if (answer.ok) void discard(answer.value.id)
          return
        }
        if (!answer.ok) {
          set({ step: { name: 'choosing', problem: answer.fault.message, leftOut: [] } })
        } else if (answer.value.candidates.length === 0) {
          void discard(answer.value.id)
          const { leftOut } = answer.value
          set({ step: { name: 'choosing', problem: 'It contains no skill.', leftOut } })
        } else get().review(answer.value)
      },

      cancel() {
        underWay.abort()
        set({ step: begin })
      },

      review: found =>
        set({
          step: { name: 'candidates', found, installing: false, problem: '' },
          choices: proposeChoices(found.candidates),
          accepted: false,
          // Open the details of a single skill directly.
          opened: new Set(found.candidates.length === 1 ? [found.candidates[0]!.path] : []),
        }),

      accept: accepted => set({ accepted }),

      choose: (path, change) =>
        set(({ choices }) => {
          const before = choices[path]
          return before ? { choices: { ...choices, [path]: { ...before, ...change } } } : {}
        }),

      select(paths, selected) {
        const candidates = inReview()?.found.candidates ?? []
        const wanted = new Set(paths)
        const { choices } = get()
        const changed = candidates.flatMap((candidate): [string, Choice][] => {
          const { path, refused } = candidate
          const choice = choices[path]
          if (!choice || !wanted.has(path) || refused !== null || (choice.act !== 'skip') === selected)
            return []
          return [[path, { ...choice, act: selected ? usualAct(candidate) : 'skip' }]]
        })
        // Another selection has other lines to read.
        set({ choices: { ...choices, ...Object.fromEntries(changed) }, accepted: false })
      },

      open: (path, open) =>
        set(({ opened }) => {
          const next = new Set(opened)
          if (open) next.add(path)
          else next.delete(path)
          return { opened: next }
        }),

      async install() {
        const step = inReview()
        if (!step || step.installing) return
        const { id: importId, candidates } = step.found
        const choices = toInstall(candidates, get().choices, get().accepted)
        if (choices.length === 0) return
        set({ step: { ...step, installing: true, problem: '' } })
        const answer = await attemptCall(client['skills.install']({ importId, choices }))
        if (!answer.ok) {
          const problem = answer.fault.message
          return set({ step: { ...step, installing: false, problem } })
        }
        const on = choices.filter(({ path }) => get().choices[path]?.on).length
        set({ step: { name: 'done', ...answer.value, on }, undoProblem: '' })
      },

      async undo() {
        const { step } = get()
        if (step.name !== 'done') return
        set({ undoing: true, undoProblem: '' })
        const revisionIds = step.revisions.map(revision => revision.id)
        const answer = await attemptCall(client['skills.undo']({ revisionIds }))
        set(
          answer.ok
            ? { undoing: false, step: { name: 'undone' } }
            : { undoing: false, undoProblem: answer.fault.message },
        )
      },

      restart() {
        letGo()
        set({ step: begin })
      },

      close: letGo,
    }
  })
}

const [Context, useImportStore] = createPageContext<StoreApi<ImportStore>>(
  'Part of the import was rendered outside its dialog.',
)
export const ImportContext = Context

/** Select a part of the import. The component renders again only when that part changes. */
export const useImport = <T>(select: (state: ImportStore) => T): T => useStore(useImportStore(), select)
