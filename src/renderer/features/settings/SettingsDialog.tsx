import type { ReactNode } from 'react'
import type { Settings } from '../../../shared/contract/app.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { keyText } from '../../ui/keys.ts'
import { Segmented } from '../../ui/Segmented.tsx'
import { showToast } from '../../ui/toasts.ts'
import { settingsText } from './strings.ts'

type Props = { models: ReactNode; onImport: () => void; onClose: () => void }

/** What can be set; every change counts at once. The list of models and the import belong to other features. */
export function SettingsDialog({ models, onImport, onClose }: Props): ReactNode {
  const settings = useHost(host => host.settings)
  const setSettings = useHost(host => host.setSettings)
  const { themes, sendWiths } = settingsText
  const change = async (change: Partial<Settings>) => {
    const saved = await setSettings(change)
    if (!saved.ok) showToast(settingsText.failed(saved.fault.message), { level: 'error' })
  }
  return (
    <Dialog title={settingsText.title} closeLabel={settingsText.close} onClose={onClose}>
      <div className="grid gap-6">
        <Segmented
          label={settingsText.theme}
          showLabel
          options={(['system', 'light', 'dark'] as const).map(value => ({ value, label: themes[value] }))}
          value={settings.theme}
          onChange={theme => void change({ theme })}
        />
        <div>
          <Segmented
            label={settingsText.sendWith}
            showLabel
            options={[
              { value: 'enter', label: sendWiths.enter },
              { value: 'mod_enter', label: sendWiths.mod_enter(keyText('mod+enter')) },
            ]}
            value={settings.sendWith}
            onChange={sendWith => void change({ sendWith })}
          />
          <p className="mt-1.5 text-xs text-ink-3">{settingsText.sendHint[settings.sendWith]}</p>
        </div>
        <section>
          <h3 className="mb-1.5 text-sm font-semibold">{settingsText.models}</h3>
          <p className="mb-2 text-xs text-ink-3">{settingsText.modelsHint}</p>
          {models}
        </section>
        <section>
          <h3 className="mb-1.5 text-sm font-semibold">{settingsText.others}</h3>
          <p className="mb-2 text-xs text-ink-3">{settingsText.othersHint}</p>
          <button type="button" aria-haspopup="dialog" className="btn btn-secondary" onClick={onImport}>
            {settingsText.import}
          </button>
        </section>
        <About />
      </div>
    </Dialog>
  )
}

function About() {
  const hello = useHost(host => host.hello)
  if (!hello) return null
  return (
    <section>
      <h3 className="mb-1.5 text-sm font-semibold">{settingsText.about}</h3>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        <dt className="text-ink-3">{settingsText.version}</dt>
        <dd>{hello.version}</dd>
        <dt className="text-ink-3">{settingsText.home}</dt>
        <dd dir="ltr" className="font-mono text-xs leading-5 break-all">
          {hello.home}
        </dd>
      </dl>
    </section>
  )
}
