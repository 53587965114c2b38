import type { Setting } from '../../../shared/contract/settings.ts'
import { showToast } from '../../ui/toasts.ts'
import { useSettings } from './settings-context.ts'
import { settingsText } from './strings.ts'

/** What buttons and fields do; what goes wrong is said in the corner. */
export function useActions() {
  const change = useSettings(settings => settings.change)
  const reset = useSettings(settings => settings.reset)
  const refused = (why: string) => showToast(settingsText.failed(why), { level: 'error' })

  return {
    async change(path: string, value: unknown) {
      const answer = await change(path, value)
      if (!answer.ok) refused(answer.fault.message)
    },
    /** Back to the defaults, with a way back to what was. */
    async reset(settings: readonly Setting[]) {
      const answer = await reset(settings.map(({ path }) => path))
      if (!answer.ok) return refused(answer.fault.message)
      const before = [...answer.value]
      const takeBack = async () => {
        for (const [path, value] of before) {
          const answer = await change(path, value)
          if (!answer.ok) return refused(answer.fault.message)
        }
      }
      showToast(settingsText.resetDone(settings.length), {
        action: { label: settingsText.undo, run: () => void takeBack() },
        ms: 10_000,
      })
    },
  }
}
