import { useState } from 'react'
import type { Model } from '../../../../shared/contract/model.ts'
import { attempt } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { addText } from './strings.ts'

/** Bring files in, one after the other; what was wrong with one is said, and those before it stay. */
export function useAdd() {
  const { client } = useLink()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function each<T>(paths: readonly string[], ask: (path: string) => Promise<T>) {
    setBusy(true)
    setProblem(undefined)
    const done: T[] = []
    for (const path of paths) {
      const answer = await attempt(ask(path))
      if (answer.ok) {
        done.push(answer.value)
        continue
      }
      setProblem(answer.fault.message)
      break
    }
    setBusy(false)
    return done.length === paths.length ? done : undefined
  }

  return {
    busy,
    problem,
    clear: () => setProblem(undefined),
    /** The models that came of it; undefined when one could not be added. */
    link: (paths: readonly string[]): Promise<Model[] | undefined> =>
      each(paths, path => client['model.add']({ path })),
    /** True when all are on their way. */
    async copy(paths: readonly string[]): Promise<boolean> {
      const begun = await each(paths, path => client['transfer.copy']({ path }))
      if (begun) showToast(addText.copying(begun.length))
      return begun !== undefined
    },
    load: async (id: string) => {
      const answer = await attempt(client['model.load']({ id }))
      if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
    },
  }
}
