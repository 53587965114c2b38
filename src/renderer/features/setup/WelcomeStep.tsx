import { useState, type ReactNode } from 'react'
import { useHost } from '../../rpc/host-context.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { setupText } from './strings.ts'

const text = setupText.welcome

/** Three promises, the list that shows whether the third is kept, and the colours. */
export function WelcomeStep({ ledger }: { ledger: ReactNode }): ReactNode {
  const theme = useHost(host => host.settings.theme)
  const setSettings = useHost(host => host.setSettings)
  const [isShown, setShown] = useState(false)
  const last = text.promises.at(-1)
  return (
    <>
      <p className="text-ink-2">{text.about}</p>
      <dl className="grid gap-3">
        {text.promises.map(promise => (
          <div key={promise[0]} className="rounded-xl border border-line bg-raised px-4 py-3 shadow-card">
            <dt className="text-sm font-semibold">{promise[0]}</dt>
            <dd className="text-sm text-ink-2">
              {promise[1]}{' '}
              {promise === last && ledger !== undefined && (
                <button
                  type="button"
                  aria-haspopup="dialog"
                  className="link-btn"
                  onClick={() => setShown(true)}
                >
                  {text.ledger}
                </button>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <Segmented
        label={text.theme}
        showLabel
        options={(['system', 'light', 'dark'] as const).map(value => ({ value, label: text.themes[value] }))}
        value={theme}
        onChange={value => void setSettings({ theme: value })}
      />
      {isShown && (
        <Dialog
          title={text.ledgerTitle}
          closeLabel={setupText.close}
          width="large"
          onClose={() => setShown(false)}
        >
          {ledger}
        </Dialog>
      )}
    </>
  )
}
