/** Lets at most so many work at once for each model; the others wait in order. */
export function createLanes(placesFor: (modelId: string) => number) {
  const lanes = new Map<string, { busy: number; waiting: ((isMine: boolean) => void)[] }>()

  /** A place goes to the next that waits. */
  function leave(modelId: string): void {
    const lane = lanes.get(modelId)!
    const next = lane.waiting.shift()
    if (next) return next(true)
    lane.busy--
    if (lane.busy === 0) lanes.delete(modelId)
  }

  /** Resolves to whether a place is taken; false when the signal aborts first. */
  async function take(modelId: string, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false
    const lane = lanes.get(modelId) ?? { busy: 0, waiting: [] }
    lanes.set(modelId, lane)
    if (lane.busy < Math.max(1, placesFor(modelId))) {
      lane.busy++
      return true
    }
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const giveUp = () => {
      lane.waiting = lane.waiting.filter(each => each !== resolve)
      resolve(false)
    }
    lane.waiting.push(resolve)
    signal.addEventListener('abort', giveUp, { once: true })
    const isMine = await promise
    signal.removeEventListener('abort', giveUp)
    // The place may have come in the same moment as the end.
    if (isMine && signal.aborted) leave(modelId)
    return isMine && !signal.aborted
  }

  return {
    /** Do work that needs a place; undefined when the signal aborts before there is one. */
    async within<T>(modelId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
      if (!(await take(modelId, signal))) return undefined
      try {
        return await work()
      } finally {
        leave(modelId)
      }
    },
  }
}
