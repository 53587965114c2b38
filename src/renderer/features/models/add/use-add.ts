import { useState } from 'react'
import type { Model } from '../../../../shared/contract/model.ts'
import { attempt } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { showToast } from '../../../ui/toasts.ts'

/** Adds files one after the other. A failure shows a message, and files added before it stay. */
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
    /** Resolves to the added models; undefined when one failed. */
    link: (paths: readonly string[]): Promise<Model[] | undefined> =>
      each(paths, path => client['model.add']({ path })),
    /** Resolves to true when all copies have started. */
    async copy(paths: readonly string[]): Promise<boolean> {
      const begun = await each(paths, path => client['download.copy']({ path }))
      if (begun)
        showToast(
          begun.length === 1 ? 'The file is being copied.' : `${begun.length} files are being copied.`,
        )
      return begun !== undefined
    },
    load: async (id: string) => {
      const answer = await attempt(client['model.load']({ id }))
      if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
    },
  }
}
