import { useStore, type StoreApi } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Fit, Machine, Model, LoadFix, ModelOptions } from '../../../shared/contract/models/model.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import { createPageContext, useAnswers, useHostStore, useLink } from '../../rpc/host-context.tsx'
import { attemptCall, type Outcome } from '../../rpc/attempt.ts'
import { useAnswer } from '../../rpc/use-answer.ts'
import { showToast } from '../../ui/Toasts.tsx'
import { showsFit, type ModelsTab } from './models-state.ts'

export type ModelsStore = {
  tab: ModelsTab
  /** The model whose card is open. */
  openId: string | null
  show: (tab: ModelsTab) => void
  open: (id: string | null) => void
}

/** The state of the Models page. It outlives the page. */
export const createModelsStore = (): StoreApi<ModelsStore> =>
  createStore<ModelsStore>(set => ({
    tab: 'installed',
    openId: null,
    show: tab => set({ tab }),
    open: openId => set({ openId }),
  }))

/** Shared by the parts of the page: the store, and actions that only the window can do. */
type ModelsPageContext = {
  store: StoreApi<ModelsStore>
  /** Null until the host has answered. */
  machine: Machine | null
  /**
   * How to ask for fits: with `now`, for quick estimates, until the host's answer about the machine and its
   * graphics card.
   */
  fitHow: { now?: true }
  show: (tab: ModelsTab) => void
  /** Open the dialog that adds a file or a server. */
  onAdd: ((how: 'file' | 'server') => void) | undefined
  /** Start a new chat with a model. */
  onChat: ((model: Model) => void) | undefined
}

export const [ModelsContext, useModelsPage] = createPageContext<ModelsPageContext>(
  'Part of the models page was rendered outside ModelsPage.',
)

/** Selects a part of the store. The component re-renders only when that part changes. */
export const useModels = <T>(select: (models: ModelsStore) => T): T => useStore(useModelsPage().store, select)

/**
 * How the model fits with its options. Undefined until known, and if there is no memory estimate; its card
 * then shows the error.
 */
export function useFit(model: Model): Fit | undefined {
  const { fitHow } = useModelsPage()
  const answer = useAnswer(
    'model.fit',
    { id: model.id, ...fitHow },
    { isOnce: true, isOff: !showsFit(model) },
  )
  return answer?.ok ? answer.value : undefined
}

type LoadHow = Omit<Parameters<HostClient['model.load']>[0], 'id'>
type Download = Parameters<HostClient['download.start']>[0]

/** Actions on models and transfers. Each shows a toast on failure and resolves to whether it succeeded. */
export function useModelActions() {
  const { client } = useLink()
  const host = useHostStore()
  const { renew } = useAnswers()
  const { show } = useModelsPage()

  async function doing(asked: Promise<unknown>, done?: string): Promise<boolean> {
    return told(await attemptCall(asked), done)
  }
  function told(answer: Outcome<unknown>, done?: string): boolean {
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
    else if (done !== undefined) showToast(done)
    return answer.ok
  }
  const load = (id: string, how: LoadHow = {}) => doing(client['model.load']({ id, ...how }))

  return {
    load,
    cancelLoad: () => doing(client['model.cancelLoad']({})),
    unload: () => doing(client['model.unload']({})),
    /** Apply a suggested fix for a failed load. */
    fix(id: string, fix: LoadFix): Promise<boolean> | undefined {
      switch (fix.do) {
        case 'context':
          return load(id, { options: { contextTokens: fix.tokens } })
        case 'layers':
          return load(id, { options: { gpuLayers: fix.gpuLayers } })
        case 'cpu':
          return load(id, { cpu: true })
        case 'anyway':
          return load(id, { anyway: true })
        case 'again':
          return load(id)
        case 'smaller':
          show('discover')
          return undefined
      }
    },
    setDefault: (id: string) => doing(client['model.setDefault']({ id })),
    setOptions: (id: string, options: ModelOptions) =>
      host.getState().setModelOptions(id, options).then(told),
    forget: ({ id, name }: Model) =>
      doing(client['model.forget']({ id }), `${name} was removed from the list.`),
    deleteFile: ({ id, name }: Model) =>
      doing(client['model.deleteFile']({ id }), `The file of ${name} was deleted.`),

    async download(what: Download) {
      const started = await attemptCall(client['download.start'](what))
      if (!started.ok || started.value.here) return started
      showToast(`${started.value.name} is being downloaded.`, {
        about: started.value.id,
        action: { label: 'Show', run: () => show('downloads') },
      })
      return started
    },
    pause: (id: string) => doing(client['download.pause']({ id })),
    resume: (id: string) => doing(client['download.resume']({ id })),
    cancel: (id: string) => doing(client['download.cancel']({ id })),
    clear: () => doing(client['download.clear']({})),

    async benchmark(id: string) {
      const done = await doing(client['engine.benchmark']({ id }))
      if (done) await renew(['engine'])
      return done
    },
    async setIdleMinutes(value: number) {
      const done = await doing(client['settings.set']({ path: 'engine.idle_unload_minutes', value }))
      if (done) await renew(['engine'])
      return done
    },
  }
}
