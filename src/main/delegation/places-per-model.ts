/** The current lane for sub-agents of a model. */
export type ModelPlaces = {
  /** Models with the same name share a lane: only one local model is in memory at a time. */
  name: string
  /** How many sub-agents may work side by side. */
  places: number
  /**
   * Whether the model runs on this computer. If so, the first sub-agent works alone until it calls `warm`. It
   * reads the common instructions, and the others reuse its evaluated prefix.
   */
  isLocal: boolean
}

type Waiting = { modelId: string; resolve: (isMine: boolean) => void }
/** A lane in use, by sub-agents of one model at a time. */
type Open = { modelId: string; busy: number; isWarm: boolean; waiting: Waiting[] }

/** Limits how many sub-agents work at the same time in each lane; the others wait in order. */
export function createPlaces(laneFor: (modelId: string) => ModelPlaces) {
  const lanes = new Map<string, Open>()

  const hasPlace = ({ modelId: inUse, busy, isWarm }: Open, modelId: string) => {
    if (busy === 0) return true
    const { places, isLocal } = laneFor(modelId)
    return modelId === inUse && busy < (isLocal && !isWarm ? 1 : places)
  }

  function enter(open: Open, modelId: string): void {
    if (open.modelId !== modelId) Object.assign(open, { modelId, isWarm: false })
    open.busy++
  }

  /** Free places go to the sub-agents that have waited longest. */
  function admit(open: Open): void {
    while (open.waiting[0] && hasPlace(open, open.waiting[0].modelId)) {
      const { modelId, resolve } = open.waiting.shift()!
      enter(open, modelId)
      resolve(true)
    }
  }

  function leave(name: string): void {
    const open = lanes.get(name)!
    open.busy--
    admit(open)
    if (open.busy === 0) lanes.delete(name)
  }

  /** Resolves to whether a place was taken; false if the signal aborts first. */
  async function take(name: string, modelId: string, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false
    const open = lanes.get(name) ?? { modelId, busy: 0, isWarm: false, waiting: [] }
    lanes.set(name, open)
    if (open.waiting.length === 0 && hasPlace(open, modelId)) {
      enter(open, modelId)
      return true
    }
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const giveUp = () => {
      open.waiting = open.waiting.filter(each => each.resolve !== resolve)
      resolve(false)
    }
    open.waiting.push({ modelId, resolve })
    signal.addEventListener('abort', giveUp, { once: true })
    const isMine = await promise
    signal.removeEventListener('abort', giveUp)
    // The place may have been granted at the moment of the abort.
    if (isMine && signal.aborted) leave(name)
    return isMine && !signal.aborted
  }

  return {
    /** Do work that needs a place; undefined if the signal aborts before there is one. */
    async within<T>(
      modelId: string,
      signal: AbortSignal,
      work: (warm: () => void) => Promise<T>,
    ): Promise<T | undefined> {
      const { name } = laneFor(modelId)
      if (!(await take(name, modelId, signal))) return undefined
      try {
        return await work(() => {
          const open = lanes.get(name)!
          if (open.isWarm) return
          open.isWarm = true
          admit(open)
        })
      } finally {
        leave(name)
      }
    },
  }
}
