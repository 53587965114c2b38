import type { Setting } from '../../../shared/contract/settings.ts'
import { showToast } from '../../ui/toasts.ts'
import { useSettings } from './settings-context.ts'
import { formatCount } from '../../ui/format.ts'

/** Actions of the settings page. Errors appear as toasts. */
export function useSettingActions() {
  const change = useSettings(settings => settings.change)
  const reset = useSettings(settings => settings.reset)
  const refused = (why: string) => showToast(`The setting was not saved: ${why}`, { level: 'error' })

  return {
    async change(path: string, value: unknown) {
      const answer = await change(path, value)
      if (!answer.ok) refused(answer.fault.message)
    },
    /** Reset to the defaults and offer an undo. */
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
      showToast(
        settings.length === 1
          ? 'One setting is back to its default.'
          : `${formatCount(settings.length)} settings are back to their defaults.`,
        {
          action: { label: 'Undo', run: () => void takeBack() },
          ms: 10_000,
        },
      )
    },
  }
}
