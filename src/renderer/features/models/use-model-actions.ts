import type { HostClient } from '../../../shared/contract/index.ts'
import type { LoadFix, Model, ModelOptions } from '../../../shared/contract/model.ts'
import { attempt } from '../../rpc/attempt.ts'
import { useHostStore, useLink } from '../../rpc/host-context.tsx'
import { showToast } from '../../ui/toasts.ts'
import { useModelsPage } from './models-context.ts'

type LoadHow = Omit<Parameters<HostClient['model.load']>[0], 'id'>
type Download = Parameters<HostClient['download.start']>[0]

/** Actions on models and transfers. Each shows a toast on failure and resolves to whether it succeeded. */
export function useModelActions() {
  const { client } = useLink()
  const host = useHostStore()
  const { show, store } = useModelsPage()

  async function doing(asked: Promise<unknown>, done?: string): Promise<boolean> {
    const answer = await attempt(asked)
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
    /** Optimistic update, so that the next change builds on this one. */
    async setOptions(id: string, options: ModelOptions) {
      host.setState(({ models }) => ({
        models: models.map(each => (each.id === id ? { ...each, options } : each)),
      }))
      const done = await doing(client['model.setOptions']({ id, options }))
      if (!done) await host.getState().loadModels()
      return done
    },
    forget: ({ id, name }: Model) =>
      doing(client['model.forget']({ id }), `${name} was removed from the list.`),
    deleteFile: ({ id, name }: Model) =>
      doing(client['model.deleteFile']({ id }), `The file of ${name} was deleted.`),

    async download(what: Download) {
      const begun = await attempt(client['download.start'](what))
      if (!begun.ok) return begun
      showToast(`${begun.value.name} is being downloaded.`, {
        about: begun.value.id,
        action: { label: 'Show', run: () => show('downloads') },
      })
      return begun
    },
    pause: (id: string) => doing(client['download.pause']({ id })),
    resume: (id: string) => doing(client['download.resume']({ id })),
    cancel: (id: string) => doing(client['download.cancel']({ id })),
    clear: () => doing(client['download.clear']({})),

    async benchmark(id: string) {
      const done = await doing(client['engine.benchmark']({ id }))
      if (done) await store.getState().loadEngine()
      return done
    },
    async setIdleMinutes(value: number) {
      const done = await doing(client['settings.set']({ path: 'engine.idle_unload_minutes', value }))
      if (done) await store.getState().loadEngine()
      return done
    },
  }
}
